#!/bin/bash
# Commands over a broker: a relay that is allowed to hands them to its node, those of the screen and those of others, and
# nothing else; one that is not hands on none, and the screen says so.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/broker.sh"
SCREEN=build/tests/tools/screen

broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
declare -A node_of
relay_start() {	# SITE [OPTION]: a node of its own, and its relay with what it said in $TMP/SITE.said
	local site=$1
	shift
	"$NODE" --leash --link="$TMP/$site" "$FW/demo.elf" >/dev/null & node_of[$site]=$!
	pids+=($!)
	until [ -e "$TMP/$site" ]; do sleep 0.05; done
	"$WSNTOP" relay -p "$TMP/$site" --to=mqtt://$HERE/$site --period=1 "$@" 2>"$TMP/$site.said" & relay=$!
	pids+=($relay)
	topic=$(mosquitto_sub -p "$PORT" -t "$site/+/+/k" -C 1 -F %t)
	topic=${topic%/k}/order
}
command() {	# KIND SEQ...: their frames
	PYTHONPATH=tests/sim python3 -c '
import sys, wsn
sys.stdout.buffer.write(b"".join(wsn.frame(int(sys.argv[1]), int(seq)) for seq in sys.argv[2:]))' "$@"
}
sent() { mosquitto_pub -p "$PORT" -q 1 -t "$topic" -s; }
wsntop_at() {	# SITE: keys and what is to be seen, on standard input
	"$SCREEN" -s 100x30 "$WSNTOP" -p "mqtt://$HERE/$1/+" -e "$FW/demo.elf"
}

relay_start may --allow-commands
[ "$(mosquitto_sub -p "$PORT" -t 'may/+/+/up' -C 1 | grep -c ' commands$')" = 1 ] || fail "that commands are taken is not told"
wsntop_at may <<'END'
wait crc16_add
keys R<Down><Enter>
wait : reset
keys q
END
await "the reset of the screen does not come" "$TMP/may.said" ": command 18"
# A node keeps one frame from poll to poll: it may miss some.
for seq in $(seq 200); do
	command 18 $seq | sent
	! grep -q "epoch [12] ended" "$TMP/may.said" || break
	sleep 0.3
done
grep -q "epoch [12] ended" "$TMP/may.said" || { cat "$TMP/may.said"; fail "the node is not reset"; }
echo "ok: commands of the screen and of others reach the node"

# Another check, another type, a frame of the node's own, text, and more of them than the node can take.
{ command 18 9 | head -c 4; printf 'x\0'; } | sent
for kind in 1 24 31; do command $kind 9 | sent; done
echo RESET | sent
await "what is none is not refused" "$TMP/may.said" "a command is refused: it is none of the protocol"
command 21 $(seq 40) >"$TMP/many"
for _ in 1 2 3; do sent <"$TMP/many"; done
kill $relay
wait $relay || true
awk '/ commands? sent to nodes/ { found = $3 > 2 && $8 >= 8 } END { exit !found }' "$TMP/may.said" ||
	{ tail -n 5 "$TMP/may.said"; fail "commands are not counted"; }
! grep -q "command \([0-9]\|1[0-5]\|2[4-9]\|3[0-9]\)$" "$TMP/may.said" || fail "what is no command was sent"
echo "ok: nothing else does"

kill "${node_of[may]}"

relay_start not
for seq in $(seq 5); do command 18 $seq | sent; done
await "it is not refused" "$TMP/not.said" "a command is refused: none are allowed here"
wsntop_at not <<'END'
wait crc16_add
keys R<Down><Enter>
wait can only be read; command not sent
keys q
END
kill $relay
wait $relay || true
grep -q "0 commands sent to nodes, 5 refused" "$TMP/not.said" || { cat "$TMP/not.said"; fail "a relay that may not"; }
! grep -q "epoch 1 ended" "$TMP/not.said" || fail "the node was reset"
echo "ok: where none are allowed the node hears none"
