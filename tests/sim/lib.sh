# For the tests here: the simulated node ($NODE), its firmware ($FW), a directory of one's own ($TMP).
# Sourced; leaves the working directory at the top of the source.

set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
O=${O:-build}
[ -x "$O/sim/avrnode" ] || O=build	# the sanitized build of wsntop has no node of its own
[ -x "$O/sim/avrnode" ] || make --no-print-directory sim firmware >/dev/null
NODE=$O/sim/avrnode
FW=$O/sim/firmware
TMP=$(mktemp -d)
export PYTHONPATH=tests/sim PYTHONDONTWRITEBYTECODE=1

node_pid=
cleanup() {
	[ -z "$node_pid" ] || kill "$node_pid" 2>/dev/null || true
	wait
	rm -rf "$TMP"
}
trap cleanup EXIT

# simulate NAME: run test-NAME.elf to its end; its UART in $TMP/NAME.txt, the truth in $TMP/NAME.truth
simulate() {
	timeout 120 "$NODE" --fast --seconds="${2:-60}" --uart="$TMP/$1.txt" --truth="$TMP/$1.truth" \
		"$FW/$1.elf" >"$TMP/$1.end"
	cat "$TMP/$1.end"
}

# ended NAME: the firmware came to its end, instead of being stopped
ended() {
	grep -q ', ended$' "$TMP/$1.end" || { echo "$1 did not end"; exit 1; }
}
