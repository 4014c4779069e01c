#!/bin/bash
# The node's runtime where it hurts: table and stack full, nobody taking the bytes, 9,600 baud, text in
# between, asleep, stopped and started in mid-call, an hour's worth of calls.
. "$(dirname "$0")/lib.sh"

C=atmega1284p
for name in jump $(long inga) sample flood ring era text; do
	run $C $name-Os
	ended $C.$name-Os
done
# 9,600 baud: an ATmega328P has no room for what the others send.
CHIPS="$C/slow atmega2560/slow $(long atmega128rfa1/slow atmega328p/tight)" STOPPED="$C $(long atmega2560 atmega128rfa1 atmega328p)"
for chip in $CHIPS; do
	slow=${chip#*/} chip=${chip%/*}
	for name in full $slow pace; do
		run $chip $name-Os
		ended $chip.$name-Os
	done
done
for chip in $STOPPED; do
	AS=$chip.stopped run $chip pace-Os --stop-uart
	ended $chip.stopped
done

python3 - "$TMP" "$WORK" "$CHIPS" "$STOPPED" $(long inga) <<'END'
import re
import sys
from collections import Counter
from truth import *
from wsn import Node

tmp, work, chips, stopped_ones, *whole = sys.argv[1:]
LOST = ("stack_full", "table_full", "cut", "text", "carries")

CHIPS = dict(chip.split("/") for chip in chips.split())

def load(name, chip="atmega1284p"):
    stem = f"{tmp}/{chip}.{name}-Os"
    data = open(f"{stem}.bin", "rb").read()
    node = Node(data[:data.rindex(b"\0") + 1])		# the end of the run may cut a frame
    check(not node.damaged and not node.lost_frames, f"{chip}, {name}: {sum(node.frames.values())} frames, all whole")
    truth = Truth(f"{stem}.truth")
    if node.hello.arch != 2:
        return node, truth, rows_of_node(node)
    truth.sites = narrow(truth.sites, 17)
    return node, truth, rows_of_node(node, Flash(f"{work}/{chip}/{name}-Os.elf"))

def lost(node):
    return {k: node.status[k] for k in LOST if node.status[k]}

def by_name(rows, truth):
    names = {}
    for (_, to), row in rows.items():
        names[truth.functions[to]] = names.get(truth.functions[to], 0) + row.calls
    return names

# 70 call sites and more meet a table of 32; 62 calls deep meet a stack of 12 levels.
def check_full(chip):
    node, truth, rows = load("full", chip)
    missing = truth.calls() - sum(r.calls for r in rows.values())
    check(len(rows) <= 32 and node.status["table_full"] > 500 and node.status["stack_full"] > 200,
          f"a full table and a full stack: {lost(node)}")
    check(missing == node.status["table_full"] + node.status["stack_full"],
          f"the {missing} calls that are missing are those that the node says it lost")
    check(all(r.calls <= truth.sites[k].calls for k, r in rows.items()), "no site has more than it had")
    whole = {k: r for k, r in rows.items() if truth.functions[k[1]] == "full_leaf"}
    check_calls(whole, {k: truth.sites[k] for k in whole}, "sites that were in the table from the start")

# 9,600 baud: late, not wrong.
def check_slow(chip, name):
    node, truth, rows = load(name, chip)
    check_calls(rows, truth.sites, "at 9,600 baud")

# A UART that nobody drains: the work takes as long.
def check_stopped(chip):
    node, truth, rows = load("pace", chip)
    check_calls(rows, truth.sites, "pace")
    stopped = Truth(f"{tmp}/{chip}.stopped.truth")
    check(len(open(f"{tmp}/{chip}.stopped.bin", "rb").read()) <= 2 and stopped.calls() == truth.calls(),
          f"the stopped UART sent nothing, and the work was done: {stopped.calls()} calls")
    check(stopped.facts["run"] < truth.facts["run"] * 1.02, "it does not slow the firmware")

for chip, slow in CHIPS.items():
    check_full(chip)
    check_slow(chip, slow)
for chip in stopped_ones.split():
    check_stopped(chip)

# longjmp leaves three frames behind, 100 times, in a function that never returns: more than the stack has levels.
node, truth, rows = load("jump")
made = truth.calls() + truth.cut()
kept = sum(r.calls for r in rows.values())
check(kept + node.status["cut"] + node.status["stack_full"] == made,
      f"longjmp: {made} calls: {kept} counted, {lost(node)}")
check(all(r.calls <= truth.sites[k].calls for k, r in rows.items()) and node.status["stack_full"] < made / 10,
      "no site has more than it had, and the stack is soon cleared of those skipped")

# The two computations of INGA's profiler at their full size.
if whole:
    node, truth, rows = load("inga")
    check_calls(rows, truth.sites, "CRC-16 over 64 KB, Fibonacci of 27")
    check(by_name(rows, truth) == {"crc_run": 2, "fib": 1028429} and not lost(node), "1,028,429 calls, as it must be")
    total = sum(r.total for k, r in rows.items() if truth.functions[k[1]] == "crc_run")
    true = sum(s.total for s in truth.sites_of("crc_run").values())
    check(abs(total / true - 1) < 0.002, f"CRC-16: {total:.0f} cycles, true {true}")

# Asleep most of the time; bundles now and then.
node, truth, rows = load("sample")
check_calls(rows, truth.sites, "sample-send")
check(not lost(node) and truth.facts["cycles"] > 8 * truth.facts["hz"] / 10, "slept through")

# Text without end, and without a line's end, does not keep the frames out or tear them.
node, truth, rows = load("flood")
check_calls(rows, truth.sites, "flood")
check(node.status["text"] > 1000, f"{node.status['text']} characters lost, and counted")
said = len(node.text)
check(said + node.status["text"] == 17 * truth.calls() + len("flood 01234567\n"),
      f"and {said} sent: all that were put")

# Text from an interrupt at every moment while frames and text go into the ring.
node, truth, rows = load("ring")
text = node.text.decode()
spoken, dots = re.search(r"ring ([0-9a-f]{4})([0-9a-f]{4})\n", text).groups()
text = text.split("ring ")[0]
check(node.status["text"] == 0 and text.count("<i>") == int(spoken, 16) and
      text.replace("<i>", "").strip() == "." * int(dots, 16),
      f"{int(spoken, 16)} texts from the interrupt, {int(dots, 16)} from the main program, all whole")
check_calls(rows, truth.sites, "ring")

# Stop, start and reset in the middle of calls.
node, truth, rows = load("era")
check(+Counter(by_name(rows, truth)) == {"era_leaf": 7}, f"what was forgotten, stopped or half seen is not counted: {by_name(rows, truth)}")
check_calls(rows, truth.sites, "era")

# The text report agrees with the frames.
node, truth, rows = load("text")
report = re.findall(r"0x([0-9a-f]+):0x([0-9a-f]+):(\d+):(\d+):(\d+):(\d+)", node.text.decode())
header = re.search(r"PROF:workload:(\d+):(\d+):(\d+):(\d+)", node.text.decode())
check(header and int(header[1]) == len(report), f"a report of {len(report)} sites")
# Of a site that was entered and never left the text has a row of 0 calls; frames need not.
said = Counter({(int(f, 16), int(t, 16)): int(c) for f, t, c, *_ in report})
check(+said == +Counter({k: r.calls for k, r in rows.items()}), f"with the same {said.total()} calls")
END
