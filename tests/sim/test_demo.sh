#!/bin/bash
# The demo firmware under wsntop: a finished run agrees with the simulator's own count of the calls,
# a live one shows every instrumented function, and the demo leaves nothing behind.
. "$(dirname "$0")/lib.sh"
export WSNTOP O

await() {	# WHAT, COMMAND...: until it is so
	local what=$1 hung=$((SECONDS + 300))
	shift
	until "$@"; do
		[ $SECONDS -lt $hung ] || { echo "FAILED: watchdog: hung for 5 minutes: $what" >&2; exit 1; }
		sleep 0.05
	done
}
is_gone() { ! kill -0 "$1" 2>/dev/null; }
gone() {	# PID, WHAT
	await "$2: the node still runs" is_gone "$1"
	echo "ok: $2: the node is gone"
}
has_child() {	# sets found: the child of $1 whose command name is $2
	for found in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
		[ "$(cat "/proc/$found/comm" 2>/dev/null)" != "$2" ] || return 0
	done
	return 1
}
child() {
	await "the demo started no $2" has_child "$@"
	echo "$found"
}

# A run that ends: 400 rounds, 16 seconds of the node's time.
"$NODE" --fast --seconds=60 --uart="$TMP/finite.bin" --truth="$TMP/finite.truth" "$FW/finite.elf" >"$TMP/finite.end"
ended finite
export_json finite "$FW/finite.elf"
"$WSNTOP" -B -f wsn -p "file:$TMP/finite.bin" -x "json:$TMP/bare.json" >/dev/null

python3 - "$TMP" <<'END'
import re
import sys
from truth import *
from wsn import Node

tmp = sys.argv[1]
truth = Truth(f"{tmp}/finite.truth")
node = Node(open(f"{tmp}/finite.bin", "rb").read())

# What the node said.
check(node.hellos >= 4 and node.name == "demo" and not node.damaged and not node.lost_frames,
      f"{sum(node.frames.values())} frames, none lost")
check(not any(node.status[k] for k in ("stack_full", "table_full", "cut", "text", "carries")), "nothing lost")
rows = rows_of_node(node)
check(set(truth.functions) == {to for _, to in rows} and len(truth.functions) >= 40,
      f"all {len(truth.functions)} instrumented functions are in it")
check_calls(rows, truth.sites, "as sent")
# The compiler's part of a call, 32 to 48 cycles, is the program's to the simulator, and the hooks' to the node.
mean = error_per_hook(rows, truth.sites)
check(mean < 48, f"durations are {mean:.1f} cycles a call below the simulator's")
lines = node.text.decode().replace("\r\n", "\n").split("\n")
check(lines[0] == "wsntop demo node, ATmega1284P at 8 MHz" and
      all(re.fullmatch(r"|phase: \w+|\w+: \d+ sent, \d+ delivered, 0 broken, fib \d+, \d+ blocks free", t)
          for t in lines[1:]), f"{len(lines)} lines of text between the frames, none torn")

# What wsntop made of it.
out, sites = rows_of_json(f"{tmp}/finite.json", CPU_HZ)
check(out["wsntop"] == 1 and out["node"]["ticks_per_second"] == CPU_HZ, "ticks a second")
check_calls(sites, truth.sites, "in wsntop's JSON")
bare, sent = rows_of_json(f"{tmp}/bare.json", CPU_HZ)
check(sent.keys() == sites.keys() and
      all(abs(s.total - rows[k].total) < 1 + s.calls / 16 for k, s in sent.items()),
      "without the ELF its times are those sent, skew taken off")
calls = {}
for (_, to), site in truth.sites.items():
    calls[to] = calls.get(to, 0) + site.calls
functions = {f["address"]: f for f in out["functions"] if f["calls"] is not None}
check({a: f["calls"] for a, f in functions.items()} == calls, "calls of each function")
check(all(f["name"] == truth.functions[a] for a, f in functions.items()), "by its name")
check(len({f["file"] for f in functions.values() if f["name"] == "checksum"}) == 2,
      "two functions of one name are two")
by_name = {name: address for address, name in truth.functions.items()}
fib = by_name["fib"]
outer = [s for k, s in sites.items() if k[1] == fib and s.calls < calls[fib] / 10]
check(len(outer) == 1 and abs(functions[fib]["total_s"] * CPU_HZ - outer[0].total) < 2,
      "a recursive call's time is not counted twice")
END

# Live, in real time, through the script that `make demo` runs.
env --default-signal=INT sim/demo -B -r "$TMP/live.rec" -x "json:$TMP/live.json" >"$TMP/live.txt" 2>&1 & demo=$!
top=$(child $demo "$(basename "$WSNTOP")")
# About ten seconds of its own time, in which all phases come but the last.
await "30 kB of the node" eval '[ "$(stat -c %s "$TMP/live.rec" 2>/dev/null || echo 0)" -gt 30000 ]'
kill -INT "$top"
wait $demo || { cat "$TMP/live.txt"; exit 1; }
"$NODE" --fast --cycles=1 --uart=/dev/null --truth="$TMP/demo.truth" "$FW/demo.elf" >/dev/null
python3 - "$TMP" <<'END'
import json
import sys
from truth import Truth, check

out = json.load(open(f"{sys.argv[1]}/live.json"))
truth = Truth(f"{sys.argv[1]}/demo.truth")
seen = {f["address"] for f in out["functions"] if f["calls"] is not None}
missing = [name for address, name in truth.functions.items() if address not in seen]
check(not missing and truth.functions, f"live: all {len(truth.functions)} functions {missing}")
check(out["node"]["profiled_s"] > 3, f"{out['node']['profiled_s']:.1f} s profiled")
check(out["node"]["image_match"] != "no", "and the image matches")
END

# However the demo ends, the simulated node does not outlive it.
[ ! -L "$O/sim/demo.pty" ] || { echo "FAILED: the link to the pty is left"; exit 1; }

demo_and_parts() {	# start it; sets demo, simulated, top
	sim/demo -B >/dev/null 2>&1 & demo=$!
	simulated=$(child $demo avrnode)
	top=$(child $demo "$(basename "$WSNTOP")")
}

demo_and_parts
kill -KILL "$top"
wait $demo 2>/dev/null || true
gone "$simulated" "wsntop killed"

demo_and_parts
kill -KILL $demo
wait $demo 2>/dev/null || true
gone "$simulated" "demo killed"
kill -KILL "$top" 2>/dev/null || true
