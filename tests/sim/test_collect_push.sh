#!/bin/bash
# `wsntop collect --push`: what came since it began, as a profile of the build and the site, to a server that is not there at
# first; its counts are the node's. --rules: what fails is said, and is the exit status.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/broker.sh"
unset http_proxy all_proxy ALL_PROXY WSNTOP_PUSH_TOKEN
[ "$("$O/tests/tools/push_made" http://127.0.0.1:1 0 0 2>&1 | grep -cE "built without|is needed")" = 0 ] || { echo "skipped: no libcurl"; exit 77; }

"$NODE" --fast --seconds=60 --uart="$TMP/node.bin" "$FW/finite.elf" >"$TMP/node.end"
ended node
"$WSNTOP" -B -f wsn -p "file:$TMP/node.bin" -e "$FW/finite.elf" -x "json:$TMP/true.json" >/dev/null
python3 tests/sim/renumber.py "$TMP/node.bin" 21 "$TMP/21.bin"
python3 tests/sim/served.py "$TMP/node.bin" 22 1 20 >"$TMP/port" & pids+=($!)	# as fast as it ran
mkdir "$TMP/pushed"
python3 tests/sim/pyroscope.py "$TMP/pushed" >"$TMP/server" & pids+=($!)
for _ in $(seq 600); do [ -s "$TMP/server" ] || sleep 0.05; done
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
printf '%s\n' 'crc16 calls <= 10' '*_task calls >= 1' >"$TMP/rules"
"$WSNTOP" collect mqtt://$HERE/plant1 -e "$FW/finite.elf" --period=1 --push="http://127.0.0.1:$(head -1 "$TMP/server")" \
	--push-period=1 --rules "$TMP/rules" -x "json:$TMP/fleet.json" 2>"$TMP/said" & collector=$!
pids+=($collector)
for _ in $(seq 100); do [ -s "$TMP/said" ] || sleep 0.05; done
await "it is not connected" "$TMP/said" "64 of 64 shards"
"$WSNTOP" relay -p "$TMP/21.bin" --to=mqtt://$HERE/plant1 --spool="$TMP/spool" 2>/dev/null
await "the sum breaks no rule" "$TMP/said" "failed: crc16 calls"
sleep 3	# two periods: it has begun to push
[ ! -e "$TMP/pushed/1.json" ] || fail "it pushed what was before it"
"$WSNTOP" relay -p "tcp:127.0.0.1:$(cat "$TMP/port")" --to=mqtt://$HERE/plant1 --period=3 2>/dev/null & pids+=($!)
await "nothing was pushed" "$TMP/server" "taken 1"
await "503 is not said" "$TMP/said" "status 503; trying again"
calls() { python3 -c 'import json, sys; print(sum(f["calls"] or 0 for f in json.load(open(sys.argv[1]))["functions"]))' "$1"; }
for _ in $(seq 120); do [ "$(calls "$TMP"/fleet-plant1-*.json)" != $((2 * $(calls "$TMP/true.json"))) ] || break; sleep 0.5; done
kill $collector
wait $collector && fail "no rule failed" || [ $? = 3 ] || fail "ended with another status"
grep -q "[2-9] profiles pushed, 0 dropped" "$TMP/said" || { cat "$TMP/said"; fail "the end"; }
[ "$(grep -c "failed: " "$TMP/said")" = 1 ] || { cat "$TMP/said"; fail "a failure is not said once"; }

for file in "$TMP"/pushed/*.pb.gz; do
	"$WSNTOP" convert "$file" -x "json:$file.json" || fail "a profile is not read back"
	! command -v go >/dev/null || go tool pprof -raw "$file" >"$file.raw" 2>"$TMP/pprof.said" || { cat "$TMP/pprof.said"; fail "go tool pprof"; }
done
python3 - "$TMP" <<'END'
import glob
import json
import re
import sys

tmp = sys.argv[1]


def calls(*paths):
    sums = {}
    for f in (f for path in paths for f in json.load(open(path))["functions"]):
        sums[f["name"]] = sums.get(f["name"], 0) + (f["calls"] or 0)
    return {name: n for name, n in sums.items() if n}


for path in glob.glob(f"{tmp}/pushed/*[0-9].json"):
    labels = json.load(open(path))
    build = labels.pop("build")
    assert re.fullmatch("[0-9a-f]{8}", build) and json.load(open(f"{tmp}/fleet-plant1-{build}.json")), build
    assert labels == {"__name__": "process_cpu", "service_name": "finite.elf", "site": "plant1"}, labels
true, pushed = calls(f"{tmp}/true.json"), calls(*glob.glob(f"{tmp}/pushed/*.gz.json"))
assert pushed == true, {k: (pushed.get(k), v) for k, v in true.items() if pushed.get(k) != v}
total = 0
for path in glob.glob(f"{tmp}/pushed/*.raw"):
    lines = open(path).read().split("Samples:")[1].split("Locations")[0].splitlines()
    assert lines[1].split()[1].startswith("calls/count"), lines[1]
    total += sum(int(m[1]) for m in (re.match(r"\s*\d+\s+(\d+)\s+\d+:", line) for line in lines) if m)
assert total in (0, sum(true.values())), (total, sum(true.values()))
print(f"ok: {len(true)} functions, {sum(true.values())} calls pushed{', go tool pprof reads the same' if total else ''}")
END
