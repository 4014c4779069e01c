"""What QEMU saw (sim/cortexm/truth/plugin.c) and what the simulated node told: read, and held against each other."""

import bisect
import collections
import re
import subprocess
import sys

import wsn


def check(condition, what):
    if not condition:
        print(f"FAILED: {what}")
        sys.exit(1)
    print(f"ok: {what}")


Span = collections.namedtuple("Span", "calls total min max other other_max inner")
Called = collections.namedtuple("Called", "done total min max")
Took = collections.namedtuple("Took", "insns calls inner other")
Function = collections.namedtuple("Function", "address entries insns ran")


class Truth:
    """The plugin's file. `functions` is by name, the last of each."""

    def __init__(self, path):
        self.functions, self.calls, self.arcs, self.sites = {}, {}, {}, {}
        self.samples, self.interrupts, self.pcs = {}, {}, {}
        self.took = collections.defaultdict(list)	# by site
        self.at, self.called = {}, {}	# names by address: several functions may have one
        self._starts = []
        for line in open(path):
            kind, *f = line.rstrip("\n").split("\t")
            getattr(self, "_" + kind)(*f)

    def _insns(self, total, ran, hooks):
        self.insns, self.ran, self.hooks = int(total), int(ran), int(hooks)

    def _odd(self, strays, cut, left):
        self.strays, self.cut, self.samples_left = int(strays), int(cut), int(left)

    def _function(self, address, name, *counts):
        self.functions[name] = Function(int(address, 16), *map(int, counts))
        self.at[int(address, 16)] = name

    def _call(self, source, to, count, *span):
        self.calls[int(source, 16), int(to, 16)] = int(count)
        self.called[int(source, 16), int(to, 16)] = Called(*map(int, span))

    def _arc(self, source, to, count):
        self.arcs[int(source, 16), int(to, 16)] = int(count)

    def _site(self, source, to, *numbers):
        self.sites[int(source, 16), int(to, 16)] = Span(*map(int, numbers))

    def _took(self, source, to, *numbers):
        self.took[int(source, 16), int(to, 16)].append(Took(*map(int, numbers)))

    def _sample(self, pc, count):
        self.samples[int(pc, 16)] = int(count)

    def _interrupt(self, handler, count):
        self.interrupts[int(handler, 16)] = int(count)

    def _pc(self, address, count, ran):
        self.pcs[int(address, 16)] = int(count), int(ran)

    def self_insns(self, *patterns, ran=False):
        """Instructions in the functions whose names match, wholly."""
        return sum(f.ran if ran else f.insns for name, f in self.functions.items()
                   if any(re.fullmatch(p, name) for p in patterns))

    def name_of(self, pc):
        """The function that begins last before the address."""
        if not self._starts:
            self._starts = sorted(self.at)
        return self.at.get(self._starts[max(bisect.bisect_right(self._starts, pc) - 1, 0)])


class Run:
    """One run's two sides."""

    def __init__(self, path):
        self.truth = Truth(path + ".truth")
        data = open(path + ".uart", "rb").read()
        self.bytes = len(data)
        self.node = wsn.Node(data)
        self.sums = dict(re.findall(r"(\w+) ([0-9a-f]{8})\n", self.node.text.decode(errors="replace")))


def direct_calls(elf):
    """(address behind it, target) by address: every bl in the image."""
    found = {}
    text = subprocess.run(["arm-none-eabi-objdump", "-d", "--no-show-raw-insn", elf], capture_output=True,
                          text=True, check=True).stdout
    for m in re.finditer(r"^ *([0-9a-f]+):\tbl\t([0-9a-f]+) ", text, re.M):
        found[int(m[1], 16)] = int(m[1], 16) + 4, int(m[2], 16)
    return found


def differences(told, true, limit=8):
    """Where two tables of counts differ, in words."""
    wrong = [k for k in set(told) | set(true) if told.get(k, 0) != true.get(k, 0)]
    shown = [" ".join(f"{part:#x}" for part in (k if isinstance(k, tuple) else (k,))) +
             f": told {told.get(k, 0)}, true {true.get(k, 0)}" for k in sorted(wrong)[:limit]]
    return len(wrong), shown


def check_same(told, true, what):
    count, shown = differences(told, true)
    for line in shown:
        print(" ", line)
    check(count == 0 and true, f"{what}: {len(true)}, {sum(true.values())} in all")


def variation(told, true):
    """Total variation distance of two distributions."""
    a, b = sum(told.values()), sum(true.values())
    return sum(abs(told.get(k, 0) / a - true.get(k, 0) / b) for k in set(told) | set(true)) / 2
