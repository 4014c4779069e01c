"""test_cortexm_arcs: arcs and samples told, and those that QEMU saw."""

import collections
import os
import sys

from cortexm import Run, check, check_same, direct_calls, variation
from wsn import ARCS, LOST, PCS

TMP, FW = sys.argv[1:3]
RUNS, BOARDS = (text.split() for text in sys.argv[3:])


def arcs(node):
    """Told arcs; handlers have no caller (from is base)."""
    found = collections.Counter()
    for (source, to), count in node.counts(ARCS).items():
        found[0 if source == node.hello.base else source, to] += count
    return found


def settle_entries(told, truth):
    """Samples at a handler's first instruction, given back to where QEMU saw them.

    A sampler that comes when another handler has been entered and has not begun looks, from outside, as if it had
    come before.
    """
    told, true = collections.Counter(told), collections.Counter(truth.samples)
    for at in truth.interrupts:
        while told[at] > true[at] and true - told:
            told[at] -= 1
            told[max(true - told)] += 1
    return +told


def check_accounted(run, name, kind, true, what, left=0, switched=0):
    """Every count is told, or said to be lost: of `left` QEMU does not know where they belong.

    `switched`: so many may be another task's, as a sampler that follows on PendSV finds the task that goes on.
    """
    told = arcs(run.node) if kind == ARCS else settle_entries(run.node.counts(PCS), run.truth)
    lost, made = run.node.unknown(kind), sum(true.values()) + left
    moved = sum((told - collections.Counter(true)).values())
    if not lost and not left and not 0 < moved <= switched:
        check_same(told, true, f"{name}: {what}")
        return
    check(lost + sum(told.values()) == made, f"{name}: {what}: {made}, of them {lost} in no row, and said so")
    extra = sum((told - collections.Counter(true)).values())
    check(extra <= left + switched, f"{name}: {what}: {extra} told that were not seen")


def check_run(name, lost_arcs=0, lost_pcs=0, switched=0):
    """lost_arcs, lost_pcs: the share that may be lost."""
    run = Run(f"{TMP}/{name}")
    node, truth = run.node, run.truth
    check(truth.strays == 0, f"{name}: QEMU's flow of control is understood, {truth.insns} instructions")
    check(node.hello and node.damaged == 0 and node.lost_frames == 0,
          f"{name}: {sum(node.frames.values())} frames, none damaged or lost")
    check_accounted(run, name, ARCS, truth.arcs, "arcs")
    check_accounted(run, name, PCS, truth.samples, "samples", truth.samples_left, switched)
    for kind, true, share in (ARCS, truth.arcs, lost_arcs), (PCS, truth.samples, lost_pcs):
        check(node.unknown(kind) <= share * sum(true.values()), f"{name}: {node.unknown(kind)} lost")
    return run


def check_spread(run, name, loop=()):
    """
    The samples are of what ran: total variation from the true time in each function. Those of `loop`, and the
    profiler's, are one: a loop that does nothing but poll has a period, and a steady sampler may keep step with it.
    """
    def named(pc):
        function = run.truth.name_of(pc)
        return "loop" if loop and (function in loop or function.startswith("wsnprof_")) else function

    told, true = collections.Counter(), collections.Counter()
    for pc, count in run.node.counts(PCS).items():
        told[named(pc)] += count
    for pc, (_, ran) in run.truth.pcs.items():
        true[named(pc)] += ran
    # The sampler does not interrupt itself; asleep, time passes without instructions.
    for name_of_one in "wsnprof_sample_irq", "wsnprof_sample", "wsnprof_sample_ack", "workload_sleep":
        told[name_of_one] = true[name_of_one] = 0
    count, whole = sum(told.values()), sum(true.values())
    noise = sum((n / whole * (1 - n / whole) / count) ** .5 for n in true.values()) * .4
    distance = variation(told, true)
    check(distance < 3 * noise + .02,
          f"{name}: {count} samples, {distance:.3f} from the true distribution, noise {noise:.3f}")
    return distance


def check_plugin(name, image):
    """The truth's own proof: calls by the shadow stack are the bl instructions executed."""
    truth = Run(f"{TMP}/{name}").truth
    calls, wrong = 0, []
    for at, key in direct_calls(f"{FW}/{image}.elf").items():
        ran = truth.pcs.get(at, (0, 0))[0]
        calls += ran
        if truth.calls.get(key, 0) != ran:
            wrong.append(f"{at:#x}")
    check(calls > 100000 and not wrong, f"{name}: {calls} executed bl are as many calls {wrong[:3] or ''}")
    into = collections.Counter(truth.interrupts)
    for (_, to), count in truth.calls.items():
        into[to] += count
    # Nobody calls these two: the processor begins with one, PendSV with the other.
    wrong = [n for n, f in truth.functions.items() if f.entries != into[f.address] and n not in ("Reset_Handler", "task_body")]
    check(not wrong, f"{name}: every function was entered as often as it was called {wrong[:3] or ''}")


check_plugin("plain-an385", "an385-plain-Os")
check_plugin("plain-microbit", "microbit-plain-Os")
sums = Run(f"{TMP}/plain-an385").sums
check(len(sums) == 13, f"{len(sums)} workloads ran to their end")

others = [name for name in ("an386-Os", "an500-Os", "an505-Os") if os.path.exists(f"{TMP}/{name}.truth")]
for name in RUNS + others:
    run = check_run(name, lost_pcs=.02)
    check(run.sums and run.sums.items() <= sums.items(), f"{name}: the checksums are those of the plain program")
    check_spread(run, name)
check_run("fib")


def tick_share(name):
    """Samples in the tick's own handlers, over those that there should be: in step, none or far too many."""
    run = check_run(name, switched=5)
    handlers = "board_ticker_irq", "board_ticker_ack", "task_tick", "PendSV_Handler", "switch_stacks"
    told, count = 0, 0
    for pc, n in run.node.counts(PCS).items():
        told += n * (run.truth.name_of(pc) in handlers)
        count += n
    ran = sum(run.truth.functions[name].ran for name in handlers)
    return told / (count * ran / sum(f.ran for f in run.truth.functions.values()))


in_step, jitter = tick_share("beat"), tick_share("jitter")
check(not 1 / 2 < in_step < 2 and 2 / 3 < jitter < 3 / 2, "tasks: a jitter brings 1,000 samples a second out of "
      f"step with the tick: {in_step:.2f} and {jitter:.2f} of the samples that its handlers should have")
check_spread(check_run("jitter", switched=5), "jitter")
if os.path.exists(f"{TMP}/few.truth"):
    check_spread(check_run("few", switched=5), "few", ("workload_tasks", "workload_breathe", "__gnu_mcount_nc"))
    check_spread(check_run("jitter-alone", switched=5), "jitter-alone")

build_id = Run(f"{TMP}/id-Os").node.hello
check(build_id.identity == 2 and any(build_id.identity_bytes), "the build-id where the linker script keeps one")
check(Run(f"{TMP}/an385-Os").node.hello.identity == 1, "and else a checksum")

for board in BOARDS:
    small = check_run(f"{board}-small", 1, 1).node
    check(small.heard[ARCS] > 1000 and small.unknown(ARCS) > 1000,
          f"{board}-small: {small.heard[ARCS]} calls in closed arcs, {small.unknown(ARCS)} lost")
    slow = check_run(f"{board}-9600", 1, 1).node
    check(slow.unknown(ARCS) > 1000, f"{board}-9600: {slow.unknown(ARCS)} calls found neither row nor line")
    node = Run(f"{TMP}/{board}-reset").node
    told = [sum(node.counts(kind).values()) + node.heard[kind] + node.unknown(kind) for kind in (ARCS, PCS)]
    check(node.damaged == 0 and node.hello.epoch and told[0] == 0 and told[1] <= 1,
          f"{board}-reset: {told[0]} calls and {told[1]} samples, of all that waited")
    stopped = check_run(f"{board}-stopped", 0, .02).truth
    going = check_run(f"{board}-going", 0, .02).truth
    check(stopped.ran < going.ran,
          f"{board}: a stopped UART does not hold the program up: {stopped.ran}, {going.ran} instructions")

for board in "an385", *(b for b in BOARDS if b == "microbit"):
    run = Run(f"{TMP}/{board}-dispatch")
    node, truth = run.node, run.truth
    check_accounted(run, f"{board}-dispatch", ARCS, truth.arcs, "arcs")
    check(node.unknown(ARCS) == 0, f"{board}-dispatch: none lost")
    shared = max(sum(a == source for a, _ in truth.arcs) for source, _ in truth.arcs)
    check(shared == 48 and node.hello.arcs == 64 and node.heard[ARCS] < 0.1 * sum(truth.arcs.values()),
          f"{board}-dispatch: {shared} arcs of one call instruction in a table of 64, {node.heard[ARCS]} calls closed")
    run = check_run(f"{board}-beyond", 1, 1)
    node, true = run.node, collections.Counter(run.truth.arcs)
    told = node.counts(ARCS)
    wrong = [k for k, n in node.lost.items() if not 0 < n <= true[k] - told[k]]
    check(node.lost and not wrong, f"{board}-beyond: {len(true)} arcs, a table of 16: "
          f"{len(node.lost)} that lost calls are named, {sum(node.lost.values())} of {node.unknown(ARCS)}")
    # Each refresh names others: after a while most of what is missing is in arcs that were named.
    node, true = (run := Run(f"{TMP}/{board}-named")).node, collections.Counter(run.truth.arcs)
    short = true - collections.Counter(node.counts(ARCS))
    marked = sum(n for k, n in short.items() if k in node.named)
    check(marked > .5 * sum(short.values()),
          f"{board}-named: {len(node.named)} arcs in {node.frames[LOST]} frames, {marked} of {sum(short.values())} calls missing")
