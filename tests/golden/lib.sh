# What the golden tests share. Sourced.
#
# DATA	the real captures, kept beside the checkout; absent elsewhere, and then a test skips.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/tests/long.sh"
export PYTHONDONTWRITEBYTECODE=1
export WSNTOP
WSNTOP=${WSNTOP:-$root/build/wsntop}
[ -x "$WSNTOP" ] || { echo "FAILED: no $WSNTOP: make first"; exit 1; }
DATA=${DATA:-$root/../shared/data}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state	# not the user's settings

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	exit 1
}

need_data() {	# folder
	[ -d "$DATA/$1" ] || skip "the captures are not here (no shared/data/$1 beside the checkout)"
}

need_tools() {
	local t
	for t in "$@"; do
		command -v "$t" >/dev/null || skip "$t is not installed"
	done
}

# A machine under load sees less in the same time: SECONDS go to the command as its last word, and it is tried with
# four times as many, and sixteen times, until it succeeds.
longer() {	# seconds, command...
	local seconds=$1
	shift
	"$@" "$seconds" || "$@" $((seconds * 4)) || "$@" $((seconds * 16))
}

# Batch run: wsn FOLDER ARGS... with the folder's capture and image.
wsn() {
	local d=$DATA/$1 capture
	shift
	for capture in "$d/uart.txt" "$d/capture.hex"; do
		[ -f "$capture" ] && break
	done
	"$WSNTOP" -B -p "$capture" -e "$d/app.elf" "$@"
}
