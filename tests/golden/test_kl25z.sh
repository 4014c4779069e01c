#!/bin/bash
# The gprof thesis' own capture: our gmon.out gives, with GNU gprof, its profile, number for number.
. "$(dirname "$0")/lib.sh"
need_data kl25z-blinky
need_tools arm-none-eabi-gprof python3
d=$DATA/kl25z-blinky

check() {	# what: reads $work/gmon.out
	arm-none-eabi-gprof "$d/app.elf" "$work/gmon.out" >"$work/got.txt" || fail "$1: gprof refused it"
	python3 "$here/gprof.py" "$work/got.txt" "$d/expected-gprof.txt" || fail "$1"
	rm "$work/gmon.out"
	echo "ok $1"
}

run() {		# what, arguments...
	local what=$1
	shift
	"$WSNTOP" -B -e "$d/app.elf" -x "gmon:$work/gmon.out" "$@" || fail "$what: status $?"
	check "$what"
}

python3 - "$d/capture.hex" "$work/capture.bin" <<'END' || fail "cannot convert"
import sys
open(sys.argv[2], "wb").write(bytes.fromhex(open(sys.argv[1]).read()))
END

run "hex digits, found out" -p "$d/capture.hex"
run "hex digits, told" -p "file:$d/capture.hex" -f gprof-hex
run "bytes, found out" -p "$work/capture.bin"
run "bytes, told" -p "$work/capture.bin" -f gprof
run "bytes, standard input" -p - <"$work/capture.bin"

# In dribs of every small size, as a serial line delivers them.
python3 - "$d/capture.hex" <<'END' | run "hex digits, in dribs" -p -
import sys
data, at, n = open(sys.argv[1], "rb").read(), 0, 0
while at < len(data):
    n = n % 97 + 1
    sys.stdout.buffer.write(data[at:at + n])
    if n == 97:
        sys.stdout.buffer.flush()
    at += n
END
python3 - "$work/capture.bin" <<'END' | run "bytes, slowly at first" -p -
import sys, time
data = open(sys.argv[1], "rb").read()
for i in range(40):
    sys.stdout.buffer.write(data[i:i + 1])
    sys.stdout.buffer.flush()
    time.sleep(0.02)
sys.stdout.buffer.write(data[40:])
END

# The same counts in the other exports.
wsn kl25z-blinky -x "json:$work/p.json" -x "text:$work/p.txt" || fail "json, text"
python3 - "$work/p.json" "$work/p.txt" <<'END' || fail "json"
import json, sys
p = json.load(open(sys.argv[1]))
f = {x["name"]: x for x in p["functions"]}
assert p["node"]["format"] == "gprof-hex", p["node"]
assert p["node"]["image"] == "app.elf" and p["node"]["image_match"] == "yes", p["node"]
assert p["node"]["hz"] == 1000 and p["node"]["ticks_per_second"] is None, p["node"]
assert p["stream"]["bad_bytes"] == 0 and p["stream"]["lost"] == 0, p["stream"]
assert p["stream"]["events"] == 26440 + 17214, p["stream"]
assert sum(x["samples"] for x in p["functions"]) == 17214
assert sum(x["calls"] for x in p["edges"]) == 26440
assert f["WAIT1_WaitCycles"]["calls"] == 13155
assert f["main"]["calls"] is None
# gprof books 59 % to a label inside WAIT1_Wait100Cycles; here it belongs to its function.
assert "loop" not in f and f["WAIT1_Wait100Cycles"]["samples"] > 10000
for x in p["functions"]:
    assert x["min_s"] is None and x["max_s"] is None and x["histogram"] is None, x
text = open(sys.argv[2]).read()
assert "Flat profile:" in text and "Call graph" in text and "Index by function name" in text
END
echo "ok json and text"
