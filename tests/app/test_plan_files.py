"""Plans as other tools write them: modules and patterns are expanded, and shown."""
from cli import TOY, check, check_in, good, main, run, test, write


def actions(plan, *more):
    write("plan.json", {"schema": "slackswap-plan/1", **plan})
    return run("simulate", "gpt2", "--plan", "plan.json", "--json", "--actions", "--budget", "100%", *more).json()


@test
def modules_and_patterns_become_actions():
    plan = actions({"layers": {"L00": "recompute"}, "actions": {"*.gelu": "offload", "L00.gelu": "keep"}})["plan"]
    mine = {name: action for name, action in plan["actions"].items() if name.startswith("L00.")}
    check({name: action for name, action in mine.items() if action != "recompute"}, {"L00.gelu": "keep"})
    check(len(mine) > 5, True)
    check({action for name, action in plan["actions"].items() if name.endswith(".gelu") and name[:3] != "L00"},
          {"offload"})
    check({action for name, action in plan["actions"].items()
           if not name.endswith(".gelu") and not name.startswith("L00.")}, {"keep"})


@test
def what_they_came_to_is_shown():
    result = actions({"layers": {"L00": "recompute"}, "actions": {"*.gelu": "offload", "L00.gelu": "keep"}})
    check(result["expanded"], [{"layers": "L00", "action": "recompute", "matched": 10, "decided": 9},
                               {"tensors": "*.gelu", "action": "offload", "matched": 12, "decided": 11}])
    text = good("simulate gpt2 --plan plan.json --budget 100%").out
    check_in("expanded      layers 'L00': recompute 9 tensors; 1 more is decided by what is more specific\n"
             "              tensors '*.gelu': offload 11 tensors; 1 more is decided by what is more specific\n", text)


@test
def a_plan_without_patterns_shows_nothing_expanded():
    check("expanded" in actions({"actions": {"L00.gelu": "offload"}}), False)


@test
def a_distance_may_be_for_a_pattern():
    plan = actions({"actions": {"*.gelu": "offload"}, "prefetch_steps": 9,
                    "prefetch": {"L00.gelu": 1, "L0*.gelu": 2}})["plan"]
    check({name: plan["prefetch"][name] for name in ("L00.gelu", "L01.gelu", "L11.gelu")},
          {"L00.gelu": 1, "L01.gelu": 2, "L11.gelu": 9})


@test
def a_layer_that_saves_nothing_is_a_warning():
    ops = [{"name": "A", "forward_us": 1, "backward_us": 1, "outputs": ["a"]},
           {"name": "B", "forward_us": 1, "backward_us": 1, "inputs": ["a"], "outputs": ["b"], "saved": ["b"]}]
    write("two.json", {"schema": "slackswap-profile/1", "tensors": [{"name": n, "bytes": 1} for n in "ab"], "ops": ops})
    write("plan.json", {"schema": "slackswap-plan/1", "layers": {"A": "offload"}})
    done = run("simulate two.json --plan plan.json --budget 100%")
    check(done.err, "slackswap: plan.json: warning: layer 'A' has no tensor that the plan could offload\n")
    check(done.status, 0)


# shown

@test
def the_viewer_opens_with_a_plan_and_has_it_pinned():
    good("plan gpt2 --planner slackswap-rule -o rule.json")
    step = good("simulate gpt2 --plan rule.json --json").json()["step_us"]
    screen = good("screen", "gpt2", "--plan", "rule.json", "--keys", "P 4").out
    check_in("A  the pinned plan, by slackswap-rule", screen)
    check_in("step %.2f ms" % (step / 1e3), good("screen gpt2 --plan rule.json").out.replace("  ", " "))
    check(good("view gpt2 --plan rule.json").out, good("simulate gpt2 --plan rule.json").out)
    check(good("view --plan rule.json gpt2 --plain").out, good("simulate gpt2 --plan rule.json").out)


@test
def two_plans_from_files_are_compared_in_the_viewer():
    good("plan gpt2-xl --planner offload --evals 1 -o out.plan.json")
    good("plan gpt2-xl --planner recompute --evals 1 -o again.plan.json")
    with open("broken.json", "w", encoding="utf-8") as file:
        file.write('{"actions": {"L00.qkv": "vanish"}}')

    def typed(name):
        return " : " + " ".join("Space" if c == " " else c for c in "compare plan " + name) + " Enter"

    keys = "4 Tab" + typed("out.plan.json") + " Tab" + typed("./again.plan.json")
    both = good("screen", "gpt2-xl", "--evals", "10", "--size", "120x40", "--keys", keys).out
    check("A  the plan of again.plan.json, by recompute" in both, True, both)
    check("B  the plan of out.plan.json, by offload" in both, True, both)
    check("offload→recompute" not in both and "recompute→offload" in both, True, both)
    for name, words in ("not-there.json", "can't be read"), ("broken.json", 'actions["L00.qkv"]'), (".", "no regular file"):
        foot = good("screen", "gpt2-xl", "--evals", "10", "--size", "160x40", "--keys", "4" + typed(name)).out.splitlines()[-1]
        check(name in foot and words in foot, True, foot)


@test
def profile_and_plan_can_not_both_be_standard_input():
    for command in ("view - --plan -", "screen - --plan -", "simulate - --plan -", "explain - --plan -"):
        done = run(command)
        check((done.status, done.err), (2, "slackswap: profile and plan can't both be standard input\n"), command)
    check(run("view", "--plan", "-", stdin="{").status, 3)


# measured timelines

MEASURED = {"schema": "slackswap-plan/1", "actions": {"a": "offload"}, "measured": [
    {"op": "A", "kind": "forward", "start_us": 0, "end_us": 130},
    {"op": "B", "kind": "forward", "start_us": 140, "end_us": 240},
    {"tensor": "a", "lane": "d2h", "start_us": 130, "end_us": 300},
    {"tensor": "b", "lane": "h2d", "start_us": 0, "end_us": 1}]}


@test
def a_measured_step_is_shown_beside_its_simulation_lane_by_lane():
    write("toy.json", TOY)
    write("plan.json", MEASURED)
    text = good("simulate toy.json --plan plan.json --budget 100%").out
    check_in("measured compute: 2 events, ends +40.00 us against the simulation, 35.00 us on average; took +30.00 us in all\n"
             "  14 simulated events were not measured\n", text)
    check_in("     +30.00 us   +30.00 us           0   +30.00 us   F A, 0.000 - 0.130 ms\n"
             "     +10.00 us           0   +10.00 us   +40.00 us   F B, 0.140 - 0.240 ms\n", text)
    check_in("measured D2H: 1 event, ends +99.00 us against", text)
    check_in("measured H2D: 0 events, ends 0 against the simulation, 0 us on average; took 0 in all\n"
             "  1 simulated event was not measured\n  1 measured event is not in the simulation\n", text)
    lanes = good("simulate toy.json --plan plan.json --budget 100% --json").json()["residuals"]
    check([event["residual_us"] for event in lanes["compute"]["residuals"]], [30, 10])
    check(lanes["d2h"]["residuals"][0], {
        "tensor": "a", "residual_us": 99, "longer_us": 69, "waited_us": 30, "late_us": 99, "start_us": 130, "end_us": 300,
        "simulated_start_us": 100, "simulated_end_us": 201})


@test
def explain_says_where_the_measured_step_differs():
    write("toy.json", TOY)
    write("plan.json", MEASURED)
    answer = good("explain toy.json --plan plan.json --budget 100% --json").json()["answers"][-1]
    check(answer["id"], "measured")
    check_in("Compute, 2 events measured: it ends +40.00 us against the simulation, its events took +30.00 us in all. The "
             "largest residuals: F A +30.00 us", answer["answer"])


main()
