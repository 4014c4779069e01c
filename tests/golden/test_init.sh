#!/bin/bash
# `wsntop init`: the runtime in bare firmware trees, built by the lines that it prints, run in the simulators, seen by
# wsntop; settings by the image; nothing is overwritten; each RTOS's layout is complete.
# Sanitized: long
. "$(dirname "$0")/lib.sh"
need_tools avr-gcc arm-none-eabi-gcc cmake make qemu-system-arm
NODE=$root/build/sim/avrnode
[ -x "$NODE" ] || skip "no simulated node: make sim"

init() {	# expected status, arguments...
	local expected=$1
	shift
	"$WSNTOP" init "$@" >"$work/out" 2>"$work/err"
	local status=$?
	[ $status = "$expected" ] || fail "init $*: status $status, not $expected: $(cat "$work/out" "$work/err")"
}
says() {	# file, pattern...
	local f=$1 p
	shift
	for p in "$@"; do
		grep -q -- "$p" "$f" || fail "not said: $p: $(cat "$f")"
	done
}
# The printed lines for make, with the names of this program's files and without the one that a `$^` needs.
makefile_lines() {
	sed -n '/^    Makefile/,/^    or CMakeLists/s/^        //p' "$work/out"
}
cmake_lines() {
	sed -n '/^    or CMakeLists/,/^    main()/s/^        //p' "$work/out"
}
run_cmake() {	# folder, compiler, flags
	cmake -S "$1" -B "$1/build" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
		-DCMAKE_C_COMPILER="$2" -DCMAKE_ASM_COMPILER="$2" -DCMAKE_C_FLAGS="$3" -DCMAKE_ASM_FLAGS="$3" >"$work/log" 2>&1 &&
		cmake --build "$1/build" >>"$work/log" 2>&1 || fail "cmake: $(cat "$work/log")"
}
run_make() {	# folder, arguments...
	make -s -C "$@" >"$work/log" 2>&1 || fail "make $*: $(cat "$work/log")"
}

# --- AVR ----------------------------------------------------------------------------------------

avr=$work/avr
mkdir "$avr"
cat >"$avr/main.c" <<'C'
#include <avr/interrupt.h>
#include <avr/io.h>
#include <stdint.h>
#ifdef PROFILED
#include "wsnprof.h"
#include "wsnprof_uart.h"
#else
#define WSNPROF_QUIET
#endif
volatile uint16_t sink;
static uint16_t __attribute__((noinline)) mix(uint16_t v) { return (uint16_t)(v << 1 ^ v >> 3); }
static void __attribute__((noinline)) work(void) { for (uint8_t i = 0; i < 10; i++) sink = mix(sink + i); }
WSNPROF_QUIET int main(void)
{
	TCCR1A = 0;		/* timer 1 is in use */
	TCCR1B = _BV(CS12);
#ifdef PROFILED
	wsnprof_uart_init(); wsnprof_init(); wsnprof_start(); sei();
#endif
	for (;;) {
		work();
#ifdef PROFILED
		wsnprof_poll();
#endif
	}
}
C
cat >"$avr/Makefile" <<'M'
CC := avr-gcc
CFLAGS := -mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Werror -ggdb $(if $(PLAIN),,-DPROFILED)
app.elf: main.o
	$(CC) $(CFLAGS) -o $@ $^
M
run_make "$avr" PLAIN=1
mv "$avr/app.elf" "$work/plain.elf"
rm "$avr/main.o"
init 0 "$avr" -e "$work/plain.elf"
says "$work/out" 'WSNPROF_TIMER 3: the firmware writes timer 1' 'WSNPROF_SITES [0-9]*: [0-9]* places call functions, 16[0-9]* bytes of RAM are free'
grep -qx '#define WSNPROF_TIMER 3' "$avr/wsnprof/wsnprof_config.h" || fail "$(cat "$avr/wsnprof/wsnprof_config.h")"
[ "$(makefile_lines | wc -l)" = 3 ] || fail "lines for make: $(cat "$work/out")"
makefile_lines >>"$avr/Makefile"
run_make "$avr"
timeout 300 "$NODE" --fast --seconds=6 --mcu=atmega1284p --frequency=8000000 --uart="$work/avr.bin" "$avr/app.elf" \
	>"$work/log" 2>&1 || fail "simavr: $(cat "$work/log")"
"$WSNTOP" -B -p "file:$work/avr.bin" -e "$avr/app.elf" -f wsn --speed=max -x "json:$work/avr.json" 2>"$work/log" ||
	fail "wsntop: $(cat "$work/log")"
python3 - "$work/avr.json" <<'END' || fail "AVR: $(cat "$work/log")"
import json, sys
calls = {f["name"]: f["calls"] for f in json.load(open(sys.argv[1]))["functions"]}
assert calls["work"] > 1000 and abs(calls["mix"] - 10 * calls["work"]) <= calls["mix"] / 2, calls
END
"$WSNTOP" doctor -e "$avr/app.elf" >"$work/log" || fail "doctor: $(cat "$work/log")"

# The same by CMake: as many functions have hooks.
hooked() {	# image
	"$WSNTOP" doctor -e "$1" | grep -o 'ok *[0-9]* of [0-9]* functions are instrumented' || fail "no hooks in $1"
}
cat >"$avr/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.13)
project(app C ASM)
add_executable(app.elf main.c)
C
cmake_lines >>"$avr/CMakeLists.txt"
run_cmake "$avr" avr-gcc "-mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Werror -ggdb -DPROFILED"
[ "$(hooked "$avr/build/app.elf")" = "$(hooked "$avr/app.elf")" ] || fail "by CMake: $(hooked "$avr/build/app.elf")"

# Once more: all is there. A file that differs is named, and nothing is written, not even what is missing.
init 0 "$avr" -e "$work/plain.elf"
says "$work/out" ': 0 files written'
echo '/* mine */' >>"$avr/wsnprof/wsnprof_config.h"
rm "$avr/wsnprof/target-avr/wsnprof_rows.c"
ln -s nowhere "$avr/wsnprof/target-avr/wsnprof_new" && rm "$avr/wsnprof/target-common/wsnprof_ring.c"
ln -s nowhere "$avr/wsnprof/target-common/wsnprof_ring.c"
init 1 "$avr" -e "$work/plain.elf"
says "$work/err" 'wsnprof/wsnprof_config.h: exists and differs' 'wsnprof/target-common/wsnprof_ring.c: exists and differs'
[ "$(wc -l <"$work/err")" = 2 ] || fail "more is named: $(cat "$work/err")"
[ ! -e "$avr/wsnprof/target-avr/wsnprof_rows.c" ] && [ ! -e "$avr/wsnprof/target-common/nowhere" ] || fail "written all the same"
tail -n 1 "$avr/wsnprof/wsnprof_config.h" | grep -qx '/\* mine \*/' || fail "the user's file was changed"

# --- Cortex-M -----------------------------------------------------------------------------------

arm=$work/arm
mkdir "$arm"
cp "$root"/examples/cortexm-bare/{main.c,port.c,port.h,start.c,mps2.h,mps2.ld} "$arm"
cat >"$arm/Makefile" <<'M'
CC := arm-none-eabi-gcc
CFLAGS := -mcpu=cortex-m3 -mthumb -std=gnu99 -Os -Wall -Werror -ffunction-sections -I.
app.elf: main.o port.o start.o
	$(CC) $(CFLAGS) -nostartfiles --specs=nano.specs -Wl,--gc-sections -Wl,--no-warn-rwx-segments -T mps2.ld -o $@ $^
M
init 0 "$arm" --chip=cortexm
says "$work/out" 'fill in WSNPROF_CLOCK_HZ'
makefile_lines >>"$arm/Makefile"
if make -s -C "$arm" >"$work/log" 2>&1; then fail "built without a clock"; fi
says "$work/log" 'WSNPROF_CLOCK_HZ: the core.s clock in Hz'
rm -r "$arm/wsnprof"
init 0 "$arm" --chip=cortexm --clock=25000000
run_make "$arm"
cat >"$arm/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.13)
project(app C ASM)
add_executable(app.elf main.c port.c start.c)
target_link_options(app.elf PRIVATE -nostartfiles --specs=nano.specs -Wl,--gc-sections -Wl,--no-warn-rwx-segments
	-T ${CMAKE_CURRENT_SOURCE_DIR}/mps2.ld)
C
cmake_lines >>"$arm/CMakeLists.txt"
run_cmake "$arm" arm-none-eabi-gcc "-mcpu=cortex-m3 -mthumb -std=gnu99 -Os -Wall -Werror -ffunction-sections -g"
[ "$(hooked "$arm/build/app.elf")" = "$(hooked "$arm/app.elf")" ] || fail "by CMake: $(hooked "$arm/build/app.elf")"

qemu-system-arm -M mps2-an385 -display none -monitor none -serial "file:$work/arm.bin" -icount shift=5,sleep=off \
	-kernel "$arm/app.elf" </dev/null 2>/dev/null &
node=$!
trap 'kill $node 2>/dev/null; rm -rf "$work"' EXIT
hung=$((SECONDS + 300))
until [ "$(stat -c %s "$work/arm.bin" 2>/dev/null || echo 0)" -ge 3000 ]; do
	[ $SECONDS -lt $hung ] || fail "watchdog: hung for 5 minutes"
	kill -0 $node 2>/dev/null || fail "QEMU ended"
	sleep 0.05
done
kill $node
wait $node 2>/dev/null
"$WSNTOP" -B -p "file:$work/arm.bin" -e "$arm/app.elf" -f wsn --speed=max -x "json:$work/arm.json" 2>"$work/log" ||
	fail "wsntop: $(cat "$work/log")"
python3 - "$work/arm.json" <<'END' || fail "Cortex-M: $(cat "$work/log")"
import json, sys
calls = {f["name"]: f["calls"] for f in json.load(open(sys.argv[1]))["functions"]}
assert calls["tick"] > 50 and calls["sense"] > 50 and calls["crc_step"] > calls["checksum"] > 0, calls
END
# By the image: what it is, how much it calls. (It has no SystemCoreClock.) One that has, and is not at 0:
init 0 "$(mktemp -d -p "$work")" -e "$arm/app.elf" --clock=25000000
says "$work/out" 'WSNPROF_SITES [0-9]*: [0-9]* places call functions'
printf 'unsigned SystemCoreClock = 64000000; int main(void) { for (;;) SystemCoreClock += 0; }\n' >"$work/clock.c"
arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -g -nostdlib -Wl,-Ttext=0x08000000 -Wl,-Tdata=0x20000000 -Wl,-emain \
	-o "$work/clock.elf" "$work/clock.c" 2>"$work/log" || fail "$(cat "$work/log")"
init 0 "$(mktemp -d -p "$work")" -e "$work/clock.elf"
says "$work/out" 'WSNPROF_CLOCK_HZ 64000000: the image' 'WSNPROF_FLASH_START 0x08000000u' 'no CYCCNT'

# --- layouts ------------------------------------------------------------------------------------

layout() {	# rtos, chip, a file of it...
	local rtos=$1 chip=$2 tree f
	shift 2
	tree=$(mktemp -d -p "$work")
	init 0 "$tree" --rtos="$rtos" --chip="$chip" --clock=8000000
	for f in "$@"; do
		[ -s "$tree/$f" ] || fail "$rtos: no $f: $(cd "$tree" && find . -type f)"
	done
	find "$tree" -type f -perm /111 | grep . && fail "$rtos: a file is executable"
	last=$tree
}
layout none avr wsnprof/target-avr/all/wsnprof_all.c wsnprof/target-common/wrap/wsnprof_wrap.txt
layout freertos cortexm wsnprof/freertos_trace.c wsnprof/target-cortexm/CMakeLists.txt wsnprof/wsnprof_config.h
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -Wall -Werror -I"$last/wsnprof" -I"$last/wsnprof/target-common" \
	-I"$last/wsnprof/target-cortexm" -c -o "$work/x.o" "$last/wsnprof/freertos_trace.c" || fail "freertos: no build"
layout zephyr cortexm wsnprof/zephyr/module.yml wsnprof/zephyr/CMakeLists.txt wsnprof/target-cortexm/all/wsnprof_all.c
layout contiki avr wsnprof_process.c wsnprof_config.h wsnprof/target-avr/all/wsnprof_hooks_all.S
layout contiki cortexm wsnprof_process.c wsnprof/target-cortexm/all/wsnprof_hooks_all.S
# A RIOT module names two files of the runtime; its own is compiled with what RIOT has of these names.
mkdir -p "$work/riot/periph"
cat >"$work/riot/sched.h" <<'C'
#include <stdint.h>
typedef int16_t kernel_pid_t;
enum { KERNEL_PID_UNDEF, KERNEL_PID_LAST = 32, THREAD_STACKSIZE_DEFAULT = 512, STDIO_UART_DEV = 0, ZTIMER_USEC = 0 };
#define UART_NUMOF 1u
#define UART_DEV(i) ((int)(i))
void sched_register_cb(void (*)(kernel_pid_t, kernel_pid_t));
kernel_pid_t thread_create(char *, int, uint8_t, int, void *(*)(void *), void *, const char *);
int uart_init(int, uint32_t, void (*)(void *, uint8_t), void *);
void uart_write(int, const uint8_t *, unsigned);
void ztimer_sleep(int, uint32_t);
uint32_t ztimer_now(int);
C
touch "$work"/riot/{stdio_uart,thread,ztimer,periph/uart}.h
riot() {	# compiler and flags...
	local dir=$last/modules/wsnprof
	for f in "$dir"/wsnprof_riot.c "$dir"/target-{avr,cortexm}/all/*; do
		[ ! -f "$f" ] || "$@" -Os -Wall -Werror -I"$work/riot" -I"$dir" -I"$dir/target-common" -I"$dir/target-avr" -I"$dir/target-cortexm" \
			-c -o "$work/x.o" "$f" || fail "riot: $f"
	done
}
layout riot cortexm modules/wsnprof/Makefile modules/wsnprof/Makefile.include modules/wsnprof/wsnprof_config.h
riot arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
layout riot avr modules/wsnprof/target-avr/all/wsnprof_all.c
grep -qx '#define WSNPROF_TIMER 3' "$last/modules/wsnprof/wsnprof_config.h" || fail "riot: timer 1 is ztimer's"
riot avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL
# An Arduino library as examples/arduino/pack makes it, but for the settings and the licence.
layout arduino avr libraries/wsnprof/library.properties libraries/wsnprof/src/wsnprof_config.h
"$root/examples/arduino/pack" "$work/packed"
diff -r -x LICENSE -x wsnprof_config.h "$work/packed/wsnprof" "$last/libraries/wsnprof" || fail "not as pack makes it"
for f in "$last"/libraries/wsnprof/src/*.[cS]; do
	avr-gcc -mmcu=atmega328p -DF_CPU=16000000L -Os -I"$last/libraries/wsnprof/src" -c -o "$work/x.o" "$f" 2>"$work/log" ||
		{ case $f in *wsnprof_arduino*) ;; *) fail "arduino: $f: $(cat "$work/log")" ;; esac; }
done

# --- usage --------------------------------------------------------------------------------------

init 2; says "$work/err" "folder of the firmware is missing; wsntop help init"
init 2 "$work/avr"
says "$work/err" 'which chip: give -e APP.ELF'
init 2 "$work/avr" --rtos=mbed
says "$work/err" 'none, freertos, zephyr, contiki, riot or arduino'
init 2 "$work/avr" --chip=avr --rtos=zephyr
init 2 "$work/avr" --chip=cortexm -e "$work/plain.elf"
init 2 "$work/avr" --chip=avr --clock=fast
init 2 "$work/plain.elf" --chip=avr
init 1 "$work/nowhere" --chip=avr
init 1 "$work/avr" -e "$work/avr.bin"
init 0 --help
echo "ok: trees of both chips run by the printed lines; six layouts; nothing is overwritten"
