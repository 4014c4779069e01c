"""test_cortexm_levels: what a call site keeps at each level, the text report, SysTick's clock, free runs."""

import re
import sys

from cortexm import Run, check
from cortexm_sites import Times, check_all
from wsn import STATUS, Node

TMP, *BOARDS = sys.argv[1:]


# --- level 3: buckets ---------------------------------------------------------------------------

def below(times, key, ticks):
    """Of a site's calls: those surely shorter by the clock, those that may be."""
    surely = perhaps = 0
    for took in times.truth.took[key]:
        off = times.spread * (1 + took.inner)
        if (took.insns + off + took.other) * times.rate + times.hello.skew < ticks:
            surely += took.calls
        if (took.insns - off) * times.rate + times.hello.skew < ticks:
            perhaps += took.calls
    return surely, perhaps


def check_buckets(times):
    first, step = times.hello.histogram & 15, times.hello.histogram >> 4
    wrong, calls, open_calls, used = [], 0, 0, set()
    for key, told in times.told.items():
        if not told.calls:
            continue
        used |= {i for i, n in enumerate(told.buckets) if n}
        calls += told.calls
        if sum(told.buckets) != told.calls:
            wrong.append(f"{times.name_of(key)}: {told.buckets}, {told.calls} calls")
        for i in range(7):
            surely, perhaps = below(times, key, 2 ** (first + i * step))
            open_calls += perhaps - surely
            if not surely <= sum(told.buckets[:i + 1]) <= perhaps:
                wrong.append(f"{times.name_of(key)}: {told.buckets}, below 2^{first + i * step}: {surely} to {perhaps}")
    for line in wrong[:5]:
        print(" ", line)
    check(not wrong and len(used) > 4, f"{times.name}: {calls} calls in their buckets, {len(used)} of 8 in use")
    check(open_calls < calls / 10, f"{times.name}: all but {open_calls} of them are surely so")


# --- the text report ----------------------------------------------------------------------------

def check_report(times):
    text = times.run.node.text.decode().replace("\r", "")
    name, rows, capacity, run, hz = re.search(r"PROF:(\w+):(\d+):(\d+):(\d+):(\d+)\n", text).groups()
    lines = re.findall(r"^0x([0-9a-f]+):0x([0-9a-f]+):(\d+):(\d+):(\d+):(\d+)$", text, re.M)
    check(name == "cortexm" and int(rows) == len(lines) == len(times.told) and
          int(capacity) == times.hello.sites and int(hz) == times.hello.hz and
          int(run) == times.status["run_low"], f"{times.name}: the text report announces its {rows} rows")
    told = {}
    for source, to, calls, total, low, high in lines:
        told[int(source, 16) or times.hello.base, int(to, 16)] = tuple(map(int, (calls, total, low, high)))
    wrong = [k for k, s in times.told.items()
             if told.get(k) != (s.calls, s.total, min(s.min, 65535), min(s.max, 65535))]
    check(len(told) == len(lines) and not wrong, f"{times.name}: and has what the frames have {wrong[:3] or ''}")


# --- free runs ----------------------------------------------------------------------------------

class Statuses(Node):
    """What STATUS said of the run, each time."""

    def forget(self):
        super().forget()
        self.runs = []

    def _frame(self, kind, body):
        super()._frame(kind, body)
        if kind == STATUS:
            self.runs.append(self.status["run_low"] + (self.status["run_high"] << 32))


def check_free(name):
    times = Times(f"{TMP}/{name}")
    node = Statuses(open(f"{TMP}/{name}.uart", "rb").read())
    times.check_calls()
    check(times.lost() == 0, f"{name}: none lost")
    ran = node.runs[-1]
    check(len(node.runs) > 2 and node.runs == sorted(node.runs) and 0 < ran < 60 * node.hello.hz,
          f"{name}: the run never falls, {len(node.runs)} times told, {ran / node.hello.hz:.3f} s")
    wrong = [times.name_of(k) for k, s in times.told.items() if s.calls and
             not (s.min <= s.max < 2 ** 31 and s.min * s.calls <= s.total <= s.max * s.calls)]
    print(f"{name}: {len(wrong)} durations wrap {wrong[:3] or ''}")
    outer = [s.total for (_, to), s in times.told.items() if times.truth.at[to] == "net_round"]
    check(outer and sum(outer) <= ran, f"{name}: a function's time is within the run's")
    check(node.hello.spread < 2 ** 12, f"{name}: a duration may be off by {node.hello.spread:.1f} ticks, it says")
    return wrong


for board in BOARDS:
    plain = Run(f"{TMP}/{board}-0")
    check(not plain.node.hello.has("taken_back") and plain.node.hello.features & 7 == 0, f"{board}-0: no times")
    level0 = Times(f"{TMP}/{board}-0")
    level0.check_calls()
    check(level0.lost() == 0, f"{board}-0: none lost")
    level1 = Times(f"{TMP}/{board}-1")
    level1.check_calls()
    level1.check_totals()
    for name in "storm", "tasks":
        check_all(f"{TMP}/{board}-{name}-3")
    level3 = check_all(f"{TMP}/{board}-3")
    check_buckets(level3)
    check_report(level3)
    systick = check_all(f"{TMP}/{board}-systick")
    rounds = systick.status["run_low"] >> 24
    check(rounds >= 2 and systick.lost() == 0, f"{board}-systick: the 24-bit clock went round {rounds} times")
    # A computer that is busy may stop the simulation for longer than its 24-bit clock can count: not in each run.
    check(not all([check_free(f"{board}-free{n}") for n in "12"]), f"{board}: no duration wraps")
