"""Compare what qemu: tells with the truth of sim/cortexm/truth: calls by call site, their durations in instructions.

    source_truth_qemu.py TRUTH JSON HZ

The truth's `call` goes on through a jump to another function, whose calls then have its whole time: sites of
functions that jump, or are jumped to, are compared by their number alone.
"""
import collections
import json
import sys

truth, export, hz = sys.argv[1], json.load(open(sys.argv[2])), float(sys.argv[3])
calls, spans, open_ = collections.Counter(), {}, set()
for line in open(truth):
    words = line.rstrip("\n").split("\t")
    if words[0] != "call":
        continue
    to, count, done, total, least, most = int(words[2], 16), *(int(w) for w in words[3:8])
    calls[to] += count
    if done != count:
        open_.add(to)
    if done:
        low, high = spans.get(to, (1 << 62, 0))
        spans[to] = min(low, least), max(high, most)
got = {f["address"]: f for f in export["functions"] if f["calls"] and not f["handler"]}
wrong, exact = [], 0
for to, count in calls.items():
    f = got.get(to)
    if to in open_:
        continue
    if not f or f["calls"] != count:
        wrong.append("0x%x: %s calls of %d" % (to, f and f["calls"], count))
        continue
    ticks = round(f["min_s"] * hz), round(f["max_s"] * hz)
    exact += ticks == spans[to]
print("\n".join(wrong))
print("%d functions, %d with the same calls, %d of them with the same least and longest" %
      (len(calls), len(calls) - len(open_) - len(wrong), exact))
assert len(calls) > 40 and exact > 0.9 * (len(calls) - len(open_))
sys.exit(bool(wrong))
