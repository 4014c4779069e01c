"""test_cortexm_timed: call sites told, and those that QEMU saw."""

import collections
import sys

from cortexm import Run, check
from cortexm_sites import Times, check_all

TMP = sys.argv[1]
RUNS, BOARDS, STRUCK = map(str.split, sys.argv[2:])
PLAIN, PLAIN_MEAN = 20, 10	# off by so many instructions a call, against a plain build: of a function, of all


def check_plain(times, plain):
    """Against the same program without hooks, function by function."""
    true = collections.defaultdict(lambda: [0, 0])
    for key, called in plain.called.items():
        true[plain.at[key[1]]][0] += called.done
        true[plain.at[key[1]]][1] += called.total
    sums, errors, wrong = times.by_function(), [], []
    for function, (calls, insns, inner) in sums.items():
        error = (insns - true[function][1]) / (calls + inner)
        errors.append(abs(error))
        if true[function][0] != calls or abs(error) > PLAIN:
            wrong.append(f"{function}: {calls} calls, {true[function][0]} in the plain program, off by {error:.1f}")
    mean = sum(errors) / len(errors)
    check(not wrong and mean < PLAIN_MEAN, f"{times.name}: {len(sums)} functions, off by {mean:.1f} instructions "
                                           f"a call from the plain program {wrong[:3] or ''}")


plain = {board: Run(f"{TMP}/{board}-plain").truth for board in ("an385", "microbit")}
for name in RUNS:
    times = check_all(f"{TMP}/{name}")
    check(times.lost() == 0, f"{name}: no call lost")
for board in BOARDS:
    check_all(f"{TMP}/{board}-Os")
for board in ("an385", "microbit"):
    check_plain(Times(f"{TMP}/{board}-net"), plain[board])

for board in STRUCK:
    storm = check_all(f"{TMP}/{board}-storm")
    row = storm.handlers()["board_ticker_irq"]
    check(row.calls == 1000, f"{board}-storm: the handler has a row, {row.calls} calls")
    check(storm.status["isr_low"] / storm.rate > row.calls * 20, f"{board}-storm: and its time is out of the run")
    deep = Times(f"{TMP}/{board}-deep")
    told, made = (sum(s.calls for s in sites.values()) for sites in (deep.told, deep.truth.sites))
    check(told + deep.status["stack_full"] == made and deep.lost() == deep.status["stack_full"] > 0,
          f"{board}-deep: of {made} calls {deep.lost()} were too deep, and said so")
    jump = Times(f"{TMP}/{board}-jump")
    jump.check_calls()
    check(jump.status["cut"] >= jump.truth.cut > 100, f"{board}-jump: {jump.status['cut']} calls cut off by longjmp")
    tasks = check_all(f"{TMP}/{board}-tasks")
    check(len({tasks.truth.at[k[1]] for k in tasks.told} & {"task_short", "task_middle", "task_long"}) == 3,
          f"{board}-tasks: every task has its calls")
    few = Times(f"{TMP}/{board}-nostack")
    told, made = (sum(s.calls for s in sites.values()) for sites in (few.told, few.truth.sites))
    check(told + few.lost() == made and few.lost() == few.status["no_stack"] > 100,
          f"{board}-nostack: of {made} calls {few.lost()} were open at a switch, in tasks without a stack, and said so")
    # The main program's, the handler's, and those of the one task with a stack, which alone calls task_short itself.
    own = [k for k in few.truth.sites if few.truth.at[k[1]] in ("task_tick", "board_ticker_irq") or
           few.truth.at[k[1]] == "task_short" and few.truth.name_of(k[0]) in ("task_body", "workload_tasks")]
    wrong = [few.name_of(k) for k in own if few.told[k].calls != few.truth.sites[k].calls or few.fault_of_total(k)]
    check(len(own) == 4 and not wrong, f"{board}-nostack: all others have their calls and times {wrong or ''}")

for name in ("an385-busy", "microbit-busy"):
    check_all(f"{TMP}/{name}")
for name in ("an385-cramped", "microbit-cramped"):
    times = Times(f"{TMP}/{name}")
    told, made = sum(s.calls for s in times.told.values()), sum(s.calls for s in times.truth.sites.values())
    check(told + times.lost() == made and times.status["table_full"] > 0,
          f"{name}: {told} of {made} calls in {len(times.told)} rows, {times.lost()} lost, and said so")
