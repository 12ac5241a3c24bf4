"""explain: the ten questions, each number of each answer found again by planning or simulating."""
import os
import re

import cli
from cli import TOY, check, check_in, good, main, read, run, shared, test, write



class Case:
    """Some work, the flags it is planned under, and what explain says of it."""

    def __init__(self, profile, flags, planner):
        self.profile, self.flags, self.planner = profile, flags.split(), ["--planner", planner]
        done = run("explain", profile, *self.flags, *self.planner, "--json", "--actions")
        check(done.err, "")
        self.status = done.status
        self.text = done.json()
        self.result = self.text["result"]
        self.answers = {answer["id"]: answer for answer in self.text["answers"]}
        self.plan = write("plan.json", self.result["plan"])

    def figures(self, question):
        return self.answers[question]["figures"]

    def planned(self, *more, planner=None):
        return run("plan", self.profile, *self.flags, *(["--planner", planner] if planner else self.planner), "--json",
                   *more).json()

    def replayed(self, plan, *more):
        write("other.json", plan)
        return run("simulate", self.profile, *self.flags, "--plan", "other.json", "--json", *more).json()


def toy():
    return os.path.join(cli.SRCDIR, "samples/toy.json")


def small():
    return Case(toy(), "--budget 40%", "refine")


def stalling():
    return Case("gpt2", "", "slackswap-rule")


def real():
    graph = shared("data/pipedream_graph_txt/vgg16.graph.txt")
    run("import", graph, "-o", "vgg16.json")
    return Case("vgg16.json", "--budget 60%", "slackswap")


def each(check_case):
    """Runs the test on all three; the real profile only where it is at hand."""
    def run_all():
        for make in (small, stalling):
            check_case(make())
        check_case(real())
    run_all.__name__ = check_case.__name__
    return test(run_all)


def close(found, expected, note=""):
    check(abs(found - expected) <= 1e-9 * max(1, abs(expected)), True, "%r, not %r %s" % (found, expected, note))


def with_budget(case):
    """The flags without their budget."""
    flags = list(case.flags)
    if "--budget" in flags:
        at = flags.index("--budget")
        del flags[at:at + 2]
    return flags


def plan_at(case, *flags):
    return run("plan", case.profile, *with_budget(case), *case.planner, *flags, "--json").json()


@each
def every_question_is_answered(case):
    check(case.text["schema"], "slackswap-explanation/1")
    check(list(case.answers), ["peak", "memory-drop", "host", "overlap", "stalls", "prefetch", "choices",
                               "offload-or-recompute", "recompute-starts", "free-bandwidth", "knobs"])
    for answer in case.answers.values():
        check(answer["question"].endswith("?") and answer["answer"].rstrip().endswith("."), True, answer)
        check("nan" in answer["answer"] or "inf" in answer["answer"].split(), False, answer["answer"])


@each
def the_peak_is_the_results_and_its_parts_add_up(case):
    figures = case.figures("peak")
    check(figures["peak_bytes"], case.result["peak_bytes"])
    check(sum(figures[part + "_bytes"] for part in "kept draining prefetched gradients scratch".split()),
          figures["peak_bytes"])
    at = run("explain", case.profile, *case.flags, "--plan", case.plan, "--json", "--at", "%.17gus" % figures["at_us"]).json()
    check(at["answers"][1]["figures"]["used_bytes"], figures["peak_bytes"])


@each
def as_much_host_memory_is_enough_and_a_byte_less_is_not(case):
    need = case.figures("host")["host_peak_bytes"]
    check(need, case.result["host_peak_bytes"])
    if need == 0:
        return
    replay = ["simulate", case.profile, *case.flags, "--plan", case.plan, "--host-memory"]
    check(run(*replay, str(int(need))).status, 0)
    check(run(*replay, str(int(need) - 1)).status, 1)


@each
def transfers_are_hidden_but_for_the_stalls(case):
    figures, result = case.figures("overlap"), case.result
    close(figures["hidden_us"] + figures["exposed_us"], figures["transfer_us"])
    close(figures["transfer_us"] + figures["idle_us"], result["step_us"], "no fixed time in these")
    check(figures["exposed_us"] <= result["stall_us"] * (1 + 1e-9), True)
    check(figures["idle_to_us"] - figures["idle_from_us"] <= figures["idle_us"] * (1 + 1e-9), True)


@each
def stalls_are_the_results_by_cause_and_layer(case):
    figures = case.figures("stalls")
    close(figures["stall_us"], case.result["stall_us"])
    if figures["stalls"] == 0:
        return
    close(sum(figures["by_cause"].values()), figures["stall_us"])
    check(figures["longest_us"] <= figures["layer_stall_us"] <= figures["stall_us"] * (1 + 1e-9), True)
    every = run("explain", case.profile, *case.flags, "--plan", case.plan, "--stalls", "--json").json()["answers"][1:]
    check(len(every), min(40, figures["stalls"]))
    lengths = [stall["figures"]["stall_us"] for stall in every]
    check(lengths, sorted(lengths, reverse=True))
    close(lengths[0], figures["longest_us"])
    if figures["stalls"] <= 40:
        close(sum(lengths), figures["stall_us"])


@each
def a_chain_of_causes_is_without_gaps_and_goes_back_to_the_start(case):
    for answer in case.answers.values():
        causes = answer["causes"]
        for later, earlier in zip(causes, causes[1:]):
            check(earlier["end_us"] <= later["start_us"] + 1e-6 or later["events"] > 1, True, (later, earlier))
        if causes and len(causes) < 40:
            check(causes[-1]["lane"], "compute")
            check("the step starts" in causes[-1]["words"], True, causes[-1])


@each
def the_prefetch_distance_is_enough_and_one_less_is_not(case):
    figures = case.figures("prefetch")
    if "least_distance" not in figures:
        return
    close(figures["must_start_us"], figures["ready_us"] - figures["transfer_us"])
    close(figures["spare_us"], figures["must_start_us"] - figures["starts_us"])
    tensor = case.answers["prefetch"]["causes"][0]["tensor"]

    def step(distance):
        plan = dict(case.result["plan"])
        plan["prefetch"] = {**plan.get("prefetch", {}), tensor: distance}
        return case.replayed(plan)["step_us"]
    distance = int(figures["least_distance"])
    close(step(distance), case.result["step_us"])
    if distance > 0:
        close(step(distance - 1), case.result["step_us"] + figures["one_less_us"])
        check(figures["one_less_us"] > 0, True)


@each
def the_mix_is_the_plans(case):
    figures = case.figures("choices")
    for action in ("keep", "offload", "recompute"):
        check(figures[action]["bytes"], case.result[action + "_bytes"])
        check(figures[action]["tensors"], list(case.result["plan"]["actions"].values()).count(action))


@each
def offloading_all_and_recomputing_all_are_what_these_planners_give(case):
    figures = case.figures("offload-or-recompute")
    for planner in ("offload", "recompute"):
        alone = case.planned(planner=planner)
        check(figures[planner]["feasible"], alone["feasible"])
        if alone["feasible"]:
            check(figures[planner]["step_us"], alone["step_us"])
        else:
            check(figures[planner]["required_bytes"], alone["required_bytes"])
    if figures["offload"]["feasible"] and figures["recompute"]["feasible"]:
        worse = figures["offload"]["step_us"] > figures["recompute"]["step_us"]
        check(case.answers["offload-or-recompute"]["answer"].split(".")[0], "Yes" if worse else "No")


@each
def nothing_is_recomputed_at_the_budget_found_but_2_percent_below(case):
    figures = case.figures("recompute-starts")
    if "budget_bytes" not in figures:
        check(plan_at(case, "--budget", str(int(figures["least_budget_bytes"])))["recompute_us"], 0)
        return
    check(plan_at(case, "--budget", str(int(figures["budget_bytes"])))["recompute_us"], 0)
    below = plan_at(case, "--budget", str(int(figures["below_bytes"])))
    check(figures["below_bytes"] >= int(0.98 * figures["budget_bytes"]), True)
    check(below["recompute_us"], figures["below_recompute_us"])
    check(below["recompute_us"] is None or below["recompute_us"] > 0, True)


@each
def the_step_is_free_at_the_bandwidth_found_and_not_2_percent_below(case):
    figures = case.figures("free-bandwidth")
    if "bandwidth_gb_per_s" not in figures:
        tried = case.planned("--bandwidth", "%.17g" % figures["tried_gb_per_s"])
        check(tried["step_us"] is None or tried["step_us"] > tried["ideal_us"] * (1 + 1e-9), True)
        close(tried["bound_us"], figures["tried_bound_us"])
        return
    at = case.planned("--bandwidth", "%.17g" % figures["bandwidth_gb_per_s"])
    close(at["step_us"], at["ideal_us"])
    if "below_gb_per_s" in figures:
        below = case.planned("--bandwidth", "%.17g" % figures["below_gb_per_s"])
        check(0.975 <= figures["below_gb_per_s"] / figures["bandwidth_gb_per_s"] <= 0.98, True)
        check(below["step_us"], figures["below_step_us"])
        check(below["step_us"] is None or below["step_us"] > below["ideal_us"] * (1 + 1e-9), True)


@each
def each_turn_of_a_knob_gives_what_it_announces(case):
    figures = dict(case.figures("knobs"))
    now = figures.pop("now")
    check(now, {"step_us": case.result["step_us"], "bound_us": case.result["bound_us"]})
    values = {"budget": "value_bytes", "bandwidth": "value_gb_per_s", "latency": "value_us"}
    check(set(figures) <= set(values), True, figures)
    for knob, turn in figures.items():
        flags = ["--" + knob, "%.17g" % turn[values[knob]]]
        alone = plan_at(case, *flags) if knob == "budget" else case.planned(*flags)
        check(alone["step_us"], turn["step_us"], knob)
    best = min(figures, key=lambda knob: figures[knob]["step_us"])
    words = case.answers["knobs"]["answer"]
    if figures[best]["step_us"] < now["step_us"] - 1e-3:
        check_in("(--%s " % best, words.split(";")[0].split(". ")[0])
    else:
        check(words.startswith("None helps."), True, words)


# one tensor, op, layer, moment

@each
def each_alternative_for_a_tensor_gives_what_it_announces(case):
    actions = case.result["plan"]["actions"]
    wanted = {action: tensor for tensor, action in reversed(list(actions.items()))}
    for action, tensor in sorted(wanted.items()):
        done = run("explain", case.profile, *case.flags, "--plan", case.plan, "--tensor", tensor, "--json")
        answers = {answer["id"]: answer for answer in done.json()["answers"]}
        check(answers["choice"]["question"].startswith("Why is "), True)
        if "otherwise" not in answers:
            continue
        for other, figures in answers["otherwise"]["figures"].items():
            check(other != action, True)
            alone = case.replayed({**case.result["plan"], "actions": {**actions, tensor: other}})
            check(figures["feasible"], alone["feasible"])
            for figure in set(figures) - {"feasible"}:
                check(figures[figure], alone[figure], (tensor, other, figure))


@each
def the_marginal_cost_is_what_recomputing_adds(case):
    actions = case.result["plan"]["actions"]
    for tensor in list(actions)[:6]:
        done = run("explain", case.profile, *case.flags, "--plan", case.plan, "--tensor", tensor, "--json")
        figures = done.json()["answers"][0]["figures"]
        if "marginal_us" not in figures:
            continue
        both = [case.replayed({**case.result["plan"], "budget_bytes": 2 ** 52, "actions": {**actions, tensor: action}},
                              "--budget", "1000%")["recompute_us"] for action in ("keep", "recompute")]
        check(abs(both[1] - both[0] - figures["marginal_us"]) < 1e-6, True, (tensor, both, figures))


@each
def a_moment_is_told_lane_by_lane(case):
    step = case.result["step_us"]
    for share in (0, 0.3, 0.5, 0.8, 1):
        done = run("explain", case.profile, *case.flags, "--plan", case.plan, "--json", "--at", "%.17gus" % (step * share))
        overlap = done.json()["answers"][0]
        figures = overlap["figures"]
        check("D2H moves" in overlap["answer"], figures["d2h_moves"] == 1)
        check("H2D moves" in overlap["answer"], figures["h2d_moves"] == 1)
        check("Compute runs" in overlap["answer"], figures["compute_runs"] == 1)


@test
def layers_add_up_to_the_step():
    case = stalling()
    total = {"stall_us": 0, "recompute_us": 0}
    for layer in ["embed", "head"] + ["L%02d" % i for i in range(12)]:
        done = run("explain", case.profile, "--plan", case.plan, "--layer", layer, "--json")
        figures = done.json()["answers"][0]["figures"]
        for key in total:
            total[key] += figures[key]
    for key, value in total.items():
        close(value, case.result[key])


@test
def an_op_is_told_with_all_its_runs():
    case = stalling()
    done = good("explain", "gpt2", "--plan", case.plan, "--op", "L03.gelu")
    check_in("\nWhen does L03.gelu run, and what does it wait for?\n", done.out)
    for step in ("F L03.gelu ", "R L03.gelu ", "B L03.gelu "):
        check_in(step, done.out.replace("\n  ", " "))


# the words

def without_bound(text):
    """The words as one line, but for what the bound says: it may get tighter any day."""
    text = " ".join(text.split())
    sentence = r"(?:[^.]|\.(?=\w))*\."
    text = re.sub(r"Even there the bound" + sentence, "", text)
    text = re.sub(r"what binds the bound is" + sentence, "", text)
    return text.replace("Less is free for no plan: the bound says so.", "").replace("  ", " ").strip()


def golden(name, *arguments):
    path = os.path.join(cli.SRCDIR, "tests/golden/explain", name)
    found = run("explain", *arguments).out
    if os.environ.get("UPDATE_GOLDENS"):
        write(path, found)
    check(without_bound(found), without_bound(read(path)))
    check([line for line in found.splitlines() if len(line) > 80], [])


@test
def the_words_about_a_small_profile_are_these():
    golden("toy.txt", toy(), "--budget", "40%", "--planner", "slackswap-rule")


@test
def the_words_about_gpt2_are_these():
    golden("gpt2.txt", "gpt2", "--planner", "slackswap-rule")


@test
def the_words_about_a_tensor_are_these():
    for action, tensor in (("offload", "L00.residual1"), ("recompute", "L00.gelu"), ("keep", "L00.mask1"), ("none", "tokens")):
        golden("tensor-%s.txt" % action, "gpt2", "--planner", "slackswap-rule", "--tensor", tensor)


@test
def the_words_about_a_moment_and_a_layer_are_these():
    golden("moment.txt", "gpt2", "--planner", "slackswap-rule", "--at", "27ms")
    golden("layer.txt", "gpt2", "--planner", "slackswap-rule", "--layer", "head")


@test
def a_plan_that_does_not_fit_is_told_what_it_lacks():
    done = run("explain", "gpt2", "--planner", "keep")
    check((done.status, done.err), (1, ""))
    check_in("\nWhy does the plan not fit?\n  It needs 7.90 GiB at B head.loss (layer head), ", done.out)
    figures = run("explain gpt2 --planner keep --json").json()["answers"][0]["figures"]
    check(figures["required_bytes"] - figures["budget_bytes"], figures["lack_bytes"])
    check(run("plan", "gpt2", "--budget", str(int(figures["least_budget_bytes"]))).status, 0)
    check(run("plan", "gpt2", "--budget", str(int(figures["least_budget_bytes"]) - 1)).status, 1)
    for flag in (["--op", "L00.gelu"], ["--layer", "L00"], ["--stalls"], ["--at", "1ms"], ["--tensor", "L00.gelu"]):
        check(run("explain", "gpt2", "--planner", "keep", *flag).status, 1)


@test
def the_same_command_prints_the_same_bytes():
    check(good("explain gpt2 --json").out, good("explain gpt2 --json").out)


@test
def what_can_not_be_asked_is_refused():
    write("toy.json", TOY)
    for line, message in (
            ("toy.json --tensor z", "--tensor: no tensor of profile 'toy' is called 'z' (did you mean 'x'?)"),
            ("gpt2 --tensor L00.gulu", "--tensor: no tensor of profile 'gpt2' is called 'L00.gulu' (did you mean 'L00.gelu'?)"),
            ("gpt2 --op L99.fc1", "--op: no op of profile 'gpt2' is called 'L99.fc1' (did you mean 'L09.fc1'?)"),
            ("gpt2 --layer hed", "--layer: no layer of profile 'gpt2' is called 'hed' (did you mean 'head'?)"),
            ("gpt2 --layer head --stalls", "give one of --tensor, --op, --layer, --stalls and --at"),
            ("gpt2 --at soon", "--at: expected a time such as 10us, 2.5ms or 1s, found 'soon'"),
            ("- --plan -", "profile and plan can't both be standard input")):
        done = run("explain " + line)
        check(done.err, "slackswap: %s\n" % message, line)
        check(done.status, 2, line)


main()
