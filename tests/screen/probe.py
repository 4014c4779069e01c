"""A recording of OpenOCD's answers: PCs of probe.s's program, 1,000 a second, of a core at 72 MHz.

probe.py OUT.wsnrec. Each tenth of a second: 60 samples in `work`'s loop, one after the other; a round over the seven
functions, two in each; 20 asleep; 6 in `main`. Each five rounds met the end of `work`.
"""
import struct
import sys
import zlib

END, BASE, CALL, MAIN = b"\x1a", 0x1010, 16, 0x1000
WORK = BASE + 7 * CALL
ROUNDS, PERIOD = 30, 72000


def samples():
    """PCs; None: asleep."""
    for i in range(ROUNDS):
        yield from [WORK + 2] * 60
        # push, bl and pop of each in turn; a halfword is an address
        for k in range(14):
            yield BASE + k % 7 * CALL + (0, 2, 8)[(i + k // 7) % 3]
        yield from [None] * 20
        yield from [MAIN] * 5
        yield WORK + 6 if i % 5 < 4 else MAIN


def answer(number, pc, cycles):
    words = ["0x40000001", "0x%x" % (cycles & 0xffffffff)] + ["0x0"] * 5 + ["0x%x" % (0xffffffff if pc is None else pc)]
    return ("7:%d %s%s" % (number, " ".join(words), " 0x1050000" if pc is None else "")).encode() + END


def main():
    with open(sys.argv[1], "wb") as f:
        f.write(b"wsnrec1\n" + struct.pack("<Q", 1767268800 * 10**9))
        chunks = [b"1:0 0x412fc231" + END]
        chunks += [answer(i, pc, (i + 1) * PERIOD) for i, pc in enumerate(samples())]
        for i, data in enumerate(chunks):
            chunk = struct.pack("<QI", i * 10**6, len(data)) + data
            f.write(chunk + struct.pack("<I", zlib.crc32(chunk)))


main()
