#!/bin/bash
# SWO set up by wsntop itself: the real OpenOCD writes the simulated Cortex-M3's registers, each is read back, and
# PCs, handlers and their times come out of its pin; where they do not, the broken link of the chain is named.
# Sanitized: long: the setup has a fuzzer; most of its seconds are OpenOCD's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_truth

swo_watch() {	# seconds, name, options of the source, who sets it up
	"$WSNTOP" -B -p "swo:tcp:127.0.0.1:$SWO?setup=${4:-openocd::$TCL}$3" -e "$M3_ELF" --for="$1" -r "$work/$2.rec" \
		-x "json:$work/$2.json" >"$work/$2.out" 2>"$work/$2.said"
}

written() {	# address: the last value
	sed -n "s/^write $1 //p" "$work/m3.writes" | tail -n 1
}

expect() {	# address, value
	[ "$(written "$1")" = "$2" ] || fail "$1 is $(written "$1"), not $2"
}

# --- the clock given: figures are known to a digit ---
probe_start -s 2000000 -f needs-pin
swo_watch 6 all "&clock=72M&chip=stm32" || { cat "$work/all.said"; fail "no data"; }
expect e000edfc 01000000
expect e0042004 00000020
expect e00400f0 00000002
expect e0040010 00000023
expect e0040304 00000100
expect e0000e80 0001000f
! grep "^write e000edf0 .*[37bf]$" "$work/m3.writes" || fail "it was halted"
python3 - "$work/all.json" "$work/all.said" <<'PY' || exit 1
import json
import sys

all_ = json.load(open(sys.argv[1]))
tick = [f for f in all_["functions"] if f["calls"]]
assert [f["name"] for f in tick] == ["SysTick_Handler"], tick
tick = tick[0]
assert tick["handler"] and 3000 < tick["calls"] < 7000, tick
assert abs(tick["per_call_s"] - 40e-6) < 0.1e-6, tick	# of each 1000 us
assert abs(tick["load"] - 0.04) < 0.001, tick
hz = 72e6 / 1024 / 6	# the plan's for 2 Mbaud
assert abs(all_["node"]["hz"] / hz - 1) < 0.001, all_["node"]
samples = sum(f["samples"] or 0 for f in all_["functions"])
assert samples > 3 * hz, samples
assert all_["node"]["agreement"] == 1 and all_["stream"]["lost"] == 0, all_
assert "0 bad bytes" in open(sys.argv[2]).read() or all_["stream"]["bad_bytes"] < 16, all_["stream"]
print("ok: %d ticks of %.3f us, %d PCs, %.1f a second" %
      (tick["calls"], 1e6 * tick["per_call_s"], samples, all_["node"]["hz"]))
PY

# --- calls from its samples: a period by the time stamps, so that a recording tells the same without the set-up ---
"$WSNTOP" -B -p "file:$work/all.rec" -e "$M3_ELF" -x "json:$work/again.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "the recording is not read"; }
python3 - "$work/all.json" "$work/again.json" "$root/tests/golden" <<'PY' || exit 1
import json
import sys

sys.path.insert(0, sys.argv[3])
from estimates import same_estimates
live, again = (json.load(open(path)) for path in sys.argv[1:3])
same_estimates(live, again)
node = live["node"]
assert node["calls_estimate_by"] == "time stamps" and abs(node["cycles_per_sample"] - 6 * 1024) < 0.5, node
assert node["calls_estimate_pairs"] >= 5 and 0 < node["calls_estimate_error"] < 1, node
PY

# --- the pin is not assigned ---
probe_stop
probe_start -s 2000000 -f needs-pin
! swo_watch 7 pin "&clock=72M" || fail "without the pin there were data"
grep -q "all registers are set and no byte comes" "$work/pin.said" || { cat "$work/pin.said"; fail "the pin"; }
probe_stop

# --- the clock measured; then the target is reset: it is set up again ---
probe_start -s 2000000
swo_watch 10 clock "" &
watcher=$!
sleep 4.5
printf 'write_memory 0xe000edfc 32 0; write_memory 0xe0000e80 32 0\x1a' >"/dev/tcp/127.0.0.1/$TCL"
wait "$watcher" || { cat "$work/clock.said"; fail "no data"; }
python3 - "$work/clock.said" "$work/clock.json" <<'PY' || exit 1
import json
import re
import sys

said = open(sys.argv[1]).read()
clock = float(re.search(r"SWO is set up: core ([\d.]+) MHz", said).group(1))
assert abs(clock / 72 - 1) < 0.01, said
assert abs(json.load(open(sys.argv[2]))["node"]["ticks_per_second"] / 72e6 - 1) < 0.02, said
assert said.count("SWO is set up") == 2, said
PY
expect e0000e80 0001000f

# --- by gdb's memory writes: the server halts the target when we connect, we let it go, and it is left running ---
probe_stop
probe_start -s 2000000
swo_watch 8 gdb "" "gdb:127.0.0.1:$GDB" || { cat "$work/gdb.said"; fail "no data"; }
expect e0040010 00000023
expect e0000e80 0001000f
[ "$(written e000edf0)" = a05f0001 ] || fail "it was left halted: $(written e000edf0)"
python3 - "$work/gdb.said" "$work/gdb.json" <<'PY' || exit 1
import json
import re
import sys

said, all_ = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
clock = float(re.search(r"SWO is set up: core ([\d.]+) MHz", said).group(1))
assert abs(clock / 72 - 1) < 0.01, said
assert sum(f["samples"] or 0 for f in all_["functions"]) > 72e6 / 1024 / 6, all_
tick = [f for f in all_["functions"] if f["calls"]]
assert len(tick) == 1 and abs(tick[0]["per_call_s"] - 40e-6) < 1e-6, tick
PY
swo_watch 3 wrong "" "gdb:127.0.0.1:$TCL"		# the chip still sends
grep -q "answers nothing while the target runs" "$work/wrong.said" || { cat "$work/wrong.said"; fail "no gdb server"; }

# --- another rate than the adapter's ---
probe_stop
probe_start -s 2000000
! swo_watch 5 baud "&clock=72M&baud=1M" || fail "at half the baud rate there were data"
grep -q "bytes come that are no packets" "$work/baud.said" || { cat "$work/baud.said"; fail "the baud rate"; }
! swo_watch 3 none "&clock=72M&baud=50M" || fail "50 Mbaud"
grep -q "cannot make 50,000,000 baud" "$work/none.said" || { cat "$work/none.said"; fail "no divider"; }
probe_stop

# --- on a serial port the chip gets the port's rate: 2,000,000, or as named ---
probe_start -s 2000000
cat >"$work/pin.py" <<'END'
import os
import pty
import sys
import time

master, slave = pty.openpty()
with open(sys.argv[1], "w") as f:
    f.write(os.ttyname(slave))
time.sleep(600)
END
python3 "$work/pin.py" "$work/port" &
PIN=$!
trap 'kill "$PIN" 2>/dev/null; probe_stop; rm -rf "$work"' EXIT
for _ in $(seq 100); do
	[ ! -s "$work/port" ] || break
	sleep 0.05
done
"$WSNTOP" -B -p "swo:$(cat "$work/port")?setup=openocd::$TCL&clock=72M" -e "$M3_ELF" --for=2 >/dev/null 2>&1
expect e0040010 00000023
"$WSNTOP" -B -p "swo:$(cat "$work/port")?setup=openocd::$TCL&clock=72M&baud=1000000" -e "$M3_ELF" --for=2 >/dev/null 2>&1
expect e0040010 00000047
kill "$PIN"
probe_stop

# --- power is off for the trace units; no OpenOCD ---
probe_start -s 2000000 -f no-trace
! swo_watch 4 trace "&clock=72M" || fail "without TRCENA there were data"
grep -q "TRCENA does not stay set" "$work/trace.said" || { cat "$work/trace.said"; fail "TRCENA"; }
openocd_stop
! swo_watch 3 gone "" || fail "without OpenOCD"
grep -q "openocd::$TCL" "$work/gone.said" || { cat "$work/gone.said"; fail "OpenOCD"; }
! "$WSNTOP" -B -p "swo:tcp:127.0.0.1:$SWO?setup=x:y" --for=1 2>"$work/said" || fail "setup=x:"
grep -q "expected setup=openocd:" "$work/said" || { cat "$work/said"; fail "setup=x:"; }
