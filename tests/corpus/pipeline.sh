#!/bin/sh
# tests/corpus/pipeline.sh: make the seeds of fuzz_pipeline again: what the simulated nodes and simulators send, and what
# wsntop records and writes of it, each behind the byte that says how it is read (tests/fuzz/fuzz_pipeline.c).
# Needs `make all tools sim firmware cortexm`. The results are kept in tests/corpus/pipeline/, the firmware whose names
# they have beside it.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
node=build/sim/avrnode radio=build/sim/firmware/radio.elf out=tests/corpus/pipeline
mkdir -p "$out"

seed_keep() {	# name, first byte in octal, file
	{ printf "\\$2"; head -c 1023 "$3"; } >"$out/$1"
}
node_run() {	# name, seconds, options and firmware...
	name=$1 seconds=$2; shift 2
	"$node" --fast --seconds="$seconds" --uart="$work/$name" "$@" >"$work/said" || { cat "$work/said"; exit 1; }
}

node_run demo 1 build/sim/firmware/demo.elf
node_run traced 2 build/sim/firmware/traced.elf
node_run radio 4 "$radio"
"$node" --fast --seconds=1 --record="$work/demo.rec" --uart=/dev/null build/sim/firmware/demo.elf >/dev/null
build/wsntop -B -r "$work/sim.rec" -p "simavr:atmega1284p@8M?pace=max&for=0.02" -e "$radio" >/dev/null
build/wsntop -B -p "$work/demo" -x "prof:$work/report" -x "json:$work/snapshot"
build/wsntop -B -p "$work/sim.rec" -x "prof:$work/samples"
sim/cortexm/run -o "$work/raw" an385 build/sim/cortexm/an385-raw-Os.elf run=wsn rounds=1 >/dev/null
od -An -v -tx1 "$work/raw.uart" | tr -d ' \n' >"$work/raw.hex"
build/tests/tools/trace_made "$work/marks.rec" 1 marks

seed_keep demo 001 "$work/demo"
seed_keep demo-auto 060 "$work/demo"
seed_keep traced 001 "$work/traced"
seed_keep radio 101 "$work/radio"
seed_keep demo-recorded 020 "$work/demo.rec"
seed_keep marks-recorded 000 "$work/marks.rec"
seed_keep sim-recorded 100 "$work/sim.rec"
seed_keep report 002 "$work/report"
seed_keep samples 100 "$work/samples"
seed_keep gprof 003 "$work/raw.uart"
seed_keep gprof-hex 004 "$work/raw.hex"
seed_keep itm 005 tests/corpus/itm/raw
# Without the folder that it was built in, which its DWARF quotes from the command line.
python3 - "$radio" tests/corpus/pipeline.elf <<'END'
import re, sys
data = open(sys.argv[1], "rb").read()
open(sys.argv[2], "wb").write(re.sub(rb"-fdebug-prefix-map=\S*", lambda m: b" " * len(m[0]), data))
END
chmod 644 tests/corpus/pipeline.elf
ls -l "$out"
