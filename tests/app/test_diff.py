"""diff: two plans, or one under two settings — each figure is what plan and simulate say, and the changes account for it."""
from cli import TOY, check, check_in, good, main, read, run, test, write

FIGURES = ("step_us throughput bound_us gap recompute_us stall_us required_bytes peak_bytes host_peak_bytes d2h_bytes "
           "h2d_bytes keep_bytes offload_bytes recompute_bytes").split()


def plan(name, planner, more=""):
    return good("plan gpt2 --planner %s -o %s --json --actions %s" % (planner, name, more)).json()


def diff(*arguments):
    done = run("diff", "gpt2", *arguments, "--json", "--actions")
    check(done.err, "")
    return done


def close(found, expected):
    check(abs(found - expected) <= 1e-9 * max(1, abs(expected)), True, "%r, not %r" % (found, expected))


@test
def every_figure_is_what_the_plans_have_by_themselves():
    sides = {"a": plan("a.json", "slackswap-rule"), "b": plan("b.json", "refine")}
    done = diff("a.json", "b.json")
    result = done.json()
    check((done.status, result["schema"], result["differ"]), (1, "slackswap-diff/1", True))
    for side, alone in sides.items():
        for figure in FIGURES:
            check(result["figures"][figure][side], alone[figure], figure)
            check(result[side][figure], alone[figure], figure)
    for figure in FIGURES:
        check(result["figures"][figure]["change"], sides["b"][figure] - sides["a"][figure], figure)


@test
def a_planners_name_stands_for_its_plan():
    plan("a.json", "slackswap-rule")
    plan("b.json", "refine")
    files, planners = diff("a.json", "b.json").json(), diff("slackswap-rule", "refine").json()
    for part in ("figures", "time", "changed", "memory"):
        check(planners[part], files[part], part)


@test
def the_changed_actions_are_those_that_differ_grouped_by_layer():
    a, b = plan("a.json", "slackswap-rule")["plan"]["actions"], plan("b.json", "refine")["plan"]["actions"]
    changed = diff("a.json", "b.json").json()["changed"]
    listed = {tensor["tensor"]: (tensor["a"], tensor["b"]) for layer in changed for tensor in layer["tensors"]}
    check(listed, {name: (a[name], b[name]) for name in a if a[name] != b[name]})
    for layer in changed:
        check({tensor["tensor"].split(".")[0] for tensor in layer["tensors"]}, {layer["layer"]})
        check(layer["bytes"], sum(tensor["bytes"] for tensor in layer["tensors"]))
    order = [layer for layer in dict.fromkeys(name.split(".")[0] for name in a)]
    check([layer["layer"] for layer in changed], [layer for layer in order if layer in {x["layer"] for x in changed}])


@test
def where_the_time_went_adds_up_to_the_change_of_the_step():
    result = diff("slackswap-rule", "recompute").json()
    time = result["time"]
    stalls = sum(cause["change"] for cause in time["stall_us"].values())
    close(stalls, result["figures"]["stall_us"]["change"])
    close(time["recompute_us"]["change"] + stalls, result["figures"]["step_us"]["change"])
    close(sum(layer["recompute_us"]["change"] + layer["stall_us"]["change"] for layer in time["layers"]),
          result["figures"]["step_us"]["change"])


@test
def memory_is_compared_over_all_of_the_longer_step():
    result = diff("slackswap-rule", "recompute").json()
    memory = result["memory"]
    times = [pair["at_us"] for pair in memory]
    check(times, sorted(times))
    check(times[0], 0)
    close(times[-1], max(result[side]["step_us"] for side in "ab"))
    check((memory[-1]["a_bytes"], memory[-1]["b_bytes"]), (0, 0))
    for side in "ab":
        check(max(pair[side + "_bytes"] for pair in memory) >= result[side]["peak_bytes"], True)
    check([pair for pair in memory if pair["change_bytes"] != pair["b_bytes"] - pair["a_bytes"]], [])


@test
def one_plan_under_two_settings_is_no_difference_of_plans():
    plan("a.json", "slackswap-rule")
    done = diff("a.json", "--b", "bandwidth=12GB/s,latency=20us")
    check((done.status, done.json()["differ"], done.json()["changed"]), (0, False, []))
    for side, flags in (("a", ""), ("b", "--bandwidth 12 --latency 20")):
        alone = good("simulate gpt2 --plan a.json --json " + flags).json()
        for figure in FIGURES:
            check(done.json()["figures"][figure][side], alone[figure], figure)
    check(done.json()["figures"]["step_us"]["change"] > 0, True)


@test
def flags_are_for_both_sides_and_settings_for_one():
    result = run("diff", "gpt2", "refine", "--budget", "60%", "--d2h", "20", "--a", "budget=40%", "--b",
                 "link=pcie5-x16,host-memory=1GiB", "--json").json()
    half = good("plan gpt2 --json").json()["unlimited_peak_bytes"]
    check([result[side]["budget_bytes"] for side in "ab"], [int(half * 0.4), int(half * 0.6)])
    check([result[side]["d2h_gb_per_s"] for side in "ab"], [20, 20])
    check(result["b"]["h2d_gb_per_s"] > result["a"]["h2d_gb_per_s"], True)


@test
def equal_plans_are_told_so_with_status_0():
    plan("a.json", "offload")
    done = run("diff gpt2 a.json offload")
    check((done.status, done.err), (0, ""))
    check_in("\nactions: the two plans are the same\n", done.out)
    check_in("\nmemory: the same all the time\n", done.out)


@test
def a_prefetch_distance_is_a_difference_too():
    write("a.json", {"schema": "slackswap-plan/1", "actions": {"L00.gelu": "offload"}})
    write("b.json", {"schema": "slackswap-plan/1", "actions": {"L00.gelu": "offload"}, "prefetch_steps": 3})
    done = run("diff gpt2 a.json b.json --budget 100% --json")
    check(done.status, 1)
    check(done.json()["changed"], [{"layer": "L00", "bytes": 100663296, "tensors": [
        {"tensor": "L00.gelu", "bytes": 100663296, "a": "offload", "b": "offload", "a_prefetch": None, "b_prefetch": 3}]}])
    check_in("offload -> offload, 96.0 MiB in 1: L00.gelu (distance any -> 3)\n",
             run("diff gpt2 a.json b.json --budget 100%").out)


@test
def a_plan_that_does_not_fit_is_compared_as_far_as_it_goes():
    done = run("diff gpt2 keep refine")
    check((done.status, done.err), (1, ""))
    check_in("does not fit: needs 7.90 GiB at B head.loss\n", done.out)
    check_in("\nactions: ", done.out)
    check("nan" in done.out, False)
    result = run("diff gpt2 keep refine --json").json()
    check((result["figures"]["step_us"]["a"], result["figures"]["step_us"]["change"]), (None, None))
    check("memory" in result or "time" in result, False)


@test
def a_plan_may_come_from_standard_input():
    plan("a.json", "slackswap-rule")
    text = read("a.json")
    names = ("a_name", "b_name")
    for arguments in (("-", "refine"), ("-", "--b", "bandwidth=12")):
        files = [argument.replace("-", "a.json") if argument == "-" else argument for argument in arguments]
        found, expected = (run("diff", "gpt2", *words, "--json", stdin=text).json() for words in (arguments, files))
        check({key: found[key] for key in found if key not in names},
              {key: expected[key] for key in expected if key not in names})


@test
def what_can_not_be_compared_is_refused():
    write("toy.json", TOY)
    for line, message in (
            ("gpt2 refine", "diff needs a second plan, or --a or --b with another setting"),
            ("- - refine", "only one of profile and plans can be standard input"),
            ("gpt2 a b c", "diff takes three arguments: what is 'c'?"),
            ("gpt2 refine --b budget", "--b: expected NAME=VALUE, found 'budget'"),
            ("gpt2 refine --b budgt=40%", "--b: no setting is called 'budgt' (did you mean 'budget'?)"),
            ("gpt2 refine --b batch=4", "--b: no setting is called 'batch'"),
            ("gpt2 refine --a budget=", "--a: budget: expected a value: N%|SIZE"),
            ("gpt2 refine --a budget=1,budget=2", "--a: budget: expected each setting once"),
            ("gpt2 refine --a bandwidth=fast", "--a: bandwidth: expected a rate such as 25GB/s or 25, found 'fast'"),
            ("gpt2 refine keep --planner offload", "diff has no option '--planner'")):
        done = run("diff " + line)
        check(done.err, "slackswap: %s\n" % message, line)
        check(done.status, 2, line)
    done = run("diff toy.json refine ghost.json")
    check((done.status, done.err), (3, "slackswap: ghost.json: can't be read: No such file or directory\n"))


main()
