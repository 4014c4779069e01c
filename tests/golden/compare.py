#!/usr/bin/env python3
"""compare.py WSNTOP FOLDER: each report of a capture of INGA's profiler against expected.json.

Calls, sites, min, max, self and total of functions, and edges, by function name, to the tick. expected.json's `total`
adds recursive calls up; here they lie inside the call that made them.
"""
import json
import os
import subprocess
import sys

LABELS = {"__udivmodsi4_loop": "__udivmodsi4", "__udivmodsi4_ep": "__udivmodsi4"}
UNSEEN = 65535      # what the node prints as the minimum of no call


class Check:
    def __init__(self, name):
        self.name, self.problems, self.compared = name, 0, 0

    def equal(self, what, got, want):
        self.compared += 1
        if got != want:
            self.problems += 1
            if self.problems <= 20:
                print(f"{self.name}: {what}: got {got}, expected {want}")


def read(wsntop, folder, report):
    """The report as JSON, or None when there is no such report."""
    run = subprocess.run([wsntop, "-B", "-p", folder + "/uart.txt", "-e", folder + "/app.elf",
                          f"--report=#{report}", "-x", "json"], capture_output=True, text=True)
    if run.returncode == 1:
        return None
    if run.returncode != 0:
        sys.exit(f"{folder} report {report}: status {run.returncode}: {run.stderr}")
    return json.loads(run.stdout)


def least(values):
    values = [v for v in values if v is not None]
    return min(values) if values else None


def most(values):
    values = [v for v in values if v is not None]
    return max(values) if values else None


def merge(entries, key):
    """Entries of one name (static functions of several files) as expected.json has them: together."""
    groups = {}
    for e in entries:
        groups.setdefault(key(e), []).append(e)
    return groups


def total(entries, field):
    values = [e[field] for e in entries if e[field] is not None]
    return sum(values) if values else None


# --- what expected.json says, as functions and edges by name --------------------------------------


def edges_of_rows(rows):
    edges = {}
    for r in rows:
        e = edges.setdefault((r["from_func"], r["to_func"]),
                             {"sites": 0, "calls": 0, "total": 0, "min": None, "max": None})
        e["sites"] += 1
        e["calls"] += r["calls"]
        e["total"] += r["total"]
        if r["calls"]:
            e["min"] = least([e["min"], r["min"]])
            e["max"] = most([e["max"], r["max"]])
    return edges


def functions_of_edges(edges):
    functions = {}
    for (caller, callee), e in edges.items():
        f = functions.setdefault(callee, {"calls": 0, "sites": 0, "self": 0, "total": 0,
                                          "min": None, "max": None})
        f["calls"] += e["calls"]
        f["sites"] += e["sites"]
        f["self"] += e["total"]
        if caller != callee:
            f["total"] += e["total"]
        f["min"] = least([f["min"], e["min"]])
        f["max"] = most([f["max"], e["max"]])
    for (caller, callee), e in edges.items():
        if caller in functions:
            functions[caller]["self"] -= e["total"]
    return functions


def agrees_with_itself(check, report, functions, edges):
    """The rows, added up here, give the functions and edges that stand in expected.json."""
    for f in report["functions"]:
        if f["sites"] == 0:
            continue
        for field in ("calls", "sites", "self"):
            check.equal(f"expected.json's own {f['name']} {field}", functions[f["name"]][field], f[field])
    for e in report["edges"]:
        for field in ("calls", "sites", "total"):
            check.equal(f"expected.json's own {e['from']}->{e['to']} {field}",
                        edges[e["from"], e["to"]][field], e[field])


# --- one report --------------------------------------------------------------------------------------


def ticks(seconds, rate):
    return None if seconds is None else round(seconds * rate)


def compare_functions(check, got, want, rate):
    groups = merge(got["functions"], lambda f: f["name"])
    known = {n for n, g in groups.items() if any(f["calls"] is not None for f in g)}
    check.equal("functions called", sorted(known), sorted(want))
    for name, g in groups.items():
        if name not in want:        # known only as a caller
            for f in g:
                for field in ("calls", "samples", "self_s", "total_s", "min_s", "max_s"):
                    check.equal(f"{name} {field}", f[field], None)
            continue
        w = want[name]
        g = [f for f in g if f["calls"] is not None]
        check.equal(f"{name} calls", total(g, "calls"), w["calls"])
        check.equal(f"{name} sites", total(g, "sites"), w["sites"])
        # Below 0 where rows were torn off: no time is, and the function is marked.
        own = max(0, w["self"])
        check.equal(f"{name} self", ticks(total(g, "self_s"), rate), own)
        check.equal(f"{name} self_ticks", total(g, "self_ticks"), own)
        check.equal(f"{name} incomplete", any(f["incomplete"] for f in g), w["self"] < 0)
        check.equal(f"{name} min", ticks(least(f["min_s"] for f in g), rate), w["min"])
        check.equal(f"{name} max", ticks(most(f["max_s"] for f in g), rate), w["max"])
        if all(f["cycle"] is None for f in g):
            check.equal(f"{name} total", ticks(total(g, "total_s"), rate), w["total"])
        check.equal(f"{name} max_at_least", any(f["max_at_least"] for f in g), w["max"] == UNSEEN)


def compare_edges(check, got, want, rate):
    groups = merge(got["edges"], lambda e: (e["from"], e["to"]))
    check.equal("edges", sorted(map(str, groups)), sorted(map(str, want)))
    for ends in set(groups) & set(want):
        g, w, name = groups[ends], want[ends], "%s->%s" % ends
        check.equal(f"{name} calls", total(g, "calls"), w["calls"])
        check.equal(f"{name} sites", total(g, "sites"), w["sites"])
        check.equal(f"{name} total", ticks(total(g, "total_s"), rate), w["total"])
        check.equal(f"{name} min", ticks(least(e["min_s"] for e in g), rate), w["min"])
        check.equal(f"{name} max", ticks(most(e["max_s"] for e in g), rate), w["max"])


def compare_sites(check, got, rows):
    """Row by row, at the true addresses: bit 16, which the node loses, included."""
    want = sorted((r["from"], r["to"], r["calls"], r["total"], *((r["min"], r["max"]) if r["calls"] else (-1, -1)))
                  for r in rows)
    have = sorted((s["address"], s["to_address"], s["calls"], s["total_ticks"],
                   *(-1 if s[k] is None else s[k] for k in ("min_ticks", "max_ticks"))) for s in got["sites"])
    check.equal("sites listed", len(have), len(want))
    for h, w in zip(have, want):
        check.equal("site", h, w)


def compare_stacks(check, got, stacks):
    """The stack traces that came: every export has the newest of the whole stream."""
    have = [[(f["from"], f["to"], f["address"], f["to_address"], f["ticks"]) for f in s["frames"]]
            for s in got["stacktraces"]]
    want = [[(r["from_func"], r["to_func"], r["from"], r["to"], r["time"]) for r in s["rows"]] for s in stacks]
    check.equal("stack traces", have, want)


def compare_prof(check, got, report, rows):
    rate = report["ticks_per_sec"]
    edges = edges_of_rows(rows)
    functions = functions_of_edges(edges)
    if rows is report["rows"]:
        agrees_with_itself(check, report, functions, edges)
    check.equal("format", got["node"]["format"], "prof")
    check.equal("ticks_per_second", got["node"]["ticks_per_second"], rate)
    check.equal("name", got["report"]["name"], report["name"])
    run = report["time_run"]
    check.equal("profiled", ticks(got["node"]["profiled_s"], rate), run if run else None)
    compare_sites(check, got, rows)
    compare_functions(check, got, functions, rate)
    compare_edges(check, got, edges, rate)


def compare_sprof(check, got, report):
    want = {}
    for r in report["rows"]:
        name = LABELS.get(r["func"], r["func"])
        want[name] = want.get(name, 0) + r["samples"]
    groups = merge(got["functions"], lambda f: f["name"])
    check.equal("functions sampled", sorted(n for n, g in groups.items() if total(g, "samples")), sorted(want))
    hz = got["node"]["hz"]
    for name, g in groups.items():
        check.equal(f"{name} samples", total(g, "samples"), want.get(name, 0))
        check.equal(f"{name} self", round(total(g, "self_s") * hz), want.get(name, 0))
        for f in g:
            for field in ("calls", "min_s", "max_s"):
                check.equal(f"{name} {field}", f[field], None)


def named(rows, report_rows):
    """The table in the node's memory, with the names that the reports' rows give its addresses."""
    names = {(r["raw_from"], r["raw_to"]): r for r in report_rows}
    return [dict(r, **{k: names[r["raw_from"], r["raw_to"]][k] for k in ("from", "to", "from_func", "to_func")})
            for r in rows]


def main():
    wsntop, folder = sys.argv[1], sys.argv[2]
    name = os.path.basename(folder)
    expected = json.load(open(folder + "/expected.json"))["reports"]
    reports = [r for r in expected if r["kind"] != "STACK"]
    stacks = [r for r in expected if r["kind"] == "STACK"]
    torn = name == "inga-interleaved"
    every_row = [row for r in reports for row in r["rows"] if torn]
    problems = compared = n = 0
    while True:
        n += 1
        got = read(wsntop, folder, n)
        # Headers that were torn too are joined again: more reports than expected.json lists.
        if got is None or n > len(reports) and not torn:
            break
        check, report = Check(f"{name} report {n}"), reports[min(n, len(reports)) - 1]
        compare_stacks(check, got, stacks)
        if report["kind"] == "SPROF":
            compare_sprof(check, got, report)
        else:
            rows = named(report["ram_rows"], every_row) if torn else report["rows"]
            compare_prof(check, got, report, rows)
        problems += check.problems
        compared += check.compared
    if n - 1 < len(reports) or got is not None:
        print(f"{name}: {n - 1 if got is None else 'more'} reports, expected {len(reports)}")
        problems += 1
    print(f"{name}: {n - 1} reports, {compared} values compared, {problems} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
