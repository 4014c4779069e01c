"""How far the times of a trace's events are off: those that are told have theirs between two stamps, one after another
at equal distances; the simulator knows them to the cycle.

    trace_times.py NODE.bin EVENTS CYCLES-A-UNIT CYCLES-A-SECOND
"""

import sys

import trace


def errors(lane, true, unit):
    """Of each told event between two stamps, in cycles, sorted."""
    _, told = trace.compare(lane, true)
    runs, last, wraps = [], 0, 0	# [cycles as stamped, cycles of the events before and behind, places told until the next]
    for t in told:
        if not isinstance(t, tuple):
            if runs:
                runs[-1][2].append(t)
            continue
        units, time, before, after, _ = t
        if time < last:
            wraps += 1 << 32
        last = time
        runs.append(((time + wraps - (time - units & 0xffff)) * unit, [c for c in (before, after) if c is not None], []))
    if not runs:
        return []
    base = 0
    for _ in range(3):		# the clock's zero: so that stamps are in the middle of what they may be
        offs = sorted(min((c - u - base for c in near), key=abs) for u, near, _ in runs)
        base += offs[len(offs) // 2] if _ else min(c - runs[0][0] for c in runs[0][1])
    found = []
    for (a, _, places), (b, _, _) in zip(runs, runs[1:]):
        for k, at in enumerate(places):
            guess = a + (b - a) * k / max(len(places) - 1, 1) + base
            if at is not None:
                found.append(abs(true[at][2] - guess))
    return sorted(found)


def main(node, events, unit, hz):
    node, true = trace.Node(open(node, "rb").read()), trace.events(events)
    for number, lane in sorted(node.lanes.items()):
        e = errors(lane, true[number], int(unit))
        calls = trace.told(lane)
        if e:
            us = 1e6 / float(hz)
            print(f"lane {number}: {calls} calls told, {lane.untold} counted, {8 * lane.bytes / calls:.2f} bits a call, "
                  f"{len(e)} events: {e[len(e) // 2] * us:.1f} / {e[len(e) * 95 // 100] * us:.1f} us; {lane.tokens}")


if __name__ == "__main__":
    main(*sys.argv[1:])
