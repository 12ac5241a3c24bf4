"""A Chrome trace of ours, read back by someone who knows the format and nothing of the program: what is in it is derived
from the events alone, and what must hold of any such trace is checked on the way."""
import json


SIMULATED, MEASURED = 1, 2 # processes

# What viewers make of a time: the double that it is (speedscope, chrome://tracing), nanoseconds cut off (Perfetto).
CLOCKS = (lambda us: us, lambda us: int(us * 1000.0))


class Trace:
    def __init__(self, text, measured=False):
        self.document = json.loads(text)
        every = self.document["traceEvents"]
        assert {e["pid"] for e in every} == ({SIMULATED, MEASURED} if measured else {SIMULATED})
        self.measured = [e for e in every if e["ph"] == "X" and e["pid"] == MEASURED]
        self.events = [e for e in every if e["pid"] == SIMULATED]
        self.slices = [e for e in self.events if e["ph"] == "X"]
        for event in self.events:
            self.check_event(event)
        names = {e["tid"]: e["args"]["name"] for e in self.events if e["name"] == "thread_name"}
        order = {e["tid"]: e["args"]["sort_index"] for e in self.events if e["name"] == "thread_sort_index"}
        self.lanes = [names[tid] for tid in sorted(order, key=order.get)]
        self.processes = [e["args"]["name"] for e in every if e["name"] == "process_name"]
        self.by_lane = {name: [s for s in self.slices if s["tid"] == tid] for tid, name in names.items()}
        assert sorted({s["tid"] for s in self.slices} - set(names)) == [], "slices on lanes without a name"

    @staticmethod
    def check_event(event):
        for key in ("name", "ph", "pid", "tid"):
            assert key in event, (key, event)
        if event["ph"] == "M":
            return
        assert event["ph"] in "XstfC", event
        assert event["ts"] >= 0, event
        if event["ph"] == "X":
            assert event["dur"] >= 0, event
            assert event["name"].split()[0] in ("fwd", "rec", "bwd", "D2H", "H2D", "stall", "fixed"), event

    def depths(self, lane):
        """How deep each slice of LANE lies, in the order of the file; slices must nest, in the arithmetic of every viewer."""
        found = [self.depths_by(lane, clock) for clock in CLOCKS]
        assert all(depths == found[0] for depths in found), lane
        return found[0]

    def depths_by(self, lane, clock):
        found, stack, before = [], [], 0
        for event in self.by_lane[lane]:
            start = clock(event["ts"])
            end = start + clock(event["dur"])
            assert start >= before, ("not in order", event)
            before = start
            while stack and stack[-1][0] <= start and not (stack[-1][1] == "layer" and event["cat"] != "layer" and
                                                           stack[-1][0] == end):
                stack.pop()
            assert not stack or end <= stack[-1][0], ("does not nest", event)
            found.append(len(stack))
            stack.append((end, event["cat"]))
        return found

    def busy_us(self, lane):
        return sum(s["dur"] for s in self.by_lane[lane] if s["cat"] in ("op", "transfer"))

    def step_us(self):
        return max(s["ts"] + s["dur"] for s in self.slices)

    def sum_us(self, category):
        return sum(s["dur"] for s in self.slices if s["cat"] == category)

    def counter(self, name):
        """(ts, value), where every sample has one key, and the same."""
        samples = [e for e in self.events if e["ph"] == "C" and e["name"] == name]
        assert {tuple(e["args"]) for e in samples} <= {("bytes",)}, name
        assert [e["ts"] for e in samples] == sorted(e["ts"] for e in samples), name
        return [(e["ts"], e["args"]["bytes"]) for e in samples]

    def counters(self):
        return sorted({e["name"] for e in self.events if e["ph"] == "C"})

    def flows(self):
        """For each arrow, by id, the slices that it binds to: the deepest around its time, as viewers take it."""
        found = {}
        for event in self.events:
            if event["ph"] in "stf":
                found.setdefault(event["id"], []).append(event)
        return {number: [self.bind(event) for event in arrow] for number, arrow in found.items()
                if self.check_arrow(number, arrow)}

    @staticmethod
    def check_arrow(number, arrow):
        phases = "".join(e["ph"] for e in arrow)
        assert phases[0] == "s" and phases[-1] == "f" and set(phases[1:-1]) <= {"t"}, (number, phases)
        assert len({(e["name"], e["cat"]) for e in arrow}) == 1, number
        assert [e["ts"] for e in arrow] == sorted(e["ts"] for e in arrow), number
        return True

    def bind(self, event):
        found = [self.bind_by(event, clock) for clock in CLOCKS]
        assert all(slice is found[0] for slice in found), event
        return found[0]

    def bind_by(self, event, clock):
        at = clock(event["ts"])
        around = [s for s in self.slices if s["tid"] == event["tid"] and s["pid"] == event["pid"]
                  and clock(s["ts"]) <= at < clock(s["ts"]) + clock(s["dur"])]
        assert around, ("binds to no slice", event)
        return min(around, key=lambda s: (s["dur"], s["cat"] == "layer"))
