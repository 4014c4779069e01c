#!/bin/bash
# Call traces of an AVR, held against the simulator event by event: every workload, at every level of
# optimization, with interrupts at every place, with wide ids, with stamps below the top level, with a hash of 40 bits, on three
# chips; on a slow line, where what is told must be true and what is not must be counted; with frames lost. Then what a call costs.
. "$(dirname "$0")/lib.sh"

make --no-print-directory O="$O" traced >/dev/null
traced() {	# CHIP NAME
	sim/watchdog "$NODE" --mcu=$1 --fast --seconds=200 --uart="$TMP/$1.$2.bin" --truth="$TMP/$1.$2.truth" \
		--events="$TMP/$1.$2.events" "$O/sim/traced/$1/$2.elf" >"$TMP/$1.$2.end" || true
	ended $1.$2
}
runs=()
for fw in atmega1284p/all-Os atmega2560/all-Os atmega1284p/{wide,long,sampled,alike,few,steady}-Os atmega328p/least-Os \
	$(long atmega1284p/all-{O0,O2,O3} atmega1284p/{raw,longwide,every,alikewide,sure,surer,surely}-Os); do
	traced ${fw%/*} ${fw#*/}
	runs+=("${fw/\//.}")
done

# cost.c: leaf() or caller(), 20 times and 60 times, with hooks and without; the runtime is the same.
"$WSNTOP" as --install "$TMP/as" avr- '--only=^(leaf|caller|calls)$' >"$TMP/said"
for of in leaf caller; do
	for n in 20 60; do
		for kind in "" -plain; do
			b=()
			[ -n "$kind" ] || b=(-B "$TMP/as")
			flags="-mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -fno-inline -fno-ipa-ra -DCOST_OF=$of -DCOST_CALLS=$n
				-DWSNPROF_TRACE=1 -DWSNPROF_UART=0 -Itests/sim/hooks -Itarget-common -Itarget-avr"
			avr-gcc $flags "${b[@]}" -c -o "$TMP/cost.o" tests/sim/trace/cost.c
			for f in target-avr/all/*; do
				[ -e "$TMP/${f##*/}.o" ] || avr-gcc $flags -c -o "$TMP/${f##*/}.o" $f
			done
			avr-gcc $flags -o "$TMP/$of$n$kind.elf" "$TMP/cost.o" "$TMP"/wsnprof_*.o
			CHIP=atmega1284p simulate $of$n$kind
		done
	done
done

# pack.c: cycles of the packer, a token.
avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -Wall -Wextra -Werror -DWSNPROF_TRACE=1 -Itests/sim/hooks \
	-Itarget-common -Itarget-avr -o "$TMP/pack.elf" tests/sim/trace/pack.c
sim/watchdog "$NODE" --fast --seconds=10 --uart="$TMP/pack" "$TMP/pack.elf" >"$TMP/pack.end"

# loop.c: a main loop that is entered when the buffer is full; marks.
"$WSNTOP" as --install "$TMP/as" avr- --except=^main >"$TMP/said"
flags="-mmcu=atmega1284p -DF_CPU=8000000UL -std=gnu99 -Os -Wall -Wextra -Werror -fno-inline -fno-ipa-ra -DWSNPROF_TRACE=1
	-DWSNPROF_IDENTITY=0 -DWSNPROF_BAUD=250000UL -Itests/sim/hooks -Itarget-common -Itarget-avr"
avr-gcc $flags -B "$TMP/as" -c -o "$TMP/loop.o" tests/sim/trace/loop.c
avr-gcc $flags -o "$TMP/loop.elf" "$TMP/loop.o" target-avr/all/*
CHIP=atmega1284p simulate loop --events="$TMP/loop.events"
avr-objcopy -O binary -j .wsntrace_mark --set-section-flags .wsntrace_mark=alloc "$TMP/loop.elf" "$TMP/loop.marks"

# doctor: with the hooks and without.
avr-gcc $flags -ggdb -c -o "$TMP/loop.o" tests/sim/trace/loop.c
avr-gcc $flags -o "$TMP/bare.elf" "$TMP/loop.o" target-avr/all/*
"$WSNTOP" doctor -e "$TMP/loop.elf" >"$TMP/doctor" || true
grep -q "^ok .*calls of 5 functions are traced" "$TMP/doctor" || { echo "FAILED: doctor: $(cat "$TMP/doctor")"; exit 1; }
grep -q "wsntrace_main" "$TMP/doctor" || { echo "FAILED: doctor counts no lane: $(cat "$TMP/doctor")"; exit 1; }
"$WSNTOP" doctor -e "$TMP/bare.elf" >"$TMP/doctor" || true
grep -q "^fault .*nothing is traced" "$TMP/doctor" || { echo "FAILED: doctor: $(cat "$TMP/doctor")"; exit 1; }

# The host's own decoder says what tests/sim/trace.py reads.
"$WSNTOP" -B -p "file:$TMP/atmega1284p.all-Os.bin" -e "$O/sim/traced/atmega1284p/all-Os.elf" -x "trace:$TMP/host" >/dev/null

python3 - "$TMP" "${runs[@]}" <<'END_PYTHON'
import re
import sys
import trace
from truth import Truth, check

tmp, *runs = sys.argv[1:]
sums = {}
refs = mistaken = 0

def read(run, lose=None):
    """The node; with `lose`: of TRACE frames each so manieth is lost."""
    data = open(f"{tmp}/{run}.bin", "rb").read()
    return trace.Node(trace.without(data, lose) if lose else data)

for run in runs:
    node, true = read(run), trace.events(f"{tmp}/{run}.events")
    check(not node.damaged and not node.lost_frames and node.hello.features & 0x2000 and node.tracing == (7 if "sure" in run else 8, 0),
          f"{run}: {node.frames[trace.TRACE]} TRACE frames, none damaged or lost")
    for number, lane in sorted(node.lanes.items()):
        try:
            followed, stamps = trace.compare(lane, true[number])
        except trace.Differs as e:
            check(False, f"{run}: lane {number}: {e}")
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number else 0)
        if not calls and not lane.items[1:]:
            continue
        told = trace.told(lane)
        check(told + lane.untold == calls and told > 0, f"{run}: lane {number}: {told} calls told, each as it was, "
              f"and {lane.untold} counted: {calls}; {8 * lane.bytes / calls:.2f} bits a call")
        check(trace.counted(lane) <= lane.untold and not lane.unknown, f"{run}: lane {number}: boxes and gaps say no more")
        if lane.resyncs == 1 and "few" not in run:
            errors = trace.stamp_errors(stamps, 64)
            check(not errors or errors[-1] - errors[0] < 4000,
                  f"{run}: lane {number}: {len(errors)} stamps, {errors[0]} to {errors[-1]} cycles off")
    for name, value in re.findall(r"(\w+) ([0-9a-f]{8})\n", node.text.decode()):
        if name != "deep" and name != "sample" and name != "net":	# sizes differ
            sums.setdefault(name, set()).add(value)
    # With each second one a lane may be lost whole; packed, the run of few calls has too few frames.
    for lose in () if "few" in run else (3, 7):
        lossy = read(run, lose)
        for number, lane in lossy.lanes.items():
            try:
                trace.compare(lane, true[number])
            except trace.Differs as e:
                print(f"{run}: lane {number}, frames lost: {e}")
                mistaken += 1
        refs += sum(lane.unknown for lane in lossy.lanes.values())
        check(any(lane.lost for lane in lossy.lanes.values()), f"{run}: one frame in {lose} lost: what is told is true; "
              f"{sum(lane.unknown for lane in lossy.lanes.values())} references to what was lost")
# A REF has 9 bits besides its slot: one in 512 to what was lost fits a call that was told before.
check(mistaken <= refs / 512, f"{refs} references to what was lost, and {mistaken} that seemed to be to another call")
check(len(sums) > 6 and all(len(v) == 1 for v in sums.values()), f"the programs compute the same everywhere: {sorted(sums)}")

def host_items(lane):
    for line in open(f"{tmp}/host"):
        _, of, kind, _, what = line.lstrip("~? ").split(None, 4)
        if of == lane and kind in ("call", "return", "box", "gap"):
            yield kind, int(what.split()[0]) if kind == "gap" else None

def own_items(lane):
    for item in lane.items:
        if item[0] in ("call", "return", "box", "gap"):
            yield item[0], item[1] if item[0] == "gap" else None

node = read("atmega1284p.all-Os")
for name, number in ("main", 0), ("handlers", 1):
    said = list(host_items(name))
    check(said == list(own_items(node.lanes[number])), f"wsntop -x trace: {name}: the same {len(said)} events")

def cost(of):
    run = [Truth(f"{tmp}/{of}{n}{kind}.truth").facts["run"] for n in (20, 60) for kind in ("", "-plain")]
    return (run[2] - run[3] - run[0] + run[1]) / 40

leaf, caller = cost("leaf"), cost("caller")
check(leaf <= 38, f"a call that calls nothing: {leaf:.1f} cycles")
check(caller - leaf <= 120, f"a call that calls: {caller - leaf:.1f} cycles")
(_, program, _, _), (_, handlers, _, _), (_, _, _, _) = pack = [[int(x) for x in line.split()] for line in open(f"{tmp}/pack")]
most = max(p[2] for p in pack)
check(program <= 96 * 900 and handlers <= 96 * 560 and most < 2200,
      f"packing a token: {program / 96:.0f} cycles in the demo's program, {handlers / 96:.0f} in its handlers, at most {most}")
MOST = {"atmega1284p.steady-Os": 60, "atmega1284p.surely-Os": 70}
for steady, most in ((run, MOST[run]) for run in runs if run in MOST):
    truth, lane = Truth(f"{tmp}/{steady}.truth"), read(steady).lanes[0]
    (enters, cycles, _), (exits, more, _) = truth.hooks["enter"], truth.hooks["exit"]
    each = (cycles + more - 4 * exits) / enters + 1		# a ret is the function's own; the ldi is not a hook's
    check(each < most, f"{steady}: net: {each:.1f} cycles a call, stamps and what does not fit included; {trace.told(lane)} of {enters} told")

node, true, marks = read("loop"), trace.events(f"{tmp}/loop.events"), open(f"{tmp}/loop.marks", "rb").read()
main, handlers = node.lanes[0], node.lanes[1]
for number in 0, 1:
    trace.compare(node.lanes[number], true[number])
calls = sum(e[0] for e in true[0])
check(trace.told(main) + main.untold == calls and trace.told(main) > 200 and main.resyncs > 1,
      f"a main loop entered when the buffer was full: {trace.told(main)} told, {main.untold} counted")

def notes(lane, kind):
    return [(marks[item[1]:].split(b"\0")[0].decode(), *item[2:]) for item in lane.items if item[0] == kind]

values = [(name, v >> 1 ^ -(v & 1)) for name, v in notes(main, "value")]
check(values == [("step", (i - 50) * 1000) for i in range(100)][-len(values):] and len(values) > 90, f"{len(values)} values")
states = notes(main, "state")
check(states == [("odd", i & 1) for i in range(100)][-len(states):] and len(states) > 90, f"{len(states)} states")
rounds, ticks = notes(handlers, "mark"), sum(e[0] for e in true[1])
check(set(rounds) == {("round",)} and abs(len(rounds) - ticks / 256) <= 1, f"{len(rounds)} marks of a handler")
END_PYTHON

# Names of marks are the ELF's.
"$WSNTOP" -B -p "file:$TMP/loop.bin" -e "$TMP/loop.elf" -x "trace:$TMP/loop.text" -x "vcd:$TMP/loop.vcd" >/dev/null
for line in 'handlers  mark .* round$' 'main  *value .* step = -*[0-9]*000$' 'main  *state .* odd = 1$'; do
	grep -q "$line" "$TMP/loop.text" || { echo "FAILED: wsntop -x trace: no line $line"; exit 1; }
done
grep -q '^\$var integer 64 . step \$end' "$TMP/loop.vcd" || { echo "FAILED: wsntop -x vcd: no step"; exit 1; }
echo "ok: marks, values and states have their names in exports"
