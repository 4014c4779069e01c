#!/bin/bash
# The examples: all of them are built as their makefiles say, the doctor finds no fault in any, and those that a
# simulator runs tell wsntop what they did.
. "$(dirname "$0")/lib.sh"
WSNTOP=${WSNTOP:-$PWD/build/wsntop}
OUT=$O/examples

for tool in avr-gcc arm-none-eabi-gcc cmake qemu-system-arm; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
ARDUINO=/usr/share/arduino/hardware/arduino/avr
[ -d $ARDUINO ] || { echo "skipped: arduino-core-avr is not installed"; exit 77; }

failed() {
	echo "FAILED: $*"
	exit 1
}

build() {	# what, command...
	local what=$1
	shift
	"$@" >"$TMP/build.txt" 2>&1 || { cat "$TMP/build.txt"; failed "$what does not build"; }
	echo "ok: $what is built"
}

build avr-bare make -C examples/avr-bare O="$PWD/$OUT/avr-1284p"
build "avr-bare for an ATmega328P" make -C examples/avr-bare O="$PWD/$OUT/avr-328p" MCU=atmega328p F_CPU=16000000
build "cortexm-bare, timed" make -C examples/cortexm-bare O="$PWD/$OUT/cortexm"
build "cortexm-bare, arcs" make -C examples/cortexm-bare O="$PWD/$OUT/cortexm" PROFILE=arcs
build tasks make -C examples/tasks O="$PWD/$OUT/tasks"
build arduino make -C examples/arduino O="$PWD/$OUT/arduino"
for profile in timed arcs; do
	build "cmake, $profile" sh -ec "
		cmake -S examples/cmake -B $OUT/cmake-$profile -DCMAKE_TOOLCHAIN_FILE=toolchain.cmake -DPROFILE=$profile
		cmake --build $OUT/cmake-$profile"
done

# What FreeRTOS' tasks.c makes of the macros.
cat >"$TMP/tasks.c" <<'C'
#include "freertos_trace.h"
typedef struct { void *pvThreadLocalStoragePointers[configNUM_THREAD_LOCAL_STORAGE_POINTERS]; } TCB_t;
TCB_t *volatile pxCurrentTCB;
void life(TCB_t *pxNewTCB);
void life(TCB_t *pxNewTCB) { traceTASK_CREATE(pxNewTCB); traceTASK_SWITCHED_IN(); traceTASK_DELETE(pxNewTCB); }
C
build "FreeRTOS' macros" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Wall -Wextra -Werror -Iexamples/tasks -Itarget-common \
	-Itarget-cortexm -r -nostdlib -o "$TMP/trace.o" "$TMP/tasks.c" examples/tasks/freertos_trace.c
# Arcs need no shadow stacks, and the runtime has none for them: the macros ask for none.
cat >"$TMP/arcs.c" <<'C'
#include "freertos_trace.h"
#if defined(traceTASK_CREATE) || defined(traceTASK_SWITCHED_IN) || defined(traceTASK_DELETE)
#error "macros, and nothing to call"
#endif
C
mkdir "$TMP/arcs"
printf '#define WSNPROF_CLOCK_HZ 25000000\n#define WSNPROF_TASKS 1\n#define WSNPROF_SITES 0\n#define WSNPROF_ARCS 64\n' \
	>"$TMP/arcs/wsnprof_config.h"
build "FreeRTOS' macros, arcs" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -pg -Wall -Wextra -Werror -I"$TMP/arcs" \
	-Iexamples/tasks -Itarget-common -Itarget-cortexm -r -nostdlib -o "$TMP/arcs.o" "$TMP/arcs.c" \
	examples/tasks/freertos_trace.c
! arm-none-eabi-nm "$TMP/arcs.o" | grep wsnprof_ || failed "FreeRTOS' macros, arcs: they call what is not there"
build "FreeRTOS' macros, AVR" avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Wextra -Werror \
	-Iexamples/tasks -Itarget-common -Itarget-avr -r -nostdlib -o "$TMP/trace-avr.o" "$TMP/tasks.c" \
	examples/tasks/freertos_trace.c

# As many shadow stacks as wsnprof_config.h asks for.
mkdir "$TMP/three"
printf '#define WSNPROF_TASKS 1\n#define WSNPROF_TASKS_MAX 3\n#define WSNPROF_TASK_LEVELS 4\n' >"$TMP/three/wsnprof_config.h"
build "FreeRTOS' three tasks" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -I"$TMP/three" -Iexamples/tasks -Itarget-common \
	-Itarget-cortexm -c -o "$TMP/three.o" examples/tasks/freertos_trace.c
bytes=$(arm-none-eabi-size "$TMP/three.o" | awk 'NR == 2 { print $3 }')
[ "$bytes" = $((3 * (4 + 20 + 12 * (4 + 2)))) ] || failed "three tasks of 4 levels take $bytes bytes"
# A deleted task's is used again, and a task for which there is none is told to be such a one.
cat >"$TMP/reuse.c" <<'C'
#include <assert.h>
#include "freertos_trace.h"
#include "wsnprof_cortexm.h"
struct wsnprof_task { int none; } wsnprof_no_stack;
struct wsnprof_task *wsnprof_task_init(void *memory, uint16_t bytes) { return bytes ? memory : 0; }
int main(void)
{
	struct wsnprof_task *task[3];
	for (int i = 0; i < 3; i++)
		assert((task[i] = wsnprof_freertos_create()) != WSNPROF_NO_STACK && (!i || task[i] != task[i - 1]));
	struct wsnprof_task *none = wsnprof_freertos_create();
	assert(none == WSNPROF_NO_STACK);
	wsnprof_freertos_delete(none);
	for (int i = 0; i < 100; i++) {
		wsnprof_freertos_delete(task[i % 3]);
		assert(wsnprof_freertos_create() == task[i % 3]);
	}
	return wsnprof_freertos_create() != WSNPROF_NO_STACK;
}
C
build "FreeRTOS' deleted tasks" ${CC:-cc} -I"$TMP/three" -Iexamples/tasks -Itarget-common -Itarget-cortexm -o "$TMP/reuse" \
	"$TMP/reuse.c" examples/tasks/freertos_trace.c
"$TMP/reuse" || failed "shadow stacks of deleted tasks are not used again"

examine() {	# image
	"$WSNTOP" doctor -e "$1" >"$TMP/doctor.txt" || { cat "$TMP/doctor.txt"; failed "the doctor on $1"; }
	grep -q '^ok .*instrumented' "$TMP/doctor.txt" || failed "$1: nothing is instrumented"
}
for image in avr-1284p/avr-bare avr-328p/avr-bare cortexm/timed cortexm/arcs tasks/tasks arduino/arduino \
		cmake-timed/firmware cmake-arcs/firmware; do
	examine "$OUT/$image.elf"
done
echo "ok: the doctor finds no fault"

# --- runs ---------------------------------------------------------------------------------------

# They never end: as much as is sent in some seconds of the node's, an instruction 32 ns.
arm() {		# image, name, bytes
	qemu-system-arm -M mps2-an385 -display none -monitor none -serial "file:$TMP/$2.bin" -icount shift=5,sleep=off \
		-kernel "$OUT/$1.elf" </dev/null 2>/dev/null &
	node_pid=$!
	local hung=$((SECONDS + 300))
	until [ "$(stat -c %s "$TMP/$2.bin" 2>/dev/null || echo 0)" -ge "$3" ]; do
		[ $SECONDS -lt $hung ] || failed "watchdog: hung for 5 minutes: $2"
		sleep 0.05
	done
	kill $node_pid
	wait $node_pid || true
	node_pid=
}
avr() {		# image, name, mcu, hertz
	sim/watchdog "$NODE" --fast --seconds=20 --mcu="$3" --frequency="$4" --uart="$TMP/$2.bin" "$OUT/$1.elf" >/dev/null
}
arm cortexm/timed timed 1500
arm cortexm/arcs arcs 1500
arm tasks/tasks tasks 2000
arm cmake-timed/firmware cmake 1500
avr avr-1284p/avr-bare avr-bare atmega1284p 8000000
avr avr-328p/avr-bare avr-328p atmega328p 16000000
avr arduino/arduino arduino atmega328p 16000000

decode() {	# name, image
	"$WSNTOP" -B -p "file:$TMP/$1.bin" -e "$OUT/$2.elf" -f wsn --speed=max -x "json:$TMP/$1.json" 2>"$TMP/$1.said" ||
		{ cat "$TMP/$1.said"; failed "wsntop on what $1 sent"; }
}
decode timed cortexm/timed
decode arcs cortexm/arcs
decode tasks tasks/tasks
decode cmake cmake-timed/firmware
decode avr-bare avr-1284p/avr-bare
decode avr-328p avr-328p/avr-bare
decode arduino arduino/arduino

python3 - "$TMP" <<'END'
import json
import sys

def check(ok, what):
    print("ok:" if ok else "FAILED:", what)
    if not ok:
        sys.exit(1)

def near(a, b, slack):
    return abs(a - b) <= slack

class Run:
    def __init__(self, name):
        self.name = name
        out = json.load(open(f"{sys.argv[1]}/{name}.json"))
        self.node = out["node"]
        self.rows = {f["name"]: f for f in out["functions"]}

    def calls(self, name):
        check(self.rows.get(name, {}).get("calls"), f"{self.name}: {name} was called")
        return self.rows[name]["calls"]

# The host heard of a row up to a refresh ago: a second.
for name in ("timed", "arcs", "cmake"):
    r = Run(name)
    ticks = r.calls("tick")
    check(ticks >= 150, f"{name}: {ticks} ticks")
    check(near(r.calls("sense"), ticks, 110) and near(r.calls("sample"), ticks, 110), f"{name}: a sample a tick")
    check(near(r.calls("report"), ticks / 4, 30), f"{name}: a report every fourth")
    check(near(r.calls("crc_step"), r.calls("checksum") * 128, 30 * 128), f"{name}: 128 bytes a checksum")
    check(r.rows["main"].get("samples"), f"{name}: PC samples, too")

r = Run("tasks")
check(near(r.calls("sense"), r.calls("receive"), 600), "tasks: what was sensed is received")
check(r.calls("fib") >= 1219, "tasks: fib(14) was computed")
for name, task in (("fib", "crunch_run"), ("sense", "sense_run"), ("receive", "sink_run")):
    check(r.rows[name]["context"] == task, f"tasks: {name} runs in {task}, which nobody calls")
receive = r.rows["receive"]
check(receive["total_s"] / receive["calls"] < 200e-6, "tasks: waiting in a call, a millisecond or two, is not its time")

for name, rate in (("avr-bare", 100), ("avr-328p", 100)):
    r = Run(name)
    check(near(r.calls("tick"), 20 * rate, 2.5 * rate), f"{name}: 100 ticks a second")
    check(near(r.calls("sample"), r.calls("tick"), 110), f"{name}: a sample a tick")
    check(near(r.calls("median"), r.calls("tick") / 4, 30), f"{name}: a median every fourth")
    check(r.rows["median"]["total_s"] > r.rows["sample"]["total_s"], f"{name}: the median takes longest")

r = Run("arduino")
senses = r.calls("sense")
check(near(senses, 2000, 110), f"arduino: millis() goes on: {senses} times 10 ms in 20 s")
check(near(r.calls("remember"), senses, 110), "arduino: what is sensed is remembered")
check(r.calls("loop") > senses and r.calls("report") >= 28, "arduino: loop() and report()")
text = open(f"{sys.argv[1]}/arduino.bin", "rb").read()
check(text.count(b"average ") >= 28, "arduino: the sketch's own prints come through")
END
