"""How far the times that wsntop gives a trace's events are off: `wsntop -x trace:TEXT` against the simulator, which
knows them to the cycle. The clocks' zero is the median of the main lane's events.

    trace_times.py TEXT NODE.bin EVENTS CYCLES-A-SECOND [MOST-US]

MOST-US: 95 % of the main lane's events must be nearer. Status 1 if not.
"""

import re
import sys

import trace

LANES = {0: "main", 1: "handlers"}
ASTRAY = 5000		# us: behind a loss that told calls fit an earlier round, too


def host_events(path, lane):
    """(is its time known, us, events that it stands for, is it told)."""
    for line in open(path):
        at, of, kind, _, what = line.lstrip("~? ").split(None, 4)
        if of == lane and kind in ("call", "return"):
            yield line[0] != "?", 1e6 * float(at), 1, True
        elif of == lane and kind in ("box", "gap"):
            yield False, 0, 2 * int(re.search(r"(\d+) calls?, counted", what)[1]), False


def errors(text, lane, true, hz):
    """Of each told event with a time, in us."""
    _, told = trace.compare(lane[1], true)
    places, at, found = [t for t in told if not isinstance(t, tuple)], 0, []
    for known, us, events, is_told in host_events(text, LANES[lane[0]]):
        place = places[at] if is_told and at < len(places) else None
        at += events
        if known and place is not None:
            found.append(us - true[place][2] * 1e6 / hz)
    return found


def main(text, node, events, hz, most=None):
    node, true = trace.Node(open(node, "rb").read()), trace.events(events)
    zero, bad = None, False
    for number, lane in sorted((n, l) for n, l in node.lanes.items() if n in LANES):
        off = errors(text, (number, lane), true[number], float(hz))
        if not off:
            continue
        zero = sorted(off)[len(off) // 2] if zero is None else zero
        off = sorted(e for e in (abs(e - zero) for e in off) if e < ASTRAY)
        calls, last = trace.told(lane), off[len(off) * 95 // 100]
        bad |= number == 0 and most is not None and last > float(most)
        print(f"{'FAILED' if bad else 'ok'}: {LANES[number]}: {calls} calls told, {lane.untold} counted, "
              f"{8 * lane.bytes / calls:.2f} bits a call; {len(off)} events: {off[len(off) // 2]:.1f} / {last:.1f} us off "
              f"(median / 95 %)")
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
