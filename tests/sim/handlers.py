"""What a log tells of a Cortex-M's handlers, against what tests/sim/watched/handlers.c does.

    handlers.py CSV JSON VCD TEXT HZ

CSV, JSON, VCD, TEXT: the same log; irq:15, irq:14, irq:21 and irq:3 were watched. HZ: instructions a second; 0: there are no
durations.
"""
import csv
import json
import re
import sys

NAMES = {15: ("SysTick", "tick_handler"), 14: ("PendSV", "later_handler"), 21: ("IRQ 5", "five_handler"),
         3: ("HardFault", "fault_handler")}
TICKS = 12


def fail(text):
    print("FAILED:", text)
    sys.exit(1)


def waves(path):
    """Times at which each wire rises and falls."""
    names, level, now = {}, {}, 0
    for line in open(path):
        words = line.split()
        if words[0] == "$var" and words[1] == "wire":
            names[words[3]] = words[4]
        elif line[0] == "#":
            now = int(line[1:])
        elif line[0] in "01x" and line[1:].strip() in names:
            level.setdefault(names[line[1:].strip()], []).append((now, line[0]))
    return level


def main():
    rows = list(csv.DictReader(open(sys.argv[1], newline="")))
    log = json.load(open(sys.argv[2]))["log"]
    wires, text, hz = waves(sys.argv[3]), open(sys.argv[4]).read().splitlines(), float(sys.argv[5])
    # SysTick may strike once more before it is stopped
    order = [n for i in range(1, TICKS + 2) for n in [15] + [21] * (i % 3 == 0) + [14] * (i % 2 == 0)]
    got = [int(r["number"] or -1) for r in rows]
    ticks = got.count(15)
    # Stopped by a debugger on a busy host, the timer strikes before the handler that waits, or within it.
    stopped = got[-1:] == [3] and got.count(3) == 1 and got.count(21) == ticks // 3 and 0 < got.count(14) <= ticks // 2
    if ticks < TICKS or (got != order[:len(got) - 1] + [3] if hz else not stopped):
        fail("handlers %s" % got)
    for row, entry, line in zip(rows, log, text):
        exception, name = NAMES[int(row["number"])]
        for r in (row, entry):
            if (r["what"], r["name"], r["exception"], int(r["number"])) != ("irq", name, exception, int(row["number"])):
                fail("%s" % r)
        if not re.search(r"irq +%s .* %s, %s(  in|$)" % (name, row["number"], exception), line):
            fail(line)
        if (row["took_s"] != "") != (entry["took_s"] is not None):
            fail("one has a duration: %s %s" % (row, entry))
    within = {r["within"] for r in rows if r["number"] == "21"}
    outer = {r["within"] for r in rows if r["number"] in ("15", "14", "3")} - ({"later_handler", "tick_handler"} if not hz else set())
    if within != {"tick_handler"} or outer != {""}:
        fail("within %s, and others within %s" % (within, outer))
    for number, (_, name) in NAMES.items():
        wire = wires.get("irq_%d_%s" % (number, name), [])
        count = got.count(number)
        if [v for _, v in wire] != (["1", "0"] * count if number != 3 else ["1"]):
            fail("wire of %s: %s" % (name, wire))
        took = [r["took_s"] for r in rows if r["number"] == str(number)]
        if not hz or number == 3:
            if any(took):
                fail("a duration of %s: %s" % (name, took))
            continue
        for (up, _), (down, _), t in zip(wire[::2], wire[1::2], took):
            if abs((down - up) / 1e9 - float(t)) > 2e-9:
                fail("%s: %s ns by the wire, %s s" % (name, down - up, t))
        # rounds of four instructions, and some around them
        rounds = {15: 50, 14: 100, 21: 20}[number]
        for r in (r for r in rows if r["number"] == str(number)):
            inner = sum(float(q["took_s"]) for q in rows if q["number"] == "21" and r["number"] == "15" and
                        0 < float(q["time_s"]) - float(r["time_s"]) < float(r["took_s"]))
            own = (float(r["took_s"]) - inner) * hz
            if not 4 * rounds <= own <= 4 * rounds + 40:
                fail("%s takes %.0f instructions, %d rounds of 4" % (name, own, rounds))
    print("handlers: %d, by number, name and %s" % (len(rows), "duration" if hz else "order"))


main()
