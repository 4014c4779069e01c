#!/bin/bash
# Hooks of `wsntop as --timed` and --count on Thumb-2 and Thumb-1: every call is counted as QEMU saw it, and timed between its
# own first and last instruction: at every level of optimization, inlined and tail calls, longjmp, interrupts that nest, tasks,
# tables that are too small, SysTick's clock; and as the program takes it that has no hooks.
. "$(dirname "$0")/cortexm.sh"
make --no-print-directory -f sim/cortexm/build.mk -j2 O="$O" cortexm-as >/dev/null
QUIET=breathe=0
SUITE=net,pointer,tail,copy,full,mutual,wsn

{
	for board in an385 an385m0; do
		for level in O0 O1 Os O2 O3; do
			echo "$board-$level $board-hooked-$level run=$SUITE $QUIET"
		done
		echo "$board-same $board-hookedsame-Os run=$SUITE $QUIET"
		echo "$board-plain $board-plain-Os run=$SUITE $QUIET"
		for kind in 1 3 tick; do
			echo "$board-$kind $board-hooked$kind-Os run=net,pointer,tail,mutual $QUIET"
		done
		echo "$board-few $board-hookedfew-Os run=net,deep,full,wsn baud=115200"
		echo "$board-counted $board-counted-O2 run=$SUITE,storm $QUIET"
	done
	echo "an385-mask an385-hookedmask-Os run=$SUITE $QUIET"
	echo "an385-mask-storm an385-hookedmask-Os run=storm $QUIET"
	echo "an385-found an385-hookedfound-Os run=net,pointer,tail,mutual $QUIET"
	echo "an386-Os an386-hooked-Os run=$SUITE $QUIET"
	echo "an505-Os an505-hooked-Os run=$SUITE $QUIET"
	echo "an505-counted an505-counted-Os run=$SUITE,storm $QUIET"
	echo "microbit-Os microbit-hooked-Os run=net,copy,mutual $QUIET"
	for board in an385 an385m0 an505; do
		echo "$board-storm $board-hooked-Os run=storm $QUIET"
		echo "$board-deep $board-hooked-Os run=deep $QUIET"
		echo "$board-jump $board-hooked-Os run=jump $QUIET"
		echo "$board-tasks $board-hooked-Os run=tasks $QUIET"
		echo "$board-nostack $board-hooked-Os run=tasks stacks=1 $QUIET"
	done
	echo "an385-busy an385-hooked-O2 run=net,sample,storm,wsn baud=115200"
} | in_pairs simulate

python3 tests/sim/timed_thumb.py "$TMP"
