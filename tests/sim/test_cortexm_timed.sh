#!/bin/bash
# Cortex-M: timed call sites, against what QEMU saw: calls exact, durations within the error that the node states; handlers'
# rows, recursion, longjmp, tasks; a table and a stack that are too small.
. "$(dirname "$0")/cortexm.sh"

# Silent until the end: nothing that the profiler cannot see takes time.
QUIET=breathe=0
SUITE=net,pointer,tail,copy,full,mutual,wsn
LEVELS="O0 Os $(long O1 O2 O3)" LEVELS_M0="Os $(long O0 O1 O2 O3)" BOARDS="an505 $(long an385m0 an386 an500)"
STRUCK="an385 microbit $(long an505)"

{
	for level in $LEVELS; do
		echo "an385-$level an385-timed-$level run=$SUITE $QUIET"
	done
	for level in $LEVELS_M0; do
		echo "microbit-a-$level microbit-timed-$level run=net,copy,mutual $QUIET"
		echo "microbit-b-$level microbit-timed-$level run=pointer,tail,full,wsn $QUIET"
	done
	for board in $BOARDS; do
		echo "$board-Os $board-timed-Os run=$SUITE $QUIET"
	done
	for board in $STRUCK; do
		echo "$board-storm $board-timed-Os run=storm $QUIET"
		echo "$board-deep $board-timed-Os run=deep $QUIET"
		echo "$board-jump $board-timed-Os run=jump $QUIET"
		echo "$board-tasks $board-timed-Os run=tasks $QUIET"
		echo "$board-nostack $board-timed-Os run=tasks stacks=1 $QUIET"
	done
	for board in an385 microbit; do
		echo "$board-net $board-timed-Os run=net $QUIET"
		echo "$board-plain $board-plain-Os run=net $QUIET"
	done
	echo "an385-busy an385-timed-Os run=net,sample,storm,wsn baud=115200"
	echo "microbit-busy microbit-timed-Os run=net,storm,wsn baud=115200"
	echo "an385-cramped an385-cramped-Os run=net,deep,full,wsn baud=115200"
	echo "microbit-cramped microbit-cramped-Os run=net,deep,full,wsn baud=115200"
} | in_pairs simulate

python3 tests/sim/cortexm_timed.py "$TMP" "$(printf 'an385-%s ' $LEVELS; printf 'microbit-a-%s ' $LEVELS_M0; printf 'microbit-b-%s ' $LEVELS_M0)" "$BOARDS" "$STRUCK"

# The same through the host.
for image in an385-O0 $(long an385-O2) microbit-a-Os an505-Os an385-storm; do
	case $image in
	*storm) elf=$FW/an385-timed-Os.elf ;;
	*) elf=$FW/${image%%-*}-timed-${image##*-}.elf ;;
	esac
	"$WSNTOP" -B -p "file:$TMP/$image.uart" -e "$elf" -x "json:$TMP/$image.json" >"$TMP/$image.out" ||
		{ cat "$TMP/$image.out"; exit 1; }
	python3 tests/sim/cortexm_host.py "$TMP/$image" sites
done
