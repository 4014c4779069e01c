#!/usr/bin/env python3
"""What a Cortex-M's trace port sends in two seconds, with time stamps of a clock of 1 MHz, raw (DDI 0403E.e, D4): swo.py FILE

Each ms SysTick runs for 100 us. Each 5 ms IRQ 3 interrupts it for 40 us; each 20 ms IRQ 9 follows IRQ 3 at once, for 60 us.
Comparator 1 tells a value that counts to 3, each 50 ms. At 1.5 s packets are missing while SysTick runs. PCs each 100 us;
the processor sleeps from each 600th to each 1000th us.
"""
import struct, sys

out, told = bytearray(), 0

def stamp(at):
    global told
    ticks, told = at - told, at
    out.append(0xc0)
    while ticks >= 0x80:
        out.append(0x80 | ticks & 0x7f)
        ticks >>= 7
    out.append(ticks)

def exception(at, kind, number):
    out.extend((0x0e, number & 0xff, kind << 4 | number >> 8))
    stamp(at)

ENTER, EXIT, RETURN = 1, 2, 3
events = []
for ms in range(2000):
    t = 1000 * ms
    ends = t + 100
    events.append((t, 0, lambda at: exception(at, ENTER, 15)))
    if ms % 5 == 0:
        events.append((t + 30, 0, lambda at: exception(at, ENTER, 19)))
        events.append((t + 70, 0, lambda at: exception(at, EXIT, 19)))
        back = t + 70
        if ms % 20 == 0:
            events.append((t + 72, 0, lambda at: exception(at, ENTER, 25)))
            events.append((t + 132, 0, lambda at: exception(at, EXIT, 25)))
            back = t + 132
        events.append((back + 1, 0, lambda at: exception(at, RETURN, 15)))
        ends = back + 70
    if ms == 1500:
        events.append((t + 50, 0, lambda at: out.append(0x70)))
    events.append((ends, 0, lambda at: exception(at, EXIT, 15)))
    events.append((ends + 1, 0, lambda at: exception(at, RETURN, 0)))
    if ms % 50 == 25:
        def write(at, value=ms // 50 % 4):
            out.extend((0x9c | 3, *struct.pack("<I", value)))
            stamp(at)
        events.append((t + 500, 0, write))
    for us in range(250, 1000, 100):
        def sample(at, us=us):
            out.extend((0x15, 0) if us > 600 else (0x17, *struct.pack("<I", 0x210 if us < 500 else 0x410)))
            stamp(at)
        events.append((t + us, 0, sample))
for at, _, tell in sorted(events, key=lambda e: e[0]):
    tell(at)
open(sys.argv[1], "wb").write(out)
