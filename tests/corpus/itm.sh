#!/bin/sh
# tests/corpus/itm.sh: make seeds of fuzz_itm again that are longer than what is tried by chance: their first byte is
# fuzz_itm's, the rest the stream.
set -eu
cd "$(dirname "$0")/itm"
repeat() {	# N BYTES in printf's form
	for i in $(seq "$1"); do printf "$2"; done
}
pc='\027\000\001\000\010'	# of 0x08000100
{ printf '\377'; head -c 4300 /dev/zero; } >nothing-found			# half of it is given up
{ printf '\377'; repeat 80 "$pc"; repeat 300 '\004\007'; repeat 60 "$pc"; } >out-of-step	# and in step again
{ printf '\377'; repeat 60 "$pc"; repeat 300 '\001.'; repeat 3 '\300\205\001'; } >long-waiting	# text, then its time
