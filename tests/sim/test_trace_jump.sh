#!/bin/bash
# longjmp in call traces of an AVR, held against the simulator event by event: see trace/jump.c; on a fast line, and
# on one where most calls are counted alone.
. "$(dirname "$0")/lib.sh"
CHIP=atmega1284p

"$WSNTOP" as --install "$TMP/as" avr- '--except=^main$' >"$TMP/said"
RUNS="1000000-O0 57600-Os 9600-O2 $(long 1000000-{Os,O2} 57600-{O0,O2} 9600-{O0,Os})"
for run in $RUNS; do
	baud=${run%-*} level=${run#*-}
	flags="-mmcu=$CHIP -DF_CPU=8000000UL -std=gnu99 -$level -fno-inline -fno-ipa-ra -DROUNDS=12 -DWSNPROF_BAUD=${baud}UL
		-DWSNPROF_TRACE=1 -DWSNPROF_IDENTITY=0 -DWSNPROF_TRACE_JUMPS=3 -Itests/sim/hooks -Itarget-common -Itarget-avr"
	avr-gcc $flags -B "$TMP/as" -c -o "$TMP/jump.o" tests/sim/trace/jump.c
	avr-gcc $flags -Wl,--wrap=setjmp,--wrap=longjmp -o "$TMP/$baud-$level.elf" "$TMP/jump.o" target-avr/all/*
	simulate $baud-$level --events="$TMP/$baud-$level.events"
done

python3 - "$TMP" $RUNS <<'END_PYTHON'
import sys
import trace
from truth import check

tmp, *runs = sys.argv[1:]
for run in runs:
    node, true = trace.Node(open(f"{tmp}/{run}.bin", "rb").read()), trace.events(f"{tmp}/{run}.events")
    for number, lane in node.lanes.items():
        calls, told = sum(e[0] for e in true[number]), trace.told(lane)
        try:
            trace.compare(lane, true[number])
        except trace.Differs as e:
            check(False, f"{run}: lane {number}: {e}")
        check(told + lane.untold == calls and not lane.unknown and trace.counted(lane) <= lane.untold,
              f"{run}: lane {number}: {told} told, each as it was, {lane.untold} counted of {calls}")
    boxes = sum(i[0] == "box" for i in node.lanes[0].items)
    check(trace.told(node.lanes[0]) > 150, f"{run}: {boxes} boxes")
END_PYTHON
