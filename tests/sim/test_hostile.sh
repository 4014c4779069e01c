#!/bin/bash
# Nodes and others on a broker that are not to be believed: what a relay, and who watches, refuses, counts and says: another's
# HELLO under a topic, changes of epoch and of id that come too often, a clock that runs ahead, floods of bytes and of
# commands.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
liar_start() {	# KIND: a liar, and its relay with what it said in $TMP/KIND.said
	local port=$(free_port)
	python3 tests/sim/hostile.py "$1" "$port" 2>/dev/null & pids+=($!)
	for _ in $(seq 600); do
		! python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null || break
		sleep 0.1
	done
	"$WSNTOP" relay -p "tcp:127.0.0.1:$port" --to=mqtt://$HERE/"$1" --period=${2:-1} --spool="$TMP/spool.$1" 2>"$TMP/$1.said" & relay=$!
	pids+=($relay)
}
relay_end() {
	mosquitto_sub -p "$PORT" -t "$1/+/+/k" -C 1 >/dev/null	# it has published
	kill $relay
	wait $relay || { echo "$?"; cat "$TMP/$1.said"; fail "$1: the relay ended so"; } >&2
	cat "$TMP/$1.said"
}
keys() { mosquitto_sub -p "$PORT" -N -t "$1/+/$2/k" -C 1; }

liar_start epochs
await "changes of the epoch" "$TMP/epochs.said" "changes its epoch or its id more often than each 10 s: refused"
relay_end epochs >"$TMP/out"
grep -q "refused: 0 bytes, [1-9][0-9]* changes of epoch or id" "$TMP/out" || { cat "$TMP/out"; fail "epochs are not counted"; }

begun=$(date +%s)
liar_start ids
await "changes of the id" "$TMP/ids.said" "changes its epoch or its id more often"
for _ in $(seq 100); do mosquitto_pub -p "$PORT" -t x -m x; [ "$(grep -c ": node 0" "$TMP/ids.said")" -gt 8 ] && break; done
relay_end ids >"$TMP/out"
most=$((9 + ($(date +%s) - begun) / 10))	# six at once, and one each 10 s
[ "$(grep -c ": node 0000000.$" "$TMP/out")" -le $most ] || { cat "$TMP/out"; fail "a port is not barred"; }
grep -q "refused: [1-9][0-9]* bytes" "$TMP/out" || { cat "$TMP/out"; fail "a barred port's bytes are not counted"; }
# All in one batch, the broker away: what is refused is not decoded again, nor kept.
python3 tests/sim/hostile.py file "$TMP/ids.bin"
"$WSNTOP" relay -p "$TMP/ids.bin" --to=mqtt://127.0.0.1:1/x --spool="$TMP/spool.file" --for=2 2>"$TMP/out" || true
changes=$(sed -n 's/.*refused: [1-9][0-9]* bytes, \([0-9]*\) changes.*/\1/p' "$TMP/out")
[ "${changes:-99}" -le 16 ] || { tail -n 3 "$TMP/out"; fail "what is refused is decoded"; }
! grep -q "spool: [1-9]" "$TMP/out" || { tail -n 3 "$TMP/out"; fail "what is refused is kept"; }
echo "ok: epochs and ids that change too often are refused"

# Commands: a hundred for a keyframe are one a second. Two keyframes tell that a clock runs ahead.
liar_start clock 3600
begun=$(date +%s)
mosquitto_sub -p "$PORT" -R -t "clock/+/00000009/k" -F '%l' >"$TMP/keys" & pids+=($!)
topic=$(mosquitto_sub -p "$PORT" -t "clock/+/00000009/k" -C 1 -F %t)
for _ in $(seq 600); do
	[ "$(wc -l <"$TMP/keys")" -lt 4 ] || break
	for _ in $(seq 20); do echo key; done | mosquitto_pub -p "$PORT" -q 1 -t "${topic%/k}/cmd" -l
done
await "a clock that runs ahead" "$TMP/clock.said" "by its own clock: its times are not to be believed"
mosquitto_pub -p "$PORT" -q 1 -t "${topic%/k}/cmd" -m 'lease 99999999'
mosquitto_pub -p "$PORT" -q 1 -t "${topic%/k}/cmd" -m $'\x02\x01RESET'
relay_end clock >"$TMP/out"
spent=$(($(date +%s) - begun))
keys=$(wc -l <"$TMP/keys")
[ "$keys" -ge 4 ] && [ "$keys" -le $((spent + 3)) ] || fail "$keys keyframes in $spent s of commands"
echo "ok: $keys keyframes in $spent s of commands; a clock that runs ahead is marked"

liar_start flood
await "a flood" "$TMP/flood.said" "more than 2 MB a second: what is beyond is refused"
relay_end flood >"$TMP/out"
grep -q "refused: [1-9][0-9]* bytes" "$TMP/out" || { cat "$TMP/out"; fail "a flood is not counted"; }

# Who watches: another's keyframe under a topic.
"$NODE" --fast --seconds=6 --uart="$TMP/node.bin" "$FW/demo.elf" >/dev/null
"$WSNTOP" relay -p "$TMP/node.bin" --to=mqtt://$HERE/true 2>/dev/null || fail "no node"
keys true 00000000 >"$TMP/key"
mosquitto_pub -p "$PORT" -q 1 -r -t liar/25/00000007/k -f "$TMP/key"
mosquitto_pub -p "$PORT" -q 1 -r -t liar/25/00000008/k -s <<<"$(head -c 300000 /dev/zero | tr '\0' x)"
"$WSNTOP" -B -p "mqtt://$HERE/liar/+" -e "$FW/demo.elf" --for=6 -x "json:$TMP/liar.json" >"$TMP/said" 2>&1 || true
! grep -qs '"calls": *[1-9]' "$TMP"/liar.json* || fail "another's keyframe was believed"
grep -q "refused: another node's id under its topic" "$TMP/said" || { cat "$TMP/said"; fail "another's keyframe is not told"; }
"$WSNTOP" -B -p "mqtt://$HERE/true/+" -e "$FW/demo.elf" --for=6 -x "json:$TMP/true.json" >"$TMP/said" 2>&1 || fail "true"
grep -q '"calls": *[1-9]' "$TMP/true.json" || { cat "$TMP/said"; fail "its own is not believed"; }
echo "ok: a keyframe under another's topic is refused"
