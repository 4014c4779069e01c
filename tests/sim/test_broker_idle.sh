#!/bin/bash
# A node on a broker that sends nothing takes no processor time: one of which only `up` is known, and one whose broker went away
# when its lease was due.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
. tests/sim/broker.sh

broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
mosquitto_pub -p "$PORT" -r -t plant1/01/00000007/up -m relay || fail "up"
TIMEFORMAT="%U %S"
idle() {	# WHAT: three seconds until a keyframe is waited for no more, and six behind that
	{ time "$WSNTOP" -B --for=9 -p "mqtt://$HERE/plant1/00000007" >/dev/null 2>"$TMP/err" || true; } 2>"$TMP/time"
	awk -v what="$1" '{ took = $1 + $2 } END { print what ": " took " s"; exit !(took < 0.7) }' "$TMP/time" ||
		fail "$1: it does not wait, but spins"
}
idle "no keyframe"
(sleep 1.5; kill $broker) &
idle "no broker"
grep -q "no data came" "$TMP/err" || { cat "$TMP/err"; fail "the broker stayed"; }
echo "ok: a silent node takes no processor time"
