#!/bin/bash
# qemu: as a source. The exact profile of a program without hooks against the other observer's truth; twice the
# same; tasks that are preempted; what stands in the way is said.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }
CM=$O/sim/cortexm
run="run=wsn,net rounds=3"

compare() {	# board, machine, image, HZ
	sim/cortexm/run -o "$TMP/all" "$1" "$CM/$3.elf" $run >"$TMP/said" 2>&1 || { cat "$TMP/said"; fail "$3: no truth"; }
	"$WSNTOP" -B -p "qemu:$2?pace=max&semihosting=$run" -e "$CM/$3.elf" -x "json:$TMP/all.json" >/dev/null 2>"$TMP/said" ||
		{ cat "$TMP/said"; fail "$3"; }
	python3 tests/sim/source_truth_qemu.py "$TMP/all.truth" "$TMP/all.json" "$4" || fail "$3"
	python3 tests/sim/lines.py "$TMP/all.json" "$4" || fail "$3: lines"
}
compare an385 mps2-an385 an385-plain-Os 15625000
compare an385m0 mps2-an385 an385m0-plain-Os 15625000

# --- twice the same ---
for i in 1 2; do
	"$WSNTOP" -B -p "qemu:mps2-an385?pace=max&for=1&semihosting=$run" -e "$CM/an385-plain-Os.elf" -x "csv:$TMP/$i.csv" >/dev/null ||
		fail "a run of a second"
done
cmp "$TMP/1.csv" "$TMP/2.csv" || fail "two runs differ"

# --- what stands in the way ---
refused() {	# what is said, arguments
	local want=$1
	shift
	! "$WSNTOP" -B "$@" >/dev/null 2>"$TMP/said" || fail "not refused: $*"
	grep -q "$want" "$TMP/said" || { cat "$TMP/said"; fail "$*"; }
}
refused "a simulator needs the ELF of the firmware" -p qemu:mps2-an385
refused "not for a Cortex-M" -p qemu:mps2-an385 -e "$FW/radio.elf"
refused "expected qemu: and a clock" -p qemu:mps2-an385@fast -e "$CM/an385-plain-Os.elf"
refused "unsupported machine type" -p qemu:no-such-machine -e "$CM/an385-plain-Os.elf"
refused "nothing was counted: qemu: fatal: Lockup.*needs ?semihosting=SETTINGS$" -p "qemu:mps2-an385?pace=max" -e "$CM/an385-plain-Os.elf"
mkdir "$TMP/alone" && cp "$WSNTOP" "$TMP/alone/wsntop"
! "$TMP/alone/wsntop" -B -p qemu:mps2-an385 -e "$CM/an385-plain-Os.elf" >/dev/null 2>"$TMP/said" || fail "without its helper"
grep -q "wsntop-qemu is not installed beside wsntop" "$TMP/said" || { cat "$TMP/said"; fail "the helper's absence"; }

# --- it ends with wsntop ---
"$WSNTOP" -B -p "qemu:mps2-an385?semihosting=run=net forever=1" -e "$CM/an385-plain-Os.elf" >/dev/null 2>&1 &
top=$!
for _ in $(seq 100); do
	helper=$(pgrep -P "$top" wsntop-qemu) && qemu=$(pgrep -P "$helper" qemu-system) && break
	sleep 0.1
done
kill -9 "$top"
wait "$top" 2>/dev/null || true
for _ in $(seq 100); do
	[ -e "/proc/$qemu" ] || [ -e "/proc/$helper" ] || break
	sleep 0.1
done
[ ! -e "/proc/$qemu" ] && [ ! -e "/proc/$helper" ] || fail "QEMU goes on"
echo ok
