"""test_cost: what the host says that profiling costs, and what the simulator saw."""

import json
import subprocess
import sys

from truth import Truth, check
from wsn import Node

WSNTOP, TMP, FINITE, WORK, *NAMES = sys.argv[1:]
COMPILERS = 40  # cycles of a call that are in no hook: arguments, saved registers


def told(name, *image):
    run = subprocess.run([WSNTOP, "-B", "-p", f"file:{TMP}/{name}.bin", "-f", "wsn", *image, "-x", "json"],
                         capture_output=True, check=True).stdout
    return json.loads(run)["node"]["hooks"]["share"]


def compare(name, elf, true):
    for how, image in ("with", ("-e", elf)), ("without", ()):
        share = told(name, *image)
        check(abs(share - true) < 0.05 * true,
              f"{name}: profiling takes {100 * share:.1f} % {how} the ELF, in the simulator {100 * true:.1f} %")


for short in NAMES:
    each = f"atmega1284p.{short}-Os"
    twin = each.replace("costcalls", "benchfull").replace("costslow", "benchfull") + "-plain"
    timed, plain = (Truth(f"{TMP}/{name}.truth").facts["run"] for name in (each, twin))
    compare(each, f"{WORK}/{short}-Os.elf", 1 - plain / timed)

truth = Truth(f"{TMP}/finite.truth")
with open(f"{TMP}/finite.bin", "rb") as sent:
    status = Node(sent.read()).status
took = sum(cycles for _, cycles, _ in truth.hooks.values()) + status["poll_low"] + (status["poll_high"] << 32)
took += COMPILERS * truth.hooks["enter"][0]
compare("finite", FINITE, took / truth.facts["run"])
