"""Sessions: written down while the viewer runs, done again by --replay, and restored after a crash."""

import glob
import os
import re

import cli
from cli import check, good, main, test

SESSION = """slackswap-session/1
profile gpt2-xl
option budget 40%
option evals 200
size 100x30
# a comment
keys b 4 5 % Enter
keys 2 j j
keys R
plan k20o30r500
mouse 0 0 0 0 5 6
size 80x24
keys u C-r
"""


def write(text, name="some.session"):
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


@test
def a_session_is_done_again_on_what_it_looked_at():
    screen = good("screen", "--replay", write(SESSION), "--size", "120x40").out
    check("gpt2-xl  by hand" in screen, True, screen)
    check("45%" in screen, True, screen)
    check("▾layer" in screen, True, screen)


@test
def each_feature_has_a_session_that_shows_it():
    """What a session's lines "# expect TEXT" say is on the screen at its end."""
    paths = sorted(glob.glob(os.path.join(cli.SRCDIR, "tests/sessions/*.session")))
    check(len(paths) >= 12, True)
    for path in paths:
        with open(path, encoding="utf-8") as file:
            expected = re.findall(r"^# expect (.*)$", file.read(), re.M)
        screen = good("screen", "--replay", path, "--size", "120x40").out
        check(len(expected) > 0, True, path)
        check([text for text in expected if text not in screen], [], path + "\n" + screen)


@test
def keys_come_after_a_session():
    path = write(SESSION)
    first = good("screen", "gpt2-xl", "--budget", "40%", "--evals", "200").out
    undone = good("screen", "--replay", path, "--keys", "uuuuuuuu Escape").out
    check(undone, first)


@test
def flags_go_before_what_the_session_says():
    screen = good("screen", "--replay", write(SESSION), "--planner", "keep", "--keys", "P").out
    check("by keep" in screen, True, screen)


@test
def another_profile_is_looked_at_when_it_is_named():
    screen = good("screen", "bert-large", "--replay", write("slackswap-session/1\nprofile gpt2-xl\nkeys 2\n")).out
    check("bert-large" in screen, True, screen)


@test
def what_is_no_session_is_bad_input_with_its_line():
    cases = [
        ("", "line 1", "is no session"),
        ("hello\n", "line 1", "is no session"),
        ("slackswap-session/1\nkeys Lfet\n", "line 2", 'unknown key "Lfet"'),
        ("slackswap-session/1\nsize 3\n", "line 2", "expected a size"),
        ("slackswap-session/1\n\nplan k3x\n", "line 3", "expected actions"),
        ("slackswap-session/1\nset hue 3\n", "line 2", "expected a knob and its value"),
        ("slackswap-session/1\nmouse 1 2\n", "line 2", "expected six numbers"),
        ("slackswap-session/1\noption hue 3\n", "line 2", "no option is called so"),
        ("slackswap-session/1\nsing\n", "line 2", "found"),
    ]
    for text, place, words in cases:
        done = cli.run("screen", "--replay", write(text))
        check(done.status, 3, text)
        check(place in done.err and words in done.err, True, done.err)


main()
