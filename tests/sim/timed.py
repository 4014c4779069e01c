"""test_timed_avr.sh: what nodes with the hooks of `wsntop as` say, held against the simulator."""

import re
import sys
from truth import *
from wsn import Node

# What a longjmp cuts off is in the calls that go on; tail_sum's recursion has one line with two calls.
LEFT_OUT = ("jump_", "tail_sum")


def same_calls(rows, true):
    """Places with the same calls in both builds."""
    return {k: r for k, r in rows.items() if k in true and r.calls == true[k].calls and not k[2].startswith(LEFT_OUT)}


def main():
    tmp, *runs = sys.argv[1:]
    sums = {}
    for run in runs:
        node, truth = Node(open(f"{tmp}/{run}.bin", "rb").read()), Truth(f"{tmp}/{run}.truth")
        elf, wide, timed = f"{tmp}/{run}.elf", node.hello.arch == 2, node.hello.features & 1
        rows = rows_of_node(node, Flash(elf) if wide else None)
        sites = narrow(truth.sites, 17) if wide else truth.sites
        lost = {k: v for k, v in node.status.items() if k in ("stack_full", "table_full", "carries") and v}
        check(not node.damaged and not node.lost_frames, f"{run}: no frame lost")
        for name, value in re.findall(r"(\w+) ([0-9a-f]{8})\n", node.text.decode()):
            sums.setdefault((name, "small" if run == "small-Os" else ""), set()).add(value)
        if run == "full-Os":
            calls = sum(r.calls for r in rows.values()) + node.status["stack_full"] + node.status["table_full"]
            check(calls == truth.calls() and lost, f"{run}: {lost} of {calls} calls found no room, the others are counted")
            continue
        check(not lost, f"{run}: nothing lost {lost or ''}")
        check_calls(rows, sites, run)
        check(node.status["cut"] == truth.cut(), f"{run}: {truth.cut()} calls cut off by longjmp")
        if not timed:
            continue
        plain = Truth(f"{tmp}/{run}-plain.truth")
        true = plain.by_place(elf.replace(".elf", "-plain.elf"))
        tick = CPU_HZ / node.hello.hz
        same = same_calls(by_place_of({k: r for k, r in rows.items() if r.calls}, truth, elf), true)
        calls = sum(r.calls for r in same.values())
        if run.startswith(("suite", "lto", "relax", "wide", "rfa", "small")):
            # rest: what is near a wrap of the clock, and sites that are far from their places in a small table
            off, each = error_per_call(same, true), error_per_hook(same, true)
            check(each <= (0.7 if run == "small-Os" else 0.25) and calls > 900, f"{run}: durations are off those of the plain program by {off:.2f} cycles, the "
                  f"mean over {calls} calls; by {each:.2f} for each and each made within")
            check(off <= 0.25 or run != "suite-Os", f"{run}: {off:.2f} cycles")
        said, _ = rows_of_json(f"{tmp}/{run}.json", CPU_HZ)
        told = {(s["address"] or 0, s["to_address"]): s for s in said["sites"]}
        worst = max(abs(told[k]["total_s"] * CPU_HZ - r.total) for k, r in rows.items() if r.calls and k in told)
        check(worst < 1 + tick, f"{run}: wsntop takes nothing off what the node says: {worst:.2f} cycles at most")
    for (name, size), values in sums.items():
        check(len(values) == 1, f"{name} computes the same everywhere: {values}")


if __name__ == "__main__":
    main()
