"""Storms: knobs turned, views changed, plans edited and taken back faster than anything can be planned, while studies run,
the profile changes on disk and a session is written. Whatever was under way, the end is what was asked for last. Runs
under ThreadSanitizer, too (check-threads)."""
import json
import os
import random
import shutil
import signal
import tempfile

import cli
from cli import main, test
from tmux import Pane, expect, wait
from viewer import is_gone, run, settled, shows_step, step_of_plan, viewer, wait_settled, wait_step

TURNS = ["+", "-", "=", "P", "1", "2", "3", "4", "5", "j", "k", "Left", "Right", "Tab", "c", "e", "Enter", "S", "w", "s", "u", "C-r", "n", "^",
         "b45% Enter", "b 3 GiB Enter", "p9 Enter", "p60 Enter", "o"]
EDITS = ["K", "O", "R", "v", "G", "g", "M-1", "M-2", "u", "u"]


def storm(pane, seed, turns, more=(), beside=lambda: None):
    """Presses keys at random, in bursts, with what is done BESIDE between them."""
    pick = random.Random(seed)
    for _ in range(turns // 8):
        pane.keys(*(word for _ in range(8) for word in pick.choice(TURNS + list(more)).split()), "Escape", "C-l")
        if pick.random() < 0.2:
            pane.resize(pick.randrange(20, 200), pick.randrange(5, 60))
        if pick.random() < 0.2:
            beside()
    pane.resize(80, 24)


LINK_KNOBS = {"latency": "10us", "duplex": "full", "share": "1", "host-memory": "none"}
MODEL_KNOBS = {"batch": "4", "seq": "1024", "attention": "flash", "gpu": "a100-80gb"}


def ask(pane, budget, bandwidth, others):
    """After a storm: all knobs as given, in the Timeline, planned by the planner and not by hand. An escape with a key right behind
    it is that key with Alt: the last of several only parts them from what follows."""
    pane.keys("Escape", "Escape", "Escape", "Escape", "C-l", ":", *"planner", "Space", *"refine", "Enter", "1")
    for name, value in {"budget": budget, "bandwidth": bandwidth, **others}.items():
        pane.keys(":", *name, "Enter", *value, "Enter")


@test
def turns_of_all_knobs_end_in_the_last():
    pane = viewer()
    wait_settled(pane)
    for seed in range(2):
        storm(pane, seed, 160)
        ask(pane, "47%", "12", {**LINK_KNOBS, **MODEL_KNOBS})
        wait_step(pane, step_of_plan("--budget", "47%", "--bandwidth", "12"))


@test
def edits_in_the_midst_of_planning_end_in_what_is_asked_last():
    pane = viewer()
    wait_settled(pane)
    storm(pane, 3, 160, EDITS)
    ask(pane, "51%", "20", {**LINK_KNOBS, **MODEL_KNOBS})
    wait_step(pane, step_of_plan("--budget", "51%", "--bandwidth", "20"))


class Work:
    """A profile in a file of its own, which changes whenever it is asked to."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="storm-", dir=os.getcwd())
        self.path = os.path.join(self.folder, "work.json")
        self.text = run("model", "gpt2", "--json").stdout or run("model", "gpt2").stdout
        self.profile = json.loads(self.text)
        self.changes = 0
        self.write(self.text)

    def write(self, text):
        with open(self.path + "~", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(self.path + "~", self.path)

    def change(self):
        self.changes += 1
        if self.changes % 3 == 0:
            self.write('{ "ops": 3 }')
        else:
            self.profile["fixed_us"] = 100 * self.changes
            self.write(json.dumps(self.profile))

    def view(self, *options):
        return Pane(cli.PROGRAM, "view", self.path, "--evals", "40", *options, XDG_STATE_HOME=self.folder)

    def plan(self, *options):
        done = run("plan", self.path, "--evals", "40", "--json", *options)
        expect(done.returncode == 0, done.stderr)
        return json.loads(done.stdout)["step_us"]


@test
def a_profile_that_changes_all_the_while_and_a_session_that_is_written():
    work = Work()
    pane = work.view()
    pane.wait("a plan", lambda: settled(pane.screen()))
    storm(pane, 5, 160, EDITS, work.change)
    work.write(work.text)
    ask(pane, "52%", "15", LINK_KNOBS)
    wait_step(pane, work.plan("--budget", "52%", "--bandwidth", "15"))
    pid = pane.pid
    os.kill(pid, signal.SIGKILL)
    wait("the viewer to be gone", lambda: is_gone(pid))
    again = work.view()
    again.wait_for("Restored what a crash had ended")
    again.wait("what was asked for last", lambda: shows_step(again.screen(), work.plan("--budget", "52%", "--bandwidth", "15")))
    pid = again.pid
    again.keys("C-c")
    wait("the viewer to be gone", lambda: is_gone(pid))
    shutil.rmtree(work.folder)


@test
def a_session_that_is_done_again_may_be_left_in_the_midst_of_it():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "long.session")
        with open(path, "w", encoding="utf-8") as file:
            file.write("slackswap-session/1\nprofile gpt2-xl\noption evals 400\n" + "keys + 3\nkeys - 4\n" * 200)
        pane = viewer("--replay", path)
        pane.wait("a first plan", lambda: "budget" in pane.screen())
        pid = pane.pid
        pane.keys("K", "O", "Right", "q")
        wait("the viewer to be gone", lambda: is_gone(pid))


main()
