#!/bin/bash
# `wsntop collect`: seven nodes behind relays, three collectors that share them; one is killed, then the broker (it keeps
# nothing), then another one; each node is reset on its way. The sum is the nodes' own count, over both epochs, to the call;
# so is what is retained.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/broker.sh"
RESET=24000000	# 3 s of 21
NODES=7		# odd: nothing comes out right by chance

"$NODE" --fast --seconds=60 --reset=$RESET --uart="$TMP/whole.bin" "$FW/finite.elf" >"$TMP/whole.end"
ended whole
"$NODE" --fast --cycles=$RESET --uart="$TMP/first.bin" "$FW/finite.elf" >/dev/null
for epoch in first whole; do	# of a stream the last epoch is shown
	"$WSNTOP" -B -f wsn -p "file:$TMP/$epoch.bin" -e "$FW/finite.elf" -x "json:$TMP/$epoch.json" >/dev/null
done
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
python3 tests/sim/served.py "$TMP/whole.bin" 11 $NODES 20 >"$TMP/ports" & pids+=($!)

mosquitto_sub -p "$PORT" -V 5 --retain-as-published -q 1 -t 'plant1/+/+/k' -F '%t %r %P' >"$TMP/keys" & pids+=($!)

declare -A collector
collect_start() {	# NAME
	"$WSNTOP" collect mqtt://$HERE/plant1 --group=eu -e "$FW/finite.elf" --period=1 --listen=0 -x "json:$TMP/$1.json" \
		2>"$TMP/$1.said" & collector[$1]=$!
	pids+=($!)
}
for name in a b c; do collect_start $name; done
for name in a b c; do await "$name does not see the others" "$TMP/$name.said" "group eu: 3 members"; done
for _ in $(seq 600); do [ "$(wc -l <"$TMP/ports")" -lt $NODES ] || break; sleep 0.05; done
"$WSNTOP" relay $(sed 's/^/-p tcp:127.0.0.1:/' "$TMP/ports") --to=mqtt://$HERE/plant1 --period=2 --spool="$TMP/spool" \
	2>"$TMP/relay.said" & relay=$!
pids+=($relay)

# Each keyframe has a time of its own: of which epochs the collectors know is what they say themselves.
ended_now() {	# NAME: the epochs that are over, in its metrics
	local port=$(sed -n 's/.*at port \([0-9]*\),.*/\1/p' "$TMP/$1.said")
	python3 - "$port" <<'END'
import sys, urllib.request
text = urllib.request.urlopen(f"http://127.0.0.1:{sys.argv[1]}/metrics").read().decode()
print(sum(int(float(x.split()[-1])) for x in text.splitlines() if x.startswith("wsntop_fleet_epochs_ended_total{")))
END
}
until_ended() {	# NAME WHAT
	for _ in $(seq 120); do [ "$(ended_now "$1")" != $NODES ] || return 0; sleep 0.5; done
	cat "$TMP"/?.said "$TMP/relay.said"
	fail "$2: $(ended_now "$1") of $NODES epochs are over"
}
until_ended b "before anything was killed"
# The last keyframe of an epoch (s:1) stays retained: the next one, of the epoch that began, is not.
awk '$1 in ended { if ($2) exit bad = 1; held[$1] = 1; delete ended[$1] } / s:1/ { ended[$1] = 1; if (!$2) exit bad = 1 }
	END { exit bad || length(held) != '$NODES' }' "$TMP/keys" || { cat "$TMP/keys"; fail "what is retained behind an epoch"; }
kill -9 ${collector[a]}
wait ${collector[a]} 2>/dev/null || true
await "a is still a member" "$TMP/b.said" "group eu: 2 members"
sleep 4
until_ended c "one collector is gone"
kill -9 $broker
wait $broker 2>/dev/null || true
sleep 1
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
for name in b c; do
	for _ in $(seq 600); do [ "$(grep -c ": connected" "$TMP/$name.said")" -lt 2 ] || break; sleep 0.05; done
done

calls() {	# FILE...: their sum
	python3 -c '
import json, sys
print(sum(f["calls"] or 0 for name in sys.argv[1:] for f in json.load(open(name))["functions"]))' "$@"
}
true=$(($(calls "$TMP/first.json" "$TMP/whole.json") * NODES))
for name in b c; do	# of all, and of what is told while they are
	for _ in $(seq 120); do [ "$(calls "$TMP/$name"-plant1-*.json)" != $true ] || break; sleep 0.5; done
done
# Of two the last one has what the other told again when the broker was back.
cp "$TMP"/b-plant1-*.json "$TMP/b-before.json"
kill -9 ${collector[b]}
wait ${collector[b]} 2>/dev/null || true
for _ in $(seq 600); do ! tail -n 1 "$TMP/c.said" | grep -q "group eu: 1 member" || break; sleep 0.05; done
sleep 8
for _ in $(seq 60); do [ "$(calls "$TMP/c"-plant1-*.json)" != $true ] || break; sleep 0.5; done
mosquitto_sub -p "$PORT" -t 'wsn/sum/eu/+' -W 3 -N -F '%p' 2>/dev/null >"$TMP/sums" || true
kill ${collector[c]}
wait ${collector[c]} || { cat "$TMP/c.said"; fail "c ended with $?"; }
[ "$(ls "$TMP"/c-*.json)" = "$TMP/c-plant1-$(sed -n 's/.*"build":"sum [0-9a-f]* [0-9a-f]* \([0-9a-f]*\)".*/\1/p' "$TMP/sums" | head -1).json" ] ||
	{ ls "$TMP"; fail "the build's name"; }
python3 - "$TMP" $NODES <<'END'
import glob
import json
import sys

import wsn

tmp, nodes = sys.argv[1], int(sys.argv[2])


def functions(path, key):
    return {(f["name"], f["address"]): f[key] or 0 for f in json.load(open(path))["functions"]}


true, ticks = {}, {}
for name in ("first", "whole"):
    for function, x in functions(f"{tmp}/{name}.json", "calls").items():
        true[function] = true.get(function, 0) + nodes * x
    node = wsn.Node(open(f"{tmp}/{name}.bin", "rb").read())
    for (caller, callee), row in node.sites().items():  # less what the hooks add to each call, as HELLO says
        ticks[caller, callee] = ticks.get((caller, callee), 0) + nodes * max(0, int(row.total - node.hello.skew * row.calls))
for name in ("b", "c"):
    path = f"{tmp}/b-before.json" if name == "b" else glob.glob(f"{tmp}/c-plant1-*.json")[0]
    seen = functions(path, "calls")
    assert seen == true, (name, {k: (seen.get(k), v) for k, v in true.items() if seen.get(k) != v})

# What is retained: texts one behind the other.
text, at, seen = open(f"{tmp}/sums").read(), 0, {}
decoder, kept = json.JSONDecoder(), {"nodes": 0, "ended": 0, "calls": 0}
while at < len(text):
    one, at = decoder.raw_decode(text, at)
    at += len(text[at:]) - len(text[at:].lstrip())
    for part in one["parts"]:
        kept["nodes"] += part["nodes"]
        kept["ended"] += part["ended"]
        for row in (row.split() for row in part["rows"]):
            key = int(row[1], 16), int(row[2], 16)
            seen[key] = seen.get(key, 0) + int(row[4])
            kept["calls"] += int(row[3])
assert kept == {"nodes": nodes, "ended": nodes, "calls": sum(true.values())}, (kept, sum(true.values()))
seen, ticks = ({k: x for k, x in all.items() if x} for all in (seen, ticks))
assert seen == ticks, {k: (seen.get(k), v) for k, v in ticks.items() if seen.get(k) != v}
print(f"ok: {nodes} nodes, {len(true)} functions, {sum(true.values())} calls over two epochs each, to the count; {sum(ticks.values())} ticks of {len(ticks)} call sites, to the tick")
END
