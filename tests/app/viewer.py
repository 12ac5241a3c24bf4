"""The viewer in a terminal: how tests start it, and what they may wait for."""
import json
import os
import re
import subprocess
import time

import cli
from tmux import PATIENCE, Pane, environment, expect

# An exact number of evaluations, so that no clock takes part in what is planned.
WORK = ["gpt2-xl", "--evals", "40"]
STEP = r"step +[\d.]+ (us|ms|s)\b"
UNITS = {"us": 1.0, "ms": 1e3, "s": 1e6}


def viewer(*options, **how):
    return Pane(cli.PROGRAM, "view", *WORK, *options, **how)


def run(*words):
    """Runs the program without a terminal."""
    return subprocess.run([cli.PROGRAM, *words], text=True, capture_output=True, timeout=5 * PATIENCE, env=environment(),
                          check=False)


def step_of_plan(*options):
    """What slackswap plan says the step takes, in microseconds."""
    done = run("plan", *WORK, "--json", *options)
    expect(done.returncode == 0, f"plan {options} failed: {done.stderr}")
    return json.loads(done.stdout)["step_us"]


def busy(screen):
    """A planner is at work, be there an early plan of its own on the screen or not."""
    return "planning" in screen or "refining" in screen


def settled(screen):
    """Something is shown, and it is what was asked for."""
    return not busy(screen) and re.search(STEP, screen)


def shows_step(screen, step_us):
    found = settled(screen)
    if not found:
        return False
    number, unit = found.group(0).split()[1:]
    digits = len(number.partition(".")[2])
    return abs(float(number) - step_us / UNITS[unit]) <= 0.500001 * 10 ** -digits


def wait_settled(pane):
    return pane.wait("a plan", lambda: settled(pane.screen()) and pane.screen())


def wait_step(pane, step_us):
    pane.wait(f"a step of {step_us} us", lambda: shows_step(pane.screen(), step_us))


def picture(width, height, keys=None, *options):
    """The same screen as slackswap screen draws it."""
    done = run("screen", *WORK, "--size", f"{width}x{height}", *(["--keys", keys] if keys else []), *options)
    expect(done.returncode == 0, f"screen failed: {done.stderr}")
    return done.stdout.split("\n")[:height]


def wait_picture(pane, lines):
    def found():
        return [line.rstrip() for line in pane.screen().split("\n")[:len(lines)]] == lines
    pane.wait("this picture:\n" + "\n".join(lines), found)


def state_of(task):
    """Of a process or "PID/task/THREAD", as ps tells it: R, S, T (stopped), Z; X when there is none such."""
    try:
        with open(f"/proc/{task}/stat", encoding="utf-8") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


def is_gone(pid):
    """Whether the process has ended; who started it (tmux, late sometimes) may not have taken notice yet. Its first
    thread may have ended before the others: files are closed, and locks on them let go, when the last has."""
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        threads = []
    return all(state_of(f"{pid}/task/{thread}") in "ZX" for thread in threads)


def cpu_and_switches(pid):
    """What the process has used: processor ticks of all its threads, and how often the first one was put to sleep."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        switches = re.search(r"^voluntary_ctxt_switches:\s*(\d+)", file.read(), re.M).group(1)
    return int(fields[11]) + int(fields[12]), int(switches)


def wait_idle(pane):
    """A whole second in which the process neither computes nor wakes."""
    pid = pane.pid

    def idle():
        before = cpu_and_switches(pid)
        time.sleep(1)
        return cpu_and_switches(pid) == before
    pane.wait("a second without work", idle, 5 * PATIENCE)  # a study is long under a thread sanitizer


def shell(**how):
    """A shell that remembers the modes of its terminal."""
    pane = Pane(**how)
    pane.type("stty -g >modes; ulimit -c 0; clear")
    pane.wait_prompt()
    return pane


def start_in(pane, *options):
    pane.type(" ".join([cli.PROGRAM, "view", *WORK, *options]))
    wait_settled(pane)


def expect_restored(pane, *texts):
    """The shell has its terminal back as it was, and tells of TEXTS, exit statuses say."""
    pane.wait_prompt()
    pane.type("echo status=$?; test \"$(stty -g)\" = \"$(cat modes)\" && echo modes' are 'the same")
    pane.wait_for("modes are the same", *texts)
