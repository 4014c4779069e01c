# What the tests of the views share, beside lib.sh. Sourced.
#
# The firmware's calls are where the report says they are; one is longer than the node can count.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
. "$here/firmware.sh"

# What a node reports; the ticks of sample (as called by main) decide on the order.
node_report() {
	cat <<-END
	PROF:demo:8:20:65536:32768
	120:200:100:${1:-16384}:64:65535
	130:400:50:32768:600:800
	220:300:100:8192:40:120
	320:200:20:2000:50:120
	420:500:50:8000:100:300
	430:500:50:4000:60:100
	440:600:50:2000:30:60
	520:500:200:3000:10:40
	
	END
}

make_firmware
node_report >"$work/first.txt"
node_report 163840 >"$work/second.txt"	# sample is the most expensive now
{ echo "hello from the node"; echo "tick 1"; node_report; echo "tick 2"; } >"$work/uart.txt"

# Looks of its own, so that those of the themes are free to change.
printf '%s\n' [theme] 'name = test' 'description = for tests' [256] 'selected = default on 20' \
	'dim = 100' 'match = 16 on 200' 'name = default' 'number = default' >"$work/test.ini"

arcs() {	# FROM TO, how many
	local i
	for ((i = 0; i < $3; i++)); do printf '41%06x%06x' "$1" "$2"; done
}

# A stream of arcs and nothing else, as hex digits.
make_arcs() {
	{ arcs 0x120 0x200 50; arcs 0x130 0x400 20; arcs 0x220 0x300 30; arcs 0x420 0x500 50
	  arcs 0x440 0x600 25; } >"$work/arcs.hex"
}

# The view alone: the header's lines are tested elsewhere.
wsntop() {	# "COLSxROWS [-e NAME=VALUE]", what else wsntop is given; the script on standard input
	local size=$1
	shift
	# shellcheck disable=SC2086
	screen -s $size "$WSNTOP" -p "$work/uart.txt" -e "$work/fw.elf" \
		--theme="$work/test.ini" "$@"
}

# For recordings (past.py): their times of day are UTC; the test goes on in $work.
need_past() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	export TZ=UTC
	cd "$work" || exit 1
}

# The same with $recording, all of it at once.
past() {	# "COLSxROWS [-e NAME=VALUE]", what else wsntop is given
	local size=$1
	shift
	# shellcheck disable=SC2086
	screen -s $size "$WSNTOP" -p "$recording" --speed=max -e fw.elf --theme=./test.ini "$@"
}

# The same with a node that lives: `run cat FILE >orders` in the script is what it sends (peer.py).
live() {	# COLSxROWS, ...
	local size=$1 status
	shift
	command -v python3 >/dev/null || skip "python3 is not installed"
	cd "$work" || exit 1
	[ -p orders ] || mkfifo orders
	python3 "$here/peer.py" node orders &
	peer=$!
	exec 9<>orders		# held open: an order is a line
	until [ -S node ]; do sleep 0.05; done
	("$screen" -s "$size" "$WSNTOP" -f prof -p unix:node -e fw.elf --theme=./test.ini "$@")
	status=$?
	kill $peer 2>/dev/null
	wait $peer 2>/dev/null
	rm -f node
	[ $status = 0 ] || fail "${FUNCNAME[1]} ${BASH_LINENO[0]}"
}
