#!/bin/bash
# `wsntop check`: firmware in simavr against rules. A planted regression (sim/radio: the task that posts itself) is found
# and nothing else is; a run against itself passes; what the data cannot tell is not sure; sizes are those of binutils'
# size; JUnit XML is valid.
# Sanitized: long: most of its seconds are the simulator's.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
need_tools xmllint avr-size
firmware=$root/build/sim/firmware
[ -e "$firmware/radio.elf" ] && [ -x "$root/build/wsntop-simavr" ] || skip "no firmware or simulator: make sim firmware"
run="simavr:atmega1284p@8M?pace=max&for=5"
brief="simavr:atmega1284p@8M?pace=max&for=2"	# for what no baseline is held against
cd "$work" || exit 1
cp "$firmware/radio.elf" "$firmware/radio-fixed.elf" "$firmware/demo.elf" .

check() {	# STATUS, RULES, ARGS...: what is said is in out and err
	local want=$1 rules=$2 status=0
	shift 2
	printf '%s\n' "$rules" >perf.rules
	"$WSNTOP" check "$@" --rules perf.rules >out 2>err || status=$?
	[ "$status" = "$want" ] || fail "status $status, not $want, of: $rules: $(cat out err)"
}

counted() {	# PASSED FAILED UNSURE
	grep -q ": $1 passed, $2 failed, $3 not sure\$" out || fail "not $*: $(cat out)"
}

"$WSNTOP" -B -p "$run" -e radio-fixed.elf -x json:old.json || fail "the baseline"

# --- the planted regression, and nothing else ---
# All functions but those that the planted task runs through take what they took.
rules='task_post            per-call  <= +5 %
*_isr                calls     <= +5 %
beacon_*             per-call  <= +5 %
text_send            max       <= +5 %
send_done_task       per-call  <= +5 %
radio_*              max       <= +5 %
image                flash     <= +64 B
image                ram       <= +0
node                 loss      == 0'
both=(-p "$run" --baseline old.json --baseline-elf radio-fixed.elf)
check 3 "$rules" "${both[@]}" -e radio.elf --junit out.xml
[ "$(grep -c ^failed: out)" = 1 ] || fail "not one failure: $(cat out)"
grep -Eq '^failed: task_post per-call 10\.0 us, bound <= 7\.61 us \(baseline 7\.25 us \+5 %\), noise .*; .*main > task_post, \+2\.50 us a call at radio\.c:34, called at radio\.c:209; perf\.rules:1$' out ||
	fail "$(cat out)"
xmllint --noout --schema "$here/junit.xsd" out.xml 2>err || fail "$(cat err)"
[ "$(xmllint --xpath 'count(//failure)' out.xml)" = 1 ] || fail "failures in the XML"
[ "$(xmllint --xpath 'string(//testcase[failure]/@name)' out.xml)" = 'task_post: task_post per-call <= +5 %' ] ||
	fail "$(cat out.xml)"
[ "$(xmllint --xpath 'count(//testcase)' out.xml)" = "$(xmllint --xpath 'string(//testsuite/@tests)' out.xml)" ] ||
	fail "tests in the XML"

# --- sums: the task ran thousands of times; the worst first ---
check 3 $'task_run self <= +5 %\ntask_post self <= +5 %\ntotal self <= +5 %\ntotal load% <= +5 %' "${both[@]}" -e radio.elf
counted 0 4 0
[ "$(sed -n 's/^failed: \([a-z_]* [a-z%]*\).*/\1/p' out | tr '\n' ,)" = 'task_post self,total self,total load%,task_run self,' ] ||
	fail "the order: $(cat out)"
grep '^failed: total self' out | grep -q 'main > task_post, +1\.00 s at radio\.c:34, called at radio\.c:209 (+153,[0-9]* calls)' || fail "where all of it is: $(cat out)"

# --- against itself: all passes, twice the same ---
check 0 $'* self <= +0 %\n* per-call <= +0 %\n* max <= +0 %\n* calls <= +0 %\nimage flash == +0\nimage ram == +0' \
	"${both[@]}" -e radio-fixed.elf --unsure=fail
counted "$(sed -n 's/.*: \([0-9]*\) checks:.*/\1/p' out)" 0 0

# --- not sure: the policy tells what that is ---
doubt=$'main self <= -10 %\nnowhere max < 1 s\ntext_send p99 <= +1 us\ntotal samples < 1'
check 0 "$doubt" "${both[@]}" -e radio-fixed.elf
counted 1 0 3
grep -q '^not sure: main self .* within the noise; perf.rules:1$' out || fail "$(cat out)"
grep -q '^not sure: nowhere max, bound < 1.00 s: no function of this profile matches; perf.rules:2$' out || fail "$(cat out)"
check 0 "$doubt" "${both[@]}" -e radio-fixed.elf --unsure=pass
! grep -q '^not sure' out || fail "shown: $(cat out)"
check 3 "$doubt" "${both[@]}" -e radio-fixed.elf --unsure=fail --junit -
xmllint --noout --schema "$here/junit.xsd" out 2>junit.err || fail "$(cat junit.err out)"
[ "$(xmllint --xpath 'count(//failure)' out)" = 3 ] || fail "what is not sure is no failure: $(cat out)"

# --- sizes and stack ---
for elf in radio demo; do
	read -r text data bss < <(avr-size "$elf.elf" | awk 'NR == 2 { print $1, $2, $3 }')
	check 0 "image flash == $((text + data))
image ram == $((data + bss))
stack max >= 4
stack max < 2 KB" -p old.json -e "$elf.elf"
done

# The simulator measures the stack: the least and the most that pass are the figures of the export.
"$WSNTOP" -B -p "$brief" -e radio.elf -x json:stack.json || fail "the stack"
read -r most free < <(python3 -c 'import json; s = json.load(open("stack.json"))["stack"][0]
print(s["most_bytes"], s["free_bytes"])')
check 0 "stack max == $most
stack free == $free
main stack-max <= $most" -p "$brief" -e radio.elf
check 3 "stack max < $most
stack free > $free" -p "$brief" -e radio.elf
counted 0 2 0

# --- a snapshot is a source, too, and -x saves what was judged ---
check 0 'task_post calls > 1e4' -p "$run" -e radio.elf -x json:new.json
check 3 'task_post calls <= +50 %' -p new.json --baseline old.json
check 0 'task_post calls <= +50 %' new.json --baseline new.json

# --- two nodes: each with its image, a suite each ---
check 3 $'task_post per-call < 8 us\nimage flash < 2 KB' -p "$brief" -p "$brief" -e radio-fixed.elf -e radio.elf --junit out.xml
[ "$(grep -c ' checks: ' out)" = 2 ] && [ "$(grep -c ^failed: out)" = 1 ] || fail "two nodes: $(cat out)"
xmllint --noout --schema "$here/junit.xsd" out.xml 2>err || fail "$(cat err)"
[ "$(xmllint --xpath 'string(//testsuite[2]/@failures)' out.xml)" = 1 ] || fail "the second node: $(cat out.xml)"

# --- a run that was cut off passes no gate ---
"$WSNTOP" -B -p "$brief" -e radio.elf -r whole.wsnrec >/dev/null || fail "a recording"
check 0 'task_post calls > 100' -p whole.wsnrec --format sim -e radio.elf
head -c "$(($(stat -c %s whole.wsnrec) / 2))" whole.wsnrec >cut.wsnrec
check 1 'task_post calls > 100' -p cut.wsnrec --format sim -e radio.elf
grep -q ': 1 passed, 0 failed, 0 not sure$' out && grep -q cut.wsnrec err || fail "$(cat out err)"

# One that is interrupted neither, whatever it holds by then.
printf 'total calls >= 0\n' >perf.rules
"$WSNTOP" check -p "simavr:atmega1284p@8M" -e radio.elf --rules perf.rules -r live.wsnrec >out 2>err &
pid=$!
until [ -s live.wsnrec ] && [ "$(stat -c %s live.wsnrec)" -gt 100000 ]; do
	kill -0 $pid 2>/dev/null || fail "it ended: $(cat out err)"
	sleep 0.1
done
kill -TERM $pid
status=0; wait $pid || status=$?
[ $status = 1 ] && grep -q ': 1 passed, 0 failed' out && grep -q interrupted err || fail "status $status: $(cat out err)"

# --- what is wrong is said, a line each ---
check 2 $'a self < 5\nb slef < 5 ms\n' "${both[@]}" -e radio.elf
[ "$(cut -d: -f1-5 err)" = $'wsntop: check: perf.rules:1: self\nwsntop: check: perf.rules:2: slef' ] || fail "$(cat err)"
for wrong in "-e radio.elf" "-p new.json --baseline nothing.json" "-p new.json --nonsense" "-p new.json --unsure=x"; do
	# shellcheck disable=SC2086
	"$WSNTOP" check $wrong --rules perf.rules >out 2>err && fail "accepted: $wrong"
	[ ! -s out ] || fail "$wrong: $(cat out)"
done
for over in new.json perf.rules old.json; do
	check 2 'x self < 1 s' -p new.json --baseline old.json --junit $over
	grep -q 'is an input of this run' err || fail "$over: $(cat err)"
done
check 2 'image flash < 1 KB' -p new.json
[ "$(cat err)" = 'wsntop: check: perf.rules: its rules of the image need -e APP.ELF; wsntop help check' ] || fail "$(cat err)"
check 2 'x self < +1 %' -p new.json
[ "$(cat err)" = 'wsntop: check: perf.rules: its rules compare with a baseline; give --baseline FILE; wsntop help check' ] ||
	fail "$(cat err)"
check 1 'x self < 1 s' -p nothing.json
check 1 'x self < +1 %' -p new.json --baseline nothing.json
echo "ok: check"
