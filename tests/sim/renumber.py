"""The stream of a node, as that of another: renumber.py FILE ID TO: its HELLOs say ID (hex)."""

import sys

import wsn

AT_ID = 2 + 30  # docs/PROTOCOL.md, 4


def renumbered(stream, node):
    out = []
    for part in stream.split(b"\0"):
        block = wsn.cobs_decode(part) if part else None
        if block and len(block) > AT_ID + 4 and block[0] & 31 == wsn.HELLO and wsn.crc16(block[:-2]) == int.from_bytes(block[-2:], "little"):
            block = block[:AT_ID] + node.to_bytes(4, "little") + block[AT_ID + 4:-2]
            part = wsn.cobs_encode(block + wsn.crc16(block).to_bytes(2, "little"))
        out.append(part)
    return b"\0".join(out)


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as source, open(sys.argv[3], "wb") as to:
        to.write(renumbered(source.read(), int(sys.argv[2], 16)))
