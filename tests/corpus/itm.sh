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
sync='\377\377\377\177'
frame='\003\016\003\017\003\020\003\016\003\017\003\020\003\160\001\000'	# of stream 1: two exceptions, an overflow
part='\003\016\003\017\003\020\003\016\003\017\003\020\003\160\001'
{ printf '\377'; repeat 40 "$sync$frame"; repeat 1 "$sync$part"; repeat 10 "$sync$frame"; } >sync-each-frame	# one of them cut
{ printf '\377'; repeat 20 "$pc\000\000\000\000\000\200"; repeat 20 '\027\001\000\000\000\000\000\200\160'; } >sync-in-packet
