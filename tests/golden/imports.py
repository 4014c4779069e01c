"""What an imported file shows, held against where it came from.

    imports.py same A.json B.json WHAT      the same self times and calls of all functions
    imports.py near A.json B.json WHAT      gmon: the same calls, self times within 0.1 % of the whole
    imports.py annotated TEXT B.json        callgrind_annotate's self costs, in units of 1 ns
    imports.py gprof TEXT B.json            gprof's flat profile: calls and seconds
    imports.py lines A B                    callgrind_annotate's lines of fib.c: the same own costs and calls from there
    imports.py sites A.json -               the call sites and the places of its functions
"""
import json, re, sys

def fail(what):
    sys.exit("FAILED: " + what)

def functions(path):
    sums = {}
    for f in json.load(open(path))["functions"]:
        own, calls = sums.get(f["name"], (0, 0))
        sums[f["name"]] = own + max(f["self_s"] or 0, 0), calls + (f["calls"] or 0)
    return {n: s for n, s in sums.items() if s[0] or s[1]}

def compare(a, b, what, slack, calls=True):
    if len(a) < 2:
        fail(what + ": too few functions")
    for name, (own, n) in a.items():
        got = b.get(name, (0, 0))
        if abs(got[0] - own) > slack:
            fail("%s: %s took %.9f s, not %.9f" % (what, name, got[0], own))
        if calls and got[1] != n:
            fail("%s: %s has %d calls, not %d" % (what, name, got[1], n))
    print("%s: %d functions" % (what, len(a)))

def lines(path):
    """Of each source line its own cost; of calls from there whom, how often."""
    text = open(path).read()
    text = text[text.index("-- User-annotated source"):] if "-- User-annotated source" in text else ""
    costs = re.findall(r"^ *([\d,]+)[ \d,]*  (?!=>)(\S.*\b(?:fib|half|main)\(.*)$", text, re.M)
    calls = re.findall(r"=> \S*fib\.c:(\S+) \(([\d,]+)x\)", text)
    if len(costs) != 3 or len(calls) != 3:
        fail("%s: %d lines and %d calls of fib.c" % (path, len(costs), len(calls)))
    return costs, calls

def sites(path):
    d = json.load(open(path))
    of = {f["name"]: f for f in d["functions"]}
    for name, line in ("fib", 1), ("half", 2), ("main", 3):
        if of[name]["line"] != line or of[name]["file"] != "fib.c" or of[name]["sites"] != 1:
            fail("%s stands at %s:%s, called from %s places" % (name, of[name]["file"], of[name]["line"], of[name]["sites"]))
    print("valgrind's: call sites and lines")

def main():
    kind, first, second, *what = sys.argv[1:]
    if kind == "lines":
        if lines(first) != lines(second):
            fail("lines differ: %s, not %s" % (lines(second), lines(first)))
        return print("%s: the same lines again" % first)
    if kind == "sites":
        return sites(first)
    got = functions(second)
    if kind == "same":
        compare(functions(first), got, what[0], 2e-9, not what[0].endswith(".folded"))
    elif kind == "near":
        a = functions(first)
        compare(a, got, what[0], 1e-3 * sum(own for own, _ in a.values()))
    elif kind == "annotated":
        rows = re.findall(r"^ *([\d,]+)  [^:\n]*:(\S+) \[.*\]$|^ *([\d,]+)  [^:\n]*:(\S+)$", open(first).read(), re.M)
        a = {}
        for row in rows:
            cost, name = row[:2] if row[0] else row[2:]
            a[name] = a.get(name, 0) + int(cost.replace(",", "")) * 1e-9
        wanted = {n: (a[n], 0) for n in ("main", "half", "fib") if n in a}
        if len(wanted) != 3:
            fail("callgrind_annotate has no main, half, fib: %s" % sorted(a)[:9])
        compare(wanted, got, "valgrind's", 1e-9, False)
        if got["half"][1] != 40:
            fail("half was called %d times" % got["half"][1])
    else:
        rows = re.findall(r"^ *[\d.]+ +[\d.]+ +([\d.]+) +(\d+)? .* (\w+)$", open(first).read(), re.M)
        a = {name: (float(own), int(calls or 0)) for own, calls, name in rows if name in ("half", "fib")}
        compare(a, got, "the host's gmon.out", 0.006, False)
        if got["half"][1] != a["half"][1] or got["fib"][1] < a["fib"][1]:	# gprof's are without recursive ones
            fail("calls: %s, gprof: %s" % (got, a))

main()
