"""The manual pages of files say what is so: each member that the program writes is in its page, and each one in a page is one
that the program knows."""
import copy
import csv
import glob
import io
import os
import re
import shutil
import subprocess

import cli
from cli import TOY, Skip, check, good, main, read, run, test, write

def fixture(name):
    return os.path.join(cli.SRCDIR, "tests/fixtures", name)


def page(name):
    return read(os.path.join(cli.SRCDIR, "man/slackswap-%s.5" % name))


def section(text, title):
    return re.search(r"^\.Sh %s\n(.*?)(?=^\.Sh )" % re.escape(title), text, re.M | re.S).group(1)


def items(text):
    """What the page describes, as it is written there."""
    return [item for line in re.findall(r"^\.It Li (.*)$", text, re.M) for item in re.split(" , ", line)]


def paths(value, prefix=""):
    """The members of a document: "ops[].forward_us"."""
    if isinstance(value, dict):
        for key, member in value.items():
            path = prefix + "." + key if prefix else key
            yield path
            yield from paths(member, path)
    elif isinstance(value, list):
        if value and isinstance(value[0], dict):
            yield prefix + "[]"
        for member in value:
            yield from paths(member, prefix + "[]")


def written(documents, free=()):
    """Every path in DOCUMENTS; an object called as in FREE has members that are data. Of lists of objects, PATH[] stands
    for both."""
    found = {path for document in documents for path in paths(document)
             if not any(path.startswith(name + ".") for name in free)}
    return {path for path in found if path + "[]" not in found}


def shell(words):
    return subprocess.run(words, capture_output=True, text=True)


@test
def every_page_is_good_mdoc():
    pages = glob.glob(os.path.join(cli.SRCDIR, "man/*.[157]"))
    check(len(pages) >= 6, True)
    if not shutil.which("mandoc"):
        raise Skip("mandoc is not installed")
    for path in pages:
        check(shell(["mandoc", "-T", "lint", "-W", "warning", path]).stdout, "", path)


@test
def man_shows_every_page_without_a_warning():
    if not shutil.which("man") or not shutil.which("groff"):
        raise Skip("man is not installed")
    for path in glob.glob(os.path.join(cli.SRCDIR, "man/*.[157]")):
        done = shell(["man", "--warnings", "-E", "UTF-8", "-l", path])
        if "unrecognized option" in done.stderr or "No manual entry" in done.stderr:
            raise Skip("this man has no --warnings")
        check(done.stderr, "", path)


@test
def every_page_is_installed_and_named_by_the_first():
    listed = read(os.path.join(cli.SRCDIR, "man/local.mk"))
    manual = read(os.path.join(cli.SRCDIR, "man/slackswap.1"))
    for path in glob.glob(os.path.join(cli.SRCDIR, "man/*.5")):
        name = os.path.basename(path)
        check(name in listed, True, name)
        check(".Xr %s 5" % name[:-2] in manual, True, name)


# profiles and plans: what is written is described, and what is described is looked at

def profiles():
    pinned = copy.deepcopy(TOY)
    pinned["tensors"][1]["keep"] = True
    pinned["ops"][2].update(recomputable=False, recompute_us=90, forward_workspace_bytes=5, kind="gemm", layer="one")
    pinned["fixed_us"] = 3
    return [good("model gpt2").json(), pinned] + [
        good("import", fixture("kineto/" + name), "-q").json() for name in ("two_gpus.json", "step.json", "old.json")]


@test
def every_member_of_a_profile_is_described():
    check(sorted(written(profiles()) - set(items(page("profile")))), [])


@test
def every_member_of_a_profile_that_is_described_is_checked():
    full = copy.deepcopy(TOY)
    full["measured"] = {"step_us": 1, **{lane: [{"start_us": 0, "duration_us": 1}] for lane in ("compute", "d2h", "h2d")}}
    layers = {"layers": [{"name": "a", "forward_us": 1, "backward_us": 1, "output_bytes": 1}]}
    described = items(page("profile"))
    check(len(described) > 40, True)
    for path in described:
        broken = copy.deepcopy(layers if path.startswith("layers") else full)
        place = break_member(broken, path)
        done = run("plan - --evals 1", stdin=cli.json.dumps(broken))
        check((done.status, "$." + place in done.err), (3, True), path + ": " + done.err)


COPY = {"tensor": "b", "lane": "d2h", "start_us": 0, "end_us": 1} # of a plan's "measured"
STEP = {"op": "A", "kind": "forward", "start_us": 0, "end_us": 1}


def break_member(document, path):
    """Gives the member at PATH of DOCUMENT a value that nothing can be; returns where it is. What stands around it is made
    where it is not there."""
    at, place = document, ""
    parts = path.split(".")
    for part in parts[:-1]:
        key = part.rstrip("[]")
        at = at.setdefault(key, {}) if key == part else at.setdefault(key, [copy.deepcopy(COPY)])[0]
        place += key + ("." if key == part else "[0].")
    key = parts[-1].rstrip("[]")
    at[key] = 7 if key != parts[-1] or isinstance(at.get(key), (dict, list)) else [[]]
    if key in ("name", "layer", "schema", "kind", "source") or key in ("inputs", "outputs", "saved", "device", "link"):
        at[key] = 7
    return place + key


def plans():
    by_hand = {"layers": {"A": "recompute"}, "actions": {"b": "offload"}, "prefetch_steps": 4, "prefetch": {"b": 2}}
    write("toy.json", TOY)
    write("plan.json", by_hand)
    return [good("export gpt2 --to plan").json(), run("export toy.json --to plan --plan plan.json").json()]


@test
def every_member_of_a_plan_is_described():
    found = written(plans(), free=("actions", "layers", "prefetch"))
    check(sorted(found - set(items(page("plan")))), [])


@test
def every_member_of_a_plan_that_is_described_is_checked():
    write("toy.json", TOY)
    described = items(page("plan"))
    check(len(described) >= 15, True)
    for path in described:
        broken = {"schema": "slackswap-plan/1", "actions": {}}
        if path.startswith("link."):
            broken["link"] = {"h2d_gb_per_s": 1, "d2h_gb_per_s": 1}
        if path in ("measured[].op", "measured[].kind"):
            broken["measured"] = [copy.deepcopy(STEP)]
        place = break_member(broken, path)
        done = run("simulate toy.json --plan -", stdin=cli.json.dumps(broken))
        check((done.status, "$." + place in done.err), (3, True), path + ": " + done.err)


# results

@test
def every_member_of_a_result_is_described_and_every_one_described_is_written():
    write("toy.json", TOY)
    write("rules.json", {"actions": {"*": "offload"}, "layers": {"A": "keep"}, "budget_bytes": 7000,
                         "measured": [STEP, COPY, dict(COPY, lane="h2d")]})
    good("import", fixture("kineto/two_gpus.json"), "-q", "-o", "two.json")
    lines = ["plan toy.json --budget 80% --timing --actions", "plan toy.json --planner keep", "plan two.json --budget 100%",
             "simulate toy.json --plan rules.json --budget 90%", "plan toy.json --budget 80% --host-memory 1 --planner offload"]
    found = written([run(line + " --json").json() for line in lines], free=("plan",))
    found = {re.sub(r"^residuals\.(compute|d2h|h2d)", "residuals.*", path) for path in found}
    described = set(items(page("result")))
    check(sorted(found - described), [])
    check(sorted(described - found), [])


# imports

@test
def the_fields_of_a_table_are_those_that_a_map_may_name():
    write("t.csv", "a,b\n1,2\n")
    message = run("import --from csv t.csv --map nothing=a").err
    known = re.sub(r"_(us|bytes)", "", re.search("expected (.*), or one of them", message).group(1))
    check(sorted(items(section(page("import"), "TABLES (CSV)"))), sorted(re.split(", | or ", known)))


def kinds_described(title):
    text = section(page("import"), title).split("saved for the backward")[1].split(".El")[0]
    lists = re.findall(r"^\.It Em (.*)\n((?:[^.].*\n|\\&.*\n)*)", text, re.M)
    return {head: set(re.split(r",\s+", words.strip().rstrip(".").replace("\\&", ""))) for head, words in lists}


@test
def what_the_kinds_of_a_pipedream_graph_save_is_what_the_table_says():
    rows = re.findall(r'\n    \{ "([^"]+)", +(\w+), +([A-Z |]+?), +("\w+"|NULL),',
                      read(os.path.join(cli.SRCDIR, "src/io/pipedream_kinds.c")))
    heads = {("COMPUTES", "INPUT", "NULL"): "its input", ("COMPUTES", "OUTPUT", "NULL"): "its output",
             ("COMPUTES", "INPUT | OUTPUT", "NULL"): "input and output",
             ("COMPUTES", "INPUT", '"indices"'): "its input, and indices of twice the output's size",
             ("COMPUTES", "NOTHING", '"mask"'): "a mask of a quarter of the output's size",
             ("COMPUTES", "NOTHING", "NULL"): "nothing", ("VIEW", "NOTHING", "NULL"): "a view, no tensor of its own",
             ("HOST", "NOTHING", "NULL"): "a number for the host, no tensor"}
    table = {head: {name for name, *rest in rows if tuple(rest) == key and name != "*"} for key, head in heads.items()}
    check(sum(map(len, table.values())), len(rows) - 1)
    check(kinds_described("PIPEDREAM GRAPHS"), table)


@test
def what_the_kinds_of_a_trace_save_is_what_the_table_says():
    rows = re.findall(r'\n    \{ "([^"]+)", +([A-Z |]+|0), +.*?, +([\d.]+), +(true|false), +(?:true|false), +(?:true|false) \}',
                      read(os.path.join(cli.SRCDIR, "src/io/kineto_kinds.c")))
    heads = {("IN", "0", "false"): "its inputs", ("OUT", "0", "false"): "its output",
             ("IN | OUT", "0", "false"): "inputs and output", ("IN", "8", "false"): "inputs, and indices of 8 bytes an element",
             ("0", "1", "false"): "a mask of 1 byte an element", ("0", "0", "false"): "nothing",
             ("0", "0", "true"): "a view, no tensor of its own"}
    table = {head: {name for name, *rest in rows if tuple(rest) == key and name != "*"} for key, head in heads.items()}
    check(sum(map(len, table.values())), len(rows) - 1)
    check(kinds_described("TORCH.PROFILER TRACES (KINETO)"), table)


@test
def the_members_of_events_that_are_named_are_read():
    source = "".join(read(path) for path in glob.glob(os.path.join(cli.SRCDIR, "src/io/kineto_*.c")))
    text = section(page("import"), "TORCH.PROFILER TRACES (KINETO)").split(".Ss What becomes of it")[0]
    named = [name.split("#")[0].split(": ")[0] for name in items(text)]
    check(len(named) >= 20, True)
    check([name for name in named if '"%s' % name not in source], [])


@test
def every_importer_is_fuzzed_from_files_that_it_takes():
    fragment = read(os.path.join(cli.SRCDIR, "tests/fuzz.mk"))
    for name in re.findall(r"^  (\S+) ", good("import --help").out.split("Formats:\n")[1], re.M):
        check("tests/fuzz/fuzz_%s" % name in fragment, True, name)
        seeds = [path for path in re.findall(r"tests/fixtures/(\S+)", fragment + read(os.path.join(cli.SRCDIR, "tests/io.mk")))
                 if os.path.dirname(path) == name]
        check(len(seeds) >= 2, True, name)
        for seed in seeds:
            check(run("import", "--from", name, "-q", fixture(seed)).status, 0, seed)


# exports

@test
def every_column_of_a_table_is_described_in_its_order():
    write("toy.json", TOY)
    for name, title in (("csv", "CSV"), ("memory-csv", "MEMORY-CSV")):
        header = next(csv.reader(io.StringIO(good("export toy.json --budget 80% --to " + name).out)))
        check(items(section(page("export"), title)), header)


@test
def what_a_trace_has_is_described_and_what_is_described_it_has():
    fixed = dict(copy.deepcopy(TOY), fixed_us=5)
    for op in fixed["ops"][2:4]:
        op["layer"] = "two"
    write("fixed.json", fixed)
    good("import", fixture("kineto/two_gpus.json"), "-q", "-o", "two.json")
    events = [event for line in ("fixed.json --budget 60% --planner offload --bandwidth 0.005", "two.json --budget 100%")
              for event in good("export %s --to chrome" % line).json()["traceEvents"]]
    described = set(items(section(page("export"), "CHROME")))
    found = {"args." + key for event in events if event["ph"] == "X" for key in event.get("args", {})}
    found |= {"cat Ns = Ns " + event["cat"] for event in events if "cat" in event}
    found |= {event["name"] for event in events if event["ph"] == "C"}
    check(sorted(found - described), [])
    check(sorted(described - found), [])


@test
def every_format_has_its_section():
    formats = re.findall(r"^  (\S+) ", good("export --help").out.split("Formats:\n")[1], re.M)
    titles = re.findall(r"^\.Sh (.*)$", page("export"), re.M)
    check([name for name in formats if name.upper() not in titles], [])
    formats = re.findall(r"^  (\S+) ", good("import --help").out.split("Formats:\n")[1], re.M)
    check([name for name in formats if name.upper() not in page("import")], [])


main()
