#!/bin/bash
# Many live nodes on a broker: NODES (1,000) ports of one relay, each with RATE (1,920) bytes a second of a node's frames for
# SECONDS_LONG (40), and who watches all of them has every frame: no batch is lost, every node's calls are the count's. Prints
# what it takes. docs/FLEET.md has the figures.
. "$(dirname "$0")/../sim/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh
NODES=${NODES:-1000} SECONDS_LONG=${SECONDS_LONG:-40} WINDOW=10
. tests/sim/live_nodes.sh
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
nodes_start "$SECONDS_LONG"
relay_start relay
"$WSNTOP" -B -p "mqtt://$HERE/plant1/+" --nodes-memory=1000 -x "json:$TMP/out/live.json" >/dev/null 2>"$TMP/said" & watcher=$!
pids+=($watcher)
mosquitto_sub -V 5 -p "$PORT" -t 'plant1/+/+/w' -F '%U %t %P' >"$TMP/batches" & pids+=($!)
for _ in $(seq 600); do
	[ "$(cut -d' ' -f2 "$TMP/batches" | sort -u | wc -l)" != "$NODES" ] || break
	sleep 0.2
done
ticks() { for p in $relay $broker $watcher; do awk '{ print $14 + $15 }' "/proc/$p/stat"; done; }
before=($(ticks)) begin=$(date +%s%N)
sleep $WINDOW
after=($(ticks)) end=$(date +%s%N)
memory=$(awk '/^VmRSS/ { print int($2 / 1024) }' /proc/$watcher/status)
nodes_await "$SECONDS_LONG" 2
sleep 2
kill $watcher
wait $watcher || fail "the watcher ended with $?"
grep -q "^lost 0" "$TMP/made" || { cat "$TMP/made"; fail "a port's buffer was full"; }
grep -q ", 0 not sent" "$TMP/relay.said" || { tail -n 1 "$TMP/relay.said"; fail "batches were not sent"; }
python3 - "$TMP" "$NODES" "${before[*]}" "${after[*]}" $((end - begin)) "$memory" <<'END'
import glob
import json
import re
import sys

tmp, nodes, ns, memory = sys.argv[1], int(sys.argv[2]), int(sys.argv[5]), sys.argv[6]
calls = 0
live = glob.glob(f"{tmp}/out/*")
assert len(live) == nodes, len(live)
for path in live:
    told = json.load(open(path))
    truth = open("%s/truth.%d" % (tmp, told["node"]["id"] - 1))
    true = sum(int(line.split()[3]) for line in truth if line.startswith("site"))
    seen = sum(f["calls"] or 0 for f in told["functions"])
    assert seen == true, (path, seen, true)
    assert told["stream"]["lost"] == 0 and told["stream"]["damaged"] == 0, (path, told["stream"])
    calls += seen
last, batches, begun = {}, 0, {}
for line in open(f"{tmp}/batches"):
    at, topic, number = re.match(r"(\S+) (\S+) .*n:(\d+)", line).groups()
    assert int(number) == last.get(topic, int(number) - 1) + 1, line
    last[topic] = int(number)
    begun.setdefault(topic, float(at))
    batches += 1
relay, broker, watcher = ((int(b) - int(a)) / (ns / 1e9) for a, b in zip(sys.argv[3].split(), sys.argv[4].split()))
print("ok: %d live nodes, %d batches, %d calls, to the count, nothing lost; the last one was opened %.1f s behind the first; "
      "of a core: relay %.1f %%, broker %.1f %% (for two), watcher %.1f %%, with %s MB" %
      (nodes, batches, calls, max(begun.values()) - min(begun.values()), relay, broker, watcher, memory))
END
