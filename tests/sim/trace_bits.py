"""Call traces of encodings 3 to 6 read a second time, from docs/PROTOCOL.md sections 9 and 10 alone.

    trace_bits.py NODE.bin EVENTS FIRMWARE.elf     prints what each lane told, and where it differs from the truth
"""

import os
import struct
import subprocess
import sys
import tempfile

import trace
import wsn


def section(elf, name):
    with tempfile.NamedTemporaryFile() as out:
        subprocess.run(["avr-objcopy", "-O", "binary", "-j", name, "--set-section-flags", f"{name}=alloc,contents", elf, out.name],
                       check=True, stderr=subprocess.DEVNULL)
        return open(out.name, "rb").read() if os.path.getsize(out.name) else b""


class Tables:
    """Of an ELF: which ids are leaves; codes: id -> [(bits, length, id called or None: return)]."""

    def __init__(self, elf):
        self.leaf, self.codes, ids, entries = set(), {}, {}, {}
        for address, id_, flags, _ in struct.iter_unpack("<IHBB", section(elf, ".wsntrace_map")):
            if flags & 1:
                self.leaf.add(id_)
            entries[address] = id_
            if not flags & 4:
                ids[address] = id_
        self.functions = len(ids)
        for of, to, bits, length, _ in struct.iter_unpack("<IIHBB", section(elf, ".wsntrace_code")):
            self.codes.setdefault(ids.get(of, 0), []).append((bits, length, None if to == 0xffffffff else ids.get(to, 0)))
        self.programs, self.places, id_ = {}, {}, 0		# of encoding 6; a call is one of the second entry
        for kind, arg, to, address, behind in struct.iter_unpack("<BBHII", section(elf, ".wsntrace_flow")):
            if kind == FUNCTION:
                id_ = ids[address]
                self.programs[id_] = []
                continue
            if behind:
                self.places[behind] = id_, len(self.programs[id_])
            self.programs[id_].append((kind, arg, to, address if kind == SWITCH else entries.get(address, 0)))
        self.called = {op[3] for ops in self.programs.values() for op in ops if op[0] == CALL}


FUNCTION, CALL, OUT, BRANCH, JUMP, SWITCH, CLOSE, END, STOP, TICK = range(10)


class Lane(trace.Lane):
    def __init__(self, node):
        super().__init__()
        self.node, self.stack, self.waits, self.bits = node, [], True, ""
        self.calls = self.returns = 0

    def frame(self, body):
        b = wsn.Body(body)
        flags, number, self.time = b.fixed(1), b.fixed(1), b.fixed(4)
        self.untold, depth = b.v(), b.v()
        head = b.fixed(1)
        floor = b.v() if flags & trace.RESYNC else 0
        lost = self.number is not None and (number - self.number - 1) % 256
        self.lost += lost
        self.resyncs += bool(flags & trace.RESYNC)
        follows = self.number is not None and not lost and not self.waits
        if self.number is None and number:		# the first were lost: any place may be this one's
            self.put("break", [], 0)
        self.number = number
        self.frames += 1
        self.bytes += b.left()
        if head & 8:
            if not follows:
                self.waits = True
                return
        else:
            self.bits, self.waits = "", False
            if not follows or flags & trace.RESYNC or depth != len(self.stack):
                known = self.stack[:floor] if follows else []
                self.stack = (known + [0] * depth)[:depth]
                self.put("break", list(self.stack), depth)
        while b.left():
            self.bits += f"{b.fixed(1):08b}"[::-1]
        if head & 16 and head & 7:
            self.bits = self.bits[:-(head & 7)]
        while not self.waits and self.token():
            pass

    def number_of(self, at, n):
        return int(self.bits[at:at + n][::-1], 2)

    def called(self, id_, length):
        self.bits = self.bits[length:]
        self.calls += 1
        self.put("call", id_)
        if id_ in self.node.tables.leaf:
            self.put("return",)
        else:
            self.stack.append(id_)
        return True

    def returned(self, length):
        assert self.stack, "a return of nothing"
        self.bits = self.bits[length:]
        self.returns += 1
        self.stack.pop()
        self.put("return",)
        return True

    def token(self):
        """False: no whole one is left."""
        encoding, n = self.node.tracing[0], self.node.call_bits
        if encoding == 3:
            if self.bits[:1] == "0":
                return self.returned(1)
            return len(self.bits) >= n and self.called(self.number_of(1, n - 1), n)
        if not self.stack:
            return len(self.bits) >= 7 and self.called(self.number_of(0, 7), 7)
        escape = "01" if encoding == 4 else "0000"
        if self.bits.startswith(escape):
            n = len(escape)
            return len(self.bits) >= n + 7 and self.called(self.number_of(n, 7), n + 7)
        if encoding == 4 and self.bits.startswith("00"):
            return self.returned(2)
        if self.stack and not self.stack[-1]:		# its scope is not known
            self.waits = bool(self.bits)
            return False
        for bits, length, to in self.node.tables.codes.get(self.stack[-1], []):
            if len(self.bits) >= length and self.number_of(0, length) == bits:
                return self.returned(length) if to is None else self.called(to, length)
        assert len(self.bits) < 7, f"no code: {self.bits[:16]}, open {self.stack}"
        return False


class FlowLane(trace.Lane):
    """Encoding 6: `at` are the calls under way, each [id, operation, whether it returned]; id 0: a caller that is not known."""

    def __init__(self, node):
        super().__init__()
        self.tables, self.at, self.waits, self.bits = node.tables, [], True, []
        self.choices = []			# where, the one before, what was chosen

    def frame(self, body):
        b = wsn.Body(body)
        flags, number, self.time = b.fixed(1), b.fixed(1), b.fixed(4)
        self.untold, depth = b.v(), b.v()
        places = [2 * b.v() for _ in range(depth)] if flags & trace.STACK else None
        head = b.fixed(1)
        lost = self.number is not None and (number - self.number - 1) % 256
        self.lost += lost
        self.resyncs += bool(flags & trace.RESYNC)
        follows = self.number is not None and not lost and not self.waits and not flags & trace.RESYNC
        if self.number is None and number:
            self.put("break", [], 0)
        self.number = number
        self.frames += 1
        self.bytes += b.left()
        if head & 8 and not follows:
            self.waits = True
        if not head & 8:
            if follows and not depth:		# all has returned
                while self.step():
                    pass
                follows = not self.at
            if not follows:
                self.waits = bool(depth) and places is None
                if not self.waits:
                    self.join(places or [])
            self.bits = []
        if self.waits:
            return
        while b.left():
            byte = b.fixed(1)
            self.bits += [byte >> i & 1 for i in range(8)]
        if head & 16 and head & 7:
            del self.bits[-(head & 7):]
        while self.bits and not self.waits:
            if not self.step() and (self.waits or not self.token()):
                break

    def join(self, places):
        self.at = []
        for place in places:
            id_, op = self.tables.places[place]
            if id_ in self.tables.called:
                self.at.append([0, 0, False])
            self.at.append([id_, op, False])
        self.put("break", [a[0] for a in self.at], None)

    def op(self):
        return self.tables.programs[self.at[-1][0]][self.at[-1][1]]

    def enter(self, id_):
        assert id_ in self.tables.programs, f"id {id_} has no program"
        self.put("call", id_)
        if id_ in self.tables.leaf:
            self.put("return",)
        else:
            self.at.append([id_, 0, False])

    def step(self):
        """What needs no bits. False: a bit is needed."""
        if not self.at:
            return False
        kind, arg, to, callee = self.op()
        a = self.at[-1]
        if kind == CALL and not callee or kind in (OUT, BRANCH, SWITCH, TICK):
            return False
        a[1] += 1
        if kind == CALL and callee:
            if a[2] and self.op()[0] == END and callee not in self.tables.leaf:	# it returned, and the callee returns for it
                self.at.pop()
            self.enter(callee)
        elif kind == JUMP:
            a[1] = to
        elif kind == CLOSE:
            a[2] = True
            self.put("return",)
        elif kind == END:
            self.at.pop()
            if self.at and not self.at[-1][0]:
                self.waits = True
                return False
        else:
            assert kind == CALL, f"operation {kind}"
        return True

    def take(self, n):
        taken, self.bits = self.bits[:n], self.bits[n:]
        value = sum(bit << i for i, bit in enumerate(taken))
        where = tuple(self.at[-1][:2]) if self.at else None
        self.choices.append(((where, n), None, value))
        return value

    def token(self):
        if not self.at:
            if len(self.bits) < 7:
                return False
            self.enter(self.take(7))
            return True
        kind, arg, to, callee = self.op()
        a = self.at[-1]
        if kind in (OUT, CALL):
            if self.bits[0] and len(self.bits) < 8:
                return False
            if self.take(1):
                self.enter(self.take(7))
            else:
                a[1] += 1
        elif kind == SWITCH:
            if len(self.bits) < 8:
                return False
            n = (self.take(8) - callee // 2) % 256
            assert n < to, f"case {n} of {to}"
            a[1] += 1 + n
        else:
            bit = self.take(1)
            a[1] = to if kind == BRANCH and bit == arg else a[1] + 1
        return True


class Node(trace.Node):
    def __init__(self, data, elf):
        self.tables = Tables(elf)
        super().__init__(data)

    def _frame(self, kind, body):
        if kind == trace.TRACING:
            b = wsn.Body(body)
            self.tracing = b.fixed(1), b.fixed(1)
            self.call_bits = b.v()
        elif kind == trace.TRACE:
            self.lanes.setdefault(body[0] & 15, (FlowLane if self.tracing[0] == 6 else Lane)(self)).frame(body)
        else:
            super()._frame(kind, body)


def main(node, path, elf):
    node = Node(open(node, "rb").read(), elf)
    true = trace.events(path)
    for number, lane in sorted(node.lanes.items()):
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number == 1 else 0)
        try:
            at, _ = trace.compare(lane, true[number])
            said = f"{at} of {len(true[number])} events follow"
        except trace.Differs as e:
            said = f"DIFFERS: {e}"
        n = trace.told(lane)
        print(f"lane {number}: {calls} calls, told {n}, untold {lane.untold}, {'ok' if n + lane.untold == calls else 'WRONG'}; "
              f"{lane.frames} frames, {lane.bytes} bytes, {8 * lane.bytes / max(n, 1):.2f} bits a call, resync {lane.resyncs}: {said}")


if __name__ == "__main__":
    main(*sys.argv[1:])
