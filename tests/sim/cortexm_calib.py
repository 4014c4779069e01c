"""What wsntop prints of tests/sim/hooks/around.c on a Cortex-M, held against the plain program's; test_cortexm_calib.sh."""

import collections
import json
import sys

from cortexm import Run, check

tmp, *names = sys.argv[1:]

# What remains is more without optimisation, as on AVR.
WORST = {"O0": 15}


def told_pairs(name, truth, ns):
    """(calls, instructions, longest) by caller and callee, as wsntop prints them; without it, as the node sent them."""
    out, node = json.load(open(f"{tmp}/{name}.json")), Run(f"{tmp}/{name}").node
    pairs = collections.defaultdict(lambda: [0, 0, 0])
    for s in out["sites"]:
        if s["calls"] and s["total_s"] is not None and s["address"]:
            row = pairs[truth.name_of(s["address"] & ~1), truth.name_of(s["to_address"])]
            row[:] = row[0] + s["calls"], row[1] + s["total_s"] * 1e9 / ns, max(row[2], (s["max_s"] or 0) * 1e9 / ns)
    was = collections.defaultdict(lambda: [0, 0])
    tick = 1e9 / node.hello.hz / ns
    for (source, to), s in node.sites().items():
        row = was[truth.name_of(source & ~1), truth.name_of(to)]
        row[:] = row[0] + s.calls, row[1] + (s.total - s.calls * node.hello.skew) * tick
    return pairs, was


def shapes(name):
    ns = 128 if name.startswith("m0") else 64
    plain, truth = (Run(f"{tmp}/{name}{kind}").truth for kind in ("-plain", ""))
    true = collections.defaultdict(lambda: [0, 0])
    for (source, to), c in plain.called.items():
        row = true[plain.name_of(source & ~1), plain.at.get(to)]
        row[:] = row[0] + c.done, row[1] + c.total
    pairs, was = told_pairs(name, truth, ns)
    mean = {k: true[k][1] / true[k][0] for k, row in pairs.items() if true[k][0] == row[0]}
    check(len(mean) > 22, f"{name}: {len(mean)} callers and callees")
    off, before = ({k: row[k][1] / row[k][0] - mean[k] for k in mean} for row in (pairs, was))
    calls = sum(true[k][0] for k in mean)
    after, first = (sum(abs(o[k]) * true[k][0] for k in mean) / calls for o in (off, before))
    for k in sorted(mean, key=lambda k: -abs(off[k]))[:3]:
        print(f"  {'/'.join(k)}: {mean[k] + off[k]:.1f} instructions, true {mean[k]:.1f}, sent {mean[k] + before[k]:.1f}")
    seven, holds = (next(k for k in mean if k[1] == f) for f in ("seven", "holds"))
    print(f"{name}: mean error of a call {first:.1f} -> {after:.1f} instructions; a caller of seven tiny calls "
          f"({mean[seven]:.0f}) {before[seven]:.0f} -> {off[seven]:.0f}; of an inlined function ({mean[holds]:.0f}) "
          f"{before[holds]:.0f} -> {off[holds]:.0f}")
    allowed = {k: max(WORST.get(name.split("-")[1], 10), 0.02 * mean[k]) for k in mean}
    worst = max(mean, key=lambda k: abs(off[k]) / allowed[k])
    check(after < 2, f"{name}: a call is off by {after:.2f} instructions in the mean")
    check(abs(off[worst]) <= allowed[worst],
          f"{name}: the worst is {'/'.join(worst)}, off by {off[worst]:.1f} of {mean[worst]:.1f} instructions")


for each in names:
    shapes(each)
