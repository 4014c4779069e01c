#!/bin/bash
# PCs of a running Cortex-M3 by the real OpenOCD: their shares are the program's, nothing is halted, the
# registers are set and read back, sleep is told apart, what is in the way is said, OpenOCD comes back.
# Sanitized: long: its decoder has a fuzzer and sanitized unit tests; most of its seconds are the simulated chip's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_truth

watch_for() {	# seconds, name, option...
	local seconds=$1 name=$2
	shift 2
	"$WSNTOP" -B -p "openocd::$TCL" -e "$M3_ELF" --for="$seconds" -x "json:$work/$name.json" "$@" \
		>"$work/$name.out" 2>"$work/$name.said"
}

# --- shares ---
probe_start -a 0.3
for seconds in 4 12; do		# a busy host's samples are few
	rm -f "$work/all.rec"
	watch_for $seconds all -r "$work/all.rec" --hz=2000 || { cat "$work/all.said"; fail "no profile"; }
	[ "$(python3 -c 'import json, sys
print(json.load(open(sys.argv[1]))["node"]["probe"]["samples"])' "$work/all.json")" -lt 600 ] || break
done
grep -q "^write e000edfc 01000000" "$work/m3.writes" || fail "TRCENA was not set: $(cat "$work/m3.writes")"
grep -q "^write e0001000 40000001" "$work/m3.writes" || fail "CYCCNTENA was not set"
! grep "^write e000edf0 .*[37bf]$" "$work/m3.writes" || fail "it was halted"
python3 - "$work/all.json" "$M3_TRUTH" $seconds <<'END' || exit 1
import json
import math
import random
import sys

node = json.load(open(sys.argv[1]))
spans, insns, known = [], {}, {}
for line in open(sys.argv[2]):
    words = line.rstrip("\n").split("\t")
    if words[0] == "pc":
        known[int(words[1], 16)] = int(words[2])
functions = sorted((f["address"], f["name"]) for f in node["functions"])
shares = {f["address"]: f["samples"] for f in node["functions"] if f["samples"]}
samples = sum(shares.values())

# A PC's function is the last that begins at it or before: those without a sample have none to compare.
def tvd(counts, total, truth, sum_):
    return sum(abs(counts.get(a, 0) / total - truth.get(a, 0) / sum_) for a in set(counts) | set(truth)) / 2

ends = [a for a, _ in functions] + [1 << 32]
truth, at = {a: 0 for a, _ in functions}, 0
for pc in sorted(known):
    while at + 1 < len(functions) and ends[at + 1] <= pc:
        at += 1
    truth[functions[at][0]] += known[pc]
total = sum(truth.values())
random.seed(1)
floor = []
for _ in range(20):
    drawn = random.choices(list(truth), list(truth.values()), k=samples)
    floor.append(tvd({a: drawn.count(a) for a in set(drawn)}, samples, truth, total))
mine = tvd(shares, samples, truth, total)
probe = node["node"]["probe"]
assert samples > 500, samples
assert mine < max(floor) * 1.5 + 0.01, (mine, floor)
asleep = probe["asleep"] / probe["samples"]
assert 0.2 < asleep < 0.36, probe	# one that is asleep takes longer to ask
assert probe["trouble"] is None and probe["halted"] == 0 and probe["refused"] <= probe["samples"] / 200, probe	# who wakes up between two reads
assert probe["core"] == "Cortex-M3 r2p1", probe
assert abs(probe["cycles_hz"] / 72e6 - 1) < 0.02, probe
# What was sampled is all of the time.
assert 0.5 < node["node"]["profiled_s"] / int(sys.argv[3]) < 1.05, node["node"]["profiled_s"]
print("TVD %.3f, of as many ideal samples %.3f; %.1f %% asleep of 30" % (mine, max(floor), 100 * asleep))
END

# --- its recording ---
"$WSNTOP" -B -p "file:$work/all.rec" -e "$M3_ELF" -x "json:$work/again.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "the recording is not read"; }
python3 - "$work/all.json" "$work/again.json" "$root/tests/golden" <<'END' || exit 1
import json
import sys

live, again = (json.load(open(path)) for path in sys.argv[1:3])
sys.path.insert(0, sys.argv[3])
from estimates import same_estimates
assert [(f["name"], f["samples"]) for f in live["functions"]] == [(f["name"], f["samples"]) for f in again["functions"]]
assert abs(live["node"]["hz"] / again["node"]["hz"] - 1) < 0.02, (live["node"]["hz"], again["node"]["hz"])

# Calls from samples: a recording has the cycle counter, so its estimates are those of the live source.
same_estimates(live, again)
assert abs(live["node"]["cycles_per_sample"] * live["node"]["hz"] / 72e6 - 1) < 0.05, live["node"]
END

# --- another ELF: refused by its code, live and of a recording; among several the right one is found ---
other=$root/build/sim/cortexm/an385-timed-Os.elf
for source in "openocd::$TCL" "file:$work/all.rec"; do
	"$WSNTOP" -B -p "$source" -e "$other" --for=6 -x "json:$work/other.json" >"$work/out" 2>"$work/said"
	grep -q 'an385-timed-Os.elf is not the firmware that runs; .*: [0-9]* of 64 blocks of its code differ' "$work/said" ||
		{ cat "$work/said"; fail "$source: another ELF is not refused"; }
	grep -q '"image_match":"no"' "$work/other.json" || fail "$source: another ELF matches"
	"$WSNTOP" -B -p "$source" -e "$other" -e "$M3_ELF" --for=6 -x "json:$work/found.json" >"$work/out" 2>"$work/said" ||
		{ cat "$work/said"; fail "$source: no ELF was found"; }
	grep -q '"image_match":"yes"' "$work/found.json" && grep -q '"image":"[^"]*an385-plain-Os.elf"' "$work/found.json" ||
		fail "$source: the right ELF was not found: $(head -c 600 "$work/found.json")"
done
grep -q '"image_match":"yes"' "$work/all.json" || fail "the right ELF does not match"

# --- OpenOCD ends, and comes back ---
"$WSNTOP" -B -p "openocd::$TCL" -e "$M3_ELF" --for=8 -x "json:$work/back.json" >"$work/back.out" 2>"$work/back.said" &
watcher=$!
sleep 2
openocd_stop
sleep 1
openocd_start
wait "$watcher" || { cat "$work/back.said"; fail "it did not come back"; }
python3 - "$work/back.json" <<'END' || exit 1
import json
import sys

node = json.load(open(sys.argv[1]))["node"]
assert node["probe"]["trouble"] is None, node["probe"]
assert node["profiled_s"] < 7.5, node["profiled_s"]	# the pause is in none
assert node["profiled_s"] > 3, node["profiled_s"]
END
probe_stop

# --- what is in the way ---
for fault in "no-trace DEMCR.TRCENA does not stay set" "no-pcsr this core has no PC sample register" \
	"locked the processor runs and gives no PC"; do
	probe_start -f "${fault%% *}"
	! watch_for 3 "${fault%% *}" || fail "${fault%% *}: there were samples"
	grep -q "${fault#* }" "$work/${fault%% *}.said" || { cat "$work/${fault%% *}.said"; fail "$fault"; }
	probe_stop
done
probe_start -f no-cyccnt		# an M0
watch_for 3 m0 || fail "without CYCCNT there were no samples"
! grep -q calls_estimate "$work/m0.json" || fail "calls of a core whose clock nobody knows"
for seconds in 3 9 27; do		# a busy host's samples are few
	"$WSNTOP" -B -p "openocd::$TCL?clock=72M" -e "$M3_ELF" --for=$seconds -x "json:$work/m0.json" >/dev/null 2>"$work/said" ||
		{ cat "$work/said"; fail "?clock= is not taken"; }
	! grep -q calls_estimate_by "$work/m0.json" || break
done
python3 - "$work/m0.json" <<'END' || exit 1
import json
import sys

node = json.load(open(sys.argv[1]))["node"]
assert node["calls_estimate_by"] == "clock", node
assert abs(node["cycles_per_sample"] * node["hz"] / 72e6 - 1) < 0.01, node	# rates of two moments
END
echo ok
