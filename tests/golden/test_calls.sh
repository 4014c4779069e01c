#!/bin/bash
# A call trace in each format, read back and held against the text, event by event; the Common Trace Format
# by babeltrace2. A directory that cannot be made, and standard output, are refused in one line.
. "$(dirname "$0")/lib.sh"
need_tools babeltrace2 as ld
made=$root/build/tests/tools/trace_made
[ -x "$made" ] || fail "no $made: make tools"
cd "$work" || exit 1
as -o traced.o "$root/tests/screen/traced.s" && ld -Ttext=0 -e main -o traced.elf traced.o || skip "no assembler for this machine"
"$made" traced.rec 20 marks || fail "no recording"

"$WSNTOP" -B -p file:traced.rec -e traced.elf -x trace:trace.txt -x ctf:ctf -x vcd:trace.vcd -x perfetto:trace.json \
	-x speedscope:trace.speedscope.json -x folded:trace.folded --by-task -x log:log.txt 2>err || fail "$(cat err)"
python3 "$root/tests/golden/calls.py" . || exit 1
[ "$(ls ctf)" = "events
metadata" ] || fail "ctf: $(ls ctf)"

cp -r ctf before
"$WSNTOP" -B -p file:traced.rec -e traced.elf -x ctf:ctf 2>err || fail "again: $(cat err)"
diff -r before ctf || fail "a second time is not the same"

refused() {	# WORDS COMMAND...
	local words=$1
	shift
	! "$@" >out 2>err || fail "$*: not refused"
	grep -q "$words" err || fail "$*: $(cat err)"
}
refused "export ctf: it is a directory; name one: ctf:trace.ctf" "$WSNTOP" -B -p file:traced.rec -e traced.elf -x ctf:-
refused "trace.txt: cannot make the directory\|trace.txt/metadata: cannot" "$WSNTOP" -B -p file:traced.rec -e traced.elf \
	-x ctf:trace.txt
refused "none/ctf: cannot make the directory" "$WSNTOP" -B -p file:traced.rec -e traced.elf -x ctf:none/ctf
