"""Timed call sites told, and those that QEMU saw.

Times are instructions here. A node takes its hooks' time back; what is left over of them, the
instructions by which the compiler calls them and its own first and last, is the error. The node
measures it and says it: its spread, for every call measured, and for every instrumented call in it.
"""

import collections

from cortexm import Run, check

RATE = {"microbit": 2.048, "an505": 1.28}	# ticks an instruction takes; others: 1.6
SPREAD, SPREAD_SOFT = 6, 12			# what a node may say that it is off by; with SysTick's clock
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
        return sum(self.status[k] for k in ("stack_full", "table_full", "cut", "no_stack"))

    def name_of(self, key):
        return f"{key[0]:#x}->{self.truth.at[key[1]]}"

    def check_calls(self):
        told = {k: s.calls for k, s in self.told.items() if s.calls}
        true = {k: s.calls for k, s in self.truth.sites.items()}
        wrong = [f"{self.name_of(k)} {told.get(k)} {true.get(k)}" for k in set(told) | set(true)
                 if told.get(k) != true.get(k)]
        check(true and not wrong, f"{self.name}: {len(true)} sites, {sum(true.values())} calls as QEMU saw them "
                                  f"{wrong[:3] or ''}")

    def struck(self):
        """What instrumented handlers leave in what they interrupt, all together."""
        return STRUCK * sum(h.calls for h in self.handlers().values())

    def fault_of_total(self, key):
        """What is wrong with the sum of a site's durations, or None."""
        told, true = self.insns(self.told[key].total, self.told[key].calls), self.truth.sites[key]
        off = self.spread * (true.calls + true.inner)
        if true.total - off <= told <= true.total + off + true.other + self.struck():
            return None
        return f"total {told:.0f}, true {true.total}, {true.calls} calls, {true.inner} within"

    def fault_of_one(self, key):
        """What is wrong with the shortest and the longest, or None. One that calls nothing has exact bounds."""
        told, true = self.told[key], self.truth.sites[key]
        hooks = 1 + (true.calls + true.inner if true.inner else 0)
        off = self.spread * hooks
        more = off + true.other_max + (STRUCK * hooks if self.handlers() else 0)
        for what, got, real in ("min", told.min, true.min), ("max", told.max, true.max):
            if not real - off <= self.insns(got) <= real + more:
                return f"{what} {self.insns(got):.0f}, true {real}"
        return None

    def check_faults(self, what, *kinds):
        most = SPREAD_SOFT if any(k in self.name for k in ("systick", "rounds", "clock24")) else SPREAD
        check(0 < self.spread < most, f"{self.name}: a duration may be off by {self.spread:.1f} instructions, it says")
        both = [k for k in self.truth.sites if k in self.told]
        faults = [f"{self.name_of(k)}: {kind(k)}" for k in both for kind in kinds if kind(k)]
        for fault in faults[:8]:
            print(" ", fault)
        check(both and not faults, f"{self.name}: {what} within the error, {len(both)} sites")

    def check_totals(self):
        self.check_faults("totals", self.fault_of_total)

    def check_times(self):
        self.check_faults("durations", self.fault_of_total, self.fault_of_one)

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
