"""A lesson in a terminal, from its beginning to its end, and back to one's own work; what was done of it is kept."""
import json
import os

import cli
from cli import main, test
from tmux import Pane, expect, wait
from viewer import is_gone, picture, run, viewer, wait_picture, wait_settled

LESSON = os.path.join(os.path.abspath(cli.SRCDIR), "samples/lessons/03-offload.json")


def steps():
    with open(LESSON, encoding="utf-8") as file:
        return json.load(file)["steps"]


def wait_words(pane, words):
    pane.wait(f"the words {words!r}", lambda: words in " ".join(pane.screen().split()))


def right_answer(number):
    """The letter that reveals what is right, as screen has it."""
    for letter in "abcd":
        if "Right." in run("screen", "--lesson", f"3.{number}", "--keys", letter, "--size", "120x40").stdout:
            return letter
    raise AssertionError(f"step {number} has no right answer")


def open_question(pane, words):
    """Goes on to the question or task, unless it stands beside its text already."""
    wait_settled(pane)
    if words not in " ".join(pane.screen().split()):
        pane.keys("Space")
    wait_words(pane, words)


def take(pane, answers):
    """From the first page to the last."""
    for number, step in enumerate(steps(), 1):
        wait_words(pane, f"step {number} of {len(steps())}")
        if "question" in step:
            open_question(pane, "answer BSpace back")
            pane.keys(answers[number])
            wait_words(pane, "Right.")
        elif "task" in step:
            open_question(pane, "Space solution")
            pane.keys("Space", "Space")
            wait_words(pane, "This is one way to do it.")
        wait_settled(pane)  # until then keys are dropped, for they would go astray
        pane.keys("Space")
    wait_words(pane, "That was the lesson:")


@test
def a_lesson_is_taken_from_start_to_end_and_kept():
    state = os.path.abspath("state")
    answers = {number: right_answer(number) for number, step in enumerate(steps(), 1) if "question" in step}
    pane = Pane(cli.PROGRAM, "lesson", "3", XDG_STATE_HOME=state)
    take(pane, answers)
    wait("progress.json", lambda: os.path.exists(os.path.join(state, "slackswap/progress.json")))
    pane.keys("L")
    wait_words(pane, f"done, {len(answers)} of ")
    pane.keys("Escape", "Escape")
    wait_words(pane, "Your own work is back as you left it.")
    wait_settled(pane)
    expect("gpt2-xl" in pane.screen(), pane.screen())
    pid = pane.pid
    pane.keys("q")
    wait("the viewer's end", lambda: is_gone(pid))
    with open(os.path.join(state, "slackswap/progress.json"), encoding="utf-8") as file:
        kept = json.load(file)["lessons"]["03-offload"]
    expect(kept["best"] == len(answers), f"kept {kept}")


@test
def the_panel_is_the_one_that_screen_draws():
    pane = Pane(cli.PROGRAM, "lesson", "3")
    wait_words(pane, "step 1 of")
    wait_settled(pane)
    pane.keys("Space")
    open_question(pane, "answer BSpace back")
    wait_picture(pane, run("screen", "--lesson", "3.2", "--size", "80x24").stdout.split("\n")[:24])
    pane.keys("b")
    wait_picture(pane, run("screen", "--lesson", "3.2", "--keys", "b", "--size", "80x24").stdout.split("\n")[:24])


@test
def ones_own_work_comes_back_as_it_was_left():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b", "6", "0", "%", "Enter")
    wait_words(pane, "60%")
    wait_settled(pane)
    pane.keys("2", "j", "j", "C-l")
    wait_picture(pane, picture(80, 24, "b 6 0 % Enter 2 j j C-l"))
    pane.keys("L", "Enter")
    wait_words(pane, "step 1 of")
    pane.keys("Space", "-", "-", "L", "3", "L")
    wait_settled(pane)
    pane.keys("Escape")
    wait_words(pane, "Your own work is back")
    wait_settled(pane)
    pane.keys("C-l")
    wait_picture(pane, picture(80, 24, "b 6 0 % Enter 2 j j C-l"))


main()
