"""test_cortexm_arcs: arcs and samples told, and those that QEMU saw."""

import collections
import sys

from cortexm import Run, check, check_same, direct_calls, variation
from wsn import ARCS, PCS

TMP, FW = sys.argv[1:]
EXC_RETURN = 0xffffff00


def arcs(node):
    """Told arcs; handlers have no caller (from is what the processor put into lr)."""
    found = collections.Counter()
    for (source, to), count in node.counts(ARCS).items():
        found[0 if source >= EXC_RETURN else source, to] += count
    return found


def check_line(run, name):
    node, truth = run.node, run.truth
    check(truth.strays == 0, f"{name}: QEMU's flow of control is understood, {truth.insns} instructions")
    check(node.hello and node.damaged == 0 and node.lost_frames == 0,
          f"{name}: {sum(node.frames.values())} frames, none damaged or lost")


def check_exact(name):
    run = Run(f"{TMP}/{name}")
    node, truth = run.node, run.truth
    check_line(run, name)
    check(node.unknown(ARCS) == 0 and node.unknown(PCS) == 0, f"{name}: every call and sample has a place")
    check_same(arcs(node), truth.arcs, f"{name}: arcs and calls")
    check_same(node.counts(PCS), truth.samples, f"{name}: sampled PCs")
    check(node.status["arcs_closed"] == node.heard[ARCS], f"{name}: {node.heard[ARCS]} calls in closed arcs")
    return run


def check_spread(run, name):
    """The samples are of what ran: total variation from the true time in each function."""
    told, true = collections.Counter(), collections.Counter()
    for pc, count in run.node.counts(PCS).items():
        told[run.truth.name_of(pc)] += count
    for pc, (_, ran) in run.truth.pcs.items():
        true[run.truth.name_of(pc)] += ran
    true["wsnprof_sample_irq"] = true["wsnprof_sample"] = 0	# it does not interrupt itself
    true = +true
    count, whole = sum(told.values()), sum(true.values())
    noise = sum((n / whole * (1 - n / whole) / count) ** .5 for n in true.values()) * .4
    distance = variation(told, true)
    check(distance < 3 * noise + .02,
          f"{name}: {count} samples, {distance:.3f} from the true distribution, noise {noise:.3f}")


def check_bounded(name):
    """Tables too small, or a slow line: what is told and what is said to be lost make up the truth."""
    run = Run(f"{TMP}/{name}")
    node, truth = run.node, run.truth
    check_line(run, name)
    for kind, told, true, what in ((ARCS, arcs(node), truth.arcs, "calls"),
                                   (PCS, node.counts(PCS), truth.samples, "samples")):
        lost, made = node.unknown(kind), sum(true.values())
        check(lost + sum(told.values()) == made, f"{name}: {lost} of {made} {what} in no row, and said so")
        over = [k for k, n in told.items() if n > true.get(k, 0)]
        check(not over, f"{name}: no {what} told that were not {over[:3]}")
    return run


def check_plugin(name, image):
    """The truth's own proof: calls by the shadow stack are the bl instructions executed."""
    truth = Run(f"{TMP}/{name}").truth
    calls, wrong = 0, []
    for at, key in direct_calls(f"{FW}/{image}.elf").items():
        ran = truth.pcs.get(at, (0, 0))[0]
        calls += ran
        if truth.calls.get(key, 0) != ran:
            wrong.append(f"{at:#x}")
    check(calls > 100000 and not wrong, f"{name}: {calls} executed bl are as many calls {wrong[:3]}")
    into = collections.Counter(truth.interrupts)
    for (_, to), count in truth.calls.items():
        into[to] += count
    wrong = [n for n, f in truth.functions.items() if f.entries != into[f.address] and n != "Reset_Handler"]
    check(not wrong, f"{name}: every function was entered as often as it was called {wrong[:3]}")


check_plugin("plain-an385", "an385-plain-Os")
check_plugin("plain-microbit", "microbit-plain-Os")
sums = Run(f"{TMP}/plain-an385").sums
check(len(sums) == 12, f"{len(sums)} workloads ran to their end")

for board in ("an385", "microbit"):
    for level in ("O0", "O1", "Os", "O2", "O3"):
        run = check_exact(f"{board}-{level}")
        check(run.sums == sums, f"{board}-{level}: the checksums are those of the plain program")
        check_spread(run, f"{board}-{level}")
for board in ("an386", "an500", "an505"):
    run = check_exact(f"{board}-Os")
    check(run.sums == sums, f"{board}-Os: the checksums are those of the plain program")
    check_spread(run, f"{board}-Os")
check_exact("fib")

for board in ("an385", "microbit"):
    small = check_bounded(f"{board}-small")
    check(small.node.heard[ARCS] > 1000, f"{board}-small: {small.node.heard[ARCS]} calls in closed arcs")
    slow = check_bounded(f"{board}-9600")
    check(slow.node.unknown(ARCS) > 1000, f"{board}-9600: the line was too slow for all of them")
    stopped = check_exact(f"{board}-stopped")
    going = check_exact(f"{board}-going")
    check(stopped.truth.ran < going.truth.ran,
          f"{board}: a stopped UART does not hold the program up: {stopped.truth.ran}, {going.truth.ran} instructions")
