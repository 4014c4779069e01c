"""Samples of tests/sim/gdb/shares.c, by stops.

    gdb_shares.py JSON SHARE OFF LEAST		work_thrice's share of the two must be SHARE, to OFF; LEAST samples in all
"""
import json
import sys

node = json.load(open(sys.argv[1]))
share, off, least = (float(a) for a in sys.argv[2:5])
samples = {f["name"]: f["samples"] for f in node["functions"] if f["samples"]}
both = samples.get("work_once", 0) + samples.get("work_thrice", 0)
probe = node["node"]["probe"]
print("%d samples, %.3f of them in work_thrice, %.1f a second" % (sum(samples.values()), samples["work_thrice"] / both, probe["reached_hz"]))
assert set(samples) <= {"work_once", "work_thrice", "main"}, samples
assert both >= least and both >= 0.9 * sum(samples.values()), samples
assert abs(samples["work_thrice"] / both - share) <= off, samples
assert probe["trouble"] is None and 0 < probe["halted"] <= 1, probe
