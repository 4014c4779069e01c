# Live nodes without firmware (tests/tools/load_made), at the ports of one relay. Sourced behind lib.sh and broker.sh.
SITES=75 RATE=${RATE:-1920}	# bytes a second: 30 frames

# Their process is in $nodes, their ports are -p of each in ${ports[@]}; what they counted will be in $TMP/truth.N. Bytes flow
# when all ports are open.
nodes_start() {	# seconds, options of load_made...
	local seconds=$1 made=$O/tests/tools/load_made i
	shift
	[ -x "$made" ] || { echo "skipped: no load_made: make tools"; exit 77; }
	mkdir "$TMP/ports" "$TMP/out"
	"$made" -n "$NODES" -s $SITES "$@" -r "$RATE" -b $((RATE * seconds)) -t "$TMP/truth" "$TMP/ports" 2>"$TMP/made" & nodes=$!
	pids+=($nodes)
	until [ -e "$TMP/ports/node$((NODES - 1))" ]; do kill -0 $nodes || fail "no ports"; sleep 0.1; done
	ports=()
	for ((i = 0; i < NODES; i++)); do ports+=(-p "$TMP/ports/node$i"); done
}
relay_start() {	# NAME, options...: its process in $relay, what it says in $TMP/NAME.said
	local name=$1
	shift
	"$WSNTOP" relay "${ports[@]}" --to=mqtt://$HERE/plant1 "$@" 2>"$TMP/$name.said" & relay=$!
	pids+=($relay)
	await "the relay found no node" "$TMP/$name.said" ": node $(printf %08x "$NODES")"
}
# All is sent; and for as long as it takes until it is there, the relay goes on.
nodes_await() {	# seconds that they have, seconds behind their end
	local i
	[ ! -s "$TMP/made" ] || fail "the nodes ended too soon: SECONDS_LONG is too short here"
	for ((i = 0; i < 50 * $1; i++)); do [ -s "$TMP/truth.$((NODES - 1))" ] || sleep 0.2; done
	sleep "$2"
	kill $relay
	wait $relay || fail "the relay ended with $?"
	wait $nodes || fail "the nodes"
}
