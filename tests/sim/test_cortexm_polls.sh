#!/bin/bash
# Cortex-M: a function that polls is not charged for it; STATUS tells what polling took.
. "$(dirname "$0")/cortexm.sh"

for board in an385 microbit; do
	simulate $board-polls $board-timed-Os run=polls baud=115200
	simulate $board-alone $board-timed-Os run=polls breathe=0
done

python3 - "$TMP" <<'END'
import sys
from cortexm import Run, check

TMP, = sys.argv[1:]
AROUND = 45		# instructions of a poll that are outside of its readings of the clock, at most

for board, rate in (("an385", 1.6), ("microbit", 2.048)):
    runs = [Run(f"{TMP}/{board}-{how}") for how in ("polls", "alone")]
    rows = [next(r for (_, to), r in run.node.sites().items() if run.truth.at[to] == "polls_wait") for run in runs]
    polls, alone = (row.total / row.calls / rate for row in rows)
    check(polls - alone < 10 * AROUND, f"{board}: {polls:.0f} instructions with ten polls, {alone:.0f} without")
    status = runs[0].node.status
    check(status["poll_low"] > status["run_low"] and runs[0].node.frames[2] > 3,
          f"{board}: {status['poll_low']} ticks for polling, a run of {status['run_low']}, {runs[0].node.frames[2]} refreshes")
    check(all(run.node.damaged == run.node.lost_frames == 0 for run in runs), f"{board}: all frames whole")
END
