"""Exports under --filter held against those of the whole profile.

    filtered.py most A.json             the name of the most called function
    filtered.py file A.json             the file with the most functions
    filtered.py held PATTERN WHAT       some.json, .plain, .gmon.json, .prof.json and back.json, after.json against whole.*
"""
import collections, json, re, sys

def fail(what):
    sys.exit("FAILED: " + what)

def load(path):
    return json.load(open(path))

def same(what, got, shall):
    got, shall = (sorted(json.dumps(x, sort_keys=True) for x in side) for side in (got, shall))
    if got != shall:
        extra, missing = [x for x in got if x not in shall][:2], [x for x in shall if x not in got][:2]
        fail("%s: %d, not %d; too many: %s; missing: %s" % (what, len(got), len(shall), extra, missing))

def only(thing, *keys):
    return {k: thing.get(k) for k in keys}

def held(pattern, what):
    whole, some, back, after = (load(n + ".json") for n in ("whole", "some", "back", "after"))
    flags = 0 if re.search("[A-Z]", pattern) else re.I
    match = lambda f: any(re.search(pattern, f[k] or "", flags) for k in ("name", "file"))
    passing = {f["name"] for f in whole["functions"] if match(f)}
    beside = lambda e: e["from"] in passing or e["to"] in passing
    # JSON: all that the whole has of them.
    same(what + ": functions", some["functions"], [f for f in whole["functions"] if match(f)])
    for key in "edges", "sites":
        same("%s: %s" % (what, key), some[key], [e for e in whole[key] if beside(e)])
    same(what + ": pcs", some["pcs"], [p for p in whole["pcs"] if p["function"] in passing])
    if some["filter"]["pattern"] != pattern or some["filter"]["calls"] != sum(f["calls"] or 0 for f in whole["functions"]):
        fail("%s: filter is %s" % (what, some["filter"]))
    # Read again: shares are still of the whole; the other ends of edges have names.
    keys = "name", "file", "calls", "samples", "self_s", "total_s", "min_s", "max_s", "self_share"
    got = {f["name"]: only(f, *keys) for f in back["functions"]}
    for f in some["functions"]:
        if got[f["name"]] != only(f, *keys):
            fail("%s: read again: %s, not %s" % (what, got[f["name"]], only(f, *keys)))
    ends = {e[k] for e in some["edges"] for k in ("from", "to")} - {None}
    if {f["name"] for f in back["functions"]} != passing | ends:
        fail("%s: read again: other functions" % what)
    same(what + ": edges again", *([only(e, "from", "to", "calls", "total_ticks") for e in d["edges"]] for d in (back, some)))
    # As a baseline: nothing is new.
    verdicts = collections.Counter(c["verdict"] for c in after["changes"])
    if set(verdicts) - {None, "same"}:
        fail("%s: against itself: %s" % (what, verdicts))
    # Graphviz: dashed ones are beside.
    nodes = [line.split() for line in open("some.plain") if line.startswith("node ")]
    edges = [line.split() for line in open("some.plain") if line.startswith("edge ")]
    if len(edges) != len(some["edges"]):
        fail("%s: dot has %d edges, not %d" % (what, len(edges), len(some["edges"])))
    solid = [n for n in nodes if n[-4] == "filled"]
    drawn = [f for f in some["functions"] if f["name"] in ends or f["samples"]]
    if len(solid) != len(drawn):
        fail("%s: dot draws %d functions, not %d" % (what, len(solid), len(drawn)))
    # gprof's file: calls of those that pass, samples of no other.
    gmon, whole_gmon = ({f["name"]: f for f in load(n)["functions"]} for n in ("some.gmon.json", "whole.gmon.json"))
    for name, f in gmon.items():
        if name not in passing and f["samples"]:
            fail("%s: gmon has samples of %s" % (what, name))
        if name in passing and f["calls"] != whole_gmon[name]["calls"]:
            fail("%s: gmon has %s calls of %s, not %s" % (what, f["calls"], name, whole_gmon[name]["calls"]))
    if passing & set(whole_gmon) - set(gmon):
        fail("%s: gmon lacks %s" % (what, passing & set(whole_gmon) - set(gmon)))
    # The report again.
    site = lambda s: only(s, "address", "to_address", "calls", "total_ticks", "min_ticks", "max_ticks")
    prof, whole_prof = load("some.prof.json"), load("whole.prof.json")
    same(what + ": report's sites", map(site, prof["sites"]), [site(s) for s in whole_prof["sites"] if beside(s)])
    same(what + ": report's pcs", prof["pcs"], [p for p in whole_prof["pcs"] if p["function"] in passing])
    print("%s, %s: %d of %d functions, %d edges" % (what, pattern, len(passing), len(whole["functions"]), len(edges)))

def main():
    if sys.argv[1] == "held":
        return held(*sys.argv[2:])
    functions = load(sys.argv[2])["functions"]
    if sys.argv[1] == "most":
        return print(max(functions, key=lambda f: f["calls"] or f["samples"] or 0)["name"])
    print(collections.Counter(f["file"] for f in functions if f["file"]).most_common(1)[0][0])

main()
