#!/bin/bash
# The demo firmware under wsntop: a finished run agrees with the simulator's own count of the calls,
# a live one shows every instrumented function, and the demo leaves nothing behind.
. "$(dirname "$0")/lib.sh"
WSNTOP=${WSNTOP:-$PWD/build/wsntop}
export WSNTOP O

# A run that ends: 400 rounds, 16 seconds of the node's time.
simulate finite >/dev/null
ended finite
"$WSNTOP" -B -p "file:$TMP/finite.txt" -e "$FW/finite.elf" -f prof -x "json:$TMP/finite.json" >/dev/null

python3 - "$TMP" <<'END'
import json
import sys
from prof import Truth, check, check_same, lost, reports

tmp = sys.argv[1]
truth = Truth(f"{tmp}/finite.truth")
found, text = reports(f"{tmp}/finite.txt")
final = found[-1]
grain = final.cycles_per_tick(truth)

# What the node printed.
check(len(found) >= 16 and all(len(r.rows) == r.announced for r in found), f"{len(found)} reports")
check(set(truth.functions) == {to for _, to in final.rows} and len(truth.functions) >= 40,
      f"all {len(truth.functions)} instrumented functions are in the last one")
check_same(final.rows, truth, "as printed", grain)
check(not any(lost(text, why) for why in ("stack full", "table full", "longjmp")), "nothing lost")
ticks = sum(row[1] for row in final.rows.values())
cycles = sum(site[1] for site in truth.sites.values())
error = (ticks * grain - cycles) / truth.calls()
check(15 < error < 95, f"a call is {error:.1f} cycles too long on the average")

# What wsntop made of it.
out = json.load(open(f"{tmp}/finite.json"))
rate = out["node"]["ticks_per_second"]
check(out["wsntop"] == 1 and rate == final.rate == 125000, "ticks a second")

def tick(seconds):
    return round(seconds * rate)

sites = {(s["address"], s["to_address"]):
         (s["calls"], tick(s["total_s"]), tick(s["min_s"]), tick(s["max_s"])) for s in out["sites"]}
check_same(sites, truth, "in wsntop's JSON", grain)
calls = {}
for (_, to), site in truth.sites.items():
    calls[to] = calls.get(to, 0) + site[0]
functions = {f["address"]: f for f in out["functions"] if f["calls"] is not None}
check({a: f["calls"] for a, f in functions.items()} == calls, "calls of each function")
check(all(f["name"] == truth.functions[a] for a, f in functions.items()), "by its name")
check(len({f["file"] for f in functions.values() if f["name"] == "checksum"}) == 2,
      "two functions of one name are two")
fib = truth.by_name["fib"]
outer = [s for k, s in sites.items() if k[1] == fib and s[0] < calls[fib] / 10]
check(len(outer) == 1 and tick(functions[fib]["total_s"]) == outer[0][1],
      "a recursive call's time is not counted twice")
END

# Live, in real time, through the script that `make demo` runs.
sim/demo -B --for=8 -x "json:$TMP/live.json" >"$TMP/live.txt" 2>&1 || { cat "$TMP/live.txt"; exit 1; }
"$NODE" --fast --cycles=1 --uart=/dev/null --truth="$TMP/demo.truth" "$FW/demo.elf" >/dev/null
python3 - "$TMP" <<'END'
import json
import os
import sys
from prof import Truth, check

out = json.load(open(f"{sys.argv[1]}/live.json"))
truth = Truth(f"{sys.argv[1]}/demo.truth")
seen = {f["address"] for f in out["functions"] if f["calls"] is not None}
missing = [name for address, name in truth.functions.items() if address not in seen]
check(not missing and truth.functions, f"live: all {len(truth.functions)} functions {missing}")
check(out["node"]["profiled_s"] > 3, f"{out['node']['profiled_s']:.1f} s profiled")
check(out["node"]["image_match"] != "no", "and the image matches")
END

# However the demo ends, the simulated node does not outlive it.
gone() {
	local tries
	for tries in $(seq 50); do
		kill -0 "$1" 2>/dev/null || { echo "ok: $2: the node is gone"; return; }
		sleep 0.1
	done
	echo "FAILED: $2: the node still runs"
	exit 1
}
child() {	# the child of $1 whose command name is $2
	local tries pid
	for tries in $(seq 100); do
		for pid in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
			[ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$2" ] && { echo "$pid"; return; }
		done
		sleep 0.05
	done
	echo "FAILED: the demo started no $2" >&2
	return 1
}
[ ! -L "$O/sim/demo.pty" ] || { echo "FAILED: the link to the pty is left"; exit 1; }

demo_and_parts() {	# start it; sets demo, simulated, top
	sim/demo -B --for=60 >/dev/null 2>&1 & demo=$!
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
