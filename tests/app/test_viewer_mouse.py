"""The mouse in a real terminal: switched on and off with the viewer, read also when it comes in pieces."""
import time

import cli
from cli import main, test
from tmux import expect
from viewer import settled, step_of_plan, viewer, wait_settled, wait_step


def flags(pane):
    """What the program in the pane has asked of the terminal: reports while a button is down, in decimal numbers."""
    return pane.ask("#{mouse_button_flag}#{mouse_sgr_flag}")


def report(pane, button, column, row, end="M"):
    pane.keys("-l", f"\033[<{button};{column};{row}{end}")


def row_of(pane, text):
    """The row (from 1) that holds TEXT."""
    return next(y for y, line in enumerate(pane.screen().split("\n"), 1) if text in line)


@test
def the_mouse_is_taken_and_given_back():
    pane = viewer()
    wait_settled(pane)
    pane.wait("the mouse taken", lambda: flags(pane) == "11")
    pane.keys("q")
    pane.wait("the mouse given back", lambda: flags(pane) == "00")


@test
def without_a_mouse_the_terminal_keeps_it():
    for options, variables in ((["--no-mouse"], {}), ([], {"SLACKSWAP_NO_MOUSE": "yes"}), ([], {"TERM": "vt220"})):
        pane = viewer(*options, **variables)
        wait_settled(pane)
        expect(flags(pane) == "00", f"no mouse with {options} {variables}")


@test
def a_click_on_the_compute_lane_selects_the_step_there():
    pane = viewer()
    wait_settled(pane)
    row = row_of(pane, "─▽")  # the ruler stands above the lanes
    report(pane, 0, 10, row + 1)
    report(pane, 0, 10, row + 1, "m")
    pane.wait_for("forward")


@test
def the_budget_line_is_dragged_and_planned_for():
    pane = viewer(width=120, height=40)
    wait_settled(pane)
    line = row_of(pane, "┄ budget 5.38 GiB")
    report(pane, 0, 60, line)
    for down in (1, 2, 3):
        report(pane, 32, 60, line + down)
    report(pane, 0, 60, line + 3, "m")
    pane.wait("another budget", lambda: "50%" not in pane.screen() and settled(pane.screen()))
    percent = next(word.strip("◂▸") for line in pane.screen().split("\n") if line.startswith("budget") for word in line.split()
                   if word.strip("◂▸").endswith("%"))
    expect(int(percent[:-1]) < 50, f"the budget went down: {percent}")
    wait_step(pane, step_of_plan("--budget", percent))


@test
def a_report_that_comes_in_pieces_types_nothing():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b")
    pane.wait_for("take")
    for piece in ("\033[<6", "4;10;", "10", "M"):
        pane.keys("-l", piece)
        time.sleep(0.15)
    pane.keys("6", "0", "%", "Enter")
    wait_step(pane, step_of_plan("--budget", "60%"))


main()
