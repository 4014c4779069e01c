#!/bin/bash
# Every format tells the same self times, calls and samples: each export, as its own consumer reads it, against JSON.
. "$(dirname "$0")/lib.sh"
need_tools python3 callgrind_annotate
mkdir "$work/all"

exported() {	# NAME WSNTOP-ARGUMENTS...
	local to=$work/all/$1
	shift
	"$WSNTOP" -B "$@" -x "json:$to.json" -x "callgrind:$to.callgrind" -x "folded:$to.folded" -x "flamegraph:$to.svg" \
		-x "pprof:$to.pb.gz" \
		2>"$work/err" || fail "$*: $(cat "$work/err")"
}

firmware=$root/build/sim/firmware
if [ -x "$root/build/wsntop-simavr" ] && [ -f "$firmware/radio.elf" ]; then
	exported radio -p simavr:atmega1284p@8M -e "$firmware/radio.elf" --for=0.5
fi
if [ -d "$DATA" ]; then
	for d in "$DATA"/*/; do
		for capture in "$d/uart.txt" "$d/capture.hex"; do
			[ -f "$capture" ] && [ -f "$d/app.elf" ] || continue
			exported "$(basename "$d")" -p "$capture" -e "$d/app.elf"
		done
	done
fi
[ -n "$(ls "$work/all")" ] || skip "neither captures nor simulated firmware are here"
python3 "$root/tests/golden/exports.py" "$work/all" ${GO_PPROF:+--go}
