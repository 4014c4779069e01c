"""test_timed_thumb.sh: what nodes with the hooks of `wsntop as` say, held against QEMU."""

import collections
import os
import re
import sys

from cortexm import Run, check
from cortexm_sites import Times

TMP, = sys.argv[1:]
# Instructions that a duration may be off, the mean over calls and those made within: of the plain program's; of what ran
# outside of the hooks in the same program, in which a call's own instructions for its hooks (3, v6-M 5) are its caller's.
PLAIN = {"an385": 1.0, "an385m0": 1.8}
OWN = {"an385m0": 6, "microbit": 6}


def check_counts(times):
    told = {k: s.calls for k, s in times.told.items() if s.calls}
    true = {k: s.calls for k, s in times.truth.sites.items()}
    lost = sum(times.status[k] for k in ("stack_full", "table_full", "no_stack"))
    # of a task without a stack, those open at the end of the run are among the lost
    open_still = lost - (sum(true.values()) - sum(told.values()))
    check(0 <= open_still <= (2 if times.name.endswith("nostack") else 0) and all(n <= true.get(k, 0) for k, n in told.items()) and
          times.status["cut"] == times.truth.cut and (lost > 0) == times.name.endswith(("few", "deep", "nostack")),
          f"{times.name}: {len(true)} sites, {sum(true.values())} calls as QEMU saw them, {lost} of them counted as lost, "
          f"{times.truth.cut} cut off")


def check_own(times):
    """Of sites whose calls are all told. What a longjmp cut off took its hook's time, too."""
    off, hooks = 0, times.truth.cut
    for key, true in times.truth.sites.items():
        told = times.told.get(key)
        if not told or told.calls != true.calls:
            continue
        missed = times.insns(told.total, told.calls) - true.total
        off += abs(missed)
        hooks += true.calls + true.inner
    most = OWN.get(times.name.split("-")[0], 3) + (2 if times.name.endswith(("1", "3", "tick", "found")) else 0)
    check(off / hooks < most and 0 < times.spread < 6, f"{times.name}: durations are off by {off / hooks:.2f} instructions a hook")


def said_sum(name):
    """What the workload printed, as its sum on the UART."""
    return re.search(rb"mutual ([0-9a-f]{8})", open(f"{TMP}/{name}.uart", "rb").read())[1]


def check_features(times):
    """Each function's calls are as often as its first instruction ran, its output is the plain program's."""
    board, features = times.name.split("-")[0], times.name.rsplit("-", 1)[0]
    told, ran, names = collections.Counter(), {}, {}
    for (_, to), site in times.told.items():
        told[to] += site.calls
    for line in open(f"{TMP}/{times.name}.truth"):
        kind, *f = line.rstrip("\n").split("\t")
        if kind == "function":
            ran[int(f[0], 16)], names[int(f[0], 16)] = int(f[2]), f[1]
    wrong = [f"{names.get(to)} {n}, true {ran.get(to)}" for to, n in told.items() if ran.get(to) != n]
    lost = sum(times.status[k] for k in ("stack_full", "table_full", "no_stack", "cut"))
    want = {"recursive", "tail", "gotos", "various", "far"}
    want |= {"conditional_return", "conditional_tail"} if board == "an385" else set()
    missing = want - {names[to].split(".")[0] for to in told}
    templates = sum("largest" in names[to] or "steps" in names[to] for to in told)
    check(not wrong and not lost and not missing and templates >= 3 and sum(told.values()) > 2500 and
          said_sum(times.name) == said_sum(features + "-bare"),
          f"{times.name}: {sum(told.values())} calls of {len(told)} functions, {templates} of templates, each as often as it "
          f"ran; the program's output is the plain one's {wrong or missing or lost or ''}")


def check_plain(board):
    """Against the same program without hooks, function by function."""
    plain = collections.defaultdict(lambda: [0, 0])
    truth = Run(f"{TMP}/{board}-plain").truth
    for (_, to), called in truth.called.items():
        plain[truth.at[to]][0] += called.done
        plain[truth.at[to]][1] += called.total
    off = each = calls = 0
    for function, (n, insns, inner) in Times(f"{TMP}/{board}-same").by_function().items():
        if function.startswith("tail_"):
            continue
        check(plain[function][0] == n, f"{board}: {function}: {n} calls") if plain[function][0] != n else None
        off += abs(insns - plain[function][1])
        each += abs(insns - plain[function][1]) / (n + inner) * n
        calls += n
    check(each / calls < PLAIN[board], f"{board}: durations are off those of the plain program by {off / calls:.2f} "
                                       f"instructions, the mean over {calls} calls; by {each / calls:.2f} for each hook")


for name in sorted(f[:-6] for f in os.listdir(TMP) if f.endswith(".truth") and not f.endswith(("-plain.truth", "-bare.truth"))):
    times = Times(f"{TMP}/{name}")
    if "-features" in name:
        check_features(times)
    else:
        check_counts(times)
    if not name.endswith(("counted", "nostack", "storm", "tasks")):
        check_own(times)
    elif name.endswith(("storm", "tasks")):
        times.check_times()
for board in PLAIN:
    check_plain(board)
