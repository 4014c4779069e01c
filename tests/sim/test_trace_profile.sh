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

# Stamps below the top level at times, 20 s: 95 % of events within 20 us at 1.2 bits a call.
long_only env O=$O bench/trace-times --brief

# Live: the handlers' share of the time is the trace's, and what tracing costs is told.
"$NODE" --seconds=60 --link="$TMP/node" "$FW/traced.elf" >/dev/null & node_pid=$!
until [ -e "$TMP/node" ]; do sleep 0.05; done
build/tests/tools/screen -s 120x40 "$WSNTOP" -p "$TMP/node" -e "$FW/traced.elf" <<'END'
wait handlers  3.
wait incl. profiling cost  
keys Q
exit 0
END
