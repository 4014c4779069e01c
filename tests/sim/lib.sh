# For the tests here: the simulated node ($NODE), its firmware ($FW, $WORK), a directory of one's own
# ($TMP). Sourced; leaves the working directory at the top of the source.

set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tests/long.sh
O=${O:-build}
export WSNTOP
WSNTOP=${WSNTOP:-$PWD/$O/wsntop}
[ -x "$O/sim/avrnode" ] || O=build	# the sanitized build of wsntop has no node of its own
[ -x "$O/sim/avrnode" ] || make --no-print-directory sim firmware >/dev/null
NODE=$O/sim/avrnode
FW=$O/sim/firmware
WORK=$O/sim/workload
TMP=$(mktemp -d)
export PYTHONPATH=tests/sim PYTHONDONTWRITEBYTECODE=1
export XDG_CONFIG_HOME=$TMP/config XDG_STATE_HOME=$TMP/state	# not the user's settings

node_pid=
cleanup() {
	[ -z "$node_pid" ] || kill "$node_pid" 2>/dev/null || true
	wait
	rm -rf "$TMP"
}
trap cleanup EXIT

# run CHIP NAME [avrnode's options]: NAME.elf to its end. What UART 0 sent in $TMP/CHIP.NAME.bin, the
# truth in $TMP/CHIP.NAME.truth, how it ended in $TMP/CHIP.NAME.end. AS: another name for these files.
run() {
	local chip=$1 name=$2 as=${AS:-$1.$2}
	shift 2
	sim/watchdog "$NODE" --mcu="$chip" --fast --seconds=200 --uart="$TMP/$as.bin" \
		--truth="$TMP/$as.truth" "$@" "$WORK/$chip/$name.elf" >"$TMP/$as.end" || true
}

# ended NAME...: the firmware came to its end, instead of crashing or being stopped
ended() {
	local as
	for as in "$@"; do
		grep -q ', ended$' "$TMP/$as.end" || { echo "FAILED: $as did not end: $(cat "$TMP/$as.end")"; exit 1; }
	done
}

# export_json NAME ELF: what wsntop makes of that run, in $TMP/NAME.json
export_json() {
	"$WSNTOP" -B -p "file:$TMP/$1.bin" -f wsn -e "$2" -x "json:$TMP/$1.json" >/dev/null
}

# simulate NAME [avrnode's options]: $TMP/NAME.elf on CHIP, which must end
simulate() {
	local name=$1
	shift
	sim/watchdog "$NODE" --mcu=$CHIP --fast --seconds=60 --uart="$TMP/$name.bin" --truth="$TMP/$name.truth" "$@" \
		"$TMP/$name.elf" >"$TMP/$name.end" || true
	ended $name
}
