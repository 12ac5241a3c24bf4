"""Themes of the user's own: used, read anew while the viewer runs, and kept when the file breaks."""
import os
import tempfile

import cli
from cli import main, test
from tmux import expect
from viewer import run, viewer, wait_settled

RED, GREEN = "38;2;255;0;0", "38;2;0;255;0"


class Folder:
    """A configuration folder with one theme, which is replaced as editors do it: written beside, then renamed."""

    def __init__(self):
        self.place = tempfile.TemporaryDirectory(prefix="slackswap-themes-")
        os.makedirs(os.path.join(self.place.name, "slackswap/themes"))

    def write(self, text):
        path = os.path.join(self.place.name, "slackswap/themes/mine.json")
        with open(path + "~", "w", encoding="utf-8") as file:
            file.write(text)
        os.rename(path + "~", path)
        return path

    def remove(self):
        os.unlink(os.path.join(self.place.name, "slackswap/themes/mine.json"))


def screen(folder, *options):
    return cli.run("screen", "gpt2", "--theme", "mine", *options, env={"XDG_CONFIG_HOME": folder.place.name})


def forward_is(pane, colour):
    """The compute lane begins with forward steps, a label on their bar."""
    def found():
        lanes = [line for line in pane.screen("-e").split("\n") if "compute" in line and "recompute" not in line]
        return lanes and colour in lanes[0]
    pane.wait(f"the compute lane in {colour}", found)


@test
def a_theme_in_the_configuration_folder_is_used_by_its_name():
    folder = Folder()
    folder.write('{ "forward": { "fg": "#FF0000", "ascii": "f" } }')
    drawn = screen(folder, "--format", "ansi", "--color", "always")
    cli.check(drawn.status, 0)
    expect(RED in drawn.out or "48;2;255;0;0" in drawn.out, "forward steps are red")
    expect("fff" in screen(folder, "--ascii").out, "forward steps are drawn as f")


@test
def a_theme_of_ones_own_stands_before_the_built_in_one():
    folder = Folder()
    os.rename(folder.write('{ "forward": { "ascii": "f" } }'), os.path.join(folder.place.name, "slackswap/themes/light.json"))
    drawn = cli.run("screen gpt2 --ascii --theme light", env={"XDG_CONFIG_HOME": folder.place.name})
    expect("fff" in drawn.out, "forward steps are drawn as f")


@test
def a_broken_theme_is_refused_with_its_file_and_place():
    folder = Folder()
    path = folder.write('{ "forward": { "fg": "red" } }')
    drawn = screen(folder)
    cli.check(drawn.status, 3)
    cli.check(drawn.err, f"slackswap: {path}: $.forward.fg: expected a colour such as \"#56B4E9\", or null, found 'red'\n")


@test
def the_viewer_reads_its_theme_anew_and_keeps_the_old_look_when_it_breaks():
    folder = Folder()
    folder.write('{ "forward": { "fg": "#FF0000" } }')
    pane = viewer("--theme", "mine", XDG_CONFIG_HOME=folder.place.name, COLORTERM="truecolor", TERM="xterm-256color")
    wait_settled(pane)
    forward_is(pane, "48;2;255;0;0")
    folder.write('{ "forward": { "fg": "#00FF00" } }')
    pane.wait_for("theme read anew")
    forward_is(pane, "48;2;0;255;0")
    folder.write('{ "forward": { "fg": green } }')
    pane.wait_for("mine.json: line 1, column 22")
    forward_is(pane, "48;2;0;255;0")
    folder.remove()
    folder.write('{ "forward": { "fg": "#0000FF" } }')
    forward_is(pane, "48;2;0;0;255")
    pane.keys("q")


main()
