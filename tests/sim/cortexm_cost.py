"""test_cortexm_cost: what the host says that profiling costs, and what QEMU saw; which handlers are in the times."""

import json
import subprocess
import sys

from cortexm import Truth, check
from wsn import HELLO, IDENTITY, NAME, cobs_decode

WSNTOP, FW, TMP, *BOARDS = sys.argv[1:]
NS = {"an385": 64, "microbit": 128}	# an instruction takes


def export(path, elf):
    run = subprocess.run([WSNTOP, "-B", "-p", f"file:{path}", "-f", "wsn", "-e", elf, "-x", "json"],
                         capture_output=True, check=True).stdout
    return json.loads(run)


def hooks(path, elf):
    return export(path, elf)["node"]["hooks"]


def check_handler(board):
    """Its self time in the plain program, with that of the driver's function which it calls."""
    plain = Truth(f"{TMP}/{board}-storm-plain.truth").functions
    told, = (f for f in export(f"{TMP}/{board}-storm.uart", f"{FW}/{board}-timed-Os.elf")["functions"]
             if f["name"] == "board_ticker_irq")
    mine = told["self_s"] * 1e9 / NS[board] / told["calls"]
    true = (plain["board_ticker_irq"].ran + plain["board_ticker_ack"].ran) / told["calls"]
    check(abs(mine - true) < 2, f"{board}: an instrumented handler takes {mine:.1f} instructions, {true:.1f} in QEMU")


def refreshes(data):
    """Where a refresh begins: HELLO, or IDENTITY where it is not HELLO's turn."""
    at, last = 0, None
    for block in data.split(b"\0"):
        plain = cobs_decode(block)
        kind = plain[0] & 31 if plain else last
        if kind == HELLO or kind == IDENTITY and last != NAME:
            yield at
        at, last = at + len(block) + 1, kind


NAMES = [f"{board}-{variant}" for variant in ("timed", "calls", "full") for board in BOARDS]

for name in NAMES:
    elf, path = f"{FW}/{name}-Os.elf", f"{TMP}/{name}"
    truth = Truth(path + ".truth")
    plain = Truth(f"{TMP}/{name.split('-')[0]}-plain{'-net' if name.endswith('-timed') else ''}.truth")
    # All that the plain program does not take: hooks, what the compiler put around them, wsnprof_poll().
    true, told = 1 - plain.ran / truth.ran, hooks(path + ".uart", elf)["share"]
    check(abs(told - true) < (0.03 if name.endswith("-timed") else 0.1 * true),
          f"{name}: profiling takes {100 * told:.1f} %, in QEMU {100 * true:.1f} %")
    if name.endswith("-timed"):
        # Handlers by the vector table, whatever they are called; what also stands for faults is none.
        named = hooks(path + ".uart", elf)["handlers_in_times"].split(", ")
        check({"board_receive_irq", "board_pace_irq"} <= set(named) and "unexpected_handler" not in named,
              f"{name}: handlers without hooks: {' '.join(named)}")
    if name.endswith("-full"):
        continue	# rows that were others' are told over several refreshes: these runs have six in all
    with open(path + ".uart", "rb") as f:
        data = f.read()
    # Whole refreshes: behind a STATUS the rows are older than the run.
    with open(path + ".cut", "wb") as f:
        f.write(data[:max(at for at in refreshes(data) if at <= len(data) // 2)])
    live = hooks(path + ".cut", elf)["share"]
    check(abs(live - told) < 0.05, f"{name}: and {100 * live:.1f} % while it runs")

for board in BOARDS:
    check_handler(board)
