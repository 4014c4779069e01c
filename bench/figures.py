"""Figures of the node's side against their limits: `name value unit limit`, one a line.

A figure may be SLACK above its limit. bench/reached lists the figures that are above their limit
today, with their values: they may not get worse.
"""

import os
import subprocess
import sys

SLACK = 1.03


def read_reached():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "reached")
    lines = (line.split("#")[0].split() for line in open(path))
    return {f[0]: float(f[1]) for f in lines if f}


reached = read_reached()
over = []


def figure(name, value, unit, limit):
    print(f"{name} {value:.4g} {unit} {limit:g}", flush=True)
    if value > SLACK * max(limit, reached.get(name, 0)):
        over.append(name)


def status():
    """The process's exit status: 1 when a figure is too high; prints which."""
    if over:
        print("over the limit:", *over, file=sys.stderr)
    return bool(over)


def measured(main):
    """main's status; 2 when it could not measure: a simulation that failed or hung, a figure that cannot be."""
    try:
        return main()
    except (AssertionError, OSError, subprocess.SubprocessError) as why:
        print("not measured:", type(why).__name__, why, file=sys.stderr)
        return 2
