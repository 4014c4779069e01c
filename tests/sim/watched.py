"""What a simulator tells of watched things, against what tests/sim/watched/watched.c does.

    watched.py TRACE TICK_US CHIP NAME...

TRACE: wsntop -x trace; TICK_US: a tick of the simulator's clock; NAMEs: what was watched.
"""
import math
import re
import sys

ROUNDS = 200


def signed(x, bits):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def expected(name, chip):
    """Each value that the variable gets, in order; the first is what it is before."""
    x, values = 1, [0, 0] if chip == "avr" else [0]     # avr-libc clears it, too
    for i in range(ROUNDS):
        x = (x * 1103515245 + 12345) & 0xffffffff
        wide = signed(x >> 8, 16)
        values += {
            "byte": [x >> 24],
            "wide": [wide, signed(wide + (x >> 24), 16)],
            "word": [x],
            "longer": [-3 * x],
            "real": [signed(x >> 16, 16) * 0.25],
            "mode": [[0, 7, -2][x % 3]],
            "pair.low": [x >> 5 & 7],
            "pair.high": [signed(x >> 17, 5)],
            "values_set:times": [i + 1],
            "row[2]": [signed(x, 16)] if x >> 3 & 3 == 2 else [],
        }.get(name, [])
    return values


def changes(values):
    return [v for i, v in enumerate(values) if i == 0 or v != values[i - 1]]


def fail(what):
    print("FAILED:", what)
    sys.exit(1)


def main():
    trace, tick, chip, *names = sys.argv[1:]
    values, calls, marks, stamps, handlers = {}, [], [], [], 0
    for line in open(trace):
        m = re.match(r".\s*([\d.]+)\s+(\S+)\s+(\S+)\s+(\d+)\s+(.*)", line)
        ticks = round(float(m[1]) * 1e6 / float(tick))
        kind, what = m[3], m[5]
        if kind in ("value", "state"):
            name, value = what.rsplit(" = ", 1)
            values.setdefault(name, []).append(float(value))
            if name == "stamp":
                stamps.append((ticks, int(value)))
        elif kind in ("call", "return"):
            if what == "values_set":
                calls.append((kind, ticks))
            handlers += m[2] == "handlers" and kind == "call"
        elif kind == "mark":
            marks.append((int(what.split()[1]), ticks))
    for name in names:
        got, want = values.get(name, []), expected(name, chip)
        if name.startswith("pair"):
            want = changes(want)        # a neighbour's store is no store to it
        if name == "stamp":
            continue
        if not math.isclose(sum(got), sum(want)) or got != want:
            for i, (a, b) in enumerate(zip(got + [None] * len(want), want)):
                if a != b:
                    fail(f"{name}: {len(got)} values, {len(want)} expected; the {i}th is {a}, not {b}")
            fail(f"{name}: {len(got)} values, {len(want)} expected")
        print(f"{name}: {len(got)} values, as the firmware set them")
    want, x = [], 1
    for _ in range(ROUNDS):
        x = (x * 1103515245 + 12345) & 0xffffffff
        want += [3, 4] + ([65535] if x & 1 else []) + [9]
    if [n for n, _ in marks] != want:
        fail(f"{len(marks)} marks, {len(want)} expected")
    # A mark's nop and four: five ticks, but where an interrupt strikes between.
    between = [b[1] - a[1] for a, b in zip(marks, marks[1:]) if a[0] == 3]
    if min(between) != 5 or between.count(5) < 0.8 * len(between):
        fail(f"marks 3 and 4 are {sorted(set(between))} ticks apart, not 5")
    print(f"{len(marks)} marks; {between.count(5)} of {len(between)} times 5 ticks apart, else an interrupt is between")
    if chip == "avr":
        for (ta, a), (tb, b) in zip(stamps[2:], stamps[3:]):
            if (tb - ta) % 65536 != (b - a) % 65536:
                fail(f"timer 1 went on by {(b - a) % 65536}, the log by {tb - ta}")
        print(f"{len(stamps)} reads of timer 1: the log's times are its, to the cycle")
        # The mark behind each is at the store's end.
        at = [t for n, t in marks if n == 9]
        if len(stamps) - 2 != len(at) or any(m != s[0] for m, s in zip(at, stamps[2:])):
            fail("a mark is not at the end of the store before it")
    if len(calls) != 2 * ROUNDS or [k for k, _ in calls] != ["call", "return"] * ROUNDS:
        fail(f"{len(calls)} begins and ends of calls")
    if handlers < 3:
        fail(f"{handlers} interrupts")
    print(f"{ROUNDS} calls with their ends, {handlers} interrupts")


if __name__ == "__main__":
    main()
