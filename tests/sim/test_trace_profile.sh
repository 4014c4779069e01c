#!/bin/bash
# The profile that wsntop makes of the demo's call trace: calls, times, percentiles and ways of calls, function by
# function, against the simulator. No time of an interrupt handler is in the calls that it struck.
. "$(dirname "$0")/lib.sh"

"$NODE" --fast --seconds=2 --uart="$TMP/demo.bin" --truth="$TMP/demo.truth" --events="$TMP/demo.events" "$FW/traced.elf" \
	>/dev/null
export_json demo "$FW/traced.elf"
PYTHONPATH=tests/sim python3 tests/sim/trace/profile.py "$TMP/demo.json" "$TMP/demo.events" "$FW/traced.elf" "$TMP/demo.bin"
"$WSNTOP" -B -p "file:$TMP/demo.bin" -e "$FW/traced.elf" -x "trace:$TMP/demo.text" >/dev/null
python3 tests/sim/trace_times.py "$TMP/demo.text" "$TMP/demo.bin" "$TMP/demo.events" 8000000 16
