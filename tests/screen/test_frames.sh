#!/bin/bash
# How often the screen is drawn, and with how many system calls, at three sizes, over a fixed replay: eight
# seconds in which every number changes all the time. No clock of the test's: the replay has 40 times 200 ms.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
calls=${screen%/*}/calls
[ -x "$calls" ] || skip "there is no counter of system calls; make tools"
"$calls" -o "$work/true" true || skip "the kernel does not let us trace"
# A traced program cannot be searched for leaks.
export ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
cd "$work" || exit 1
"$here/big.py" 60 big && as -o big.o big.s && ld -Ttext=0 -e fn_00000 -o big.elf big.o ||
	skip "no assembler for this machine"
"$here/busy.py" busy.wsnrec 60 8

value() { awk -v n="$1" '$1 == n { print $2 }' counted; }

for size in 80x24 120x40 200x60; do
	screen -s $size "$calls" -o counted "$WSNTOP" -f prof -p busy.wsnrec -e big.elf <<-'END'
		wait 8.00 s
		idle
		keys Q
		exit 0
	END
	echo "$size: $(paste -sd ' ' counted)"
	frames=$(value frames)
	# A machine that gives it a quarter of the time draws a quarter of them. Keys and ticks add some.
	[ "$frames" -ge 10 ] || fail "$size: $frames pictures"
	[ "$frames" -le 60 ] || fail "$size: $frames pictures"
	# It never asks again and again whether something has come, instead of waiting for it.
	[ "$(value empty)" -le $((2 * frames)) ] || fail "$size: $(value empty) polls for nothing"
	[ "$(value calls)" -le $((80 * frames)) ] || fail "$size: $(value calls) system calls"
done
