#!/bin/bash
# More nodes on a broker than are opened: 150 of them in the table of all nodes, by their keyframes alone; filter, groups,
# one that is opened with all views, one that is let go by its relay, and what a broker may send that is refused.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh
need_screen

broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
keyframe_made "$TMP/key.bin"
made() { "$O/tests/tools/fleet_made" "mqtt://$HERE/$1" "$2" 0 0 "$TMP/key.bin" >/dev/null || fail "the nodes"; }
say() { mosquitto_pub -p "$PORT" "$@"; }
made plant1 100
made plant2 50
cat >"$TMP/more" <<END
mosquitto_pub -p $PORT -r -t plant1/00/00100007/up -m 0
mosquitto_pub -p $PORT -t plant2/00/00000001/k -f $TMP/key.bin
mosquitto_pub -p $PORT -t plant2/00/00000002/k -m nonsense
mosquitto_pub -p $PORT -t plant3/00/00000003/hello -m nonsense
END
mkdir -p "$XDG_STATE_HOME/wsntop" && : >"$XDG_STATE_HOME/wsntop/welcomed"
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -p "mqtt://$HERE/+/+" -e "$FW/finite.elf" <<END || fail "the screen"
wait 150 nodes on the broker
keys (
wait 150 nodes: 150 live, 0 late, 0 offline, 0 unlike the others
wait finite.elf 150
wait messages/s
wait SITE     STATE
wait >19 s
# All at once: figures of rows are there when a column is sorted by.
wait fib
run sh $TMP/more
wait 150 nodes: 149 live, 0 late, 1 offline, 0 unlike the others, 2 messages refused
keys foffline<Enter>
wait 1 of 150 nodes: 0 live
wait 00100007
keys f
keys <C-u>plant2.*finite<Enter>
wait 50 of 150 nodes: 50 live
keys <Esc>
wait 150 nodes: 149 live
gone of 150
keys T
wait finite.elf: 150 nodes, 149 live, 0 unlike the others
keys T
wait plant1: 100 nodes, 99 live, 0 unlike the others
keys <End><PgUp><PgUp>
wait plant2: 50 nodes, 50 live, 0 unlike the others
keys T<Tab>
wait functions over 150 nodes of finite.elf
wait fib
keys <S-Tab>
keys f00100031 plant2<Enter>
wait 1 of 150 nodes
keys <Enter>
# Opened: its counts are those of the keyframe that is retained.
wait 00100031  node 2/2
wait fib
keys 9
wait mqtt://$HERE/plant
keys (
wait 150 nodes: 149 live
keys Q
exit 0
END
# With memory for less: said in a line, what is left out is counted, the rest is there.
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null --nodes-memory=1 -p "mqtt://$HERE/+/+" -e "$FW/finite.elf" <<'END' || fail "little memory"
wait the memory for all nodes is full (1 MB): more are left out; --nodes-memory=2 keeps more
keys (
wait messages beyond 1 MB left out
wait fib
gone 150 nodes:
keys Q
exit 0
END
# A site of few: each is open, and nothing is told of apart.
made plant4 20
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -p "mqtt://$HERE/plant4/+" -e "$FW/finite.elf" <<END || fail "few"
wait node 1/20
keys (
wait 20 nodes: 20 live, 0 unlike the others
wait finite.elf 20
wait ID        STATE
keys <Tab>
wait functions over 20 nodes of finite.elf
keys Q
exit 0
END
# A relay that is killed tells nothing itself: its last will does, for nodes that are open and for those that are not.
python3 tests/sim/served.py "$TMP/node.bin" 31 2 1 >"$TMP/ports" & pids+=($!)
until [ "$(wc -l <"$TMP/ports")" = 2 ]; do sleep 0.05; done
id=31
for site in plant4 plant1; do
	"$WSNTOP" relay -p "tcp:127.0.0.1:$(sed -n $((id - 30))p "$TMP/ports")" --to=mqtt://$HERE/$site --period=600 2>"$TMP/$site.said" & relay=$!
	pids+=($relay)
	await "the relay found no node" "$TMP/$site.said" ": node 000000$id"
	mosquitto_sub -p "$PORT" -t "$site/+/000000$id/k" -C 1 >"$TMP/key"
	name=$(mosquitto_sub -p "$PORT" -t "$site/+/000000$id/up" -C 1)
	say -r -t "wsn/relay/$name" -m 0	# as if an earlier connection of its own were found dead now
	until [ "$(mosquitto_sub -p "$PORT" -t "wsn/relay/$name" -C 1)" = 1 ]; do sleep 0.05; done
	"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -p "mqtt://$HERE/$site/+" -e "$FW/finite.elf" <<END || fail "the will, $site"
wait node
keys (
keys f000000$id<Enter>
wait 1 of
wait live  
run kill -9 $relay
gone live  
wait offline
run mosquitto_pub -p $PORT -r -t wsn/relay/$name -m 1
wait live  
keys Q
exit 0
END
	id=$((id + 1))
done
# A period of a second: nodes that fall silent are late after a few, not after those of a minute's.
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -p "mqtt://$HERE/+/+" -e "$FW/finite.elf" <<END || fail "late"
wait nodes on the broker
keys (
wait 0 late
run $O/tests/tools/fleet_made mqtt://$HERE/plant6 70 1 8 $TMP/key.bin >$TMP/made
wait 70 late
keys Q
exit 0
END
# One of many that runs: what only a node that is open tells, its load and what profiling costs it, stands in its row.
made plant7 64
"$NODE" --link="$TMP/tty" "$FW/demo.elf" >/dev/null 2>&1 &
pids+=($!)
until [ -e "$TMP/tty" ]; do sleep 0.05; done
"$WSNTOP" relay -p "$TMP/tty" --to="mqtt://$HERE/plant7" >"$TMP/relay" 2>&1 &
pids+=($!)
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -p "mqtt://$HERE/plant7/+" -e "$FW/finite.elf" -e "$FW/demo.elf" <<'END' || { cat "$TMP/relay"; fail "one that runs"; }
wait nodes on the broker
keys (
wait 65 nodes: 65 live
keys fdemo.elf<Enter>
wait 1 of 65 nodes: 1 live
wait  -     0
keys <Enter>
wait connected
wait fib
keys (
keys fdemo.elf<Enter>
wait 1 of 65 nodes: 1 live
gone  -     0
keys Q
exit 0
END
# The node that is recorded stays when of 65 that are open one is let go: it is still the first.
made plant5 1
each=$(for i in $(seq 2 64); do printf 'keys )\nwait node %d/64\n' "$i"; done)	# the first was left first then
"$screen" -s 160x30 "$WSNTOP" --config=/dev/null -r "$TMP/kept.wsn" -p "mqtt://$HERE/plant5/+" -e "$FW/finite.elf" <<END || fail "the record"
wait fib
run $O/tests/tools/fleet_made mqtt://$HERE/plant5 64 0 0 $TMP/key.bin >$TMP/made
wait node 1/64
run $O/tests/tools/fleet_made mqtt://$HERE/plant5 150 0 0 $TMP/key.bin >$TMP/made
keys (
wait 150 nodes: 150 live
keys <Esc>
$each
keys (
keys f00100061<Enter>
wait 1 of 150 nodes
keys <Enter>
wait 00100061  node 64/64
keys (
keys f00100000<Enter>
wait 1 of 150 nodes
keys <Enter>
wait 00100000  node 1/64
keys Q
exit 0
END
echo "ok: 150 nodes by their keyframes, one of them open; 20 nodes, all open; one that runs; a record goes on"
