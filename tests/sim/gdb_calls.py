"""Of two functions that call nothing and are called by turns: is each call of each in the log, and its end?

    gdb_calls.py JSON LOG LEAST LINES

LINES is the log as text: without a clock of the target the calls have ends, and no durations.
"""
import csv
import json
import sys

export, least = json.load(open(sys.argv[1])), int(sys.argv[3])
calls = {f["name"]: f["calls"] for f in export["functions"] if f["calls"]}
names = [r["name"] for r in csv.DictReader(open(sys.argv[2])) if r["what"] == "call"]
took = [r["took_s"] for r in csv.DictReader(open(sys.argv[2])) if r["what"] == "call"]
ends = ["not returned" not in line for line in open(sys.argv[4]) if " call " in line]
print(calls, len(names))
assert sorted(calls) == ["work_once", "work_thrice"] and min(calls.values()) > least, calls
assert sum(calls.values()) == len(names)
assert all(a != b for a, b in zip(names, names[1:])), "one is missed"
assert len(ends) == len(names) and all(ends[:-1]), "an end is missed"
assert not any(took), "a duration by the host's clock"
assert not any(w["lost"] for w in export["node"]["watching"]["watches"])
