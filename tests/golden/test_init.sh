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
	sed -n '/^    or CMakeLists/,/^    [a-z]*()\|^    modules/s/^        //p' "$work/out"
}
run_cmake() {	# folder, compiler, flags, further arguments...
	cmake -S "$1" -B "$1/build" -DCMAKE_SYSTEM_NAME=Generic -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
		-DCMAKE_C_COMPILER="$2" -DCMAKE_C_FLAGS="$3" "${@:4}" >"$work/log" 2>&1 &&
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
project(app C)
add_executable(app.elf main.c)
C
cmake_lines >>"$avr/CMakeLists.txt"
run_cmake "$avr" avr-gcc "-mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Werror -ggdb -DPROFILED" \
	"-DCMAKE_ASM_FLAGS=-mmcu=atmega1284p -DF_CPU=8000000UL"
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
project(app C)
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

# A library's DWARF does not tell what the program's functions are, where these have none.
printf 'int first(void) { __asm__(""); return 1; }\n' >"$work/library.c"
printf 'int first(void); int second(void) { __asm__(""); return 1; } int main(void) { for (;;) first(), second(), second(); }\n' \
	>"$work/program.c"
for debug in -g -g0; do
	arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -g -c -o "$work/library.o" "$work/library.c" &&
		arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb $debug -nostdlib -Wl,-Ttext=0x1000 -Wl,-emain -o "$work/program.elf" \
		"$work/program.c" "$work/library.o" || fail "no build"
	init 0 "$(mktemp -d -p "$work")" -e "$work/program.elf" --clock=1
	says "$work/out" 'WSNPROF_SITES 8: 3 places call functions'
done

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
# FreeRTOS: its two files are compiled with what they have of the kernel, by the printed lines for make and for CMake (a
# kernel that is a library of its own reads freertos_trace.h, too).
mkdir "$work/freertos"
cat >"$work/freertos/FreeRTOS.h" <<'C'
#include <stdint.h>
#include "FreeRTOSConfig.h"
typedef uint32_t TickType_t;
typedef long BaseType_t;
typedef uint32_t StackType_t;
typedef struct { int none; } StaticTask_t;
typedef void *TaskHandle_t;
#ifndef configSUPPORT_DYNAMIC_ALLOCATION
#define configSUPPORT_DYNAMIC_ALLOCATION 1
#endif
#define configASSERT(x)
#define pdPASS 1
#define pdMS_TO_TICKS(ms) ((TickType_t)(ms) * configTICK_RATE_HZ / 1000)
C
cat >"$work/freertos/task.h" <<'C'
#define tskIDLE_PRIORITY 0u
BaseType_t xTaskCreate(void (*)(void *), const char *, uint16_t, void *, unsigned, TaskHandle_t *);
TaskHandle_t xTaskCreateStatic(void (*)(void *), const char *, uint32_t, void *, unsigned, StackType_t *, StaticTask_t *);
void vTaskDelay(TickType_t);
C
cat >"$work/freertos/FreeRTOSConfig.h" <<'C'
#define configTICK_RATE_HZ 60
#define configMINIMAL_STACK_SIZE 85
#include "freertos_trace.h"
C
printf '#include "FreeRTOS.h"\n#include "task.h"\n#include "wsnprof_freertos.h"\nint main(void) { wsnprof_freertos_start(); }\n' \
	>"$work/freertos/main.c"
printf '#include "FreeRTOS.h"\n#ifndef traceTASK_SWITCHED_IN\n#error "tasks have no shadow stacks"\n#endif\n' \
	>"$work/freertos/tasks.c"
layout freertos cortexm wsnprof/freertos_trace.c wsnprof/target-cortexm/CMakeLists.txt wsnprof/wsnprof_config.h
says "$work/out" 'WSNPROF_TASKS_MAX 8' 'wsnprof_flash_end = .;' 'wsnprof/target-cortexm/README.md, step 5' 'void wsnprof_kick(void)'
[ -s "$last/wsnprof/target-cortexm/README.md" ] || fail "freertos: the text names a README that is not there"
cp "$work"/freertos/* "$last"
echo 'CC := arm-none-eabi-gcc
CFLAGS := -mcpu=cortex-m3 -mthumb -Os -Wall -Werror -I.
app.elf: main.o tasks.o
	$(CC) $(CFLAGS) -r -nostdlib -o $@ $^' >"$last/Makefile"
makefile_lines >>"$last/Makefile"
run_make "$last"
echo 'cmake_minimum_required(VERSION 3.13)
project(app C)
add_library(freertos_config INTERFACE)
target_include_directories(freertos_config INTERFACE ${CMAKE_CURRENT_SOURCE_DIR})
add_library(freertos_kernel STATIC tasks.c)
target_link_libraries(freertos_kernel PUBLIC freertos_config)
add_executable(app.elf main.c)
target_link_libraries(app.elf PRIVATE freertos_kernel)
target_link_options(app.elf PRIVATE -r -nostdlib)' >"$last/CMakeLists.txt"
cmake_lines >>"$last/CMakeLists.txt"
run_cmake "$last" arm-none-eabi-gcc "-mcpu=cortex-m3 -mthumb -Os -Wall -Werror"
for f in "$last/app.elf" "$last/build/app.elf"; do
	for symbol in wsnprof_freertos_start wsnprof_freertos_create wsnprof_poll __cyg_profile_func_enter; do
		[ "$(arm-none-eabi-nm "$f" | grep -c " T $symbol\$")" = 1 ] || fail "freertos: $symbol in $f"
	done
done
# As many tasks as the image creates, the one that sends, and two.
printf 'void xTaskCreate(void) { __asm__(""); } int main(void) { xTaskCreate(); xTaskCreate(); xTaskCreate(); for (;;) ; }\n' >"$work/three.c"
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -nostdlib -Wl,-Ttext=0 -Wl,-emain -o "$work/three.elf" "$work/three.c" || fail "no build"
init 0 "$(mktemp -d -p "$work")" --rtos=freertos -e "$work/three.elf" --clock=1
says "$work/out" 'WSNPROF_TASKS_MAX 6: 3 places create tasks'
# Without allocation, and on AVR, where ten milliseconds are no whole tick.
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -Wall -Werror -DconfigSUPPORT_DYNAMIC_ALLOCATION=0 -I"$last" -I"$last/wsnprof" \
	-I"$last/wsnprof/target-common" -I"$last/wsnprof/target-cortexm" -c -o "$work/x.o" "$last/wsnprof/wsnprof_freertos.c" ||
	fail "freertos: no build without allocation"
layout freertos avr wsnprof/wsnprof_freertos.c
cp "$work"/freertos/*.h "$last"
for f in freertos_trace wsnprof_freertos; do
	avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -Os -Wall -Werror -I"$last" -I"$last/wsnprof" -I"$last/wsnprof/target-common" \
		-I"$last/wsnprof/target-avr" -c -o "$work/x.o" "$last/wsnprof/$f.c" || fail "freertos, AVR: no build of $f"
done
# Zephyr's module, with what it has of Zephyr: by an interrupt, by a driver that waits, by another UART than the console's.
mkdir -p "$work"/zephyr/zephyr/{drivers,sys}
touch "$work"/zephyr/zephyr/{device,devicetree,drivers/uart,sys/util_macro}.h
cat >"$work/zephyr/zephyr/kernel.h" <<'C'
#include <stdbool.h>
#include <stdint.h>
#define CONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC 25000000
struct device { int none; };
extern const struct device console, other;
#define DT_CHOSEN(name) name
#define zephyr_console &console
#define wsnprof_uart &other
#ifdef OTHER_UART
#define DT_HAS_CHOSEN(name) 1
#else
#define DT_HAS_CHOSEN(name) 0
#define CONFIG_UART_CONSOLE 1
#endif
#define IS_ENABLED(x) x
#define DEVICE_DT_GET(node) (node)
#define K_THREAD_DEFINE(name, stack, entry, a, b, c, priority, options, delay) void (*const name)(void *, void *, void *) = entry
#define K_LOWEST_APPLICATION_THREAD_PRIO 14
#define CONFIG_PRINTK 1
#define CONFIG_STDOUT_CONSOLE 1
void *k_thread_custom_data_get(void);
void k_thread_custom_data_set(void *);
int32_t k_msleep(int32_t);
int uart_irq_update(const struct device *);
int uart_irq_tx_ready(const struct device *);
void uart_irq_tx_enable(const struct device *);
void uart_irq_tx_disable(const struct device *);
int uart_fifo_fill(const struct device *, const uint8_t *, int);
int uart_irq_callback_set(const struct device *, void (*)(const struct device *, void *));
void uart_poll_out(const struct device *, unsigned char);
C
cat >"$work/zephyr/CMakeLists.txt" <<'C'
cmake_minimum_required(VERSION 3.20)
project(zephyr C ASM)
macro(zephyr_include_directories)
	include_directories(${ARGV})
endmacro()
macro(zephyr_library_named name)
	add_library(${name} STATIC)
	set(library ${name})
endmacro()
macro(zephyr_library_sources)
	target_sources(${library} PRIVATE ${ARGV})
endmacro()
include_directories(${CMAKE_CURRENT_SOURCE_DIR})
add_subdirectory(${MODULE} module)
C
zephyr() {	# flags...
	rm -rf "$work/zephyr/build"
	run_cmake "$work/zephyr" arm-none-eabi-gcc "-mcpu=cortex-m3 -mthumb -Os -Wall -Werror $*" -DMODULE="$last/wsnprof/zephyr" \
		"-DCMAKE_ASM_FLAGS=-mcpu=cortex-m3 -mthumb -DCONFIG_SYS_CLOCK_HW_CYCLES_PER_SEC=25000000"
	arm-none-eabi-nm "$work"/zephyr/build/module/libwsnprof.a >"$work/symbols" 2>/dev/null
	for symbol in wsnprof_poll wsnprof_kick sys_trace_thread_switched_in_user; do
		[ "$(grep -c " T $symbol\$" "$work/symbols")" = 1 ] || fail "zephyr $*: $symbol"
	done
}
layout zephyr cortexm wsnprof/zephyr/module.yml wsnprof/zephyr/CMakeLists.txt wsnprof/target-cortexm/all/wsnprof_all.c
says "$work/out" CONFIG_THREAD_CUSTOM_DATA 'wsnprof,uart'
grep -q 'docs/' "$work/out" && fail "zephyr: init copies no document"
zephyr -DCONFIG_UART_INTERRUPT_DRIVEN
grep -q 'U uart_fifo_fill' "$work/symbols" && grep -q 'U __printk_hook_install' "$work/symbols" || fail "zephyr: $(cat "$work/symbols")"
zephyr
grep -q 'U uart_poll_out' "$work/symbols" || fail "zephyr: $(cat "$work/symbols")"
zephyr -DOTHER_UART
grep -q 'U __printk_hook_install' "$work/symbols" && fail "zephyr: the text of another UART's console is taken"
# Contiki's process, with what it has of Contiki-NG: the console sends, or a transmit function of the program.
mkdir -p "$work/contiki/lib/dbg-io"
echo 'int dbg_putchar(int);' >"$work/contiki/lib/dbg-io/dbg.h"
cat >"$work/contiki/contiki.h" <<'C'
#include <stdint.h>
typedef uint32_t clock_time_t, rtimer_clock_t;
struct etimer { int none; };
struct process { int none; };
#define CLOCK_SECOND 128
#define RTIMER_SECOND 32768u
#define PROCESS_EVENT_TIMER 0x88
rtimer_clock_t RTIMER_NOW(void);
void etimer_set(struct etimer *, clock_time_t);
#define PROCESS(name, text) struct process name
#define PROCESS_THREAD(name, ev, data) int name##_thread(int ev, void *data); int name##_thread(int ev, void *data)
#define PROCESS_BEGIN()
#define PROCESS_END() return 0
#define PROCESS_WAIT_EVENT_UNTIL(c) do ; while (!(c))
C
contiki() {	# flags...
	arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os -Wall -Werror "$@" -I"$work/contiki" -I"$last" -I"$last/wsnprof/target-common" \
		-I"$last/wsnprof/target-cortexm" -c -o "$work/x.o" "$last/wsnprof_process.c" || fail "contiki $*: no build"
	arm-none-eabi-nm "$work/x.o" >"$work/symbols"
}
layout contiki avr wsnprof_process.c wsnprof_config.h wsnprof/target-avr/all/wsnprof_hooks_all.S
layout contiki cortexm wsnprof_process.c wsnprof/target-cortexm/all/wsnprof_hooks_all.S
says "$work/out" 'WSNPROF_CONTIKI_SEND 0' '$(OBJECTDIR)/NAME.o: CFLAGS += -finstrument-functions'
contiki
grep -q ' T wsnprof_kick' "$work/symbols" && grep -q ' U dbg_putchar' "$work/symbols" || fail "contiki: $(cat "$work/symbols")"
contiki -DWSNPROF_CONTIKI_SEND=0
! grep -E 'wsnprof_kick|dbg_putchar' "$work/symbols" || fail "contiki: it sends all the same"
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
