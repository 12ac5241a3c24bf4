"""Plans as other tools write them: modules and patterns are expanded, and shown."""
from cli import check, check_in, good, main, run, test, write


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


main()
