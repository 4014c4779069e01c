#!/bin/bash
# In real time, with nobody on the other end; then somebody comes late and learns all that was.
. "$(dirname "$0")/lib.sh"

start=$(date +%s%N)		# never faster than real time; how much slower is the machine's affair
"$NODE" --seconds=8 --link="$TMP/node" "$FW/demo.elf" >"$TMP/live.end" & node_pid=$!
until [ -e "$TMP/node" ]; do sleep 0.05; done
sleep 3
sim/watchdog cat "$TMP/node" >"$TMP/late.bin" || true
wait $node_pid; node_pid=
took=$((($(date +%s%N) - start) / 1000000))
python3 - "$TMP" $took <<'END'
import os
import sys
from truth import check
from wsn import Node

tmp, took = sys.argv[1], int(sys.argv[2])
node = Node(open(f"{tmp}/late.bin", "rb").read())
check(took > 7800, f"8 simulated seconds in real time took {took} ms")
cycles = int(open(f"{tmp}/live.end").read().split("cycles ")[1].split(",")[0])
check(64000000 <= cycles < 64100000, f"and were 64 million cycles: {cycles}")
run = (node.status["run_low"] + (node.status["run_high"] << 32)) / node.hello.hz
check(node.hello and run > 2.5, f"a late reader gets what is sent now, and the hello: {run:.1f} s profiled")
check(not os.path.lexists(f"{tmp}/node"), "the link to the pty is gone")
END
