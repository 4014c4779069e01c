#!/usr/bin/env python3
"""The report on own.elf (test_own.sh), and what the exports must make of it.

own.py report LISTING    the node's text; addresses from the disassembly
own.py hostile TEXT      the same under a hostile name
own.py check FOLDER      the exports against the numbers below
"""
import csv
import json
import re
import sys

TICKS = 32768
# (caller, callee, nth call of it, marker in the source, calls, total, min, max)
SITES = [
    ("work", "leaf", 0, "first", 40, 80, 1, 8),
    ("work", "leaf", 1, "second", 40, 160, 2, 6),
    ("main", "work", 0, "job", 40, 3200, 64, 96),
    ("fib", "fib", 0, "left", 300, 6000, 4, 900),
    ("fib", "fib", 1, "right", 200, 4000, 4, 500),
    ("main", "fib", 0, "sum", 10, 65536, 6000, 65535),
]


def calls_of(listing):
    """{(caller, callee): [return address]} and {function: entry}."""
    entry, calls, function, pending = {}, {}, None, None
    for line in open(listing):
        m = re.match(r"([0-9a-f]+) <(\w+)>:", line)
        if m:
            function = m.group(2)
            entry[function] = int(m.group(1), 16)
        m = re.match(r" +([0-9a-f]+):\t((?:[0-9a-f]+ )+)", line)
        if not m:
            continue
        address = int(m.group(1), 16)
        if pending:
            calls.setdefault((pending[0], pending[1]), []).append(address)
            pending = None
        m = re.search(r"\t(?:r?call|bl)\s+.*<(\w+)>$", line.rstrip())
        if m:
            pending = function, m.group(1)
    return calls, entry


def report(listing):
    calls, entry = calls_of(listing)
    rows = sorted((entry[to], calls[of, to][nth], n, t, low, high)
                  for of, to, nth, _, n, t, low, high in SITES)
    print("*******Booting own*******\r\nready \x1b[31mred\x1b[0m\r")
    print(f"PROF:own:{len(rows)}:50:{3 * TICKS}:{TICKS}\r")
    for to, of, n, t, low, high in rows:
        print(f"0x{of:x}:0x{to:x}:{n}:{t}:{low}:{high}\r")
    print("\r\nmore text\r")


HOSTILE = 'a"b\\c<d>|{e}&lt;\x1b[31m=/*'


def hostile(text):
    """The same report under a name that quoting must survive."""
    sys.stdout.write(open(text, newline="").read().replace("PROF:own:", f"PROF:{HOSTILE}:"))


def expect(what, got, want):
    if got != want:
        sys.exit(f"{what}: got {got}, expected {want}")


def check(folder):
    p = json.load(open(folder + "/p.json"))
    functions = {f["name"]: f for f in p["functions"]}
    calls, entry = calls_of(folder + "/own.lst")
    source = open(folder + "/own.c").read().split("\n")
    line_of = {s[3]: next(i for i, l in enumerate(source, 1) if f"/* {s[3]} */" in l) for s in SITES}
    s = 1 / TICKS
    expect("node", (p["node"]["format"], p["node"]["image"], p["node"]["image_match"], p["node"]["profiled_s"],
                    p["node"]["ticks_per_second"]), ("prof", "own.elf", "yes", 3, TICKS))
    expect("lost", (p["stream"]["bad_bytes"], p["stream"]["lost"], p["stream"]["events"]), (0, 0, 6))
    for name, want in {
        "leaf": (80, 240 * s, 240 * s, 1 * s, 8 * s), "work": (40, 2960 * s, 3200 * s, 64 * s, 96 * s),
        "fib": (510, 65536 * s, 65536 * s, 4 * s, 65535 * s), "main": (None,) * 5,
    }.items():
        f = functions[name]
        expect(name, (f["calls"], f["self_s"], f["total_s"], f["min_s"], f["max_s"]), want)
        expect(name + " at", (f["address"], f["file"]), (entry[name], "own.c"))
    expect("fib is recursive", functions["fib"]["recursive"], True)
    expect("fib max", functions["fib"]["max_at_least"], True)
    expect("leaf samples", functions["leaf"]["samples"], None)
    edges = {(e["from"], e["to"]): (e["sites"], e["calls"], e["total_s"], e["min_s"], e["max_s"]) for e in p["edges"]}
    expect("edges", edges, {
        ("work", "leaf"): (2, 80, 240 * s, 1 * s, 8 * s), ("main", "work"): (1, 40, 3200 * s, 64 * s, 96 * s),
        ("fib", "fib"): (2, 500, 10000 * s, 4 * s, 900 * s), ("main", "fib"): (1, 10, 65536 * s, 6000 * s, 65535 * s)})
    sites = sorted((x["from"], x["to"], x["address"], x["file"], x["line"], x["calls"], x["total_s"])
                   for x in p["sites"])
    expect("sites", sites, sorted((of, to, calls[of, to][nth], "own.c", line_of[mark], n, t * s)
                                  for of, to, nth, mark, n, t, _, _ in SITES))

    rows = list(csv.DictReader(open(folder + "/p.csv", newline="")))
    expect("csv rows", [r["name"] for r in rows], ["fib", "leaf", "work", "main"])
    expect("csv fib", (rows[0]["calls"], float(rows[0]["self_s"]), rows[0]["at_least"]), ("510", 65536 * s, "max"))
    expect("csv main", (rows[3]["calls"], rows[3]["self_s"]), ("", ""))

    flat = open(folder + "/flat.txt").read()
    expect("flat", [l.split()[-1] for l in flat.split("name\n")[1].split("\n") if l], ["fib", "leaf", "work"])
    expect("profiled", "2.10 s of 3.00 s profiled" in flat, True)
    expect("a bound", ">=1999.97" in flat, True)
    text = open(folder + "/p.txt").read()
    expect("text", text.startswith(flat) and "10+500" in text, True)
    dot = open(folder + "/g.dot").read()
    for part in ('label="2.098s/3.000s profiled"', 
                 "own.c\\nfib()\\nmin: 0.122ms max: ≥1999.969ms\\n2000.000ms\\n510 calls",
                 "2 sites\\n0.092ms/call\\n0.03-0.24ms\\n80 calls", "main()\\n(unprofiled)"):
        expect(part, part in dot, True)


if __name__ == "__main__":
    {"report": report, "hostile": hostile, "check": check}[sys.argv[1]](sys.argv[2])
