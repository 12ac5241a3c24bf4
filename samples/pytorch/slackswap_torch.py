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

How a step is seen. Modules tell when they are entered and left (hooks); a TorchDispatchMode sees every op that runs
below autograd; saved-tensor hooks see what autograd keeps. What is counted is the storage, not the tensor: views
and results made in place are their storage, and two tensors that share one are one. Every op and every storage gets
a name made of the path of its module, the op and a running number: "blocks.0.attn.qkv/addmm". The same names come
back in every step that does the same, and by them a plan is applied.

How a plan is carried out. A saved tensor that the plan offloads is copied to (pinned) host memory when autograd
saves it, and fetched, ahead of its use where there is room, in the backward pass. One that the plan recomputes is
dropped; what made it is run again, op by op, as far back as something kept, offloaded or already recomputed: the
closure of MODEL.md, and what torch.utils.checkpoint does for modules. Random ops get back the state they started
from.
"""
import collections
import contextlib
import fnmatch
import gc
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


_storage = torch.Tensor.untyped_storage if hasattr(torch.Tensor, "untyped_storage") else torch.Tensor._storage


def _has_storage(tensor):
    return tensor.layout == torch.strided and not tensor.is_quantized and tensor.device.type != "meta"


def _geometry(tensor):
    """How a tensor looks at its storage."""
    return (tensor.dtype, tensor.storage_offset(), tuple(tensor.size()), tuple(tensor.stride()), tensor.is_conj(),
            tensor.is_neg())


def _view(storage, geometry):
    dtype, offset, size, stride, conjugate, negative = geometry
    tensor = torch.empty(0, dtype=dtype, device=storage.device).set_(storage, offset, size, stride)
    tensor = torch._neg_view(tensor) if negative else tensor
    return tensor.conj() if conjugate else tensor


def _flat(storage):
    return _view(storage, (torch.uint8, 0, (storage.nbytes(),), (1,), False, False))


_PLAIN = {int, float, bool, str, type(None), torch.dtype, torch.device, torch.layout, torch.memory_format}


def _tensors(value):
    """Every tensor in what an op takes or gives."""
    if type(value) in _PLAIN:
        return
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


FILLED_UNSEEN = "what it makes is filled by something that is not seen"
DRAWS_UNSEEN = "it draws random numbers without saying so"
OVERWRITTEN = "something it reads is overwritten later"
OUTSIDE = "it runs between modules"


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


@contextlib.contextmanager
def _drawing(func, args, kwargs, look):
    """Finds out whether an op that is not known to be random draws random numbers: then the list it gives has an
    entry."""
    drawn = []
    before = _random_state(_generators(args, kwargs)) if look and not _is_random(func) else []
    yield drawn
    for device, state in before:
        if not torch.equal(state, _random_state([device])[0][1]):
            drawn.append(device)


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


def _paths(model):
    """Modules and their paths, without what is inside scripted ones: it tells nothing."""
    paths, scripted = {}, []
    for path, module in model.named_modules():
        if not path.startswith(tuple(scripted)):
            paths[module] = path
            if isinstance(module, torch.jit.ScriptModule):
                scripted.append(path + "." if path else "")
    return paths


class _Watch:
    """While it is entered, tells its heir of the ops of the forward pass, of what autograd saves, and of the
    backward pass.

    An heir defines op(func, args, kwargs), which runs the op, pack and unpack, and backward_begins, backward_ends.
    path is where the forward pass is: the module entered last, None outside of the model."""
    see_ops = True
    see_saved = True

    def __init__(self, model):
        self.modules = _paths(model)
        self.within = []
        self.in_backward = False

    @property
    def path(self):
        return self.within[-1] if self.within else None

    @property
    def place(self):
        """The path, with a word where there is none: in the model's own forward, and in the step around it."""
        return "step" if self.path is None else self.path or "model"

    @property
    def around(self):
        """The place that the module entered last was called from."""
        return "step" if len(self.within) < 2 else self.within[-2] or "model"

    def entered(self, module, inputs):
        pass

    def left(self, module, inputs, output):
        pass

    def _enter_module(self, module, inputs):
        self.within.append(self.modules[module])
        self.entered(module, inputs)

    def _leave_module(self, module, inputs, output):
        self.left(module, inputs, output)
        self.within.pop()

    def install(self, stack):
        """Everything that is taken away again when STACK unwinds."""
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

    def fail(self, error):
        self.failure = error
        raise error

    def __enter__(self):
        self.within, self.in_backward, self.failure = [], False, None
        self.mode = _Ops(self._see)
        with contextlib.ExitStack() as stack:
            self.install(stack)
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *exception):
        return self.stack.__exit__(*exception)

    def _see(self, func, args, kwargs):
        # Autograd itself detaches, now and then, and optimizers mark their steps for the profiler.
        if self.in_backward or func is torch.ops.aten.detach.default or func._schema.name.startswith("profiler::"):
            return func(*args, **kwargs)
        return self.op(func, args, kwargs)

    def _around(self, backward):
        def bracketed(*args, **kwargs):
            if self.in_backward:
                return self.nested_backward(backward, args, kwargs)
            with self.quiet():
                self.backward_begins(list(_tensors((args, kwargs))))
                self.in_backward = True
                try:
                    return backward(*args, **kwargs)
                except RuntimeError:
                    if self.failure is not None:  # what a hook raised comes through autograd as its bare text
                        raise self.failure from None
                    raise
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


def _layers_by(layers):
    """How paths of modules become names of layers: as record's LAYERS says."""
    if isinstance(layers, int):
        return lambda path: ".".join(path.split(".")[:layers])
    return layers or _layer_of


def _layer_of(path):
    """The row a module belongs to: down to the first element of a container ("blocks.0" of "blocks.0.attn.qkv")."""
    parts = path.split(".")
    for i, part in enumerate(parts):
        if part.isdigit():
            return ".".join(parts[:i + 1])
    return path


def _units(modules, layers):
    """Where modules are recorded whole: the outermost ones whose inside is all of one layer."""
    rows = {}
    for path in modules.values():
        parts = path.split(".") if path else []
        for length in range(len(parts) + 1):
            rows.setdefault(".".join(parts[:length]), set()).add(layers(path))
    units = []
    for path in modules.values():  # a module comes before those inside
        if len(rows[path]) == 1 and not path.startswith(tuple(unit + "." for unit in units)):
            units.append(path)
    return set(units)


def _alive_now():
    """The storages of tensors that are there before a step: parameters, the batch, whatever Python has hold of."""
    alive = {}
    for tensor in gc.get_objects():
        if issubclass(type(tensor), torch.Tensor):
            with contextlib.suppress(RuntimeError):  # of tensors that are not set up, or not any more
                if _has_storage(tensor):
                    alive[_storage(tensor)._cdata] = StorageWeakRef(_storage(tensor))
    return alive


def _is_number(tensor):
    """A constant that stands in the code, as autograd saves it."""
    return tensor.dim() == 0 and not tensor.requires_grad and tensor.dtype in (torch.float64, torch.int64)


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

    def forward_begins(self):
        self.last = time.perf_counter()

    backward_begins = forward_begins

    def _lap(self, times, index):
        now = time.perf_counter()
        times[index] = times.get(index, 0) + (now - self.last) * 1e6
        self.last = time.perf_counter()

    def forward_of(self, index):
        """What ran since the last call of this, or since the pass began, was INDEX."""
        self._lap(self.forward, index)

    def backward_of(self, index):
        self._lap(self.backward, index)

    def settle(self):
        pass


class _CudaTimes:
    """The same on a GPU: pairs of events in the stream, read when all is over, so nothing waits for an op to end.
    The GPU is first given something to do for as long as the host needs to hand over the pass (LEAD_S): else the
    gaps between kernels, which are the recorder's doing, would count."""

    def __init__(self, lead_s):
        self.lead_s = lead_s
        self.events = []
        self.forward, self.backward = {}, {}

    def _mark(self):
        event = torch.cuda.Event(enable_timing=True)
        event.record()
        return event

    def _run_ahead(self, seconds):
        torch.cuda._sleep(int(min(seconds, 2) * 2e9))  # cycles; clocks are at or below 2 GHz

    def op(self, index, func, args, kwargs):
        start = self._mark()
        result = func(*args, **kwargs)
        if any(tensor.is_cuda for tensor in _tensors((args, kwargs, result))):
            self.events.append((self.forward, index, start, self._mark()))
        return result

    def forward_begins(self):
        self._run_ahead(self.lead_s[0])
        self.last = self._mark()

    def backward_begins(self):
        self._run_ahead(self.lead_s[1])
        self.last = self._mark()

    def _lap(self, times, index):
        start, self.last = self.last, self._mark()
        self.events.append((times, index, start, self.last))

    def forward_of(self, index):
        self._lap(self.forward, index)

    def backward_of(self, index):
        self._lap(self.backward, index)

    def settle(self):
        torch.cuda.synchronize()
        for times, index, start, end in self.events:
            times[index] = times.get(index, 0) + start.elapsed_time(end) * 1e3


# Recording: what the step does


class _Stored:
    """A storage of the step. maker: the op that filled it; None: it was there before (parameters, buffers, the
    batch)."""

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


class _Recorder(_Watch):
    """One step, seen whole. times: where the times of its ops go."""

    def __init__(self, model, times, see_saved):
        super().__init__(model)
        self.times, self.see_saved = times, see_saved
        self.names, self.storages = _Names(), {}
        for tensor in (*model.parameters(), *model.buffers()):
            self.stored(tensor).state = True
        self.ops = []
        self.nodes = {}        # id -> (node, op)
        self.backwards = 0

    def __enter__(self):
        super().__enter__()
        self.times.forward_begins()
        return self

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

    def claim(self, tensor, op):
        """The nodes behind TENSOR that are nobody's yet run the backward of OP."""
        ahead = [tensor.grad_fn]
        while ahead:
            node = ahead.pop()
            if node is None or id(node) in self.nodes:
                continue
            self.nodes[id(node)] = node, op
            ahead += [following for following, _ in node.next_functions]

    def pack(self, tensor):
        if self.in_backward:
            self.fail(RecordError("the backward pass saves tensors (create_graph, or a model that checkpoints): "
                                  "record the step without"))
        return self.saves(tensor)

    def nested_backward(self, backward, args, kwargs):
        self.fail(RecordError("the backward pass runs a backward pass (a model that checkpoints): record the step without"))

    def backward_begins(self, roots):
        if self.backwards:
            raise RecordError("the step runs a second backward pass: record one micro-batch, one backward")
        self.backwards += 1
        self.close(roots)
        self._drop_what_ends_nowhere(roots)
        self.forward_ends()
        self.hooks = [node.register_hook(self._ended(op.index)) for node, op in self.nodes.values()]
        self.last = len(self.ops) - 1
        self.times.backward_begins()

    def _drop_what_ends_nowhere(self, roots):
        """Nodes that the backward pass does not come to, and what they hold, are gone with the tensors that led to
        them."""
        reached, ahead = {}, [tensor.grad_fn for tensor in roots]
        while ahead:
            node = ahead.pop()
            if node is not None and id(node) not in reached:
                reached[id(node)] = node
                ahead += [following for following, _ in node.next_functions]
        self.nodes = {key: entry for key, entry in self.nodes.items() if key in reached}

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


class _Saved:
    def __init__(self, tensor, stored, after):
        self.tensor, self.stored, self.after, self.owner = tensor, stored, after, None


class _OpRecorder(_Recorder):
    """Op by op."""

    def __init__(self, model, times, see_saved):
        super().__init__(model, times, see_saved)
        self.saved = []        # weakly, each time that autograd saved something: nodes may be dropped, with what they hold
        self.looking = None    # what a node holds, while it is asked
        self.unclosed = None   # the op that has just run, and what came out of it

    def op(self, func, args, kwargs):
        if self.backwards:  # an optimizer's
            return func(*args, **kwargs)
        self.close()
        kind = _op_name(func)
        op = _Op(len(self.ops), self.names.take("%s/%s" % (self.place, kind)), kind, self.place)
        op.why_not_again = _why_not_again(func, kind, args, kwargs)
        self.ops.append(op)
        self._see_reads(op, args, kwargs)
        with _drawing(func, args, kwargs, self.see_saved) as drawn:
            result = self.times.op(op.index, func, args, kwargs)
        if drawn:
            op.why_not_again = DRAWS_UNSEEN
        self._see_writes(op, func, args, kwargs)
        self._see_results(op, result)
        self.unclosed = op, [*_written_tensors(func, args, kwargs), *_tensors(result)]
        return result

    def _see_reads(self, op, args, kwargs):
        for tensor in _tensors((args, kwargs)):
            if not _has_storage(tensor):
                raise RecordError("%s reads a tensor without a plain storage (%s on %s): record it with "
                                  "granularity=\"module\"" % (op.name, tensor.layout, tensor.device))
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
                raise RecordError("%s makes a tensor without a plain storage (%s): record it with "
                                  "granularity=\"module\"" % (op.name, tensor.layout))
            stored = self.stored(tensor, op, op.name if i == 0 else "%s:%d" % (op.name, i))
            if stored.maker is op and stored not in op.makes:
                stored.blank = _allocates(op.kind)
                op.makes.append(stored)
        for stored in op.reads:
            if stored.blank and stored.bytes and stored not in op.writes and op.makes:
                stored.maker.why_not_again = FILLED_UNSEEN

    def close(self, roots=()):
        """Autograd has linked the results of the last op by now: finds the nodes that will run its backward."""
        if self.unclosed is None:
            return
        (op, results), self.unclosed = self.unclosed, None
        for tensor in results:
            if tensor.requires_grad:
                self.stored(tensor).gradient = True
                self.claim(tensor, op)

    def saves(self, tensor):
        saved = _Saved(tensor, self.stored(tensor) if _has_storage(tensor) else None, len(self.ops) - 1)
        self.saved.append(weakref.ref(saved))
        return saved

    def unpack(self, saved):
        if self.looking is not None:
            self.looking.append(saved)
        return saved.tensor

    def forward_ends(self):
        if self.see_saved:
            self._attribute()
            self._see_hazards()

    def _attribute(self):
        """Gives each saved tensor to the op whose node holds it."""
        for node, op in self.nodes.values():
            for name in dir(node):
                told = name.replace("_raw_saved_", "_saved_")
                if told != name and getattr(node, name) is not None and hasattr(type(node), told):
                    self.looking = []
                    getattr(node, told)
                    for saved in self.looking:
                        saved.owner = op
        self.looking = None
        alive = [saved for saved in (weak() for weak in self.saved) if saved is not None]
        for saved in alive:
            # Nodes of custom functions do not tell, and stand for several ops; so does a node whose op was split in two.
            if saved.stored and (saved.owner is None or not saved.owner.touches(saved.stored)):
                saved.owner = self._last_toucher(saved)
        for saved in alive:
            stored = saved.stored
            if saved.owner and stored and stored.maker and stored not in saved.owner.saves:
                saved.owner.saves.append(stored)

    def _last_toucher(self, saved):
        for op in reversed(self.ops[:saved.after + 1]):
            if op.touches(saved.stored):
                return op
        return None

    def _see_hazards(self):
        """An op that read something from before the step, which was then written into, can't run again."""
        for op in self.ops:
            for stored, version in zip(op.reads, op.read_versions):
                if stored.maker is None and stored.versions > version and not _updates_running_statistics(op.kind):
                    op.why_not_again = OVERWRITTEN


class _ModuleRecorder(_Recorder):
    """Module by module: what runs in a unit is one op, and what runs between two units is one ("…/between"), which
    can't run again. A storage belongs to the op in which it is first seen: saved, or handed from unit to unit."""
    see_ops = False

    def __init__(self, model, times, see_saved, layers):
        super().__init__(model, times, see_saved)
        self.units = _units(self.modules, layers)
        self.inside = None      # how deep the modules are nested where a unit was entered
        self.before = {}

    def install(self, stack):
        if self.see_saved:
            self.before = _alive_now()
        super().install(stack)
        self._open("between", "step", OUTSIDE)

    def _open(self, kind, place, why_not_again=None):
        name = "%s/between" % place if why_not_again else place
        self.segment = _Op(len(self.ops), self.names.take(name), kind, place)
        self.segment.why_not_again = why_not_again
        self.ops.append(self.segment)

    def entered(self, module, inputs):
        if self.inside is None and self.path in self.units and not self.backwards:
            self._pass(inputs)
            self.inside = len(self.within)
            self._open(type(module).__name__, self.place)
            self.segment.reads += self._sighted(inputs)

    def left(self, module, inputs, output):
        if self.inside == len(self.within) and not self.backwards:
            self._pass([inputs, output])
            self.inside = None
            self._open("between", self.around, OUTSIDE)
            self.segment.reads += self._sighted(output)

    def _pass(self, tensors):
        """The segment ends here, and hands over TENSORS."""
        self.times.forward_of(self.segment.index)
        self._sighted(tensors)
        for tensor in _tensors(tensors):
            self.claim(tensor, self.segment)

    def _sighted(self, tensors):
        """The storages of TENSORS. One that is seen first is made by this segment; one changed since it was seen
        last was written into by it."""
        sighted = []
        for tensor in _tensors(tensors):
            if not self.see_saved or not _has_storage(tensor) or _is_number(tensor):
                continue
            segment = self.segment
            new = _storage(tensor)._cdata not in self.storages
            maker = segment if new and _storage(tensor)._cdata not in self.before else None
            stored = self.stored(tensor, maker, maker and "%s@%d" % (segment.name, len(segment.makes) + 1))
            stored.gradient |= tensor.requires_grad
            if new and maker:
                segment.makes.append(stored)
            elif not new and tensor._version > stored.versions and stored not in segment.makes:
                segment.writes.append(stored)
            stored.versions = max(stored.versions, tensor._version)
            sighted.append(stored)
        return sighted

    def saves(self, tensor):
        for stored in self._sighted(tensor):
            if stored.maker:
                if stored not in self.segment.makes + self.segment.reads:
                    self.segment.reads.append(stored)
                saved = _Saved(tensor, stored, self.segment.index)
                self.segment.saves.append(weakref.ref(saved))
                return saved
        return tensor

    def unpack(self, saved):
        return saved.tensor if isinstance(saved, _Saved) else saved

    def close(self, roots):
        self._pass(roots)

    def forward_ends(self):
        for op in self.ops:
            op.saves = list(dict.fromkeys(saved.stored for saved in filter(None, (weak() for weak in op.saves))))


# Recording: from what was seen to ops and tensors of a profile (MODEL.md §1)


class _Group:
    """Ops that stand as one: something made, and what was then done to it in place."""

    def __init__(self, ops):
        self.ops = ops

    @property
    def at(self):
        return self.ops[-1].index


def _grouped(ops):
    """Joins whoever writes into a storage with its maker; where the joined op stands last of them, all that stand
    between and touch what it makes join too, so that every tensor has one producer that comes before its
    readers."""
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
    """Where the time of ops that make nothing of their own, or nothing that is used, counts (views, counters): with
    the next op that reads the same storage, else the next of all, else the last."""
    used = {stored for op in ops for stored in op.reads + op.saves}
    real = [op for op in ops if op.saves or any(stored.gradient or stored in used for stored in op.makes)
            or any(stored.maker for stored in op.writes)]
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

    def backward_begins(self, roots):
        self.backwards += 1
        self.middle = self.now()
        self.forward = self.middle - self.start

    def backward_ends(self):
        self.end = self.now()
        self.backward = self.end - self.middle

    def __exit__(self, *exception):
        self.after = self.now() - getattr(self, "end", 0)
        return super().__exit__(*exception)


def _device(model):
    parameter = next(model.parameters(), None)
    return parameter.device if parameter is not None else torch.device("cpu")


def _device_row(device):
    if device.type == "cuda":
        properties = torch.cuda.get_device_properties(device)
        return {"name": properties.name, "memory_bytes": properties.total_memory}
    return {"name": "CPU, %d thread%s" % (torch.get_num_threads(), "" if torch.get_num_threads() == 1 else "s"),
            "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")}


def _copy_rate(device, directions, size=64 << 20, times=10):
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


def record(step_fn, model, path=None, *, name=None, granularity="op", layers=None, optimizer=None, link=None,
           warmup=2, repeats=5):
    """Records one training step as a slackswap-profile/1, returns it, and writes it to PATH if there is one.

    STEP_FN runs forward and backward of one micro-batch on MODEL, or runs the forward and returns the loss. It is
    called warmup + 2 * repeats + 2 times, and must do the same each time. Gradients, buffers and the random state
    are left as they were; what else it changes (an optimizer's step) stays changed. What it does after the backward
    is "fixed_us".

    name         of the profile (default: the class of the model)
    granularity  "op", or "module" where ops can't be seen (compiled parts, kernels that bypass the dispatcher): an op of the
                 profile is then a module, and what runs between modules
    layers       path of a module -> name of its layer, or how many parts of the path to keep; default: down to the first
                 element of a container, so "blocks.0.attn.qkv" belongs to "blocks.0"
    optimizer    whose state counts in "static_bytes", with parameters, their gradients, buffers and the batch
    link         the "link" of the profile; default: measured on a GPU, left out on a CPU (slackswap then takes PCIe 4.0)
    """
    if granularity not in ("op", "module"):
        raise ValueError("granularity is \"op\" or \"module\", not %r" % (granularity,))
    layers = _layers_by(layers)
    device = _device(model)
    cuda = device.type == "cuda"
    synchronize = (lambda: torch.cuda.synchronize(device)) if cuda else (lambda: None)
    walls, runs = [], []
    with _left_as_found(model):
        for number in range(-warmup, repeats + 1):  # runs that are timed and runs that nobody watches take turns
            wall = _Wall(model, synchronize)
            _run_step(step_fn, model, wall)
            if number < 0:
                continue
            walls.append(wall)
            times = _CudaTimes((4 * wall.forward, 4 * wall.backward)) if cuda else _HostTimes()
            run = (_OpRecorder(model, times, see_saved=number == 0) if granularity == "op" else
                   _ModuleRecorder(model, times, number == 0, layers))
            _run_step(step_fn, model, run)
            times.settle()
            if runs and [op.name for op in run.ops] != [op.name for op in runs[0].ops]:
                raise RecordError("two runs of the step did different ops: %s" % _first_difference(runs[0].ops, run.ops))
            runs.append(run)
    forward, backward = (_medians([getattr(run.times, way) for run in runs[1:]]) for way in ("forward", "backward"))
    tensors, ops, input_bytes = _profile_rows(runs[0], forward, backward, layers)
    if not any(op["saved"] for op in ops):
        raise RecordError("autograd saved nothing: is the model in training, and does it have parameters to train?")
    wall = statistics.median(wall.forward + wall.backward for wall in walls) * 1e6
    told = sum(op["forward_us"] + op["backward_us"] for op in ops)
    profile = {
        "schema": "slackswap-profile/1", "name": name or type(model).__name__,
        "source": "recorded by slackswap_torch.py, PyTorch %s on %s, %s by %s: medians of %d steps after %d to warm up; the "
                  "times add up to %.0f%% of the %.2f ms that forward and backward take unobserved; saved tensors as "
                  "autograd's hooks told%s" % (
                      torch.__version__, device.type, granularity, granularity, repeats, warmup, 100 * told / wall, wall / 1e3,
                      "" if link or cuda else "; a CPU has no link: none is given"),
        "device": _device_row(device),
        "static_bytes": _static_bytes(model, optimizer, input_bytes),
        "fixed_us": round(statistics.median(wall.after for wall in walls) * 1e6, 3),
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


class _Figures:
    """What a step has come to, in bytes."""

    def __init__(self):
        self.kept_bytes = self.offloaded_bytes = self.recomputed_bytes = 0
        self.device_bytes = self.host_bytes = 0  # now
        self.saved_after_forward_bytes = self.peak_saved_bytes = self.peak_host_bytes = self.ops_run_again = 0

    def device(self, by):
        self.device_bytes += by
        self.peak_saved_bytes = max(self.peak_saved_bytes, self.device_bytes)

    def host(self, by):
        self.host_bytes += by
        self.peak_host_bytes = max(self.peak_host_bytes, self.host_bytes)


class _Made:
    """A storage that the step made. calls: what made it, then what wrote into it; each gives it another version,
    numbered from 1. held: the storage, while it is there; host: its copy.

    It lives as long as a saved tensor, or something that must run again, may ask for it; with it goes the memory."""

    def __init__(self, figures, name, place, call, size, device):
        self.figures, self.name, self.place, self.bytes, self.device = figures, name, place, size, device
        self.calls = [call]
        self.action = None      # until autograd saves it
        self.held = self.host = self.probe = None
        self.sent = self.arrives = None  # events of a GPU: the copy is on the host, is back
        self.blank = False
        self.turn = 0           # how many ops had run when it was saved last: its first use in the backward pass
        self.copied = None      # which version the host's copy is of
        self.reads = 0          # how often ops read this version
        self.outdated = False   # an op read a version that is no more
        self.seen = 0           # module by module: autograd's count of changes when it was seen last
        self.segment = None     # and the segment in which it was seen first
        self.looks = None       # and the part of it that was saved first

    @property
    def version(self):
        return len(self.calls)

    def has(self, version):
        """Is that version at hand, here or on the host?"""
        if self.held is None and self.host is None:
            return False
        return version == (self.copied or self.version)

    def hold(self, storage):
        self.held = storage
        self.figures.device(self.bytes)

    def forget_how(self):
        """Its content is safe: nothing need run again for it, unless an earlier one is asked for."""
        only = all(call is None or len(call.results) == 1 for call in self.calls[1:])  # who wrote here made nothing else
        if only and not self.outdated and self.has(self.version):
            self.calls = [None] * len(self.calls)

    def let_go(self):
        """Nobody holds it as saved any more: what reads it must run again will have it made again."""
        if self.held is not None:
            self.figures.device(-self.bytes)
        if self.host is not None:
            self.figures.host(-self.bytes)
        self.held = self.host = self.action = self.probe = None

    def await_arrival(self):
        if self.arrives is not None:
            torch.cuda.current_stream(self.device).wait_event(self.arrives)
            self.arrives = None

    def __del__(self):
        self.await_arrival()  # it may have been fetched in vain: its memory must not be used before the copy is done
        if self.held is not None:
            self.figures.device(-self.bytes)
        if self.host is not None:
            self.figures.host(-self.bytes)


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
        if self.made.has(self.version):
            return None
        if self.made.calls[self.version - 1] is None:
            raise RuntimeError("what made %s has been forgotten" % self.made.name)
        return self.made.calls[self.version - 1]


class _Fixed:
    """An argument that was there before the step, or came from where nobody looks."""
    __slots__ = "tensor", "version", "copy"

    def __init__(self, tensor, copy):
        self.tensor, self.version, self.copy = tensor, tensor._version, copy


class _Call:
    """Something that ran, to run it again. results: (weak _Made, version, which of the results, or the _Ref that
    was written into)."""
    __slots__ = "func", "name", "args", "kwargs", "refs", "random", "results", "why_not"

    def __init__(self, func, name, why_not=None, random=None):
        self.func, self.name, self.why_not, self.random = func, name, why_not, random
        self.args, self.kwargs, self.refs, self.results = (), {}, [], []


class _Handle:
    """What autograd holds instead of a tensor."""
    __slots__ = "made", "geometry", "turn", "version", "__weakref__"

    def __init__(self, made, geometry):
        self.made, self.geometry, self.turn = made, geometry, made.turn
        self.version = made.probe._version if made.probe is not None else None


def _map(function, value):
    """VALUE with every tensor, or what stands for one, replaced."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, torch.Tensor) or isinstance(value, (_Ref, _Fixed)):
        return function(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_map(function, item) for item in value) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {key: _map(function, item) for key, item in value.items()}
    return value


class _Engines:
    """The two copy engines of a GPU, and what is on its way out. Its memory is given back once the copy is done, in
    the order of the computing stream: that waits, should more than a few copies be on their way."""
    MOST = 4

    def __init__(self, device):
        self.device, self.down, self.up = device, torch.cuda.Stream(device), torch.cuda.Stream(device)
        self.draining = collections.deque()

    def now(self):
        return torch.cuda.current_stream(self.device)

    def send(self, flat):
        """A copy in pinned memory, and the event that it is there."""
        self.down.wait_stream(self.now())
        with torch.cuda.stream(self.down):
            host = torch.empty(flat.numel(), dtype=torch.uint8, pin_memory=True)
            host.copy_(flat, non_blocking=True)
            sent = self.down.record_event()
        self.draining.append((flat, sent))
        self.drain(self.MOST)
        return host, sent

    def drain(self, most=0):
        while len(self.draining) > most:
            self.now().wait_event(self.draining.popleft()[1])

    def fetch(self, host, sent):
        """Back on the GPU, and the event to wait for before it is used."""
        flat = torch.empty(host.numel(), dtype=torch.uint8, device=self.device)
        self.up.wait_event(sent)
        self.up.wait_stream(self.now())  # the room may still be in use by what was handed over before
        with torch.cuda.stream(self.up):
            flat.copy_(host, non_blocking=True)
            return flat, self.up.record_event()


class _Rules:
    """What a plan says of a tensor: by its name, else by a pattern of names, a layer, a module, a pattern of
    layers, in this order; of two patterns the later counts."""

    def __init__(self, plan, layers):
        self.plan, self.layers = plan, layers
        self.used = set()
        self.as_module, self.places = set(), set()

    def _find(self, said, name, among=None):
        """The value for NAME; AMONG: also those of modules around it."""
        if name in said:
            return self._use(said, name)
        inner = [one for one in said if name.startswith(one + ".")] if among else []
        if inner:
            self.as_module.add(max(inner, key=len))
            return self._use(said, max(inner, key=len))
        for pattern in reversed(said):
            if fnmatch.fnmatchcase(name, pattern):
                return self._use(said, pattern)
        return None

    def _use(self, said, rule):
        self.used.add(rule)
        return said[rule]

    def action(self, made):
        by_name = self._find(self.plan.get("actions", {}), made.name)
        by_layer = self._find(self.plan.get("layers", {}), self.layers(made.place), among=True)
        return by_name or by_layer or "keep"

    def distance(self, made):
        steps = self._find(self.plan.get("prefetch", {}), made.name)
        return self.plan.get("prefetch_steps") if steps is None else steps

    def ambiguous(self):
        """Layers that were taken for the modules that they are too: the plan means them alone."""
        return sorted(self.as_module & {self.layers(place) for place in self.places})

    def unused(self):
        return [rule for rule in (*self.plan.get("actions", {}), *self.plan.get("layers", {})) if rule not in self.used]


class _Run(_Watch):
    """A model under a plan: `with` it, run forward and backward. See apply."""

    def __init__(self, model, plan, layers):
        super().__init__(model)
        self.plan, self.layers = plan, layers
        self.engines = {}
        self.buffers = list(model.buffers())
        self.last = None
        self._forget()

    def _forget(self):
        self.names, self.known, self.sweep_at = _Names(), {}, 1024
        self.rules, self.figures = _Rules(self.plan, self.layers), _Figures()
        self.handles, self.saved, self.offloaded, self.next_up = [], [], [], 0
        self.turn = 0
        self.again = {}  # to be copied once more when what runs has run
        self.in_forward = False

    def __enter__(self):
        self._forget()
        return super().__enter__()

    def __exit__(self, *exception):
        self.known = {}
        return super().__exit__(*exception)

    # Forward: remember what made what

    def lookup(self, tensor):
        known = self.known.get(_storage(tensor)._cdata) if _has_storage(tensor) else None
        return known and known[1]

    def enter(self, tensor, name, call):
        """A storage that CALL has made."""
        storage = _storage(tensor)
        self.rules.places.add(self.place)
        made = _Made(self.figures, name, self.place, call, storage.nbytes(), tensor.device)
        old = self.known.get(storage._cdata)
        self.known[storage._cdata] = (old[0] if old else StorageWeakRef(storage), made)
        return made

    def write(self, made, call, where):
        """CALL has written into it."""
        made.outdated |= made.reads > sum(ref.made is made for ref in call.refs)
        made.reads = 0
        call.results.append((weakref.ref(made), made.version + 1, where))
        made.calls.append(call)

    def refer(self, call, tensor, copy=False):
        """An argument of CALL, in the form in which it is remembered."""
        made = self.lookup(tensor)
        if made is None:
            return _Fixed(tensor, copy)
        ref = _Ref(made, _geometry(tensor))
        made.reads += 1
        call.refs.append(ref)
        return ref

    # What autograd saves

    def pack(self, tensor):
        made = None if self.in_backward else self.lookup(tensor)
        if made is None:
            return tensor
        made.turn = self.turn
        if made.action is None:
            with self.quiet():
                self._take(made, tensor)
        elif made.copied not in (None, made.version):  # another part of it has been written since
            with self.quiet():
                self._send(made, _storage(tensor))
        handle = _Handle(made, _geometry(tensor))
        self.handles.append(weakref.ref(handle))
        return handle

    def _take(self, made, tensor):
        """Autograd saves this for the first time: the plan says what becomes of it."""
        self.in_forward = True
        made.action = self.rules.action(made)
        self.saved.append(weakref.ref(made))
        if made.action == "keep":
            made.hold(_storage(tensor))
            made.probe = tensor.detach()
        elif made.action == "offload":
            self._send(made, _storage(tensor))
            if made.blank:  # what saves it is yet to fill it, and does not say so
                self.again[made] = _storage(tensor)

    def send_again(self):
        """What may have been written into since it was copied: the copy is made anew."""
        for made, storage in self.again.items():
            self._send(made, storage)
        self.again = {}

    def unpack(self, handle):
        if isinstance(handle, torch.Tensor):
            return handle
        made = handle.made
        with self.quiet(), torch.no_grad():
            self.backward_begins([])
            if made.probe is not None and made.probe._version != handle.version:
                raise RuntimeError("%s, saved for the backward pass, has been modified by an inplace operation" % made.name)
            storage = self._get(made)
            self._fetch_ahead(handle.turn)
            return _view(storage, handle.geometry)

    # Backward: bring back

    def backward_begins(self, roots):
        if self.in_forward:
            self.in_forward = False
            self.close(roots)
            self.send_again()
            self.known = {}  # from here on a tensor lives as long as somebody asks for it
            self._settle()
            self._check()
            for engines in self.engines.values():
                engines.drain()
            self.next_up = len(self.offloaded)
            self.room = self.figures.saved_after_forward_bytes = self.figures.device_bytes

    def close(self, roots):
        pass

    def _settle(self):
        """What autograd still holds now that the forward pass is over: nodes may have been dropped, with what they
        held."""
        held = {handle.made for handle in (weak() for weak in self.handles) if handle is not None}
        for made in (weak() for weak in self.saved):
            if made is not None and made not in held:
                made.let_go()
        alive = sorted(held, key=lambda made: made.turn)
        self.saved = [weakref.ref(made) for made in alive]
        for made in alive:
            made.forget_how()
            way = {"keep": "kept_bytes", "offload": "offloaded_bytes", "recompute": "recomputed_bytes"}[made.action]
            setattr(self.figures, way, getattr(self.figures, way) + made.bytes)
        self.offloaded = [weakref.ref(made) for made in alive if made.action == "offload"]

    def backward_ends(self):
        self.last = self.figures
        self._forget()

    def _check(self):
        unused = [rule for rule in self.rules.unused() if not any(  # a layer may be there and save nothing
            rule in self.plan.get("layers", {}) and (self.layers(path) + ".").startswith(rule + ".")
            for path in (*self.modules.values(), "model", "step"))]
        if unused:
            raise PlanError("the plan names %s, which this step does not save%s: was it made for another model, or recorded "
                            "otherwise?" % (unused[0], " (and %d more)" % (len(unused) - 1) if len(unused) > 1 else ""))
        for rule in self.rules.ambiguous():
            raise PlanError("%s is a layer, and a module with others inside: name those layers one by one" % rule)
        safe = set()
        for made in (weak() for weak in self.saved):
            if made is not None and made.action == "recompute":
                culprit = self._not_again(made, safe)
                if culprit:
                    raise PlanError("%s can't be recomputed: %s must not run twice (%s)"
                                    % (made.name, culprit.name, culprit.why_not))

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
        made.await_arrival()
        return made.held

    def _engines_of(self, device):
        if device not in self.engines:
            self.engines[device] = _Engines(device)
        return self.engines[device]

    def _send(self, made, storage):
        """Copies to the host, on a GPU in pinned memory and beside the computation."""
        if made.host is not None:
            self.figures.host(-made.bytes)
        made.copied = made.version
        if made.device.type == "cuda":
            made.host, made.sent = self._engines_of(made.device).send(_flat(storage))
        else:
            made.host = _flat(storage).to("cpu", copy=True)
        self.figures.host(made.bytes)

    def _fetch(self, made):
        if made.device.type == "cuda":
            flat, made.arrives = self._engines_of(made.device).fetch(made.host, made.sent)
        else:
            flat = made.host.to(made.device, copy=True)
        made.hold(_storage(flat))
        made.host = None
        made.figures.host(-made.bytes)

    def _fetch_ahead(self, turn):
        """Fetches what is needed next, saved last first, as far as the forward pass had left room, and as near to
        its use as the plan says."""
        while self.next_up > 0:
            made = self.offloaded[self.next_up - 1]()
            if made is not None and made.held is None:
                distance = self.rules.distance(made)
                if self.figures.device_bytes + made.bytes > self.room:
                    return
                if distance is not None and turn - made.turn > distance:
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
        for call in order:
            self._run_again(call, uses, chain)

    def _run_again(self, call, uses, chain):
        self.figures.ops_run_again += 1
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
                    self.fail(PlanError("%s can't run again: something it reads has been overwritten since" % call.name))
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
        """What the last step did, in bytes: what autograd saved and the plan kept, offloaded, recomputed; what was
        on the device when the forward pass was over, and at most (saved tensors alone); what the host held at
        most."""
        if self.last is None:
            raise RuntimeError("no step has run under the plan yet")
        return {name: value for name, value in vars(self.last).items() if name not in ("device_bytes", "host_bytes")}


class _OpRun(_Run):
    """Op by op."""

    def __init__(self, model, plan, layers):
        super().__init__(model, plan, layers)
        self.first = True     # the step in which each op is watched for random numbers
        self.drawing = set()  # ops that draw some without saying so

    def __enter__(self):
        self.buffer_keys = {_storage(buffer)._cdata for buffer in self.buffers}
        return super().__enter__()

    def backward_ends(self):
        self.first = False
        super().backward_ends()

    def op(self, func, args, kwargs):
        kind = _op_name(func)
        call = _Call(_below_autocast(func), self.names.take("%s/%s" % (self.place, kind)),
                     _why_not_again(func, kind, args, kwargs),
                     _random_state(_generators(args, kwargs)) if _is_random(func) else None)
        copy = _updates_running_statistics(kind)
        call.args, call.kwargs = _map(lambda tensor: self._refer(call, tensor, copy), [args, kwargs])
        if self.first:
            with _drawing(func, args, kwargs, look=True) as drawn:
                result = func(*args, **kwargs)
            if drawn:
                self.drawing.add(func)
        else:
            result = func(*args, **kwargs)
        if self.again:
            self.send_again()
        if func in self.drawing:
            call.why_not = DRAWS_UNSEEN
        before = _written(func) and self._see_writes(call, func, args, kwargs)
        made = self._see_results(call, kind, result)
        if call.results:
            self.turn += made
            if before and not copy:
                call.why_not = "it writes into something from before the step"
            for ref in call.refs:
                if ref.made.blank and ref.made.bytes and ref.made.calls[0]:
                    ref.made.calls[0].why_not = FILLED_UNSEEN
        else:
            for ref in call.refs:  # a view: it never runs again
                ref.made.reads -= 1
        self._sweep()
        return result

    def _refer(self, call, tensor, copy):
        return self.refer(call, tensor, copy and _has_storage(tensor) and _storage(tensor)._cdata in self.buffer_keys)

    def _see_writes(self, call, func, args, kwargs):
        """New versions of storages that were written into. Tells whether something from before the step was."""
        before = False
        for tensor in _written_tensors(func, args, kwargs):
            made = self.lookup(tensor)
            if made is None:
                before = True
            elif made.calls[-1] is not call:
                if made.blank:
                    made.name, made.place, made.blank = call.name, self.place, False
                self.write(made, call, next(ref for ref in call.refs if ref.made is made))
        return before

    def _see_results(self, call, kind, result):
        """Tells whether there are new storages."""
        new = False
        for i, tensor in enumerate(_tensors(result)):
            if _has_storage(tensor) and self.lookup(tensor) is None and not self._was_given(tensor, call):
                made = self.enter(tensor, call.name if i == 0 else "%s:%d" % (call.name, i), call)
                made.blank = _allocates(kind)
                call.results.append((weakref.ref(made), 1, i))
                new = True
        return new

    def _was_given(self, tensor, call):
        """Is it a view of something from before the step?"""
        fixed = []
        _map(lambda value: fixed.append(value.tensor) if isinstance(value, _Fixed) else None, [call.args, call.kwargs])
        return _storage(tensor)._cdata in {_storage(one)._cdata for one in fixed if _has_storage(one)}

    def _sweep(self):
        """Forgets storages that are gone, now and then."""
        if len(self.known) > self.sweep_at:
            self.known = {key: entry for key, entry in self.known.items() if not entry[0].expired()}
            self.sweep_at = 2 * len(self.known) + 1024


def _below_autocast(func):
    """Ops were seen below autocast: their arguments have been cast."""
    def run(*args, **kwargs):
        with _autocast_as([(device, False, dtype) for device, _, dtype in _autocast()]):
            return func(*args, **kwargs)
    return run


def _autocast():
    """(device, whether autocast is on there, to which type) of each device that has one."""
    if hasattr(torch, "get_autocast_dtype"):  # since 2.4
        return [(device, torch.is_autocast_enabled(device), torch.get_autocast_dtype(device)) for device in ("cuda", "cpu")]
    return [("cuda", torch.is_autocast_enabled(), torch.get_autocast_gpu_dtype()),
            ("cpu", torch.is_autocast_cpu_enabled(), torch.get_autocast_cpu_dtype())]


@contextlib.contextmanager
def _autocast_as(wanted):
    with contextlib.ExitStack() as stack:
        for (device, enabled, dtype), now in zip(wanted, _autocast()):
            if enabled or now[1]:
                stack.enter_context(torch.autocast(device, enabled=enabled, dtype=dtype))
        yield


class _ModuleRun(_Run):
    """Module by module, as _ModuleRecorder sees them: what is recomputed runs whole modules again, as
    torch.utils.checkpoint does."""
    see_ops = False

    def __init__(self, model, plan, layers):
        super().__init__(model, plan, layers)
        self.units = _units(self.modules, layers)
        self.inside = None

    def install(self, stack):
        self.before = _alive_now()
        self.inside = None
        for module, path in self.modules.items():
            if path in self.units:
                own = module.__dict__.get("forward")
                stack.callback(module.__dict__.__setitem__ if own else module.__dict__.pop, "forward", *([own] if own else []))
                module.__dict__["forward"] = self._remembering(module, module.forward)
        super().install(stack)
        self._open("%s/between" % self.place, _Call(None, None, OUTSIDE))

    def _open(self, name, call):
        self.send_again()
        self.segment, self.count, self.packs, self.fills = call, 0, 0, False
        call.name = self.names.take(name)

    def _remembering(self, module, forward):
        """FORWARD of a unit, with what it was given kept in mind."""
        def remembering(*args, **kwargs):
            if self.inside == len(self.within) and not self.in_backward:
                call = self.segment
                call.args, call.kwargs = _map(lambda tensor: self.refer(call, tensor), [args, kwargs])
                call.random = _random_state(_all_generators())
                call.func = _Again(module, forward, args, kwargs)
            return forward(*args, **kwargs)
        return remembering

    def entered(self, module, inputs):
        if self.inside is None and self.path in self.units and not self.in_backward:
            self._sight(inputs)
            self.inside = len(self.within)
            self.turn += 1
            self._open(self.place, _Call(None, None))
            # It saves its noise before that is drawn.
            self.fills = any(isinstance(one, torch.nn.RReLU) for one in module.modules())
            self._sight(inputs)

    def left(self, module, inputs, output):
        if self.inside == len(self.within) and not self.in_backward:
            outputs = list(_tensors(output))
            for number, tensor in enumerate(outputs):
                self._sight(tensor, number - len(outputs))
            self._sight(inputs)
            self.inside = None
            self._open("%s/between" % self.around, _Call(None, None, OUTSIDE))

    def _sight(self, tensors, where=None):
        """As _ModuleRecorder sights: new storages are of this segment, and so are changes. WHERE: which of its
        results."""
        for tensor in _tensors(tensors):
            if not _has_storage(tensor) or _is_number(tensor):
                continue
            made = self.lookup(tensor)
            if made is None and _storage(tensor)._cdata not in self.before and not self._is_state(tensor):
                self.count += 1
                made = self.enter(tensor, "%s@%d" % (self.segment.name, self.count), self.segment)
                made.seen, made.segment = tensor._version, self.segment
                self.segment.results.append((weakref.ref(made), 1, where))
            elif made is not None and tensor._version > made.seen:
                made.seen = tensor._version
                if made.calls[-1] is not self.segment:
                    self.write(made, self.segment, where)
                    if isinstance(self.segment.func, _Again):
                        self.segment.func.in_place = True
                    if where is None:
                        made.calls[-1] = _Call(None, self.segment.name, "it changes that in place")

    def _is_state(self, tensor):
        return isinstance(tensor, torch.nn.Parameter)

    def pack(self, tensor):
        if not self.in_backward:
            self._sight(tensor, self.packs)
            self.packs += 1
        packed = super().pack(tensor)
        made = packed.made if isinstance(packed, _Handle) else None
        if made is not None and made.action == "offload" and made.segment is self.segment:
            if made.looks is None:
                made.looks = _geometry(tensor)
            if self.fills or made.looks != _geometry(tensor):  # a part that may have been written since
                self.again[made] = _storage(tensor)
        return packed

    def close(self, roots):
        self._sight(roots)


class _Again:
    """A module, to be run a second time as it ran the first: with the buffers it had, which are then put back, as
    autocast was. Gives what autograd saves, in order, and the outputs."""

    def __init__(self, module, forward, args, kwargs):
        self.forward, self.buffers = forward, [(buffer, buffer.detach().clone()) for buffer in module.buffers()]
        self.in_place = False  # it writes into what it is given
        self.needs = [tensor.requires_grad for tensor in _tensors([args, kwargs])]
        self.autocast = _autocast()

    def __call__(self, *args, **kwargs):
        caught = []
        now = [(buffer, buffer.detach().clone()) for buffer, _ in self.buffers]
        with contextlib.ExitStack() as stack:
            stack.enter_context(_autocast_as(self.autocast))
            self._set(self.buffers)
            stack.callback(self._set, now)
            stack.enter_context(torch.enable_grad())
            stack.enter_context(torch.autograd.graph.saved_tensors_hooks(
                lambda tensor: caught.append(tensor.detach()), lambda nothing: nothing))
            inputs = iter(self.needs)
            args, kwargs = _map(lambda tensor: self._given(tensor.requires_grad_(next(inputs))), [args, kwargs])
            output = self.forward(*args, **kwargs)
        return caught + [tensor.detach() for tensor in _tensors(output)]

    def _given(self, tensor):
        return tensor.clone() if self.in_place else tensor  # a leaf can't be written into, and it is not ours alone

    @staticmethod
    def _set(buffers):
        with torch.no_grad():
            for buffer, content in buffers:
                buffer.copy_(content)


def _read_plan(plan):
    if not isinstance(plan, dict):
        with open(plan) as file:
            plan = json.load(file)
    if not isinstance(plan, dict) or not ("actions" in plan or "layers" in plan):
        raise PlanError("expected a slackswap-plan/1 with \"actions\"")
    for member in "actions", "layers":
        if not isinstance(plan.get(member, {}), dict):
            raise PlanError("%s: expected an object" % member)
        for name, action in plan.get(member, {}).items():
            if action not in ("keep", "offload", "recompute"):
                raise PlanError("%s: expected keep, offload or recompute, found %r" % (name, action))
    return plan


def apply(model, plan, *, layers=None):
    """Prepares MODEL to run training steps under PLAN (a slackswap-plan/1: a file's name, or its content as a dict).

    Returns what to run each step in: `with run:` around one forward and its backward. Gradients are those of the
    plain step, bit for bit, dropout included. run.report() has the figures of the last step. LAYERS is as for
    record; it matters where the profile is by module, and where the plan names layers.

    Raises PlanError, before the backward pass begins, for a plan that names what the step does not save, or
    recomputes what can't be: the message names the tensor, the op and the reason."""
    plan = _read_plan(plan)
    by_module = any("@" in name.rpartition("/")[2] for name in plan.get("actions", {}))
    return (_ModuleRun if by_module else _OpRun)(model, plan, _layers_by(layers))
