#!/bin/bash
# The log of what is watched, in its forms: a task that keeps posting itself (sim/radio, simavr:), the radio's states, the
# handlers; text, CSV and JSON say the same, and as many as the call trace; GTKWave's own reader gives the waves back.
. "$(dirname "$0")/lib.sh"
R=$root/build/sim/firmware/radio.elf
[ -x "$(dirname "$WSNTOP")/wsntop-simavr" ] && [ -f "$R" ] || skip "there is no wsntop-simavr; make sim"
need_tools python3 vcd2fst fst2vcd
cd "$work" || exit 1

"$WSNTOP" -B -p 'simavr:atmega1284p@8M?pace=max&for=1' -e "$R" -w radio_state -w call:start_radio_task -w irq \
	-x log:log.txt -x log-csv:log.csv -x log-json:log.json -x trace:trace.txt -x vcd:log.vcd -x json:profile.json 2>err ||
	fail "$(cat err)"
"$WSNTOP" -B -p 'simavr:atmega1284p@8M?pace=max&for=1' -e "$R" -w radio_state --log-calls -x log:all.txt 2>err ||
	fail "$(cat err)"
vcd2fst log.vcd log.fst 2>err && fst2vcd log.fst -o back.vcd 2>>err || fail "GTKWave does not read it: $(cat err)"

cat >check.py <<'END_OF_CHECK'
import collections
import csv
import json
import re

table = list(csv.DictReader(open("log.csv", newline="")))
log = json.load(open("log.json"))["log"]
text = open("log.txt").read().splitlines()
assert len(table) == len(log) == len(text) > 7000, (len(table), len(log), len(text))

# --- three forms of the same
for row, entry, line in zip(table, log, text):
    words = line.split()
    assert abs(float(row["time_s"]) - entry["time_s"]) < 1e-9 and abs(float(words[0]) - entry["time_s"]) < 1e-6
    assert row["what"] == entry["what"] and row["name"] == entry["name"] and row["name"] in line, (row, entry, line)
    assert row["within"] == entry.get("within", "") and (not row["within"] or line.endswith(" in " + row["within"]))
    if row["what"] == "state":
        assert int(row["value"]) == entry["value"] and row["state"] == entry["state"]
        assert "%s (%s)" % (row["state"], row["value"]) in line
times = [e["time_s"] for e in log]
assert times == sorted(times)

# --- as the call trace has them
told = collections.Counter()
for line in open("trace.txt"):
    m = re.match(r".\s*[\d.]+\s+(\w+)\s+(\w+)\s+\d+\s+(\S+)", line)
    told[m.group(1, 2, 3)] += 1
what = collections.Counter((e["lane"], e["what"], e["name"]) for e in log)
reposts = told[("main", "call", "start_radio_task")]
assert what[("main", "call", "start_radio_task")] == reposts > 7000, reposts
assert what[("main", "state", "radio_state")] == told[("main", "state", "radio_state")] > 8
handlers = {k[2]: n for k, n in told.items() if k[0] == "handlers" and k[1] == "call" and k[2].startswith("__vector")}
assert handlers and all(what[("handlers", "irq", h)] == n for h, n in handlers.items()), (handlers, what)
assert set(k[1] for k in what) == {"call", "state", "irq"}, what

# --- TinyOS's bug: between two beacons the task posts itself some 3,000 times, each 57 us
beacon = [e for e in log if e["name"] == "start_radio_task"]
bursts, since = [1], [b["time_s"] - a["time_s"] for a, b in zip(beacon, beacon[1:])]
for s in since:
    bursts = bursts + [1] if s > 0.001 else bursts[:-1] + [bursts[-1] + 1]
assert sum(2000 < b < 4000 for b in bursts) >= 2, bursts
assert 50e-6 < sorted(since)[len(since) // 2] < 60e-6
assert all(1e-6 < e["took_s"] < 20e-6 for e in beacon[:-1])

# --- who wrote: the handler, not what it interrupted
assert {e["within"] for e in log if e.get("state") == "S_STARTED"} == {"__vector_13"}
assert {e["within"] for e in log if e.get("state") == "S_STARTING"} == {"radio_start"}

# --- with all calls: those of every function
every = collections.Counter(line.split()[3] for line in open("all.txt") if "call" in line.split()[:6])
lines = sum(1 for line in open("all.txt"))
calls = sum(n for k, n in told.items() if k[1] == "call")
assert lines == calls + told[("main", "state", "radio_state")], (lines, calls)

# --- as GTKWave has it
codes, states = {}, []
for line in open("back.vcd"):
    words = line.split()
    if words[:1] == ["$var"]:
        codes[words[4]] = words[3]
    elif line[0] == "b" and words[1] == codes.get("radio_state"):
        states.append(words[0][1:])
numbers = [int(s, 2) for s in states if set(s) <= {"0", "1"}]
changes = [e["value"] for e in log if e["what"] == "state"]
changes = [v for i, v in enumerate(changes) if i == 0 or v != changes[i - 1]]
numbers = [v for i, v in enumerate(numbers) if i == 0 or v != numbers[i - 1]]
assert numbers == changes, (numbers[:9], changes[:9])

# --- how it was watched
watching = json.load(open("profile.json"))["node"]["watching"]
ways = {w["watch"]: (w["way"], w["hits"]) for w in watching["watches"]}
assert ways["call:start_radio_task"] == ("traced", reposts), ways
assert ways["radio_state"][0] == "traced" and watching["halted"] == 0
print("ok: %d lines, %d calls of the task in %d bursts" % (len(log), reposts, len(bursts)))
END_OF_CHECK
python3 check.py || exit 1
