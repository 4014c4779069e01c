"""What the nodes of tests/sim/test_port.sh said, held against the simulator's truth."""

import sys

from truth import *
from wsn import STATUS, Node

tmp = sys.argv[1]


class Run:
    """A case: what the node said, and the truth of the same run."""

    def __init__(self, name):
        self.node = Node(open(f"{tmp}/{name}.bin", "rb").read())
        self.truth = Truth(f"{tmp}/{name}.truth")
        self.rows = rows_of_node(self.node)
        check(not self.node.damaged and not self.node.lost_frames, f"{name}: {sum(self.node.frames.values())} frames")
        check_calls(self.rows, self.truth.sites, name)

    def row(self, function):
        """The only row of a function, as sent."""
        rows = [r for (_, to), r in self.node.sites().items() if self.truth.functions.get(to) == function]
        assert len(rows) == 1, function
        return rows[0]


# A leaf takes as long each time, so its longest call is its shortest if all that strikes in it is
# taken out; but for the simulator, whose timer makes 0 of 0xffff.
for name in ("own", "held", "third"):
    leaf = Run(name).row("leaf")
    check(leaf.calls == 150000 and leaf.max - leaf.min <= 1, f"{name}: leaf took {leaf.min} to {leaf.max} ticks, {leaf.calls} calls")

other = Run("other").row("leaf")
check(50 < other.max - other.min < 3200, f"other: leaf took {other.min} to {other.max} ticks: with a handler that nobody takes out")

# Four times 100 cycles, and what a poll costs nobody; the sum of all is what passed.
poll = Run("poll")
waits, status = poll.row("waits"), poll.node.status
check(430 < waits.min and waits.max < 540, f"poll: {waits.calls} calls that poll took {waits.min} to {waits.max} ticks, 467 of their own")
idles = poll.row("idles").total
check(idles < 110000, f"poll: 20,000 polls in a row took {idles} ticks, 80,000 the loop's")
spent, true = status["run_low"] + status["poll_low"], poll.truth.facts["run_net"]
check(abs(spent / true - 1) < 0.03, f"poll: {status['poll_low']} ticks for polling, {spent} with the run, true {true}")
refreshes = poll.truth.facts["run"] / CPU_HZ * 10
check(poll.node.frames[STATUS] > 0.8 * refreshes, f"poll: {poll.node.frames[STATUS]} refreshes of {refreshes:.0f}")

text = Run("text")
said = text.node.text.decode()
line = "0123456789abcdef" * 3 + "0123456789abcde\n"
check((said.replace("<in a handler>", "").count(line), said.count("+"), said.count("<in a handler>")) == (105, 200, 1),
      f"text: {len(said)} characters, before interrupts are on, under them and in a handler, none lost")
room = int(said[said.index("room ") + 5:][:8], 16)
check(20 <= room == said.count("-") and text.node.status["text"] == 250 - room,
      f"text: of 250 that were put into a room of {room}, {text.node.status['text']} are lost, and no more are counted")

# An OS's bits of the timer stay, whenever it sets them: a compare output, the capture's edge and
# interrupt; the mode, the clock and the overflow's interrupt are the runtime's.
timer = Run("timer")
said = dict(line.split() for line in timer.node.text.decode().splitlines() if line)
check(said["init"] == said["start"] == "00404121", f"timer: {said['init']} and {said['start']} in its registers")
leaf = timer.row("leaf")
check(1050 < leaf.min and leaf.max < 1085, f"timer: 1,000 cycles took {leaf.min} to {leaf.max} ticks")

for name in ("bare", "counts"):
    bare = Run(name)
    check(bare.row("leaf").calls == 5000 and not bare.node.text, f"{name}: 5000 calls, and no text between the frames")
