"""Keyframes of many nodes, of one real node's: fleet_keys.py KEYFRAME FOLDER FIRST COUNT SPREAD [ADDRESS*TIMES[@ID]]...

Node after node from id FIRST (hex) on: its HELLO has its id, the times of its call sites are those of KEYFRAME, less what the hooks
add, times 1 + SPREAD * x, x from -1 to 1 by the node and the function that is called; those of the function at ADDRESS (hex, bytes)
times TIMES, on all nodes or on ID. Writes FOLDER/ID, and prints ID and shard of each.
"""

import hashlib
import os
import sys

import renumber
import wsn

SHARDS = 64


def shard(node):
    h = 2166136261
    for letter in b"%08x" % node:
        h = (h ^ letter) * 16777619 & 0xffffffff
    return h % SHARDS


def v(n):
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    return bytes(out) + bytes([n])


def chance(node, address):
    """-1 to 1."""
    digest = hashlib.sha256(b"%d %d" % (node, address)).digest()
    return int.from_bytes(digest[:4], "little") / 0x7fffffff - 1


def factor(node, address, spread, planted):
    times = 1 + spread * chance(node, address)
    for at, by, of in planted:
        if at == address and of in (None, node):
            times *= by
    return times


def frames(stream):
    """Kind with the epoch's bits, body."""
    for part in stream.split(b"\0"):
        block = wsn.cobs_decode(part) if part else None
        if block:
            yield block[0], block[2:-2]


def rows(body, hello):
    """Slot, numbers behind it."""
    numbers = 4 + 2 * bool(hello.features & wsn.MINMAX) + 8 * bool(hello.features & wsn.HISTOGRAM)
    b, slot = wsn.Body(body), -1
    while b.left():
        slot += b.v() + 1
        yield slot, [b.v() for _ in range(numbers)]


def keyframe(stream, hello, node, spread, planted):
    out, seq = b"", 0
    for kind, body in frames(stream):
        bodies = [body]
        if kind & 31 == wsn.SITES:
            bodies = []
            for slot, row in rows(body, hello):
                hooks = int(hello.skew * row[2])
                row[3] = hooks + round(max(0, row[3] - hooks) * factor(node, row[1] * hello.unit + hello.base, spread, planted))
                bodies.append(v(slot) + b"".join(map(v, row)))
        for one in bodies:
            out += wsn.frame(kind, seq, one)
            seq += 1
    return renumber.renumbered(out, node)


def main():
    name, folder, first, count, spread = sys.argv[1:6]
    planted = []
    for text in sys.argv[6:]:
        address, _, rest = text.partition("*")
        times, _, node = rest.partition("@")
        planted.append((int(address, 16), float(times), int(node, 16) if node else None))
    with open(name, "rb") as f:
        stream = f.read()
    hello = wsn.Node(stream).hello
    os.makedirs(folder, exist_ok=True)
    for node in range(int(first, 16), int(first, 16) + int(count)):
        with open(f"{folder}/{node:08x}", "wb") as f:
            f.write(keyframe(stream, hello, node, float(spread), planted))
        print(f"{node:08x} {shard(node):02x}")


if __name__ == "__main__":
    main()
