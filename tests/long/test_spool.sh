#!/bin/bash
# What a relay keeps while its broker is away: the broker is killed, the node goes on and is reset, the relay is killed, too,
# and started again, the broker comes back. Who subscribes has the counts of both epochs then, to the call, and who listened
# before has all that the node sent. Until then the spool is a recording.
. "$(dirname "$0")/../sim/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh
RESET=24000000	# 3 s

# The node sends the same each time: all of it, and what it had sent when it was reset.
"$NODE" --fast --seconds=60 --reset=$RESET --truth="$TMP/truth" --uart="$TMP/whole.bin" "$FW/finite.elf" >"$TMP/whole.end"
ended whole
"$NODE" --fast --cycles=$RESET --uart="$TMP/first.bin" "$FW/finite.elf" >/dev/null

relay_start() {	# NAME
	"$WSNTOP" relay -p "$TMP/port" --to=mqtt://$HERE/a --period=2 --spool="$TMP/spool" 2>"$TMP/$1.said" & relay=$!
	pids+=($relay)
}
lines() { wc -l <"$1"; }
more() {	# WHAT, FILE, LINES: it has more than so many
	for _ in $(seq 1200); do
		[ "$(lines "$2")" -le "$3" ] || return 0
		sleep 0.05
	done
	fail "$1"
}
settled() {	# FILE...: they do not grow any more
	local same=0 size before=
	while [ $same -lt 4 ]; do
		sleep 0.3
		size=$(cat "$@" | wc -c)
		same=$((size == ${before:--1} ? same + 1 : 0)) before=$size
	done
}

broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
for leaf in k w; do
	mosquitto_sub -V 5 -p "$PORT" -q 1 -t "a/+/+/$leaf" -t probe -F '%t %P %x' >"$TMP/$leaf" 2>/dev/null & pids+=($!)
done
"$NODE" --link="$TMP/port" --wait --reset=$RESET "$FW/finite.elf" >"$TMP/node.end" & node=$!
pids+=($node)
for _ in $(seq 600); do [ -e "$TMP/port" ] || sleep 0.05; done
relay_start one
await "the relay found no node" "$TMP/one.said" ": node 00000000"
"$WSNTOP" -B -p "mqtt://$HERE/a/+" -e "$FW/finite.elf" -x "json:$TMP/live.json" >"$TMP/seen" 2>&1 & watcher=$!
more "nobody listens" "$TMP/w" 0

# The broker goes, the node is reset, the relay is killed, and started again.
kill -STOP $node
settled "$TMP/w"
kill -9 $broker
await "the relay does not see that the broker is away" "$TMP/one.said" "trying again"
kill -CONT $node
await "no epoch ended" "$TMP/one.said" "epoch 1 ended"
kill -STOP $node
settled "$TMP"/spool/*/*.wsnrec
kill -9 $relay
wait $relay || true
relay_start two
await "the relay does not see that the broker is away" "$TMP/two.said" "trying again"
kill -CONT $node
await "the relay found no node again" "$TMP/two.said" "/port: node 00000000"
folder=$TMP/spool/00000000
[ -n "$(ls "$folder"/*.wsnrec)" ] || fail "nothing is kept"
"$WSNTOP" -B -p "$folder" -e "$FW/finite.elf" -x "json:$TMP/spool.json" >"$TMP/said" 2>&1 || { cat "$TMP/said"; fail "the spool is no recording"; }
! "$WSNTOP" relay -p /dev/null --to=mqtt://$HERE/a --spool="$TMP/spool" 2>"$TMP/said" || fail "two relays, one spool"
grep -q "another relay spools into it" "$TMP/said" || fail "two relays, one spool"

# It is back; those who subscribe are there first.
kill -STOP $relay
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
k=$(lines "$TMP/k") w=$(lines "$TMP/w")
for leaf in k w; do
	for _ in $(seq 1200); do
		mosquitto_pub -p "$PORT" -t probe -m x
		grep -q ^probe "$TMP/$leaf" && break
		sleep 0.1
	done
done
kill -CONT $relay
await "the relay does not come back" "$TMP/two.said" ": connected"
wait $node || fail "the node did not end"
ended node
more "no keyframe" "$TMP/k" "$((k + 3))"
more "no bytes" "$TMP/w" "$((w + 1))"
for _ in $(seq 1200); do [ ! -e "$folder" ] || sleep 0.1; done
[ ! -e "$folder" ] || { cat "$TMP/two.said"; fail "the spool is not drained"; }
kill $relay
wait $relay || { cat "$TMP/two.said"; fail "the relay ended with $?"; }
kill $watcher
wait $watcher || { cat "$TMP/seen"; fail "the watcher ended otherwise"; }
cat "$TMP/two.said"

python3 - "$TMP" <<'END'
import json
import sys

from truth import Truth, check, check_calls, rows_of_node, rows_of_json
import wsn

tmp = sys.argv[1]


def messages(leaf):
    for line in open(f"{tmp}/{leaf}"):
        topic, rest = line.rstrip("\n").split(" ", 1)
        if topic != "probe":
            said, _, data = rest.rpartition(" ")
            yield dict(p.split(":", 1) for p in said.split()), bytes.fromhex(data)


def calls(node):
    return {key: row.calls for key, row in node.sites().items() if row.calls}


truth, whole, first = Truth(f"{tmp}/truth"), open(f"{tmp}/whole.bin", "rb").read(), open(f"{tmp}/first.bin", "rb").read()
epochs = {}
for said, data in messages("k"):
    key = wsn.Node(data)
    if key.hello:
        epochs[key.hello.epoch] = key
check(sorted(epochs) == [1, 2], f"keyframes of two epochs: {sorted(epochs)}")
check(calls(epochs[1]) == calls(wsn.Node(first)),
      f"the epoch that ended meanwhile: {sum(calls(epochs[1]).values())} calls, all that the node had sent")
late = [data for said, data in messages("w") if said.get("s")]
sent = b"".join(data for said, data in messages("w"))
check(sum(map(len, late)) > 15000 and late[0][:200] in whole, f"{sum(map(len, late))} bytes out of the spool")
node = wsn.Node(sent)
gap = wsn.Node(whole).lost_frames	# frames are counted from 0 behind the reset
lost = node.lost_frames - gap
check(lost in (0, 1), f"who listened has every frame but one that the kill cut: {sum(node.frames.values())}, {lost} lost")
rows, told = rows_of_node(node), rows_of_node(epochs[2])
check_calls(rows, truth.sites, "by these")
# Rows of a frame that the kill cut come once more; a site is believed when it comes the second time.
held = {site: rows[site] for site in rows.keys() - told.keys()}
check(len(held) <= 8, f"{len(held)} sites were told but once")
check_calls({**told, **held}, truth.sites, "the epoch after it, with these")
out, rows = rows_of_json(f"{tmp}/live.json", 8000000)
check_calls(rows, truth.sites, "wsntop, over it all")
END
