#!/bin/bash
# Call traces over lines of 9,600 baud to 1 Mbaud: calls a second that an AVR at 8 MHz tells, and their
# share of all. What is told is true; what is told and what is counted are all calls. Of the packet stack, which
# runs but for 40 ms of polls between its rounds, and of the demo; each comes to its end after some seconds.
. "$(dirname "$0")/../sim/lib.sh"
CHIP=atmega1284p
SECONDS_OF=${1:-8}

"$WSNTOP" as --install "$TMP/as" avr- '--except=^(workload_\w+|main|say_sum|poll_for|drain|finish|timer_begin|wait_for_round|sleep_unless_due)$' >"$TMP/said"
node() {	# NAME SOURCES FLAGS
	local flags="-mmcu=$CHIP -DF_CPU=8000000UL -std=c99 -ggdb -gdwarf-2 -Os -fno-inline -fno-ipa-cp -fno-ipa-ra -ffunction-sections
		-DWSNPROF_TRACE=1 -DWSNPROF_IDENTITY=0 -Itarget-common -Itarget-avr $3" o=()
	rm -rf "$TMP/o"
	mkdir "$TMP/o"
	for f in $2; do
		avr-gcc $flags -B "$TMP/as" -c -o "$TMP/o/$(basename $f).o" $f
	done
	avr-gcc $flags -Wl,--gc-sections,--wrap=setjmp,--wrap=longjmp,--wrap=memcpy,--wrap=memset,--wrap=memmove \
		-o "$TMP/$1.elf" "$TMP"/o/*.o target-avr/all/* 2>"$TMP/said" ||
		avr-gcc $flags -Wl,--gc-sections -o "$TMP/$1.elf" "$TMP"/o/*.o target-avr/all/*
	sim/watchdog "$NODE" --mcu=$CHIP --fast --seconds=$((10 * SECONDS_OF + 20)) --uart="$TMP/$1.bin" --truth="$TMP/$1.truth" \
		--events="$TMP/$1.events" "$TMP/$1.elf" >"$TMP/$1.end" || true
	ended $1
}
bauds="9600 38400 57600 115200 250000 1000000"
for baud in $bauds; do
	node net.$baud "$(echo sim/workload/*.c sim/workload/avr/*.c)" "-DWSNPROF_BAUD=${baud}UL -DWSNPROF_TRACE_JUMPS=4 \
		-DWORKLOAD_TRACED -DWORKLOAD_PAUSE_MS=40 -DWORKLOAD_ROUNDS=$((6 * SECONDS_OF)) -DWORKLOAD_RUN=RUN(net) -Isim/workload -Isim/workload/avr"
	node demo.$baud "$(echo sim/firmware/*.c)" "-DWSNPROF_BAUD=${baud}UL -DDEMO_ROUNDS=$((50 * SECONDS_OF)) -Isim/firmware"
done
python3 - "$TMP" $bauds <<'END_PYTHON'
import sys
import trace
from truth import Truth, check

tmp, *bauds = sys.argv[1:]
for name in "net", "demo":
    for baud in bauds:
        node = trace.Node(open(f"{tmp}/{name}.{baud}.bin", "rb").read())
        true, told, untold, seconds = trace.events(f"{tmp}/{name}.{baud}.events"), 0, 0, 0
        for number, lane in node.lanes.items():
            try:
                trace.compare(lane, true[number])
            except trace.Differs as e:
                check(False, f"{name}, {baud} baud: lane {number}: {e}")
            told, untold = told + trace.told(lane), untold + lane.untold
        calls = sum(e[0] or 0 for n in (0, 1) for e in true[n]) + true["nested"]
        cycles = [e[2] for n in (0, 1) for e in true[n]]
        seconds = (max(cycles) - min(cycles)) / 8e6
        check(told + untold == calls, f"{name}, {baud} baud: {told / seconds:.0f} calls a second told, {100 * told / calls:.1f} % of "
              f"{calls / seconds:.0f}; the other {untold} counted")
END_PYTHON
