"""Lessons as they are seen: each step of each built-in lesson, in tests/golden/lessons/NAME.txt, at 80x24 (as told, where there is no
room for that on the page that asks; as asked; and after the first answer or the solution) and, in ASCII, at 120x40.

A row that is the same as in the screen of that size before is written as "=". `make update-goldens` draws them all anew: look at
the change with git diff before you commit it."""
import os
import re

import cli
from cli import check, good, main, run, test

GOLDEN = os.path.join(cli.SRCDIR, "tests/golden/lessons")
LESSONS = [lesson for lesson in good("lesson", "--json").json() if "file" not in lesson]
DRAWN = LESSONS[::4] if cli.INSTRUMENTED else LESSONS  # with a sanitizer, each fourth must do
ANSWERS = ("a", "b", "c", "d")


def screen(lesson, step, size, *options):
    """Rows of it."""
    done = good("screen", "--lesson", f"{lesson}.{step}", "--size", size, *options)
    return done.out.split("\n")[:-1]


def is_open(rows):
    """Whether a question or a task is."""
    return "a/b" in rows[-1] or "solution" in rows[-1]


def pages(lesson):
    """Title and rows of each picture."""
    for step in range(1, lesson["steps"] + 1):
        number = lesson["number"]
        first = screen(number, step, "80x24")
        if is_open(first):
            told = screen(number, step, "80x24", "--keys", "BSpace")
            if any(f" step {step} of " in row for row in told) and not is_open(told):  # text and question have a page each
                yield f"step {step}, 80x24, as told", told
            yield f"step {step}, 80x24, as asked", first
            keys = "a" if "a/b" in first[-1] else "Space Space"
            yield f"step {step}, 80x24, {keys}", screen(number, step, "80x24", "--keys", keys)
        else:
            yield f"step {step}, 80x24, as told", first
        yield f"step {step}, 120x40", screen(number, step, "120x40", "--ascii")


def drawn(lesson):
    text, before = "", {}
    for title, rows in pages(lesson):
        last = before.get(len(rows), [])
        short = ["=" if y < len(last) and row and row == last[y] else row for y, row in enumerate(rows)]
        text += f"--- {title}\n" + "".join(row.rstrip() + "\n" for row in short)
        before[len(rows)] = rows
    return text


def show_difference(name, golden, text):
    for line, (was, now) in enumerate(zip(golden.split("\n"), text.split("\n")), 1):
        if was != now:
            print(f"# {name}, line {line}\n# golden: {was}\n# drawn:  {now}")
            return


@test
def every_step_is_drawn_as_it_was():
    different = []
    check(len(LESSONS) >= 10, True)
    for lesson in DRAWN:
        path, text = os.path.join(GOLDEN, lesson["name"] + ".txt"), drawn(lesson)
        if os.environ.get("UPDATE_GOLDENS"):
            os.makedirs(GOLDEN, exist_ok=True)
            cli.write(path, text)
        golden = cli.read(path) if os.path.exists(path) else ""
        if golden != text:
            different.append(lesson["name"])
            show_difference(lesson["name"], golden, text)
    check(different, [], "if they should differ, run `make update-goldens` and look at git diff")


@test
def there_is_no_picture_of_a_lesson_that_is_not_there():
    check(sorted(os.listdir(GOLDEN)), sorted(lesson["name"] + ".txt" for lesson in LESSONS))


@test
def each_answer_shows_a_screen_of_its_own_and_one_alone_is_right():
    for lesson in DRAWN:
        for step in range(1, lesson["steps"] + 1):
            asked = screen(lesson["number"], step, "120x40")
            keys = [key for key in ANSWERS if f"/{key} " in asked[-1] or f"{key}/" in asked[-1]]
            shown = ["\n".join(screen(lesson["number"], step, "120x40", "--keys", key)) for key in keys]
            check(len(set(shown)), len(keys), f"{lesson['name']}, step {step}")
            check(sum("Right." in picture for picture in shown), 1 if keys else 0, f"{lesson['name']}, step {step}")


@test
def every_figure_is_filled_in():
    for lesson in DRAWN:
        for step in range(1, lesson["steps"] + 1):
            for keys in ([], ["--keys", "a"]):
                told = good("screen", "--plain", "--lesson", f"{lesson['number']}.{step}", *keys).out
                told = told.partition("by ")[0]
                check([sign for sign in ("{", "}", "…") if sign in told], [], told)


@test
def the_panel_is_told_in_sentences():
    told = good("screen", "--plain", "--lesson", "3.2", "--keys", "b").out
    for words in ("Lesson 3, Offload: the lanes and the slack: step 2 of ", "Question: ", "  a: ", "(your answer)", "(right)", "It is c.",
                  "Look at: ", "Space goes on"):
        cli.check_in(words, told)


@test
def a_step_can_be_taken_away_as_a_picture():
    picture = good("screen", "--lesson", "offload.2", "--format", "svg", "--size", "120x40", "-o", "step.svg")
    check(picture.out, "")
    text = cli.read("step.svg")
    check(text.startswith("<svg"), True, text[:200])
    cli.check_in("L1.saved offloaded?", " ".join(re.findall(r">([^<>]+)</text>", text)))


@test
def a_lesson_is_named_by_number_name_or_file_and_one_that_is_not_there_is_refused():
    first = good("screen", "--lesson", "3").out
    check(good("screen", "--lesson", "offload").out, first)
    check(good("screen", "--lesson", "03-offload.1").out, good("screen", "--lesson", "3.1").out)
    path = os.path.join(os.path.abspath(cli.SRCDIR), "samples/lessons/03-offload.json")
    file = good("screen", "--lesson", path + ".2").out
    check([row for row in file.split("\n") if "lesson" not in row],
          [row for row in good("screen", "--lesson", "3.2").out.split("\n") if "lesson" not in row])
    for word, status, words in (("99", 2, "no lesson '99'"), ("3.99", 2, "lesson '3' has "), ("nothing", 2, "'nothing'"),
                                ("./nothing.json", 3, "nothing.json")):
        done = run("screen", "--lesson", word)
        check(done.status, status, done.err)
        cli.check_in(words, done.err)


@test
def a_broken_lesson_of_ones_own_is_listed_with_its_fault_and_harms_nothing():
    cli.write("config/slackswap/lessons/mine.json", '{ "schema": "slackswap-lesson/1" }')
    listed = good("screen", "--keys", "L G k", "--size", "100x30").out
    cli.check_in("mine", listed)
    cli.check_in("can't be taken", listed)
    cli.check_in("$.title", listed)
    cli.check_in("compute", good("screen", "--keys", "L G k Enter Escape").out)


@test
def what_was_done_before_does_not_show_in_a_drawn_screen():
    before = good("screen", "--keys", "L").out
    cli.write("state/slackswap/progress.json", '{"schema":"slackswap-progress/1","lessons":{"01-memory-hill":{"best":1,"of":4}}}')
    check(good("screen", "--keys", "L").out, before)


@test
def ones_own_work_comes_back_from_a_lesson():
    own = ["gpt2-xl", "--size", "120x40", "--budget", "60%", "--keys"]
    before = good("screen", *own, "p 1 2 Enter / L 0 3 Enter O 2 j j C-l").out
    after = good("screen", *own, "p 1 2 Enter / L 0 3 Enter O 2 j j C-l L Enter Space Space a 5 L 3 L Escape C-l").out
    check(after, before)


main()
