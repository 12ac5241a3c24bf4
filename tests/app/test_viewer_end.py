"""Leaving the viewer, by its key or by force: the terminal is given back as it was, and nothing goes on running."""
import os
import pty
import re
import signal
import subprocess

import cli
from cli import main, test
from tmux import Pane, environment, expect, wait
from viewer import (WORK, expect_restored, is_gone, picture, shell, start_in, state_of, step_of_plan, viewer, wait_picture,
                    wait_settled, wait_step)


# ---- leaving and coming back ----

@test
def quitting_leaves_the_terminal_as_it_was():
    for key in ("q", "C-c"):
        pane = shell()
        start_in(pane)
        pane.keys(key)
        expect_restored(pane, "status=0")


@test
def a_suspended_viewer_comes_back_in_the_new_size():
    pane = shell()
    start_in(pane)
    pane.keys("b", "4", "5", "%", "Enter")
    wait_step(pane, step_of_plan("--budget", "45%"))
    for width, height in ((100, 30), (80, 24)):
        pane.keys("C-z")
        expect_restored(pane, "Stopped")
        pane.resize(width, height)
        pane.type("fg")
        wait_picture(pane, picture(width, height, "b45% Enter"))
    pane.keys("q")
    expect_restored(pane, "status=0")


def child_of(pane):
    def found():
        done = subprocess.run(["ps", "-o", "pid=,args=", "--ppid", str(pane.pid)], text=True, capture_output=True,
                              check=False)
        lines = [line.split(None, 1) for line in done.stdout.splitlines()]
        return next((int(pid) for pid, words in lines if words.startswith(cli.PROGRAM)), None)
    return wait("the viewer under the shell", found)


@test
def stopped_from_outside_it_gives_the_terminal_back_and_repaints():
    pane = shell()
    start_in(pane)
    pid = child_of(pane)
    os.kill(pid, signal.SIGTSTP)
    expect_restored(pane, "Stopped")
    pane.type("fg")
    wait_picture(pane, picture(80, 24))
    os.kill(pid, signal.SIGSTOP)  # no chance to give anything back
    pane.wait_for("Stopped (signal)")
    pane.keys("f", "g", "C-j")  # Enter is no new line in the viewer's modes
    wait_picture(pane, picture(80, 24))
    pane.keys("q")
    expect_restored(pane, "status=0")


@test
def continued_in_the_background_it_leaves_the_terminal_alone():
    pane = shell()
    start_in(pane)
    pid = child_of(pane)
    pane.keys("C-z")
    pane.wait_prompt()
    pane.type("bg")
    expect_restored(pane, "Stopped")
    pane.type("fg")
    wait_picture(pane, picture(80, 24))
    pane.keys("C-z")
    pane.wait_prompt()
    os.kill(pid, signal.SIGTERM)  # reaches a stopped process once it goes on, in the background
    os.kill(pid, signal.SIGCONT)
    wait("its end", lambda: is_gone(pid))
    expect_restored(pane)


@test
def started_in_the_background_it_waits_for_the_foreground():
    pane = shell()
    pane.type(" ".join([cli.PROGRAM, "view", *WORK, "&"]))
    pane.wait("it to stop by itself", lambda: state_of(child_of(pane)) == "T")
    expect_restored(pane)
    pane.type("fg")
    wait_picture(pane, picture(80, 24))
    pane.keys("q")
    expect_restored(pane, "status=0")


# ---- the end by other hands ----

@test
def a_signal_ends_it_with_the_terminal_restored():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
        pane = shell()
        start_in(pane)
        os.kill(child_of(pane), number)
        expect_restored(pane, f"status={128 + number}")


@test
def a_crash_restores_the_terminal():
    for number in (signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGABRT):
        pane = shell()
        start_in(pane)
        os.kill(child_of(pane), number)
        expect_restored(pane)
        reported = "Sanitizer" in pane.screen("-S", "-200")  # it took the signal over, and exits
        expect(reported or f"status={128 + number}" in pane.screen(), f"it dies of {number}:\n{pane.screen()}")


def end_without_spinning(pid):
    wait("the end of the process", lambda: is_gone(pid))


@test
def when_the_terminal_goes_away_it_ends():
    pane = viewer()
    wait_settled(pane)
    pid = pane.pid
    pane.close()
    end_without_spinning(pid)


@test
def even_when_nobody_tells_it_that_the_terminal_went_away():
    """With SIGHUP ignored only the terminal itself can say so."""
    pane = Pane("sh", "-c", "trap '' HUP; exec \"$@\"", "sh", cli.PROGRAM, "view", *WORK)
    wait_settled(pane)
    pid = pane.pid
    pane.close()
    end_without_spinning(pid)


@test
def a_terminal_that_is_not_its_own_may_go_away_too():
    """A pseudo-terminal that controls nobody: no signal comes when its other end closes."""
    master, slave = pty.openpty()
    with subprocess.Popen([cli.PROGRAM, "view", *WORK], stdin=slave, stdout=slave, stderr=subprocess.DEVNULL,
                          start_new_session=True, env=environment()) as process:
        os.close(slave)
        wait("a first screen", lambda: b"budget" in os.read(master, 65536))
        os.close(master)
        wait("the end of the process", lambda: process.poll() is not None)
        expect(process.returncode == 0, f"it ends well, not with {process.returncode}")


main()
