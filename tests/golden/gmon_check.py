#!/usr/bin/env python3
"""gmon_check.py GPROF JSON: what gprof makes of our gmon.out is what we say ourselves."""
import json
import os
import sys

sys.path.insert(0, os.path.dirname(__file__))
import gprof


def main():
    text, p = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
    problems = []
    self_s, calls, edges = {}, {}, {}
    for f in p["functions"]:
        if f["self_s"] is not None:
            self_s[f["name"]] = self_s.get(f["name"], 0) + max(0, f["self_s"])
        if f["calls"]:
            calls[f["name"]] = calls.get(f["name"], 0) + f["calls"]
    for e in p["edges"]:
        if e["calls"] and e["from"]:
            edges[e["from"], e["to"]] = edges.get((e["from"], e["to"]), 0) + e["calls"]

    whole = sum(self_s.values())
    rows = gprof.flat(text)
    if not rows or not edges:
        problems.append("nothing to compare")
    seen = set()
    for columns, name in rows:
        seen.add(name)
        got = float(columns[0]) / 100 * whole   # the percentage has more digits than the seconds
        if abs(got - self_s.get(name, 0)) > whole * (0.001 + 0.00005):
            problems.append(f"{name}: gprof says {got:.4f} s, we {self_s.get(name, 0):.4f} s")
        if abs(float(columns[2]) - self_s.get(name, 0)) > whole * 0.001 + 0.005:
            problems.append(f"{name}: gprof says {columns[2]} s, we {self_s.get(name, 0):.4f} s")
    for name, s in self_s.items():
        if s > whole * 0.001 and name not in seen:
            problems.append(f"{name} is missing")

    arcs, called = gprof.arcs(text)
    for ends, n in edges.items():
        if arcs.get(ends) != n:
            problems.append(f"{ends}: gprof says {arcs.get(ends)} calls, we {n}")
    for ends in arcs:
        if ends not in edges:
            problems.append(f"{ends}: gprof alone has it")
    for name, n in calls.items():
        if called.get(name) != n:
            problems.append(f"{name}: gprof says {called.get(name)} calls, we {n}")
    for line in problems[:20]:
        print(line)
    print(f"{len(rows)} functions, {len(arcs)} arcs, {len(problems)} wrong")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
