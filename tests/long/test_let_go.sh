#!/bin/bash
# Of more nodes than are opened one that somebody opened is let go five minutes after it was left: its row stays, and
# nobody asks its relay for bytes any more. One that has a baseline stays.
. "$(dirname "$0")/../sim/lib.sh"
. "$(dirname "$0")/../sim/broker.sh"
cd "$(dirname "$0")/../.." || exit 1
need_screen

broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
keyframe_made "$TMP/key.bin"
"$O/tests/tools/fleet_made" "mqtt://$HERE/plant1" 100 0 0 "$TMP/key.bin" >/dev/null || fail "the nodes"
mosquitto_sub -p "$PORT" -t 'plant1/+/+/cmd' -F '%t' >"$TMP/asked" & pids+=($!)
mkdir -p "$XDG_STATE_HOME/wsntop" && : >"$XDG_STATE_HOME/wsntop/welcomed"
open_row() {	# ID NUMBER: by the table of all
	printf 'keys (\nwait 100 nodes\nkeys f%s<Enter>\nwait 1 of 100 nodes\nkeys <Enter>\nwait %s  node %s\n' "$1" "$1" "$2"
}
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -p "mqtt://$HERE/plant1/+" -e "$FW/finite.elf" <<END || fail "the screen"
wait 100 nodes on the broker
wait fib
$(open_row 00100031 2/2)
wait fib
keys b<Enter>
$(open_row 00100032 3/3)
wait fib
$(open_row 00100033 4/4)
pause 320000
wait 00100033  node 2/2
run wc -l <$TMP/asked >$TMP/before; sleep 25; sed 1,\$(cat $TMP/before)d $TMP/asked >$TMP/later
keys (
wait 100 nodes:
keys f00100032<Enter>
wait 1 of 100 nodes
wait 00100032
keys Q
exit 0
END
grep -q 00100033 "$TMP/later" || fail "nobody asks for the node that is shown"
grep -q 00100031 "$TMP/later" || fail "nobody asks for the node that has a baseline"
! grep -q 00100032 "$TMP/later" || fail "its relay is still asked for the node that was let go"
echo "ok: of four that were open two are left: the one that is shown, the one with a baseline"
