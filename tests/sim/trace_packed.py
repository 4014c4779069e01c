"""Packed TRACE frames read a second time, from docs/PROTOCOL.md section 9 alone: unpack(bytes) gives the tokens as an
unpacked frame has them, its stamps all long."""

import functools

STAMP, REF, LEAF, OPEN, CLOSE, OTHER, BOX, STAMP_OWN = range(8)

MISS = [40, 196, 226, 245]
KIND = [None, 208, 151, 184, 139, 152, 231, 56]
NEAR = [100, 213, 177, 60, 160, 126, 135, 128, 194, 135, 56, 84, 167, 64, 192, 128]
NEARER = [225, 206, 227, 103, 227, 76, 223, 192, 211, 127, 79, 157, 200, 100, 192, 128]
UNKNOWN = [16, 209, 207, 113, 136, 118, 209, 230, 32, 219, 128, 36, 188, 41, 230, 32]


class Coder:
    """A number between the bytes' and the next: each bit halves what it may be, not evenly."""

    def __init__(self, data):
        self.value, self.bits = int.from_bytes(data, "big"), 8 * len(data)
        self.behind = self.value
        self.low, self.range, self.scale = 0, 255, 8

    def bit(self, chance):
        split = 1 + ((self.range - 1) * chance >> 8)
        at = self.value >> self.bits - self.scale if self.scale <= self.bits else self.value << self.scale - self.bits
        bit = at - self.low >= split
        self.low += split if bit else 0
        self.range = self.range - split if bit else split
        while self.range < 128:
            self.range, self.low, self.scale = 2 * self.range, 2 * self.low, self.scale + 1
        return int(bit)

    def learned(self, chances, i):
        bit = self.bit(chances[i])
        chances[i] += -(chances[i] // 8) if bit else (256 - chances[i]) // 8
        return bit

    def plain(self, bits):
        """From the last byte on, the lowest bit first."""
        x = self.behind & (1 << bits) - 1
        self.behind >>= bits
        return x

    def tree(self, chances, bits):
        node = 1
        for _ in range(bits):
            node = 2 * node + self.learned(chances, node)
        return node - (1 << bits)

    def number(self, chances, sign):
        if not self.learned(chances, 0):
            return 0
        minus = sign and self.plain(1)
        bits = self.tree(chances, 4)
        x = (1 << bits) + self.plain(bits)
        return -x if minus else x


@functools.cache	# frames are read again with others of them lost
def unpack(data, ref_bytes=2):
    coder, out = Coder(data[1:]), bytearray()
    miss, kinds, near, nearer, unknown = list(MISS), list(KIND), list(NEAR), list(NEARER), list(UNKNOWN)
    slots = {}
    place = stamps = 0
    stamp = None
    for _ in range(data[0]):
        at = (place + 21 * stamps) % 256 % 64
        was, value, sure = slots.get(at, (OTHER, 0, 0))
        hit = not coder.learned(miss, sure)
        kind, new = was, value
        if not hit:
            kind = coder.tree(kinds, 3)
            new = 0
            if kind in (REF, BOX):
                new = coder.plain(8 * ref_bytes if kind == REF else 16)
            elif kind in (LEAF, OPEN):
                new = coder.plain(7)
                if new == 127:
                    new = coder.plain(15)
                assert new, "id 0"
            elif kind == OTHER:
                out += bytes(coder.plain(8) for _ in range(coder.plain(4)))
        else:
            assert kind != OTHER, "predicted what never is"
        if kind in (STAMP, STAMP_OWN):
            if stamp is None:
                stamp = coder.plain(16)
                new = value if hit else 0
            else:
                new = (value + coder.number(nearer if sure else near, True)) % 65536 if hit else coder.number(unknown, False)
                stamp = (stamp + new) % 65536
            out += (b"\0" if kind == STAMP else b"\x80") + stamp.to_bytes(2, "little")
            stamps = min(stamps + 1, 2)
        else:
            place = 37 * kind % 256 ^ new & 255 ^ new >> 8 & 255 ^ new >> 16
            place ^= place >> 5
            stamps = 0
        if kind == REF:
            out += b"\x7f" + new.to_bytes(ref_bytes, "little")
        elif kind in (LEAF, OPEN):
            leaf = kind == LEAF
            out += bytes([0x80 * leaf + new]) if new <= 0x7c else b"\xfe" + (0x8000 * leaf + new).to_bytes(2, "little")
        elif kind == CLOSE:
            out += b"\x7e"
        elif kind == BOX:
            assert new & 255 and 0 < new >> 8 < 128, "a box"
            out += b"\xff\x02" + new.to_bytes(2, "little")
        if hit or sure < 2:
            slots[at] = kind, new, min(sure + 1, 3) if hit else 0
        else:
            slots[at] = was, value, sure - 2
    return bytes(out)
