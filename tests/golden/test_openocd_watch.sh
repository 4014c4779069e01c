#!/bin/bash
# Watches by openocd: what is watched is read with each PC sample, at the target's own time, without a halt; a value is
# told when it changed; a recording tells the same. The real OpenOCD on the simulated Cortex-M3.
# Sanitized: long: its decoder has a fuzzer and sanitized unit tests (openocd, openocd_reads); most of its seconds are the simulated chip's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_radio

# Live and read again, the same is told. What a busy host had no answer to within a second is asked again, and the late
# answer is in the recording alone; and by its late answers the counter's rate is a few per cent off: once more then.
watch_all() {
	rm -f "$work/all.rec"
	"$WSNTOP" -B -p "openocd::$TCL" -e "$M3_ELF" --for=7 -w radio_state -w count -w wide -w "reg:0x$count/4" \
		-w call:main -w "mem:0x$table+16" -r "$work/all.rec" -x "json:$work/all.json" -x "trace:$work/all.trace" \
		>"$work/all.out" 2>"$work/all.said" || { cat "$work/all.said"; fail "no data"; }
	"$WSNTOP" -B -p "$work/all.rec" -e "$M3_ELF" \
		-x "trace:$work/again.trace" >"$work/again.out" 2>"$work/again.said" ||
		{ cat "$work/again.said"; fail "the recording is not read"; }
	diff "$work/all.trace" "$work/again.trace" >"$work/diff" &&
		python3 "$work/all.py" "$work/all.trace" "$count" >"$work/figures" 2>&1
}

cat "$work/check.py" - >"$work/all.py" <<'END'
radio, numbers, wide = told("radio_state"), told("count"), told("wide")
assert len(radio) > 50 and len(numbers) > 100 and len(wide) > 40, (len(radio), len(numbers), len(wide))
ahead = sum(NUMBER[b] == (NUMBER[a] + 1) % 4 for (_, a, _), (_, b, _) in zip(radio, radio[1:]))
assert ahead > 0.8 * (len(radio) - 1), (ahead, len(radio))	# a busy host may read late
assert all(a != b for (_, a, _), (_, b, _) in zip(numbers, numbers[1:])), "told though it is the same"
assert all(int(a) < int(b) for (_, a, _), (_, b, _) in zip(numbers, numbers[1:])), numbers
assert {v for _, v, _ in told("reg:0x%s/4" % sys.argv[2])} == {v for _, v, _ in numbers}
(t, a, _), (u, b, _) = numbers[0], numbers[-1]
period = (u - t) / (int(b) - int(a))
assert abs(period / 0.020 - 1) < 0.02, period	# by the target's clock, or the host's
print("ok: %d states, %d counts each %.3f ms, %d of 64 bits" % (len(radio), len(numbers), 1e3 * period, len(wide)))
END


for clock in "" "-f no-cyccnt"; do
	# shellcheck disable=SC2086	# none or two words
	probe_start $clock -w "$state,1,50000,4,$writer" -w "$count,4,20000,4000000000,0" -w "$wide,8,70000,100,0"
	: >"$work/figures"
	watch_all || watch_all || watch_all || watch_all ||
		{ head -n 20 "$work/diff"; cat "$work/figures"; fail "what is told, live and of a recording"; }
	grep -q 'call:main is not watched: .*; mem:0x.*+16 is not watched: ' "$work/all.said" ||
		{ cat "$work/all.said"; fail "what is refused"; }
	! grep "^write e000edf0 .*[37bf]$" "$work/m3.writes" || fail "it was halted"
	cat "$work/figures"
	probe_stop
done
echo ok
