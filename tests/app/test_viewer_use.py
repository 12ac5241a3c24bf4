"""The viewer in use: what is typed, what is seen, in any size."""
import os
import re
import signal
import time

import cli
from cli import main, test
from tmux import Pane, expect, wait
from viewer import (STEP, busy, is_gone, picture, settled, step_of_plan, viewer, wait_idle, wait_picture, wait_settled,
                    wait_step)


# ---- looking and turning ----

@test
def the_first_screen_is_the_one_that_screen_draws():
    pane = viewer()
    wait_picture(pane, picture(80, 24))
    wait_step(pane, step_of_plan())


@test
def the_budget_turned_by_keys_is_what_plan_says():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b", "-", "-", "-", "Escape")
    wait_step(pane, step_of_plan("--budget", "47%"))
    pane.keys("+")
    wait_step(pane, step_of_plan("--budget", "48%"))


@test
def typed_budget_and_bandwidth_are_what_plan_says():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b", "6", "0", "%", "Enter")
    wait_step(pane, step_of_plan("--budget", "60%"))
    pane.keys("p", "9", ".", "9", "BSpace", "5", "Enter")
    wait_step(pane, step_of_plan("--budget", "60%", "--bandwidth", "9.5"))
    pane.keys("b", "-l", "4GiB")
    pane.keys("Enter")
    wait_step(pane, step_of_plan("--budget", "4GiB", "--bandwidth", "9.5"))


@test
def what_is_pinned_is_compared_with_what_knobs_make_of_it():
    pane = viewer()
    wait_settled(pane)
    pane.keys("c")
    wait_picture(pane, picture(80, 24, "c"))
    pane.keys("b", "4", "0", "%", "Enter")
    wait_picture(pane, picture(80, 24, "c b 4 0 % Enter"))


@test
def a_key_held_down_ends_where_it_was_let_go():
    pane = viewer()
    wait_settled(pane)
    for _ in range(15):
        pane.keys("+", "+")
    wait_step(pane, step_of_plan("--budget", "80%"))
    expect("80%" in pane.screen(), "the knob says 80%")


@test
def an_early_plan_is_shown_while_the_search_goes_on():
    pane = Pane(cli.PROGRAM, "view", "gpt2-xl", "--planner", "refine", "--plan-time", "3600s")
    first = re.search(STEP, pane.wait("a plan in the making", lambda: re.search(STEP, pane.screen()) and
                                      busy(pane.screen()) and pane.screen())).group(0)
    pane.keys("b", "3", "5", "%", "Enter")
    pane.wait("another plan in the making", lambda: "35%" in pane.screen() and busy(pane.screen()) and
              first not in pane.screen() and re.search(STEP, pane.screen()))
    pid = pane.pid
    pane.keys("q")
    wait("its end, in the midst of planning", lambda: is_gone(pid))


@test
def the_next_planner_plans():
    pane = viewer("--planner", "keep", "--budget", "100%")
    wait_step(pane, step_of_plan("--planner", "keep", "--budget", "100%"))
    pane.keys("P", "b", "7", "0", "%", "Enter")
    wait_step(pane, step_of_plan("--planner", "offload", "--budget", "70%"))


@test
def a_wrong_value_is_refused_with_words():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b", "5", "x", "y", "Enter")
    wait_picture(pane, picture(80, 24, "b 5 x y Enter"))
    pane.keys("Escape")  # alone: with a key right behind it, it would be that key with Alt
    wait_picture(pane, picture(80, 24, "b 5 x y Enter Escape"))
    pane.keys("b", "5", "5", "%", "Enter")
    wait_step(pane, step_of_plan("--budget", "55%"))


@test
def a_budget_too_small_is_explained_and_the_viewer_goes_on():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b", "1", "%", "Enter")
    pane.wait("words about what is missing", lambda: re.search(r"needs|least|short|fit", pane.screen()))
    pane.keys("b", "5", "2", "%", "Enter")
    wait_step(pane, step_of_plan("--budget", "52%"))


@test
def every_movement_shows_what_screen_shows():
    pane = viewer("--planner", "offload")
    wait_settled(pane)
    script = []
    for keys in (["Down", "Down", "Right", "l"], ["Enter"], ["G", "k"], ["e", "e", "E"], ["["], ["^"],
                 ["w", "w", "d", "a"], ["0"], ["Tab"], ["z"], ["z"], ["?"], ["Escape"], ["F1", "q"], ["M-x", "C-l"]):
        pane.keys(*keys)
        script += keys
        wait_picture(pane, picture(80, 24, " ".join(key for key in script if key != "M-x"), "--planner", "offload"))


@test
def unknown_keys_and_broken_bytes_do_nothing():
    pane = viewer()
    wait_settled(pane)
    for typed in (b"\x1b[27;5;113~", b"\x1b[I", b"\x1bOq", b"\x1bO5q", "é".encode(), "語".encode(), b"\xff\xfe", b"\xe8",
                  b"\x1b[1;2", b"\x00"):
        pane.keys("-H", *(f"{byte:02x}" for byte in typed))
    time.sleep(0.1)  # so that the last escape sequence is over, too
    pane.keys("-H", "62", "34", "30", "25", "0d")
    wait_step(pane, step_of_plan("--budget", "40%"))
    wait_picture(pane, picture(80, 24, "b40% Enter"))


@test
def playing_moves_the_cursor_until_it_is_paused():
    pane = viewer()
    start = wait_settled(pane)
    pane.keys("0", "Space")
    pane.wait_for("playing")
    pane.wait("another picture", lambda: pane.screen().split("\n")[3:] != start.split("\n")[3:])
    pane.keys("Space")
    paused = pane.wait_without("playing")
    time.sleep(0.3)
    expect(pane.screen() == paused, "a paused screen stands still")


@test
def an_idle_viewer_uses_no_processor():
    pane = viewer("--planner", "slackswap")  # its studies end soon, under a sanitizer of threads too
    wait_settled(pane)
    wait_idle(pane)
    pane.keys("Space")
    pane.wait_for("playing")
    pane.keys("Space")
    pane.wait_without("playing")
    wait_idle(pane)
    for view in "2345":  # their studies come to an end
        pane.keys(view)
        wait_idle(pane)
    for keys in (["?"], ["Escape"], ["b"], ["Escape"], ["/", "x"], ["Escape"], [":"], ["Escape"], ["1", "K"]):
        pane.keys(*keys)
        wait_idle(pane)


# ---- sizes ----

@test
def any_size_is_drawn():
    pane = viewer(width=120, height=40)
    wait_picture(pane, picture(120, 40))
    for width, height in ((200, 60), (20, 5), (80, 1), (2, 2), (1, 9), (3, 30), (1, 1), (80, 24)):
        pane.resize(width, height)
        lines = picture(width, height)
        if width == 1:
            lines[-1] = ""  # the cell that curses can't reach
        wait_picture(pane, lines)


@test
def a_storm_of_sizes_ends_in_the_last():
    pane = viewer()
    wait_settled(pane)
    for i in range(40):
        pane.resize(10 + i * 37 % 150, 3 + i * 11 % 50)
        if i % 8 == 0:
            pane.keys("Right")
            pane.keys("Left")
    pane.resize(80, 24)
    pane.keys("g", "0")
    wait_picture(pane, picture(80, 24, "Right Left g 0"))


@test
def a_size_that_was_another_meanwhile_is_drawn_anew():
    pane = viewer()
    lines = picture(80, 24)
    wait_picture(pane, lines)
    with open(pane.ask("#{pane_tty}"), "w", encoding="ascii") as terminal:  # as what is drawn for another size goes astray
        terminal.write("\033[Hastray\033[24;1Hastray")
    wait("what goes astray", lambda: pane.screen().count("astray") == 2)
    os.kill(pane.pid, signal.SIGWINCH)
    wait_picture(pane, lines)


main()
