#!/bin/bash
# `wsntop as` on AVR: programs compiled in every way give the output that they give without it, and
# what the hooks wrote down is what the simulator saw, call by call, in their order.
# SEEDS: programs made at random, of these numbers.
. "$(dirname "$0")/lib.sh"
command -v avr-g++ >/dev/null || { echo "no avr-g++"; exit 77; }
D=tests/sim/filter
. $D/text.sh
gcc -O2 -D_GNU_SOURCE -o "$TMP/count" $D/avrcount.c $(pkg-config --cflags --libs simavr 2>/dev/null || echo -lsimavr) -lelf

# chip NAME TIMER0 TIMER2 NAKED: the numbers of its vectors
chip() {
	M=$1 MCU="-mmcu=$1 -w" VECTORS="__vector_$2 __vector_$3 -__vector_$4"
	for f in record say; do avr-gcc $MCU -Os -c -o "$TMP/$f.o" $D/$f.c; done
	avr-gcc $MCU -c -o "$TMP/hooks.o" $D/hooks_avr.S
}
"$WSNTOP" as --install "$TMP/B" avr-
"$WSNTOP" as --install "$TMP/W" avr- --wide

# built NAME FLAGS...: $TMP/NAME.elf
built() {
	local name=$1
	shift
	text_compiled avr-gcc "$TMP/$name.c.o" "${PROGRAM:-$D/features.c}" $MCU -std=gnu11 -I$D "$@"
	text_compiled avr-gcc "$TMP/$name.b.o" $D/avr.c $MCU -std=gnu11 "$@"
	text_compiled avr-g++ "$TMP/$name.cc.o" $D/features.cc $MCU -std=gnu++11 -fno-exceptions -fno-rtti -fno-threadsafe-statics "$@"
	avr-gcc $MCU "$@" -c -o "$TMP/$name.S.o" $D/hand.S
	avr-g++ $MCU "$@" -o "$TMP/$name.elf" "$TMP/$name".{c,b,cc,S}.o "$TMP"/{record,say,hooks}.o -lm
}

# proven NAME B FLAGS...
proven() {
	local name=$1 b=$2
	shift 2
	built plain "$@"
	"$TMP/count" $M "$TMP/plain.elf" >"$TMP/plain.out" 2>/dev/null || { echo "FAILED: $name: the plain program crashed"; exit 1; }
	built "$name" -B "$TMP/$b" "$@" 2>"$TMP/$name.said" || { cat "$TMP/$name.said"; exit 1; }
	! grep "refused" "$TMP/$name.said" || exit 1
	"$TMP/count" $M "$TMP/$name.elf" $(python3 $D/addresses.py "$TMP/$name.elf") >"$TMP/$name.out" 2>"$TMP/$name.calls" ||
		{ echo "FAILED: $name: the program crashed"; exit 1; }
	echo -n "$name: "
	python3 $D/check.py "$TMP/$name.elf" "$TMP/$name.out" "$TMP/plain.out" "$TMP/$name.calls" \
		recursive $VECTORS -bare -from_assembly -put -quiet $MORE
}

chip atmega1284p 16 9 10
MORE=features_c
for level in Os O3 $(long O0 O1 O2); do
	proven $level B -$level
done
proven Os-wide W -Os
proven O2-sections B -O2 -g -gdwarf-2 -ffunction-sections -Wl,--gc-sections
proven Os-relax B -Os -mrelax
long_only proven O2-pipe B -O2 -pipe
long_only proven Os-frame B -Os -fno-omit-frame-pointer -fno-optimize-sibling-calls
MORE=
for level in Os $(long O2); do
	proven $level-lto B -$level -flto
done

# --local: the same output; what the hooks would tell, tests/sim/test_trace_bits.sh holds against the truth.
same() {
	local name=$1
	shift
	built plain "$@"
	"$TMP/count" $M "$TMP/plain.elf" >"$TMP/plain.out" 2>/dev/null
	cp "$TMP/hooks.o" "$TMP/kept.o"
	avr-gcc $MCU -c -o "$TMP/hooks.o" $D/hooks_local.S
	built "$name" -B "$TMP/L" "$@" 2>"$TMP/$name.said"
	cp "$TMP/kept.o" "$TMP/hooks.o"
	! grep "refused" "$TMP/$name.said" || exit 1
	avr-nm "$TMP/$name.elf" | grep -q ' wsntrace_body\.' || { echo "FAILED: $name: nothing is local"; exit 1; }
	"$TMP/count" $M "$TMP/$name.elf" >"$TMP/$name.out" 2>/dev/null || { echo "FAILED: $name: the program crashed"; exit 1; }
	for f in plain "$name"; do grep -av '^@\|^Loaded ' "$TMP/$f.out" >"$TMP/$f.said"; done
	[ -s "$TMP/plain.said" ] && cmp "$TMP/plain.said" "$TMP/$name.said" || { echo "FAILED: $name: another output"; exit 1; }
	echo "$name: the same output"
}
"$WSNTOP" as --install "$TMP/L" avr- --local
for level in O3 $(long O0 Os O2); do
	same local-$level -$level
done
same local-sections -O2 -g -gdwarf-2 -ffunction-sections -Wl,--gc-sections
long_only same local-relax -Os -mrelax
for level in Os $(long O2); do
	same local-$level-lto -$level -flto
done

# 22 bits of program counter: EIND, 3 bytes a return address.
chip atmega2560 21 13 14
MORE=features_c
for level in O2 $(long O0 Os); do
	proven 2560-$level B -$level
done

MORE=
for seed in ${SEEDS:-1}; do
	python3 $D/random.py $seed >"$TMP/random.c"
	for level in Os $(long O0 O2); do
		PROGRAM=$TMP/random.c proven random-$seed-$level B -$level
	done
done
