"""slackswap for PyTorch: record a training step as a profile, and run training steps under a plan.

    import slackswap_torch

    def step():                                   # forward and backward of one micro-batch; or return the loss alone
        loss_of(model(batch), target).backward()

    slackswap_torch.record(step, model, "model.json")
        # then, in a shell: slackswap plan model.json --budget 60% -o plan.json

    run = slackswap_torch.apply(model, "plan.json")
    for batch, target in data:
        with run:
            loss_of(model(batch), target).backward()
        optimizer.step()
    print(run.report())

One file, nothing but PyTorch (1.13 or later) beside it: copy it into your project.

How a step is seen. Modules tell when they are entered and left (hooks); a TorchDispatchMode sees every op that runs below
autograd; saved-tensor hooks see what autograd keeps. What is counted is the storage, not the tensor: views and results made
in place are their storage, and two tensors that share one are one. Every op and every storage gets a name made of the
path of its module, the op and a running number: "blocks.0.attn.qkv/addmm". The same names come back in every step
that does the same, and by them a plan is applied.

How a plan is carried out. A saved tensor that the plan offloads is copied to (pinned) host memory when autograd saves it,
and fetched, ahead of its use where there is room, in the backward pass. One that the plan recomputes is dropped; what
made it is run again, op by op, as far back as something kept, offloaded or already recomputed: the closure of MODEL.md, and
what torch.utils.checkpoint does for modules. Random ops get back the state they started from.
"""
import contextlib
import json
import os
import statistics
import time
import weakref

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils import _python_dispatch
from torch.utils._python_dispatch import TorchDispatchMode

__all__ = ["record", "apply", "PlanError", "RecordError"]


class RecordError(RuntimeError):
    """The step can't be recorded; the message says why and what to do."""


class PlanError(ValueError):
    """The plan can't be carried out; the message names the tensor."""


# Tensors, storages, ops: what PyTorch says of them


def _storage(tensor):
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor.storage().untyped()


def _has_storage(tensor):
    return tensor.layout == torch.strided and not tensor.is_quantized and tensor.device.type != "meta"


def _geometry(tensor):
    return tensor.dtype, tensor.storage_offset(), tuple(tensor.size()), tuple(tensor.stride())


def _view(storage, geometry):
    dtype, offset, size, stride = geometry
    return torch.empty(0, dtype=dtype, device=storage.device).set_(storage, offset, size, stride)


def _flat(storage):
    return _view(storage, (torch.uint8, 0, (storage.nbytes(),), (1,)))


def _tensors(value):
    """Every tensor in what an op takes or gives."""
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _tensors(item)


def _op_name(func):
    name = func._schema.name
    return name[len("aten::"):] if name.startswith("aten::") else name


_WRITTEN = {}


def _written(func):
    """Which arguments the op writes into: (position, name) of each."""
    if func not in _WRITTEN:
        _WRITTEN[func] = [(i, argument.name) for i, argument in enumerate(func._schema.arguments)
                          if argument.alias_info is not None and argument.alias_info.is_write]
    return _WRITTEN[func]


def _written_tensors(func, args, kwargs):
    for position, name in _written(func):
        yield from _tensors(args[position] if position < len(args) else kwargs.get(name))


def _allocates(name):
    """Makes room without a content: whoever writes into it has made the tensor."""
    return name.startswith(("empty", "new_empty"))


def _is_random(func):
    return torch.Tag.nondeterministic_seeded in getattr(func, "tags", ())


def _updates_running_statistics(name):
    """Batch norm in training writes statistics that it does not read: it may run again, on a copy of them."""
    return "batch_norm" in name


def _why_not_again(func, name, args, kwargs):
    """Why the op must not run a second time, or None."""
    if name.startswith(("c10d", "_c10d")):
        return "it talks to other processes"
    if any(isinstance(value, torch.Generator) for value in (*args, *kwargs.values())):
        return "its random generator is not the default one"
    if "cudnn_rnn" in name or "miopen_rnn" in name:
        named = dict(zip((argument.name for argument in func._schema.arguments), args), **kwargs)
        if named.get("train") and named.get("dropout"):
            return "the state of its dropout is lost"
    for tensor in _tensors((args, kwargs)):
        if not _has_storage(tensor):
            return "it reads a tensor without a plain storage"
        if tensor.is_conj() or tensor.is_neg():
            return "it reads a lazily conjugated or negated tensor"
    return None


# Random state


def _generators(args, kwargs):
    devices = {tensor.device for tensor in _tensors((args, kwargs))}
    if kwargs.get("device") is not None:
        devices.add(torch.device(kwargs["device"]))
    return [device for device in devices if device.type == "cuda"] or ["cpu"]


def _random_state(devices):
    return [(device, torch.get_rng_state() if device == "cpu" else torch.cuda.get_rng_state(device))
            for device in devices]


def _set_random_state(states):
    for device, state in states:
        torch.set_rng_state(state) if device == "cpu" else torch.cuda.set_rng_state(state, device)


def _all_generators():
    return ["cpu"] + ([torch.device("cuda", i) for i in range(torch.cuda.device_count())]
                      if torch.cuda.is_initialized() else [])


# Seeing a step go by


class _Names:
    """Names that are there once: the second "a/mul" is "a/mul#2"."""

    def __init__(self):
        self.count = {}

    def take(self, name):
        self.count[name] = count = self.count.get(name, 0) + 1
        if count == 1:
            return name
        return self.take("%s#%d" % (name, count))


class _Ops(TorchDispatchMode):
    def __init__(self, see):
        super().__init__()
        self.see = see

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        return self.see(func, args, kwargs or {})


class _Watch:
    """While it is entered, tells its heir of the ops of the forward pass, of what autograd saves, and of the backward pass.

    An heir defines op(func, args, kwargs), which runs the op, pack and unpack, and backward_begins, backward_ends.
    path is where the forward pass is: the module entered last, None outside of the model."""
    see_ops = True
    see_saved = True

    def __init__(self, model):
        self.modules = {}
        for name, module in model.named_modules():
            if not isinstance(module, torch.jit.ScriptModule):
                self.modules[module] = name
        self.within = []
        self.in_backward = False

    @property
    def path(self):
        return self.within[-1] if self.within else None

    def entered(self, path):
        pass

    def left(self, path, inputs, output):
        pass

    def _enter_module(self, module, inputs):
        self.within.append(self.modules[module])
        self.entered(self.path)

    def _leave_module(self, module, inputs, output):
        self.left(self.path, inputs, output)
        self.within.pop()

    def __enter__(self):
        self.within, self.in_backward = [], False
        self.mode = _Ops(self._see)
        with contextlib.ExitStack() as stack:
            for module in self.modules:
                stack.callback(module.register_forward_pre_hook(self._enter_module).remove)
                stack.callback(module.register_forward_hook(self._leave_module).remove)
            for name in "backward", "grad":
                stack.callback(setattr, torch.autograd, name, getattr(torch.autograd, name))
                setattr(torch.autograd, name, self._around(getattr(torch.autograd, name)))
            if self.see_saved:
                stack.enter_context(torch.autograd.graph.saved_tensors_hooks(self.pack, self.unpack))
            if self.see_ops:
                stack.enter_context(self.mode)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exception):
        return self.stack.__exit__(*exception)

    def _see(self, func, args, kwargs):
        if self.in_backward or func is torch.ops.aten.detach.default:  # autograd itself detaches, now and then
            return func(*args, **kwargs)
        return self.op(func, args, kwargs)

    def _around(self, backward):
        def bracketed(*args, **kwargs):
            if self.in_backward:
                return self.nested_backward(backward, args, kwargs)
            with self.quiet():
                self.backward_begins()
                self.in_backward = True
                try:
                    return backward(*args, **kwargs)
                finally:
                    self.in_backward = False
                    self.backward_ends()
        return bracketed

    def nested_backward(self, backward, args, kwargs):
        return backward(*args, **kwargs)

    @contextlib.contextmanager
    def quiet(self):
        """Ops in here go by unseen, and at their full speed."""
        if self.see_ops and _python_dispatch._get_current_dispatch_mode() is self.mode:
            with _python_dispatch._pop_mode_temporarily():
                yield
        else:
            yield


def _layer_of(path):
    """The row a module belongs to: down to the first element of a container ("blocks.0" of "blocks.0.attn.qkv")."""
    parts = path.split(".")
    for i, part in enumerate(parts):
        if part.isdigit():
            return ".".join(parts[:i + 1])
    return path


# Recording: times


class _HostTimes:
    """Times of a step that runs on the CPU, in microseconds."""

    def __init__(self):
        self.forward, self.backward, self.last = {}, {}, None

    def op(self, index, func, args, kwargs):
        start = time.perf_counter()
        result = func(*args, **kwargs)
        self.forward[index] = self.forward.get(index, 0) + (time.perf_counter() - start) * 1e6
        return result

    def backward_begins(self):
        self.last = time.perf_counter()

    def backward_of(self, index):
        """What ran since the last call of this was the backward of INDEX."""
        now = time.perf_counter()
        self.backward[index] = self.backward.get(index, 0) + (now - self.last) * 1e6
        self.last = time.perf_counter()

    def settle(self):
        pass


class _CudaTimes:
    """The same on a GPU: pairs of events in the stream, read when all is over, so nothing waits for an op to end. The GPU is
    first given something to do for as long as the host needs to hand over the pass (LEAD_S): else the gaps between kernels,
    which are the recorder's doing, would count."""

    def __init__(self, lead_s):
        self.lead_s = lead_s
        self.events, self.backward_events = [], []
        self.forward, self.backward = {}, {}

    def _mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def _run_ahead(self, seconds):
        torch.cuda._sleep(int(min(seconds, 2) * 2e9))  # cycles; clocks are at or below 2 GHz

    def forward_begins(self):
        self._run_ahead(self.lead_s[0])

    def op(self, index, func, args, kwargs):
        start = self._mark()
        result = func(*args, **kwargs)
        if any(tensor.is_cuda for tensor in _tensors((args, kwargs, result))):
            self.events.append((index, start, self._mark()))
        return result

    def backward_begins(self):
        self._run_ahead(self.lead_s[1])
        self.backward_events.append((None, self._mark()))

    def backward_of(self, index):
        self.backward_events.append((index, self._mark()))

    def settle(self):
        torch.cuda.synchronize()
        for index, start, end in self.events:
            self.forward[index] = self.forward.get(index, 0) + start.elapsed_time(end) * 1e3
        for (_, start), (index, end) in zip(self.backward_events, self.backward_events[1:]):
            self.backward[index] = self.backward.get(index, 0) + start.elapsed_time(end) * 1e3


# Recording: what the step does


class _Stored:
    """A storage of the step. maker: the op that filled it; None: it was there before (parameters, buffers, the batch)."""

    def __init__(self, weak, size, maker, name, scalar=False):
        self.weak, self.bytes, self.maker, self.name = weak, size, maker, name
        self.scalar = scalar
        self.blank = self.gradient = self.state = False
        self.versions = 0  # how often it was written into


class _Op:
    def __init__(self, index, name, kind, path):
        self.index, self.name, self.kind, self.path = index, name, kind, path
        self.reads, self.writes, self.makes = [], [], []  # of _Stored
        self.saves = []
        self.why_not_again = None
        self.read_versions = []

    def touches(self, stored):
        return stored in self.reads or stored in self.makes or stored in self.writes


class _Saved:
    def __init__(self, tensor, stored, after):
        self.tensor, self.stored, self.after, self.owner = tensor, stored, after, None


class _Recorder(_Watch):
    """One step, seen whole. times: where the times of its ops go."""

    def __init__(self, model, times, see_saved):
        super().__init__(model)
        self.times, self.see_saved = times, see_saved
        self.names, self.storages = _Names(), {}
        self.state = set()
        for tensor in (*model.parameters(), *model.buffers()):
            self.state.add(self.stored(tensor).weak.cdata)
            self.stored(tensor).state = True
        self.ops, self.saved, self.after_backward = [], [], 0
        self.nodes = {}        # id -> (node, op)
        self.unclosed = None   # the op that has just run, and what came out of it
        self.backwards = 0
        self.looking = None

    def stored(self, tensor, maker=None, name=None):
        """The storage of TENSOR, entered when it is new."""
        storage = _storage(tensor)
        known = self.storages.get(storage._cdata)
        if known is None:
            # The weak reference keeps the address from being used again; it does not keep the memory.
            known = _Stored(StorageWeakRef(storage), storage.nbytes(), maker, name, tensor.dim() == 0)
            self.storages[storage._cdata] = known
        known.bytes = max(known.bytes, storage.nbytes())
        return known

    # Forward

    def op(self, func, args, kwargs):
        if self.backwards:
            return self._after_backward(func, args, kwargs)
        self.close()
        kind = _op_name(func)
        op = _Op(len(self.ops), self.names.take("%s/%s" % (self._place(), kind)), kind, self._place())
        op.why_not_again = _why_not_again(func, kind, args, kwargs)
        self.ops.append(op)
        self._see_reads(op, args, kwargs)
        before = None if _is_random(func) else _random_state(_generators(args, kwargs)) if self.see_saved else None
        result = self.times.op(op.index, func, args, kwargs)
        if before and any(not torch.equal(state, now[1]) for (_, state), now in
                          zip(before, _random_state([device for device, _ in before]))):
            op.why_not_again = "it draws random numbers without saying so"
        self._see_writes(op, func, args, kwargs)
        self._see_results(op, result)
        self.unclosed = op, [*_written_tensors(func, args, kwargs), *_tensors(result)]
        return result

    def _place(self):
        return "step" if self.path is None else self.path or "model"

    def _see_reads(self, op, args, kwargs):
        for tensor in _tensors((args, kwargs)):
            if not _has_storage(tensor):
                raise RecordError("%s reads a tensor without a plain storage (%s on %s)"
                                  % (op.name, tensor.layout, tensor.device))
            stored = self.stored(tensor)
            if stored not in op.reads:
                op.reads.append(stored)
                op.read_versions.append(stored.versions)

    def _see_writes(self, op, func, args, kwargs):
        for tensor in _written_tensors(func, args, kwargs):
            stored = self.stored(tensor)
            stored.versions += 1
            if stored not in op.writes:
                op.writes.append(stored)
            if stored.blank:
                stored.blank, stored.name = False, op.name

    def _see_results(self, op, result):
        for i, tensor in enumerate(_tensors(result)):
            if not _has_storage(tensor):
                raise RecordError("%s makes a tensor without a plain storage (%s)" % (op.name, tensor.layout))
            stored = self.stored(tensor, op, op.name if i == 0 else "%s:%d" % (op.name, i))
            if stored.maker is op and stored not in op.makes:
                stored.blank = _allocates(op.kind)
                op.makes.append(stored)
        for stored in op.reads:
            if stored.blank and stored.bytes and stored not in op.writes and op.makes:
                stored.maker.why_not_again = "what it makes is filled by something that is not seen"

    def close(self):
        """Autograd has linked the results of the last op by now: finds the nodes that will run its backward."""
        if self.unclosed is None:
            return
        (op, results), self.unclosed = self.unclosed, None
        for tensor in results:
            if tensor.requires_grad:
                self.stored(tensor).gradient = True
                if tensor.grad_fn is not None:
                    self._claim(tensor.grad_fn, op)

    def _claim(self, node, op):
        ahead = [node]
        while ahead:
            node = ahead.pop()
            if node is None or id(node) in self.nodes:
                continue
            self.nodes[id(node)] = node, op
            ahead += [following for following, _ in node.next_functions]

    # What autograd saves

    def pack(self, tensor):
        if self.in_backward:
            raise RecordError("the backward pass saves tensors (create_graph, or a model that checkpoints): "
                              "record the step without")
        saved = _Saved(tensor, self.stored(tensor) if _has_storage(tensor) else None, len(self.ops) - 1)
        self.saved.append(saved)
        return saved

    def unpack(self, saved):
        if self.looking is not None:
            self.looking.append(saved)
        return saved.tensor

    def _attribute(self):
        """Gives each saved tensor to the op whose node holds it."""
        for node, op in self.nodes.values():
            for name in dir(node):
                if name.startswith("_raw_saved_") and getattr(node, name) is not None:
                    self.looking = []
                    getattr(node, name.replace("_raw_saved_", "_saved_"))
                    for saved in self.looking:
                        saved.owner = op
        self.looking = None
        for saved in self.saved:
            if saved.owner is None:  # held by a node that does not tell: a custom function
                saved.owner = self._last_toucher(saved)
        for saved in self.saved:
            stored = saved.stored
            if saved.owner and stored and stored.maker and stored not in saved.owner.saves:
                saved.owner.saves.append(stored)

    def _last_toucher(self, saved):
        for op in reversed(self.ops[:saved.after + 1]):
            if op.touches(saved.stored):
                return op
        return None

    # Backward

    def nested_backward(self, backward, args, kwargs):
        raise RecordError("the backward pass runs a backward pass (a model that checkpoints): record the step without")

    def backward_begins(self):
        if self.backwards:
            raise RecordError("the step runs a second backward pass: record one micro-batch, one backward")
        self.backwards += 1
        self.close()
        if self.see_saved:
            self._attribute()
            self.see_hazards()
        self.hooks = [node.register_hook(self._ended(op.index)) for node, op in self.nodes.values()]
        self.last = len(self.ops) - 1
        self.times.backward_begins()

    def _ended(self, index):
        def hook(*gradients):
            self.last = index
            self.times.backward_of(index)
        return hook

    def backward_ends(self):
        self.times.backward_of(self.last)
        for hook in self.hooks:
            hook.remove()
        self.nodes, self.hooks = {}, []

    def see_hazards(self):
        """An op that read something from before the step, which was then written into, can't run again."""
        for op in self.ops:
            for stored, version in zip(op.reads, op.read_versions):
                if stored.maker is None and (stored.versions > version) and not _updates_running_statistics(op.kind):
                    op.why_not_again = "something it reads is overwritten later"

    def _after_backward(self, func, args, kwargs):
        start = time.perf_counter()
        try:
            return func(*args, **kwargs)
        finally:
            self.after_backward += (time.perf_counter() - start) * 1e6


# Recording: from what was seen to ops and tensors of a profile (MODEL.md §1)


class _Group:
    """Ops that stand as one: something made, and what was then done to it in place."""

    def __init__(self, ops):
        self.ops = ops

    @property
    def at(self):
        return self.ops[-1].index


def _grouped(ops):
    """Joins whoever writes into a storage with its maker; where the joined op stands last of them, all that stand between
    and touch what it makes join too, so that every tensor has one producer that comes before its readers."""
    group = {}
    for op in ops:
        group[op] = _Group([op])

    def join(a, b):
        a, b = group[a], group[b]
        if a is not b:
            a.ops = sorted(a.ops + b.ops, key=lambda op: op.index)
            for op in b.ops:
                group[op] = a
        return a is not b

    changed = True
    while changed:
        changed = False
        for op in ops:
            for stored in op.writes:
                if stored.maker:
                    changed |= join(stored.maker, op)
            for stored in op.reads:
                if stored.maker and group[stored.maker].at > group[op].at:
                    changed |= join(stored.maker, op)
    return sorted(set(group.values()), key=lambda one: one.at)


def _homes(ops):
    """Where the time of ops that make nothing of their own counts (views, counters): with the next op that reads the same
    storage, else the next of all, else the last."""
    real = [op for op in ops if op.makes or op.saves or any(stored.maker for stored in op.writes)]
    if not real:
        raise RecordError("the step makes no tensor")
    homes, reader, following = {}, {}, None
    for op in reversed(ops):
        if op in real:
            following = op
            for stored in op.reads:
                reader[stored] = op
        else:
            near = [reader[stored] for stored in op.reads if stored in reader]
            homes[op] = min(near, key=lambda one: one.index) if near else following or real[-1]
    return real, homes


KINDS = {  # op -> what the viewer calls it; others are called by their own name
    "gemm": "addmm mm bmm baddbmm linear matmul addbmm addmv mv dot",
    "conv": "convolution _convolution mkldnn_convolution cudnn_convolution conv2d convolution_overrideable",
    "norm": "native_layer_norm native_batch_norm native_group_norm cudnn_batch_norm _native_batch_norm_legit "
            "_fused_rms_norm miopen_batch_norm batch_norm",
    "elementwise": "add sub mul div neg exp log sqrt rsqrt pow tanh sigmoid relu relu_ gelu silu leaky_relu hardtanh clamp "
                   "where masked_fill add_ mul_ div_ sub_ addcmul threshold elu erf sin cos",
    "softmax": "_softmax _log_softmax",
    "attention": "_scaled_dot_product_flash_attention _scaled_dot_product_efficient_attention "
                 "_scaled_dot_product_cudnn_attention _scaled_dot_product_flash_attention_for_cpu",
    "loss": "nll_loss_forward nll_loss2d_forward mse_loss binary_cross_entropy_with_logits smooth_l1_loss",
    "dropout": "bernoulli_ native_dropout bernoulli",
    "copy": "clone copy_ cat stack _to_copy contiguous index_select",
    "pool": "max_pool2d_with_indices avg_pool2d _adaptive_avg_pool2d mean sum",
    "rnn": "_cudnn_rnn miopen_rnn mkldnn_rnn_layer _thnn_fused_lstm_cell _thnn_fused_gru_cell",
}
_KIND = {op: kind for kind, ops in KINDS.items() for op in ops.split()}


def _profile_rows(seen, forward, backward, layers):
    """Rows of "tensors" and "ops" from a recorded step, and the times of its ops."""
    ops, homes = _homes(seen.ops)
    forward, backward = dict(forward), dict(backward)
    for op, home in homes.items():
        for times in forward, backward:
            times[home.index] = times.get(home.index, 0) + times.pop(op.index, 0)
    tensors, rows, inputs = [], [], {}
    names = _Names()
    for stored in seen.storages.values():
        if stored.maker:
            names.take(stored.name)

    def shown(stored):
        """The name of what an op reads; None for state of the model and for numbers."""
        if stored.maker is None and (stored.state or stored.scalar):
            return None
        if stored.maker is None and stored not in inputs:
            inputs[stored] = stored.name = names.take("input")
            tensors.insert(len(inputs) - 1, {"name": stored.name, "bytes": stored.bytes})
        return stored.name

    for group in _grouped(ops):
        main = next((op for op in group.ops if not _allocates(op.kind)), group.ops[0])
        longest = max(group.ops, key=lambda op: forward.get(op.index, 0))
        makes = [stored for op in group.ops for stored in op.makes]
        reads = [stored for op in group.ops for stored in op.reads if stored not in makes]
        saves = [stored for op in group.ops for stored in op.saves]
        row = {"name": main.name, "layer": layers(main.path), "kind": _KIND.get(longest.kind, longest.kind),
               "forward_us": round(sum(forward.get(op.index, 0) for op in group.ops), 3),
               "backward_us": round(sum(backward.get(op.index, 0) for op in group.ops), 3),
               "inputs": list(dict.fromkeys(filter(None, map(shown, reads)))),
               "outputs": [stored.name for stored in makes],
               "saved": list(dict.fromkeys(stored.name for stored in saves))}
        if any(op.why_not_again for op in group.ops):
            row["recomputable"] = False
        rows.append(row)
        tensors += [dict({"name": stored.name, "bytes": stored.bytes}, **({} if stored.gradient else {"gradient": False}))
                    for stored in makes]
    return tensors, rows, sum(stored.bytes for stored in inputs)


# Recording: the step as a whole


@contextlib.contextmanager
def _left_as_found(model):
    """Runs of the step in here change neither gradients, nor buffers, nor the random state."""
    random = _random_state(_all_generators())
    gradients = [(parameter, parameter.grad) for parameter in model.parameters()]
    buffers = [(buffer, buffer.detach().clone()) for buffer in model.buffers()]
    try:
        yield
    finally:
        _set_random_state(random)
        for parameter, gradient in gradients:
            parameter.grad = gradient
        with torch.no_grad():
            for buffer, content in buffers:
                buffer.copy_(content)


def _run_step(step_fn, model, watch):
    """Runs the step once under WATCH, with its backward where it only returns the loss."""
    for parameter in model.parameters():
        parameter.grad = None
    with watch:
        result = step_fn()
        if not watch.backwards:
            if not isinstance(result, torch.Tensor) or not result.requires_grad:
                raise RecordError("the step ran no backward pass, and returned no loss to run one from "
                                  "(it was given %s)" % type(result).__name__)
            torch.autograd.backward(result)
        del result


class _Wall(_Watch):
    """How long forward and backward take when nobody looks, in seconds."""
    see_ops = see_saved = False

    def __init__(self, model, synchronize):
        super().__init__(model)
        self.modules, self.synchronize, self.backwards = {}, synchronize, 0

    def __enter__(self):
        self.now()
        super().__enter__()
        self.start = self.now()
        return self

    def now(self):
        self.synchronize()
        return time.perf_counter()

    def backward_begins(self):
        self.backwards += 1
        self.middle = self.now()
        self.forward = self.middle - self.start

    def backward_ends(self):
        self.backward = self.now() - self.middle


def _device(model):
    parameter = next(model.parameters(), None)
    return parameter.device if parameter is not None else torch.device("cpu")


def _device_row(device):
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        return {"name": properties.name, "memory_bytes": properties.total_memory}
    return {"name": "CPU, %d thread%s" % (torch.get_num_threads(), "" if torch.get_num_threads() == 1 else "s"),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")}


def _copy_rate(device, directions, size=256 << 20, times=5):
    """GB/s of each direction while all of DIRECTIONS copy at once, from and to pinned memory."""
    streams = {direction: torch.cuda.Stream(device) for direction in directions}
    gpu = {direction: torch.empty(size, dtype=torch.uint8, device=device) for direction in directions}
    host = {direction: torch.empty(size, dtype=torch.uint8, pin_memory=True) for direction in directions}
    spans = {}
    for measured in False, True:
        torch.cuda.synchronize(device)
        for direction, stream in streams.items():
            start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            spans[direction] = start, end
            with torch.cuda.stream(stream):
                start.record()
        for _ in range(times):
            for direction, stream in streams.items():
                with torch.cuda.stream(stream):
                    if direction == "h2d":
                        gpu[direction].copy_(host[direction], non_blocking=True)
                    else:
                        host[direction].copy_(gpu[direction], non_blocking=True)
        for direction, stream in streams.items():
            with torch.cuda.stream(stream):
                spans[direction][1].record()
        torch.cuda.synchronize(device)
    return {direction: size * times / (start.elapsed_time(end) * 1e6) for direction, (start, end) in spans.items()}


def measure_link(device):
    """What the copy engines of a GPU reach now, one way and both ways at once: the "link" of a profile."""
    h2d, d2h = _copy_rate(device, ["h2d"])["h2d"], _copy_rate(device, ["d2h"])["d2h"]
    both = _copy_rate(device, ["h2d", "d2h"])
    return {"name": "measured", "h2d_gb_per_s": round(h2d, 3), "d2h_gb_per_s": round(d2h, 3),
            "h2d_both_gb_per_s": round(min(both["h2d"], h2d), 3), "d2h_both_gb_per_s": round(min(both["d2h"], d2h), 3),
            "latency_us": 10}


def _static_bytes(model, optimizer, input_bytes):
    state = {}
    for tensor in (*model.parameters(), *model.buffers()):
        state[_storage(tensor)._cdata] = _storage(tensor).nbytes()
    gradients = sum(parameter.numel() * parameter.element_size() for parameter in model.parameters()
                    if parameter.requires_grad)
    kept = sum(_storage(tensor).nbytes() for tensor in _tensors(list(optimizer.state.values()))) if optimizer else 0
    return sum(state.values()) + gradients + kept + input_bytes


def _write(path, profile):
    """The profile, a row a line; first under another name: a crash leaves no half of a file."""
    rows = {key: "[\n%s\n  ]" % ",\n".join("    " + json.dumps(row) for row in profile[key]) for key in ("tensors", "ops")}
    members = ["  %s: %s" % (json.dumps(key), rows.get(key) or json.dumps(value)) for key, value in profile.items()]
    partial = "%s.%d.part" % (path, os.getpid())
    with open(partial, "w") as file:
        file.write("{\n%s\n}\n" % ",\n".join(members))
        file.flush()
        os.fsync(file.fileno())
    os.replace(partial, path)


def _medians(runs):
    """Of each op, the median of its times."""
    return {index: statistics.median(run.get(index, 0) for run in runs) for index in set().union(*runs)}


def record(step_fn, model, path=None, *, name=None, layers=None, optimizer=None, link=None,
           warmup=2, repeats=5):
    """Records one training step as a slackswap-profile/1, returns it, and writes it to PATH if there is one.

    STEP_FN runs forward and backward of one micro-batch on MODEL, or runs the forward and returns the loss. It is called
    warmup + 2 * repeats + 2 times, and must do the same each time. Gradients, buffers and the random state are left
    as they were; what else it changes (an optimizer's step) stays changed. Ops after the backward count as "fixed_us".

    name         of the profile (default: the class of the model)
    layers       path of a module -> name of its layer, or how many parts of the path to keep; default: down to the first
                 element of a container, so "blocks.0.attn.qkv" belongs to "blocks.0"
    optimizer    whose state counts in "static_bytes", with parameters, their gradients, buffers and the batch
    link         the "link" of the profile; default: measured on a GPU, left out on a CPU (slackswap then takes PCIe 4.0)
    """
    if isinstance(layers, int):
        parts = layers
        layers = lambda path: ".".join(path.split(".")[:parts])
    layers = layers or _layer_of
    device = _device(model)
    synchronize = (lambda: torch.cuda.synchronize(device)) if device.type == "cuda" else (lambda: None)
    cuda = device.type == "cuda"
    walls, runs = [], []
    with _left_as_found(model):
        for number in range(-warmup, repeats + 1):  # runs that are timed and runs that nobody watches take turns
            wall = _Wall(model, synchronize)
            _run_step(step_fn, model, wall)
            if number < 0:
                continue
            walls.append(wall)
            times = _CudaTimes((4 * wall.forward, 4 * wall.backward)) if cuda else _HostTimes()
            run = _Recorder(model, times, see_saved=number == 0)
            if cuda:
                times.forward_begins()
            _run_step(step_fn, model, run)
            times.settle()
            if runs and [op.name for op in run.ops] != [op.name for op in runs[0].ops]:
                raise RecordError("two runs of the step did different ops: %s" % _first_difference(runs[0].ops, run.ops))
            run.saved = None
            runs.append(run)
    seen = runs[0]
    forward, backward = (_medians([getattr(run.times, way) for run in runs[1:]]) for way in ("forward", "backward"))
    tensors, ops, input_bytes = _profile_rows(seen, forward, backward, layers)
    if not any(op["saved"] for op in ops):
        raise RecordError("autograd saved nothing: is the model in training, and does it have parameters to train?")
    wall = statistics.median(wall.forward + wall.backward for wall in walls) * 1e6
    told = sum(op["forward_us"] + op["backward_us"] for op in ops)
    profile = {
        "schema": "slackswap-profile/1", "name": name or type(model).__name__,
        "source": "recorded by slackswap_torch.py, PyTorch %s on %s: medians of %d steps after %d to warm up; the times "
                  "of the ops add up to %.0f%% of the %.2f ms that forward and backward take unobserved; saved tensors as "
                  "autograd's hooks told%s" % (torch.__version__, device.type, repeats, warmup, 100 * told / wall, wall / 1e3,
                                               "" if link or cuda else "; a CPU has no link: none is given"),
        "device": _device_row(device),
        "static_bytes": _static_bytes(model, optimizer, input_bytes),
        "fixed_us": round(statistics.median(run.after_backward for run in runs[1:]), 3),
        "tensors": tensors, "ops": ops}
    if link or cuda:
        profile["link"] = link or measure_link(device)
    if path is not None:
        _write(path, profile)
    return profile


def _first_difference(first, second):
    for a, b in zip(first, second):
        if a.name != b.name:
            return "%s, then %s" % (a.name, b.name)
    return "%d of them, then %d" % (len(first), len(second))


# Applying a plan: what is remembered of a tensor and of what made it


class _Made:
    """A storage that the step made. calls: what made it, then what wrote into it; each gives it another version, numbered
    from 1. held: the storage, while it is there; host: its copy.

    It lives as long as a saved tensor, or something that must run again, may ask for it; with it goes the memory."""

    def __init__(self, run, name, call, size, device):
        self.run, self.name, self.calls, self.bytes, self.device = run, name, [call], size, device
        self.action = None  # until autograd saves it
        self.held = self.host = self.probe = self.arrived = self.left = None
        self.blank, self.turn = False, None
        self.copied = None      # which version the host's copy is of
        self.reads = 0          # how often ops read this version
        self.outdated = False   # an op read a version that is no more

    @property
    def version(self):
        return len(self.calls)

    def has(self, version):
        """Is that version at hand, here or on the host?"""
        if self.held is None and self.host is None:
            return False
        return version == (self.copied or self.version)

    def forget_how(self):
        """Its content is safe: nothing need run again for it."""
        if not self.outdated:
            self.calls = [None] * len(self.calls)

    def hold(self, storage):
        self.held = storage
        self.run.change(self.bytes)

    def __del__(self):
        if self.held is not None:
            self.run.change(-self.bytes)
        if self.host is not None:
            self.run.change_host(-self.bytes)


class _Ref:
    """An argument that is a tensor of the step: which version of which storage, seen through which view."""
    __slots__ = "made", "version", "geometry"

    def __init__(self, made, geometry):
        self.made, self.version, self.geometry = made, made.version, geometry

    @property
    def key(self):
        return self.made, self.version

    @property
    def call(self):
        """What must run to get it, if anything."""
        return None if self.made.has(self.version) else self.made.calls[self.version - 1]


class _Fixed:
    """An argument that was there before the step, or came from where nobody looks."""
    __slots__ = "tensor", "version", "copy"

    def __init__(self, tensor, copy):
        self.tensor, self.version, self.copy = tensor, tensor._version, copy


class _Call:
    """An op as it ran, to run it again. results: (weak _Made, version, position among the results or _Ref written into)."""
    __slots__ = "func", "name", "args", "kwargs", "refs", "random", "results", "why_not"

    def __init__(self, func, name, why_not, random):
        self.func, self.name, self.why_not, self.random = func, name, why_not, random
        self.refs, self.results = [], []


class _Handle:
    """What autograd holds instead of a tensor."""
    __slots__ = "made", "geometry", "version"

    def __init__(self, made, geometry, version):
        self.made, self.geometry, self.version = made, geometry, version


def _map(function, value):
    if isinstance(value, torch.Tensor) or isinstance(value, (_Ref, _Fixed)):
        return function(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_map(function, item) for item in value) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {key: _map(function, item) for key, item in value.items()}
    return value


class _Streams:
    """The two copy engines of a GPU."""

    def __init__(self, device):
        self.down, self.up = torch.cuda.Stream(device), torch.cuda.Stream(device)


class _Run(_Watch):
    """A model under a plan: `with` it, run forward and backward. See apply."""

    def __init__(self, model, plan):
        super().__init__(model)
        self.plan = plan
        self.actions = plan["actions"]
        self.distance = plan.get("prefetch", {})
        self.streams = {}
        self.buffers = list(model.buffers())
        self.device_bytes = self.host_bytes = 0
        self.last = None
        self._forget()

    def _forget(self):
        self.names, self.known, self.sweep_at = _Names(), {}, 1024
        self.offloaded, self.next_up = [], 0
        self.applied, self.waiting = {}, True
        self.steps = 0

    def __enter__(self):
        self._forget()
        self.buffer_keys = {_storage(buffer)._cdata for buffer in self.buffers}
        self.device_bytes = self.host_bytes = 0
        self.figures = {"kept_bytes": 0, "offloaded_bytes": 0, "recomputed_bytes": 0, "saved_after_forward_bytes": 0,
                        "peak_saved_bytes": 0, "peak_host_bytes": 0, "ops_run_again": 0}
        return super().__enter__()

    def __exit__(self, *exception):
        self.known = {}
        return super().__exit__(*exception)

    def change(self, by):
        self.device_bytes += by
        self.figures["peak_saved_bytes"] = max(self.figures["peak_saved_bytes"], self.device_bytes)

    def change_host(self, by):
        self.host_bytes += by
        self.figures["peak_host_bytes"] = max(self.figures["peak_host_bytes"], self.host_bytes)

    # Forward: remember what made what

    def op(self, func, args, kwargs):
        kind = _op_name(func)
        name = self.names.take("%s/%s" % ("step" if self.path is None else self.path or "model", kind))
        call = _Call(func, name, _why_not_again(func, kind, args, kwargs),
                     _random_state(_generators(args, kwargs)) if _is_random(func) else None)
        copy = _updates_running_statistics(kind)
        call.args, call.kwargs = (_map(lambda tensor: self._encode(call, tensor, copy), value) for value in (args, kwargs))
        result = func(*args, **kwargs)
        fixed = self._see_writes(call, func, args, kwargs)
        made = self._see_results(call, result)
        if made or call.results:
            self.steps += made
            if fixed and not copy:
                call.why_not = "it writes into something from before the step"
            for ref in call.refs:
                if ref.made.blank and ref.made.bytes:
                    ref.made.calls[0].why_not = "what it makes is filled by something that is not seen"
        else:
            for ref in call.refs:  # a view: it never runs again
                ref.made.reads -= 1
        self._sweep()
        return result

    def _lookup(self, tensor):
        known = self.known.get(_storage(tensor)._cdata) if _has_storage(tensor) else None
        return known and known[1]

    def _encode(self, call, tensor, copy):
        made = self._lookup(tensor)
        if made is None:
            return _Fixed(tensor, copy and _has_storage(tensor) and _storage(tensor)._cdata in self.buffer_keys)
        ref = _Ref(made, _geometry(tensor))
        made.reads += 1
        call.refs.append(ref)
        return ref

    def _enter(self, tensor, made):
        storage = _storage(tensor)
        old = self.known.get(storage._cdata)
        self.known[storage._cdata] = (old[0] if old else StorageWeakRef(storage), made)

    def _see_writes(self, call, func, args, kwargs):
        """New contents of storages that were written into. Tells whether something from before the step was."""
        fixed = False
        for tensor in _written_tensors(func, args, kwargs):
            made = self._lookup(tensor)
            if made is None:
                fixed = True
            elif made.calls[-1] is not call:
                if made.blank:
                    made.name, made.blank = call.name, False
                made.outdated |= made.reads > sum(ref.made is made for ref in call.refs)
                made.reads = 0
                call.results.append((weakref.ref(made), made.version + 1, next(ref for ref in call.refs if ref.made is made)))
                made.calls.append(call)
        return fixed

    def _see_results(self, call, result):
        made = False
        for i, tensor in enumerate(_tensors(result)):
            if not _has_storage(tensor) or self._is_there(tensor, call):
                continue
            name = call.name if i == 0 else "%s:%d" % (call.name, i)
            new = _Made(self, name, call, _storage(tensor).nbytes(), tensor.device)
            new.blank = _allocates(_op_name(call.func))
            self._enter(tensor, new)
            call.results.append((weakref.ref(new), 1, i))
            made = True
        return made

    def _is_there(self, tensor, call):
        """A view, or a result that was written in place: of a storage that was there before."""
        key = _storage(tensor)._cdata
        if key in self.known:
            return True
        fixed = []
        _map(lambda value: fixed.append(value.tensor) if isinstance(value, _Fixed) else None, [call.args, call.kwargs])
        return any(_has_storage(one) and _storage(one)._cdata == key for one in fixed)

    def _sweep(self):
        """Forgets storages that are gone, now and then."""
        if len(self.known) > self.sweep_at:
            self.known = {key: entry for key, entry in self.known.items() if not entry[0].expired()}
            self.sweep_at = 2 * len(self.known) + 1024

    # What autograd saves

    def pack(self, tensor):
        made = None if self.in_backward else self._lookup(tensor)
        if made is None:
            return tensor
        with self.quiet():
            if made.action is None:
                self._take(made, tensor)
            elif made.copied not in (None, made.version):  # another part of it has been written since
                self._send(made, _storage(tensor))
            if made.action == "keep" and made.probe is None:
                made.probe = tensor.detach()
        return _Handle(made, _geometry(tensor), made.probe._version if made.probe is not None else 0)

    def _take(self, made, tensor):
        """Autograd saves this for the first time: the plan says what becomes of it."""
        made.action = self.actions.get(made.name, "keep")
        self.applied[made.name] = weakref.ref(made)
        made.turn = self.steps
        if made.action == "keep":
            self.figures["kept_bytes"] += made.bytes
            made.hold(_storage(tensor))
            made.forget_how()
        elif made.action == "offload":
            self.figures["offloaded_bytes"] += made.bytes
            self._send(made, _storage(tensor))
            self.offloaded.append(weakref.ref(made))
            made.forget_how()
        else:
            self.figures["recomputed_bytes"] += made.bytes

    def unpack(self, handle):
        if isinstance(handle, torch.Tensor):
            return handle
        made = handle.made
        with self.quiet(), torch.no_grad():
            self._backward_has_begun()
            if made.probe is not None and made.probe._version != handle.version:
                raise RuntimeError("%s, saved for the backward pass, has been modified by an inplace operation" % made.name)
            storage = self._get(made)
            self._fetch_ahead(made)
            return _view(storage, handle.geometry)

    # Backward: bring back

    def _backward_has_begun(self):
        if self.waiting:
            self.waiting = False
            self.known = {}  # from here on a tensor lives as long as somebody asks for it
            self._check()
            self.next_up = len(self.offloaded)
            self.figures["saved_after_forward_bytes"] = self.room = self.device_bytes

    def backward_begins(self):
        self._backward_has_begun()

    def backward_ends(self):
        self.last, figures = dict(self.figures), self.figures
        self._forget()

    def _check(self):
        strangers = [name for name in self.actions if name not in self.applied]
        if strangers:
            raise PlanError("the plan names %s, which this step does not save%s: was it made for another model, or "
                            "another batch?" % (strangers[0], " (and %d more)" % (len(strangers) - 1)
                                                if len(strangers) > 1 else ""))
        safe = set()
        for name, made in self.applied.items():
            made = made()
            if made is not None and made.action == "recompute":
                culprit = self._not_again(made, safe)
                if culprit:
                    raise PlanError("%s can't be recomputed: %s must not run twice (%s)"
                                    % (name, culprit.name, culprit.why_not))

    def _not_again(self, goal, safe):
        """A call in the closure of GOAL that must not run again."""
        ahead = [goal.calls[-1]]
        while ahead:
            call = ahead.pop()
            if call is None or call in safe:
                continue
            if call.why_not:
                return call
            safe.add(call)
            ahead += [ref.call for ref in call.refs]
        return None

    def _get(self, made):
        if made.held is None:
            if made.host is not None:
                self._fetch(made)
            else:
                self._restore(made)
        if made.arrived is not None:
            torch.cuda.current_stream(made.device).wait_event(made.arrived)
            made.arrived = None
        return made.held

    def _engines(self, device):
        if device not in self.streams:
            self.streams[device] = _Streams(device)
        return self.streams[device]

    def _send(self, made, storage):
        """Copies to the host, in pinned memory and beside the computation on a GPU."""
        flat = _flat(storage)
        if made.host is not None:
            self.change_host(-made.bytes)
        made.copied = made.version
        if made.device.type == "cuda":
            down = self._engines(made.device).down
            down.wait_stream(torch.cuda.current_stream(made.device))
            with torch.cuda.stream(down):
                made.host = torch.empty(made.bytes, dtype=torch.uint8, pin_memory=True)
                made.host.copy_(flat, non_blocking=True)
            flat.record_stream(down)  # not to be handed out again before the copy is done
            made.left = down.record_event()
        else:
            made.host = flat.to("cpu", copy=True)
        self.change_host(made.bytes)

    def _fetch(self, made):
        if made.device.type == "cuda":
            up, now = self._engines(made.device).up, torch.cuda.current_stream(made.device)
            flat = torch.empty(made.bytes, dtype=torch.uint8, device=made.device)
            up.wait_event(made.left)
            up.wait_stream(now)  # the room may still be in use by what was handed over before
            with torch.cuda.stream(up):
                flat.copy_(made.host, non_blocking=True)
            flat.record_stream(up)
            made.arrived = up.record_event()
        else:
            flat = made.host.to(made.device, copy=True)
        made.hold(_storage(flat))
        made.host = None
        self.change_host(-made.bytes)

    def _fetch_ahead(self, reached):
        """Fetches what is needed next, latest saved first, as far as the forward pass had left room, and as near to its use
        as the plan says."""
        while self.next_up > 0:
            made = self.offloaded[self.next_up - 1]()
            if made is not None and made.held is None and made.host is not None:
                distance = self.distance.get(made.name, self.plan.get("prefetch_steps"))
                if self.device_bytes + made.bytes > self.room:
                    return
                if distance is not None and reached.turn - made.turn > distance:
                    return
                self._fetch(made)
            self.next_up -= 1

    def _closure(self, goal):
        """The calls that bring GOAL back, in the order to run them; each input before what reads it."""
        order, done = [], set()
        ahead = [(goal.calls[-1], False)]
        while ahead:
            call, ready = ahead.pop()
            if call in done:
                continue
            if ready:
                done.add(call)
                order.append(call)
                continue
            ahead.append((call, True))
            ahead += [(ref.call, False) for ref in reversed(call.refs) if ref.call not in done and ref.call]
        return order

    def _restore(self, goal):
        order = self._closure(goal)
        uses, chain = {}, {}
        for call in order:
            for ref in call.refs:
                uses[ref.key] = uses.get(ref.key, 0) + 1
        with _autocast_off():
            for call in order:
                self._run_again(call, uses, chain)

    def _run_again(self, call, uses, chain):
        self.figures["ops_run_again"] += 1
        own = {}
        for ref in {where.made: where for _, _, where in call.results if isinstance(where, _Ref)}.values():
            others = uses[ref.key] - sum(other.key == ref.key for other in call.refs)
            if ref.key in chain and not others:  # in place, on the only copy, as nobody else will ask for it
                own[ref.key] = chain[ref.key]
            else:
                own[ref.key] = _storage(_flat(self._at(ref, chain)).clone())

        def argument(value):
            if isinstance(value, _Fixed):
                if value.copy:
                    return value.tensor.detach().clone()
                if value.tensor._version != value.version:
                    raise PlanError("%s can't run again: something it reads has been overwritten since" % call.name)
                return value.tensor.detach()
            return _view(own[value.key] if value.key in own else self._at(value, chain), value.geometry)

        args, kwargs = (_map(argument, value) for value in (call.args, call.kwargs))
        now = _random_state([device for device, _ in call.random]) if call.random else None
        try:
            if call.random:
                _set_random_state(call.random)
            result = list(_tensors(call.func(*args, **kwargs)))
        finally:
            if now:
                _set_random_state(now)
        for weak, version, where in call.results:
            made = weak()
            if made is None or made.has(version):
                continue
            storage = own[where.key] if isinstance(where, _Ref) else _storage(result[where])
            if made.action == "recompute" and version == made.version:
                made.hold(storage)
                made.forget_how()
            elif uses.get((made, version)):
                chain[made, version] = storage
        for ref in call.refs:
            uses[ref.key] -= 1
            if not uses[ref.key]:
                chain.pop(ref.key, None)

    def _at(self, ref, chain):
        return chain[ref.key] if ref.key in chain else self._get(ref.made)

    def report(self):
        """What the last step did, in bytes: what autograd saved and the plan kept, offloaded, recomputed; what was on the
        device when the forward pass was over, and at most (saved tensors alone); what the host held at most."""
        if self.last is None:
            raise RuntimeError("no step has run under the plan yet")
        return dict(self.last)


@contextlib.contextmanager
def _autocast_off():
    """Ops that run again were seen below autocast: their arguments have been cast."""
    with contextlib.ExitStack() as stack:
        if torch.is_autocast_enabled():
            stack.enter_context(torch.autocast("cuda", enabled=False))
        if torch.is_autocast_cpu_enabled():
            stack.enter_context(torch.autocast("cpu", enabled=False))
        yield


def _read_plan(plan):
    if not isinstance(plan, dict):
        with open(plan) as file:
            plan = json.load(file)
    if not isinstance(plan.get("actions"), dict):
        raise PlanError("expected a slackswap-plan/1 with \"actions\"")
    for name, action in plan["actions"].items():
        if action not in ("keep", "offload", "recompute"):
            raise PlanError("%s: expected keep, offload or recompute, found %r" % (name, action))
    return plan


def apply(model, plan):
    """Prepares MODEL to run training steps under PLAN (a slackswap-plan/1: a file's name, or its content as a dict).

    Returns what to run each step in: `with run:` around one forward and its backward. Gradients are those of the plain
    step, bit for bit, dropout included. run.report() has the figures of the last step.

    Raises PlanError, before the backward pass begins, for a plan that names what the step does not save, or recomputes
    what can't be: the message names the tensor, the op and the reason."""
    return _Run(model, _read_plan(plan))
