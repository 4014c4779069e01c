"""What the simulator saw of a run, and what a node or wsntop says of it, held against each other."""

import copy
import json
import re
import subprocess
import sys
import tempfile

import wsn

CPU_HZ = 8000000


def check(condition, what):
    if not condition:
        print(f"FAILED: {what}")
        sys.exit(1)
    print(f"ok: {what}")


class Site:
    """Calls from one place to one function; times in cycles, None where nobody measured them."""

    def __init__(self, calls=0, cut=0, total=0, low=0, high=0, inner=0, struck=0, own=0):
        self.calls, self.cut, self.total, self.low, self.high = calls, cut, total, low, high
        self.inner, self.struck, self.own = inner, struck, own

    def copy(self):
        return copy.copy(self)

    def add(self, other):
        if other.calls and other.low is not None:
            self.low = min(self.low, other.low) if self.calls else other.low
            self.high = max(self.high, other.high)
        if other.total is not None:
            self.total += other.total
        for field in ("calls", "cut", "inner", "struck", "own"):
            setattr(self, field, getattr(self, field) + getattr(other, field))


class Truth:
    """avrnode --truth: sim/truth.h says what each line means."""

    def __init__(self, path):
        self.sites, self.functions, self.facts, self.hooks = {}, {}, {}, {}
        for line in open(path):
            kind, *f = line.rstrip("\n").split("\t")
            if kind == "site":
                self.sites[int(f[0], 16), int(f[1], 16)] = Site(*map(int, f[2:]))
            elif kind == "function":
                self.functions[int(f[0], 16)] = f[1]
            elif kind == "hook":
                self.hooks[f[0]] = tuple(map(int, f[1:]))
            elif kind == "run":
                self.facts["run"], self.facts["run_net"] = map(int, f)
            else:
                self.facts[kind] = int(f[0])

    def calls(self):
        return sum(s.calls for s in self.sites.values())

    def cut(self):
        return sum(s.cut for s in self.sites.values())

    def sites_of(self, name):
        return {k: s for k, s in self.sites.items() if self.functions[k[1]] == name}

    def only(self, name):
        sites = self.sites_of(name)
        assert len(sites) == 1, f"{name} has {len(sites)} sites"
        return next(iter(sites.values()))

    def by_place(self, elf):
        return by_place_of(self.sites, self, elf)


def by_place_of(sites, truth, elf):
    """Sites by what does not depend on the build: caller, line of the call, callee. Values are added up."""
    keys = list(sites)
    asked = "".join(f"{max(k[0] - 1, 0):#x}\n" for k in keys)
    said = subprocess.run(["avr-addr2line", "-f", "-e", elf], input=asked, text=True,
                          capture_output=True, check=True).stdout.split("\n")
    places = {}
    for i, key in enumerate(keys):
        caller, line = ("", "") if key[0] == 0 else (said[2 * i], said[2 * i + 1].rsplit("/")[-1])
        place = caller, re.sub(r" \(disc.*", "", line), truth.functions[key[1]]
        if place in places:
            places[place].add(sites[key])
        else:
            places[place] = sites[key].copy()
    return places


class Flash:
    """The bytes that an ELF puts into flash."""

    def __init__(self, elf):
        with tempfile.TemporaryDirectory() as work:
            subprocess.run(["avr-objcopy", "-O", "binary", "-j", ".text", elf, f"{work}/flash"], check=True)
            self.bytes = open(f"{work}/flash", "rb").read()

    def word(self, address):
        return int.from_bytes(self.bytes[address:address + 2], "little")

    def through_stub(self, address):
        """Where a linker's stub (a `jmp`, for pointers in chips of more than 128 KB) leads; else the address."""
        op = self.word(address)
        if op & 0xfe0e != 0x940c:
            return address
        return ((op >> 3 & 0x3e | op & 1) << 16 | self.word(address + 2)) * 2


def rows_of_node(node, flash=None):
    """What the independent decoder (wsn.py) read; the callee behind a linker's stub, where there is a flash."""
    skew, per_tick = node.hello.skew, CPU_HZ / node.hello.hz
    timed, bounded = node.hello.features & wsn.TIMED, node.hello.features & wsn.MINMAX
    rows = {}
    for (source, to), row in node.sites().items():
        total = (row.total - row.calls * skew) * per_tick if timed else None
        low, high = ((max(v - skew, 0) * per_tick for v in (row.min, row.max)) if bounded else (None, None))
        rows[source, flash.through_stub(to) if flash else to] = Site(row.calls, 0, total, low, high)
    return rows


def rows_of_json(path, hz):
    """wsntop's export, and its sites by address of the return and of the callee."""
    out = json.load(open(path))

    def cycles(seconds):
        return None if seconds is None else seconds * hz

    return out, {(s["address"] or 0, s["to_address"]):
                 Site(s["calls"], 0, cycles(s["total_s"]), cycles(s["min_s"]), cycles(s["max_s"]))
                 for s in out["sites"]}


def narrow(sites, bits):
    """Sites as a node knows them that is told only so many bits of a return address."""
    out = {}
    for (source, to), site in sites.items():
        out.setdefault((source % (1 << bits), to), Site()).add(site)
    return out


def unequal_calls(rows, sites):
    """Sites whose calls differ, those on one side alone included. A row of 0 calls was entered, not left."""
    faults = []
    for key in sorted(set(rows) | set(sites)):
        said = rows[key].calls if key in rows else 0
        true = sites[key].calls if key in sites else 0
        if said != true:
            faults.append(f"{key[0]:#x}->{key[1]:#x}: {said} calls, true {true}")
    return faults


def check_calls(rows, sites, what):
    faults = unequal_calls(rows, sites)
    for fault in faults[:10]:
        print(fault)
    calls = sum(s.calls for s in sites.values())
    check(rows and not faults, f"{what}: {len(rows)} sites, {calls} calls as the simulator saw them")


def error_per_call(rows, sites):
    """Mean over all calls of how far their site's mean duration is off."""
    return _off(rows, sites) / sum(row.calls for row in rows.values())


def error_per_hook(rows, sites):
    """The same over all calls and all that were made within: each may add its own error to the duration."""
    return _off(rows, sites) / sum(row.calls * (1 + sites[k].inner / sites[k].calls)
                                   for k, row in rows.items() if row.calls)


def _off(rows, sites):
    return sum(abs(row.total - sites[k].total / sites[k].calls * row.calls)
               for k, row in rows.items() if row.calls)
