"""A terminal for tests: programs run in tmux panes, on a tmux server of our own, and their screens are read back.

Nothing here sleeps for a while and hopes: every wait asks again and again until what is expected is there, or until
PATIENCE has passed; then Failure shows what is on the screen instead."""
import atexit
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PATIENCE = 60  # seconds

if not shutil.which("tmux"):
    print("1..0 # SKIP tmux is not installed")
    sys.exit(0)


class Failure(Exception):
    pass


def wait(expected, found, patience=PATIENCE):
    """Waits until FOUND() is true and returns it; EXPECTED says in words what that means."""
    end = time.monotonic() + patience
    while True:
        result = found()
        if result:
            return result
        if time.monotonic() > end:
            raise Failure(f"expected {expected}, in vain for {patience:.0f} s")
        time.sleep(0.05)


def expect(truth, words):
    if not truth:
        raise Failure(words)


def environment(**more):
    """What a program under test sees of the environment: little, and always the same."""
    keep = {key: value for key, value in os.environ.items()
            if key in ("PATH", "HOME") or key.endswith("SAN_OPTIONS")}
    return {**keep, "LANG": "C.UTF-8", "TERM": "tmux-256color", "XDG_CONFIG_HOME": "/nonexistent",
            "XDG_STATE_HOME": "/dev/null/nowhere", **more}


class Server:
    """Knows nobody's configuration, and dies with the tests."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="slackswap-test-")
        self.panes = 0
        atexit.register(self.close)
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # when time is up: a server outlives who started it
        self("new-session", "-d", "-s", "keeper", "cat")
        self("set-option", "-g", "remain-on-exit", "on")

    def __call__(self, *words, check=True):
        command = ["tmux", "-S", os.path.join(self.folder, "socket"), "-u", "-f", os.devnull, *words]
        done = subprocess.run(command, env=environment(TERM="xterm"), text=True, capture_output=True, timeout=PATIENCE,
                              check=False)
        if check and done.returncode != 0:
            raise Failure(f"tmux {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout

    def close(self):
        self("kill-server", check=False)
        shutil.rmtree(self.folder, ignore_errors=True)


tmux = Server()


class Pane:
    """One terminal with one program in it, which is either COMMAND (words; no shell between) or an interactive shell."""

    def __init__(self, *command, width=80, height=24, **variables):
        tmux.panes += 1
        self.name = f"pane{tmux.panes}"
        words = ["env", "-i", *(f"{name}={value}" for name, value in environment(**variables).items())]
        words += command or ["PS1=$ ", "sh", "-i"]
        tmux("new-session", "-d", "-s", self.name, "-x", str(width), "-y", str(height),
             "exec " + " ".join(map(shlex.quote, words)))
        if not command:
            self.wait_prompt()

    def ask(self, question):
        return tmux("display-message", "-p", "-t", self.name, question).strip()

    @property
    def pid(self):
        return int(self.ask("#{pane_pid}"))

    def keys(self, *keys):
        tmux("send-keys", "-t", self.name, *keys)

    def type(self, line):
        tmux("send-keys", "-t", self.name, "-l", line)
        self.keys("Enter")

    def screen(self, *options):
        return tmux("capture-pane", "-p", "-t", self.name, *options)

    def resize(self, width, height):
        tmux("resize-window", "-t", self.name, "-x", str(width), "-y", str(height))

    def close(self):
        tmux("kill-session", "-t", self.name, check=False)

    def wait(self, expected, found, patience=PATIENCE):
        """As wait(); a failure shows the screen."""
        try:
            return wait(expected, found, patience)
        except Failure as failure:
            raise Failure(f"{failure}; the screen:\n{self.screen()}") from None

    def wait_for(self, *texts):
        """Waits until all TEXTS are on the screen, and returns it."""
        def found():
            screen = self.screen()
            return screen if all(text in screen for text in texts) else None
        return self.wait(" and ".join(map(repr, texts)), found)

    def wait_without(self, text):
        def found():
            screen = self.screen()
            return screen if text not in screen else None
        return self.wait(f"no {text!r}", found)

    def wait_prompt(self):
        """Waits until the shell has the terminal: its own screen, with a cursor, behind a prompt."""
        self.wait("the shell's prompt", lambda: self.ask("#{alternate_on}#{cursor_flag}") == "01"
                  and self.screen().rstrip().rpartition("\n")[2] == "$")
