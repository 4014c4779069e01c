#!/bin/bash
# Cortex-M: counted arcs and PC samples, against what QEMU saw: every board, every level of optimization, with the
# sampling timer and the UART's interrupts in between.
. "$(dirname "$0")/cortexm.sh"

LEVELS="O0 Os $(long O1 O2 O3)" LEVELS_M0="Os $(long O0 O1 O2 O3)" BOARDS="an385 $(long microbit an386 an505)"
RUNS="$(printf 'an385-%s ' $LEVELS)$(for level in $LEVELS_M0; do echo "microbit-"{a,b,c}"-$level"; done)"
ROUNDS=$(long 12)
ALL=crc,net,sample,storm,deep,jump,pointer,tail,copy,full,mutual,wsn,tasks

{
	for level in $LEVELS; do
		echo "an385-$level an385-arcs-$level run=$ALL"
	done
	for level in $LEVELS_M0; do
		# Few enough arcs at a time for 16 KB of RAM.
		echo "microbit-a-$level microbit-arcs-$level run=crc,deep,jump,pointer,tail,copy,full,mutual"
		echo "microbit-b-$level microbit-arcs-$level run=net,sample,storm"
		echo "microbit-c-$level microbit-arcs-$level run=wsn,tasks"
	done
	for board in an505 $(long an386 an500); do
		echo "$board-Os $board-arcs-Os run=$ALL"
	done
	echo "fib an385-arcs-O2 run=fib,wsn rounds=2 baud=115200"
	echo "id-Os an385-id-Os run=net,wsn"
	# In step with the tick of a tasks' switcher, and not.
	for variant in beat jitter; do
		echo "$variant an385-$variant-Os run=crc,tasks rounds=${ROUNDS:-6}"
	done
	long_only echo "few an385-few-Os run=tasks rounds=12"
	long_only echo "jitter-alone an385-jitter-Os run=tasks rounds=12"
	echo "plain-an385 an385-plain-Os run=$ALL"
	echo "plain-microbit microbit-plain-Os run=$ALL"
	for board in $BOARDS; do
		echo "$board-small $board-small-Os run=$ALL baud=115200"
		echo "$board-9600 $board-small-Os run=$ALL baud=9600"
		echo "$board-stopped $board-arcs-Os run=net,storm,wsn baud=0 late=1000000"
		echo "$board-going $board-arcs-Os run=net,storm,wsn baud=115200"
		echo "$board-reset $board-small-Os run=net,storm baud=0 late=1000000 reset=1"
	done
	for board in an385 $(long microbit); do
		echo "$board-dispatch $board-full-Os run=dispatch baud=115200"
		echo "$board-beyond $board-small-Os run=dispatch baud=115200"
		echo "$board-named $board-full-Os run=dispatch,net,wsn baud=9600 rounds=8"
	done
} | in_pairs simulate

python3 tests/sim/cortexm_arcs.py "$TMP" "$FW" "$RUNS" "$BOARDS"

# The same through the host; once with a build-id.
for image in an385-Os microbit-a-Os microbit-c-Os an505-Os id-Os; do
	elf=$FW/${image%%-*}-arcs-${image##*-}.elf
	[ "$image" != id-Os ] || elf=$FW/an385-id-Os.elf
	"$WSNTOP" -B -p "file:$TMP/$image.uart" -e "$elf" -x "json:$TMP/$image.json" >"$TMP/$image.out" ||
		{ cat "$TMP/$image.out"; exit 1; }
	python3 tests/sim/cortexm_host.py "$TMP/$image" arcs
done
