#!/bin/bash
# Watches by two ways at one target: SWO's comparators, or reads, first, which halt nothing; what these cannot tell by a gdb
# server, with stops, where it was named behind the source. The real OpenOCD, by its Tcl port and its gdb port, on the
# simulated Cortex-M3, which says where it met a breakpoint; all events meet on one time axis.
# Sanitized: long: most of its seconds are simulated chips'.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_radio
entry=$(at_of state_set)
back=$(arm-none-eabi-objdump -d "$M3_ELF" | sed -n '/<SysTick_Handler>:/,/^$/p' | grep -A1 'bl.*state_set' | tail -n 1 |
	sed 's/^ *\([0-9a-f]*\):.*/\1/')
CALL=51300			# us: state_set is called so often, at no write, and takes 300

start() {
	probe_start "$@" -s 2000000 -w "$state,1,5000,4,$writer" -w "$count,4,2000,4000000000,0" -w "$wide,8,7000,100,0" \
		-w "$table,2,90000,30000,$writer" -c "$entry,$back,$CALL,300"
}

top() {	# name, seconds, source, watches
	local name=$1 seconds=$2 source=$3
	shift 3
	for w; do
		set -- "$@" -w "$w"
		shift
	done
	"$WSNTOP" -B -p "$source" -e "$M3_ELF" --for="$seconds" "$@" -x "json:$work/$name.json" -x "trace:$work/$name.trace" \
		-r "$work/$name.wsnrec" -x "log-csv:$work/$name.csv" -x "vcd:$work/$name.vcd" >"$work/$name.out" 2>"$work/$name.said" || { cat "$work/$name.said"; fail "$name: no data"; }
}

# A host that is too slow for OpenOCD: it reads zeros for registers, and refuses to write them. Said, and tried again.
is_set_up() { ! grep -q 'registers refused' "$work/$1.said" || { probe_stop; false; }; }

# The recording tells what both ways told: without -w and without stops=, from a pipe as well.
replayed() {	# name
	local how
	for how in "$work/$1.wsnrec" -; do
		"$WSNTOP" -B -p "$how" -e "$M3_ELF" -x "log-csv:$work/again.csv" -x "vcd:$work/again.vcd" -x "json:$work/again.json" \
			>/dev/null 2>"$work/again.said" <"$work/$1.wsnrec" || { cat "$work/again.said"; fail "$1: no replay"; }
		cmp "$work/$1.csv" "$work/again.csv" ||
			{ diff "$work/$1.csv" "$work/again.csv" | head -n 20; fail "$1: another log"; }
		cmp "$work/$1.vcd" "$work/again.vcd" || fail "$1: another VCD"
		python3 - "$work/$1.json" "$work/again.json" <<'WATCHED' || { cat "$work/again.said"; fail "$1: other watches"; }
import json
import sys

live, again = ({w["watch"]: w["hits"] for w in json.load(open(p))["node"]["watching"]["watches"]} for p in sys.argv[1:])
ways = {w["watch"]: w["way"] for w in json.load(open(sys.argv[2]))["node"]["watching"]["watches"]}
assert live == again and sum(live.values()) > 100, (live, again)
assert ways["call:state_set"] == "breakpoint", ways
WATCHED
	done
	echo "ok: $1: replayed, $(wc -l <"$work/again.csv") lines"
}

ways() {	# name, an expression over w (watching) and way (of each watch)
	python3 - "$work/$1.json" "$2" <<'WATCHED' || { cat "$work/$1.said"; fail "$1: $2"; }
import json
import sys

w = json.load(open(sys.argv[1]))["node"]["watching"]
way = {i["watch"]: i["way"] for i in w["watches"]}
hits = {i["watch"]: i["hits"] for i in w["watches"]}
lost = sum(i["lost"] for i in w["watches"])
assert eval(sys.argv[2]), w
WATCHED
}

# Breakpoints that the chip met, in its own time, and what was told: each once, in the same distances.
cat "$work/check.py" - >"$work/calls.py" <<'WATCHED'
import json

entry, back = int(sys.argv[2], 16), int(sys.argv[3], 16)
apart = json.load(open(sys.argv[5]))["node"]["watching"]["apart_s"] or 0
met = [line.split() for line in open(sys.argv[4]) if line.startswith("break")]
entries = [float(t) for _, pc, t in met if int(pc, 16) == entry]
calls = [float(t) for t, _, kind, text in events if kind == "call" and "state_set" in text]
# On a busy host it comes to few; the first and the last of all may be cut by what sets the points, and takes them away
assert len(calls) >= 5 and abs(len(calls) - len(entries)) <= 1, (len(calls), len(entries))
steps = [b - a for a, b in zip(calls, calls[1:])]
# Seconds of a clock that nobody named are the host's: a chip that is simulated on a busy one is slower.
period = sorted(steps)[len(steps) // 2]
assert abs(period / 0.0513 - 1) < 0.25, steps
assert all(abs(s / period - round(s / period)) < 0.02 for s in steps), steps
missed = sum(round(s / period) - 1 for s in steps)
assert missed == 0, (missed, steps)
radio = told("radio_state")


def off(calls, entries):
    """Seconds that calls are too late, by the write of radio_state before each: these are at whole 5 ms."""
    before = [max(t for t, _, _ in radio if t <= c) for c in calls]
    late = [(c - t - e % 0.005 + 0.0025) % 0.005 - 0.0025 for c, t, e in zip(calls, before, entries)]
    return max(late, key=abs)


worst = min((off(calls[1:-1], entries[i:]) for i in (0, 1, 2)), key=abs)
WATCHED
cat "$work/calls.py" - >"$work/all.py" <<'WATCHED'
assert abs(worst) <= apart + 2e-6, (worst, apart)
for name, period, of in ("radio_state", 0.005, 4), ("count", 0.002, 4000000000), ("wide", 0.007, 100):
    values = told(name)
    assert len(values) > 100, (name, len(values))
    for (t, a, _), (u, b, _) in zip(values, values[1:]):
        a, b = NUMBER.get(a, a), NUMBER.get(b, b)
        assert int(b) == (int(a) + 1) % of and abs(u - t - period) < 20e-6, (name, t, u, a, b)
ticks = [float(t) for t, _, kind, text in events if kind == "call" and "state_set" not in text]
assert len(ticks) > 1000 and all(abs(b - a - 0.001) < 20e-6 for a, b in zip(ticks, ticks[1:])), len(ticks)
assert not [e for e in events if e[2] == "lost"], "packets were lost"
print("ok: %d writes, %d interrupts, %d calls, none missed; calls %.1f us off, %.1f said" %
      (sum(len(told(n)) for n in ("radio_state", "count", "wide")), len(ticks), len(calls), 1e6 * worst, 1e6 * apart))
WATCHED

# --- three variables, a call and interrupts at once ---
for _ in 1 2 3 4; do
	start
	swo="swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M"
	top all 9 "$swo&stops=gdb:localhost:$GDB" radio_state count wide call:state_set irq
	is_set_up all && break
done
ways all '[way[k] for k in ("radio_state", "count", "wide", "irq")] == 3 * ["comparator"] + ["traced"]'
ways all 'way["call:state_set"] == "breakpoint" and lost == 0 and (w["comparators"], w["comparators_used"]) == (4, 3)'
ways all 'w["stop_s"] > 0 and 0 < w["halted"] < 1 and w["packets_s"] > 1000 and 0 < w["pin_share"] < 1 and w["apart_s"] < 0.01'
grep -q 'call:state_set: breakpoints, with a stop each time, about .*s; irq: traced.*; radio_state, count, wide: a comparator, without a halt; 3 of 4 comparators in use' \
	"$work/all.said" || { cat "$work/all.said"; fail "the means and the cost are not said before"; }
[ "$(sed -n "s/^write e0001050 //p" "$work/m3.writes" | tail -n 1)" = "$state" ] || fail "not the highest comparator"
python3 "$work/all.py" "$work/all.trace" "$entry" "$back" "$work/m3.ports" "$work/all.json" ||
	{ grep call "$work/all.trace" | grep -v SysTick | head -n 20; exit 1; }
replayed all
probe_stop

# --- stamps that go on while it is halted: a call is behind the stamp before its stop, and near it ---
for _ in 1 2 3 4; do
	start -f stamps-run
	swo="swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M"
	top runs 6 "$swo&stops=gdb:localhost:$GDB" radio_state call:state_set
	is_set_up runs && break
done
sed '/^steps = /,/^assert missed/d' "$work/calls.py" >"$work/runs.py"
cat >>"$work/runs.py" <<'WATCHED'
assert abs(worst) < 0.001, worst
print("ok: stamps that go on: %d calls, %.1f us off" % (len(calls), 1e6 * worst))
WATCHED
python3 "$work/runs.py" "$work/runs.trace" "$entry" "$back" "$work/m3.ports" "$work/runs.json" || exit 1
replayed runs
probe_stop

# --- without permission: a line, and nothing is halted ---
start
swo="swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M"
top none 3 "$swo" radio_state call:state_set
grep -q 'call:state_set is not watched: needs .*stops=gdb:HOST:PORT' "$work/none.said" ||
	{ cat "$work/none.said"; fail "what would be needed is not said"; }
ways none 'way == {"radio_state": "comparator", "call:state_set": "refused"} and w["stop_s"] == 0'
! grep '^write e000edf0 .*[37bf]$' "$work/m3.writes" || fail "it was halted"
! "$WSNTOP" -B -p "$swo&stops=openocd:" -e "$M3_ELF" --for=1 >"$work/out" 2>"$work/said" || fail "stops=openocd:"
grep -q 'expected stops=gdb:' "$work/said" || { cat "$work/said"; fail "the wrong server"; }
probe_stop

# --- no server at all ---
start
! "$WSNTOP" -B -p "swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M&stops=gdb:localhost:1" -e "$M3_ELF" --for=4 -w radio_state \
	>"$work/out" 2>"$work/said" || fail "it began without its server"
grep -q 'gdb:localhost:1: connection refused' "$work/said" || { cat "$work/said"; fail "what is missing"; }
probe_stop

# --- openocd: variables by reads, the rest by stops; both read CYCCNT ---
start
top reads 18 "openocd::$TCL?stops=gdb:localhost:$GDB" radio_state count call:state_set "mem:0x$table+2"
ways reads '(way["radio_state"], way["count"], way["call:state_set"]) == ("reads", "reads", "breakpoint")'
ways reads 'way["mem:0x'"$table"'+2"] == "stops" and w["comparators_used"] == 1 and hits["mem:0x'"$table"'+2"] > 1'
ways reads 'w["apart_s"] == 0 and w["halted"] > 0'
cat "$work/calls.py" - >"$work/reads.py" <<'WATCHED'
numbers = told("count")
assert len(numbers) > 20 and len(radio) > 20, (len(numbers), len(radio))
# A count is read some ms behind the sample whose time it has.
def apart(entries):
    late = []
    for t, v, _ in numbers:
        before = [(c, e) for c, e in zip(calls, entries) if c <= t]
        if before:
            late.append(t - before[-1][0] - (int(v) * 0.002 - before[-1][1]))
    return sorted(late)[len(late) // 2]


between = min((apart(entries[i:]) for i in (0, 1)), key=abs)
assert abs(between) < 0.01, between
print("ok: %d calls, none missed; counts and calls are %.1f ms apart" % (len(calls), 1e3 * abs(between)))
WATCHED
python3 "$work/reads.py" "$work/reads.trace" "$entry" "$back" "$work/m3.ports" "$work/reads.json" ||
	{ head -n 40 "$work/reads.trace"; exit 1; }
replayed reads
probe_stop

# --- the server goes away, and comes back ---
start
"$WSNTOP" -B -p "swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M&stops=gdb:localhost:$GDB" -e "$M3_ELF" --for=40 -w radio_state \
	-w call:state_set -x "json:$work/back.json" -x "trace:$work/back.trace" >"$work/back.out" 2>"$work/back.said" &
top=$!
breaks() {	# until there are more
	for _ in $(seq 200); do
		[ "$(grep -c '^break' "$work/m3.ports")" -gt "$1" ] && return
		sleep 0.1
	done
	cat "$work/back.said" "$work/openocd"
	fail "no breakpoint is met"
}
breaks 20
openocd_stop
met=$(grep -c '^break' "$work/m3.ports")
openocd_start
breaks $((met + 20))
kill -INT "$top"
wait "$top" || true
ways back 'way == {"radio_state": "comparator", "call:state_set": "breakpoint"}'
cat "$work/check.py" - >"$work/back.py" <<'WATCHED'
met = [line.split() for line in open(sys.argv[2]) if line.startswith("break")]
entries = sum(int(pc, 16) == int(sys.argv[3], 16) for _, pc, _ in met)
calls = [float(t) for t, _, kind, text in events if kind == "call" and "state_set" in text]
assert 15 <= len(calls) <= entries and entries - len(calls) <= 3, (len(calls), entries)
assert all(b > a for a, b in zip(calls, calls[1:])), calls
print("ok: %d of %d calls around a server that was away" % (len(calls), entries))
WATCHED
python3 "$work/back.py" "$work/back.trace" "$work/m3.ports" "$entry" || { cat "$work/back.said"; exit 1; }
