# For the tests over a broker: mosquitto on a port of its own ($PORT, $HERE), and waiting for what is said. Sourced behind
# lib.sh; skips where a program is missing, or wsntop was built without libmosquitto.
fail() { echo "FAILED: $*"; exit 1; }
PATH=$PATH:/usr/sbin
for tool in mosquitto mosquitto_sub mosquitto_pub openssl python3; do
	command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
"$WSNTOP" relay -p /dev/null --to=mqtt://127.0.0.1:1/x --for=1 2>&1 | grep -q "built without MQTT" &&
	{ echo "skipped: built without libmosquitto"; exit 77; }

pids=()
finish() {
	[ ${#pids[@]} = 0 ] || { kill "${pids[@]}"; kill -CONT "${pids[@]}"; } 2>/dev/null || true
	cleanup
}
trap finish EXIT
PORT=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
HERE=127.0.0.1:$PORT

broker_start() {	# lines of its settings
	printf '%s\n' "user $(id -un)" "$@" >"$TMP/broker.conf"
	mosquitto -c "$TMP/broker.conf" >>"$TMP/broker.log" 2>&1 &
	broker=$!
	pids+=($broker)
	for _ in $(seq 600); do
		! (: <"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null || return 0
		kill -0 $broker 2>/dev/null || { cat "$TMP/broker.log"; fail "no broker"; }
		sleep 0.05
	done
	fail "no broker"
}
await() {	# WHAT, FILE, TEXT
	for _ in $(seq 1200); do
		! grep -q "$3" "$2" || return 0
		sleep 0.05
	done
	cat "$2"
	fail "$1"
}
# A keyframe of finite.elf, as a relay publishes it, for fleet_made; what its node counted is in $TMP/node.end.
keyframe_made() {	# FILE
	"$NODE" --fast --seconds=60 --uart="$TMP/node.bin" "$FW/finite.elf" >"$TMP/node.end"
	ended node
	"$WSNTOP" relay -p "$TMP/node.bin" --to=mqtt://$HERE/made/one --spool="$TMP/spool" 2>/dev/null
	mosquitto_sub -p "$PORT" -N -t 'made/one/+/+/k' -C 1 >"$1"
}
# The reader of the screen, where the sanitized build has none.
need_screen() {
	screen=$O/tests/tools/screen
	[ -x "$screen" ] || screen=build/tests/tools/screen
	[ -x "$screen" ] || { echo "skipped: no screen reader; make tools"; exit 77; }
}
