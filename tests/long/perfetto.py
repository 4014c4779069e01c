"""What Perfetto's trace processor found in a trace, held against the same trace as text (-x trace).

    perfetto.py ANSWERS TRACE.txt       the rows of perfetto.mjs: slices by thread and name, errors, counters
"""
import collections, json, math, re, sys

def fail(what):
    sys.exit("FAILED: Perfetto: " + what)

def told(path):
    """By lane and function: calls, and seconds of those that returned."""
    event = re.compile(r"^.\s*([\d.]+)  (\S+)\s+(\S+)\s+(\d+)  (.*)$")
    calls, seconds, opened = collections.Counter(), collections.Counter(), collections.defaultdict(list)
    for line in open(path):
        at, lane, what, _, name = event.match(line.rstrip("\n")).groups()
        if what in ("call", "open"):
            calls[lane, name] += 1
            opened[lane].append((name, float(at)))
        elif what == "return" and opened[lane]:
            name, begun = opened[lane].pop()
            seconds[lane, name] += float(at) - begun
    return calls, seconds

def main():
    answers = [json.loads(line[5:]) for line in open(sys.argv[1]) if line.startswith("rows ")]
    if len(answers) != 2:
        fail("it answered %d of 2 queries: %s" % (len(answers), open(sys.argv[1]).read()[-300:]))
    slices, errors = answers
    if errors:
        fail("errors: %s" % errors)
    calls, seconds = told(sys.argv[2])
    got = {(s["thread"], s["name"]): s for s in slices}
    for key, n in calls.items():
        if key not in got or got[key]["n"] != n:
            fail("%s has %s slices, not %d" % (key, got.get(key, {}).get("n"), n))
        # The text has microseconds: each end is off by half of one, of many about as often up as down.
        if abs(got[key]["ns"] * 1e-9 - seconds[key]) > 4e-6 * math.sqrt(n) + 2e-9 * n:
            fail("%s took %d ns, not %.6f s" % (key, got[key]["ns"], seconds[key]))
    if len(calls) < 5 or sum(calls.values()) < 1000:
        fail("too few calls: %d" % sum(calls.values()))
    print("ok Perfetto's trace processor: %d slices of %d functions" % (sum(calls.values()), len(calls)))

main()
