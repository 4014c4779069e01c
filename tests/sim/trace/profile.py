"""The profile that wsntop makes of a call trace, function by function, against the simulator's events.

    profile.py JSON EVENTS ELF LANES
"""

import bisect
import json
import re
import subprocess
import sys

import trace
from truth import check

US = 8		# cycles
UNIT = 8	# us of a stamp


def names(elf):
    """By id."""
    said = subprocess.run(["avr-nm", elf], text=True, capture_output=True, check=True).stdout
    return {int(m[1], 16) + 1: m[2].split(".")[0] for m in re.finditer(r"^([0-9a-f]+) \w wsntrace_id\.(.*)$", said, re.M)}


class Function:
    def __init__(self):
        self.calls = self.total = self.self = 0
        self.took, self.outermost = [], True


def functions(events, id_names, last):
    """Of all calls that returned before the last of a lane: cycles, without handlers in those of the program."""
    struck, begun, depth = [], 0, 0
    for call, _, at in events[1]:
        depth += 1 if call else -1
        if depth == (1 if call else 0):
            if call:
                begun = at
            else:
                struck.append((begun, at))
    ends = [end for _, end in struck]
    sums = [0]
    for begin, end in struck:
        sums.append(sums[-1] + end - begin)
    result = {}
    for lane in 0, 1:
        open_ = []
        for call, id_, at in events[lane][:last[lane]]:
            own = at - (0 if lane else sums[bisect.bisect_right(ends, at)])
            if call:
                open_.append([id_, own, 0])
                continue
            if not open_:
                continue
            f, since, within = open_.pop()
            r = result.setdefault(id_names[f], Function())
            r.calls += 1
            r.took.append(own - since)
            r.self += own - since - within
            if open_:
                open_[-1][2] += own - since
                r.outermost = False
            if all(o[0] != f for o in open_):
                r.total += own - since
    return result


def near(value_s, cycles, error_us):
    return value_s is not None and abs(value_s * 1e6 - cycles / US) <= error_us


def main(path, events, elf, node):
    node = trace.Node(open(node, "rb").read())
    events = trace.events(events)
    last = {n: trace.compare(node.lanes[n], events[n])[0] for n in (0, 1)}
    true = functions(events, names(elf), last)
    profile = json.load(open(path))
    told = {f["name"]: f for f in profile["functions"]}
    check(profile["node"]["losses"]["untold"] == 0, "all calls were told")
    calls = sum(abs(told[n]["calls"] - f.calls) for n, f in true.items())
    check(calls <= 2, f"calls of {len(true)} functions are exact, but for those behind the last stamp: {calls} of "
          f"{sum(f.calls for f in true.values())}")
    tasks = {n: f for n, f in true.items() if f.outermost and f.calls > 40}
    check(len(tasks) >= 5, f"outermost: {', '.join(sorted(tasks))}")
    for n, f in sorted(tasks.items()):
        t = told[n]
        check(near(t["min_s"], min(f.took), 2 * UNIT) and near(t["max_s"], max(f.took), 5 * UNIT),
              f"{n}: {t['min_s'] * 1e6:.0f} to {t['max_s'] * 1e6:.0f} us, true {min(f.took) / US:.0f} to {max(f.took) / US:.0f}")
        check(near(t["total_s"], f.total, f.calls * 1.5 * UNIT + 0.01 * f.total / US),
              f"{n}: {t['total_s'] * 1e6:.0f} us in all, true {f.total / US:.0f}")
        took = sorted(f.took)
        for q in 50, 90, 99:
            said, low = t[f"p{q}_s"], took[max(0, int(len(took) * (q - 2) / 100) - 1)]
            high = took[min(len(took) - 1, int(len(took) * (q + 1) / 100) + 1)]
            slack = (5 if q == 99 else 2) * UNIT	# a struck call has the handler's own entry in it
            check(low / US * 15 / 16 - slack <= said * 1e6 <= high / US * 17 / 16 + slack,
                  f"{n}: p{q} {said * 1e6:.0f} us, true {took[len(took) * q // 100] / US:.0f}")
        check(sum(b[-1] for b in t["histogram"]) == t["calls"], f"{n}: each call is in the histogram")
    self_us = sum(f.self for f in true.values()) / US
    said = sum(f["self_s"] for f in profile["functions"] if f["self_s"]) * 1e6
    slack = 1.5 * UNIT * sum(f.calls for f in true.values() if f.outermost)
    check(abs(said - self_us) < slack + 0.01 * self_us, f"self times of all: {said:.0f} us, true {self_us:.0f}")
    off = sum(abs(told[n]["self_s"] * 1e6 - f.self / US) for n, f in true.items() if told[n]["self_s"] is not None)
    check(off < 0.5 * self_us, f"self times of each, which stamps do not tell: {100 * off / self_us:.0f} % are another's")


if __name__ == "__main__":
    main(*sys.argv[1:])
