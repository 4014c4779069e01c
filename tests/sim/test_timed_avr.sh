#!/bin/bash
# Hooks of `wsntop as --timed` and --count on AVR: every call is counted as the simulator saw it, and
# timed as the plain program takes it: at every level of optimization, with LTO, C++, tail calls,
# longjmp, interrupts that nest, on four chips, at all levels of the runtime; functions that were not
# chosen are as the compiler made them.
. "$(dirname "$0")/lib.sh"
command -v avr-g++ >/dev/null || { echo "no avr-g++"; exit 77; }
QUIET='^(workload_\w+|main|say_sum|poll_for|drain|finish|timer_begin|hooks_\w+|put|say)$'
"$WSNTOP" as --install "$TMP/timed" avr- --timed "--except=$QUIET"
"$WSNTOP" as --install "$TMP/count" avr- --count "--except=$QUIET"

# built NAME CHIP AS FLAGS...: $TMP/NAME.elf of $SOURCES, its hooks from $TMP/AS; none: plain
built() {
	local name=$1 chip=$2 hooks=$3 object b=() objects=()
	shift 3
	[ -z "$hooks" ] || b=(-B "$TMP/$hooks")
	mkdir -p "$TMP/o.$name"
	for f in "${SOURCES[@]}" target-avr/all/*; do
		object=$TMP/o.$name/${f##*/}.o
		objects+=("$object")
		case $f in target-avr/*) b=() opt=-Os ;; *) opt= ;; esac
		if [ -z "$hooks" ] && [ -n "$opt" ]; then	# the runtime is the same with hooks in the program
			cp "$TMP/o.${name%-plain}/${f##*/}.o" "$object"
			continue
		fi
		case $f in *.cc) cc=(avr-g++ -std=gnu++11 -fno-exceptions -fno-rtti -fno-threadsafe-statics) ;; *) cc=(avr-gcc -std=gnu99) ;; esac
		"${cc[@]}" -mmcu=$chip -w -ggdb -gdwarf-2 -DF_CPU=8000000UL -DWSNPROF_AS=1 "$@" -fno-ipa-ra $opt \
			-ffunction-sections -fdata-sections -I"$INCLUDE" -Isim/workload -Itarget-common -Itarget-avr "${b[@]}" \
			$([ -z "$opt" ] || echo -fno-lto) -c -o "$object" $f
	done
	[ -z "$hooks" ] || b=(-B "$TMP/$hooks")
	avr-g++ -mmcu=$chip "$@" -fno-ipa-ra "${b[@]}" -Wl,--gc-sections $LINK -o "$TMP/$name.elf" "${objects[@]}"
}

# tried NAME CHIP AS FLAGS...: with hooks, and as it is
tried() {
	local name=$1
	CHIP=$2
	built $name $2 $3 "${@:4}"
	simulate $name
	built $name-plain $2 "" "${@:4}"
	simulate $name-plain --like="$TMP/$name.elf"
	"$WSNTOP" -B -p "file:$TMP/$name.bin" -e "$TMP/$name.elf" -x "json:$TMP/$name.json" >"$TMP/$name.out" 2>&1
	runs+=($name)
}

runs=()
quick=(-DWORKLOAD_FIB=12 -DWORKLOAD_CRC_KB=2 -DWORKLOAD_STORM=200 -DWORKLOAD_JUMPS=6)
all="RUN(crc) RUN(fib) RUN(net) RUN(storm) RUN(deep) RUN(jump) RUN(pointer) RUN(tail) RUN(copy) RUN(mutual)"
small="RUN(crc) RUN(fib) RUN(storm) RUN(deep) RUN(jump) RUN(pointer)"
SOURCES=(sim/workload/*.c sim/workload/avr/*.c) INCLUDE=sim/workload/avr LINK=-Wl,--wrap=memcpy,--wrap=memset,--wrap=memmove
suite=("${quick[@]}" -DWSNPROF_SITES=256 -DWSNPROF_STACK=96 "-DWORKLOAD_RUN=$all")
calls=-fno-optimize-sibling-calls
for level in Os $(long O0 O1 O2); do
	tried suite-$level atmega1284p timed "${suite[@]}" -$level $calls
done
long_only tried suite-O3 atmega1284p timed "${suite[@]}" -UWSNPROF_SITES -DWSNPROF_SITES=512 -O3 $calls	# the loops are unrolled
long_only tried tails-Os atmega1284p timed "${suite[@]}" -Os
tried tails-O3 atmega1284p timed "${suite[@]}" -UWSNPROF_SITES -DWSNPROF_SITES=512 -O3
LINK= tried lto-Os atmega1284p timed "${suite[@]}" "-DWORKLOAD_RUN=${all/RUN(copy)/}" -Os -flto $calls -fno-ipa-cp
long_only tried relax-Os atmega1284p timed "${suite[@]}" -Os -mrelax $calls
tried wide-Os atmega2560 timed "${suite[@]}" -Os $calls
long_only tried rfa-O2 atmega128rfa1 timed "${suite[@]}" -O2 $calls
long_only tried totals-Os atmega1284p timed "${suite[@]}" -DWSNPROF_LEVEL=1 -Os $calls
long_only tried buckets-Os atmega1284p timed "${suite[@]}" -DWSNPROF_LEVEL=3 -Os $calls
long_only tried slow-Os atmega1284p timed "${suite[@]}" -DWSNPROF_PRESCALE=8 -Os $calls
long_only tried small-Os atmega328p timed "${quick[@]}" -DWSNPROF_SITES=32 -DWSNPROF_STACK=40 -DWORKLOAD_DEEP=24 -Os $calls \
	"-DWORKLOAD_RUN=$small"
tried full-Os atmega328p timed "${quick[@]}" -DWSNPROF_SITES=32 -DWSNPROF_STACK=12 -Os $calls "-DWORKLOAD_RUN=RUN(deep) RUN(full)"
counted="RUN(crc) RUN(fib) RUN(net) RUN(storm) RUN(pointer) RUN(tail) RUN(copy) RUN(mutual)"
for chip in atmega2560 $(long atmega1284p); do
	tried counted-$chip $chip count "${quick[@]}" -DWSNPROF_LEVEL=0 -DWSNPROF_SITES=256 "-DWORKLOAD_RUN=$counted" -O2
done

SOURCES=(tests/sim/filter/{features.c,features.cc,say.c,hand.S} tests/sim/timed/shapes.c tests/sim/hooks/{common,main}.c)
INCLUDE=tests/sim/hooks LINK=-lm
for level in O2 $(long O0 Os O3); do
	tried features-$level atmega1284p timed -DWSNPROF_SITES=256 -DWSNPROF_STACK=64 -$level
done
long_only tried features-lto atmega1284p timed -DWSNPROF_SITES=256 -DWSNPROF_STACK=64 -Os -flto
for level in O2 $(long O0); do
	tried counted-features-$level atmega1284p count -DWSNPROF_LEVEL=0 -DWSNPROF_SITES=512 -$level
done
long_only tried counted-features-lto atmega1284p count -DWSNPROF_LEVEL=0 -DWSNPROF_SITES=512 -Os -flto

# Sections of functions that were not chosen: byte for byte.
"$WSNTOP" as --install "$TMP/only" avr- --timed '--only=^pointer_turn$'
for b in "" "-B $TMP/only"; do
	avr-gcc -mmcu=atmega1284p -w -Os -std=gnu99 -fno-ipa-ra -ffunction-sections $b -Isim/workload -Isim/workload/avr -Itarget-common \
		-Itarget-avr -DF_CPU=8000000UL -c -o "$TMP/one${b:+d}.o" sim/workload/pointer.c
	avr-objdump -dr "$TMP/one${b:+d}.o" | sed '1,3d' | awk '/section/ { f = /pointer_turn/ } !f' >"$TMP/one${b:+d}"
done
cmp "$TMP/one" "$TMP/oned" && [ -s "$TMP/one" ] || { echo "FAILED: another function was changed"; exit 1; }
avr-objdump -dr "$TMP/oned.o" | grep -q wsnprof_timed_enter || { echo "FAILED: pointer_turn has no hook"; exit 1; }

python3 tests/sim/timed.py "$TMP" "${runs[@]}"
