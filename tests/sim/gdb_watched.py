"""What a gdb server tells of watched things, against what tests/sim/watched/watched.c does.

    gdb_watched.py TRACE CHIP NAME...

As watched.py, but the values before the first store are told by nobody, and times are the host's.
"""
import collections
import re
import sys

import watched


def main():
    trace, chip, *names = sys.argv[1:]
    values, kinds, marks = {}, collections.Counter(), []
    for line in open(trace):
        m = re.match(r".\s*([\d.]+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(.*)", line)
        kind, what = m[3], m[5].split("  by ")[0]
        if kind in ("value", "state"):
            name, value = what.rsplit(" = ", 1)
            values.setdefault(name, []).append(float(value))
        elif kind == "mark":
            marks.append(int(what.split()[1]))
        else:
            kinds[kind, what] += 1
    for name in names:
        want = watched.expected(name, chip)
        if name.startswith("pair"):
            want = watched.changes(want)
        want = want[1:]
        if name == "ticks":
            want = list(range(1, len(values[name]) + 1))
        got = values.get(name, [])
        if got != want:
            i = next((i for i, (a, b) in enumerate(zip(got, want)) if a != b), min(len(got), len(want)))
            watched.fail(f"{name}: {len(got)} values, {len(want)} expected; they differ from the {i}th on: {got[i:i + 3]}, {want[i:i + 3]}")
        print(f"{name}: {len(got)} values, as the firmware set them")
    x, want = 1, []
    for _ in range(watched.ROUNDS):
        x = (x * 1103515245 + 12345) & 0xffffffff
        want += [3, 4] + [65535] * (x & 1) + [9]
    if marks != want:
        watched.fail(f"{len(marks)} marks, {len(want)} expected")
    calls = [kinds[kind, "values_set"] for kind in ("call", "return")]
    handlers = [kinds[kind, "tick_handler"] for kind in ("call", "return")]
    if calls != [watched.ROUNDS] * 2 or handlers != [len(values["ticks"])] * 2:
        watched.fail(f"calls {calls}, interrupts {handlers}, ticks {len(values['ticks'])}")
    print(f"{len(marks)} marks, {calls[0]} calls, {handlers[0]} interrupts")


main()
