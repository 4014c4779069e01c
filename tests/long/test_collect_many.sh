#!/bin/bash
# `wsntop collect` and many nodes: NODES (1,000) with a keyframe each PERIOD (1) seconds, for SECONDS (20); Debian's
# Prometheus asks meanwhile: what it has at the end is the sum of all that was told, and no series has a node. Prints what a
# keyframe costs. docs/FLEET.md has the figures of 1,000 and of 100,000 nodes.
. "$(dirname "$0")/../sim/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh
for tool in prometheus promtool curl; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
NODES=${NODES:-1000} PERIOD=${PERIOD:-1} SECONDS_LONG=${SECONDS_LONG:-20}
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

"$NODE" --fast --seconds=60 --uart="$TMP/node.bin" "$FW/finite.elf" >"$TMP/node.end"
ended node
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true" "max_queued_messages $((2 * NODES))"	# as docs/FLEET.md has it
"$WSNTOP" relay -p "$TMP/node.bin" --to=mqtt://$HERE/made --spool="$TMP/spool" 2>/dev/null
mosquitto_sub -p "$PORT" -N -t 'made/+/+/k' -C 1 >"$TMP/key.bin"

"$WSNTOP" collect mqtt://$HERE/plant1 -e "$FW/finite.elf" --period=2 --listen=0 2>"$TMP/said" & collector=$!
pids+=($collector)
for _ in $(seq 100); do [ -s "$TMP/said" ] || sleep 0.1; done
await "no shards" "$TMP/said" "64 of 64 shards"
port=$(sed -n 's/.*at port \([0-9]*\),.*/\1/p' "$TMP/said") asked=$(free_port)
printf '%s\n' "global: {scrape_interval: 1s}" "scrape_configs:" "- job_name: wsntop" \
	"  static_configs: [{targets: ['127.0.0.1:$port']}]" >"$TMP/prometheus.yml"
promtool check config "$TMP/prometheus.yml" >/dev/null || fail "prometheus.yml"
prometheus --config.file="$TMP/prometheus.yml" --storage.tsdb.path="$TMP/tsdb" --web.listen-address=127.0.0.1:$asked \
	2>"$TMP/prometheus.said" & pids+=($!)
sleep 5		# all shards are asked for, one behind the other
ticks() { awk '{ print $14 + $15 }' "/proc/$1/stat"; }
before=$(ticks $collector) broker_before=$(ticks $broker)
"$O/tests/tools/fleet_made" mqtt://$HERE/plant1 "$NODES" "$PERIOD" "$SECONDS_LONG" "$TMP/key.bin" >"$TMP/made" ||
	fail "the nodes"
read -r _ true _ messages _ <"$TMP/made"
query() { curl -s -G "http://127.0.0.1:$asked/api/v1/query" --data-urlencode "query=$1"; }
value() { query "$1" | python3 -c 'import json, sys; r = json.load(sys.stdin)["data"]["result"]; print(int(float(r[0]["value"][1])) if r else 0)'; }
for _ in $(seq 600); do
	[ "$(value 'sum(wsntop_fleet_function_calls_total)')" != "$true" ] || break
	sleep 0.2
done
seen=$(value 'sum(wsntop_fleet_function_calls_total)')
[ "$seen" = "$true" ] || { cat "$TMP/said" "$TMP/prometheus.said"; fail "Prometheus has $seen calls of $true"; }
[ "$(value 'sum(wsntop_fleet_nodes)')" = "$NODES" ] || fail "$(value 'sum(wsntop_fleet_nodes)') nodes"
curl -s "http://127.0.0.1:$port/metrics" >"$TMP/metrics"
promtool check metrics <"$TMP/metrics" || fail "promtool check metrics"
query 'wsntop_fleet_function_calls_total' | python3 -c '
import json, sys
for series in json.load(sys.stdin)["data"]["result"]:
    labels = set(series["metric"])
    assert labels == {"__name__", "instance", "job", "site", "build", "image", "function", "file"}, labels'
used=$((($(ticks $collector) - before) * 10000000 / messages / 1000)) broker_used=$((($(ticks $broker) - broker_before) * 10000000 / messages / 1000))
echo "ok: $NODES nodes, $messages keyframes, $true calls, to the count: $used us a keyframe here, $broker_used in the broker;" \
	"$(awk '/VmRSS/ { print $2 }' /proc/$collector/status) KB, $(wc -l <"$TMP/metrics") lines, $(wc -c <"$TMP/metrics") bytes of metrics"
kill $collector
wait $collector || fail "the collector ended with $?"
