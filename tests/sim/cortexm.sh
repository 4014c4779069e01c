# For the tests of the Cortex-M node: its images ($FW), a directory of one's own ($TMP). Sourced; leaves the working
# directory at the top of the source.

set -eu
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
. tests/long.sh
for needed in qemu-system-arm arm-none-eabi-gcc; do
	command -v "$needed" >/dev/null || { echo "$needed is not installed"; exit 77; }
done
O=${O:-build}
[ -e "$O/sim/cortexm/truth.so" ] || O=build	# the sanitized build of wsntop has no node of its own
make --no-print-directory -f sim/cortexm/build.mk -j2 O="$O" cortexm >/dev/null
FW=$O/sim/cortexm
WSNTOP=${WSNTOP:-$O/wsntop}
TMP=$(mktemp -d)
trap 'wait; rm -rf "$TMP"' EXIT
export PYTHONPATH=tests/sim PYTHONDONTWRITEBYTECODE=1

# simulate NAME IMAGE SETTING...: what the UART said in $TMP/NAME.uart, the truth in $TMP/NAME.truth; UNTOLD=-u: no truth
simulate() {
	local name=$1 image=$2
	shift 2
	sim/cortexm/run ${UNTOLD:-} -o "$TMP/$name" "${image%%-*}" "$FW/$image.elf" "$@" >"$TMP/$name.log" 2>&1 ||
		{ echo "$name: $(cat "$TMP/$name.log")"; return 1; }
}

# in_pairs COMMAND...: reads lines of arguments, runs the command with each, two at a time
in_pairs() {
	local line pids=()
	while read -r line; do
		# shellcheck disable=SC2086
		"$@" $line &
		pids+=($!)
		if [ ${#pids[@]} = 2 ]; then
			wait "${pids[0]}"
			pids=("${pids[1]}")
		fi
	done
	for line in "${pids[@]}"; do
		wait "$line"
	done
}
