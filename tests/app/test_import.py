"""`import` from outside: formats are told by content, packed or not, from a file or standard input; progress is shown where
somebody looks; what does not apply is refused."""
import gzip
import json
import os
import pty
import subprocess
import zlib

import cli
from cli import check, check_in, good, main, run, shared, test, write

SEEDS = {"kineto": ["step.json", "old.json", "two_gpus.json"], "csv": ["plain.csv", "aceso.csv"],
         "pipedream": ["residual.txt", "recurrent.txt", "crlf.txt"]}


def fixture(form, name):
    return os.path.join(cli.SRCDIR, "tests/fixtures", form, name)


def content(path):
    with open(path, "rb") as file:
        return file.read()


def feed(data, *arguments):
    """What the program makes of the bytes DATA on standard input."""
    process = subprocess.run([cli.PROGRAM, "import", "-", "-q", *arguments], input=data, capture_output=True, timeout=120)
    return process.returncode, process.stdout.decode(), process.stderr.decode()


def without_name(text):
    profile = json.loads(text)
    profile["name"] = ""
    return profile


@test
def every_format_is_told_by_its_content():
    for form, names in SEEDS.items():
        for name in names:
            path = fixture(form, name)
            check(good("import", "-q", path).out, good("import", "-q", "--from", form, path).out, path)


@test
def a_file_may_be_packed_and_may_come_from_standard_input():
    for form, names in SEEDS.items():
        for name in names:
            plain = content(fixture(form, name))
            expected = without_name(good("import", "-q", fixture(form, name)).out)
            for data in (plain, gzip.compress(plain)):
                status, out, err = feed(data)
                check((status, err), (0, ""), name)
                check(without_name(out), expected, name)


@test
def a_packed_file_that_ends_early_or_is_damaged_is_refused():
    packed = gzip.compress(content(fixture("kineto", "step.json")))
    for data in (packed[:-20], packed[:len(packed) // 2], packed[:60] + b"\0\0\0\0\0\0\0\0" + packed[68:]):
        status, out, err = feed(data)
        check((status, out), (3, ""))
        check_in("slackswap: standard input: ", err)


@test
def what_is_no_recording_is_refused_whatever_it_is():
    for data in (b"", b"\0" * 100, b"hello\n", b"<html></html>", b"{}", b"[1, 2]", b"a,b\n1,2\n", zlib.compress(b"x" * 50),
                 content(os.path.join(cli.SRCDIR, "samples/toy.json"))):
        status, out, err = feed(data)
        check((status, out), (3, ""), data[:20])
        check(err.startswith("slackswap: standard input: ") and err.count("\n") == 1, True, err)


@test
def options_of_one_format_are_refused_for_another():
    table, trace = fixture("csv", "plain.csv"), fixture("kineto", "step.json")
    for path, option, message in ((table, ["--step", "3"], "--step is for traces, and this is csv"),
                                  (table, ["--device", "0"], "--device is for traces, and this is csv"),
                                  (trace, ["--map", "name=op"], "--map is for tables, and this is kineto")):
        done = run("import", path, *option)
        check((done.status, done.err), (2, "slackswap: %s\n" % message))


@test
def a_gpu_of_several_is_chosen_and_one_that_is_not_there_refused():
    path = fixture("kineto", "two_gpus.json")
    check([good("import", "-q", path, "--device", number).json()["device"]["name"] for number in "01"],
          ["First GPU", "Second GPU"])
    done = run("import", path, "--device", "7")
    check((done.status, done.err), (2, "slackswap: --device: expected a GPU that works in the trace (0, 1), found 7\n"))


def long_trace():
    """Twelve MiB, most of it events that a profile does not need."""
    events = json.loads(content(fixture("kineto", "step.json")))["traceEvents"]
    filler = {"ph": "X", "cat": "python_function", "name": "x" * 900, "pid": 1, "tid": 1, "ts": 1, "dur": 1}
    return write("long.json", json.dumps({"traceEvents": events + [filler] * 13000}))


@test
def progress_is_shown_on_a_terminal_and_taken_away_again():
    path = long_trace()
    ours, theirs = pty.openpty()
    subprocess.run([cli.PROGRAM, "import", path, "-o", "out.json"], stderr=theirs, timeout=120, check=True)
    os.close(theirs)
    shown = os.read(ours, 65536).decode()
    check_in("MiB read", shown)
    check(shown.split("MiB read")[-1].startswith("\r" + " " * 32 + "\r"), True, shown)
    check_in("slackswap: 13", shown.split("MiB read")[-1])


@test
def no_progress_is_shown_where_nobody_looks_or_quiet_was_asked_for():
    path = long_trace()
    check("MiB read" in run("import", path).err, False)
    ours, theirs = pty.openpty()
    subprocess.run([cli.PROGRAM, "import", path, "-q", "-o", "out.json"], stderr=theirs, timeout=120, check=True)
    os.set_blocking(ours, False)
    try:
        shown = os.read(ours, 100)
    except BlockingIOError:
        shown = b""
    check(shown, b"")
    os.close(theirs)


@test
def the_graph_with_many_branches_is_planned_at_half_its_memory():
    run("import", shared("data/pipedream_graph_txt/nasnetamobile.graph.txt"), "-q", "-o", "nasnet.json")
    profile = json.loads(content("nasnet.json"))
    check(len(profile["ops"]) > 800, True)
    readers = {}
    for op in profile["ops"]:
        for name in op["inputs"]:
            readers.setdefault(name, set()).add(op["name"])
    check(max(len(names) for names in readers.values()) >= 4, True)
    result = good("plan nasnet.json --budget 50% --planner slackswap --json").json()
    check(result["feasible"] and result["peak_bytes"] <= result["budget_bytes"], True)
    check(result["bound_us"] <= result["step_us"] < 2 * result["ideal_us"], True)


main()
