"""A profile that changes on disk while it is looked at: read anew, the plan carried over by the tensors' names."""
import json
import os
import shlex
import shutil
import tempfile

import cli
from cli import main, test
from tmux import Pane
from viewer import settled

TOY = os.path.join(os.environ.get("SRCDIR", "."), "samples/toy.json")


class Work:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="slackswap-reload-")
        self.path = os.path.join(self.folder.name, "toy.json")
        shutil.copy(TOY, self.path)
        with open(TOY, encoding="utf-8") as file:
            self.profile = json.load(file)

    def replace(self, text):
        with open(self.path + "~", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(self.path + "~", self.path)

    def view(self, *options):
        # the shell tells how it ended: tmux may notice late, or never
        words = map(shlex.quote, [cli.PROGRAM, "view", self.path, "--evals", "40", *options])
        pane = Pane("sh", "-c", " ".join(words) + "; echo ended with $?; exec cat")
        pane.wait("a plan", lambda: settled(pane.screen()))
        return pane


@test
def a_profile_that_changes_is_read_anew_with_the_knobs_as_they_are():
    work = Work()
    pane = work.view()
    pane.keys("b", "8", "0", "%", "Enter")
    pane.wait_for("80%")
    work.profile["name"] = "grown"
    work.replace(json.dumps(work.profile))
    pane.wait_for("The profile has changed on disk", "grown", "80%")
    pane.wait("a plan", lambda: settled(pane.screen()))
    work.profile["name"] = "grown again"
    work.replace(json.dumps(work.profile))
    pane.wait_for("grown again")
    pane.keys("q")
    pane.wait_for("ended with 0")


@test
def a_profile_that_breaks_changes_nothing_but_the_foot_line():
    work = Work()
    pane = work.view()
    work.replace('{ "ops": 3 }')
    pane.wait_for("toy.json: $.")
    pane.keys("Right")
    pane.wait("the screen as it was", lambda: settled(pane.screen()) and "toy.json: $." not in pane.screen())
    work.replace(json.dumps(work.profile))
    pane.wait_for("The profile has changed on disk")


@test
def a_plan_made_by_hand_goes_over_by_the_tensors_names():
    work = Work()
    pane = work.view("--budget", "100%")
    pane.keys("g", "O")
    pane.wait_for("by hand")
    work.profile["fixed_us"] = 1000
    work.replace(json.dumps(work.profile))
    pane.wait_for("your plan goes on", "by hand")


main()
