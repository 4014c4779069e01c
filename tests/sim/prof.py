"""What a node printed, and what the simulator saw: read, and held against each other."""

import re
import sys

ROW = re.compile(r"0x([0-9a-f]+):0x([0-9a-f]+):(\d+):(\d+):(\d+):(\d+)")

# A duration's error, in cycles: the part of the hooks inside the interval that the simulator
# leaves out (target-avr/README.md), and a tick of grain in either direction.
INSIDE_MIN, INSIDE_MAX = 15, 95


class Truth:
    def __init__(self, path):
        self.sites, self.functions, self.facts, self.hooks = {}, {}, {}, {}
        for line in open(path):
            kind, *f = line.rstrip("\n").split("\t")
            if kind == "site":
                calls, total, low, high, net, net_low, net_high = map(int, f[2:])
                self.sites[int(f[0], 16), int(f[1], 16)] = (calls, total, low, high)
            elif kind == "function":
                self.functions[int(f[0], 16)] = f[1]
            elif kind == "hook":
                self.hooks[f[0]] = tuple(map(int, f[1:]))
            elif kind in ("cycles", "hz", "masked"):
                self.facts[kind] = int(f[0])
        self.by_name = {name: address for address, name in self.functions.items()}

    def calls(self):
        return sum(site[0] for site in self.sites.values())

    def sites_of(self, name):
        return {k: v for k, v in self.sites.items() if k[1] == self.by_name[name]}


class Report:
    def __init__(self, header):
        _, self.name, rows, limit, self.ran, self.rate = header.split(":")
        self.announced, self.limit = int(rows), int(limit)
        self.ran, self.rate = int(self.ran), int(self.rate)
        self.rows = {}

    def calls(self):
        return sum(row[0] for row in self.rows.values())

    def cycles_per_tick(self, truth):
        return truth.facts["hz"] // self.rate


def reports(path):
    """The reports in a node's output, and all other lines."""
    found, text = [], []
    for line in open(path, newline="\n"):
        line = line.rstrip("\r\n")
        row = ROW.fullmatch(line)
        if line.startswith("PROF:"):
            found.append(Report(line))
        elif row and found:
            key = int(row[1], 16), int(row[2], 16)
            assert key not in found[-1].rows, f"site twice in a report: {line}"
            found[-1].rows[key] = tuple(map(int, row.groups()[2:]))
        elif line:
            text.append(line)
    return found, text


def lost(text, why):
    """The last count that the node gave of what it lost for this reason."""
    counts = [int(m[1]) for m in (re.fullmatch(r"WSNPROF: (\d+) .*" + why, t) for t in text) if m]
    return counts[-1] if counts else 0


def within(ticks, cycles, grain, durations=1):
    """Whether a sum of so many true durations may be reported as these ticks, `grain` cycles each."""
    low = (cycles + INSIDE_MIN * durations) / grain - durations
    high = (cycles + INSIDE_MAX * durations) / grain + durations
    return low <= ticks <= high


def compare(rows, truth, grain):
    """Rows (calls, total, min, max; ticks) against the truth's: calls exact, times within the error."""
    faults = [f"{k[0]:#x}->{k[1]:#x}: only on one side" for k in set(rows) ^ set(truth.sites)]
    for key, site in truth.sites.items():
        if key not in rows:
            continue
        calls, total, low, high = rows[key]
        ok = (calls == site[0] and within(total, site[1], grain, calls) and
              all(within(t, c, grain) or (t == 65535 and c > 65535 * grain - INSIDE_MAX)
                  for t, c in ((low, site[2]), (high, site[3]))))
        if not ok:
            faults.append(f"{key[0]:#x}->{key[1]:#x}: reported {rows[key]} ticks, true {site} cycles")
    return faults


def check(condition, what):
    if not condition:
        print(f"FAILED: {what}")
        sys.exit(1)
    print(f"ok: {what}")


def check_same(rows, truth, what, grain=64):
    faults = compare(rows, truth, grain)
    for fault in faults:
        print(fault)
    check(not faults and rows, f"{what}: {len(rows)} sites, {truth.calls()} calls as the simulator saw them")
