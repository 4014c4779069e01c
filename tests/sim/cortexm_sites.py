"""Timed call sites told, and those that QEMU saw.

Times are instructions here. A node takes its hooks' time back; what is left over of them, the
instructions by which the compiler calls them and its own first and last, is the error. The node
measures it and says it: its spread, for every call measured, and for every instrumented call in it.
"""

import collections

from cortexm import Run, check

RATE = {"microbit": 2.048, "an505": 1.28}	# ticks an instruction takes; others: 1.6
SPREAD = 6					# what a node may say that it is off by
STRUCK = 24					# an instrumented handler's, in what it interrupts


class Times:
    """A run's sites, told and true, in instructions."""

    def __init__(self, path):
        self.name = name = path.split("/")[-1]
        self.run = Run(path)
        node, self.truth = self.run.node, self.run.truth
        check(self.truth.strays == 0, f"{name}: QEMU's flow of control is understood, {self.truth.insns} instructions")
        check(node.hello and node.damaged == 0 and node.lost_frames == 0,
              f"{name}: {sum(node.frames.values())} frames, none damaged or lost")
        self.status, self.hello = node.status, node.hello
        self.rate = RATE.get(name.split("-")[0], 1.6)
        self.spread = self.hello.spread / self.rate
        self.told = node.sites()
        # Handlers are called from no place: that is the base's address, on the line.
        self.truth.sites = {(source or self.hello.base, to): s for (source, to), s in self.truth.sites.items()}

    def insns(self, ticks, calls=1):
        return (ticks - calls * self.hello.skew) / self.rate

    def lost(self):
        return self.status["stack_full"] + self.status["table_full"] + self.status["cut"]

    def name_of(self, key):
        return f"{key[0]:#x}->{self.truth.at[key[1]]}"

    def check_calls(self):
        told = {k: s.calls for k, s in self.told.items() if s.calls}
        true = {k: s.calls for k, s in self.truth.sites.items()}
        wrong = [f"{self.name_of(k)} {told.get(k)} {true.get(k)}" for k in set(told) | set(true)
                 if told.get(k) != true.get(k)]
        check(true and not wrong, f"{self.name}: {len(true)} sites, {sum(true.values())} calls as QEMU saw them "
                                  f"{wrong[:3] or ''}")

    def fault(self, key):
        """What is wrong with the durations of a site, or None."""
        told, true = self.told[key], self.truth.sites[key]
        calls, off, struck = true.calls, self.spread, STRUCK if self.handlers() else 0
        hooks = calls + true.inner
        low, high = true.total - off * hooks, true.total + off * hooks + true.other + \
            struck * sum(h.calls for h in self.handlers().values())
        if not low <= self.insns(told.total, calls) <= high:
            return f"total {self.insns(told.total, calls):.0f}, true {true.total}, {hooks} calls"
        # Exact bounds for one call need one that calls nothing else.
        inner = 0 if true.inner == 0 else hooks
        off *= 1 + inner
        more = off + true.other_max + struck * (1 + inner)
        for what, got, real in ("min", told.min, true.min), ("max", told.max, true.max):
            if not real - off <= self.insns(got) <= real + more:
                return f"{what} {self.insns(got):.0f}, true {real}"
        return None

    def check_times(self):
        check(0 < self.spread < SPREAD, f"{self.name}: a duration may be off by {self.spread:.1f} instructions, it says")
        faults = {k: self.fault(k) for k in self.truth.sites if k in self.told}
        faults = [f"{self.name_of(k)}: {f}" for k, f in faults.items() if f]
        for fault in faults[:8]:
            print(" ", fault)
        check(not faults, f"{self.name}: durations within the error, {len(self.truth.sites)} sites")

    def by_function(self):
        """(calls, instructions, instrumented calls within) of each function."""
        sums = collections.defaultdict(lambda: [0, 0, 0])
        for key, told in self.told.items():
            row = sums[self.truth.at[key[1]]]
            row[0] += told.calls
            row[1] += self.insns(told.total, told.calls)
            row[2] += self.truth.sites[key].inner if key in self.truth.sites else 0
        return sums

    def handlers(self):
        return {self.truth.at[k[1]]: s for k, s in self.told.items() if k[0] == self.hello.base}


def check_all(path):
    times = Times(path)
    times.check_calls()
    times.check_times()
    return times
