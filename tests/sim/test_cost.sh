#!/bin/bash
# AVR: the cost of profiling as the host tells it, against the simulator: the cycles by which the instrumented program's run
# is longer than the plain one's, and of the demo, whose rows are looked for, those in its hooks.
. "$(dirname "$0")/lib.sh"

names=(bench benchfib bench0 bench3 benchfull)
for name in costcalls costslow; do	# benchfull's plain twin is theirs
	run atmega1284p $name-Os
	ended atmega1284p.$name-Os
done
for name in "${names[@]}"; do
	run atmega1284p $name-Os
	run atmega1284p $name-Os-plain --like="$WORK/atmega1284p/$name-Os.elf"
	ended atmega1284p.$name-Os atmega1284p.$name-Os-plain
done
sim/watchdog "$NODE" --fast --seconds=200 --uart="$TMP/finite.bin" --truth="$TMP/finite.truth" \
	"$FW/finite.elf" >"$TMP/finite.end"
ended finite
python3 tests/sim/cost.py "$WSNTOP" "$TMP" "$FW/finite.elf" "$WORK/atmega1284p" "${names[@]}" costcalls costslow
