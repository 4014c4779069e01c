"""What the host made of a run (wsntop -B -x json), against the independent decoder: `arcs` or `sites`."""

import collections
import json
import sys

from cortexm import Run, check
from wsn import ARCS, PCS

PATH, KIND = sys.argv[1], sys.argv[-1]

out = json.load(open(PATH + ".json"))
run = Run(PATH)
node, truth = run.node, run.truth

check(out["node"]["format"] == "wsn" and out["node"]["image_match"] == "yes", "the host knows the stream and the image")
check(out["stream"]["bad_bytes"] == 0, f"it took all {out['stream']['bytes']} bytes")

told, true = collections.Counter(), collections.Counter()
for f in out["functions"]:
    if f["calls"]:
        told[f["name"]] += f["calls"]
if KIND == "arcs":
    for (_, to), count in node.counts(ARCS).items():
        # A part that the compiler split off (name.part.0) is the function still.
        true[truth.name_of(to).split(".")[0]] += count
    samples = sum(f["samples"] or 0 for f in out["functions"])
    made = sum(node.counts(PCS).values())
    check(samples == made, f"it has {samples} of {made} samples in functions")
else:
    for (_, to), row in node.sites().items():
        if row.calls:
            true[truth.at[to]] += row.calls
wrong = [f"{k}: {told[k]}, not {true[k]}" for k in set(told) | set(true) if told[k] != true[k]]
check(true and not wrong, f"{len(true)} functions, {sum(true.values())} calls {wrong[:4] or ''}")
