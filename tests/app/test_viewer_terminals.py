"""The viewer on terminals of all kinds, and without one."""
import os
import re
import shutil
import subprocess

import cli
from cli import main, test
from tmux import expect
from viewer import (WORK, expect_restored, picture, run, shell, start_in, step_of_plan, viewer, wait_picture, wait_settled,
                    wait_step)


# ---- terminals of all kinds ----

@test
def a_terminal_that_cannot_be_drawn_on_is_refused_with_advice():
    for setting, word in (("TERM=dumb", '"dumb"'), ("TERM=no-such-terminal", '"no-such-terminal"'),
                          ("TERM=", "TERM is not set"), ("-u TERM", "TERM is not set")):
        pane = shell()
        pane.type(f"env {setting} {cli.PROGRAM} view gpt2-xl")
        expect_restored(pane, "status=2")
        text = " ".join(pane.screen().replace("\n", " ").split())
        expect(word in text and "--plain" in text, f"advice for {setting}, not:\n{text}")


COLOURS = {"true": r"\x1b\[[\d;]*[34]8[;:]2[;:]", "256": r"\x1b\[[\d;]*[34]8[;:]5[;:]",
           "16": r"\x1b\[(?:[\d;]*;)?(?:[349]\d|10\d)(?:;|m)"}


def colours_on(pane):
    """Which kinds of colours are on the screen: 39 and 49 are the terminal's own."""
    wait_settled(pane)
    escapes = re.sub(r"(?<=[\[;])[34]9(?=[;m])", "", pane.screen("-e"))
    rest = re.sub(r"[34]8[;:](5[;:]\d+|2[;:]\d+[;:]\d+[;:]\d+)", "", escapes)
    return {depth for depth in ("true", "256") if re.search(COLOURS[depth], escapes)} | \
        ({"16"} if re.search(COLOURS["16"], rest) else set())


@test
def each_terminal_gets_the_colours_it_has():
    for depth, options, how in (
            ("256", [], {"TERM": "xterm-256color"}), ("256", [], {"TERM": "tmux-256color"}),
            ("16", [], {"TERM": "xterm-16color"}), ("16", [], {"TERM": "xterm"}), ("16", [], {"TERM": "screen"}),
            (None, [], {"TERM": "vt100"}), (None, [], {"NO_COLOR": "1"}), (None, ["--color", "never"], {}),
            ("256", ["--color", "always"], {"NO_COLOR": "1"}), ("256", [], {"NO_COLOR": ""}),
            ("true", [], {"TERM": "xterm-direct"}), ("true", [], {"COLORTERM": "truecolor"}),
            (None, [], {"COLORTERM": "truecolor", "NO_COLOR": "1"})):
        name = how.get("TERM", "tmux-256color")
        if shutil.which("infocmp") and subprocess.run(["infocmp", name], capture_output=True, check=False).returncode:
            continue  # this machine doesn't know that terminal
        if depth == "true" and subprocess.run(["infocmp", "tmux-direct"], capture_output=True, check=False).returncode:
            depth = "256"
        pane = viewer(*options, **how)
        found = colours_on(pane)
        expect(found == ({depth} if depth else set()), f"{depth} colours for {how} {options}, not {found}")
        pane.close()


@test
def ascii_mode_shows_nothing_else():
    for options, how in ((["--ascii"], {}), ([], {"LANG": "C"}), ([], {"LC_ALL": "POSIX"})):
        pane = viewer(*options, **how)
        wait_settled(pane)
        pane.keys("?")
        help_screen = pane.wait_for("Moving")
        expect(help_screen.isascii(), f"ASCII alone for {options} {how}:\n{help_screen}")
        pane.keys("?")
        wait_picture(pane, picture(80, 24, None, "--ascii"))


@test
def the_profile_may_come_through_a_pipe():
    pane = shell()
    pane.type(f"{cli.PROGRAM} model gpt2-xl | {cli.PROGRAM} view - {' '.join(WORK[1:])}")
    wait_step(pane, step_of_plan())
    pane.keys("b", "5", "5", "%", "Enter")
    wait_step(pane, step_of_plan("--budget", "55%"))
    pane.keys("q")
    expect_restored(pane, "status=0")


@test
def a_bad_profile_is_reported_on_the_terminal_itself():
    pane = shell()
    pane.type(f"echo '{{\"ops\":[]}}' | {cli.PROGRAM} view -")
    expect_restored(pane, "status=3", "slackswap:")


@test
def without_a_terminal_the_report_is_printed():
    piped, plan = run("view", *WORK), run("plan", *WORK)
    expect(piped.returncode == 0 and piped.stdout == plan.stdout != "", f"the report, not:\n{piped.stdout}{piped.stderr}")
    pane = shell(height=60)
    pane.type(f"TERM=dumb {cli.PROGRAM} view --plain {' '.join(WORK)}")
    expect_restored(pane, "status=0", plan.stdout.split("\n", 1)[0].strip())


@test
def descriptors_shared_with_others_stay_blocking():
    pane = shell()
    start_in(pane)
    expect("Non" not in flags_of(pane.pid), "the shell's terminal still blocks")
    pane.keys("q")
    expect_restored(pane, "status=0")


def flags_of(pid):
    with open(f"/proc/{pid}/fdinfo/0", encoding="utf-8") as file:
        flags = int(re.search(r"^flags:\s*(\d+)", file.read(), re.M).group(1), 8)
    return "Non-blocking" if flags & os.O_NONBLOCK else ""


main()
