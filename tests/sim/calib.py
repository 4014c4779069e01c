"""What wsntop prints of tests/sim/hooks/around.c, held against the plain program's times; test_calib.sh runs it."""

import os
import sys

from truth import *
from wsn import Node


def mean(site):
    return site.total / site.calls


def mean_errors(rows, true, places):
    """A call's, over all calls; and each place's."""
    off = {k: mean(rows[k]) - mean(true[k]) for k in places}
    calls = sum(rows[k].calls for k in places)
    return sum(abs(off[k]) * rows[k].calls for k in places) / calls, off


# What remains is more without optimisation and with libgcc's prologues.
WORST = {"O0": 15, "prologues": 20}


def allowed(name, site):
    return max(WORST.get(name, 10), 0.02 * mean(site))


def pairs(sites):
    """By caller and callee: -mrelax moves code without its line numbers."""
    out = {}
    for (caller, _, callee), site in sites.items():
        out.setdefault((caller, callee), Site()).add(site)
    return out


def read(tmp, name):
    """The truths of the instrumented program and the plain one, and what wsntop printed."""
    truth, plain = (Truth(f"{tmp}/{name}{kind}.truth") for kind in ("", "-plain"))
    out, rows = rows_of_json(f"{tmp}/{name}.json", CPU_HZ)
    rows = {k: r for k, r in rows.items() if k[1] in truth.functions and r.calls}
    return truth, plain.by_place(f"{tmp}/{name}-plain.elf"), out, rows


def error(tmp, name):
    """The mean error of a call, in cycles, and that of a caller of seven tiny calls, as a share of its time."""
    truth, true, _, rows = read(tmp, name)
    true, rows = pairs(true), pairs(by_place_of(rows, truth, f"{tmp}/{name}.elf"))
    places = [k for k in rows if k in true and k[0]]
    after, off = mean_errors(rows, true, places)
    return after, max(abs(off[k]) / mean(true[k]) for k in places if k[1] == "seven")


def shapes(tmp, name):
    truth, true, out, rows = read(tmp, name)
    elf = f"{tmp}/{name}.elf"
    true = pairs(true)
    flash = Flash(elf) if name == "wide" else None
    told = rows_of_node(Node(open(f"{tmp}/{name}.bin", "rb").read()), flash)
    rows, told = (pairs(by_place_of(sites, truth, elf)) for sites in (rows, told))
    places = [k for k in rows if k in true and k[0]]
    check(len(places) > 25, f"{name}: {len(places)} call sites")
    before, was = mean_errors(told, true, places)
    after, off = mean_errors(rows, true, places)
    for k in sorted(places, key=lambda k: -abs(off[k]))[:3]:
        print(f"  {'/'.join(k)}: {mean(rows[k]):.1f} cycles, true {mean(true[k]):.1f}, told {mean(told[k]):.1f}")
    seven = [k for k in places if k[1] == "seven"]
    print(f"{name}: mean error of a call {before:.1f} -> {after:.1f} cycles; a caller of seven tiny calls "
          f"({mean(true[seven[0]]):.0f} cycles) {max(abs(was[k]) for k in seven):.0f} -> {max(abs(off[k]) for k in seven):.0f}")
    check(after < 2, f"{name}: a call is off by {after:.2f} cycles in the mean")
    worst = max(places, key=lambda k: abs(off[k]) / allowed(name, true[k]))
    check(abs(off[worst]) <= allowed(name, true[worst]),
          f"{name}: the worst is {'/'.join(worst)}, off by {off[worst]:.1f} of {mean(true[worst]):.1f} cycles")


# What a longjmp cuts off is in no count of calls within; the compiler makes other code of crc_run's loop without hooks.
OTHER = ("jump_", "crc_run")


def stated(tmp, name):
    truth, true, out, rows = read(tmp, name)
    elf, spread = f"{tmp}/{name}.elf", out["node"]["hooks"]["spread_s"] * CPU_HZ
    rows, own = (by_place_of(sites, truth, elf) for sites in (rows, truth.sites))
    calls = beyond = 0
    for place, row in rows.items():
        if not place[0] or place not in true or place[2].startswith(OTHER):
            continue
        hooks = 1 + (own[place].inner + own[place].struck) / own[place].calls
        calls += row.calls
        beyond += row.calls if abs(mean(row) - mean(true[place])) / hooks > spread else 0
    check(calls > 10000 and beyond <= 0.05 * calls,
          f"{name}: {beyond} of {calls} calls are off by more than the {spread:.1f} cycles that are stated")


def main():
    tmp, *names = sys.argv[1:]
    for each in names:
        shapes(tmp, each)
    for level in ["O0", "Os"] + ["O2"] * bool(os.environ.get("LONG")):
        stated(tmp, f"atmega1284p.suite-{level}")


if __name__ == "__main__":
    main()
