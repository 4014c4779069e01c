#!/bin/bash
# simavr: as a source. The exact profile of programs without hooks, against the other observer's truth; twice the
# same; what stands in the way is said; the firmware whose task keeps posting itself (sim/radio).
. "$(dirname "$0")/lib.sh"
HERE=tests/sim
fail() { echo "FAILED: $*"; exit 1; }

compare() {	# chip, cycles of its ret, program
	local image=$WORK/$1/$3-plain.elf
	"$NODE" -m "$1" -F -u "$TMP/uart" -t "$TMP/truth" --like="$WORK/$1/$3.elf" "$image" >/dev/null 2>&1 || fail "$1 $3"
	"$WSNTOP" -B -p "simavr:$1@8M?pace=max" -e "$image" -x "json:$TMP/all.json" \
		>/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "$1 $3"; }
	python3 "$HERE/source_truth.py" avr "$TMP/truth" "$TMP/all.json" 8e6 "$2" || fail "$1 $3"
	python3 "$HERE/lines.py" "$TMP/all.json" 8e6 || fail "$1 $3: lines"
}
for level in O0 Os $(long O2 O3); do
	compare atmega1284p 4 "suite-$level"
done
compare atmega2560 5 suite-Os

refused() {	# what is said, arguments
	local want=$1
	shift
	! "$WSNTOP" -B "$@" >/dev/null 2>"$TMP/said" || fail "not refused: $*"
	grep -q "$want" "$TMP/said" || { cat "$TMP/said"; fail "$*"; }
}

# --- twice the same ---
for run in 1 2; do
	"$WSNTOP" -B -p "simavr:atmega1284p@8M?pace=max&for=2" -e "$FW/radio.elf" -x "csv:$TMP/$run.csv" >/dev/null ||
		fail "radio"
done
cmp "$TMP/1.csv" "$TMP/2.csv" || fail "two runs differ"

# --- the task that posts itself: thousands of calls between two beacons, none once it is mended ---
calls() {
	"$WSNTOP" -B -p "simavr:atmega1284p@8M?pace=max&for=5" -e "$FW/$1.elf" -x "json:$TMP/$1.json" >"$TMP/$1.flat" 2>&1 ||
		fail "$1"
	python3 - "$TMP/$1.json" <<'END'
import json
import sys

calls = {f["name"]: f["calls"] for f in json.load(open(sys.argv[1]))["functions"]}
print(calls["start_radio_task"], calls["send_done_task"])
END
}
read -r starts beacons < <(calls radio)
[ "$beacons" -ge 5 ] && [ "$starts" -gt $((2000 * beacons)) ] && [ "$starts" -lt $((4000 * beacons)) ] ||
	fail "$starts starts for $beacons beacons"
read -r starts beacons < <(calls radio-fixed)
[ "$beacons" -ge 5 ] && [ "$starts" -lt $((4 * beacons)) ] || fail "mended: $starts starts for $beacons beacons"

# --- the node's own stream instead: never more calls than were made, and all of what came before its last report ---
both="simavr:atmega1284p@8M?pace=max&for=5"
"$WSNTOP" -B -p "$both" -e "$FW/demo.elf" -x "json:$TMP/exact.json" >/dev/null 2>&1 || fail "demo"
"$WSNTOP" -B -p "$both&uart=wsn" -e "$FW/demo.elf" -x "json:$TMP/told.json" >/dev/null 2>&1 || fail "demo's own stream"
python3 - "$TMP/exact.json" "$TMP/told.json" <<'END' || fail "its own stream differs"
import json
import sys

exact, told = ({f["name"]: f["calls"] for f in json.load(open(name))["functions"]} for name in sys.argv[1:])
print(len(told), "functions told by the node, of", len(exact))
assert len(told) > 30 and all(calls <= exact[name] for name, calls in told.items() if calls is not None)
assert told["smooth"] > 0.9 * exact["smooth"]
END

# --- both at the same time: two nodes, what the simulator sees and what the firmware sends. (The second one's commands
# reach the firmware when the host gets to it: this run is not twice the same.) ---
"$WSNTOP" -B -p "$both&uart=both" -e "$FW/demo.elf" -w no_such >"$TMP/both.txt" 2>"$TMP/said" && fail "there is no such variable"
grep -q "no variable no_such" "$TMP/said" || { cat "$TMP/said"; fail "a watch of the simulator's node"; }
"$WSNTOP" -B -p "$both&uart=both" -e "$FW/demo.elf" >"$TMP/both.txt" 2>"$TMP/said" || { cat "$TMP/said"; fail "uart=both"; }
[ "$(grep -c '^Flat profile' "$TMP/both.txt")" = 2 ] || fail "uart=both: not two profiles"
grep -q 'sleep_unless_due' "$TMP/both.txt" && grep -q 'Each tick counts as 1.25e-07 seconds; [45].* s of [45]' "$TMP/both.txt" ||
	fail "uart=both: the simulator's node is missing"
grep -q 'Profiling took .* of the time awake' "$TMP/both.txt" || fail "uart=both: the firmware's stream is missing"
refused "comes with ?uart=both" -p uart:simavr:atmega1284p -e "$FW/demo.elf"

# --- what stands in the way ---
refused "a simulator needs the ELF of the firmware" -p simavr:atmega1284p@8M
refused "simavr has no such chip" -p simavr:atmega9999@8M -e "$FW/radio.elf"
refused "expected simavr: and a clock" -p simavr:atmega1284p@fast -e "$FW/radio.elf"
refused "takes these options" -p "simavr:atmega1284p@8M?speed=2" -e "$FW/radio.elf"
refused "expected uart=both or uart=wsn" -p "simavr:atmega1284p@8M?uart=gprof" -e "$FW/radio.elf"
refused "uart=wsn tells no variables" -p "simavr:atmega1284p@8M?uart=wsn" -w radio_state -e "$FW/radio.elf"
refused "not for an AVR" -p simavr:atmega1284p@8M -e "$O/wsntop"
mkdir "$TMP/alone" && cp "$WSNTOP" "$TMP/alone/wsntop"
! "$TMP/alone/wsntop" -B -p simavr:atmega1284p@8M -e "$FW/radio.elf" >/dev/null 2>"$TMP/said" || fail "without its helper"
grep -q "wsntop-simavr is not installed beside wsntop" "$TMP/said" || { cat "$TMP/said"; fail "the helper's absence"; }

# --- the helper is killed: what came is shown, and why no more does; it ends with wsntop ---
"$WSNTOP" -B -p simavr:atmega1284p@8M -e "$FW/radio.elf" >"$TMP/flat" 2>"$TMP/said" &
top=$!
for _ in $(seq 100); do
	helper=$(pgrep -P "$top" wsntop-simavr) && break
	sleep 0.1
done
sleep 2
kill -9 "$helper" || true
wait "$top" || true
grep -q start_radio_task "$TMP/flat" || fail "what came before is lost"
"$WSNTOP" -B -p simavr:atmega1284p@8M -e "$FW/radio.elf" >/dev/null 2>&1 &
top=$!
for _ in $(seq 100); do
	helper=$(pgrep -P "$top" wsntop-simavr) && break
	sleep 0.1
done
kill -9 "$top"
wait "$top" 2>/dev/null || true
for _ in $(seq 100); do
	[ -e "/proc/$helper" ] || break
	sleep 0.1
done
[ ! -e "/proc/$helper" ] || fail "the helper goes on"
echo ok
