#!/bin/bash
# The rules that the issue of the gate has, one by one, over firmware in simavr (rules.c): the sound build keeps all of
# them; each planted change breaks its own rule and no other, and the line that is told is the planted one, also after
# all lines of the file moved; all of them at once come worst first. What is not sure, by each policy.
# Sanitized: long: rules have a fuzzer; most of its seconds are the simulator's.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
need_tools xmllint avr-gcc
[ -x "$root/build/wsntop-simavr" ] || skip "no simulator: make sim"
run="simavr:atmega1284p@20M?pace=max&for=2"
cd "$work" || exit 1

cat >perf.rules <<'END'
crc16_*   self   <= +5 %
total     calls  <  1e6
*_isr     max    <= 40 us
node      loss   == 0
image     flash  <= +1 KB
stack     max    <= 480
END

build() {	# NAME, -D...: NAME.elf of NAME.c
	avr-gcc -mmcu=atmega1284p -std=c99 -Os -ggdb -gdwarf-2 "${@:2}" -o "$1.elf" "$1.c" || fail "avr-gcc $*"
}

check() {	# NAME, ARGS...: what is said is in out, the status in $status
	status=0
	"$WSNTOP" check -p "$run" -e "$1.elf" --baseline base.json --baseline-elf base.elf --rules perf.rules \
		--junit out.xml "${@:2}" >out 2>err || status=$?
	[ ! -s err ] || fail "$1: $(cat err)"
	xmllint --noout --schema "$here/junit.xsd" out.xml 2>err || fail "$(cat err)"
}

cp "$here/rules.c" base.c
build base
"$WSNTOP" -B -p "$run" -e base.elf -x json:base.json >/dev/null || fail "the baseline"
grep -q '"text_hash":"[0-9a-f]' base.json || fail "the lines' texts are not known"
! grep -q 'planted\|crc16_byte(crc' base.json || fail "source code in the baseline"
check base
[ $status = 0 ] && grep -q ': 7 checks: 7 passed, 0 failed, 0 not sure$' out || fail "the sound build: $(cat out)"

# The lines move: a comment in front of all, and inside of the function that changes.
sed -e '1i /* one */\n/* two */\n/* three */' -e 's|^\tcrc ^= byte;|&\n\t/* moved */\n|' "$here/rules.c" >moved.c
planted() { awk -v what="planted: $1" 'index($0, what) { print FILENAME ":" NR }' moved.c; }

planted_fails() {	# DEFINE, what is said of the failure (a regular expression)
	build moved "-D$1"
	check moved
	[ $status = 3 ] || fail "$1: status $status: $(cat out)"
	grep -q ': 7 checks: 6 passed, 1 failed, 0 not sure$' out || fail "$1: $(cat out)"
	grep -Eq "^failed: $2\$" out || fail "$1: not \"$2\": $(cat out)"
	[ "$(xmllint --xpath 'count(//testcase)' out.xml)" = 7 ] && [ "$(xmllint --xpath 'count(//failure)' out.xml)" = 1 ] &&
		[ "$(xmllint --xpath 'count(//skipped)' out.xml)" = 0 ] || fail "$1: $(cat out.xml)"
}

planted_fails SLOW_CRC "crc16_byte self .* \+5 %\), noise .*; main > crc16_block > crc16_byte, \+[0-9.]+ ms at $(planted self), called at moved\.c:[0-9]+; perf\.rules:1"
planted_fails MANY "total calls 1,2[0-9]*,[0-9]*, bound < 1,000,000; main > tick_count, called at $(planted calls) \(\+1,[0-9]*,[0-9]* calls\); perf\.rules:2"
planted_fails SLOW_ISR "timer_isr max .*, bound <= 40\.0 us.*; __vector_13 > timer_isr, \+[0-9.]+ us a call at $(planted max), called at moved\.c:[0-9]+; perf\.rules:3"
planted_fails LARGE_DATA "image flash .* \+1,024 B\); constants and initial values, \+1,402 B; perf\.rules:5"
planted_fails LARGE_CODE "image flash .* \+1,024 B\); code_run, \+1,402 B, declared at moved\.c:[0-9]+; perf\.rules:5"
planted_fails DEEP "stack max 8[0-9][0-9] B, bound <= 480 B; main > row_sum > row_sum > row_sum > row_sum, declared at moved\.c:[0-9]+; perf\.rules:6"

# --- all at once: as many lines, each beyond its bound by less than the one before ---
build moved -DSLOW_CRC -DSLOW_ISR -DLARGE_DATA -DDEEP
check moved
[ $status = 3 ] && [ "$(grep -c ^failed: out)" = 4 ] || fail "all at once: $(cat out)"
python3 - out <<'END' || fail "the worst is not first: $(cat out)"
import re
import sys

SCALE = {"s": 1, "ms": 1e-3, "us": 1e-6, "B": 1}
beyond = []
for line in open(sys.argv[1]):
    found = re.match(r"failed: \S+ \S+ ([\d.,]+) (\S+), bound <= ([\d.,]+) (\S+?)[,; ]", line)
    if found:
        value, bound = (float(found[i].replace(",", "")) * SCALE[found[i + 1].rstrip(",;")] for i in (1, 3))
        beyond.append(value / bound)
assert len(beyond) == 4 and beyond == sorted(beyond, reverse=True), beyond
END

# --- losses: firmware that profiles itself, with a table that is too small; the demo's is not ---
printf 'node loss == 0\n' >perf.rules
full=$root/build/sim/workload/atmega1284p/full-Os.elf demo=$root/build/sim/firmware/demo.elf
if [ -e "$full" ] && [ -e "$demo" ]; then
	"$WSNTOP" check -p "simavr:atmega1284p@8M?pace=max&for=3&uart=wsn" -e "$demo" --rules perf.rules >out 2>err ||
		fail "the demo loses: $(cat out err)"
	status=0
	"$WSNTOP" check -p "simavr:atmega1284p@8M?pace=max&for=5&uart=wsn" -e "$full" --rules perf.rules >out 2>err || status=$?
	[ $status = 3 ] && grep -Eq '^failed: node loss [0-9,]+, bound == 0; [0-9,]+ calls not counted: table of sites full, [0-9,]+ calls not counted: call stack full; perf\.rules:1$' out ||
		fail "status $status: $(cat out)"
fi

# --- not sure: no such function, a bound within the noise, a figure that nobody told ---
printf 'nothing_* self <= 1 ms\ncrc16_byte self <= -1 %%\ntimer_isr samples < 5\ntick_count max <= 1 s\n' >perf.rules
for policy in warn:0:0:3 pass:0:0:0 fail:3:3:0; do
	IFS=: read -r name want failures skipped <<<"$policy"
	check base "--unsure=$name"
	[ $status = "$want" ] && grep -q ': 1 passed, 0 failed, 3 not sure$' out || fail "--unsure=$name: $status: $(cat out)"
	[ "$(xmllint --xpath 'count(//failure)' out.xml)" = "$failures" ] &&
		[ "$(xmllint --xpath 'count(//skipped)' out.xml)" = "$skipped" ] || fail "--unsure=$name: $(cat out.xml)"
done

# --- every column of numbers is a figure, by its name; a bound without a unit is that of a count ---
"$WSNTOP" --help | sed -n '/^Columns/,/^$/p' | awk '/^  [^ ]/ { print $1 }' >columns
[ "$(wc -l <columns)" -ge 20 ] || fail "the columns: $(cat columns)"
while read -r column; do
	case $column in
	context | function | file)
		printf 'main %s < 1\n' "$column" >perf.rules
		"$WSNTOP" check -p base.json --rules perf.rules >out 2>err && fail "$column: accepted"
		grep -q "perf.rules:1: $column: a column of words; a bound needs a number" err || fail "$column: $(cat err)"
		continue ;;
	self | total | per-call | min | max | p50 | p90 | p99 | '~self/call') bound='1000 s' ;;
	*%) bound='101 %' ;;
	ma) bound='1000 A' ;;
	uj/call) bound='1000 J' ;;
	*) bound=1e15 ;;
	esac
	printf 'main %s < %s\n' "$column" "$bound" >perf.rules
	"$WSNTOP" check -p base.json --rules perf.rules >out 2>err || fail "$column: $(cat out err)"
	grep -q ': 1 checks: [01] passed, 0 failed, [01] not sure$' out || fail "$column: $(cat out)"
done <columns
for wrong in 'slef:self' 'calls/sec:calls/s' 'per_call:per-call' 'stackmax:stack-max' 'laod%:load%'; do
	printf 'main %s < 1\n' "${wrong%:*}" >perf.rules
	"$WSNTOP" check -p base.json --rules perf.rules >out 2>err && fail "$wrong: accepted"
	grep -qF "perf.rules:1: ${wrong%:*}: no figure of this name; ${wrong#*:} is the nearest" err || fail "$wrong: $(cat err)"
done
echo "ok: rules"
