"""What is pasted into the viewer: text goes where a text is typed, and nothing else comes of it, however much it is."""
import os
import random
import tempfile
import time

from cli import main, test
from tmux import expect, tmux, wait
from viewer import is_gone, picture, step_of_plan, viewer, wait_idle, wait_picture, wait_settled, wait_step

PASTED = "What is pasted is not taken for keys"


def paste(pane, data, *options):
    """Puts DATA (bytes) into the pane as if it came from elsewhere: in brackets with -p, where the viewer asked for them."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        tmux("load-buffer", file.name)
        tmux("paste-buffer", "-r", "-t", pane.name, *options)


def garbage(seed, size, without=b""):
    """Any bytes but WITHOUT, and sequences that terminals know."""
    known = [b"\033[A", b"\033[1;5D", b"\033[<0;10;10M", b"\033[<64;3;3M", b"\033[M !!", b"\033]52;c;QQ==\a", b"\033[?1049l", b"\033P+q\033\\",
             b"\033OP", b"\033[999999999999999999m", b"\xff\xfe", "\u202e語é".encode(), b"\0"]
    any_bytes = random.Random(seed)
    parts = []
    while sum(map(len, parts)) < size:
        part = any_bytes.choice(known) if any_bytes.random() < 0.1 else any_bytes.randbytes(40)
        parts.append(part.translate(None, without))
    return b"".join(parts)


@test
def pasted_garbage_does_nothing():
    pane = viewer()
    wait_settled(pane)
    for seed in range(3):
        paste(pane, garbage(seed, 100_000), "-p")
        pane.wait_for(PASTED)
        pane.keys("Right", "Left")  # the message goes with the next key
        wait_picture(pane, picture(80, 24, "Right Left"))


@test
def text_is_pasted_where_text_is_typed():
    pane = viewer()
    wait_settled(pane)
    pane.keys("b")
    paste(pane, b"60\r\n%\t", "-p")
    pane.keys("Enter")
    wait_step(pane, step_of_plan("--budget", "60%"))
    pane.keys("/")
    paste(pane, b"L07.qkv", "-p")
    pane.keys("Enter")
    wait_picture(pane, picture(80, 24, "b60% Enter / L 0 7 . q k v Enter"))
    pane.keys(":")
    paste(pane, b"bandwidth 12\n", "-p")
    pane.keys("Enter")
    wait_step(pane, step_of_plan("--budget", "60%", "--bandwidth", "12"))


@test
def a_session_has_what_was_pasted_as_typed():
    with tempfile.TemporaryDirectory() as state:
        pane = viewer(XDG_STATE_HOME=state)
        wait_settled(pane)
        paste(pane, b"qKOR", "-p")
        pane.wait_for(PASTED)
        pane.keys("b")
        paste(pane, b"55%", "-p")
        pane.keys("Enter")
        wait_step(pane, step_of_plan("--budget", "55%"))
        pane.keys("q")
        path = os.path.join(state, "slackswap/last.session")
        pane.wait("the session", lambda: os.path.exists(path))
        with open(path, encoding="utf-8") as file:
            keys = [word for line in file if line.startswith("keys") for word in line.split()[1:]]
        expect(keys == ["b", "5", "5", "%", "Enter", "q"], f"what was typed, not {keys}")


@test
def garbage_from_a_terminal_that_knows_no_brackets_leaves_the_viewer_alive():
    """Each byte is a key then: only those that end the viewer or write files are left out."""
    pane = viewer()
    wait_settled(pane)
    pid = pane.pid
    paste(pane, garbage(7, 100_000, without=b"q\x03\x13\x1a:x"))
    wait_idle(pane)
    for _ in range(5):  # out of whatever is open
        pane.keys("Escape")
        time.sleep(0.2)
    pane.keys("F1")
    pane.wait_for("Moving")
    pane.keys("C-c")
    wait("its end", lambda: is_gone(pid))


main()
