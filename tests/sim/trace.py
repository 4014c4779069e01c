"""Call traces read a second time, from docs/PROTOCOL.md section 9 alone, and held against the simulator's
events (sim/truth.h).

    trace.py NODE.bin EVENTS [LANE]     prints what each lane told, and where it differs from the truth
"""

import bisect
import struct
import sys

import trace_packed
import wsn

TRACE, TRACING = 11, 12
STACK, RESYNC, PACKED = 0x10, 0x20, 0x40
HOOK_REACH = 300	# cycles from a call to its hook, and of an interrupt to the switch
HANDLER_REACH = 2000	# and of a handler with hooks that finds no room, which came in between


class Words:
    """Hashes of encoding 2, as section 9 says: bits 8 to 31 of h, then bits 0 to 7; below them s."""
    ref_bytes = 3
    K = 0x9e3779b5

    @staticmethod
    def turn(word, bits):
        return (word >> bits | word << 32 - bits) & 0xffffffff

    def begin(self, id_, grown=0):
        return self.turn(id_, 8) << 8 | id_ + grown & 255

    def of(self, h):
        word = self.turn(h >> 8, 24)
        return word, h - word & 255

    def add(self, h, value):
        word, grown = self.of(h)
        word = (word * self.K + value) & 0xffffffff
        return self.begin(word, grown + word)

    def leaf(self, h, id_):
        return self.add(h, id_ + (0x80 if id_ <= 0x7c else 0x8000))

    def call(self, h, called):
        (word, grown), (other, _) = self.of(h), self.of(called)
        return self.begin((word + self.turn(other, 21)) * self.K & 0xffffffff, grown + called)

    def known(self, h, called):
        return self.add(self.call(h, called), 0x1c0)

    def box(self, h, id_, n):
        return self.add(self.add(self.add(h, n), id_), 0x1b0)

    def gap(self, h, n):
        return self.add(self.add(h, n), 0x1a0)


class Pairs:
    """Hashes of encodings 1, 7 and 8, as section 9 says; h: the bytes from the lowest on."""

    def __init__(self, size, factor):
        self.size, self.factor, self.ref_bytes = size, factor, 2 if size == 3 else 3

    def bytes(self, h):
        return list(h.to_bytes(self.size, "little"))

    def begin(self, id_):
        h = [id_ & 255, id_ >> 8, 0] + [id_ & 255, 0] * (self.size == 5)
        return int.from_bytes(bytes(h), "little")

    def pair(self, h, a, b):
        h = self.bytes(h)
        p = self.factor * (h[2] ^ a) + h[1]
        q = self.factor * (h[3 if self.size == 5 else 0] ^ b) + p // 256
        h = [q % 256, q // 256, p % 256] if self.size == 3 else [q % 256, q // 256, h[4], h[0], p % 256]
        return int.from_bytes(bytes(h), "little")

    def leaf(self, h, id_):
        return self.pair(h, id_ | 0x80, 0) if id_ <= 0x7c else self.pair(h, id_ & 255, id_ >> 8 | 0x80)

    def call(self, h, called):
        c = self.bytes(called)
        h = self.bytes(self.pair(h, c[3 if self.size == 5 else 0], c[2]))
        for to, of in [(1, 1)] if self.size == 3 else [(1, 4), (2, 1), (3, 0)]:
            h[to] = (h[to] + c[of]) % 256
        return int.from_bytes(bytes(h), "little")

    def number(self, h, n):
        b = (n & 0xffffffff).to_bytes(4, "little")
        return self.pair(self.pair(h, b[0], b[1]), b[2], b[3])

    def known(self, h, called):
        return self.call(self.pair(h, 0xc0, 1), called)

    def box(self, h, id_, n):
        return self.number(self.pair(self.pair(h, 0xb0, 1), id_ & 255, id_ >> 8), n)

    def gap(self, h, n):
        return self.number(self.pair(h, 0xa0, 1), n)


HASHES = {1: Pairs(3, 251), 2: Words(), 7: Pairs(5, 251), 8: Pairs(3, 231)}


class Tree:
    """A call that was told whole: its items, and what it leaves in the node's table."""

    def __init__(self, hash_, items, wrote):
        self.hash, self.items, self.wrote = hash_, items, wrote
        self.wrote[hash_ & 127] = self


class Open:
    def __init__(self, hashes, id_, known=True):
        self.id, self.hash, self.items, self.wrote = id_, hashes.begin(id_) if known else None, [], {}

    def add(self, how, *what):
        if self.hash is not None:
            self.hash = how(self.hash, *what)

    def spoil(self):
        self.hash = None


class Lane:
    """Items: ("call", id), ("return",), ("box", id, n), ("gap", n), ("unknown",), ("stamp", units),
    ("break", ids of what is open), ("away", next lane)."""

    def __init__(self, hashes=HASHES[8]):
        self.hashes = hashes
        self.items, self.table, self.older, self.open, self.last = [], {}, {}, [Open(hashes, 0)], None
        self.number = self.began = None
        self.untold = self.lost = self.bytes = self.empty = self.frames = self.resyncs = self.unknown = 0
        self.tokens, self.refs = {}, []		# of each REF the places of its call's items: first, last

    def put(self, *item):
        self.items.append(item)
        if item[0] not in ("stamp", "mark", "value", "state", "away"):	# no part of a call that is known again
            for call in self.open:
                call.items.append(item)

    def closed(self, tree, ran=True):
        """The innermost open call has had it."""
        if ran:
            self.open[-1].wrote.update(tree.wrote)
        self.open[-1].add(self.hashes.call if ran else self.hashes.known, tree.hash)

    def frame(self, body):
        b = wsn.Body(body)
        flags, number, self.time = b.fixed(1), b.fixed(1), b.fixed(4)
        self.untold, depth = b.v(), b.v()
        stack = [b.v() for _ in range(depth)] if flags & STACK else None
        follows = self.number is not None and number == (self.number + 1) % 256 and not flags & RESYNC
        if not follows:
            if self.number is not None:
                self.lost += (number - self.number - 1) % 256
            self.resyncs += bool(flags & RESYNC)
            self.open = [Open(self.hashes, 0)] + [Open(self.hashes, id_, False) for id_ in stack or [0] * depth]
            self.put("break", stack, depth)
        else:
            assert depth == len(self.open) - 1, f"frame {number}: {depth} open, not {len(self.open) - 1}"
            assert stack is None or all(not o.id or o.id == id_ for o, id_ in zip(self.open[1:], stack)), "stack"
        if self.number is None:
            self.began = number
        self.number = number
        self.frames += 1
        self.bytes += b.left()
        self.stamp = None
        if flags & PACKED:
            b = wsn.Body(trace_packed.unpack(b.data[b.at:], self.hashes.ref_bytes))
        self.empty += not b.left()
        while b.left():
            self.token(b)

    def token(self, b):
        t = b.fixed(1)
        kind = "leaf"
        if t == 0:
            kind, self.stamp = "stamp", b.fixed(2)
            self.last = self.stamp
            self.put("stamp", self.stamp, self.time)
        elif t == 0x7d:
            kind = "short"
            assert self.stamp is not None, "a frame begins with a short stamp"
            self.stamp = (self.stamp + b.fixed(1)) & 0xffff
            self.put("stamp", self.stamp, self.time)
        elif t == 0x80:
            kind, self.stamp = "own", b.fixed(2)
            self.last = self.stamp
            self.put("stamp", self.stamp, self.time)
        elif t == 0x7e:
            kind = "close"
            self.close()
        elif t == 0x7f:
            kind = "ref"
            self.refer(b.fixed(self.hashes.ref_bytes))
        elif t == 0xff:
            kind = self.more(b.fixed(1), b)
        elif t == 0xfd:
            kind = "away"
            self.put("away", b.fixed(1))
        elif t == 0xfe or t & 0x7f <= 0x7c:
            id_, leaf, value = t & 0x7f, t & 0x80, t
            if t == 0xfe:
                value = b.fixed(2)
                id_, leaf = value & 0x7fff, value & 0x8000
                assert id_ > 0x7c, "a small id, told wide"
            if leaf:
                self.put("call", id_)
                self.put("return",)
                self.open[-1].add(self.hashes.leaf, id_)
            else:
                kind = "open"
                self.open.append(Open(self.hashes, id_))
                self.put("call", id_)
        else:
            raise AssertionError(f"token {t:#x}")
        self.tokens[kind] = self.tokens.get(kind, 0) + 1

    def close(self):
        assert len(self.open) > 1, "a return of nothing"
        self.put("return",)
        call = self.open.pop()
        if call.hash is None:
            self.open[-1].spoil()
            return
        tree = Tree(call.hash, call.items, call.wrote)
        self.table[call.hash & 127] = tree
        self.closed(tree)

    def refer(self, ref, ran=True):
        bits = (1 << 8 * self.hashes.ref_bytes) - 1
        tables = self.table.get(ref & 127), self.older.get(ref & 127)		# the latter where its frame was lost
        tree = next((t for t in tables if t and t.hash & bits == ref), None)
        if tree is None:
            self.unknown += 1
            self.put("unknown")
            self.open[-1].spoil()
            return
        self.refs.append((len(self.items), len(self.items) + len(tree.items) - 1))
        for item in tree.items:
            self.put(*item)
        if ran:		# not as a box, which left the table as it was
            self.table.update(tree.wrote)
        self.closed(tree, ran)

    def more(self, kind, b):
        if kind == 1:
            self.older, self.table = self.table, {}
            return "forget"
        if kind == 2:
            id_ = b.fixed(1) or b.fixed(2)
            n = b.v()
            self.put("box", id_, n)
            self.open[-1].add(self.hashes.box, id_, n)
            return "box"
        if kind == 3:
            self.refer(b.fixed(self.hashes.ref_bytes), False)
            return "box ref"
        if kind == 7:
            n = b.v()
            self.put("gap", n)
            self.open[-1].add(self.hashes.gap, n)
            return "gap"
        assert kind in (4, 5, 6), f"token ff {kind:#x}"
        self.put(("mark", "value", "state")[kind - 4], *(b.v() for _ in range(1 if kind == 4 else 2)))
        return "note"


class Node(wsn.Node):
    """Its lanes, by number."""

    def __init__(self, data):
        self.lanes, self.tracing = {}, None
        super().__init__(data)

    def _frame(self, kind, body):
        if kind == TRACING:
            self.tracing = wsn.Body(body).fixed(1), body[1]
        elif kind == TRACE:
            lane = self.lanes.setdefault(body[0] & 15, Lane(HASHES[self.tracing[0]]))
            lane.frame(body)
        else:
            super()._frame(kind, body)


def events(path, lanes_end=2, struck=True):
    """Lane -> [(call?, id, cycle)] of the run, or (None, next lane, cycle): another task went on; calls that have no
    lane of their own are in "nested"; with `struck` those of handlers that interrupt a task without a lane, too."""
    all_ = list(struct.iter_unpack("<BBHBBHQ", open(path, "rb").read()))
    tasks = sorted({e[5] for e in all_} | {e[2] for e in all_ if e[0] == 4} | {0})	# in the order of their lanes
    lane_of = {task: min(n + 1, lanes_end) if n else 0 for n, task in enumerate(tasks)}
    lanes, open_ = {n: [] for n in range(max(lanes_end, len(tasks) + 1))}, {}
    nested = 0
    for kind, handlers, id_, running, _, task, cycle in all_:
        lane = 1 if handlers else lane_of[task]
        if kind == 4:
            if running and lane < lanes_end:
                lanes[lane].append((None, lane_of[id_] if lane_of[id_] < lanes_end else 255, cycle))
            continue
        if handlers > 1 or lane >= lanes_end or struck and handlers and lane_of[task] >= lanes_end:
            nested += kind == 1 and running
            continue
        if kind == 1:
            open_.setdefault(lane, []).append(running)
        elif not open_.get(lane) or not open_[lane].pop():
            continue		# it began before the run
        if running:
            lanes[lane].append((kind == 1, id_, cycle))
    lanes["nested"] = nested
    handled[:] = [e[2] for e in lanes[1]]
    return lanes


handled = []	# cycles of the handlers' events


class Differs(Exception):
    pass


def subtree(true, at):
    """From a call to behind its return: (behind, calls)."""
    while at < len(true) and true[at][0] is None:
        at += 1
    if at >= len(true) or not true[at][0]:
        raise Differs("no call")
    depth = calls = 0
    while at < len(true):
        if true[at][0] is None:
            at += 1
            continue
        depth += 1 if true[at][0] else -1
        calls += true[at][0]
        at += 1
        if depth == 0:
            return at, calls
    return at, calls		# the run ended in it


def reach_of(begin, end):
    at = bisect.bisect(handled, begin)
    return HANDLER_REACH if at < len(handled) and handled[at] < end else HOOK_REACH


left_out = [0]	# switches that were not told


def switched(true, at, lane, passed):
    """Behind the switch to it. One that came between a call and its hook is told before the call."""
    if at + 1 < len(true) and true[at][0] is not None and true[at + 1][:2] == (None, lane) \
            and (true[at + 1][2] - true[at][2] < reach_of(true[at][2], true[at + 1][2]) or true[at][2] in passed):
        passed.add(true[at][2])		# a second one may come before its hook has begun
        true[at], true[at + 1] = true[at + 1], true[at]
    while at < len(true) and true[at][0] is None and true[at][1] != lane:
        at += 1
        left_out[0] += 1
    if at >= len(true) or true[at][:2] != (None, lane):
        raise Differs(f"told: lane {lane} goes on")
    return at + 1


def leaf_whole(true, at):
    """Switches in a leaf that begins there come behind it."""
    while at < len(true) and true[at][0] is None:
        at += 1
    behind = at = at + 1
    while behind < len(true) and true[behind][0] is None:
        behind += 1
    if at < behind < len(true) and not true[behind][0]:
        true.insert(at, true.pop(behind))


def follow(items, true, at, stack):
    """Where the truth stands behind these items; stamps as (units, time of the frame, cycles of the events before and
    behind, place of the latter); between them the places of the events that were told, and None for each that was counted."""
    stamps, passed = [], set()
    for n, item in enumerate(items):
        kind = item[0]
        if kind == "return" and n and items[n - 1][0] == "call":	# a leaf is told whole
            leaf_whole(true, at - 1)
        if kind in ("call", "return"):		# switches may be left out: where there was no room, and in boxes
            while at < len(true) and true[at][0] is None:
                at += 1
                left_out[0] += 1
        try:
            if kind == "call":
                if at >= len(true) or not true[at][0] or true[at][1] != item[1]:
                    raise Differs(f"told: call of {item[1]}")
                stack.append(item[1])
                stamps.append(at)
                at += 1
            elif kind in ("return", "away") and at >= len(true) and n + 4 > len(items):
                break				# the run ended in a leaf, or in another task behind it
            elif kind == "return":
                if at >= len(true) or true[at][0] or not stack or stack.pop() != true[at][1]:
                    raise Differs("told: return")
                stamps.append(at)
                at += 1
            elif kind == "away":
                at = switched(true, at, item[1], passed)
            elif kind in ("box", "unknown"):
                id_ = next((true[n][1] for n in range(at, len(true)) if true[n][0] is not None), None)
                at, calls = subtree(true, at)
                if kind == "box" and (id_, calls) != item[1:]:
                    raise Differs(f"told: {item}; {id_} with {calls}")
                stamps += [None] * (2 * calls)
            elif kind == "gap":
                left = item[1]
                goes = next((i[0] for i in items[n + 1:n + 3] if i[0] != "stamp"), None) == "away"
                while left > 0:
                    if left == 1 and goes:		# told behind it
                        leaf_whole(true, at)
                    at, calls = subtree(true, at)
                    left -= calls
                if left:
                    raise Differs(f"told: {item}")
                stamps += [None] * (2 * item[1])
            elif kind == "stamp":
                before = true[at - 1][2] if at else None
                after = true[at][2] if at < len(true) else None
                stamps.append((item[1], item[2], before, after, at))
        except Differs as e:
            raise Differs(f"item {n}: {e}; truth {at}: {true[at - 2:at + 3]}, items {items[max(0, n - 3):n + 3]}")
    return at, stamps


def stack_at(true):
    """The calls open before each event."""
    stack = []
    for is_call, id_, _ in true:
        yield list(stack)
        if is_call:
            stack.append(id_)
        elif stack and is_call is not None:
            stack.pop()
    yield list(stack)


def stack_fits(told, open_):
    """Of a frame that tells calls out alone, 0 stands for any calls, or none."""
    if not told:
        return not open_
    if told[0]:
        return bool(open_) and open_[0] == told[0] and stack_fits(told[1:], open_[1:])
    return any(stack_fits(told[1:], open_[n:]) for n in range(len(open_) + 1))


def compare(lane, true):
    """(events told, all stamps and told events). Raises Differs where what was told is not what was."""
    parts, part = [], None
    for item in lane.items:
        if item[0] == "break":
            part = [item, []]
            parts.append(part)
        else:
            part[1].append(item)
    at, stamps = 0, []
    whole = len(parts) == 1 and lane.began == 0
    stacks = [[]] if whole else list(stack_at(true))
    for (_, stack, depth), items in parts:
        start, error = at, None
        while True:
            open_ = [] if whole else stacks[start]
            if stack_fits(stack, open_) if depth is None else \
                    len(open_) == depth and all(a in (0, b) for a, b in zip(stack or [0] * depth, open_)):
                try:
                    at, more = follow(items, true, start, list(open_))
                    break
                except Differs as e:
                    error = error or e
            start += 1
            if whole or start >= len(stacks):
                raise error or Differs("what is open was never open")
        stamps += more
    return at, stamps


def without(data, lose):
    """The bytes with each so manieth TRACE frame lost."""
    blocks, n = [], 0
    for block in data.split(b"\0"):
        plain = wsn.cobs_decode(block) if block else None
        n += bool(plain) and plain[0] & 31 == TRACE
        if not plain or plain[0] & 31 != TRACE or n % lose:
            blocks.append(block)
    return b"\0".join(blocks)


def told(lane):
    return sum(item[0] == "call" for item in lane.items)


def counted(lane):
    """What boxes and gaps say."""
    return sum(item[2] if item[0] == "box" else item[1] if item[0] == "gap" else 0 for item in lane.items)


def stamp_errors(stamps, cycles, shift=0):
    """How far each stamp (units of so many cycles) is from its event, but for a constant: sorted, in cycles."""
    off, wraps, last = [], 0, 0
    for units, time, before, after, _ in (s for s in stamps if isinstance(s, tuple)):
        time >>= shift
        if time < last:
            wraps += 1 << 32 - shift
        last = time
        at = time + wraps - (time - units & 0xffff)
        if before is not None or after is not None:
            off.append([at * cycles - c for c in (before, after) if c is not None])
    base = min(min(o, key=abs) for o in off[:1]) if off else 0
    return sorted(min((x - base for x in o), key=abs) for o in off)


def main(node, path):
    node = Node(open(node, "rb").read())
    true = events(path, max(node.lanes) + 1)
    bad = 0
    print(f"hello {node.hello and hex(node.hello.features)} tracing {node.tracing} damaged {node.damaged} lost {node.lost_frames}")
    for number, lane in sorted(node.lanes.items()):
        left_out[0] = 0
        calls = sum(e[0] or 0 for e in true[number]) + (true["nested"] if number == 1 else 0)
        try:
            at, stamps = compare(lane, true[number])
            errors = stamp_errors(stamps, 160 if node.tracing[1] else 64, node.tracing[1])
            said = f"{at} of {len(true[number])} events follow"
            if errors:
                said += f", stamps {len(errors)}: {errors[0]} .. {errors[-1]} cycles"
        except Differs as e:
            said, bad = f"DIFFERS: {e}", 1
        n = told(lane)
        print(f"lane {number}: {calls} calls, told {n}, untold {lane.untold}, sum {'ok' if n + lane.untold == calls else 'WRONG'}"
              f" (boxes and gaps {counted(lane)}); {lane.frames} frames, {lane.bytes} bytes, "
              f"{8 * lane.bytes / max(calls, 1):.2f} bits a call, resync {lane.resyncs}, unknown {lane.unknown}, {lane.tokens}, {left_out[0]} switches left out: {said}")
        bad |= n + lane.untold != calls
    return bad


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
