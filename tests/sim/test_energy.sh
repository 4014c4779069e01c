#!/bin/bash
# Whose charge it was: firmware in simavr, a current made of its exact trace as a meter beside it. Mean currents of
# functions, sleep and the radio's states; the charges add up to the meter's; a model of the same currents.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }

# traced FIRMWARE SECONDS [watch]: its source, trace, current and truth
traced() {
	source="simavr:atmega1284p@8M?pace=max&for=$2" elf=$FW/$1.elf
	"$WSNTOP" -B -p "$source" -e "$elf" ${3:+-w "$3"} -x "trace:$TMP/$1.trace" >/dev/null 2>&1 || fail "$1's trace"
	python3 tests/sim/energy.py make "$TMP/$1.trace" "$TMP/$1.csv" "$TMP/$1.truth" --ahead=0.4137 ||
		fail "$1's current"
}

metered() {	# FIRMWARE, what is measured, [watch]
	"$WSNTOP" -B -p "$source" -e "$elf" ${3:+-w "$3"} --power "$2" --battery=220mAh --volts=3.3 \
		-x "json:$TMP/$1.json" -x "csv:$TMP/$1.table" >/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "$1"; }
}

traced demo 4
metered demo "$TMP/demo.csv"
python3 tests/sim/energy.py check "$TMP/demo.truth" "$TMP/demo.json" 3 || fail "the demo's functions"
head -1 "$TMP/demo.table" | grep -q ',current_a,energy_j,energy_per_call_j,energy_share,energy_estimate' || fail "CSV"

# Functions of some microseconds are not told beside a meter of 20 us; the radio's states are.
traced radio 2 radio_state
metered radio "$TMP/radio.csv" radio_state
python3 tests/sim/energy.py radio "$TMP/radio.truth" "$TMP/radio.json" || fail "the radio's states"

# Half the current in nothing that ran: no lag is better than another, and nothing is attributed.
python3 -c "
import random
random.seed(4)
for i in range(170000):
    print('%.6f,%.4f' % (i / 50000, 4 + random.random()))" >"$TMP/noise.csv"
metered demo "$TMP/noise.csv"
python3 - "$TMP/demo.json" <<'END' || fail "noise"
import json
import sys

told = json.load(open(sys.argv[1]))
assert told["power"]["alignment"] == {"method": None, "uncertainty_s": None} and told["power"]["trouble"] == "not aligned"
assert all(f["current_a"] is None and f["energy_j"] is None for f in told["functions"])
END

# A meter that measures now, and a simulator: in real time alone, and no better than it keeps that.
root=$PWD work=$TMP
. tests/power/lib.sh
ppk2_start
trap 'ppk2_stop; cleanup' EXIT
"$WSNTOP" -B -p "simavr:atmega1284p@8M?pace=4&for=1" -e "$FW/demo.elf" --power "ppk2:$PPK2" >/dev/null 2>"$TMP/said" &&
	fail "four times as fast as the meter"
grep -q 'the meter measures in real time, simavr:.*pace=4&for=1 does not: give pace=1, or a file' "$TMP/said" ||
	{ cat "$TMP/said"; fail "why it was refused"; }
"$WSNTOP" -B -p "simavr:atmega1284p@8M?for=4" -e "$FW/demo.elf" --power "ppk2:$PPK2" -x "json:$TMP/live.json" \
	>/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "a simulator in real time"; }
ppk2_stop
python3 - "$TMP/live.json" <<'END' || fail "more is said of a simulator than can be known"
import json
import sys

told = json.load(open(sys.argv[1]))
a = told["power"]["alignment"]
print("simulator beside a meter:", a)
assert a["method"] in (None, "arrival") and (a["uncertainty_s"] is None or a["uncertainty_s"] > 0.2)
assert told["power"]["samples"] > 100000 and all(f["current_a"] is None for f in told["functions"])
END

# The same without a meter: what the file says, marked as an estimate.
printf 'active = 4.4 mA\nsleep = 3 uA\nvolts = 2.8\nradio_state = S_TRANSMITTING 17.4 mA\n' >"$TMP/board.ini"
source="simavr:atmega1284p@8M?pace=max&for=2"
elf=$FW/radio.elf
"$WSNTOP" -B -p "$source" -e "$elf" -w radio_state --power "model:$TMP/board.ini" -x "json:$TMP/model.json" >/dev/null 2>&1 ||
	fail "model"
python3 tests/sim/energy.py model "$TMP/radio.truth" "$TMP/model.json" || fail "the model's estimates"
echo 'active = fast' >"$TMP/board.ini"
"$WSNTOP" -B -p "$source" -e "$elf" --power "model:$TMP/board.ini" >/dev/null 2>"$TMP/said" && fail "a model of nonsense"
grep -q 'board.ini: "active = fast" is no current: write NAME = 4.4 mA' "$TMP/said" || { cat "$TMP/said"; fail "model's error"; }
echo ok
