# What the screen tests share. Sourced.
#
# screen [-s COLSxROWS] [-e NAME=VALUE] COMMAND... <SCRIPT	see tests/tools/screen/main.c
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
. "$root/tests/long.sh"
export WSNTOP
WSNTOP=$(realpath "${WSNTOP:-$root/build/wsntop}")
# The reader need not be built as the program under test is (with sanitizers, say).
for screen in "$root/${O:-build}/tests/tools/screen" "$root/build/tests/tools/screen"; do
	[ -x "$screen" ] && break
done
export PYTHONDONTWRITEBYTECODE=1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
# What the developer at hand has set up must not matter.
export XDG_CONFIG_HOME=$work/config XDG_STATE_HOME=$work/state
mkdir -p "$XDG_STATE_HOME/wsntop" && : >"$XDG_STATE_HOME/wsntop/welcomed"	# no first hints
unset EDITOR VISUAL NO_COLOR WSNTOP_DEMO

skip() {
	echo "skipped: $*"
	exit 77
}

fail() {
	echo "FAILED: $*"
	exit 1
}

[ -x "$WSNTOP" ] || skip "there is no wsntop to test; make"
[ -x "$screen" ] || skip "there is no screen reader; make tools"

screen() {
	"$screen" "$@" || fail "${FUNCNAME[1]} ${BASH_LINENO[0]}"
}

# The list alone: what stands beside it from 120 columns on has a test of its own (test_detail.sh).
list_alone() {
	mkdir -p "$XDG_CONFIG_HOME/wsntop"
	printf '%s\n' '[screen]' 'detail = no' >>"$XDG_CONFIG_HOME/wsntop/config.ini"
}

# A small firmware, always at the same addresses, and what it reports.
make_app() {
	as -I "$here" -o "$work/app.o" "$here/app.s" && ld -Ttext=0 -e main -o "$work/app.elf" "$work/app.o" ||
		skip "no assembler for this machine"
}

report() {	# NAME [calls of sample, 100 if not given]
	cat <<-END
	PROF:$1:6:20:65536:32768
	120:200:${2:-100}:16384:64:512
	130:400:50:32768:600:800
	220:300:100:8192:40:120
	420:500:50:8000:100:300
	430:500:50:4000:60:100
	440:600:50:2000:30:60
	END
}

app="$work/app.elf"

# The working directory has traced.elf, which the recordings that $made writes are of; times are UTC.
need_traced() {
	made=$(dirname "$screen")/trace_made
	[ -x "$made" ] || skip "there is no trace_made; make tools"
	export TZ=UTC
	cd "$work" || exit 1
	as -o traced.o "$here/traced.s" && ld -Ttext=0 -e main -o traced.elf traced.o ||
		skip "no assembler for this machine"
}
