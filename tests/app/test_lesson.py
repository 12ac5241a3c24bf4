"""Lessons: what authors write is checked, each fault told with file and place; they are listed, told in sentences, and what was
done of them is kept."""
import copy
import json
import os
import re

import cli
from cli import check, check_in, good, main, read, run, test, write


def fixture():
    return json.loads(read(os.path.join(cli.SRCDIR, "tests/fixtures/lessons/good.json")))


def changed(path, value):
    """The good lesson with one value changed; None takes it away, "null" is null."""
    lesson = fixture()
    place = lesson
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = None if value == "null" else copy.deepcopy(value)
    return lesson


STEPS = ["steps"]
QUESTION = ["steps", 1, "question"]
TASK = ["steps", 2, "task"]
SETTINGS = "budget, bandwidth, latency, duplex, share, headroom, host-memory, gpu-memory, link, planner, unit, evals or seed"
PLACES = "compute, recompute, d2h, h2d, stall, memory, budget, peak, header, bound, inspector, knobs, layer NAME or tensor NAME"

# What can be told without planning.
MALFORMED = [
    # the lesson
    ([1], "$: expected a lesson, an object, found a list"),
    (changed(["schema"], None), '$.schema: expected "slackswap-lesson/1", found nothing'),
    (changed(["schema"], "slackswap-lesson/2"), "$.schema: expected \"slackswap-lesson/1\", found 'slackswap-lesson/2'"),
    (changed(["titel"], "x"),
     "$.titel: expected one of schema title summary minutes terms profile settings steps, found 'titel'"),
    (changed(["title"], None), "$.title: expected a name, found nothing"),
    (changed(["title"], ""), "$.title: expected a name, found ''"),
    (changed(["title"], "x" * 41), "$.title: expected at most 40 characters, found 41"),
    (changed(["summary"], "\u00e4" * 121), "$.summary: expected at most 120 characters, found 121"),
    (changed(["minutes"], 9), "$.minutes: expected 3 to 6 minutes, found 9"),
    (changed(["minutes"], "4"), "$.minutes: expected a whole number of 0 or more, found '4'"),
    (changed(["terms"], ["budget", 3]), "$.terms[1]: expected a term of the glossary, found 3"),
    (changed(["terms"], ["bugdet"]), "$.terms[0]: expected a term of the glossary, found 'bugdet'"),
    (changed(["steps"], None), "$.steps: expected a list, found nothing"),
    (changed(["steps"], []), "$.steps: expected 1 to 64 elements, found 0"),
    (changed(["steps"], fixture()["steps"] * 17), "$.steps: expected 1 to 64 elements, found 68"),
    # the work
    (changed(["profile"], None), "$.profile: expected an object, found nothing"),
    (changed(["profile", "layers", 1, "forward_us"], -1),
     "$.profile.layers[1].forward_us: expected a finite time of 0 us or more, found -1 ('L2')"),
    (changed(["profile", "layers"], None), '$.profile.ops: expected "tensors" and "ops", or "layers", found nothing'),
    (changed(["profile", "layers", 2, "name"], "L1"), "$.profile.layers[2].name: layer 'L1' stands twice: names must be unique"),
    (changed(["profile", "link", "h2d_gb_per_s"], 0),
     "$.profile.link.h2d_gb_per_s: expected a finite rate above 0 GB/s, found 0"),
    (changed(["profile"], {"model": "gpt9"}),
     "$.profile.model: expected the name of a built-in model ('slackswap model --list'), found 'gpt9'"),
    (changed(["profile"], {"model": "gpt2", "gpu": "abacus"}),
     "$.profile.gpu: expected the name of a device ('slackswap model --list'), found 'abacus'"),
    (changed(["profile"], {"model": "gpt2", "attention": "short"}),
     "$.profile.attention: expected \"flash\" or \"eager\", found 'short'"),
    (changed(["profile"], {"model": "gpt2", "link": "isa"}),
     "$.profile.link: expected the name of a link ('slackswap model --list'), found 'isa'"),
    (changed(["profile"], {"model": "gpt2", "batch": -1}), "$.profile.batch: expected a whole number of 0 or more, found -1"),
    (changed(["profile"], {"model": "gpt2", "bath": 1}),
     "$.profile.bath: expected one of model batch seq attention gpu link head, found 'bath'"),
    # settings
    (changed(["settings", "budget"], "much"),
     "$.settings.budget: expected a size such as 24GiB, 512MiB, 8GB or a number of bytes, found 'much'"),
    (changed(["settings", "budget"], 40), "$.settings.budget: expected a text, such as \"40%\", found 40"),
    (changed(["settings", "bugdet"], "40%"), "$.settings.bugdet: expected %s, found 'bugdet'" % SETTINGS),
    (changed(["settings", "batch"], "8"), '$.settings.batch: the work of a lesson stays the same: say batch in its "profile"'),
    (changed(["settings", "evals"], "0"), "$.settings.evals: expected a whole number from 1 to 1000000, found '0'"),
    (changed(["settings", "headroom"], "5%"),
     "$.settings.headroom: headroom needs the GPU's memory to be given (--gpu-memory)"),
    (changed(["settings", "unit"], "op"), "$.settings.unit: expected tensor or layer, found 'op'"),
    (changed(["steps", 2, "set", "gpu-memory"], "-1"),
     "$.steps[2].set[\"gpu-memory\"]: expected a size such as 24GiB, 512MiB, 8GB or a number of bytes, found '-1'"),
    (changed(["steps", 2, "set"], [1]), "$.steps[2].set: expected an object, found a list"),
    # steps
    (changed(["steps", 0], "x"), "$.steps[0]: expected a step, an object, found 'x'"),
    (changed(["steps", 0, "txt"], "x"),
     "$.steps[0].txt: expected one of name text set plan keys highlight question task claims, found 'txt'"),
    (changed(["steps", 0, "text"], None), "$.steps[0].text: expected a name, found nothing ('kept')"),
    (changed(["steps", 0, "text"], "x" * 2001), "$.steps[0].text: expected at most 2000 bytes, found 2001"),
    (changed(["steps", 0, "name"], "Kept"),
     "$.steps[0].name: expected a name of small letters, digits and _, not \"before\", found 'Kept'"),
    (changed(["steps", 0, "name"], "before"),
     "$.steps[0].name: expected a name of small letters, digits and _, not \"before\", found 'before'"),
    (changed(["steps", 1, "name"], "kept"), "$.steps[1].name: expected a name that no earlier step has, found 'kept'"),
    (changed(["steps", 0, "highlight"], ["d2x"]), "$.steps[0].highlight[0]: expected %s, found 'd2x'" % PLACES),
    (changed(["steps", 0, "highlight"], ["layer L9"]),
     "$.steps[0].highlight[0]: expected a layer of profile 'three', found 'L9'"),
    (changed(["steps", 0, "highlight"], ["memory", "tensor x"]),
     "$.steps[0].highlight[1]: expected a tensor of profile 'three', found 'x'"),
    (changed(["steps", 0, "highlight"], ["memory"] * 17), "$.steps[0].highlight: expected 0 to 16 elements, found 17"),
    (changed(["steps", 0, "keys"], "b 4 0 % Entr"),
     '$.steps[0].keys: unknown key "Entr": expected keys as tmux writes them, such as b 5 0 % Enter Left C-r'),
    (changed(["steps", 0, "plan"], {"L9.saved": "offload"}),
     "$.steps[0].plan[\"L9.saved\"]: expected a tensor of profile 'three', found 'L9.saved'"),
    (changed(["steps", 0, "plan"], {"L1.saved": "drop"}),
     "$.steps[0].plan[\"L1.saved\"]: expected \"keep\", \"offload\" or \"recompute\" for tensor 'L1.saved', found 'drop'"),
    (changed(["steps", 0, "plan"], {"*.gelu": "offload"}),
     "$.steps[0].plan[\"*.gelu\"]: pattern '*.gelu' matches no tensor of profile 'three' that a plan could offload"),
    (changed(["steps", 0, "plan"], 3), "$.steps[0].plan: expected an object of actions, or a plan, found 3"),
    (changed(["steps", 0, "plan"], {"schema": "slackswap-plan/2", "actions": {}}),
     "$.steps[0].plan.schema: expected \"slackswap-plan/1\", found 'slackswap-plan/2'"),
    # questions
    (changed(["steps", 1, "task"], fixture()["steps"][2]["task"]),
     "$.steps[1].task: expected a question or a task, found both"),
    (changed(QUESTION, "why?"), "$.steps[1].question: expected a question, an object, found 'why?'"),
    (changed(QUESTION + ["ask"], None), "$.steps[1].question.ask: expected a name, found nothing"),
    (changed(QUESTION + ["why"], None), "$.steps[1].question.why: expected a name, found nothing"),
    (changed(QUESTION + ["answers"], fixture()["steps"][1]["question"]["answers"][:1]),
     "$.steps[1].question.answers: expected 2 to 4 elements, found 1"),
    (changed(QUESTION + ["answers", 0, "right"], True),
     "$.steps[1].question.answers[0].right: expected one of text when why, found 'right'"),
    (changed(QUESTION + ["answers", 2, "when"], None),
     "$.steps[1].question.answers[2].when: expected a name, found nothing"),
    (changed(QUESTION + ["answers", 0, "when"], "step_us"),
     "$.steps[1].question.answers[0].when: expected a claim, which is true or not, found a time"),
    (changed(QUESTION + ["reveal", "text"], "x"),
     "$.steps[1].question.reveal.text: expected one of set plan keys highlight, found 'text'"),
    (changed(QUESTION + ["reveal", "set"], {"planner": "best"}), None), # the message lists the planners
    # tasks
    (changed(TASK + ["attempt"], None), "$.steps[2].task.attempt: expected an object, found nothing"),
    (changed(TASK + ["attempt", "keys"], "1"), "$.steps[2].task.attempt.keys: expected one of set plan, found 'keys'"),
    (changed(TASK + ["goal"], "feasibel"), "$.steps[2].task.goal: character 1: there is no quantity 'feasibel'"),
    (changed(TASK + ["solution"], None), "$.steps[2].task.solution: expected an object, found nothing"),
    # formulas
    (changed(["steps", 0, "text"], "It takes {step_us."), "$.steps[0].text: character 10: expected a closing brace "
     "('{{' is a brace alone)"),
    (changed(["steps", 0, "text"], "It takes {step_us + 1}."),
     "$.steps[0].text: character 22: a time and a number don't go together here"),
    (changed(["steps", 0, "text"], "It took {before.step_us}."),
     "$.steps[0].text: character 10: there is nothing before to take this from"),
    (changed(["steps", 0, "text"], "Later {later.step_us}."),
     "$.steps[0].text: character 8: nothing earlier is called 'later'"),
    (changed(["steps", 0, "text"], "{bytes('L9.saved')}"),
     "$.steps[0].text: character 9: no tensor that a plan decides about is called 'L9.saved'"),
    (changed(["steps", 0, "claims"], ["feasible", "step_us >"]),
     "$.steps[0].claims[1]: character 10: expected a quantity or a number"),
    (changed(["steps", 0, "claims"], ["before.feasible"]),
     "$.steps[0].claims[0]: character 1: there is nothing before to take this from"),
    (changed(["steps", 0, "claims"], [True]), "$.steps[0].claims[0]: expected a claim, found true ('kept')"),
    # a text from a file can't drive the terminal
    (changed(["steps", 0, "claims"], ["\x1b[31m"]),
     "$.steps[0].claims[0]: character 1: expected a quantity or a number"),
]

# What the simulator says otherwise.
FALSE = [
    (changed(["steps", 0, "claims"], ["feasible", "step_us > 1ms"]),
     "$.steps[0].claims[1]: does not hold: step_us > 1ms (step_us 900.0 us)"),
    (changed(["steps", 3, "claims"], ["step_us > before.step_us"]),
     "$.steps[3].claims[0]: does not hold: step_us > before.step_us (step_us 1.10 ms, before.step_us 1.20 ms)"),
    (changed(QUESTION + ["answers", 1, "when"], "step_us = before.step_us"),
     "$.steps[1].question.answers: expected exactly one answer to be right, found none"),
    (changed(QUESTION + ["answers", 0, "when"], "feasible"),
     "$.steps[1].question.answers: expected exactly one answer to be right, found 'Not at all' (feasible yes) and "
     "'A little' (step_us 1.00 ms, before.step_us 900.0 us, step_us 1.00 ms, before.step_us 900.0 us)"),
    (changed(QUESTION + ["answers", 1, "text"], "{step_us} " * 7),
     "$.steps[1].question.answers[1].text: expected at most 60 characters once filled in, found 63"),
    (changed(QUESTION + ["ask"], "x" * 161),
     "$.steps[1].question.ask: expected at most 160 characters once filled in, found 161"),
    (changed(["steps", 0, "text"], "{step_us}" + "x" * 400),
     "$.steps[0].text: expected at most 400 characters once filled in, found 408"),
    (changed(["steps", 2, "text"], "It takes {step_us}."),
     "$.steps[2].text: speaks of a figure that is not there: the plan does not fit, or the tensor has none"),
    (changed(["steps", 0, "text"], "It left at {left_us('L1.saved')}."),
     "$.steps[0].text: speaks of a figure that is not there: the plan does not fit, or the tensor has none"),
    (changed(["steps", 0, "highlight"], ["d2h", "stall"]),
     "$.steps[0].highlight[1]: expected a place that is there, found 'stall': the step has none"),
    (changed(QUESTION + ["reveal", "plan"], {"L1.saved": "keep", "L1.out": "offload"}), None),
    (changed(TASK + ["goal"], "not feasible"),
     "$.steps[2].task.goal: expected a goal still to be reached, found that it holds at first\n"
     "bad.json: $.steps[2].task.attempt: expected an attempt that misses the goal, found that it reaches it\n"
     "bad.json: $.steps[2].task.solution: expected a solution that reaches the goal not feasible (feasible yes)"),
    (changed(TASK + ["attempt", "plan"], {"*.saved": "recompute"}),
     "$.steps[2].task.attempt: expected an attempt that misses the goal, found that it reaches it"),
    (changed(["steps"], fixture()["steps"][:1]), "$.steps: expected at least one question or task: a lesson asks before it shows"),
]


def lint(lesson, *more):
    return run("lesson", "check", write("bad.json", lesson), *more)


@test
def each_malformed_lesson_is_told_by_file_and_place():
    for lesson, message in MALFORMED:
        done = lint(lesson)
        check(done.status, 1, done.out + done.err)
        if message:
            check(done.out, "bad.json: %s\n" % message)
        check(done.out.startswith("bad.json: $"), True, done.out)
        check(done.err, "slackswap: 0 lessons: 1 fault\n")
        check("\x1b" in done.out, False)


@test
def each_false_statement_is_told_with_its_figures():
    for lesson, message in FALSE:
        done = lint(lesson)
        check(done.status, 1, done.out + done.err)
        if message:
            check(done.out, "bad.json: %s\n" % message)


@test
def what_is_no_lesson_at_all_is_bad_input():
    for text, message in [("", "bad.json: expected a JSON document, found an empty file"),
                          ('{"steps": [}', "bad.json: line 1, column 12: expected ']' to close what line 1 opens, found '}'")]:
        done = run("lesson", "check", write("bad.json", text))
        check((done.status, done.out, done.err), (3, "", "slackswap: %s\n" % message))
    done = run("lesson check none.json")
    check((done.status, done.err), (3, "slackswap: none.json: can't be read: No such file or directory\n"), done.err)


@test
def faults_of_several_files_come_as_lines_or_as_json():
    write("good.json", fixture())
    write("bad.json", changed(["steps", 0, "claims"], ["not feasible", "stall_us > 0"]))
    done = run("lesson check good.json bad.json")
    check((done.status, done.err), (1, "slackswap: 2 lessons: 2 faults\n"))
    check(len(done.out.splitlines()), 2)
    done = run("lesson check good.json bad.json --json --quiet")
    check((done.status, done.err), (1, ""))
    check([sorted(fault) for fault in done.json()], [["file", "place", "text"]] * 2)
    check([fault["place"] for fault in done.json()], ["$.steps[0].claims[0]", "$.steps[0].claims[1]"])
    check(run("lesson check - -q", stdin=json.dumps(fixture())).status, 0)


@test
def a_claim_that_another_link_makes_false_fails():
    """Figures come from the run: what is true of one link need not be of another."""
    lesson = fixture()
    lesson["steps"][2]["task"]["solution"]["plan"] = {"*.saved": "offload"}
    lesson["steps"][2]["claims"] = ["stall_us > 1us"]
    del lesson["steps"][3]
    check(lint(lesson).status, 0)
    lesson["profile"]["link"].update(h2d_gb_per_s=1000, d2h_gb_per_s=1000, latency_us=0)
    check_in("$.steps[2].claims[0]: does not hold: stall_us > 1us (stall_us ", lint(lesson).out)


@test
def all_that_a_lesson_can_set_is_set():
    path = os.path.join(cli.SRCDIR, "tests/fixtures/lessons/model.json")
    check(run("lesson", "check", path).status, 0)
    text = " ".join(good("lesson", path).out.split())
    check_in("Set: budget 64.0 MiB, bandwidth 25.0 GB/s, headroom 5%, batch 1, seq 128, attention eager, gpu a100-40gb, "
             "planner recompute, one action a layer.", text)
    check_in("{ 60.8 MiB of activations, 0 B beside them, 13 layers.", text)
    check_in("Set: bandwidth 12.5 GB/s, latency 20 us, duplex half, share 2, host-memory 1.00 GiB.", text)
    check_in("The answer is c) Less 6.25 GB/s alone, 3.12 GB/s both ways, 20.00 us before the first byte.", text)
    check_in("Set: bandwidth 20.0 GB/s, a plan made by hand.", text)


@test
def another_link_changes_what_a_lesson_says():
    path = os.path.join(cli.SRCDIR, "tests/fixtures/lessons/model.json")
    lesson = json.loads(read(path))
    lesson["profile"]["link"] = "pcie5-x16"
    check(sum(a != b for a, b in zip(good("lesson", path).out.splitlines(),
                                     good("lesson", write("other.json", lesson)).out.splitlines())) >= 2, True)
    done = run("lesson check other.json")
    check(done.out, "other.json: $.steps[0].claims[2]: does not hold: h2d_gb_per_s = 25GB/s (h2d_gb_per_s 50.0 GB/s)\n")


def claim_of(name, value):
    """That the figure called NAME is VALUE, as a lesson would claim it."""
    if isinstance(value, bool):
        return name if value else "not " + name
    unit = "us" if name.endswith("_us") else "B" if name.endswith("_bytes") else "GB/s" if name.endswith("_gb_per_s") else "%"
    return "%s = %.12f%s" % (name, value * 100 if unit == "%" else value, unit) if unit != "B" else "%s = %dB" % (name, value)


@test
def the_figures_of_a_lesson_are_those_of_the_result():
    lesson = fixture()
    write("profile.json", lesson["profile"])
    names = [name for name, _ in table("quantity.h", "QUANTITIES")]
    for budget, fits in [("60%", True), ("10%", False)]:
        done = run("plan profile.json --planner slackswap --evals 50 --json --budget " + budget)
        result = done.json()
        claims = [claim_of(name, result[name]) for name in names if result.get(name) is not None]
        check(result["feasible"], fits)
        check(len(claims) >= (20 if fits else 10), True, claims)
        lesson["steps"][0] = {"text": "x", "name": "kept", "claims": claims,
                              "set": {"planner": "slackswap", "evals": "50", "budget": budget}}
        lesson["steps"][1:] = []
        check([line for line in lint(lesson).out.splitlines() if "claims" in line], [])
    lesson["steps"][0]["claims"] = ["feasible"]
    check_in("$.steps[0].claims[0]: does not hold: feasible (feasible no)", lint(lesson).out)


@test
def the_built_in_lessons_hold():
    done = run("lesson check")
    check((done.status, done.out), (0, ""))
    check(int(re.match(r"slackswap: (\d+) lessons: 0 faults\n$", done.err).group(1)) >= 10, True)


@test
def lessons_are_listed_with_what_was_done():
    text = good("lesson").out
    listed = good("lesson --json").json()
    check(len(listed) >= 10, True)
    check([entry["number"] for entry in listed], list(range(1, len(listed) + 1)))
    for entry in listed:
        check_in("%3d %s (%s, %d minutes)\n" % (entry["number"], entry["title"], entry["name"], entry["minutes"]), text)
        check(entry["done"], False)
    check(max(map(len, text.splitlines())) <= 78, True)


@test
def a_users_own_lessons_come_after_and_a_broken_one_harms_nothing():
    count = len(good("lesson --json").json())
    write("config/slackswap/lessons/mine.json", fixture())
    write("config/slackswap/lessons/also.json", "{")
    write("config/slackswap/lessons/notes.txt", "no lesson")
    listed = good("lesson --json").json()
    check([entry["name"] for entry in listed[count:]], ["also", "mine"])
    check(listed[count]["fault"]["place"].endswith("lessons/also.json: line 1, column 2"), True, listed[count])
    check_in("also: can't be used\n", good("lesson").out)
    check_in("Three layers (3 minutes)\n", good("lesson mine").out)
    check_in("Three layers (3 minutes)\n", good("lesson", str(count + 2)).out)
    done = run("lesson also")
    check(done.status, 3)
    check_in("lessons/also.json: line 1, column 2: expected", done.err)


def told(answers, name="good.json"):
    write("good.json", fixture())
    return good("lesson", name, "--plain", stdin="".join(line + "\n" for line in answers)).out


@test
def a_right_and_a_wrong_answer_are_told_apart():
    right, wrong = told(["B", ""]), told(["c", ""])
    check_in("Right: b) A little\nIt waits 0 us.\n1.00 ms for 900.0 us", right)
    check_in("No. The answer is b) A little\nNo: 1.00 ms.\n", wrong)
    check_in("Right at the first try: 1 of 2.\n", right)
    check_in("Right at the first try: 0 of 2.\n", wrong)


@test
def what_is_no_answer_is_asked_again():
    text = told(["z", "ab", "d", "b"])
    check(text.count("Type a letter from a to c, or nothing to be shown the answer; q leaves."), 3)
    check_in("Right: b)", text)


@test
def without_answers_it_goes_on_to_the_end():
    text = told([])
    check_in("The answer is b) A little\n", text)
    check_in("A solution:\nThe step takes 1.20 ms", text)
    check_in("The end. Right at the first try: 0 of 2.\n", text)
    check(os.path.exists("state"), False)


@test
def a_task_is_done_by_typing():
    text = told(["b", "recompute L3.saved", "fly L1", "offload nothing", "budget", "budget 100%", "budget 60%", "recompute *.saved"])
    check_in("> recompute L3.saved\nThis does not fit: it needs 2.25 KiB of the 1.93 KiB there are.\n", text)
    check_in("That can't be: expected keep, offload or recompute and a tensor, or a setting", text.replace("\n", " "))
    check(text.count("That can't be: "), 3)
    check_in("Done.\nThe step takes 1.20 ms, 9.09% above the bound.\n", text)
    check_in("Right at the first try: 2 of 2.\n", text)


@test
def a_lesson_is_told_from_a_step_on():
    text = told([], "good.json.4")
    check_in("\nStep 4 of 4.\nThe work is three.\nSet: budget 60%, bandwidth 0.01 GB/s, planner slackswap.\n", text)
    check_in("The planner does it in 1.10 ms, by hand it took 1.20 ms.\n", text)
    check("Step 3" in text, False)
    check_in("\nStep 2 of ", good("lesson 1.2").out)
    check_in("\nStep 2 of ", good("lesson memory-hill.2").out)
    done = run("lesson good.json.5")
    check((done.status, done.err), (2, "slackswap: lesson 'good.json' has 4 steps\n"))
    write("good.json.3", changed(["title"], "A file"))
    check_in("A file (3 minutes)\n", good("lesson good.json.3").out)


def tell_kept(answers):
    write("good.json", fixture())
    return good("lesson good.json", stdin="".join(line + "\n" for line in answers))


@test
def a_q_leaves_the_lesson_and_nothing_is_kept():
    for answers in (["q", "b"], ["b", "q", "b"]):
        text = tell_kept(answers).out
        check(text.endswith("\nLeft. Right at the first try: %d of 2.\n" % (len(answers) - 2)), True, text)
    check(os.path.exists("state/slackswap/progress.json"), False)


@test
def what_was_done_is_kept_the_best_of_it():
    kept = "state/slackswap/progress.json"
    tell_kept(["c", ""])
    check(json.loads(read(kept)), {"schema": "slackswap-progress/1", "lessons": {"good": {"best": 0, "of": 2}}})
    tell_kept(["b", ""])
    tell_kept(["c", ""])
    check(json.loads(read(kept))["lessons"]["good"], {"best": 1, "of": 2})
    tell_kept([])
    check(json.loads(read(kept))["lessons"]["good"], {"best": 1, "of": 2})


@test
def what_others_put_into_the_file_stays_and_a_broken_one_is_moved_aside():
    kept = "state/slackswap/progress.json"
    write(kept, {"schema": "slackswap-progress/1", "colour": "red", "lessons": {"other": {"best": 1, "of": 1}}, "gaps": {"x": 0.5}})
    tell_kept(["b", ""])
    check(json.loads(read(kept)), {"schema": "slackswap-progress/1", "colour": "red", "gaps": {"x": 0.5},
                                   "lessons": {"other": {"best": 1, "of": 1}, "good": {"best": 1, "of": 2}}})
    write(kept, '{"lessons": ')
    tell_kept(["b", ""])
    check(read(kept + ".broken"), '{"lessons": ')
    check(json.loads(read(kept))["lessons"], {"good": {"best": 1, "of": 2}})


@test
def the_list_tells_what_was_done_whatever_the_file_says():
    first = good("lesson --json").json()[0]["name"]
    for content, done in [({"lessons": {first: {"best": 2, "of": 3}}}, True), ("{", False), ({"lessons": [3]}, False),
                          ({"lessons": {first: {"best": -1, "of": "x"}}}, True), ({"schema": "x/9", "lessons": {first: {}}}, False)]:
        write("state/slackswap/progress.json", content)
        check(good("lesson --json").json()[0]["done"], done, str(content))
    write("state/slackswap/progress.json", {"lessons": {first: {"best": 2, "of": 3}}})
    check_in(", done: 2 of 3)\n", good("lesson").out)


@test
def the_challenge_lists_every_puzzle_that_was_played():
    gaps = {"challenge/2/7": 0.0125, "challenge/2/3": 0, "challenge/2/0": 0.5, "challenge/12/16777215": 0.01,
            "challenge/0/5": 0.1, "challenge/13/5": 0.1, "challenge/3/x": 0.1, "challenge/3/05": 0.1, "other": 0.1}
    write("played/slackswap/progress.json", {"schema": "slackswap-progress/1", "gaps": gaps})
    lines = [line.split() for line in good("lesson challenge", env={"XDG_STATE_HOME": os.path.abspath("played")}).out.split("\n")]
    rows = [(line[0], line[1], line[-1]) for line in lines if line and line[0].isdigit()]
    check([row for row in rows if row[2] != "-"],
          [("2", "3", "0.00%"), ("2", "0", "50.00%"), ("2", "7", "1.25%"), ("12", "16777215", "1.00%")])
    check(len(rows), 12 + 3)


@test
def every_built_in_lesson_is_told_in_lines_that_fit():
    for entry in good("lesson --json").json():
        text = good("lesson", entry["name"], "--plain").out
        check(max(map(len, text.splitlines())) <= 78, True, entry["name"])
        check(text.isascii(), True, entry["name"])
        check_in("The end. Right at the first try: 0 of ", text)
        check("\u2026" in text or "{" in text, False, entry["name"])
        check(text.count("\nStep "), entry["steps"])


def manual():
    return read(os.path.join(cli.SRCDIR, "man/slackswap-lesson.5"))


def described(section):
    text = re.search(r"^\.Sh %s\n(.*?)^\.S[hs] " % section, manual(), re.M | re.S).group(1)
    return re.findall(r"^\.It (\w+)\n(.*)$", text, re.M)


def table(header, macro):
    text = read(os.path.join(cli.SRCDIR, "src/core", header)).split("#define %s(X)" % macro)[1].split("\n\n")[0]
    return re.findall(r'X\((\w+), .*?"([^"]*)"\)', text.replace("\\\n", ""))


@test
def the_manual_has_every_quantity_function_and_place():
    for section, header, macro in [("QUANTITIES", "quantity.h", "QUANTITIES"), ("FUNCTIONS", "formula.h", "FORMULA_FUNCTIONS"),
                                   ("PLACES", "lesson.h", "LESSON_PLACES")]:
        check(described(section), table(header, macro), section)
        check(len(described(section)) >= 12, True)


@test
def the_manuals_example_is_a_lesson_that_holds():
    example = manual().split(".Sh EXAMPLES\n.Bd -literal\n")[1].split("\n.Ed")[0]
    check(lint(json.loads(example)).status, 0)


@test
def the_manual_names_every_member():
    names = " ".join(re.findall(r'check_members\([^"]*"[^"]*",\s*"([a-z|]+)"', read(os.path.join(cli.SRCDIR, "src/io/lesson_json.c"))))
    members = set(re.split(r"[| ]", names))
    check(len(members) > 20, True)
    text = manual()
    check([name for name in sorted(members) if not re.search(r'\b%s\b' % name, text)], [])


@test
def every_lesson_of_the_samples_is_built_in():
    folder = os.path.join(cli.SRCDIR, "samples/lessons")
    names = sorted(name[:-5] for name in os.listdir(folder) if name.endswith(".json"))
    check([entry["name"] for entry in good("lesson --json").json()], names)


main()
