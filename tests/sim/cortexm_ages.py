"""test_cortexm_ages: self times while the node sends, against those after it stopped, which are exact."""

import json
import subprocess
import sys

from cortexm import check

WSNTOP, ELF, TMP, PARTS, *NAMES = sys.argv[1:]


def profile(path):
    out = subprocess.run([WSNTOP, "-B", "-p", f"file:{path}", "-f", "wsn", "-e", ELF, "-x", "json"],
                         capture_output=True, check=True).stdout
    return json.loads(out)


MOST, MOST_ONE = 2, 1.5	# % of the run: all rows together, the worst of them


def check_cut(name, data, exact, part):
    with open(f"{TMP}/cut.bin", "wb") as f:
        f.write(data[:len(data) * part // 100])
    out = profile(f"{TMP}/cut.bin")
    run = out["node"]["profiled_s"]
    timed = [f for f in out["functions"] if f["self_s"] is not None and f["calls"]]
    errors = [100 / run * abs(f["self_s"] - exact[f["name"]] * f["calls"]) for f in timed]
    check(sum(errors) < MOST and max(errors) < MOST_ONE,
          f"{name}: at {part} % self times are off by {sum(errors):.2f} % of the run, one by {max(errors):.2f} %")
    check(sum(f["self_s"] for f in timed) <= run * 1.0001, "they are no more than the run")
    check(all(0 <= f["self_s"] <= f["total_s"] and f["self_ticks"] >= 0 for f in timed),
          "each is between 0 and the function's total")
    told = [f for f in timed if f["self_estimate_s"]]
    check(len(told) > len(timed) / 3, f"{len(told)} of {len(timed)} say that they are estimates")
    check(all(low <= f["self_s"] <= high for f in told for low, _, high in [f["self_estimate_s"]]),
          "each within its interval")


for name in NAMES:
    path = f"{TMP}/{name}.uart"
    whole = profile(path)
    exact = {f["name"]: f["self_s"] / f["calls"] for f in whole["functions"] if f["calls"] and f["self_s"] is not None}
    check(not any(f["self_estimate_s"] or f["incomplete"] for f in whole["functions"]),
          f"{name}: after the stop nothing is estimated")
    data = open(path, "rb").read()
    for part in map(int, PARTS.split()):
        check_cut(name, data, exact, part)
