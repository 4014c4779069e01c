#!/bin/bash
# Call traces of a Cortex-M, held against QEMU event by event: every workload on M3 and M0 at every level of optimization,
# with everything that the compiler does left on; handlers, nested ones, too; on a slow line, where what is told must be true and
# what is not must be counted; with frames lost. Then what a call costs, and what the node says that it does.
. "$(dirname "$0")/cortexm.sh"

WHOLE="an385-O0 an385-Os an385m0-Os $(long an385-O2 an385-O3 an385m0-O0 an385m0-O2 an385m0-O3 microbit-Os an505-Os)"
BOARDS="an385 $(long an385m0)"
ALL=crc,net,storm,deep,jump,pointer,tail,copy,mutual,sample,wsn,full,dispatch
{
	for run in $WHOLE; do
		echo "$run ${run/-/-traced-} run=$ALL breathe=20 doze=1"
	done
	for board in an385 an385m0; do
		echo "$board-steady $board-traced-Os run=net breathe=10 rounds=8"
	done
	for board in $BOARDS; do
		echo "$board-slow $board-traced-Os run=net,wsn,storm breathe=6 baud=9600"
		echo "$board-notes $board-traced-O0 run=notes breathe=2"
		echo "$board-nested $board-traced-O0 run=nested breathe=2"
	done
	long_only echo "an385-fib an385-traced-O0 run=fib"
} | in_pairs simulate

for board in $BOARDS; do
	arm-none-eabi-objcopy -O binary -j .wsntrace_mark --set-section-flags .wsntrace_mark=alloc \
		"$FW/$board-traced-O0.elf" "$TMP/$board.marks"
done

# doctor: the functions, and the lanes' memory.
"$WSNTOP" doctor -e "$FW/an385-traced-Os.elf" >"$TMP/doctor" || true
grep -q "^ok .*calls of [0-9]* functions are traced" "$TMP/doctor" &&
	tr -s ' \n' ' ' <"$TMP/doctor" | grep -q "wsntrace_main [0-9,]*, wsntrace_senders [0-9,]*, wsntrace_handlers" ||
	{ echo "FAILED: doctor: $(cat "$TMP/doctor")"; exit 1; }

# Names of marks are kept once, also those of templates.
cat >"$TMP/marks.cc" <<'END_CC'
#include "wsnprof.h"
volatile uint16_t out[2];
template<int N> struct A { __attribute__((noinline)) void f() { out[N] = WSNPROF_MARK("radio on"); } };
void c();
int main() { A<0> a; A<1> b; a.f(); b.f(); out[0] = WSNPROF_MARK("q"); c(); }
END_CC
cat >"$TMP/marks.c" <<'END_C'
#include "wsnprof.h"
extern volatile uint16_t out[2];
void _Z1cv(void); void _Z1cv(void) { out[0] = WSNPROF_MARK("q"); out[1] = WSNPROF_MARK("zz top"); }
END_C
for cpu in m3 m0; do
	for f in marks.c marks.cc; do
		arm-none-eabi-gcc -mcpu=cortex-$cpu -mthumb -Os -Wall -Werror -fno-exceptions -Itarget-common -c -o "$TMP/$f.o" "$TMP/$f"
	done
	arm-none-eabi-gcc -mcpu=cortex-$cpu -mthumb -nostdlib -Wl,-e,main -o "$TMP/marks.elf" "$TMP"/marks.c{,c}.o
	arm-none-eabi-objcopy -O binary -j .wsntrace_mark --set-section-flags .wsntrace_mark=alloc "$TMP/marks.elf" "$TMP/marks"
	[ "$(tr '\0' '\n' <"$TMP/marks" | sort | tr '\n' ,)" = "q,radio on,zz top," ] ||
		{ echo "FAILED: $cpu: marks: $(tr '\0' , <"$TMP/marks")"; exit 1; }
done

# What it cannot do is refused.
for other in ARCS=64 PCS=64 RAW=1 TASKS=15 TRACE=3; do
	! arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Isim/cortexm -Isim/cortexm/boards/mps2 -Itarget-common -Itarget-cortexm \
		-UWSNPROF_TRACE -D"WSNPROF_${other%=*}=${other#*=}" $([ "$other" = TRACE=3 ] || echo -DWSNPROF_TRACE=1) \
		-c -o "$TMP/refused.o" target-cortexm/all/wsnprof_all.c 2>"$TMP/refused" && grep -q "#error" "$TMP/refused" ||
		{ echo "FAILED: WSNPROF_$other is not refused: $(cat "$TMP/refused")"; exit 1; }
done

# The host's own decoder says what tests/sim/trace.py reads.
"$WSNTOP" -B -p "file:$TMP/an385-Os.uart" -e "$FW/an385-traced-Os.elf" -x "trace:$TMP/host" >/dev/null 2>"$TMP/said"

python3 - "$TMP" "$WHOLE" "$BOARDS" <<'END_PYTHON'
import re
import sys
import trace
from cortexm import Truth
from truth import check

tmp, whole, boards = sys.argv[1], *(text.split() for text in sys.argv[2:])
both = "an385", "an385m0"
all_of = len(boards) == 2
sums = {}

def read(run, lose=None):
    """The node; with `lose`: of TRACE frames each so manieth is lost."""
    data = open(f"{tmp}/{run}.uart", "rb").read()
    return trace.Node(trace.without(data, lose) if lose else data)

def compare(run, node, true, what=""):
    for number, lane in sorted(node.lanes.items()):
        try:
            trace.compare(lane, true[number])
        except trace.Differs as e:
            check(False, f"{run}: lane {number}{what}: {e}")

for run in [*whole, *(f"{b}-steady" for b in both), *(f"{b}-slow" for b in boards), *["an385-fib"] * all_of]:
    node, true = read(run), trace.events(f"{tmp}/{run}.events")
    check(not node.damaged and not node.lost_frames and node.hello.features & 0x2000 and node.tracing[0] == 2,
          f"{run}: {node.frames[trace.TRACE]} TRACE frames, none damaged or lost")
    compare(run, node, true)
    if "steady" in run:			# a unit is 160 instructions; nothing sleeps
        errors = trace.stamp_errors(trace.compare(node.lanes[0], true[0])[1], 160, node.tracing[1])
        check(len(errors) > 200 and errors[-1] - errors[0] < 800,
              f"{run}: {len(errors)} stamps, {errors[0]} to {errors[-1]} instructions off")
    for number, lane in sorted(node.lanes.items()):
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number else 0)
        told = trace.told(lane)
        if not calls:
            continue
        check(told + lane.untold == calls and told > 0, f"{run}: lane {number}: {told} calls told, each as it was, "
              f"and {lane.untold} counted: {calls}; {8 * lane.bytes / calls:.2f} bits a call")
        check(trace.counted(lane) <= lane.untold and not lane.unknown, f"{run}: lane {number}: boxes and gaps say no more")
    if run in whole:
        check(trace.told(node.lanes[0]) > 5000 and trace.told(node.lanes[1]) > 1500, f"{run}: most are told")
        for name, value in re.findall(r"(\w+) ([0-9a-f]{8})\n", node.text.decode()):
            sums.setdefault(name, set()).add(value)
        for lose in (2, 7):
            lossy = read(run, lose)
            compare(run, lossy, true, f", one frame in {lose} lost")
            check(any(lane.lost for lane in lossy.lanes.values()), f"{run}: one frame in {lose} lost: what is told is true; "
                  f"{sum(lane.unknown for lane in lossy.lanes.values())} references to what was lost")
check(len(sums) > 10 and all(len(v) == 1 for v in sums.values()), f"the programs compute the same everywhere: {sorted(sums)}")

for board in boards:
    node, true = read(f"{board}-notes"), trace.events(f"{tmp}/{board}-notes.events")
    names = open(f"{tmp}/{board}.marks", "rb").read()
    compare(board, node, true)

    def notes(lane, kind):
        return [(names[i[1]:].split(b"\0")[0].decode(), *i[2:]) for i in node.lanes[lane].items if i[0] == kind]

    values = [(name, v >> 1 ^ -(v & 1)) for name, v in notes(0, "value")]
    check(values == [("step", (i - 50) * 1000) for i in range(100)], f"{board}: {len(values)} values")
    check(notes(0, "state") == [("odd", i & 1) for i in range(100)], f"{board}: {len(notes(0, 'state'))} states")
    ticks = notes(1, "mark")
    check(set(ticks) == {("tick",)} and len(ticks) >= 540, f"{board}: {len(ticks)} marks of a handler")
    check(node.lanes[0].empty >= 2, f"{board}: {node.lanes[0].empty} frames that tell the time, where nothing is called")

# A mark in a nested handler is told or counted as lost.
for board in boards:
    node = read(f"{board}-nested")
    marks = sum(i[0] == "mark" for i in node.lanes[1].items)
    told = int(re.search(rb"nested ([0-9a-f]{8})", node.text)[1], 16)
    check(marks == told, f"{board}: {marks} marks of handlers, {told} were not lost")

# Where a handler interrupts another one's hooks, its calls are told before or behind: no call is missing.
for board in boards:
    node, true = read(f"{board}-nested"), trace.events(f"{tmp}/{board}-nested.events")
    main, handlers = node.lanes[0], node.lanes[1]
    trace.compare(main, true[0])
    calls = sum(e[0] for e in true[1]) + true["nested"]
    check(trace.told(handlers) + handlers.untold == calls and not handlers.unknown,
          f"{board}: nested handlers: {trace.told(handlers)} calls told, {handlers.untold} counted: {calls}")
    check(handlers.untold - trace.counted(handlers) > 500, f"{board}: of these in nested ones "
          f"{handlers.untold - trace.counted(handlers)}")

def cost(run):
    """Instructions of the hooks a call, with those of the function that call them."""
    truth = Truth(f"{tmp}/{run}.truth")
    entered = {name: f.entries for name, f in truth.functions.items() if re.match("wsntrace_(leaf|enter|exit)", name)}
    exits = sum(n for name, n in entered.items() if "exit" in name)
    return (truth.hooks + 2 * sum(entered.values())) / (sum(entered.values()) - exits)

for board, limit in zip(both, (26.5, 34)):
    each, hello = cost(f"{board}-steady"), read(f"{board}-steady").hello
    check(each < limit, f"{board}: net: {each:.1f} instructions a call, stamps and what does not fit included")
    told = hello.cost / hello.hz * 15.625e6
    check(abs(told - each) < 0.05 * each, f"{board}: HELLO says {told:.1f}")
if all_of:
    each = cost("an385-fib")
    check(each < 52, f"an385: fib: {each:.1f} instructions a call that calls")

def host_items(lane):
    for line in open(f"{tmp}/host"):
        _, of, kind, _, what = line.lstrip("~? ").split(None, 4)
        if of == lane and kind != "lost":	# a gap between frames: here none is
            yield kind, int(what.split()[0]) if kind == "gap" else None

def own_items(lane):
    for item in lane.items:
        if item[0] in ("call", "return", "box", "gap"):
            yield item[0], item[1] if item[0] == "gap" else None

node = read("an385-Os")
for name, number in ("main", 0), ("handlers", 1):
    said = list(host_items(name))
    check(said == list(own_items(node.lanes[number])), f"wsntop -x trace: {name}: the same {len(said)} events")
END_PYTHON
