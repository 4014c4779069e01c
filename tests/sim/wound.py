#!/usr/bin/env python3
"""Do to a captured stream what a bad line does: wound.py HOW [good=BYTES] [seed=N] [other=FILE] [seconds=N] <in >out

`other` is the stream of a second node on the same line. The last `good` bytes stay as they are: the line got better. What was done is told on standard error,
`HOW COUNT`.
"""

import random
import sys


def pieces(data):
    """Frames (with both delimiters) and what is between them."""
    out, at = [], 0
    while at < len(data):
        begin = data.find(b"\0", at)
        if begin < 0:
            begin = len(data)
        if begin > at:
            out.append(data[at:begin])
        end = data.find(b"\0", begin + 1)
        if end < 0:
            out.append(data[begin:])
            break
        out.append(data[begin:end + 1])
        at = end + 1
    return out


def is_frame(piece):
    return len(piece) > 4 and piece[0] == 0 and piece[-1] == 0


def drop(data, chance):
    kept, done = [], 0
    for p in pieces(data):
        if is_frame(p) and chance() < 0.15:
            done += 1
        else:
            kept.append(p)
    return b"".join(kept), done


def twice(data, chance):
    out, done = [], 0
    for p in pieces(data):
        out.append(p)
        if is_frame(p) and chance() < 0.15:
            out.append(p)
            done += 1
    return b"".join(out), done


def order(data, chance):
    out, done = pieces(data), 0
    frames = [i for i, p in enumerate(out) if is_frame(p)]
    for a, b in zip(frames[::2], frames[1::2]):
        if chance() < 0.3:
            out[a], out[b] = out[b], out[a]
            done += 1
    return b"".join(out), done


def flip(data, chance):
    out, done = bytearray(data), 0
    for i in range(len(out)):
        for bit in range(8):
            if chance() < 1e-3:
                out[i] ^= 1 << bit
                done += 1
    return bytes(out), done


def insert(data, chance):
    out, done = bytearray(), 0
    for byte in data:
        if chance() < 2e-3:
            out.append(int(chance() * 256))
            done += 1
        out.append(byte)
    return bytes(out), done


def remove(data, chance):
    out = bytes(b for b in data if chance() >= 2e-3)
    return out, len(data) - len(out)


def join(data, chance):
    """The host came late: in the middle of a frame."""
    begin = len(data) * 2 // 3
    while begin < len(data) - 2 and not (data[begin] and data[begin - 1] and data[begin + 1]):
        begin += 1
    return data[begin:], begin


def noise(data, chance):
    """Nothing but noise for a while, zeros among it."""
    at = len(data) // 2
    made = bytes(int(chance() * 256) if chance() < 0.9 else 0 for _ in range(3000))
    return data[:at] + made + data[at + 2000:], 1


def over(data, chance, other):
    """Another node on the same line: a low bit of either is low. They begin where they like, and are often silent."""
    out, at, done = bytearray(), [0, 0], 0
    talks = [True, False]
    while at[0] < len(data):
        said = []
        for i, stream in enumerate((data, other)):
            if chance() < 0.004:
                talks[i] = not talks[i]
            if talks[i]:
                said.append(stream[at[i] % len(stream)])
                at[i] += 1
        if said:
            done += len(said) == 2
            out.append(said[0] & said[-1])
    return bytes(out), done


def stuck(data, chance):
    """The line is held low for a minute and a half at 115,200 baud: a zero in each byte's time."""
    at = len(data) // 2
    return data[:at] + bytes(1000000) + data[at:], 1


def hour(data, chance, seconds=3600):
    """Nothing but noise, an hour of 115,200 baud, or so many seconds of it."""
    at = len(data) // 2
    return data[:at] + random.Random(int(chance() * 2 ** 32)).randbytes(seconds * 11520) + data[at:], 1


def line_of(data, parity):
    """The bits of these bytes one after the other, each with a start bit, eight of its own, its parity and a stop bit."""
    for byte in data:
        yield 0
        for i in range(8):
            yield byte >> i & 1
        yield byte.bit_count() + parity & 1
        yield 1


def parity(data, chance):
    """
    A node that sends a parity bit, heard by a UART that is set to none: where that bit is low there is no stop bit, and
    a 16550 takes it for the next byte's start.
    """
    bits, out, done = list(line_of(data, int(chance() < 0.5))), bytearray(), 0
    at = 0
    while at + 10 <= len(bits):
        if bits[at]:
            at += 1
            continue
        out.append(sum(b << i for i, b in enumerate(bits[at + 1:at + 9])))
        done += not bits[at + 9]
        at += 10 if bits[at + 9] else 9
    return bytes(out), done


def everything(data, chance):
    done = 0
    for wound in (drop, twice, order, flip, insert, remove):
        data, n = wound(data, chance)
        done += n
    return data, done


WOUNDS = {f.__name__: f for f in (drop, twice, order, flip, insert, remove, join, noise, over, stuck, hour, parity,
                                 everything)}


def main():
    settings = dict(a.split("=") for a in sys.argv[2:])
    data = sys.stdin.buffer.read()
    bad = max(len(data) - int(settings.get("good", 6000)), 0)
    chance = random.Random(int(settings.get("seed", 1))).random
    more = [open(settings["other"], "rb").read()] if "other" in settings else []
    more += [int(settings["seconds"])] if "seconds" in settings else []
    wounded, done = WOUNDS[sys.argv[1]](data[:bad], chance, *more)
    sys.stdout.buffer.write(wounded + data[bad:])
    print(sys.argv[1], done, file=sys.stderr)


if __name__ == "__main__":
    main()
