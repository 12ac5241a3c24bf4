"""Each kind of bad input: exit status 3, nothing on standard output, and one message that names the file, the place in it,
what was expected and what was found."""
import copy
import json
import os
import threading

from cli import TOY, check, main, run, test, write

WHOLE = "expected a whole number from 0 to below 2^53"
TIME = "expected a finite time of 0 us or more"


def toy(path, value):
    """The toy profile with one value changed; None takes it away."""
    profile = copy.deepcopy(TOY)
    place = profile
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return profile


PROFILES = [
    # no JSON
    ("", "expected a JSON document, found an empty file"),
    ('{"ops": [}', "line 1, column 10: expected ']' to close what line 1 opens, found '}'"),
    ("{} x", "line 1, column 4: expected the end of the file, found 'x'"),
    ('{"name": "a", "name": "b"}', "$.name: expected each member once, found 'name' twice"),
    # another document
    ([1], '$: expected a profile, an object with "tensors" and "ops" or with "layers", found a list'),
    (toy(["schema"], "slackswap-profile/2"), "$.schema: expected \"slackswap-profile/1\", found 'slackswap-profile/2'"),
    ({"schema": "slackswap-profile/1"}, '$.ops: expected "tensors" and "ops", or "layers", found nothing'),
    # the profile itself
    (toy(["ops"], []), "$.ops: expected at least one op, found none"),
    (toy(["tensors"], None), "$.tensors: expected a list, found nothing"),
    (toy(["static_bytes"], "x"), "$.static_bytes: %s, found 'x'" % WHOLE),
    (toy(["fixed_us"], -1), "$.fixed_us: %s, found -1" % TIME),
    (toy(["device"], 3), "$.device: expected an object, found 3"),
    (toy(["link", "d2h_gb_per_s"], None), "$.link.d2h_gb_per_s: expected a finite rate above 0 GB/s, found nothing"),
    (toy(["link", "h2d_gb_per_s"], 0), "$.link.h2d_gb_per_s: expected a finite rate above 0 GB/s, found 0"),
    (toy(["link", "h2d_both_gb_per_s"], 1),
     "$.link.h2d_both_gb_per_s: expected a rate above 0 GB/s and at most that direction's single one, found 1"),
    (toy(["link", "latency_us"], -1), "$.link.latency_us: %s, found -1" % TIME),
    # tensors
    (toy(["tensors", 1, "name"], None), "$.tensors[1].name: expected a name, found nothing"),
    (toy(["tensors", 1, "bytes"], None), "$.tensors[1].bytes: %s, found nothing ('a')" % WHOLE),
    (toy(["tensors", 1, "bytes"], "1k"), "$.tensors[1].bytes: %s, found '1k' ('a')" % WHOLE),
    (toy(["tensors", 1, "bytes"], -1), "$.tensors[1].bytes: %s, found -1 ('a')" % WHOLE),
    (toy(["tensors", 1, "bytes"], 1.5), "$.tensors[1].bytes: %s, found 1.5 ('a')" % WHOLE),
    (toy(["tensors", 1, "bytes"], 2**53), "$.tensors[1].bytes: %s, found 9007199254740992 ('a')" % WHOLE),
    (toy(["tensors", 1, "gradient"], "no"), "$.tensors[1].gradient: expected true or false, found 'no' ('a')"),
    (toy(["tensors", 2, "name"], "a"), "$.tensors[2].name: tensor 'a' stands twice: names must be unique"),
    # ops
    (toy(["ops", 1, "name"], "A"), "$.ops[1].name: op 'A' stands twice: names must be unique"),
    (toy(["ops", 1, "name"], ""), "$.ops[1].name: expected a name, found ''"),
    (toy(["ops", 1, "forward_us"], -1), "$.ops[1].forward_us: %s, found -1 ('B')" % TIME),
    (toy(["ops", 1, "backward_us"], None), "$.ops[1].backward_us: %s, found nothing ('B')" % TIME),
    (json.dumps(TOY).replace('"forward_us": 100', '"forward_us": 1e999', 1),
     "$.ops[0].forward_us: %s, found a number too large to hold ('A')" % TIME),
    (toy(["ops", 1, "inputs"], "a"), "$.ops[1].inputs: expected a list, found 'a' ('B')"),
    (toy(["ops", 1, "inputs"], ["zz"]), "$.ops[1].inputs[0]: expected the name of a tensor, found 'zz' ('B')"),
    (toy(["ops", 0, "inputs"], ["c"]),
     "$.ops[0].inputs[0]: op 'A': input 'c' is produced later, by op 'C': ops must stand in execution order"),
    (toy(["ops", 1, "outputs"], ["b", "a"]), "$.ops[1].outputs[1]: op 'B': output 'a' has a producer already, op 'A'"),
    (toy(["ops", 2, "saved"], ["a"]),
     "$.ops[2].saved[0]: op 'C': saved 'a' is neither its input nor its output, and has a producer, op 'A'"),
    # a name from a file can't drive the terminal
    (toy(["ops", 1, "inputs"], ["\x1b[31mred"]),
     "$.ops[1].inputs[0]: expected the name of a tensor, found '\ufffd[31mred' ('B')"),
    # the short form
    ({"schema": "slackswap-profile/1", "layers": []}, "$.layers: expected at least one op, found none"),
    ({"schema": "slackswap-profile/1", "layers": [{"name": "a", "forward_us": 1, "backward_us": 1}]},
     "$.layers[0].output_bytes: %s, found nothing ('a')" % WHOLE),
]

PLANS = [
    ([1], '$: expected a plan, an object with "actions", found a list'),
    ({"schema": "slackswap-plan/2", "actions": {}}, "$.schema: expected \"slackswap-plan/1\", found 'slackswap-plan/2'"),
    ({"actions": {"zz": "keep"}}, "$.actions.zz: expected a tensor of profile 'toy', found 'zz'"),
    ({"actions": {"x": "offload"}},
     "$.actions.x: tensor 'x' is not managed: no op produces it, so no plan decides about it"),
    ({"actions": {"a": "drop"}},
     "$.actions.a: expected \"keep\", \"offload\" or \"recompute\" for tensor 'a', found 'drop'"),
    ({"actions": {"c": "offload"}}, "$.actions.c: tensor 'c' must stay on the GPU (\"keep\": true): cannot offload it"),
    ({"actions": {"b": "recompute"}},
     "$.actions.b: tensor 'b': to recompute it, op 'B' would run again, which it must not (\"recomputable\": false)"),
    ({"actions": {}, "budget_bytes": -3}, "$.budget_bytes: expected a whole number of 0 or more, found -3"),
]


def refused(command, file, message):
    done = run(command)
    check(done.err, "slackswap: %s: %s\n" % (file, message))
    check(done.out, "")
    check(done.status, 3)


@test
def each_fault_of_a_profile_is_refused_with_its_place():
    for content, message in PROFILES:
        refused("plan bad.json", write("bad.json", content), message)


@test
def each_fault_of_a_plan_is_refused_with_its_place():
    profile = copy.deepcopy(TOY)
    profile["ops"][1]["recomputable"] = False
    profile["tensors"][3]["keep"] = True
    write("toy.json", profile)
    for content, message in PLANS:
        if isinstance(content, dict):
            content.setdefault("schema", "slackswap-plan/1")
        refused("simulate toy.json --plan plan.json", write("plan.json", content), message)


@test
def every_command_that_takes_a_profile_refuses_a_bad_one():
    write("bad.json", [1])
    for command in ("view", "plan", "compare", "screen", "simulate --plan bad.json"):
        refused("%s bad.json" % command, "bad.json", PROFILES[4][1])


@test
def a_fault_on_standard_input_is_said_to_be_there():
    done = run("plan", "-", stdin="[]")
    check(done.err, "slackswap: standard input: %s\n" % PROFILES[4][1])
    check(done.status, 3)


@test
def a_file_that_is_not_there_or_is_a_folder_is_bad_input():
    refused("plan nothing.json", "nothing.json", "can't be read: No such file or directory")
    refused("plan ./", "./", "can't be read: Is a directory")
    write("toy.json", TOY)
    refused("simulate toy.json --plan nothing.json", "nothing.json", "can't be read: No such file or directory")


@test
def what_is_no_known_recording_is_refused():
    refused("import file.txt", write("file.txt", "hello\n"),
            "expected a trace of torch.profiler, a graph of PipeDream or a table of layers, found none of these; "
            "--from csv and --map read other tables")


@test
def a_recording_where_a_profile_belongs_is_told_what_makes_one_of_it():
    words = "a recording, no profile: 'slackswap import FILE -o profile.json' makes one of it"
    write("trace.json", '{"schemaVersion": 1, "traceEvents": [3]}')
    write("graph.txt", "node1 -- Input -- forward_compute_time=1.0, backward_compute_time=0.0, activation_size=1.0, "
                       "parameter_size=0.0\n")
    for command in ("plan", "screen", "view --plain", "check --plan x.json", "sweep"):
        refused(f"{command} trace.json", "trace.json", words)
        refused(f"{command} graph.txt", "graph.txt", words)


@test
def a_pipe_is_read_once_whatever_is_in_it():
    os.mkfifo("pipe")
    graph = "node1 -- Input -- forward_compute_time=1.0, backward_compute_time=0.0, activation_size=1.0, parameter_size=0.0\n"
    for content, status in [(json.dumps(TOY), 0), (graph, 3), ("", 3), ("{", 3)]:
        writer = threading.Thread(target=lambda: write("pipe", content))
        writer.start()
        done = run("plan", "pipe")
        writer.join()
        check(done.status, status, done.err)
        check(status == 0 or done.err.startswith("slackswap: pipe: "), True, done.err)


@test
def a_fault_in_a_recording_is_refused_with_its_line():
    write("graph.txt", "node1 -- Input -- forward_compute_time=1.0, backward_compute_time=0.0, activation_size=x, "
                       "parameter_size=0.0\n")
    done = run("import --from pipedream graph.txt")
    check(done.err.startswith("slackswap: graph.txt: line 1: expected "), True, done.err)
    check(done.status, 3)


main()
