"""What each command does and prints, its exit status, and where its output goes."""
import json
import os
import re
import subprocess
import time

import cli
from cli import TOY, check, check_in, good, main, read, run, shared, test, write

RESULT = """schema profile planner unit feasible own_model_us budget_bytes peak_bytes unlimited_peak_bytes required_bytes step_us ideal_us
bound_us bound_binding throughput gap recompute_us stall_us d2h_bytes h2d_bytes host_peak_bytes keep_bytes offload_bytes
recompute_bytes h2d_gb_per_s d2h_gb_per_s h2d_both_gb_per_s d2h_both_gb_per_s latency_us seed evaluations""".split()
PLANNERS = re.findall(r"^  (\S+) ", good("plan --help").out.split("Planners:\n")[1].split("\n\n")[0], re.M)
GRAPH = os.path.join(cli.SRCDIR, "tests/fixtures/pipedream/residual.txt")


def close(found, expected):
    check(abs(found - expected) <= 1e-9 * max(1, abs(expected)), True, "%r, not %r" % (found, expected))


# plan

@test
def a_result_has_every_field_of_the_contract():
    result = good("plan gpt2 --json").json()
    check([field for field in RESULT if field not in result], [])
    check(result["schema"], "slackswap-result/1")
    check((result["profile"], result["planner"], result["unit"], result["feasible"]), ("gpt2", "refine", "tensor", True))
    close(result["throughput"], result["ideal_us"] / result["step_us"])
    close(result["gap"], result["step_us"] / result["bound_us"] - 1)
    check([field for field in ("plan", "plan_us", "simulate_us") if field in result], [])


@test
def planners_of_chains_tell_what_their_own_model_says_and_others_have_none():
    for result in good("compare gpt2 --json --planner refine,capuchin,rotor,pofo").json():
        own = result["own_model_us"]
        if result["planner"] in ("rotor", "pofo"):
            check(own >= result["ideal_us"], True, result["planner"])
            check_in("own model     ", good("plan gpt2 --planner " + result["planner"]).out)
        else:
            check(own, None, result["planner"])
    rows = good("compare gpt2 --planner refine,rotor").out.splitlines()
    column = next(row for row in rows if row.startswith("planner")).index("own model") + len("own model")
    check([row[:column].split()[-1] == "-" for row in rows[-2:]], [True, False])


@test
def actions_add_the_plan_and_timing_the_times():
    result = good("plan gpt2 --json --actions --timing").json()
    check(result["plan"]["schema"], "slackswap-plan/1")
    check(set(result["plan"]["actions"].values()) <= {"keep", "offload", "recompute"}, True)
    check(result["plan_us"] > 0 and result["simulate_us"] > 0, True)


@test
def the_same_command_prints_the_same_bytes():
    for line in ("plan gpt2 --json --actions", "plan gpt2", "compare gpt2 --json", "compare gpt2",
                 "plan gpt2 --json --actions --evals 5 --seed 3", "model gpt2", "screen gpt2 --keys e"):
        check(good(line).out, good(line).out, line)
    as_it_is = {"SLACKSWAP_EVALS": ""}
    check(good("plan gpt2 --json --actions", env=as_it_is).out, good("plan gpt2 --json --actions", env=as_it_is).out)


@test
def a_plan_that_does_not_fit_is_status_1_with_what_it_needs():
    done = run("plan gpt2 --json --planner keep")
    result = done.json()
    check((done.status, done.err), (1, ""))
    check((result["feasible"], result["step_us"]), (False, None))
    check(result["required_bytes"], result["unlimited_peak_bytes"])
    check_in("step", result)
    done = run("plan gpt2 --planner keep")
    check((done.status, done.err), (1, ""))
    check_in("feasible      no", done.out)


@test
def a_budget_below_the_least_is_status_1():
    for planner in PLANNERS:
        check(run("plan gpt2 --budget 1% --planner " + planner).status, 1, planner)
    check(run("plan gpt2 --host-memory 1MiB --planner offload").status, 1)


@test
def every_planner_obeys_the_limit_on_host_memory_or_says_that_it_does_not_fit():
    for planner in PLANNERS:
        done = run("plan gpt2 --json --host-memory 64MiB --planner " + planner)
        result = done.json()
        check(done.status, 0 if result["feasible"] else 1, planner)
        check(not result["feasible"] or result["host_peak_bytes"] <= 64 << 20, True, planner)


@test
def the_options_of_the_link_change_the_five_values():
    write("toy.json", TOY)

    def link(options):
        result = good("plan toy.json --json " + options).json()
        return tuple(result[name] for name in ("h2d_gb_per_s", "d2h_gb_per_s", "h2d_both_gb_per_s", "d2h_both_gb_per_s",
                                               "latency_us"))
    check(link(""), (0.01, 0.01, 0.01, 0.01, 1))
    check(link("--bandwidth 4"), (4, 4, 4, 4, 1))
    check(link("--bandwidth 4 --h2d 2GB/s --latency 3ms"), (2, 4, 2, 4, 3000))
    check(link("--h2d 2 --d2h 4 --h2d-both 1 --d2h-both 3"), (2, 4, 1, 3, 1))
    check(link("--bandwidth 4 --duplex half --share 2"), (2, 2, 1, 1, 1))
    check(link("--link pcie4-x16-a100-measured"), (25.5, 25.5, 12.5, 24, 10))
    check(link("--link pcie4-x16-a100-measured --duplex full"), (25.5, 25.5, 25.5, 25.5, 10))


@test
def gpu_memory_leaves_what_static_bytes_and_headroom_do_not_take():
    write("toy.json", TOY)
    check(good("plan toy.json --json --gpu-memory 11000").json()["budget_bytes"], 10000)
    check(good("plan toy.json --json --gpu-memory 11000 --headroom 10%").json()["budget_bytes"], 8900)
    check(good("plan toy.json --json --gpu-memory 11000 --headroom 1kB").json()["budget_bytes"], 9000)


@test
def a_unit_of_layers_gives_all_tensors_of_a_layer_one_action():
    actions = good("plan gpt2 --json --actions --unit layer").json()["plan"]["actions"]
    layers = {}
    for tensor, action in actions.items():
        layers.setdefault(tensor.split(".")[0], set()).add(action)
    check([layer for layer, kinds in layers.items() if len(kinds) > 1], [])


@test
def a_time_to_plan_is_kept_and_ever_so_short_a_one_gives_a_plan():
    check(good("plan gpt2 --json --plan-time 1us").json()["feasible"], True)
    start = time.monotonic()
    check(good("plan llama-7b --json --plan-time 500ms").json()["feasible"], True)
    check(time.monotonic() - start < 20, True)


@test
def optimal_says_whether_it_proved_its_plan_the_best():
    toy = os.path.join(cli.SRCDIR, "samples/toy.json")
    for work, proved in ((toy, True), ("gpt2 --evals 20", False)):
        command = "plan %s --budget 60%% --planner optimal" % work
        check(good(command + " --json").json()["proved"], proved, work)
        check(", proved optimal\n" in good(command).out, proved, work)


@test
def an_exact_number_of_evaluations_is_an_upper_limit():
    check(good("plan gpt2 --json --evals 1").json()["evaluations"] <= 1, True)


@test
def a_profile_may_come_from_standard_input():
    profile = good("model gpt2").out
    check(good("plan", "-", "--json", stdin=profile).out, good("plan gpt2 --json").out)
    check(good("compare", "-", "--json", stdin=profile).out, good("compare gpt2 --json").out)
    check(good("screen", "-", stdin=profile).out, good("screen gpt2").out)


@test
def a_profile_without_schema_is_taken_with_a_warning():
    profile = dict(TOY)
    del profile["schema"]
    write("toy.json", profile)
    done = run("plan toy.json --json")
    check(done.status, 0)
    check(done.err, 'slackswap: toy.json: warning: no "schema": read as slackswap-profile/1\n')
    check(run("plan toy.json --json -q").err, "")


# plan -o, simulate

@test
def a_saved_plan_replays_to_the_same_figures():
    for planner in ("slackswap", "checkpoint --unit layer"):
        planned = good("plan gpt2 --json -o plan.json --planner " + planner).json()
        saved = json.loads(read("plan.json"))
        check((saved["schema"], saved["profile"], saved["budget_bytes"]),
              ("slackswap-plan/1", "gpt2", planned["budget_bytes"]))
        replayed = good("simulate gpt2 --plan plan.json --json").json()
        for field in set(RESULT) - {"evaluations"}:
            check(replayed[field], planned[field], field)


@test
def a_plan_may_come_from_standard_input():
    good("plan gpt2 -o plan.json")
    check(good("simulate", "gpt2", "--plan", "-", "--json", stdin=read("plan.json")).out,
          good("simulate gpt2 --plan plan.json --json").out)


@test
def a_plan_replayed_where_it_does_not_fit_is_status_1():
    good("plan gpt2 -o plan.json --budget 70%")
    done = run("simulate gpt2 --plan plan.json --budget 30% --json")
    check((done.status, done.json()["feasible"]), (1, False))


@test
def a_plan_made_for_another_profile_is_said_to_be_so():
    write("toy.json", TOY)
    other = dict(TOY, name="other")
    write("other.json", other)
    good("plan toy.json -o plan.json")
    done = run("simulate other.json --plan plan.json --json")
    check(done.status, 0)
    check(done.err, "slackswap: plan.json: warning: the plan was made for profile 'toy', not for 'other'\n")


@test
def a_file_that_can_not_be_written_is_status_4_and_stays_as_it_was():
    done = run("plan gpt2 -o nowhere/plan.json")
    check((done.status, done.out), (4, ""))
    check(done.err, "slackswap: nowhere/plan.json: can't be written: No such file or directory\n")
    done = run("model gpt2 -o ./")
    check((done.status, done.err), (4, "slackswap: ./: can't be written: Is a directory\n"))
    check(os.listdir("."), [])


@test
def a_plan_is_replaced_whole():
    write("plan.json", "old")
    os.chmod("plan.json", 0o600)
    good("plan gpt2 -o plan.json")
    check(os.listdir("."), ["plan.json"])
    check(os.stat("plan.json").st_mode & 0o777, 0o600)
    check(json.loads(read("plan.json"))["profile"], "gpt2")


# compare

@test
def compare_runs_every_planner_on_the_same_work():
    results = good("compare gpt2 --json").json()
    check([result["planner"] for result in results], PLANNERS)
    for field in ("budget_bytes", "bound_us", "ideal_us", "unlimited_peak_bytes"):
        check(len({result[field] for result in results}), 1, field)
    check([field for field in RESULT if any(field not in result for result in results)], [])


@test
def compare_shows_a_line_for_each_planner_and_the_bound():
    text = good("compare gpt2").out
    for word in PLANNERS + ["bound"]:
        check_in("\n" + word + " ", text)


@test
def compare_takes_a_list_in_its_order():
    check([result["planner"] for result in good("compare gpt2 --json --planner slackswap,keep").json()],
          ["slackswap", "keep"])


@test
def compare_is_status_1_only_when_no_planner_fits():
    check(run("compare gpt2 --planner keep,slackswap").status, 0)
    check(run("compare gpt2 --planner keep").status, 1)
    done = run("compare gpt2 --budget 1% --json")
    check((done.status, {result["feasible"] for result in done.json()}), (1, {False}))


@test
def compare_agrees_with_plan():
    for result in run("compare bert-base --json").json():
        check(run("plan bert-base --json --planner " + result["planner"]).json(), result)


# model, import

@test
def a_model_is_a_profile_of_its_batch_sequence_attention_device_and_link():
    profile = good("model gpt2").json()
    check((profile["schema"], profile["name"], profile["device"]["name"]), ("slackswap-profile/1", "gpt2", "a100-80gb"))
    other = good("model gpt2 --batch 2 --seq 128 --attention eager --gpu h100-sxm --link pcie5-x16").json()
    check((other["device"]["name"], other["link"]["name"], other["link"]["h2d_gb_per_s"]), ("h100-sxm", "pcie5-x16", 50))
    check(len(other["ops"]) > len(profile["ops"]), True)
    good("model gpt2 -o gpt2.json")
    check(json.loads(read("gpt2.json")), profile)
    check(good("plan ./gpt2.json --json").out, good("plan gpt2 --json").out)
    check(good("model gpt2 --json").out, good("model gpt2").out)


@test
def a_model_that_can_not_be_is_refused():
    done = run("model llama-7b --batch 1048576 --seq 1048576 --attention eager")
    check((done.status, done.out), (2, ""))


@test
def the_list_names_models_devices_and_links():
    text, lists = good("model --list").out, good("model --list --json").json()
    check(sorted(lists), ["gpus", "links", "models"])
    for group in lists.values():
        for entry in group:
            check_in("\n  %s " % entry["name"], text)
    check({"bert-large", "gpt2-xl", "llama-7b"} <= {entry["name"] for entry in lists["models"]}, True)


@test
def a_recording_is_known_by_its_content_or_named():
    done = run("import", GRAPH)
    profile = done.json()
    check(done.status, 0)
    check((profile["schema"], profile["name"]), ("slackswap-profile/1", "residual"))
    check(len(done.err) > 0, True)
    check(done.err.startswith("slackswap: "), True)
    check(run("import", "--from", "pipedream", GRAPH).out, done.out)
    check(run("import", "--from", "auto", "-q", GRAPH).err, "")
    check(run("import", GRAPH, "-o", "out.json", "-q").out, "")
    check(read("out.json"), done.out)
    good("plan", "out.json", "--budget", "100%")


@test
def a_recording_may_come_from_standard_input():
    with open(GRAPH) as file:
        profile = run("import", "-", "-q", stdin=file.read()).json()
    check(len(profile["ops"]), len(run("import", GRAPH).json()["ops"]))


@test
def a_table_is_a_recording_too_and_a_map_names_its_columns():
    write("table.csv", "layer,fwd,bwd,kept,out\na,1,2,3,4\nb,5,6,7,8\n")
    done = run("import", "table.csv", "-q", "--from", "csv", "--map",
               "name=layer,forward_ms=fwd,backward_ms=bwd,activation_mib=kept,output_mib=out")
    profile = done.json()
    check([op["forward_us"] for op in profile["ops"]], [1000, 5000])
    check({tensor["bytes"] for tensor in profile["tensors"]}, {n << 20 for n in (3, 4, 7, 8)})
    done = run("import", "table.csv", "--from", "csv", "--map", "name=nothing")
    check((done.status, done.out), (2, ""))
    done = run("import", GRAPH, "--map", "name=layer")
    check((done.status, done.err), (2, "slackswap: --map is for tables, and this is pipedream\n"))


@test
def a_real_graph_is_planned_at_six_tenths_of_its_memory():
    done = run("import", shared("data/pipedream_graph_txt/vgg16.graph.txt"), "-o", "vgg16.json")
    check((done.status, done.out), (0, ""))
    check(good("plan vgg16.json --json --budget 60%").json()["feasible"], True)


# screen

@test
def a_screen_has_the_size_asked_for():
    for width, height in ((80, 24), (120, 40), (1, 1), (33, 7)):
        rows = good("screen gpt2 --ascii --size %dx%d" % (width, height)).out.split("\n")
        check((len(rows), max(len(row) for row in rows) <= width), (height + 1, True))
    cells = good("screen gpt2 --size 90x30 --format json").json()
    check((cells["schema"], cells["width"], cells["height"], len(cells["rows"])), ("slackswap-screen/1", 90, 30, 30))


@test
def the_screen_shows_the_step_that_plan_reports_also_after_keys():
    turns = (PLANNERS.index("offload") - PLANNERS.index("refine")) % len(PLANNERS)
    for options, keys in (("", ""), ("--budget 40%", "b 4 0 % Enter"), ("--bandwidth 16", "p 1 6 Enter"),
                          ("--planner offload", "P " * turns)):
        step = good("plan gpt2-xl --json " + options).json()["step_us"]
        check_in("step %.1f ms" % (step / 1e3), " ".join(good("screen", "gpt2-xl", "--keys", keys).out.split()))
        check_in("step %.1f ms" % (step / 1e3), " ".join(good("screen gpt2-xl " + options).out.split()))


@test
def a_screen_without_a_profile_shows_gpt2_xl():
    check(good("screen").out, good("screen gpt2-xl").out)
    check_in("gpt2-xl", good("screen").out)


@test
def a_budget_that_can_not_be_met_is_drawn_all_the_same():
    done = run("screen", "gpt2", "--keys", "b 1 % Enter")
    check(done.status, 0)
    check_in("does not fit", done.out)


@test
def no_color_and_color_never_leave_colours_out():
    colour = ";38;2;"
    check_in(colour, good("screen gpt2 --format ansi").out)
    check(colour in good("screen gpt2 --format ansi", env={"NO_COLOR": "1"}).out, False)
    check(colour in good("screen gpt2 --format ansi --color never").out, False)
    check_in(colour, good("screen gpt2 --format ansi --color always", env={"NO_COLOR": "1"}).out)
    check_in(colour, good("screen gpt2 --format ansi", env={"NO_COLOR": ""}).out)


@test
def a_screen_can_be_a_picture_in_a_file():
    check(good("screen gpt2 --format svg -o screen.svg").out, "")
    check(read("screen.svg").lstrip().startswith("<"), True)
    check_in("</svg>", read("screen.svg"))


@test
def keys_to_quit_end_the_script():
    check(good("screen", "gpt2", "--keys", "^ q b 1 % Enter").out, good("screen", "gpt2", "--keys", "^").out)


# view

@test
def view_prints_the_plain_report_where_there_is_no_terminal():
    check(good("view gpt2").out, good("plan gpt2").out)
    check(good("gpt2").out, good("plan gpt2").out)
    check(good("view gpt2 --plain").out, good("plan gpt2").out)
    check(good("--budget", "40%").out, good("plan gpt2-xl --budget 40%").out)
    check(good().out, good("plan gpt2-xl").out)
    check(run("view gpt2 --budget 1%").status, 1)


# bench

@test
def bench_measures_the_simulator_the_planners_and_the_drawing():
    figures = good("bench --json --evals 20").json()
    check([entry["ops"] for entry in figures["simulator"]], [1000, 10000, 100000])
    check({entry["planner"] for entry in figures["planners"]}, set(PLANNERS))
    check(len(figures["planners"]), 3 * len(PLANNERS))
    check(all(entry["us"] > 0 for entry in figures["frames"]), True)


# standard output

@test
def output_that_can_not_be_written_is_status_4_with_a_message():
    if os.path.exists("/dev/full"):
        with open("/dev/full", "wb") as full:
            done = run("plan gpt2", stdout=full, stderr=subprocess.PIPE)
        check((done.status, done.err),
              (4, "slackswap: standard output: can't be written: No space left on device\n"))
    command = '"%s" plan gpt2 >&-; echo $?' % cli.PROGRAM
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    check((done.stdout, done.stderr), ("4\n", "slackswap: standard output: can't be written: Bad file descriptor\n"))


@test
def a_file_is_not_mixed_with_output_that_was_closed():
    subprocess.run(["sh", "-c", '"%s" plan gpt2 -o plan.json >&- 2>&-' % cli.PROGRAM])
    check(json.loads(read("plan.json"))["schema"], "slackswap-plan/1")


@test
def a_reader_that_goes_away_is_no_news():
    for trap in ("", "trap '' PIPE; "):
        command = '%s{ sleep 0.2; "%s" model gpt2-xl; echo $? >status; } | true' % (trap, cli.PROGRAM)
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
        check((done.stdout, done.stderr), ("", ""))
        check(read("status").strip(), "4" if trap else "141")


@test
def what_is_said_goes_to_standard_error_and_results_to_standard_output():
    done = run("import", GRAPH)
    json.loads(done.out)
    check(all(line.startswith("slackswap: ") for line in done.err.splitlines()), True)


main()
