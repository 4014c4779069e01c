"""Whether the spread that HELLO states covers 95 calls of 100, and those made within each; test_hooks.sh runs it."""

import sys

from truth import *
from wsn import Node

# What a longjmp cuts off is in no count of calls within; the compiler makes other code of crc_run's loop without hooks.
OTHER = ("jump_", "crc_run")

tmp, work, *levels = sys.argv[1:]
for level in levels:
    node = Node(open(f"{tmp}/atmega1284p.suite-{level}.bin", "rb").read())
    truth, plain = (Truth(f"{tmp}/atmega1284p.suite-{level}{kind}.truth") for kind in ("", "-plain"))
    rows = by_place_of({k: r for k, r in rows_of_node(node).items() if r.calls}, truth, f"{work}/suite-{level}.elf")
    own, true = truth.by_place(f"{work}/suite-{level}.elf"), plain.by_place(f"{work}/suite-{level}-plain.elf")
    calls = beyond = 0
    for place, row in rows.items():
        if not place[0] or place[2].startswith(OTHER):
            continue
        hooks = 1 + (own[place].inner + own[place].struck) / own[place].calls
        off = abs(row.total / row.calls - true[place].total / true[place].calls) / hooks
        calls += row.calls
        beyond += row.calls if off > node.hello.spread else 0
    check(calls > 10000 and beyond <= 0.05 * calls,
          f"{level}: {beyond} of {calls} calls are off by more than the {node.hello.spread} cycles that are stated")
