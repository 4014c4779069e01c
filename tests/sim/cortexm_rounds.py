"""test_cortexm_rounds: SysTick as the tick and the clock, and functions that run through many of its rounds."""

import sys

from cortexm import check
from cortexm_sites import Times

TMP, = sys.argv[1:]


def check_rounds(name):
    times = Times(f"{TMP}/{name}")
    truth = times.truth
    # A tick hook in a handler that is not instrumented: the node has it as the handler.
    for key in list(truth.sites):
        if truth.at[key[1]] == "tick_hook" and name != "microbit-systick":
            truth.sites[times.hello.base, key[1]] = truth.sites.pop(key)
    times.check_calls()
    if name == "microbit-systick":
        times.check_totals()	# each round's instrumented handler leaves some instructions
    else:
        times.check_times()
    busy = [s for (_, to), s in times.told.items() if truth.at[to] == "rounds_busy"]
    rounds = [times.insns(s.min) * times.rate / (times.hello.hz / 1000) for s in busy]
    check(len(busy) == 2 and all(45 < n < 52 for n in rounds), f"{name}: 50 rounds in one call, less the handlers: "
          + ", ".join(f"{n:.1f}" for n in rounds))
    check(times.lost() == 0, f"{name}: none lost")


def check_wraps():
    """A timer that is captured and goes round, against the same one that does not."""
    whole, short = Times(f"{TMP}/microbit-whole"), Times(f"{TMP}/microbit-clock24")
    short.check_calls()
    short.check_times()
    run = [t.status["run_low"] for t in (short, whole)]
    check(run[0] > 1 << 24 and abs(run[0] / run[1] - 1) < .25, f"{short.name}: a run of {run[0]} ticks, with 32 bits {run[1]}")


check_wraps()
for board in "an385", "microbit":
    check_rounds(f"{board}-rounds")
    check_rounds(f"{board}-systick")
