"""test_cortexm_raw: the gprof thesis' stream as wsntop decodes it, against what QEMU saw."""

import collections
import json
import re
import sys

from cortexm import Truth, check, check_same, variation

TMP, = sys.argv[1:]


def check_raw(name, whole):
    truth, out = Truth(f"{TMP}/{name}.truth"), json.load(open(f"{TMP}/{name}.json"))
    lost = int(re.search(r"lost ([0-9a-f]{8})", open(f"{TMP}/{name}.log").read())[1], 16)
    check(out["node"]["format"] == "gprof" and out["stream"]["bad_bytes"] == 0,
          f"{name}: wsntop takes all {out['stream']['bytes']} bytes")
    arcs = collections.Counter()
    for s in out["sites"]:
        arcs[s["address"], s["to_address"]] += s["calls"]
    true = {k: n for k, n in truth.arcs.items()}
    samples, sampled = sum(p["samples"] for p in out["pcs"]), sum(truth.samples.values())
    made = sum(true.values()) + sampled
    check(sum(arcs.values()) + samples + lost == made,
          f"{name}: {sum(arcs.values())} calls, {samples} samples, {lost} lost: of {made}")
    if whole:
        check(lost == 0, f"{name}: nothing is lost")
        check_same(arcs, true, f"{name}: arcs")
        # A handler that was entered and has not begun is told; QEMU's truth is what it interrupted.
        off = variation({p["address"]: p["samples"] for p in out["pcs"]}, truth.samples)
        check(off < 0.05, f"{name}: sampled PCs are off by {off:.3f}")
    else:
        more = [k for k, n in arcs.items() if n > true.get(k, 0)]
        check(lost > 1000 and not more, f"{name}: a slow line: no arc has more than it had {more[:3] or ''}")


for board in "an385", "microbit":
    check_raw(f"{board}-fast", True)
    check_raw(f"{board}-slow", False)
