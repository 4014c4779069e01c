#!/bin/bash
# The node runtime at its limits: table full, stack full, a storm of interrupts, nobody draining the
# UART, longjmp, code above 64 KB.
. "$(dirname "$0")/lib.sh"

for name in test-full test-storm test-storm-fine test-ring test-jump test-high; do
	simulate $name >/dev/null
	ended $name
done
simulate test-pace 3 >/dev/null
simulate test-pace-mute 3 >/dev/null
simulate test-pace-flood 3 >/dev/null

python3 - "$TMP" <<'END'
import re
import sys
from prof import Truth, check, check_same, lost, reports

def load(name):
    found, text = reports(f"{sys.argv[1]}/test-{name}.txt")
    return found, text, Truth(f"{sys.argv[1]}/test-{name}.truth")

# deep() goes 10 calls down a stack of 6, 30 times; 14 sites meet a table of 8.
found, text, truth = load("full")
report = found[-1]
check(report.announced == report.limit == len(report.rows) == 8, "a full table of 8 sites")
check(lost(text, "stack full") == 30 * 4, "stack full: 120 calls lost, and said so")
check(lost(text, "table full") == 5 * 50 + 1, "table full: 251 calls lost, and said so")
check(report.calls() + 120 + 251 == truth.calls(), "calls kept and lost add up to those made")
whole = {k: row for k, row in report.rows.items() if row[0] == truth.sites[k][0]}
truth.sites = {k: truth.sites[k] for k in whole}
check_same(whole, truth, "sites that lost nothing")
check(len(whole) == 7, "that is, all but the one that was too deep")

# Interrupts that call, over a main program that calls, with reports and text from both.
found, text, truth = load("storm")
report = found[-1]
numbers = dict(t.split() for t in text if re.fullmatch(r"(interrupts|steps|units) \d+", t))
numbers = {k: int(v) for k, v in numbers.items()}
check_same(report.rows, truth, "storm")
called = {n: sum(r[0] for k, r in report.rows.items() if k[1] == truth.by_name[n])
          for n in ("serve", "step", "unit", "twice")}
check(called["serve"] == numbers["interrupts"] > 1000, "every interrupt's call is counted")
check(called["step"] == numbers["steps"] == 2 * numbers["interrupts"], "and those it makes")
check(called["unit"] == numbers["units"] == 6000 and called["twice"] == 12000,
      "and every call of the program it interrupts")
stray = [t for t in text if not re.fullmatch(
    r"interrupt|main|(interrupts|steps|units) \d+|WSNPROF: \d+ characters lost, console full", t)]
check(not stray, f"no line is torn {stray[:3]}")
check(len(found) > 10 and all(len(r.rows) == r.announced for r in found),
      f"{len(found)} reports, each as long as it said")

# The same with a tick a cycle: the 16-bit timer wraps every 65,536 cycles, often inside a hook.
found, text, truth = load("storm-fine")
grain = found[-1].cycles_per_tick(truth)
wraps = truth.facts["cycles"] // 65536
check(grain == 1 and wraps > 200, f"a tick a cycle, {wraps} wraps of the timer")
check_same(found[-1].rows, truth, "storm, to the cycle", grain)

# Text from an interrupt at every moment while a line is written.
_, text, _ = load("ring")
numbers = {k: int(v) for k, v in (t.split() for t in text)}
check(numbers["inside"] > 20 and numbers["torn"] == 0,
      f"an interrupt's text, {numbers['inside']} times while a line was written, tore none")

# Nobody takes the bytes: the work goes on, no slower.
works = {}
for name in ("pace", "pace-mute"):
    found, text, truth = load(name)
    works[name] = sum(site[0] for site in truth.sites_of("work").values())
    check(truth.facts["cycles"] >= 3 * truth.facts["hz"], f"{name}: {works[name]} units of work in 3 s")
    if name == "pace":
        check(len(found) > 5, "and reports, while the UART is drained")
check(works["pace-mute"] >= works["pace"] > 1000, "a stopped UART does not slow the firmware")

# Text without end, and without a line's end, does not keep the reports out or tear them.
found, text, _ = load("pace-flood")
check(len(found) > 5 and all(len(r.rows) == 1 for r in found[:-1]), f"{len(found)} reports in a flood of text")
check(lost(text, "console full") > 1000, "and what the flood lost is counted")

# longjmp leaves 4 frames behind, 5 times; the calls around it are right.
found, text, truth = load("jump")
report = found[-1]
check(lost(text, "longjmp") == 20, "20 calls cut off by longjmp, and said so")
names = {}
for (_, to), row in report.rows.items():
    name = truth.functions[to]
    names[name] = names.get(name, 0) + row[0]
check(names == {"catcher": 5, "thrower": 0, "leaf": 6, "outer": 0},
      f"what was forgotten, stopped or cut is not counted: {names}")
check(all(row[2:] == (65535, 0) for row in report.rows.values() if not row[0]),
      "a site never left has no shortest call")
truth.sites = {k: v for k, v in truth.sites.items() if truth.functions[k[1]] != "forgotten"}
check_same({k: r for k, r in report.rows.items() if r[0]}, truth, "the calls that came back")

# Addresses of 17 bits.
found, text, truth = load("high")
check_same(found[-1].rows, truth, "code above 64 KB")
check(sum(to > 0xffff for _, to in found[-1].rows) == 3 and
      any(source > 0xffff for source, _ in found[-1].rows), "its addresses are printed whole")
END

# In real time, with nobody on the other end; then somebody comes late and reads what is sent now.
start=$(date +%s%N)
"$NODE" --seconds=4 --link="$TMP/node" "$FW/demo.elf" >"$TMP/live.end" & node_pid=$!
sleep 2
timeout 1.5 cat "$TMP/node" >"$TMP/late.txt" || true
wait $node_pid; node_pid=
took=$((($(date +%s%N) - start) / 1000000))
python3 - "$TMP" $took <<'END'
import os
import sys
from prof import check, reports

tmp, took = sys.argv[1], int(sys.argv[2])
found, _ = reports(f"{tmp}/late.txt")
check(3800 < took < 8000, f"4 simulated seconds in real time took {took} ms")
cycles = int(open(f"{tmp}/live.end").read().split("cycles ")[1].split(",")[0])
check(32000000 <= cycles < 32100000, f"and were 32 million cycles: {cycles}")
check(found and found[0].ran > 1.5 * found[0].rate, "a late reader gets what is sent now, not what was")
check(not os.path.lexists(f"{tmp}/node"), "the link to the pty is gone")
END
