#!/usr/bin/env python3
"""check.py ELF FILTERED-OUTPUT PLAIN-OUTPUT CALLS [NAME...]: what the hooks wrote down is what the simulator saw.

CALLS has an address a line: each time that an instruction at a function's address was carried out, in their order. NAMEs
must be followed; -NAME must not. Prints the functions, calls, leaves' share.
"""
import collections, re, struct, subprocess, sys

def sections(elf, tool):
    names = {}
    for name, address, offset, size in re.findall(r"\] (\S+)\s+\S+\s+(\w+) (\w+) (\w+)", subprocess.run(
            [tool, "-SW", elf], capture_output=True, text=True, check=True).stdout):
        names[name] = (int(offset, 16), int(size, 16))
    return names

def functions(elf, tool):
    """id -> (address, flags), from .wsntrace_map, which must be without gaps."""
    offset, size = sections(elf, tool)[".wsntrace_map"]
    raw = open(elf, "rb").read()[offset:offset + size]
    assert size % 8 == 0
    found = {}
    for at in range(0, size, 8):
        address, number, flags, check = struct.unpack_from("<IHBB", raw, at)
        assert number not in found, "id %d is there twice" % number
        assert check in (0, number + 131), "id %d has check %d" % (number, check)
        found[number] = (address, flags)
    assert sorted(found) == list(range(1, len(found) + 1)), sorted(found)
    return found

def symbols(elf):
    at = {}
    for line in subprocess.run(["nm", elf], capture_output=True, text=True, check=True).stdout.splitlines():
        address, kind, name = line.split()[-3:] if len(line.split()) > 2 else ("0", "U", "")
        if kind in "tTwW":
            at.setdefault(int(address, 16), []).append(name)
    return at

def said(path):
    """The program's own lines: without the record, and without the simulator's."""
    return [l for l in open(path).read().split("\n") if not l.startswith(("@", "Loaded "))]

def recorded(text):
    lanes, lines, i = {}, text.split("\n"), 0
    state = []
    for line in lines:
        m = re.match(r"(@\w*) (-?\d+)$", line)
        if m:
            state.append((m.group(1), int(m.group(2))))
    for (_, lane), (name, a), (_, b) in zip(state[::3], state[1::3], state[2::3]):
        lanes.setdefault(lane, {"@id": {}, "@open": {}})
        if name in ("@id", "@open"):
            lanes[lane][name][a] = b
        else:
            lanes[lane][name] = (a, b)
    return lanes

def main():
    elf, filtered, plain, trace = sys.argv[1:5]
    tool = "readelf"
    own, was = said(filtered), said(plain)
    for a, b in zip(own + ["(end)"], was + ["(end)"]):
        assert a == b, "the output differs: %r; not filtered: %r" % (a, b)
    assert len(own) > 100, "little output: %r" % own
    ids, names, lanes = functions(elf, tool), symbols(elf), recorded(open(filtered).read())
    calls_seen = [int(a, 16) & ~1 for a in open(trace).read().split() if re.match("[0-9a-f]+$", a)]
    seen = collections.Counter(calls_seen)
    for lane in lanes.values():
        still = [names.get(ids[i][0] & ~1, names.get(ids[i][0])) for i in lane["@open"]]
        assert not still, "still open at the end: %s" % still
        enters, exits = lane["@calls"]
        depth, faults = lane["@state"]
        assert faults == 0, "%d faults" % faults
        assert enters - exits == depth, (enters, exits, depth)
        assert depth <= 1, "%d calls are open at the end" % depth       # main
    # outside handlers the order is the same, call by call
    order, at = 0, dict((address & ~1, number) for number, (address, _) in ids.items())
    for address in calls_seen:
        if at[address] in lanes[0]["@id"]:
            assert at[address] not in lanes[1]["@id"], "%s is called in handlers, too" % names[address]
            order = (order * 31 + at[address]) & 0xffffffff
    assert (order >> 16, order & 0xffff) == lanes[0]["@order"], "the calls' order differs"
    calls = 0
    for number, (address, flags) in sorted(ids.items()):
        told = sum(lane["@id"].get(number, 0) for lane in lanes.values())
        name = "/".join(names.get(address & ~1, names.get(address, ["?"])))
        assert name != "?", "nothing is at %x" % address
        assert told == seen[address & ~1], "%s: %d calls told, %d seen" % (name, told, seen[address & ~1])
        calls += told
    told = set(n.split(".")[0] for a, f in ids.values() for n in names.get(a & ~1, []) + names.get(a, []))
    for want in sys.argv[5:]:
        if want.startswith("-"):
            assert want[1:] not in told, want[1:] + " is followed"
        else:
            assert want in told, want + " is not followed"
    leaves = sum(lane["@id"].get(n, 0) for lane in lanes.values() for n, (a, f) in ids.items() if f & 1)
    assert calls > 500, calls
    assert "leaf" not in told or leaves > calls / 2, (calls, leaves)	# features.c
    print("%d functions, %d calls, %d of leaves" % (len(ids), calls, leaves))

main()
