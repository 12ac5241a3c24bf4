"""check and --fix, from outside: the rules on the cases of tests/check, findings as lines, JSON and SARIF, mended plans."""
import json
import os
import re
import shutil

import cli
from cli import check, check_in, good, main, read, run, test, write

RULES = good("check --rules --json").json()
OPTIONS_OF_A_RUN = ("--budget", "--bandwidth", "--h2d", "--d2h", "--duplex", "--host-memory")


def lay_out():
    folder = os.path.join(cli.SRCDIR, "tests/check")
    for name in os.listdir(folder):
        shutil.copy(os.path.join(folder, name), name)
    return read("CASES")


def cases():
    """Of each rule: (arguments, expected lines, expected status) in the order of the file."""
    sections = {}
    for section in re.split(r"^# (?=[a-z-]+$)", lay_out(), flags=re.M)[1:]:
        rule, rest = section.split("\n", 1)
        sections[rule] = [(line[len("slackswap "):], out, int(status)) for line, out, status in
                          re.findall(r"^\$ (.*)\n((?:[^$[].*\n)*)\[(\d)\]$", rest, re.M)]
    return sections


@test
def each_case_gives_the_words_and_the_status_that_stand_there():
    for rule, runs in cases().items():
        for line, expected, status in runs:
            done = run(line)
            check(done.out, expected, line)
            check(done.status, status, line)


@test
def each_rule_has_cases_that_trigger_it_and_a_near_miss_that_does_not():
    sections = cases()
    check(sorted(sections), sorted(rule["rule"] for rule in RULES))
    for rule, runs in sections.items():
        for line, out, _ in runs[:-1]:
            check((line, ": %s: " % rule in out), (line, True))
        check(": %s: " % rule in runs[-1][1], False, runs[-1][0])


@test
def findings_as_json_say_the_same_as_the_lines():
    for runs in cases().values():
        for line, _, status in runs:
            done = run(line + " --json")
            check(done.status, status, line)
            report = done.json()
            check(report["schema"], "slackswap-findings/1")
            lines = []
            for finding in report["findings"]:
                where = report["plan"] + (":%d" % finding["place"]["line"] if "line" in finding["place"] else "")
                lines.append("%s: %s: %s: %s" % (where, finding["severity"], finding["rule"], finding["words"]))
            found = [re.sub(r"\. Fix: .*", "", text) for text in run(line).out.splitlines()]
            check(lines, found, line)
            check(report["errors"] + report["warnings"], len(lines))


def apply(plan, fix):
    plan = json.loads(json.dumps(plan))
    if "remove_entry" in fix:
        plan["actions"].pop(fix["remove_entry"], None)
        plan.get("prefetch", {}).pop(fix["remove_entry"], None)
    for change in fix["changes"]:
        if "to" in change:
            plan["actions"][change["tensor"]] = change["to"]
        if change.get("to_prefetch") is not None:
            plan.setdefault("prefetch", {})[change["tensor"]] = change["to_prefetch"]
    return plan


def simulate_like(line, plan):
    words = line.split()
    write("changed.json", plan)
    options = [word for at, word in enumerate(words)
               if word in OPTIONS_OF_A_RUN or (at > 0 and words[at - 1] in OPTIONS_OF_A_RUN)]
    return run("simulate", words[1], "--plan", "changed.json", "--json", *options)


@test
def every_fix_gives_what_it_announces_when_the_plan_is_simulated_with_it():
    fixes = 0
    for runs in cases().values():
        for line, _, _ in runs:
            plan = json.loads(read(re.search(r"--plan (\S+)", line).group(1)))
            for finding in run(line + " --json").json()["findings"]:
                fix = finding["fix"]
                if not fix:
                    continue
                result = simulate_like(line, apply(plan, fix)).json()
                check((result["feasible"], result["step_us"], result["peak_bytes"], result["host_peak_bytes"]),
                      tuple([fix["fits"]] + [fix["result"][name] for name in ("step_us", "peak_bytes", "host_peak_bytes")]),
                      line)
                fixes += 1
    check(fixes > 15, True)


@test
def the_page_on_findings_names_every_member():
    lay_out()
    page = read(os.path.join(cli.SRCDIR, "man/slackswap-findings.5"))

    def members(node):
        if isinstance(node, dict):
            for name, value in node.items():
                yield name
                if name != "figures":
                    yield from members(value)
        elif isinstance(node, list):
            for value in node:
                yield from members(value)
    report = run("check early.json --plan early.plan.json --budget 100% --json --fix -o mended.json").json()
    also = run("check chain.json --plan unknown.plan.json --budget 100% --json").json()
    for name in sorted(set(members(report)) | set(members(also))):
        check(re.search(r"\b%s\b" % name, page) is not None, True, name)


@test
def sarif_is_what_code_review_tools_take():
    lay_out()
    done = run("check chain.json --plan distance-0.plan.json --budget 20000 --sarif")
    log = done.json()
    check((log["version"], len(log["runs"])), ("2.1.0", 1))
    driver = log["runs"][0]["tool"]["driver"]
    check(driver["name"], "slackswap")
    check([rule["id"] for rule in driver["rules"]], [rule["rule"] for rule in RULES])
    check(set(rule["defaultConfiguration"]["level"] for rule in driver["rules"]), {"error", "warning"})
    result = log["runs"][0]["results"][0]
    check((result["ruleId"], driver["rules"][result["ruleIndex"]]["id"], result["level"]),
          ("late-prefetch", "late-prefetch", "warning"))
    check_in("held by its prefetch distance", result["message"]["text"])
    place = result["locations"][0]["physicalLocation"]
    check((place["artifactLocation"]["uri"], place["region"]["startLine"]), ("distance-0.plan.json", 2))
    check(run("check chain.json --plan keep.plan.json --budget 100% --sarif").json()["runs"][0]["results"], [])


@test
def the_exit_status_tells_whether_there_are_findings_of_that_severity():
    lay_out()
    line = "check chain.json --plan distance-0.plan.json --budget 20000"
    check(run(line).status, 0)
    check(run(line + " --fail-on error").status, 0)
    check(run(line + " --fail-on warning").status, 1)
    check(run("check chain.json --plan distance-1.plan.json --budget 20000 --fail-on warning").status, 0)


@test
def a_finding_points_to_the_line_that_names_its_tensor():
    lay_out()
    write("spread.json", '{ "actions": {\n\n  "x"\n: "keep", "y": "keep",\n\n  "\\u0077": "offload" }}\n')
    check_in("spread.json:6: error: unknown-tensor: names 'w'", run("check chain.json --plan spread.json").out)


@test
def the_rules_are_listed():
    text = good("check --rules").out
    for rule in RULES:
        check_in("%s (%s): the plan %s.\n" % (rule["rule"], rule["severity"], rule["title"]), text)
        check_in(rule["explanation"], text)
        check_in("Example: " + rule["example"], text)
        check(re.search(r"^\.It %s \(%s\)$" % (rule["rule"], rule["severity"]),
                        read(os.path.join(cli.SRCDIR, "man/slackswap.1")), re.M) is not None, True, rule["rule"])


# --fix

@test
def an_error_is_mended_with_one_change_and_only_that():
    lay_out()
    before = json.loads(read("keep.plan.json"))
    done = run("check chain.json --plan keep.plan.json --budget 29999 --fix -o mended.json")
    check(done.status, 0)
    check_in("  x keep -> offload\n1 change: needed 29.3 KiB; now step 80.00 us, peak 19.5 KiB, host 9.77 KiB\n", done.out)
    check_in("mended.json: written", done.err)
    mended = json.loads(read("mended.json"))
    check({tensor: action for tensor, action in mended["actions"].items() if action != "keep"}, {"x": "offload"})
    check(json.loads(read("keep.plan.json")), before)
    check(run("check chain.json --plan mended.json --budget 29999").out, "")


@test
def without_an_output_the_plan_itself_is_mended():
    lay_out()
    check(run("check chain.json --plan keep.plan.json --budget 29999 --fix").status, 0)
    check(json.loads(read("keep.plan.json"))["actions"]["x"], "offload")
    check(run("check chain.json --plan keep.plan.json --budget 29999 --fail-on warning").status, 0)


@test
def faulty_entries_are_taken_out_and_forbidden_ones_changed():
    lay_out()
    check(run("check chain.json --plan unknown.plan.json --budget 100% --fix -o mended.json").status, 0)
    check("w" in json.loads(read("mended.json"))["actions"], False)
    done = run("check barred.json --plan recompute-mixed.plan.json --budget 100% --fix -o mended.json")
    check(done.status, 0)
    check_in("  mixed recompute -> offload\n", done.out)
    done = run("check barred.json --plan move-stay.plan.json --budget 100% --fix -o mended.json")
    check_in("  stay offload -> keep\n", done.out)
    check(good("simulate barred.json --budget 100% --plan mended.json --json").json()["feasible"], True)


@test
def warnings_are_removed_where_there_are_no_errors():
    lay_out()
    done = run("check chain.json --plan recompute-x.plan.json --budget 20000 --fix -o mended.json --json")
    check(done.status, 0)
    fixed = done.json()["fixed"]
    check((fixed["fits"], fixed["written"], fixed["after"]["step_us"]), (True, "mended.json", 80))
    check(fixed["changes"], [{"tensor": "x", "from": "recompute", "to": "offload"}])
    check(run("check chain.json --plan mended.json --budget 20000 --fail-on warning").status, 0)


@test
def what_can_not_be_mended_is_left_alone():
    lay_out()
    before = read("keep.plan.json")
    done = run("check chain.json --plan keep.plan.json --budget 100 --fix")
    check(done.status, 1)
    check_in("no change was found that makes the plan fit", done.err)
    check(read("keep.plan.json"), before)
    done = run("check chain.json --plan distance-1.plan.json --budget 20000 --fix")
    check((done.status, done.out), (0, ""))


@test
def a_plan_that_can_not_be_written_is_not_half_written():
    lay_out()
    os.mkdir("closed")
    done = run("check chain.json --plan keep.plan.json --budget 29999 --fix -o missing/plan.json")
    check(done.status, 4)
    check_in("missing/plan.json", done.err)


@test
def a_good_plan_of_a_real_model_broken_in_k_places_is_mended_in_about_k():
    good("plan bert-large --budget 50% --evals 300 -o good.json")
    plan = json.loads(read("good.json"))
    moved = [tensor for tensor, action in plan["actions"].items() if action != "keep" and "mask" not in tensor]
    for count in (1, 3, 5):
        broken = json.loads(json.dumps(plan))
        for tensor in moved[3::len(moved) // count][:count]:
            broken["actions"][tensor] = "keep"
        write("broken.json", broken)
        done = run("check bert-large --budget 50% --plan broken.json --fix -o mended.json --json")
        fixed = done.json()["fixed"]
        check((done.status, fixed["fits"]), (0, True))
        check(0 < len(fixed["changes"]) <= count + 1, True, "%d changes for %d" % (len(fixed["changes"]), count))


@test
def a_check_is_the_same_each_time():
    good("plan gpt2 --planner offload --evals 50 -o plan.json")
    line = "check gpt2 --plan plan.json --json"
    check(run(line).out, run(line).out)


# what is no plan

@test
def what_is_no_plan_stays_bad_input():
    lay_out()
    for text, message in (("{", "line 1"), ("[]", "expected a plan"), ('{"actions": {"x": "drop"}}', "$.actions.x"),
                          ('{"actions": {"w": 1}}', "$.actions.w"), ('{"actions": {"x": "keep", "x": "keep"}}', "twice")):
        write("broken.json", text)
        done = run("check chain.json --plan broken.json")
        check((done.status, done.out), (3, ""), text)
        check_in(message, done.err)


@test
def a_plan_with_patterns_is_checked_as_what_it_comes_to():
    good("model gpt2 -o gpt2.json")
    write("pattern.json", {"actions": {"*.gelu": "recompute"}})
    done = run("check gpt2.json --plan pattern.json --budget 100% --json")
    check(done.status, 0)
    check({finding["rule"] for finding in done.json()["findings"]}, {"room-to-keep"})


@test
def usage_is_told():
    lay_out()
    for line, message in (
            ("check", "check needs PROFILE|MODEL"),
            ("check chain.json", "check needs --plan FILE"),
            ("check chain.json --rules", "check --rules takes no argument: what is 'chain.json'?"),
            ("check - --plan -", "profile and plan can't both be standard input"),
            ("check chain.json --plan keep.plan.json --json --sarif", "--sarif: give this or json, not both"),
            ("check chain.json --plan keep.plan.json -o x.json", "--output: needs --fix"),
            ("check chain.json --plan - --fix",
             "--fix: the plan comes from standard input: say with -o FILE where it goes"),
            ("check chain.json --plan keep.plan.json --fix -o -",
             "the plan can't go where the findings go: -o needs a file"),
            ("check chain.json --plan keep.plan.json --fail-on note", "--fail-on: expected warning or error, found 'note'"),
            ("check chain.json --plan keep.plan.json --host-memory 1 --host-budget 1",
             "--host-budget: give this or host-memory, not both"),
            ("check chain.json --plan keep.plan.json --planner keep", "check has no option '--planner'")):
        done = run(line)
        check(done.err, "slackswap: %s\n" % message, line)
        check((done.status, done.out), (2, ""), line)


main()
