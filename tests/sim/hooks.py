"""What the nodes of tests/sim/hooks said, held against the simulator's truth; test_hooks.sh runs them."""

import os
import re
import sys

from truth import *
from wsn import Node

tmp = sys.argv[1]
LONG = os.environ.get("LONG")
# An application's overflow interrupt that tells the clock's round is in the calls that it hits.
TICK = 220 if tmp.endswith("-read") else 0
MASKED = 250
LOST = ("stack_full", "table_full", "cut", "text", "carries", "no_stack")


class Run:
    """A case: what the node said, by site and by function, and the truth of the same run."""

    def __init__(self, name, lost=None):
        self.name = name
        self.node = Node(open(f"{tmp}/{name}.bin", "rb").read())
        self.truth = Truth(f"{tmp}/{name}.truth")
        self.rows = rows_of_node(self.node)
        self.per_tick = CPU_HZ / self.node.hello.hz
        self.spread = self.node.hello.spread * self.per_tick
        said = {k: self.node.status[k] for k in LOST if self.node.status[k]}
        check(not self.node.damaged and not self.node.lost_frames and said == (lost or {}), f"{name}: lost: {said}")
        if name != "carry":		# 2^31 ticks go to the rows of all open calls at once
            masked = self.truth.facts["masked_hook"]
            check(masked <= MASKED, f"{name}: a hook turns interrupts off for {masked} cycles at most")

    def word(self, name):
        return int(re.search(rf"{name} ([0-9a-f]{{8}})\n", self.node.text.decode())[1], 16)

    def never_back(self):
        check(self.word("back") == 0, f"{self.name}: the run never went back")

    def calls(self):
        check_calls(self.rows, self.truth.sites, self.name)

    def raw(self, function):
        """The only row of a function, as sent."""
        rows = [r for (_, to), r in self.node.sites().items() if self.truth.functions.get(to) == function]
        check(len(rows) == 1, f"{self.name}: one row of {function}")
        return rows[0]

    def run(self):
        return (self.node.status["run_low"] + (self.node.status["run_high"] << 32)) * self.per_tick

    def plain(self):
        """By caller, line and function: the row, the instrumented program's truth, the plain program's."""
        self.plain_truth = Truth(f"{tmp}/{self.name}-plain.truth")
        plain = self.plain_truth.by_place(f"{tmp}/{self.name}-plain.elf")
        own = self.truth.by_place(f"{tmp}/{self.name}.elf")
        rows = by_place_of(self.rows, self.truth, f"{tmp}/{self.name}.elf")
        return {k: (rows[k], own[k], plain[k]) for k in rows}

    def times(self, each=True, without=()):
        """Totals, and with `each` the shortest and the longest, against the plain program's, within the stated spread."""
        # Without taking back, the timer's own interrupt is in the calls that it hits.
        overflow = TICK or (110 if self.per_tick > 1 else 0)
        worst = 0
        for place, (row, own, plain) in self.plain().items():
            # A handler's begins with its hook, not with what it saves.
            if not place[0] or place[2] in without:
                continue
            mean, hooks = plain.total / plain.calls, 1 + (own.inner + own.struck) / own.calls
            off = abs(row.total / row.calls - mean) / hooks
            worst = max(worst, off)
            check(off <= self.spread + overflow * mean / (65536 * self.per_tick), f"{self.name}: {place[2]} from {place[0]}: {row.total / row.calls:.1f} cycles, "
                                      f"true {mean:.1f}, {hooks - 1:.2f} calls within")
            if each:
                # Of a duration that has a code, 11 bits are left.
                room = self.spread * (1 + own.inner / own.calls + 1) + row.high / 2048
                check(row.low >= plain.low - room and row.high <= plain.high + room + overflow,
                      f"{self.name}: {place[2]}: {row.low:.0f} to {row.high:.0f} cycles, "
                      f"true {plain.low} to {plain.high}")
        print(f"{self.name}: off by at most {worst:.1f} cycles a call, stated {self.spread:.1f}")


def shorts(name):
    short = Run(name)
    short.calls()
    short.never_back()
    short.times(each=False, without=("dive",))
    check(min(r.low for r in short.rows.values()) == 0, f"{name}: there are calls of no time at all")
    net, hooks = short.plain_truth.facts["run_net"], short.truth.calls()
    check(abs(short.run() - net) <= short.spread * hooks, f"{name}: a run of {short.run():.0f} cycles, true {net}, {hooks} calls")


shorts("short")
shorts("shortleast")

early = Run("early")
early.calls()
early.never_back()
total = sum((2 * (i ^ 1) + 2 * (i ^ 2)) & 255 for i in range(100)) & 255
check(early.word("ticks") >= 5 and early.word("sum") == total, "early: what it computed is right")

carry = Run("carry")
carry.plain()
skew = carry.node.hello.skew
for name, before in (("many", 0xffff80), ("sent", 0xfffffd)):
    true = sum(s.calls for s in carry.truth.sites_of(name).values())
    check(carry.raw(name).calls == before + true > 1 << 24, f"carry: {name}: {before:#x} calls and {true}")
true_of = {name: next(iter(carry.plain_truth.sites_of(name).values())).low
           for name in ("over16", "over24", "over32", "slow32")}
BEFORE = {"over16": [0xff00], "over24": [0xffff00], "over32": [1 << 32 | 0xffffff00], "slow32": [0xffffff00]}
for name, (before,) in BEFORE.items():
    sites = carry.truth.sites_of(name)
    check(len(sites) == 1, f"carry: one site of {name}")
    row = carry.raw(name)
    off = row.total - before - 10 * (true_of[name] + skew)
    check(abs(off) <= 10 * carry.spread + TICK * (1 + true_of[name] / 6553), f"carry: {name}: {row.total:#x} ticks, {off:.0f} off")

# Calls longer than 2^32 ticks: so many more overflows of the timer than the simulator saw.
MORE = {"eon": 0xfffe, "eon_caller": 0xfffe, "child": 0, "crossing": 0xfffe, "twice_child": 0xffff,
        "twice": 2 * 0xffff}
ROUND = 65536 - 32		# what one is worth: WSNPROF_REST
LONGEST = 0xfff << 19		# the code of 2^31 and more
for name, wraps in MORE.items():
    row, true = carry.raw(name), next(iter(carry.plain_truth.sites_of(name).values()))
    off = row.total - wraps * ROUND - true.total - skew
    check(abs(off) <= 65536, f"carry: {name}: {row.total:#x} ticks, {off:.0f} off")
    check((row.min, row.max) == (LONGEST, LONGEST) if wraps else row.max < 300000,
          f"carry: {name}: {row.min} to {row.max} ticks")
more = (4 * 0xffff - 2) * ROUND
net = carry.plain_truth.facts["run_net"]
check(abs(carry.run() - more - net) < 3 * 65536, f"carry: a run of {carry.run():.0f} cycles, true {more + net}")

carry0 = Run("carry0", lost={"carries": 1})
many, sent = carry0.raw("many"), carry0.raw("sent")
check((many.calls, sent.calls) == (0xffff80 + 600, 0xfffffd + 5 - (1 << 24)), "carry0: one extension fits, and one is lost")

phase = Run("phase")
phase.calls()
phase.times()

nested = Run("nested")
nested.calls()
# A clock that stood still at a call's beginning adds at most what a handler's epilogues take.
for name in (f for f in nested.truth.functions.values() if f == "leaf" or f.startswith("__vector_")):
    if nested.truth.sites_of(name):
        longest = nested.truth.only(name).high + nested.node.hello.skew
        check(nested.raw(name).max <= longest + 200, f"nested: {name} took at most {nested.raw(name).max} ticks, true {longest:.0f}")

# What is left is the code between the handler's last word and its hook, as the plain program has its epilogue.
tail = Run("tail")
tail.calls()
# Where T is a sum it would be off for too long, and is on.
if not TICK:
    check(tail.word("deep") <= 15, f"tail: at {tail.word('deep')} of 100 periods the handler's frames pile up")

storm = Run("storm")
storm.calls()
longest = max(s.high for s in storm.truth.sites.values())
check(longest < CPU_HZ, f"storm: the longest call that the simulator saw took {longest} cycles")
storm.never_back()
storm.times(each=False)
served = 0
handlers = sorted((f for f in storm.truth.functions.values() if f.startswith("__vector_")),
                  key=lambda f: -storm.raw(f).calls)
for handler, step in zip(handlers, ("tick_step", "slow_step")):
    row, true = storm.raw(handler), storm.truth.only(handler)
    steps = storm.truth.sites_of(step).values()
    check([s.calls for s in steps] == 2 * [true.calls], f"storm: {handler}: {true.calls} calls, each with two")
    served += 3 * row.calls
    # The compiler's part of these two, 40 cycles each, is in the truth of an instrumented program.
    mean, own = row.total / row.calls - storm.node.hello.skew, true.total / true.calls - 80
    check(abs(mean - own) <= storm.spread * (3 + true.struck / true.calls),
          f"storm: {handler}: {mean:.0f} cycles a call, true {own:.0f}, {true.struck} struck")
check(served > 30000, f"storm: {served} calls in handlers")
isr = storm.node.status["isr_low"] + (storm.node.status["isr_high"] << 32)
rows = sum(storm.raw(f).total for f in handlers)
check(isr == rows, f"storm: {isr} ticks in handlers, as their rows say")

# What the clock moved in the enter hook, what of that before the call began, what the exit hook took back.
def even(name, long_alone=False):
    run = Run(name, lost={"table_full": Node(open(f"{tmp}/{name}.bin", "rb").read()).status["table_full"], "cut": 3})
    moved = {k: int(v, 16) for k, v in re.findall(r"(\w+) ([0-9a-f]{8})\n", run.node.text.decode()) if k != "back"}
    entered, since, left = (lambda v: v >> 16), (lambda v: v >> 8 & 255), (lambda v: v & 255)
    ordinary = moved["place"]
    for what, v in () if long_alone else moved.items():
        handler = what in ("handler", "newhandler", "off", "another", "longhandler") and run.node.hello.has("isr")
        lost = what.startswith("lost")
        same = lost or abs(since(v) - since(ordinary)) <= 4
        off = entered(v) - entered(ordinary) - (0 if handler else left(v) - left(ordinary))
        check(same and abs(off) <= 4, f"{name}: {what}: the clock moved by {off} cycles more than at its place")
    off = (left(moved["longhandler"]) - left(moved["handler"]) + 128) % 256 - 128
    check(abs(off) <= 4, f"{name}: a long handler's time goes back by {off} cycles more than a short one's")


even("even")
even("evenleast")
if LONG:
    even("even1", long_alone=True)	# a new row has less to clear
    Run("nested1").calls()

dense = Run("dense", lost={"table_full": Node(open(f"{tmp}/dense.bin", "rb").read()).status["table_full"]})
dense.never_back()
handlers = [f for f in dense.truth.functions.values() if f.startswith("__vector_") and dense.truth.sites_of(f)]
check(len(handlers) == 1 and dense.raw(handlers[0]).calls == dense.truth.only(handlers[0]).calls > 2000,
      f"dense: {dense.raw(handlers[0]).calls} calls of the handler, true {dense.truth.only(handlers[0]).calls}")
said = sum(r.calls for r in dense.rows.values()) + dense.node.status["table_full"]
check(said == dense.truth.calls(), f"dense: {said} calls in rows and lost, true {dense.truth.calls()}")

for name in ("relax", "rjmp"):
    if LONG if name == "relax" else dense.node.hello.arch == 1:
        Run(name).calls()

for name in ("clock8", "clock64"):
    clock = Run(name)
    clock.calls()
    clock.never_back()
    clock.times(each=True)
    true = clock.truth.facts["run"]
    check(abs(clock.run() / true - 1) < 0.001, f"{name}: a run of {clock.run():.0f} cycles, true {true}")

buckets = Run("buckets")
buckets.calls()
said = [0] * 8
for row in buckets.node.sites().values():
    said = [a + b for a, b in zip(said, row.buckets)]
true = [65535 + 299, 270, 7, 600, 20, 10, 4, 3]
off = max(abs(a - b) for a, b in zip(said, true))
check(sum(said) == sum(true) and off <= (2 if TICK else 0), f"buckets: {said}")

OWN = {"first_inner": 93000, "first_work": 97000, "second_level": 41000, "second_work": 44000, "main_work": 40000}
PASSES = {"first_inner": 2, "first_work": 2, "second_level": 1, "second_work": 2, "main_work": 1}


def check_tasks(name, lost, stackless=()):
    """Each call's time is its own task's; no call of a task without a stack returns before another task goes on."""
    tasks = Run(name, lost=lost)
    check(tasks.raw("second_level").calls == 50, f"{name}: each time the third level is cut off, and the second returns")
    check(not any(tasks.raw(function).calls for function in stackless), f"{name}: {len(stackless)} functions are not counted")
    for function in OWN.keys() - stackless:
        row, own = tasks.raw(function), OWN[function]
        each = row.total / row.calls - tasks.node.hello.skew if row.calls else 0
        check(row.calls > 30 and abs(each - own) < 400 * PASSES[function],
              f"{name}: {function}: {row.calls} calls of {each:.0f} cycles, its own are {own}")


check_tasks("tasks", {"cut": 50})
check_tasks("stackless", {"cut": 50, "no_stack": 100}, {"first_inner", "first_work"})
