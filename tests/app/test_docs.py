"""What the manual and the README say is so: every option, command and key is in the manual, and what they tell people to
type works."""
import os
import re
import shlex
import shutil
import subprocess
import sys

import cli
from cli import SRCDIR, Skip, check, check_in, good, main, read, run, test

COMMANDS = re.findall(r"^  (\w+) ", run("--help").out.split("Commands:")[1].split("\n\n")[0], re.M)


def manual():
    """The manual as words, without its markup."""
    text = read(os.path.join(cli.SRCDIR, "man/slackswap.1"))
    return text.replace("Fl -", "--").replace("Fl ", "-").replace("\\&", "").replace("\\e", "\\")


def sections():
    return re.split(r"^\.S[hs] ", manual(), flags=re.M)


@test
def the_manual_names_every_command():
    text = manual()
    for command in COMMANDS:
        check(".It Cm %s\n" % command in text, True, command)


@test
def the_manual_names_every_option_with_its_argument():
    text = re.sub(r" Ns = Ns ", "=", manual())
    for command in COMMANDS:
        for letter, option, argument in re.findall(r"^  (-\w, )?(--[a-z0-9-]+)( \S+)?(?=  |\n)", good(command, "--help").out,
                                                   re.M):
            written = (letter.replace(", ", " , ") if letter else "") + option + (" Ar" + argument if argument else "")
            check(re.search(r"^\.It (.* , )?%s( ,.*)?$" % re.escape(written), text, re.M) is not None, True, written)


@test
def the_manual_names_every_key_with_what_it_does():
    keys = "".join(section for section in sections()
                   if section.split("\n")[0] in ("Moving", "Time", "Finding", "Knobs", "Plan", "Lessons", "Screen"))
    listed = set(" ".join(re.findall(r"^\.It (.*)$", keys, re.M)).split())
    table = read(os.path.join(cli.SRCDIR, "src/view/action.h"))
    rows = re.findall(r'X\(\w+, +"([^"]+)", +\w+, .*?"([^"]*)"\)', table)
    views = read(os.path.join(cli.SRCDIR, "src/view/views.h"))
    rows += re.findall(r'X\(\w+, +\w+, +"([^"]+)", +"[^"]+", +"([^"]+)"\)', views)
    check(len(rows) > 30, True)
    for bound, help_text in rows:
        if help_text:
            check([key for key in bound.split() if key not in listed], [], help_text)


@test
def the_manual_has_every_preset_with_its_sentence():
    table = read(os.path.join(cli.SRCDIR, "src/core/preset.c"))
    presets = re.findall(r'\.name = "([^"]+)".*?\.words = "([^"]+)"', table, re.S)
    check(len(presets), 8)
    section = re.search(r"^\.Sh PRESETS\n(.*?)^\.Sh", read(os.path.join(cli.SRCDIR, "man/slackswap.1")), re.M | re.S).group(1)
    said = {name: " ".join(words.split()) for name, words in re.findall(r"^\.It (\S+)\n(.*?)(?=^\.)", section, re.M | re.S)}
    check(said, dict(presets))


@test
def the_manual_names_every_planner():
    text = manual()
    for planner in re.findall(r"^  (\S+) ", good("plan --help").out.split("Planners:\n")[1], re.M):
        check(".It %s\n" % planner in text, True, planner)


@test
def the_manual_names_no_command_option_or_planner_that_is_not_there():
    helps = "".join(good(command, "--help").out for command in COMMANDS)
    items = {section.split("\n")[0]: section for section in sections()}
    described = [word for section in items.values() for line in re.findall(r"^\.It (.*)$", section, re.M)
                 for word in re.findall(r"(?<!\S)--?[a-z][\w-]*", line)]
    check(len(described) > 30, True)
    check([option for option in described if not re.search(r"(?<!\S)%s\b" % re.escape(option), helps)], [])
    check(sorted(re.findall(r"^\.It Cm (\w+)$", manual(), re.M)), sorted(COMMANDS))
    planners = re.findall(r"^\.It (\S+)$", items["PLANNERS"], re.M)
    check(sorted(planners), sorted(re.findall(r"^  (\S+) ", good("plan --help").out.split("Planners:\n")[1], re.M)))


@test
def the_manual_is_good_mdoc():
    if not shutil.which("mandoc"):
        raise Skip("mandoc is not installed")
    path = os.path.join(cli.SRCDIR, "man/slackswap.1")
    done = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", path], capture_output=True, text=True)
    check(done.stdout, "")


def try_line(line):
    """Runs one documented command line as a shell would, where the samples and a graph are at hand."""
    words = shlex.split(line)
    check(words[0], "slackswap")
    done = run(*words[1:])
    check(done.status, 0, line + "\n" + done.err)
    check(len(done.out) > 0 or "-o" in words, True, line)


def lay_out_files():
    os.symlink(os.path.join(cli.SRCDIR, "samples"), "samples")
    for name in ("graph.txt", "vgg16.graph.txt"):
        shutil.copy(os.path.join(cli.SRCDIR, "tests/fixtures/pipedream/residual.txt"), name)


def readme_lines(tour):
    """What the README says to type, in its tour or outside it."""
    text = read(os.path.join(cli.SRCDIR, "README")).replace("\\\n", "")
    before, rest = text.split("\nA tour: ")
    tour_text, after = re.split(r"\n\n\n", rest, maxsplit=1)
    return re.findall(r"^    ((?:slackswap|python3).*)$", tour_text if tour else before + after, re.M)


@test
def what_the_readme_says_to_type_works():
    lay_out_files()
    lines = readme_lines(tour=False)
    check(len(lines) >= 6, True)
    for line in lines:
        try_line(line)


def python_with_torch():
    for python in (sys.executable, "/usr/bin/python3"):
        if os.path.exists(python) and subprocess.run([python, "-c", "import torch"], capture_output=True).returncode == 0:
            return python
    raise Skip("PyTorch is not installed (Debian: python3-torch)")


def take_the_tour(python):
    """Every line of it, in order; those of Python only with PYTHON."""
    lay_out_files()
    lines = readme_lines(tour=True)
    check([line.split()[0] for line in lines].count("python3"), 2)
    check(len(lines) >= 9, True)
    for line in lines:
        if line.startswith("slackswap"):
            try_line(line)
        elif python:
            done = subprocess.run([python] + shlex.split(line)[1:], capture_output=True, text=True, timeout=120)
            check(done.returncode, 0, line + "\n" + done.stderr)
    for name in ("plan.json", "transformer.trace.json", "transformer.svg", "curves.svg", "report.md"):
        check(os.path.getsize(name) > 500, True, name)
    return done.stdout if python else ""


@test
def the_tour_works_with_any_profile_in_the_place_of_the_recorded_one():
    shutil.copy(os.path.join(cli.SRCDIR, "samples/toy.json"), "transformer.json")
    take_the_tour(None)


@test
def the_tour_works_from_recording_to_the_same_gradients():
    check_in("the same, bit for bit", take_the_tour(python_with_torch()))


@test
def the_figures_against_the_paper_are_what_the_command_prints():
    printed = good("bench --paper", env={"SLACKSWAP_EVALS": ""}).out.splitlines()
    readme = read(os.path.join(cli.SRCDIR, "README")).splitlines()
    check(len([line for line in printed if "%" in line]) >= 9, True)
    check([line for line in printed if line not in readme], [])


@test
def what_the_manual_says_to_type_works():
    lay_out_files()
    examples = [section for section in sections() if section.startswith("EXAMPLES")][0]
    lines = re.findall(r"^(?:\.Dl )?(slackswap .*)$", examples, re.M)
    check(len(lines) >= 5, True)
    for line in lines:
        try_line(line)


@test
def the_examples_in_help_work():
    lay_out_files()
    for command in COMMANDS:
        if command != "simulate":
            try_line(re.search(r"^Example: (.*)$", good(command, "--help").out, re.M).group(1))
    try_line(re.search(r"^Example: (.*)$", good("simulate", "--help").out, re.M).group(1))


main()
