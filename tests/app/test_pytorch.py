"""samples/pytorch/slackswap_torch.py: what it records is what PyTorch does, and what it runs is what a plan says."""
import ctypes
import importlib.util
import inspect
import json
import os
import random
import re
import subprocess
import sys
import time
import warnings

if importlib.util.find_spec("torch") is None:  # Debian's Python may have it where the first one in PATH has not
    debian = "/usr/bin/python3"
    if sys.executable != debian and os.path.exists(debian) and \
            subprocess.run([debian, "-c", "import torch"], capture_output=True).returncode == 0:
        os.execv(debian, [debian] + sys.argv)
    print("1..0 # SKIP PyTorch is not installed (Debian: python3-torch)")
    sys.exit()

if os.environ.get("INSTRUMENTED"):
    print("1..0 # SKIP built with a sanitizer, which sees nothing of Python")
    sys.exit()

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn import functional
import torch.utils.checkpoint

import cli
from cli import check, check_in, good, main, run, shared, test

FILES = os.path.abspath(os.path.join(cli.SRCDIR, "samples", "pytorch"))
sys.path.insert(0, FILES)
import pytorch_models as models
import slackswap_torch

torch.set_num_threads(1)
PROFILES = {}


class Step:
    """A model and its step, begun anew: two of the same name do the same, bit for bit."""

    def __init__(self, name):
        if name in models.KINDS:
            torch.manual_seed(5)
            self.model, self.given, self.wanted = models.KINDS[name][0](), models.KINDS[name][1](), torch.zeros(())
        else:
            self.model, self.given, self.wanted = models.make(name)
        torch.manual_seed(7)

    def loss(self):
        result = self.model(self.given)
        return functional.cross_entropy(result, self.wanted) if self.wanted.dim() else (result * result.detach()).sum()

    def __call__(self):
        self.loss().backward()

    def outcome(self):
        """What a step leaves behind: gradients, buffers, the random state."""
        gradients = [p.grad for p in self.model.parameters() if p.grad is not None]
        return gradients + list(self.model.buffers()) + [torch.get_rng_state()]


def profile_of(name, granularity="op"):
    if (name, granularity) not in PROFILES:
        step = Step(name)
        PROFILES[name, granularity] = slackswap_torch.record(step, step.model, name=name, granularity=granularity, repeats=3)
    return PROFILES[name, granularity]


def managed(profile):
    """Bytes of each tensor that the planner decides about."""
    made = {output for op in profile["ops"] for output in op["outputs"]}
    saved = {name for op in profile["ops"] for name in op["saved"]}
    return {tensor["name"]: tensor["bytes"] for tensor in profile["tensors"] if tensor["name"] in made & saved}


def layer_of(profile):
    return {output: op["layer"] for op in profile["ops"] for output in op["outputs"]}


def storage(tensor):
    return tensor.storage().untyped() if not hasattr(tensor, "untyped_storage") else tensor.untyped_storage()


class Count:
    """Counts what autograd saves by hooks of its own, whoever else has some: bytes of storages, each once, without
    parameters, buffers and the batch, and without numbers that stand in the code."""

    def __init__(self, step):
        before = [*step.model.parameters(), *step.model.buffers(), step.given, step.wanted]
        self.before = {storage(tensor)._cdata for tensor in before}
        self.seen = {}

    def note(self, tensor):
        number = tensor.dim() == 0 and not tensor.requires_grad and tensor.dtype in (torch.float64, torch.int64)
        key = storage(tensor)._cdata
        if key not in self.before and key not in self.seen and not number:
            self.seen[key] = StorageWeakRef(storage(tensor)), storage(tensor).nbytes()

    def alive(self):
        return sum(size for weak, size in self.seen.values() if not weak.expired())

    def __enter__(self):
        count, self.plain = self, torch.autograd.graph.saved_tensors_hooks

        class Hooks(self.plain):
            def __init__(self, pack, unpack):
                super().__init__(lambda tensor: (count.note(tensor), pack(tensor))[1], unpack)
        torch.autograd.graph.saved_tensors_hooks = Hooks
        return self

    def __exit__(self, *exception):
        torch.autograd.graph.saved_tensors_hooks = self.plain


def alive_after_forward(step):
    with Count(step) as count, torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda tensor: tensor):
        loss = step.loss()
        size = count.alive()
        loss.backward()
    return size


def for_each_model(function):
    for name in models.NAMES:
        def one(name=name):
            function(name)
        one.__name__ = "%s: %s" % (name, function.__name__)
        test(one)


# Recording


@for_each_model
def saved_bytes_are_those_an_independent_hook_counts(name):
    check(sum(managed(profile_of(name)).values()), alive_after_forward(Step(name)))


@for_each_model
def times_add_up_to_what_the_step_takes(name):
    """Within 30 %, one time in ten: the machine may be busy with other things while one or the other is measured."""
    ratios = []
    for _ in range(10):
        step = Step(name)
        profile = slackswap_torch.record(step, step.model, repeats=3)
        walls = []
        for _ in range(3):
            step.model.zero_grad(set_to_none=True)
            start = time.perf_counter()
            step()
            walls.append((time.perf_counter() - start) * 1e6)
        ratios.append(sum(op["forward_us"] + op["backward_us"] for op in profile["ops"]) / sorted(walls)[1])
        if 0.7 <= ratios[-1] <= 1.3:
            return
    raise AssertionError("the ops' times are %s of what the step takes" % ratios)


@for_each_model
def every_op_that_autograd_knows_takes_time_both_ways(name):
    for op in profile_of(name)["ops"]:
        check(op["forward_us"] > 0, True, op["name"])
        if op["saved"]:
            check(op["backward_us"] > 0, True, op["name"])


def check_rules(profile):
    """MODEL.md §1."""
    names = [tensor["name"] for tensor in profile["tensors"]]
    check(len(set(names)), len(names))
    made = set()
    producers = [output for op in profile["ops"] for output in op["outputs"]]
    check(len(set(producers)), len(producers))
    check(len({op["name"] for op in profile["ops"]}), len(profile["ops"]))
    for op in profile["ops"]:
        check([one for one in op["inputs"] if one in producers and one not in made], [], op["name"])
        check(set(op["saved"]) <= set(op["inputs"] + op["outputs"]), True, op["name"])
        made.update(op["outputs"])
    check(set(names) >= made, True)


def check_plans(profile, budgets):
    """Plans of either unit fit and simulate as the oracle says, over a link so slow that not all hides behind a CPU's times."""
    oracle = shared("oracle", "oracle.py")
    json.dump(profile, open("p.json", "w"))
    for budget in budgets:
        for unit in "tensor", "layer":
            result = good("plan", "p.json", "--budget", budget, "--unit", unit, "--bandwidth", "0.01", "--evals", "50", "--json",
                          "-o", "plan.json").json()
            check(result["feasible"], True)
            check(result["peak_bytes"] <= result["budget_bytes"], True)
            found = subprocess.run([sys.executable, oracle, "simulate", "p.json", "plan.json", "--bandwidth", "0.01"],
                                   capture_output=True, check=True)
            told = json.loads(found.stdout)
            check(abs(told["step_us"] / result["step_us"] - 1) < 1e-6, True, "%r\n%r" % (told, result))


@for_each_model
def the_profile_keeps_the_rules_and_plans_as_the_oracle_says(name):
    check_rules(profile_of(name))
    check_plans(profile_of(name), ["50%", "60%", "70%"])


@for_each_model
def so_does_a_profile_by_module(name):
    profile = profile_of(name, "module")
    check_rules(profile)
    check(sum(managed(profile).values()), alive_after_forward(Step(name)))
    check_plans(profile, ["90%"])


@test
def rows_of_the_viewer_are_elements_of_containers():
    layers = list(dict.fromkeys(op["layer"] for op in profile_of("transformer")["ops"]))
    check(layers, ["embed", "model", "blocks.0", "blocks.1", "blocks.2", "norm", "head", "step"])


@test
def masks_carry_no_gradient_and_activations_do():
    tensors = {tensor["name"]: tensor.get("gradient", True) for tensor in profile_of("transformer")["tensors"]}
    check(tensors["blocks.0.dropout/bernoulli_"], False)
    check(tensors["blocks.0/gelu"], True)
    check(tensors["input"], True)


@test
def what_is_done_in_place_belongs_to_what_it_is_done_to():
    ops = {op["name"]: op for op in profile_of("resnet")["ops"]}
    for name in ops:
        check(name.endswith(("relu_", "add_", "/view", "/t")), False, name)
    norm = ops["layers.0.norm2/native_batch_norm"]  # the sum with the shortcut, and the activation, are made in its output
    check("layers.0.shorten.1/native_batch_norm" in norm["inputs"], True, norm)
    check(norm["saved"].count("layers.0.norm2/native_batch_norm"), 1)


@test
def the_file_is_what_record_returns():
    step = Step("conv_lstm")
    profile = slackswap_torch.record(step, step.model, "p.json", warmup=0, repeats=1)
    check(json.load(open("p.json")), profile)
    check(os.listdir("."), ["p.json"])
    check(profile["name"], "ConvLSTM")
    check_in("PyTorch %s on cpu, op by op" % torch.__version__, profile["source"])
    check("link" in profile, False)
    parameters = sum(p.numel() * 4 for p in step.model.parameters())
    check(profile["static_bytes"], 2 * parameters + step.given.numel() * 4 + step.wanted.numel() * 8)


@test
def an_optimizer_counts_in_memory_and_in_fixed_time():
    step = Step("resnet")
    optimizer = torch.optim.Adam(step.model.parameters())

    def whole_step():
        optimizer.zero_grad()
        step()
        optimizer.step()
        time.sleep(0.02)
    plain = slackswap_torch.record(step, step.model, warmup=0, repeats=1)
    profile = slackswap_torch.record(whole_step, step.model, optimizer=optimizer, warmup=0, repeats=1, layers=1)
    check(profile["static_bytes"] - plain["static_bytes"] > 8 * sum(p.numel() for p in step.model.parameters()) - 1, True)
    check(profile["fixed_us"] > 20000, True)
    check([op["name"] for op in profile["ops"]], [op["name"] for op in plain["ops"]])
    check(list(dict.fromkeys(op["layer"] for op in profile["ops"])), ["stem", "layers", "model", "head", "step"])


@test
def recording_leaves_gradients_buffers_and_random_state_alone():
    step = Step("resnet")
    step()
    before = [tensor.clone() for tensor in step.outcome()]
    slackswap_torch.record(step.loss, step.model, warmup=1, repeats=1)  # the loss alone will do, too
    for expected, found in zip(before, step.outcome()):
        check(torch.equal(expected, found), True)


class Odd(torch.nn.Module):
    """Two layers with something between them."""

    def __init__(self, between):
        super().__init__()
        self.first, self.second, self.between = torch.nn.Linear(8, 8), torch.nn.Linear(8, 8), between

    def forward(self, x):
        return self.second(self.between(self.first(x))).sum()


def odd(between):
    """A model with that between, its loss, and its profile as ops by name."""
    torch.manual_seed(3)
    model, given = Odd(between), torch.randn(16, 8)
    profile = slackswap_torch.record(lambda: model(given), model, warmup=0, repeats=1)
    check_rules(profile)
    return model, given, {op["name"]: op for op in profile["ops"]}


def refused(error, words, function, *arguments, **more):
    try:
        function(*arguments, **more)
    except error as found:
        check_in(words, str(found))
        return
    raise AssertionError("nothing was refused; expected: %s" % words)


def step_under(model, given, actions):
    under = slackswap_torch.apply(model, {"actions": actions})
    model.zero_grad(set_to_none=True)
    with under:
        model(given).backward()
    return under.report()


def gradients(model, given, actions=None):
    torch.manual_seed(4)
    if actions is None:
        model.zero_grad(set_to_none=True)
        model(given).backward()
    else:
        step_under(model, given, actions)
    return [parameter.grad.clone() for parameter in model.parameters()]


def same(found, expected):
    check([torch.equal(a, b) for a, b in zip(found, expected)], [True] * len(expected))


@test
def randomness_of_its_own_generator_is_not_recomputed():
    generator = torch.Generator()
    model, given, ops = odd(lambda x: x * torch.empty_like(x).bernoulli_(0.5, generator=generator))
    check(ops["model/bernoulli_"]["recomputable"], False)
    refused(slackswap_torch.PlanError, "model/bernoulli_ can't be recomputed: model/bernoulli_ must not run twice "
            "(its random generator is not the default one)", step_under, model, given, {"model/bernoulli_": "recompute"})


@test
def what_is_filled_unseen_is_not_recomputed():
    def filled(x):
        mask = torch.empty_like(x)
        ctypes.memset(mask.data_ptr(), 0, mask.numel() * 4)
        return x * mask
    model, given, ops = odd(filled)
    check(ops["model/empty_like"]["recomputable"], False)
    refused(slackswap_torch.PlanError, "model/empty_like must not run twice (what it makes is filled by something that is not "
            "seen)", step_under, model, given, {"model/empty_like": "recompute"})
    same(gradients(model, given, {"model/empty_like": "offload"}), gradients(model, given))


class Cube(torch.autograd.Function):
    """Saves what it makes on the way, and what it is given."""

    @staticmethod
    def forward(context, x):
        square = x * x
        result = square * x
        context.save_for_backward(square, x)
        return result.clone()

    @staticmethod
    def backward(context, gradient):
        square, x = context.saved_tensors
        return 3 * gradient * square


@test
def custom_functions_are_recorded_and_applied():
    model, given, ops = odd(Cube.apply)
    check(set(name for op in ops.values() for name in op["saved"]), {"first/addmm", "model/mul", "model/clone"})  # and not "model/mul#2"
    for actions in {"model/mul": "recompute"}, {"model/mul": "offload", "first/addmm": "recompute"}:
        same(gradients(model, given, actions), gradients(model, given))


@test
def versions_of_a_storage_are_told_apart():
    """What was read before something was overwritten is rebuilt from what was there then."""
    def between(x):
        total = x * 1
        for factor in 2, 3:
            early = total * factor   # reads what the next line overwrites, and saves it nowhere
            total += early.sigmoid()
        return total.tanh()
    model, given, ops = odd(between)
    names = {name for op in ops.values() for name in op["saved"]}
    for name in names:
        same(gradients(model, given, {name: "recompute"}), gradients(model, given))
    same(gradients(model, given, dict.fromkeys(names, "recompute")), gradients(model, given))


@test
def overwriting_what_was_saved_is_noticed_as_without_a_plan():
    model, given = Odd(lambda x: x.exp()), torch.randn(16, 8)

    def spoiled(x):
        result = x.exp()
        changed = result.mul_(2)
        return changed
    model.between = spoiled
    refused(RuntimeError, "inplace operation", lambda: model(given).backward())
    refused(RuntimeError, "inplace operation", step_under, model, given, {})


@test
def running_statistics_are_updated_once():
    torch.manual_seed(3)
    model, given = Odd(torch.nn.BatchNorm1d(8)), torch.randn(16, 8)
    plain = [buffer.clone() for buffer in model.buffers()]
    step_under(model, given, {"between/native_batch_norm": "recompute", "first/addmm": "recompute"})
    after = [buffer.clone() for buffer in model.buffers()]
    for buffer, content in zip(model.buffers(), plain):
        buffer.copy_(content)
    model(given).backward()
    same(list(model.buffers()), after)


@test
def views_that_are_conjugated_or_negated_come_back_so():
    def between(x):
        z = torch.view_as_complex(x.reshape(-1, 2).contiguous()).conj()
        return torch.view_as_real(z * z.exp()).reshape(x.shape)
    model, given, ops = odd(between)
    names = {name for op in ops.values() for name in op["saved"]}
    for action in "offload", "recompute":
        same(gradients(model, given, dict.fromkeys(names, action)), gradients(model, given))


# Recording: what is refused


@test
def steps_that_cannot_be_recorded_are_refused_with_the_reason():
    model, given = Odd(torch.tanh), torch.randn(4, 8)
    record, wrong = slackswap_torch.record, slackswap_torch.RecordError
    refused(wrong, "returned no loss to run one from (it was given NoneType)", record, lambda: None, model)
    refused(wrong, "a second backward pass", record, lambda: [model(given).backward() for _ in range(2)], model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of a cycle in what is refused
        refused(wrong, "create_graph", record, lambda: model(given).backward(create_graph=True), model, warmup=0)
    turns = iter([torch.tanh, torch.tanh, torch.sin] * 20)
    model.between = lambda x: next(turns)(x)
    refused(wrong, "two runs of the step did different ops: ", record, lambda: model(given), model)
    model.between = lambda x: torch.utils.checkpoint.checkpoint(torch.tanh, x)
    refused(wrong, "a model that checkpoints", record, lambda: model(given), model)
    refused(ValueError, "granularity is \"op\" or \"module\", not 'line'", record, None, model, granularity="line")


# Applying


def plans_for(name, granularity="op"):
    """Plans of all kinds: by slackswap with either unit, and at random."""
    profile = profile_of(name, granularity)
    sizes, layers, chance = managed(profile), layer_of(profile), random.Random(name)
    once = {output for op in profile["ops"] if not op.get("recomputable", True) for output in op["outputs"]}
    choices = ["keep", "offload", "recompute"]
    json.dump(profile, open("p.json", "w"))
    for action in choices:
        yield "all " + action, {one: "keep" if one in once else action for one in sizes}, None
    for number in range(3):
        by_layer = {}
        for label, actions in ("tensors %d" % number, {one: chance.choice(choices) for one in sizes}), (
                "layers %d" % number, {one: by_layer.setdefault(layers[one], chance.choice(choices)) for one in sizes}):
            yield label, {one: "offload" if one in once and action == "recompute" else action
                          for one, action in actions.items()}, None
    for budget, unit in ("50%", "layer"), ("70%", "layer"), ("50%", "tensor"), ("60%", "tensor"):
        budget = budget if granularity == "op" else "90%"
        result = good("plan", "p.json", "--budget", budget, "--unit", unit, "--bandwidth", "0.01", "--evals", "50", "--json",
                      "-o", "plan.json").json()
        yield "%s by %s" % (budget, unit), json.load(open("plan.json"))["actions"], result


RUNS = {}


def runs_of(name, granularity):
    """A step under each of these plans: what it leaves behind, what was left on the device after the forward pass."""
    if (name, granularity) not in RUNS:
        RUNS[name, granularity] = []
        for label, actions, result in plans_for(name, granularity):
            step = Step(name)
            under = slackswap_torch.apply(step.model, {"actions": actions})
            with Count(step) as count, under:
                loss = step.loss()
                left = count.alive()
                loss.backward()
            RUNS[name, granularity].append((label, actions, result, step.outcome(), left, under.report()))
    return RUNS[name, granularity]


def check_outcome(name, granularity):
    plain = Step(name)
    plain()
    for label, _, _, outcome, _, _ in runs_of(name, granularity):
        for number, (expected, found) in enumerate(zip(plain.outcome(), outcome)):
            check(torch.equal(expected, found), True, "%s: result %d" % (label, number))


def check_bytes(name, granularity):
    sizes, all_saved = managed(profile_of(name, granularity)), alive_after_forward(Step(name))
    for label, actions, result, _, left, report in runs_of(name, granularity):
        gone = {way: sum(sizes[one] for one, action in actions.items() if action == way) for way in ("offload", "recompute")}
        check(all_saved - left, gone["offload"] + gone["recompute"], label)
        check((report["offloaded_bytes"], report["recomputed_bytes"], report["saved_after_forward_bytes"]),
              (gone["offload"], gone["recompute"], left), label)
        check(report["peak_host_bytes"], gone["offload"], label)
        if result:
            check((result["keep_bytes"], result["offload_bytes"], result["recompute_bytes"]),
                  (left, gone["offload"], gone["recompute"]), label)


@for_each_model
def under_any_plan_a_step_leaves_the_same_behind_bit_for_bit(name):
    check_outcome(name, "op")


@for_each_model
def so_it_does_under_a_plan_by_module(name):
    check_outcome(name, "module")


@for_each_model
def saved_bytes_fall_by_what_the_plan_says(name):
    check_bytes(name, "op")
    check_bytes(name, "module")


def check_kind(name, granularity):
    """Recorded by the rules, to the byte, and the same under plans: all of one action, and mixed."""
    step = Step(name)
    profile = slackswap_torch.record(step, step.model, granularity=granularity, warmup=0, repeats=1)
    check_rules(profile)
    sizes, chance = managed(profile), random.Random(name)
    check(sum(sizes.values()), alive_after_forward(Step(name)), name)
    once = {output for op in profile["ops"] if not op.get("recomputable", True) for output in op["outputs"]}
    plain = Step(name)
    plain()
    choices = ["keep", "offload", "recompute"]
    for choice in [choices[:1], choices[1:2], choices[2:]] + 3 * [choices]:
        actions = {one: chance.choice(choice) for one in sizes}
        actions = {one: "offload" if one in once and action == "recompute" else action for one, action in actions.items()}
        step = Step(name)
        under = slackswap_torch.apply(step.model, {"actions": actions})
        with under:
            step()
        for expected, found in zip(plain.outcome(), step.outcome()):
            check(torch.equal(expected, found), True, "%s: %s" % (name, actions))
        kept = sum(size for one, size in sizes.items() if actions[one] == "keep")
        check((under.report()["kept_bytes"], under.report()["saved_after_forward_bytes"]), (kept, kept), name)


@test
def modules_of_many_kinds_are_recorded_and_run_under_plans():
    for name in models.KINDS:
        check_kind(name, "op")


@test
def so_they_are_by_module():
    for name in models.KINDS:
        check_kind(name, "module")


@test
def plans_may_name_layers_modules_and_patterns():
    plain = Step("transformer")
    plain()
    step = Step("transformer")
    under = slackswap_torch.apply(step.model, {"layers": {"blocks": "recompute", "blocks.1": "offload"},
                                               "actions": {"*/gelu": "keep", "blocks.0/gelu": "offload", "norm/*": "recompute"}})
    with under:
        step()
    profile, layers = profile_of("transformer"), layer_of(profile_of("transformer"))
    sizes = managed(profile)
    ways = {}
    for name, size in sizes.items():
        way = ("offload" if name == "blocks.0/gelu" else "keep" if name.endswith("/gelu") else
               "recompute" if name.startswith("norm/") else "offload" if layers[name] == "blocks.1" else
               "recompute" if layers[name].startswith("blocks.") else "keep")
        ways[way] = ways.get(way, 0) + size
    report = under.report()
    check((report["kept_bytes"], report["offloaded_bytes"], report["recomputed_bytes"]),
          (ways["keep"], ways["offload"], ways["recompute"]))
    same(step.outcome(), plain.outcome())


@test
def a_layer_with_others_inside_is_not_taken_for_all_of_them():
    model, given = torch.nn.ModuleDict({"outer": Odd(torch.square)}), torch.randn(16, 8)
    under = slackswap_torch.apply(model, {"layers": {"outer": "recompute"}})
    with under:
        refused(slackswap_torch.PlanError, "outer is a layer, and a module with others inside",
                lambda: model["outer"](given).backward())


@test
def a_plan_for_something_else_is_refused_before_the_backward_pass():
    step = Step("conv_lstm")
    with slackswap_torch.apply(step.model, {"actions": {"conv.1/relu": "keep", "blocks.7/gelu": "offload", "x": "keep"}}):
        refused(slackswap_torch.PlanError, "the plan names blocks.7/gelu, which this step does not save (and 1 more)", step)
    check([parameter.grad for parameter in step.model.parameters()], [None] * len(list(step.model.parameters())))
    for plan, words in (({}, "expected a slackswap-plan/1"), ({"actions": []}, "actions: expected an object"),
                        ({"actions": {"a": "burn"}}, "a: expected keep, offload or recompute, found 'burn'")):
        refused(slackswap_torch.PlanError, words, slackswap_torch.apply, step.model, plan)


@test
def what_runs_between_modules_is_not_recomputed_by_a_plan_by_module():
    step = Step("transformer")
    with slackswap_torch.apply(step.model, {"actions": {"model/between@1": "recompute"}}):
        refused(slackswap_torch.PlanError, "model/between@1 can't be recomputed: model/between must not run twice (it runs "
                "between modules)", step)


@test
def one_plan_serves_many_steps_and_evaluation_between():
    actions = {name: "recompute" if number % 2 else "offload" for number, name in enumerate(managed(profile_of("resnet")))}
    plain = Step("resnet")
    for _ in range(3):
        plain()
    expected = plain.outcome()
    step = Step("resnet")
    under = slackswap_torch.apply(step.model, {"actions": actions})
    for _ in range(3):
        with under:
            step()
        with torch.no_grad(), under:
            step.model.eval()(step.given)
        step.model.train()
    same(step.outcome(), expected)


@test
def a_graph_may_be_gone_through_twice():
    actions = {name: "recompute" for name in managed(profile_of("transformer"))}
    plain = Step("transformer")
    loss = plain.loss()
    loss.backward(retain_graph=True)
    loss.backward()
    step = Step("transformer")
    with slackswap_torch.apply(step.model, {"actions": actions}):
        loss = step.loss()
        loss.backward(retain_graph=True)
        loss.backward()
    same(step.outcome(), plain.outcome())


@test
def the_backward_pass_may_run_after_the_block():
    actions = {name: "recompute" for name in managed(profile_of("transformer"))}
    plain = Step("transformer")
    plain()
    step = Step("transformer")
    with slackswap_torch.apply(step.model, {"actions": actions}):
        loss = step.loss()
    loss.backward()
    same(step.outcome(), plain.outcome())


@test
def returns_start_as_early_as_room_allows_and_no_earlier_than_the_plan_says():
    sizes = managed(profile_of("transformer"))
    ahead, peaks = [], []
    for plan in {"prefetch_steps": 0}, {"prefetch_steps": 2}, {}:
        step = Step("transformer")
        plan["actions"] = {name: "offload" for name in list(sizes)[::2]}
        under = slackswap_torch.apply(step.model, plan)
        fetch, early = under._fetch, []

        def watched(made):
            early.append(sys._getframe(1).f_code.co_name == "_fetch_ahead")
            fetch(made)
            if early[-1]:
                check(under.figures.device_bytes <= under.room, True)
        under._fetch = watched
        with under:
            step()
        ahead.append(sum(early))
        peaks.append(under.report()["peak_saved_bytes"])
        check(len(early), len(plan["actions"]))
    check(ahead[0] < ahead[1] <= ahead[2] < len(early), True, ahead)
    check(peaks[0] <= peaks[2] <= under.report()["saved_after_forward_bytes"] + max(sizes.values()), True, peaks)


@test
def the_manual_names_every_argument_and_every_figure():
    page = cli.read(os.path.join(cli.SRCDIR, "man/slackswap-pytorch.7"))
    arguments = [name for function in (slackswap_torch.record, slackswap_torch.apply)
                 for name, parameter in inspect.signature(function).parameters.items() if parameter.kind is parameter.KEYWORD_ONLY]
    step = Step("conv_lstm")
    under = slackswap_torch.apply(step.model, {"actions": {}})
    with under:
        step()
    listed = {name for line in re.findall(r"^\.It Li (.*)$", page, re.M) for name in line.split(" , ")}
    check(listed, set(arguments) | set(under.report()))
    defaults = {name: parameter.default for name, parameter in inspect.signature(slackswap_torch.record).parameters.items()}
    for name in "warmup", "repeats":
        check_in("; %d when absent" % defaults[name], page.split(".It Li %s\n" % name)[1].split(".It")[0].replace("\n", " "))


# The tour


@test
def the_tour_goes_from_a_step_to_a_plan_and_back():
    tour = [sys.executable, os.path.join(FILES, "tour.py")]
    found = subprocess.run(tour + ["record"], capture_output=True, text=True)
    check((found.returncode, found.stderr), (0, ""))
    check_in("transformer.json: ", found.stdout)
    command = re.search(r"slackswap (plan transformer.json .*)", cli.read(tour[1])).group(1)
    result = good(command + " --json").json()
    found = subprocess.run(tour + ["apply", "plan.json", "2"], capture_output=True, text=True)
    check((found.returncode, found.stderr), (0, ""))
    check_in("gradients of 2 steps          the same, bit for bit\n", found.stdout)
    check_in("of these: kept %.2f MiB, offloaded %.2f MiB, recomputed %.2f MiB" % tuple(
        result[way + "_bytes"] / 2 ** 20 for way in ("keep", "offload", "recompute")), found.stdout)
    found = subprocess.run(tour, capture_output=True, text=True)
    check(found.returncode, 2)


if __name__ == "__main__":
    main()
