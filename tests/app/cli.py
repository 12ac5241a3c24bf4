"""What the tests of the whole program share: running it, and saying in TAP how it went.

    from cli import run, test, check, main

A test is a function under @test whose name is the sentence it proves. It fails by raising; check() compares and shows both
sides. Each test runs in an empty folder of its own, with config/ and state/ there in the place of the user's."""
import json
import os
import subprocess
import sys
import tempfile
import traceback

PROGRAM = os.environ.get("SLACKSWAP", "./slackswap")
SRCDIR = os.environ.get("SRCDIR", ".")
SHARED = os.environ.get("SLACKSWAP_SHARED", os.path.join(SRCDIR, "..", "shared"))
INSTRUMENTED = bool(os.environ.get("INSTRUMENTED"))  # by a sanitizer: several times slower
TESTS = []

def chain(names):
    """One op a letter, each saving what it reads, the last what it writes too: A reads x and writes a, B reads a …"""
    ops = [{"name": name.upper(), "forward_us": 100, "backward_us": 200, "inputs": [before], "outputs": [name],
            "saved": [before]} for before, name in zip("x" + names, names)]
    ops[-1]["saved"].append(names[-1])
    return {"schema": "slackswap-profile/1", "name": "toy", "static_bytes": 1000,
            "device": {"name": "card", "memory_bytes": 1000000},
            "link": {"name": "wire", "h2d_gb_per_s": 0.01, "d2h_gb_per_s": 0.01, "latency_us": 1},
            "tensors": [{"name": "x", "bytes": 10}] + [{"name": name, "bytes": 1000} for name in names], "ops": ops}


TOY = chain("abcdefgh")


class Skip(Exception):
    pass


class Done:
    def __init__(self, process):
        self.status = process.returncode
        self.out = process.stdout.decode()
        self.err = process.stderr.decode()

    def json(self):
        return json.loads(self.out)


def run(*arguments, stdin="", env=None, **more):
    """The program with ARGUMENTS; one string is split at blanks. Planners search briefly, unless told otherwise."""
    words = arguments[0].split() if len(arguments) == 1 else list(arguments)
    environment = {**os.environ, "XDG_CONFIG_HOME": os.path.abspath("config"), "XDG_STATE_HOME": os.path.abspath("state"),
                   "SLACKSWAP_EVALS": "50", **(env or {})}
    process = subprocess.run([PROGRAM] + words, input=stdin.encode(), env=environment, timeout=120,
                             **(more or {"capture_output": True}))
    if process.stdout is None:
        process.stdout = b""
    if process.stderr is None:
        process.stderr = b""
    return Done(process)


def good(*arguments, **more):
    """The same, which must end well and say nothing."""
    done = run(*arguments, **more)
    check(done.status, 0, done.err)
    check(done.err, "")
    return done


def write(name, content):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return name


def read(name):
    with open(name) as file:
        return file.read()


def settings(content):
    write("config/slackswap/config.json", content)


def shared(*parts):
    path = os.path.abspath(os.path.join(SHARED, *parts))
    if not os.path.exists(path):
        raise Skip("shared data is not at hand")
    return path


def check(found, expected, note=""):
    if found != expected:
        raise AssertionError("found    %r\nexpected %r\n%s" % (found, expected, note))


def check_in(part, whole):
    if part not in whole:
        raise AssertionError("%r is not in\n%s" % (part, whole))


def test(function):
    TESTS.append(function)
    return function


def tell(number, function):
    name = function.__name__.replace("_", " ")
    try:
        function()
        print("ok %d - %s" % (number, name))
    except Skip as reason:
        print("ok %d - %s # SKIP %s" % (number, name, reason))
    except Exception:
        print("not ok %d - %s" % (number, name))
        print("".join("# " + line + "\n" for line in traceback.format_exc().splitlines()), end="")
    sys.stdout.flush()


def main():
    global PROGRAM, SRCDIR, SHARED
    PROGRAM, SRCDIR, SHARED = (os.path.abspath(path) for path in (PROGRAM, SRCDIR, SHARED))
    print("1..%d" % len(TESTS))
    for number, function in enumerate(TESTS, 1):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            tell(number, function)
            os.chdir("/")
