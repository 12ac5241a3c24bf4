"""Holds the simulator against the independent reference in shared/oracle: random profiles, plans, budgets and links;
errors, feasibility, totals and every start must agree (MODEL.md). Skipped where the reference is not at hand.

    compare_with_oracle.py [SEED [COUNT]]
"""
import json
import os
import subprocess
import sys

TOTALS = ("step_us", "recompute_us", "stall_us", "peak_bytes", "host_peak_bytes", "d2h_bytes", "h2d_bytes")
LANES = (("compute", "FRB"), ("d2h", "D"), ("h2d", "H"))


def load_oracle():
    folder = os.path.join(os.environ.get("SLACKSWAP_SHARED", "../shared"), "oracle")
    if not os.path.exists(os.path.join(folder, "oracle.py")):
        return None
    sys.dont_write_bytecode = True
    sys.path.insert(0, folder)
    import oracle
    return oracle


def close(a, b, scale):
    return abs(a - b) <= 1e-6 * max(1.0, abs(a), abs(b), scale)


def effective_link(oracle, profile, case):
    """The oracle's five values; ours where it refuses a both-way rate for a rounding above the single one."""
    ours = case["effective_link"]
    try:
        theirs = oracle.link_of(profile, **case["link"])
    except ValueError:
        return tuple(ours)
    assert all(close(a, b, 0) for a, b in zip(ours, theirs)), f"link: ours {ours}, oracle's {theirs}"
    return theirs


def reference(oracle, case):
    """What the oracle says: (error, None) or (None, result)."""
    profile = oracle.Profile(case["profile"])
    link = effective_link(oracle, profile, case)
    budget = min(case["budget"], case["plan"].get("budget_bytes", case["budget"]))
    try:
        plan, prefetch = oracle.read_plan(profile, case["plan"]), oracle.read_prefetch(profile, case["plan"])
        return None, oracle.simulate(profile, plan, budget, link, True, prefetch)
    except oracle.PlanError as error:
        return str(error), None


def difference(oracle, case):
    """None, or how our result differs from the reference."""
    ours = case["result"]
    error, theirs = reference(oracle, case)
    if error or ours["status"]:
        tensor = error and error.split(":")[0]
        if not error or ours["status"] != 3 or f"'{tensor}'" not in ours["error"]:
            return f"error: ours {ours.get('error')!r}, oracle's {error!r}"
        return None
    if "deadlock" in theirs:
        return "the oracle deadlocks"
    if ours["feasible"] != theirs["feasible"]:
        return f"feasible: ours {ours['feasible']}, oracle's {theirs['feasible']}"
    if not ours["feasible"]:
        found = (ours["required_bytes"], ours["required_step"])
        expected = (theirs["required_bytes"], theirs["step"])
        return None if found == expected else f"required: ours {found}, oracle's {expected}"
    for name in TOTALS:
        if not close(ours[name], theirs[name], theirs["step_us"] if name.endswith("_us") else 0):
            return f"{name}: ours {ours[name]!r}, oracle's {theirs[name]!r}"
    for lane, kinds in LANES:
        expected = [e for e in theirs["events"] if e[0] in kinds]
        for a, b in zip(ours[lane], expected):
            if a[:2] != list(b[:2]) or not close(a[2], b[2], 0):
                return f"{lane}: ours {a}, oracle's {b}"
        if len(ours[lane]) != len(expected):
            return f"{lane}: ours {len(ours[lane])} starts, oracle's {len(expected)}"
    return None


def main():
    seed = sys.argv[1] if len(sys.argv) > 1 else "1"
    count = sys.argv[2] if len(sys.argv) > 2 else "2000"
    oracle = load_oracle()
    print("1..1")
    if not oracle:
        print("ok 1 - the simulator agrees with the oracle # SKIP no shared/oracle/oracle.py beside the checkout")
        return 0
    program = os.path.join(os.environ.get("BUILDDIR", "."), "tests", "core", "differential_cases")
    output = subprocess.run([program, seed, count], check=True, capture_output=True, text=True).stdout
    tally = {"errors": 0, "infeasible": 0, "played": 0, "stalled": 0, "moved": 0, "recomputed": 0}
    differing = 0
    for number, line in enumerate(output.splitlines()):
        case = json.loads(line)
        ours = case["result"]
        tally["errors" if ours["status"] else "played" if ours["feasible"] else "infeasible"] += 1
        tally["stalled"] += ours.get("stall_us", 0) > 0
        tally["moved"] += ours.get("d2h_bytes", 0) > 0
        tally["recomputed"] += ours.get("recompute_us", 0) > 0
        how = difference(oracle, case)
        if how:
            differing += 1
            if differing <= 3:
                print(f"# case {number} of seed {seed}: {how}\n# {line}")
    print("# " + ", ".join(f"{n} {what}" for what, n in tally.items()) + f", {differing} differ")
    complete = len(output.splitlines()) == int(count) and all(tally.values())
    print(("ok" if complete and not differing else "not ok") + " 1 - the simulator agrees with the oracle")
    return 0 if complete and not differing else 1


if __name__ == "__main__":
    sys.exit(main())
