#!/bin/bash
# Hooks of `wsntop as --timed` and --count on Thumb-2 and Thumb-1: every call is counted as QEMU saw it, and timed between its
# own first and last instruction: at every level of optimization, inlined and tail calls, longjmp, interrupts that nest, tasks,
# tables that are too small, SysTick's clock; and as the program takes it that has no hooks. The shapes of code of
# tests/sim/filter, C++ and conditional returns among them, with LTO, too, are counted and give the plain program's output.
. "$(dirname "$0")/cortexm.sh"
make --no-print-directory -f sim/cortexm/build.mk -j2 O="$O" cortexm-as >/dev/null
QUIET=breathe=0
SUITE=net,pointer,tail,copy,full,mutual,wsn

# features NAME BOARD USE FLAGS...: tests/sim/filter's shapes of code, C++, conditional returns, as the workload `mutual`;
# USE: the runtime's variant, whose hooks it gets; bare: none
features() {
	local name=$1 board=$2 use=$3 o=$TMP/o.$1 D=tests/sim/filter hooks=() cc cpu=cortex-m3 as=arm-none-eabi-as
	shift 3
	mkdir "$o"
	[ $board = an385 ] || cpu=cortex-m0
	cc="-mcpu=$cpu -mthumb -w -g -ffunction-sections -I$D"
	case $use in hooked) hooks=(-B "$FW/as-timed") ;; counted) hooks=(-B "$FW/as-count") ;; esac
	arm-none-eabi-gcc $cc -std=gnu11 "$@" "${hooks[@]}" -c -o "$o/c.o" $D/features.c
	arm-none-eabi-g++ $cc -std=gnu++11 -fno-exceptions -fno-rtti -fno-threadsafe-statics "$@" "${hooks[@]}" \
		-c -o "$o/cc.o" $D/features.cc
	arm-none-eabi-gcc $cc "${hooks[@]}" -c -o "$o/S.o" $D/hand.S
	arm-none-eabi-gcc $cc -Os -c -o "$o/say.o" $D/say.c
	arm-none-eabi-gcc $cc -Os -c -o "$o/all.o" tests/sim/timed/features_thumb.c
	echo 'int inner(int x) { return x * 3; } int before(int x) { return inner(x) * 2; }' |
		arm-none-eabi-gcc $cc -O1 -fno-inline "${hooks[@]}" -c -o "$o/before.o" -x c -
	[ ${#hooks[@]} = 0 ] || as=${hooks[1]}/as
	[ $board != an385 ] || "$as" -mcpu=$cpu -o "$o/it.o" $D/conditional.s
	arm-none-eabi-objcopy --weaken-symbol=workload_mutual "$FW/$board-bare-Os.o" "$o/work.o"
	arm-none-eabi-gcc $cc "$@" "${hooks[@]}" -nostartfiles --specs=nano.specs --specs=nosys.specs -Wl,--gc-sections,--wrap=wsnprof_init \
		-Wl,--no-warn-rwx-segments -T "$FW/$board.ld" -o "$TMP/$name.elf" "$FW/$board.o" "$FW/$board-${use/bare/hooked}.o" "$o"/*.o -lm
	sim/cortexm/run -o "$TMP/$name" $board "$TMP/$name.elf" run=mutual breathe=0 >"$TMP/$name.log" 2>&1 ||
		{ echo "$name: $(cat "$TMP/$name.log")"; return 1; }
}

{
	for board in an385 an385m0; do
		for level in Os $(long O0 O1 O2 O3); do
			echo "$board-$level $board-hooked-$level run=$SUITE $QUIET"
		done
		echo "$board-same $board-hookedsame-Os run=$SUITE $QUIET"
		echo "$board-plain $board-plain-Os run=$SUITE $QUIET"
		echo "$board-counted $board-counted-O2 run=$SUITE,storm $QUIET"
	done
	for board in an385 $(long an385m0); do
		for kind in 1 3 tick; do
			echo "$board-$kind $board-hooked$kind-Os run=net,pointer,tail,mutual $QUIET"
		done
		echo "$board-few $board-hookedfew-Os run=net,deep,full,wsn baud=115200"
	done
	echo "an385-mask an385-hookedmask-Os run=$SUITE $QUIET"
	long_only echo "an385-mask-storm an385-hookedmask-Os run=storm $QUIET"
	echo "an385-found an385-hookedfound-Os run=net,pointer,tail,mutual $QUIET"
	long_only echo "an386-Os an386-hooked-Os run=$SUITE $QUIET"
	echo "an505-Os an505-hooked-Os run=$SUITE $QUIET"
	long_only echo "an505-counted an505-counted-Os run=$SUITE,storm $QUIET"
	long_only echo "microbit-Os microbit-hooked-Os run=net,copy,mutual $QUIET"
	for board in an385 an385m0 $(long an505); do
		echo "$board-storm $board-hooked-Os run=storm $QUIET"
		echo "$board-deep $board-hooked-Os run=deep $QUIET"
		echo "$board-jump $board-hooked-Os run=jump $QUIET"
		echo "$board-tasks $board-hooked-Os run=tasks $QUIET"
		echo "$board-nostack $board-hooked-Os run=tasks stacks=1 $QUIET"
	done
	echo "an385-busy an385-hooked-O2 run=net,sample,storm,wsn baud=115200"
} | in_pairs simulate

for board in an385 an385m0; do
	case $board in an385) flags="-Os-flto $(long -O2)" ;; *) flags="-O2 $(long -Os-flto)" ;; esac
	for flags in $flags $(long -O0 -Os -O3 -O2-flto); do
		for use in bare hooked counted; do
			echo "$board-features$flags-$use $board $use ${flags/-f/ -f}"
		done
	done
done | in_pairs features

python3 tests/sim/timed_thumb.py "$TMP"
