#!/bin/bash
# Watches by SWO, without a halt: the real OpenOCD sets the comparators of the simulated Cortex-M3, and every write of a
# variable comes with its value; what the pin could not carry is told, and what the chip cannot do is refused by name.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_radio

watch() {	# seconds, name, options of the source, watches
	local seconds=$1 name=$2 options=$3
	shift 3
	for w; do
		set -- "$@" -w "$w"
		shift
	done
	"$WSNTOP" -B -p "swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M$options" -e "$M3_ELF" --for="$seconds" \
		"$@" -r "$work/$name.rec" -x "json:$work/$name.json" -x "trace:$work/$name.trace" \
		-x "log-csv:$work/$name.csv" >"$work/$name.out" 2>"$work/$name.said" ||
		{ cat "$work/$name.said"; fail "$name: no data"; }
}

writes_of() {	# the last value written to a register, but for the comparators' end
	sed -n "s/^write $1 //p" "$work/m3.writes" | grep -v '^00000000$' | tail -n 1
}

last_of() {
	sed -n "s/^write $1 //p" "$work/m3.writes" | tail -n 1
}

probe_start -s 2000000 -w "$state,1,5000,4,$writer" -w "$count,4,2000,4000000000,0" -w "$wide,8,7000,100,0" \
	-w "$(printf %x $((0x$table + 6))),2,9000,30000,0"

# --- every write, in order; nothing is halted ---
watch 4 all "" radio_state count wide "mem:0x$table+16" irq call:main "reg:0x20000300/4"
[ "$(writes_of e0001020)" = "$state" ] && [ "$(last_of e0001024)" = 00000000 ] &&
	[ "$(writes_of e0001028)" = 0000000f ] || fail "the comparator of radio_state: $(writes_of e0001028)"
[ "$(writes_of e0001044)" = 00000003 ] && [ "$(writes_of e0001048)" = 0000002f ] || fail "the one of wide"
for i in 0 1 2 3; do
	[ "$(last_of e00010$(printf %x $((0x28 + 16 * i))))" = 00000000 ] || fail "comparator $i is left on"
done
[ $((0x$(last_of e0001000) & 0x10001)) = 1 ] || fail "exceptions are still traced: $(last_of e0001000)"
! grep "^write e000edf0 .*[37bf]$" "$work/m3.writes" || fail "it was halted"
grep -q 'call:main is not watched: needs stops: add stops=gdb:.*; reg:0x20000300/4 is not watched: .*no comparator left' \
	"$work/all.said" || { cat "$work/all.said"; fail "what is refused"; }
cat "$work/check.py" - >"$work/all.py" <<'END'
radio = told("radio_state")
assert len(radio) > 300, len(radio)
for (t, a, _), (u, b, _) in zip(radio, radio[1:]):
    assert NUMBER[b] == (NUMBER[a] + 1) % 4, (t, a, b)
    assert abs(u - t - 0.005) < 20e-6, (t, u)
assert {by for _, _, by in radio} == {"state_set"}, "writers"
assert {by for _, _, by in told("count")} == {"counts_do"}, "writers"
numbers = [int(v) for _, v, _ in told("count")]
assert len(numbers) > 800 and numbers == list(range(numbers[0], numbers[0] + len(numbers))), numbers[:50]
wide = [int(v) for _, v, _ in told("wide")]
assert len(wide) > 200 and all(b == (a + 1) % 100 for a, b in zip(wide, wide[1:])), wide[:50]
places = {int(v) for _, v, _ in told("mem:0x%s+16" % sys.argv[2])}
assert places == {int(sys.argv[2], 16) + 6}, places
assert not [e for e in events if e[2] == "lost"], "packets were lost"
ticks = sum(1 for e in events if e[2] == "call")
assert ticks > 2000, ticks
print("ok: %d states, %d counts, %d wide ones, %d ticks, none missed" % (len(radio), len(numbers), len(wide), ticks))
END
python3 "$work/all.py" "$work/all.trace" "$table" || { head -n 50 "$work/all.trace"; exit 1; }

python3 - "$work/all.json" <<'END' || exit 1
import json
import sys

w = json.load(open(sys.argv[1]))["node"]["watching"]
assert (w["comparators"], w["comparators_used"], w["halted"]) == (4, 4, 0), w
ways = {i["watch"].split("+")[0]: (i["way"], i["lost"]) for i in w["watches"]}
assert [ways[name] for name in ("radio_state", "count", "wide")] == 3 * [("comparator", 0)], ways
assert ways["irq"] == ("traced", 0) and ways["call:main"][0] == "refused", ways
assert all(i["hits"] > 200 for i in w["watches"] if i["way"] == "comparator"), w
END

# --- who comes next gets nothing that was asked for before ---
watch 3 next ""
! grep "comparator" "$work/next.trace" || fail "data trace of the session before"

# --- its recording, with the same watches ---
"$WSNTOP" -B -p "swo:file:$work/all.rec?clock=72M" -e "$M3_ELF" -w radio_state -w count -w wide -w "mem:0x$table+16" \
	-x "trace:$work/again.trace" >"$work/again.out" 2>"$work/again.said" || { cat "$work/again.said"; fail "no replay"; }
python3 "$work/all.py" "$work/again.trace" "$table" || { head -n 50 "$work/again.trace"; exit 1; }
# It says itself what it is of, and what was watched by which comparator.
"$WSNTOP" -B -p "$work/all.rec" -e "$M3_ELF" -x "trace:$work/alone.trace" >"$work/alone.out" 2>"$work/alone.said" ||
	{ cat "$work/alone.said"; fail "no replay by what it says"; }
diff "$work/all.trace" "$work/alone.trace" >"$work/diff" || { head "$work/diff"; fail "another trace"; }

# --- a pin that is too slow: where values are missing it is told ---
probe_stop
probe_start -s 115200 -w "$count,4,250,4000000000,0"
watch 4 slow "&baud=115200" count
cat "$work/check.py" - >"$work/slow.py" <<'END'
last, lost, missed, unsaid, values = None, False, 0, 0, 0
for _, _, kind, text in events:
    lost |= kind == "lost"
    if not text.startswith("count = "):
        continue
    now = int(text.split()[2])
    if last is not None and now != last + 1:
        assert now > last, (last, now)
        missed += now - last - 1
        unsaid += not lost
    last, lost = now, False
    values += 1
assert values > 50 and missed > 50, (values, missed)	# how many is the host's speed
assert unsaid == 0, "%d gaps of which nothing is said" % unsaid
print("ok: %d values, %d missed, each gap is told" % (values, missed))
END
python3 "$work/slow.py" "$work/slow.trace" || { head -n 50 "$work/slow.trace"; exit 1; }
python3 - "$work/slow.json" <<'END' || exit 1
import json
import sys

d = json.load(open(sys.argv[1]))
watch = d["node"]["watching"]["watches"][0]
assert watch["lost"] > 10 and watch["lost"] <= d["stream"]["lost"], (watch, d["stream"])
END

# --- a bit-field, written a byte at a time; irq alone needs no comparator ---
probe_stop
probe_start -s 2000000 -w "$flags,1,5000,256,0" -w "$(printf %x $((0x$flags + 1))),1,7000,16,0" \
	-w "$(printf %x $((0x$flags + 2))),2,3000,9,0"
watch 3 parts "" flags.level irq:15 irq:14
cat "$work/check.py" - >"$work/parts.py" <<'END'
times = [(t, int(v)) for t, v, _ in told("flags.level")]
assert len(times) > 600, len(times)
# mode : 3, level : 9: its low five bits change each 40 ms, the high four each 7 ms; each write is told
for (t, a), (u, b) in zip(times, times[1:]):
    low, high = a & 31, a >> 5
    assert (b & 31, b >> 5) in {(low, high), ((low + 1) % 32, high), (low, (high + 1) % 16)}, (t, a, b)
assert len({v for _, v in times}) > 100
print("ok: %d values of a bit-field" % len(times))
END
python3 - "$work/parts.csv" <<'END' || fail "SysTick by its number"
import csv
import sys

irqs = [r for r in csv.DictReader(open(sys.argv[1], newline="")) if r["what"] == "irq"]
assert len(irqs) > 1000, len(irqs)
assert {(r["number"], r["name"], r["exception"]) for r in irqs} == {("15", "SysTick", "SysTick")}, irqs[0]
assert all(0 < float(r["took_s"]) < 0.001 for r in irqs[:-1]), irqs[0]
END
python3 "$work/parts.py" "$work/parts.trace" || { grep flags "$work/parts.trace" | head -n 30; exit 1; }

# --- a debugger's comparators are left alone; one that takes nothing is told ---
probe_stop
probe_start -s 2000000 -w "$count,4,2000,4000000000,0"
for i in 0 1 2; do
	printf 'write_memory 0xe00010%x 32 5\x1a' $((0x28 + 16 * i)) >"/dev/tcp/127.0.0.1/$TCL"
done
sleep 0.5
watch 3 shared "" count radio_state
[ "$(writes_of e0001028)" = 00000005 ] && [ "$(writes_of e0001050)" = "$count" ] || fail "others' comparators"
grep -q 'radio_state is not watched: .*no comparator left' "$work/shared.said" || fail "none is left"
grep -q 'value .* count = ' "$work/shared.trace" || fail "count by the last comparator"
