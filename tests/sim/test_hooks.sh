#!/bin/bash
# The AVR's hooks where they are most likely to be wrong: calls shorter than what is taken back,
# hooks before wsnprof_init(), counters and the timer going over, interrupts at every place, a slow
# clock, buckets, tasks. A case is a file in tests/sim/hooks. On a chip with a program counter of
# 16 bits, and one of 22.
. "$(dirname "$0")/lib.sh"

flags=(-DF_CPU=8000000UL -std=c99 -Os -ggdb -gdwarf-2 -Wall -Wextra -Werror -Wno-main -fno-inline
	-fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp -fno-ipa-sra -fno-ipa-ra
	-Itests/sim/hooks -Itarget-common -Itarget-avr -ffunction-sections -fdata-sections -Wl,--gc-sections)
all=$TMP

# runtime FLAGS...: its objects in ${objects[@]}; most cases have one in common
runtime() {
	local name=$all/o.$(echo "$CHIP $*" | cksum | tr -d ' ')
	objects=("$name.c.o" "$name.S.o")
	[ ! -e "$name.S.o" ] || return 0
	avr-gcc -mmcu=$CHIP "${flags[@]}" -finstrument-functions "$@" -c -o "$name.c.o" target-avr/all/wsnprof_all.c
	avr-gcc -mmcu=$CHIP "${flags[@]}" -finstrument-functions "$@" -c -o "$name.S.o" target-avr/all/wsnprof_hooks_all.S
}

# build NAME CASE [SETTINGS]: NAME.elf; NAME a plain one's when it ends in -plain
build() {
	local name=$1 case=$2 objects main=(tests/sim/hooks/main.c) hooks=(-finstrument-functions)
	shift 2
	[ $case = even ] || set -- "${settings[@]}" "$@"
	[ $case != early ] || main=()
	case $name in *-plain) hooks=() ;; esac
	# Of every call site on the larger chip gcc says that it is told 16 of its bits.
	[ $CHIP != atmega2560 ] || set -- -w "$@"
	runtime "$@"
	avr-gcc -mmcu=$CHIP "${flags[@]}" "${hooks[@]}" "$@" -o "$TMP/$name.elf" tests/sim/hooks/$case.c \
		tests/sim/hooks/common.c "${main[@]}" "${objects[@]}"
}

# both NAME CASE [SETTINGS]: instrumented and plain
both() {
	local name=$1
	build "$@"
	shift
	build $name-plain "$@"
	simulate $name
	simulate $name-plain --like="$TMP/$name.elf"
}

# A chip whose vectors are rjmp.
small_chip() {
	CHIP=atmega88
	build rjmp storm -DWSNPROF_SITES=16 -DWSNPROF_STACK=8
	simulate rjmp
	CHIP=atmega1284p
}

# cases DIRECTORY [SETTINGS]: all of them, in a directory of their own
cases() {
	TMP=$all/$1
	settings=("${@:2}")
	mkdir "$TMP"
	echo "$1:"
	both short short
	both phase phase
	both storm storm
	build nested nested && simulate nested
	build tail tail && simulate tail
	both carry carry
	both clock8 clock -DWSNPROF_PRESCALE=8
	both clock64 clock -DWSNPROF_PRESCALE=64
	build early early && simulate early
	build carry0 carry -DWSNPROF_LEVEL=0 -DWSNPROF_SITES=4 && simulate carry0
	build buckets buckets -DWSNPROF_LEVEL=3 && simulate buckets
	# The application's own interrupt would strike.
	build even even "${settings[@]/READ=2/READ=1}" && simulate even
	build evenleast even "${settings[@]/READ=2/READ=1}" -DWSNPROF_LEAST=1 -DWSNPROF_RING=64
	simulate evenleast
	long_only build even1 even "${settings[@]/READ=2/READ=1}" -DWSNPROF_LEVEL=1 && long_only simulate even1
	long_only build nested1 nested -DWSNPROF_LEVEL=1 && long_only simulate nested1
	both shortleast short -DWSNPROF_LEAST=1 -DWSNPROF_RING=64
	build dense dense -DWSNPROF_SITES=8 && simulate dense
	long_only build relax storm -mrelax -Wl,--relax && long_only simulate relax
	build tasks tasks -DWSNPROF_TASKS=1 -DWSNPROF_STACK=12 && simulate tasks
	build stackless tasks -DWSNPROF_TASKS=1 -DWSNPROF_STACK=12 -DSTACKLESS && simulate stackless
	[ $CHIP != atmega1284p ] || small_chip
	python3 tests/sim/hooks.py "$TMP"
}

for of in atmega1284p $(long atmega2560-read atmega1284p-read atmega2560); do
	CHIP=${of%-read}
	case $of in *-read) cases $of -DWSNPROF_TIMER_READ=2 ;; *) cases $of ;; esac
done
TMP=$all

LEVELS="Os $(long O0 O2)"
for level in $LEVELS; do
	run atmega1284p suite-$level
	run atmega1284p suite-$level-plain --like="$WORK/atmega1284p/suite-$level.elf"
	ended atmega1284p.suite-$level atmega1284p.suite-$level-plain
done
python3 tests/sim/hooks_spread.py "$TMP" "$WORK/atmega1284p" $LEVELS
