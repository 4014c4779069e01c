#!/bin/bash
# `wsntop doctor` as a command: what it prints about real firmware with the real runtime, in which columns, and how
# it ends. What it finds in faulty firmware: tests/unit/test_doctor.c.
# Sanitized: long: the doctor has a fuzzer; most of its seconds are the compilers'.
. "$(dirname "$0")/lib.sh"
need_tools avr-gcc arm-none-eabi-gcc make

doctor() {	# expected status, arguments...
	local expected=$1
	shift
	"$WSNTOP" doctor "$@" >"$work/out" 2>"$work/err"
	local status=$?
	[ $status = "$expected" ] || fail "doctor $*: status $status, not $expected: $(cat "$work/out" "$work/err")"
}
says() {	# pattern...
	local p
	for p in "$@"; do
		tr -s ' \n' ' ' <"$work/out" | grep -q -- "$p" || fail "not said: $p: $(cat "$work/out")"
	done
}
silent() {	# pattern
	! tr -s ' \n' ' ' <"$work/out" | grep -q -- "$1" || fail "said: $1: $(cat "$work/out")"
}

make -s -C "$root/examples/avr-bare" O="$work/avr" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
make -s -C "$root/examples/cortexm-bare" O="$work/arm" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
make -s -C "$root/examples/cortexm-bare" O="$work/arm" PROFILE=arcs >"$work/log" 2>&1 || fail "$(cat "$work/log")"

# A sound image.
doctor 0 -e "$work/avr/avr-bare.elf"
[ "$(head -n 1 "$work/out")" = "$work/avr/avr-bare.elf: avr, atmega1284p" ] || fail "$(head -n 1 "$work/out")"
says 'ok 10 of [0-9]* functions are instrumented' 'ok the wsnprof runtime is linked in' 'all 10 that are instrumented' \
	'warning 1 interrupt handler is instrumented: .* takes about 280 cycles more per interrupt .*: __vector_16' 'RAM: wsnprof takes [0-9,]* of the [0-9,]* bytes' \
	'flash: the runtime takes [0-9,]* of [0-9,]* bytes' 'own hooks: .*tick_due'
[ "$(grep -c '^warning' "$work/out")" = 1 ] || fail "more than the handler is warned of: $(cat "$work/out")"
silent 'fault'

# Every line is a finding, or goes on with one; none is wider than a terminal.
sed 1d "$work/out" | grep -vE '^(ok      |note    |warning |fault   |        ) [^ ]' && fail "an odd line"
awk 'NR > 1 && length > 80' "$work/out" | grep . && fail "a line of more than 80 columns"
grep -q $'\033' "$work/out" && fail "colours into a file"

# The sizes that it tells are the linker's, though assembly gives many none: from a symbol to the next one, or as
# the symbol itself says. All the runtime's together: what lies between the first and the last, others' taken out.
avr-nm -n -S "$work/avr/avr-bare.elf" >"$work/nm"
tr -s ' \n' ' ' <"$work/out" | sed -E ':again; s/([0-9]),([0-9]{3})/\1\2/; t again' | sed 's/.*RAM: wsnprof takes \([0-9]*\) of the \([0-9]*\) bytes that are not stack: \([^:]*\) cure:.*/\1 \2 \3/' >"$work/ram"
python3 - "$work/nm" "$work/ram" <<'END' || fail "RAM: $(cat "$work/ram" "$work/nm")"
import re, sys
symbols = []
for line in open(sys.argv[1]):
    *numbers, kind, name = line.split()
    if kind in 'bBdD' and int(numbers[0], 16) < 0x810000:
        symbols.append((int(numbers[0], 16), int(numbers[1], 16) if len(numbers) > 1 else 0, name))
end = dict((name, at) for at, _, name in symbols)['_end']
sizes, covered = {}, set()
for at, size, name in symbols:
    later = [a for a, _, _ in symbols if a > at]
    if name.startswith('wsnprof_'):
        sizes[name] = size or (later[0] if later else end) - at
        covered.update(range(at, at + sizes[name]))
total, used, *told = re.findall(r'wsnprof_\w+|\d+', open(sys.argv[2]).read())
assert int(total) == len(covered), (total, len(covered))
assert int(used) == end - 0x800100, (used, hex(end))
told = dict(zip(told[::2], map(int, told[1::2])))
assert len(told) == 4 and told['wsnprof_table'] == 32 * 16 and told['wsnprof_stack'] == 12 * 8, told
for name, size in told.items():
    assert size == sizes[name], (name, size, sizes[name])
END

# main instrumented: the real runtime's start-up code makes that harmless, and doctor knows it.
mkdir "$work/main"
cp "$root/examples/avr-bare/wsnprof_config.h" "$work/main"
sed 's/^WSNPROF_QUIET int main/int main/' "$root/examples/avr-bare/main.c" >"$work/main/main.c"
avr_main() {	# flags...: $work/main.elf of $work/main/main.c
	(cd "$root" && avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -ggdb -finstrument-functions "$@" \
		-finstrument-functions-exclude-file-list=avr/include -I"$work/main" -Itarget-common -Itarget-avr \
		-o "$work/main.elf" "$work/main/main.c" target-avr/all/wsnprof_all.c \
		target-avr/all/wsnprof_hooks_all.S) || fail "main.elf"
}
avr_main
doctor 0 -e "$work/main.elf"
says 'note main is instrumented, but begins before wsnprof_init(): it is not counted'
silent 'no function calls wsnprof'

# The linker's optimizer may leave nothing of their names: no false alarm.
avr_main -flto
doctor 0 -e "$work/main.elf"
silent 'no function calls wsnprof'

# Calls that were forgotten, dropped by the linker or not; a command's wsnprof_start() is none of the application's.
forget() {	# call, what doctor says...
	sed "s/$1()/0/" "$root/examples/avr-bare/main.c" >"$work/main/main.c"
	shift
	for flags in -Wl,--no-gc-sections "-ffunction-sections -Wl,--gc-sections" -DWSNPROF_RECEIVE=1 -flto; do
		avr_main -Wno-unused-value $flags
		doctor 0 -e "$work/main.elf"
		says "$@"
	done
}
forget wsnprof_init 'warning no function calls wsnprof_init(): there is no clock'
silent 'wsnprof_start():'; silent 'wsnprof_poll():'
forget wsnprof_start 'warning no function calls wsnprof_start(): nothing is counted'
silent 'wsnprof_init():'; silent 'wsnprof_poll():'
forget wsnprof_poll 'warning no function calls wsnprof_poll(): nothing is sent'
silent 'wsnprof_init():'; silent 'wsnprof_start():'

# Settings that reach C alone, as a -D among make's CFLAGS does.
for setting in WSNPROF_LEVEL=1 WSNPROF_SITES=64 WSNPROF_STACK=8; do
	printf '#undef %s\n#define %s\n' ${setting%=*} "${setting/=/ }" >"$work/main/other.h"
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -ggdb -I"$work/main" -I"$root/target-common" \
		-I"$root/target-avr" -c -o "$work/main/hooks.o" "$root/target-avr/all/wsnprof_hooks_all.S" || fail hooks.o
	cat "$work/main/wsnprof_config.h" "$work/main/other.h" >"$work/main/settings.h"
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -ggdb -finstrument-functions -I"$work/main" \
		-I"$root/target-common" -I"$root/target-avr" -DWSNPROF_CONFIG='"settings.h"' -o "$work/main.elf" \
		"$root/examples/avr-bare/main.c" "$root/target-avr/all/wsnprof_all.c" "$work/main/hooks.o" || fail main.elf
	doctor 1 -e "$work/main.elf"
	says "fault the runtime's C and its assembly were compiled with different settings"
done

# An application's file may have the runtime's prefix.
cat >"$work/main/wsnprof_process.c" <<'END'
#include "wsnprof.h"
void begin(void) { wsnprof_init(); wsnprof_start(); }
void step(void) { wsnprof_poll(); }
END
sed 's/wsnprof_init();.*/begin();/; s/wsnprof_start();//; s/&& !wsnprof_poll())/) step();/;
	1i void begin(void);\nvoid step(void);' "$root/examples/avr-bare/main.c" >"$work/main/main.c"
avr_main "$work/main/wsnprof_process.c"
doctor 0 -e "$work/main.elf"
silent 'no function calls wsnprof'

# Link-time optimization inlines them, and without -g of the runtime nothing tells where: no alarm.
mkdir "$work/lto"
flags="-mcpu=cortex-m3 -mthumb -std=gnu99 -O2 -flto -I$root/examples/cortexm-bare -I$root/target-common"
for file in examples/cortexm-bare/main.c examples/cortexm-bare/port.c target-cortexm/all/wsnprof_all.c; do
	case $file in *main.c) set -- -g -finstrument-functions ;; *) set -- ;; esac
	arm-none-eabi-gcc $flags "$@" -I"$root/target-cortexm" -c -o "$work/lto/$(basename $file).o" "$root/$file" ||
		fail "$file"
done
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -O2 -flto -nostartfiles --specs=nano.specs -Wl,--gc-sections \
	-Wl,--no-warn-rwx-segments -L"$root/examples/cortexm-bare" -T mps2.ld -o "$work/lto.elf" "$work"/lto/*.o \
	"$work"/arm/timed/{start.c,wsnprof_hooks_all.S}.o || fail "lto.elf"
doctor 0 -e "$work/lto.elf"
silent 'no function calls wsnprof'

doctor 0 -e "$work/arm/timed.elf"
says 'ok 10 of [0-9]* functions are instrumented (-finstrument-functions)' 'a build-id is in flash' 'wsnprof_sites 2,048'
silent 'warning'
doctor 0 -e "$work/arm/arcs.elf"
says '(-pg)' 'hooks take [0-9,]* bytes, 6 a function'
silent 'sibling'; silent 'warning'

# Hooks of `wsntop as`: each way in and out is seen, handlers too; cures are its options; nothing is called naked.
mkdir "$work/empty"
: >"$work/empty/wsnprof_config.h"
for use in timed count; do
	level=$([ $use = timed ] && echo 2 || echo 0)
	"$WSNTOP" as --install "$work/as-$use" avr- --$use '--except=^main$'
	"$WSNTOP" as --install "$work/arm-$use" arm-none-eabi- --$use '--except=^main$'
	cat >"$work/hooked.c" <<'END'
#include "wsnprof.h"
volatile int sum;
__attribute__((noinline)) int leaf(int x) { return sum += x; }
__attribute__((noinline)) int tail(int x) { sum++; return leaf(x + 1); }
__attribute__((noinline)) int early(int x) { if (x & 1) return 0; leaf(x); return leaf(x + 2) + tail(x); }
#ifdef __AVR__
#include <avr/interrupt.h>
ISR(TIMER0_COMPA_vect) { sum++; }
#else
void wsnprof_kick(void) { }
#endif
int main(void) { wsnprof_init(); wsnprof_start(); for (;;) { early(sum); wsnprof_poll(); while (wsnprof_take() >= 0); } }
END
	for chip in atmega1284p atmega2560; do
		avr-gcc -mmcu=$chip -DF_CPU=8000000UL -std=gnu99 -Os -ggdb -gdwarf-2 -I"$work/empty" -DWSNPROF_AS=1 -DWSNPROF_LEVEL=$level -I"$root/target-common" \
			-I"$root/target-avr" -B "$work/as-$use" -o "$work/hooked.elf" "$work/hooked.c" \
			"$root"/target-avr/all/* || fail "hooked.elf"
		doctor 0 -e "$work/hooked.elf"
		says 'ok 4 of [0-9]* functions are instrumented (wsntop as)' '1 interrupt handler is instrumented: .*--no-handlers'
		silent naked; silent finstrument; silent 280
		# entry 4, of 22 bits 8, each ret 4; a tail call 4; leaf, tail, early, the handler
		case $use-$chip in
		timed-atmega1284p) says 'hooks take 32 bytes, 8 a function' ;;
		timed-atmega2560) says 'hooks take 44 bytes, 11 a function' ;;
		count-atmega1284p) says 'hooks take 16 bytes, 4 a function' ;;
		count-atmega2560) says 'hooks take 28 bytes, 7 a function' ;;
		esac
	done
	for core in m3 m0; do
		arm-none-eabi-gcc -mcpu=cortex-$core -mthumb -std=gnu99 -Os -g -nostartfiles --specs=nano.specs -I"$work/empty" -DWSNPROF_AS=1 -DWSNPROF_LEVEL=$level \
			-DWSNPROF_CLOCK_SYSTICK=1 -DWSNPROF_CLOCK_HZ=8000000UL -I"$root/target-common" \
			-I"$root/target-cortexm" -Wl,-e,main -Wl,--no-warn-rwx-segments \
			-B "$work/arm-$use" -o "$work/hooked.elf" "$work/hooked.c" "$root"/target-cortexm/all/* || fail "hooked.elf, $core"
		"$WSNTOP" doctor -e "$work/hooked.elf" >"$work/out" || true
		says 'ok 3 of [0-9]* functions are instrumented (wsntop as)'	# not wsnprof_kick
		silent naked; silent finstrument
		# entry 8 or 6, exit and tail call 4
		case $use-$core in
		timed-m3) says 'hooks take 36 bytes, 12 a function' ;;
		timed-m0) says 'hooks take 30 bytes, 10 a function' ;;
		count-m3) says 'hooks take 24 bytes, 8 a function' ;;
		count-m0) says 'hooks take 18 bytes, 6 a function' ;;
		esac
	done
done

# The runtime measures its hooks by calling them, in whichever function the inliner leaves that.
make -s -C "$root/examples/cortexm-bare" O="$work/arm0" CC="arm-none-eabi-gcc -fno-inline" >"$work/log" 2>&1 || fail "$(cat "$work/log")"
doctor 0 -e "$work/arm0/timed.elf"
says 'the wsnprof runtime is linked in'
silent 'warning'

# SysTick as the clock, with its handler and without; a sampler would read it often, too.
mkdir "$work/systick"
cp "$root"/examples/cortexm-bare/* "$work/systick"
sed -i '/WSNPROF_PCS/d' "$work/systick/wsnprof_config.h"
sed -i '/wsnprof_sample_irq/d' "$work/systick/start.c"
systick() { make -s -C "$work/systick" WSNPROF="$root" O="$work/systick" CC="arm-none-eabi-gcc -DWSNPROF_CLOCK_SYSTICK=1"; }
systick >"$work/log" 2>&1 || fail "$(cat "$work/log")"
doctor 0 -e "$work/systick/timed.elf"
silent 'warning'
sed -i '/wsnprof_clock_tick();/d' "$work/systick/main.c"
systick >"$work/log" 2>&1 || fail "$(cat "$work/log")"
doctor 0 -e "$work/systick/timed.elf"
says "warning SysTick is the profiler's clock, and nothing calls wsnprof_clock_tick()"

# Stripped, and two images at once: the worse decides.
cp "$work/avr/avr-bare.elf" "$work/bare.elf"
avr-strip "$work/bare.elf"
doctor 1 -e "$work/bare.elf"
says 'fault no symbols'
doctor 1 -e "$work/avr/avr-bare.elf" --elf="$work/bare.elf"
[ "$(grep -c ': avr' "$work/out")" = 2 ] || fail "one of two images is missing"

# Not images, and bad usage.
doctor 1 -e "$work/nothing.elf"
[ "$(cat "$work/err")" = "wsntop: $work/nothing.elf: No such file or directory" ] || fail "$(cat "$work/err")"
doctor 1 -e "$0"
grep -q 'not an ELF file' "$work/err" || fail "$(cat "$work/err")"
doctor 2
doctor 2 -e
doctor 2 -e "$work/avr/avr-bare.elf" -x
doctor 2 "$work/avr/avr-bare.elf"
[ ! -s "$work/out" ] || fail "bad usage, and yet something was examined"
doctor 0 --help
says 'usage: wsntop doctor'
awk 'length > 80' "$work/out" | grep . && fail "the help is wider than 80 columns"
echo "ok: doctor"
