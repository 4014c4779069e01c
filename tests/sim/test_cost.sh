#!/bin/bash
# What the hooks cost, to the cycle: the same program instrumented and plain, run to its end.
. "$(dirname "$0")/lib.sh"

for name in test-cost-fib test-cost-fib-plain test-cost-sites test-cost-sites-plain; do
	simulate $name >/dev/null
	ended $name
done

python3 - "$TMP" <<'END'
import sys
from prof import Truth, check

# Cycles a call, everything included; paper 1's own profiler takes 1,303.
LIMITS = {"fib": 310, "sites": 315}

for name, limit in LIMITS.items():
    timed = Truth(f"{sys.argv[1]}/test-cost-{name}.truth")
    plain = Truth(f"{sys.argv[1]}/test-cost-{name}-plain.truth")
    calls = timed.calls()
    cost = (timed.facts["cycles"] - plain.facts["cycles"]) / calls
    enter, leave = (timed.hooks[h][1] / timed.hooks[h][0] for h in ("enter", "exit"))
    print(f"{name}: {len(timed.sites)} sites, {calls} calls: {cost:.1f} cycles a call; "
          f"enter {enter:.1f}, at most {timed.hooks['enter'][2]}; "
          f"exit {leave:.1f}, at most {timed.hooks['exit'][2]}")
    check(calls > 10000 and not plain.calls(), f"{name}: instrumented, and plain")
    check(enter + leave < cost <= limit, f"{name}: at most {limit} cycles a call")
END
