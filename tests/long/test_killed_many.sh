#!/bin/bash
# Killed under load, with -9: NODES (300) live nodes at one relay, two collectors of a group, and one who watches all; the
# relay, the broker and a collector go, one behind the other, and come back. What the other collector and the watcher have
# at the end is what the nodes counted, to the count.
. "$(dirname "$0")/../sim/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh
NODES=${NODES:-300} SECONDS_LONG=${SECONDS_LONG:-60}
. tests/sim/live_nodes.sh
. tests/tools/sites_elf.sh

broker() { broker_start "listener $PORT 127.0.0.1" "allow_anonymous true" "max_queued_messages $((10 * NODES))"; }
collector_start() {	# NAME: its process in $collector
	"$WSNTOP" collect mqtt://$HERE/plant1 --group=g -e "$TMP/sites.elf" --period=2 --summary="$TMP/$1.json" 2>"$TMP/$1.said" & collector=$!
	pids+=($collector)
}
gone() {	# PROCESS
	kill -9 "$1"
	wait "$1" || true
	sleep 3
}

sites_elf $SITES "$TMP/sites.elf" || { echo "skipped: no assembler"; exit 77; }
broker
nodes_start "$SECONDS_LONG" -e "$TMP/sites.elf"
collector_start stays
stays=$collector
collector_start goes
relay_start first --period=5
"$WSNTOP" -B -p "mqtt://$HERE/plant1/+" -x "json:$TMP/out/live.json" >/dev/null 2>"$TMP/said" & watcher=$!
pids+=($watcher)
sleep 8

gone $relay
relay_start second --period=5
sleep 5
gone $broker
broker
sleep 8
gone $collector
collector_start back
nodes_await "$SECONDS_LONG" 12	# the last keyframes
sleep 5
kill $watcher $stays $collector
for p in $watcher $stays $collector; do
	wait "$p" || { status=$?; tail -n 3 "$TMP"/*.said; fail "$p ended with $status"; }
done
python3 - "$TMP" "$NODES" <<'END'
import glob
import json
import sys

tmp, nodes = sys.argv[1], int(sys.argv[2])
true = {n: sum(int(line.split()[3]) for line in open(f"{tmp}/truth.{n - 1}") if line.startswith("site")) for n in range(1, nodes + 1)}
seen = {}
for path in glob.glob(f"{tmp}/out/*"):
    told = json.load(open(path))
    seen[told["node"]["id"]] = sum(f["calls"] or 0 for f in told["functions"])
assert seen == true, [(n, seen.get(n), true[n]) for n in true if seen.get(n) != true[n]][:5]
for name in "stays", "back":
    told = json.load(open(f"{tmp}/{name}.json"))
    calls = sum(f["calls"] or 0 for b in told["builds"] for f in b["functions"])
    assert sum(b["nodes"] for b in told["builds"]) == nodes, [b["nodes"] for b in told["builds"]]
    assert calls == sum(true.values()), (name, calls, sum(true.values()))
print("ok: relay, broker and a collector of %d live nodes killed: %d calls, to the count, of who watched and of both collectors" %
      (nodes, sum(true.values())))
END
