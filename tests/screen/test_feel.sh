#!/bin/bash
# How much work the screen makes: instructions a key and to the first picture, with 10,000 functions;
# bytes to the terminal of a picture that lives; nothing at all while nothing arrives.
#
# Instructions are callgrind's and repeat to some percent, whatever else the machine does. 16 ms are
# 16 million instructions on the slowest host we think of (1 a nanosecond).
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1

# --- instructions ---

"$here/big.py" 10000 big && as -o big.o big.s && ld -Ttext=0 -e fn_00000 -o big.elf big.o ||
	skip "no assembler for this machine"

# counted VIEW TIMES OPTION...: a run of VIEW in which j and k were pressed so often, each drawn
counted() {
	local view=$1 times=$2
	shift 2
	{
		echo "wait 10,000 functions"
		echo "keys $view"
		echo "idle"
		for _ in $(seq "$times"); do printf '%s\n' "keys j" idle "keys k" idle; done
		echo "keys Q"
		echo "exit 0"
	} >script
	rm -f cg.out*
	"$screen" -s 120x40 valgrind --tool=callgrind --callgrind-out-file=cg.out --log-file=cg.log "$@" \
		"$WSNTOP" -f prof -p big.txt -e big.elf <script >said || { cat said >&2; return 1; }
}

# Of a key's picture in VIEW: the median of ten keys' pictures, for a busy host has others between them.
key_instructions() {
	counted "$1" 5 --toggle-collect=ui_draw --dump-after=ui_draw || return 1
	for part in $(ls cg.out.* | sort -t . -k 3 -n | tail -n 10); do sed -n 's/^totals: //p' "$part"; done | sort -n | sed -n 5p
}

at_most() {	# WHAT, FIGURE, LIMIT
	echo "$1: $2 instructions (at most $3)"
	[ "$2" -le "$3" ] || fail "$1: $2 instructions, more than $3"
}

if ! command -v valgrind >/dev/null; then
	echo "valgrind is not installed: instructions are not counted"
elif nm "$WSNTOP" 2>/dev/null | grep -q __asan_init; then
	echo "built with sanitizers: instructions are not counted"
else
	for view in 1 5 $(long 3 4 8); do
		key=$(key_instructions "$view") && [ "$key" ] || fail "view $view"
		# Of the flame graph whole rows are drawn in other colours.
		at_most "a key in view $view" "$key" $((view == 4 ? 6000000 : 4000000))
	done
	counted 1 0 || fail "the start"
	at_most "start, 10,000 functions decoded and shown" "$(sed -n 's/^totals: //p' cg.out)" 250000000
fi

# --- bytes ---

make_app
mkfifo orders
python3 "$here/peer.py" socket orders &
peer=$!
trap 'kill $peer 2>/dev/null; rm -rf "$work"' EXIT
exec 9<>orders
until [ -S socket ]; do sleep 0.05; done
report node >first.txt

# Reports that change every number, at most forty a second, for four seconds or more.
cat >many.sh <<'SH'
for i in $(seq 160); do
	awk -v i="$1$i" -F: -v OFS=: 'NR > 1 { $3 += i; $4 += i * 977; $6 += i } 1' first.txt
	echo
	sleep 0.025
done >orders
SH

# A frame at 80x24 in which all numbers change is about 600 bytes; such a second is bounded by what
# 57,600 baud carry, at any size of the window.
for size in 80x24 200x60; do
	screen -s $size "$WSNTOP" -f prof -p unix:socket -e app.elf <<-END
		run echo accept >orders
		wait connected 0:0
		run cat first.txt >orders
		wait uart_write
		bytes 100000
		run sh many.sh 1
		rate 5600
		keys Q
		END
done

# While nothing arrives there is the header's clock, once a second, and no work to speak of.
cat >idle.sh <<'SH'
pid=$(cat pid)
used() { awk '{ print $14 + $15 }' "/proc/$pid/stat"; }
before=$(used)
sleep 4
after=$(used)
echo "processor time in 4 s of silence: $((after - before)) ticks of 10 ms"
[ $((after - before)) -le 2 ]
SH
screen sh -c 'echo $$ >pid; exec "$0" -f prof -p unix:socket -e app.elf --theme=mono' "$WSNTOP" <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
pause 1500
bytes 100000
run sh idle.sh
rate 75
keys Q
END
exit 0
