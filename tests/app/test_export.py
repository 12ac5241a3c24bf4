"""What `export` writes, read back: traces, pictures, tables, reports and plans tell what the program itself reports, and
names out of files stay names whatever they hold."""
import copy
import csv
import io
import os
import random
import re
import xml.etree.ElementTree

import cli
from chrome_trace import Trace
from cli import TOY, check, check_in, good, main, read, run, test, write

FORMATS = re.findall(r"^  (\S+) ", good("export --help").out.split("Formats:\n")[1], re.M)
SVG = "{http://www.w3.org/2000/svg}"
NS = 0.0011 # of microseconds: what rounding may make of a time
EVIL = 'a|b*c_d`[x](y)<script>&"\'\\\x1b[31m\u202e=1'


def named(before):
    """The toy with another name for everything that has one."""
    text = cli.json.dumps(TOY)
    for letter in "abcdefghABCDEFGH":
        text = text.replace('"%s"' % letter, cli.json.dumps(before + letter))
    profile = cli.json.loads(text)
    profile["name"] = before
    profile["device"]["name"] = before
    return profile


def close(found, expected, tolerance):
    check(abs(found - expected) <= tolerance, True, "%r, not %r" % (found, expected))


def cases():
    """Command lines whose results differ in kind: stalls, recompute, a fixed time, steps without length, one op."""
    fixed = dict(TOY, fixed_us=123.4567)
    still = cli.json.loads(cli.json.dumps(TOY))
    still["ops"][2]["forward_us"] = still["ops"][3]["backward_us"] = still["ops"][4]["forward_us"] = 0
    tiny = dict(TOY, link={"h2d_gb_per_s": 1e6, "d2h_gb_per_s": 1e6, "latency_us": 0})
    for name, profile in (("toy", TOY), ("fixed", fixed), ("still", still), ("tiny", tiny), ("named", named("n "))):
        write(name + ".json", profile)
    return ["toy.json --budget 70%", "toy.json --planner offload --budget 70%", "toy.json --planner recompute --budget 80%",
            "fixed.json --budget 70%", "still.json --planner offload --budget 70%", "tiny.json --planner offload",
            "named.json --planner offload --budget 70%", "toy.json --planner keep --budget 100%",
            "gpt2 --planner slackswap-rule --budget 40%", "bert-large --budget 50% --bandwidth 3 --planner offload"]


# chrome

@test
def a_trace_read_back_has_the_figures_of_the_result():
    for line in cases():
        result = good("plan " + line + " --json").json()
        trace = Trace(good("export " + line + " --to chrome").out)
        steps = len(trace.by_lane["compute"])
        check(trace.document["otherData"]["result"]["step_us"], result["step_us"], line)
        close(trace.step_us(), result["step_us"], NS)
        close(trace.sum_us("stall"), result["stall_us"], NS * steps)
        close(sum(s["dur"] for s in trace.slices if s["name"].startswith("rec ") and s["cat"] == "op"),
              result["recompute_us"], NS * steps)
        close(trace.busy_us("compute"), trace.step_us() - trace.sum_us("stall") - trace.sum_us("fixed"), NS * steps)
        check(max(value for _, value in trace.counter("memory used")), result["peak_bytes"], line)
        check(max(value for _, value in trace.counter("host")), result["host_peak_bytes"], line)
        check({value for _, value in trace.counter("budget")}, {result["budget_bytes"]}, line)
        for lane, key in (("D2H (offload)", "d2h_bytes"), ("H2D (return)", "h2d_bytes")):
            check(sum(s["args"]["bytes"] for s in trace.by_lane[lane]), result[key], line)


@test
def the_lanes_of_a_trace_are_busy_as_long_as_the_link_says():
    write("toy.json", TOY)
    trace = Trace(good("export toy.json --planner offload --budget 65% --to chrome").out)
    for lane in trace.lanes[1:]:
        close(trace.busy_us(lane), sum(1 + s["args"]["bytes"] / 10 for s in trace.by_lane[lane]), NS * 8)


@test
def the_memory_of_a_trace_is_that_of_the_table_of_memory():
    for line in cases():
        counter = Trace(good("export " + line + " --to chrome").out).counter("memory used")
        rows = list(csv.DictReader(io.StringIO(good("export " + line + " --to memory-csv").out)))
        running = [int(row["used_bytes"]) for row in rows if row["running"] == "1"]
        check(set(running) <= {value for _, value in counter}, True, line)
        check(counter[-1][1], 0, line)


@test
def a_trace_has_a_process_and_three_lanes_in_order():
    write("toy.json", TOY)
    trace = Trace(good("export toy.json --to chrome --budget 70%").out)
    check(trace.processes, ["GPU card: toy by refine"])
    check(trace.lanes, ["compute", "D2H (offload)", "H2D (return)"])
    check(trace.counters(), ["budget", "host", "memory used"])


@test
def the_slices_of_a_trace_nest_and_those_of_layers_hold_their_ops():
    for line in cases():
        trace = Trace(good("export " + line + " --to chrome").out)
        for lane in trace.lanes:
            depths = trace.depths(lane)
            check(max(depths, default=0) <= 1, True, line)
    layers = [s for s in trace.by_lane["compute"] if s["cat"] == "layer"]
    check(len(layers) > 20, True)
    check([s["name"] for s in layers if s["name"].split()[1] != s["args"]["layer"]], [])


@test
def slices_nest_and_arrows_bind_whatever_the_times_are():
    chance = random.Random(7)
    for _ in range(40):
        profile = copy.deepcopy(TOY)
        scale = 10 ** chance.uniform(-3, 5)
        for op in profile["ops"]:
            op["layer"] = chance.choice("pqr")
            op["forward_us"], op["backward_us"] = (chance.choice((0, scale * chance.random())) for _ in range(2))
        write("chance.json", profile)
        rate = 10 ** chance.uniform(-1, 1) / scale # GB/s: a tensor takes about as long as an op
        line = "export chance.json --planner offload --budget 75%% --bandwidth %.9f --to chrome" % max(rate, 1e-6)
        trace = Trace(good(line).out)
        for lane in trace.lanes:
            trace.depths(lane)
        check(len(trace.flows()) <= 7, True)


@test
def the_arrows_of_a_trace_follow_each_offloaded_tensor_through_its_slices():
    for line in cases():
        trace = Trace(good("export " + line + " --to chrome").out)
        moved = [s["args"]["tensor"] for s in trace.by_lane["D2H (offload)"]]
        flows = trace.flows()
        check(len(flows) <= len(moved), True, line)
        for way in flows.values():
            tensors = [s["args"]["tensor"] for s in way if s["cat"] == "transfer"]
            check(len(set(tensors)) == 1 or line.startswith("tiny"), True, line)
            check([s["cat"] for s in way if s["cat"] not in ("op", "transfer")], [], line)
            check(any(s["name"].startswith("fwd") for s in way[1:]), False, line)
    check(sorted(way[1]["args"]["tensor"] for way in flows.values()), sorted(moved))
    check({tuple(s["name"].split()[0] for s in way) for way in flows.values()} <=
          {("fwd", "D2H", "H2D", "bwd"), ("fwd", "D2H", "H2D", "rec")}, True)


@test
def each_slice_of_a_trace_tells_layer_bytes_action_and_cause():
    trace = Trace(good("export gpt2 --budget 40% --planner slackswap-rule --to chrome").out)
    for part in trace.slices:
        if part["cat"] in ("op", "transfer", "stall"):
            check([key for key in ("layer", "action", "cause", "cause_kind") if key not in part["args"]], [], part["name"])
    ops = [s for s in trace.slices if s["cat"] == "op"]
    check(ops[0]["args"]["cause"], "with the step")
    check(ops[1]["args"]["cause"], "after " + ops[0]["name"])
    check_in("offload L00.context", " ".join(s["args"]["action"] for s in ops))


@test
def what_a_trace_measured_stands_beside_what_is_simulated():
    fixture = os.path.join(cli.SRCDIR, "tests/fixtures/kineto/two_gpus.json")
    good("import", fixture, "-o", "profile.json", "-q", "--device", "0")
    line = "export profile.json --budget 100% --to "
    trace = Trace(good(line + "chrome").out, measured=True)
    check(trace.processes, ["GPU First GPU: two_gpus by refine", "GPU First GPU: two_gpus as measured"])
    measured = [(s["name"], s["ts"], s["dur"], s["args"].get("bytes")) for s in trace.measured]
    check(measured, [("kernels", 10, 10, None), ("kernels", 360, 26, None), ("kernels", 600, 2, None),
                     ("D2H copy", 570, 16, 512), ("H2D copy", 0, 12, 5096)])
    rows = [row for row in table(line + "csv") if row["kind"] == "measured"]
    check([(row["lane"], row["start_us"], row["bytes"]) for row in rows][-2:],
          [("measured d2h", "570", "512"), ("measured h2d", "0", "5096")])
    report = good(line + "markdown").out
    check_in("| H2D | 12.00 us, 4.98 KiB | 0 us, 0 B |", report)
    check_in("| step | 1.00 ms |", report)
    picture = xml.etree.ElementTree.fromstring(good(line + "svg").out)
    check_in("measured", ["".join(node.itertext()) for node in picture.iter(SVG + "text")])
    result = good("plan profile.json --budget 100% --json").json()
    check(result["measured"], {"step_us": 1000, "compute_us": 38, "d2h_us": 16, "d2h_bytes": 512, "h2d_us": 12,
                               "h2d_bytes": 5096})
    check_in("measured      step 1.00 ms, computing 38.00 us; D2H 512 B in 1, 16.00 us; H2D 4.98 KiB in 1, 12.00 us\n",
             good("plan profile.json --budget 100%").out)


# tables

def table(line):
    text = good(line).out
    rows = list(csv.DictReader(io.StringIO(text)))
    check({len(row) for row in csv.reader(io.StringIO(text))}, {len(rows[0])})
    return rows


@test
def the_table_of_events_sums_up_to_the_result():
    for line in cases():
        result = good("plan " + line + " --json").json()
        rows = table("export " + line + " --to csv")

        def total(column, **wanted):
            return sum(float(row[column]) for row in rows if all(row[key] == value for key, value in wanted.items()))
        close(total("duration_us", kind="stall"), result["stall_us"], 1e-6 * len(rows))
        close(total("duration_us", kind="rec"), result["recompute_us"], 1e-6 * len(rows))
        close(total("duration_us", lane="compute") + (123.4567 if "fixed" in line else 0), result["step_us"],
              1e-6 * len(rows))
        check(total("bytes", lane="d2h"), result["d2h_bytes"], line)
        check(total("bytes", lane="h2d"), result["h2d_bytes"], line)
        check([row for row in rows if row["words"] == "" or row["cause"] == ""], [], line)


@test
def the_table_of_memory_peaks_where_the_result_does():
    for line in cases():
        result = good("plan " + line + " --json").json()
        rows = table("export " + line + " --to memory-csv")
        check(max(int(row["used_bytes"]) for row in rows if row["running"] == "1"), result["peak_bytes"], line)
        check(max(int(row["host_bytes"]) for row in rows), result["host_peak_bytes"], line)
        check({int(row["budget_bytes"]) for row in rows}, {result["budget_bytes"]}, line)
        for row in rows:
            parts = [int(row[key]) for key in row if key.endswith("_bytes") and key not in
                     ("used_bytes", "host_bytes", "budget_bytes")]
            check(sum(parts), int(row["used_bytes"]), line)


# hostile names

@test
def names_stay_names_in_every_format():
    write("evil.json", named(EVIL))
    line = "export evil.json --planner offload --budget 70% --to "
    trace = Trace(good(line + "chrome").out)
    check_in("fwd " + EVIL + "A", [s["name"] for s in trace.slices])
    shown = EVIL.replace("\x1b", "\ufffd").replace("\u202e", "\ufffd")
    check_in(shown + "A", [row["name"] for row in table(line + "csv")])
    picture = xml.etree.ElementTree.fromstring(good(line + "svg").out)
    check_in("%s by offload" % shown, ["".join(node.itertext()) for node in picture.iter()])
    report = good(line + "markdown").out
    for bad in ("<script>", "\x1b", "\u202e", "](y)"):
        check(bad in report.replace("\\<", "").replace("\\]", ""), False, bad)
    rows = [row for row in report.splitlines() if row.startswith("|")]
    columns = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    check(set(columns) <= {3, 5, 6}, True, "\n".join(rows))


@test
def a_name_that_looks_like_a_formula_is_text_in_a_table():
    for sign in "=+-@":
        write("formula.json", named(sign + "cmd|' /C calc'!"))
        for row in csv.reader(io.StringIO(good("export formula.json --to csv --budget 70% --planner offload").out)):
            check([cell for cell in row if cell[:1] in tuple("=+-@")], [])


# pictures

def look(text):
    """The style sheet and the rest of a picture."""
    sheet = re.search("<style>.*</style>", text, re.S).group()
    return sheet, text.replace(sheet, "")


@test
def a_picture_follows_its_reader_or_has_the_theme_that_was_asked_for():
    write("toy.json", TOY)
    write("config/slackswap/themes/pink.json", {"base": "light", "forward": {"fg": "#FF00FF"}})
    line = "export toy.json --to svg --budget 70%"
    auto, light, dark, pink = (good(line + theme).out for theme in ("", " --theme light", " --theme default",
                                                                     " --theme pink"))
    check(["prefers-color-scheme" in text for text in (auto, light, dark, pink)], [True, False, False, False])
    check({look(text)[1] for text in (auto, light, dark, pink)}, {look(auto)[1]})
    for part, theme in ((".ground{fill:#FFFFFF}", light), (".ground{fill:#14161A}", dark), (".forward{fill:#FF00FF}", pink)):
        check_in(part, look(theme)[0])
    check_in(".ground{fill:#FFFFFF}", look(auto)[0].split("@media")[0])
    check_in(".ground{fill:#14161A}", look(auto)[0].split("@media")[1])
    check(good(line, env={"SLACKSWAP_THEME": "mono"}).out, auto)


@test
def a_picture_names_what_is_wide_enough_and_keeps_within_its_bounds():
    for line in cases():
        picture = xml.etree.ElementTree.fromstring(good("export " + line + " --to svg").out)
        width, height = float(picture.get("width")), float(picture.get("height"))
        for rect in picture.iter(SVG + "rect"):
            x, y = float(rect.get("x", 0)), float(rect.get("y", 0))
            check(x >= 0 and y >= 0 and x + float(rect.get("width")) <= width and
                  y + float(rect.get("height")) <= height, True, rect.attrib)
    write("toy.json", TOY)
    check_in(">A</text>", good("export toy.json --to svg --planner keep --budget 100%").out)


@test
def a_picture_of_many_steps_is_no_larger_than_one_of_some():
    layers = [{"name": "layer %d" % i, "forward_us": 10 + i % 7, "backward_us": 20, "activation_bytes": 1000,
               "output_bytes": 1000} for i in range(6000)]
    write("long.json", {"schema": "slackswap-profile/1", "layers": layers})
    text = good("export long.json --to svg --planner offload --budget 80%").out
    check(len(text) < 1500000, True, len(text))
    xml.etree.ElementTree.fromstring(text)


# curves

def places(picture, kind):
    """The points of each path of class KIND in the plots; the legend stands to the right of them."""
    paths = [[tuple(map(float, pair)) for pair in re.findall(r"[ML]([\d.]+) ([\d.]+)", path.get("d"))]
             for path in picture.iter(SVG + "path") if kind in path.get("class").split()]
    return [path for path in paths if path and path[0][0] <= 800]


@test
def curves_go_through_the_points_of_a_sweep():
    grid = "toy.json --budget 30%:90%:5% --planner offload,recompute"
    write("toy.json", TOY)
    points = [cli.json.loads(line) for line in good("sweep " + grid + " --json").out.splitlines()]
    picture = xml.etree.ElementTree.fromstring(good("export " + grid + " --to curves").out)
    fits = [point for point in points if point["feasible"]]
    check(0 < len(fits) < len(points), True)
    drawn = [path[0] for path in places(picture, "marker")]
    check(len(drawn), len(fits))
    (x1, y1), (x2, y2) = drawn[0], drawn[-1]
    for point, (x, y) in zip(fits, drawn): # both axes are straight
        for place, first, last, key in ((x, x1, x2, "budget_bytes"), (y, y1, y2, "step_us")):
            low, high = fits[0][key], fits[-1][key]
            if high != low:
                close(place, first + (last - first) * (point[key] - low) / (high - low), 0.02)
    check(len(places(picture, "curve")), 2)
    texts = ["".join(node.itertext()) for node in picture.iter(SVG + "text")]
    check_in("nothing fits below 2.93 KiB", texts)
    check_in("offload, 0.01 GB/s", texts)


@test
def several_rates_give_a_second_plot():
    line = "export gpt2 --to curves --planner slackswap --budget 40%,60%,80% --bandwidth "
    one, three = (xml.etree.ElementTree.fromstring(good(line + rates).out) for rates in ("16", "8,16,32"))
    check([len(places(picture, "curve")) for picture in (one, three)], [1, 3 + 3])
    check([len(places(picture, "marker")) for picture in (one, three)], [3, 9 + 9])
    check("host-to-device bandwidth in GB/s" in good(line + "8,16").out, True)
    check(float(three.get("height")) > float(one.get("height")), True)


@test
def a_budget_alone_is_one_point_and_no_budget_the_grid_of_sweep():
    write("toy.json", TOY)
    for options, count in (("--budget 80%", 1), ("--budget 80% --planner keep,recompute", 1), ("--planner offload", 13)):
        picture = xml.etree.ElementTree.fromstring(good("export toy.json --to curves " + options).out)
        check(len(places(picture, "marker")), count, options)
    picture = xml.etree.ElementTree.fromstring(good("export toy.json --to curves", env={"SLACKSWAP_BUDGET": "40%"}).out)
    check(len(places(picture, "marker")) > 1, True)


@test
def curves_are_the_same_however_many_threads_plan_them():
    line = "export gpt2 --to curves --planner slackswap,refine --budget 40%:80%:20% --bandwidth 8,16 --jobs "
    check(good(line + "1").out, good(line + "3").out)


@test
def a_grid_where_nothing_fits_is_told_and_not_drawn():
    write("toy.json", TOY)
    done = run("export toy.json --to curves --budget 10%,20% -o out")
    check((done.status, done.err), (1, "slackswap: no plan fits at any of the 2 points: there are no curves\n"))
    check(os.path.exists("out"), False)


# plans, files, refusals

@test
def an_exported_plan_is_the_plan():
    good("plan gpt2 -o plan.json")
    check(good("export gpt2 --to plan").out, read("plan.json"))
    check(good("export gpt2 --to plan --plan plan.json").out, read("plan.json"))


@test
def a_plan_that_was_saved_is_exported_as_it_is_replayed():
    good("plan gpt2 --planner recompute -o plan.json")
    result = good("simulate gpt2 --plan plan.json --json --h2d 3").json()
    trace = Trace(good("export gpt2 --plan plan.json --to chrome --h2d 3").out)
    check(trace.document["otherData"]["result"], result)


@test
def every_format_goes_to_the_file_of_o_whole_or_not_at_all():
    write("toy.json", TOY)
    for name in FORMATS:
        out = good("export toy.json --budget 70% --to " + name).out
        check(len(out) > 100, True)
        check(good("export toy.json --budget 70% -o out --to " + name).out, "")
        check(read("out"), out, name)
        check(good("export toy.json --budget 70% --to " + name).out, out, name)
    os.mkdir("folder")
    done = run("export toy.json --to svg --budget 70% -o folder/none/out")
    check(done.status, 4)
    check_in("folder/none/out: can't be written", done.err)


@test
def what_does_not_fit_is_reported_and_not_drawn():
    write("toy.json", TOY)
    for name in FORMATS:
        if name == "curves":
            continue
        done = run("export toy.json --planner keep --to %s -o out" % name)
        check(done.status, 1, name)
        check(os.path.exists("out"), name in ("markdown", "plan"), name)
        if os.path.exists("out"):
            os.remove("out")
        else:
            check(done.err, "slackswap: the plan does not fit into 4.39 KiB: it needs 8.79 KiB at B H; %s shows what fits\n"
                  % name)
    check_in("| fits | no: needs", run("export toy.json --planner keep --to markdown").out)


main()
