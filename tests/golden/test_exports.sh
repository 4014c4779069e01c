#!/bin/bash
# Every format tells the same self times, calls and samples: each export, as its own consumer reads it, against JSON.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
need_tools python3 callgrind_annotate
mkdir "$work/all"

exported() {	# NAME WSNTOP-ARGUMENTS...
	local to=$work/all/$1
	shift
	"$WSNTOP" -B "$@" -x "json:$to.json" -x "callgrind:$to.callgrind" -x "folded:$to.folded" -x "flamegraph:$to.svg" \
		-x "pprof:$to.pb.gz" -x "prometheus:$to.prom" -x "csv:$to.csv" -x "html:$to.html" -x "firefox:$to.firefox" \
		2>"$work/err" || fail "$*: $(cat "$work/err")"
}

# Only where there is no call trace: that is events, which golden/test_calls reads.
sampled() {	# NAME WSNTOP-ARGUMENTS...
	exported "$@"
	"$WSNTOP" -B "${@:2}" -x "speedscope:$work/all/$1.speedscope" 2>"$work/err" || fail "$*: $(cat "$work/err")"
}

# A report of INGA's profiler, printed again and decoded: the same call sites, or samples.
printed() {	# NAME CAPTURE ELF
	"$WSNTOP" -B -p "$2" -e "$3" -x "prof:$work/$1.txt" 2>"$work/err" || fail "$1: $(cat "$work/err")"
	"$WSNTOP" -B -p "$work/$1.txt" -e "$3" -x "json:$work/$1.again" 2>"$work/err" || fail "$1 again: $(cat "$work/err")"
	python3 "$root/tests/golden/exports.py" "$work/all/$1.json" "$work/$1.again" || exit 1
}

firmware=$root/build/sim/firmware
if [ -x "$root/build/wsntop-simavr" ] && [ -f "$firmware/radio.elf" ]; then
	exported radio -p simavr:atmega1284p@8M -e "$firmware/radio.elf" --for=0.5
fi
if [ -d "$DATA" ]; then
	for d in "$DATA"/*/; do
		for capture in "$d/uart.txt" "$d/capture.hex"; do
			[ -f "$capture" ] && [ -f "$d/app.elf" ] || continue
			sampled "$(basename "$d")" -p "$capture" -e "$d/app.elf"
			[ "${capture##*/}" = capture.hex ] || printed "$(basename "$d")" "$capture" "$d/app.elf"
		done
	done
fi
[ -n "$(ls "$work/all")" ] || skip "neither captures nor simulated firmware are here"
python3 "$root/tests/golden/exports.py" "$work/all" ${GO_PPROF:+--go}
