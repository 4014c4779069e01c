#!/bin/bash
# Call traces of a Cortex-M whose SysTick interrupts the program, its hooks, its sender and a handler at random, some
# 25,000 times: the program's lane is held against QEMU event by event, all calls are told or counted, and the places
# are counted. What the highest handler alone runs is struck by nothing.
. "$(dirname "$0")/cortexm.sh"

for board in an385 an385m0; do
	sim/cortexm/run -x SysTick_Handler -o "$TMP/$board" $board "$FW/$board-traced-Os.elf" run=nested breathe=2 rounds=40 >"$TMP/log" 2>&1 ||
		{ echo "FAILED: $board: $(cat "$TMP/log")"; exit 1; }
	arm-none-eabi-nm -S --defined-only "$FW/$board-traced-Os.elf" >"$TMP/$board.nm"
done

python3 - "$TMP" <<'END_PYTHON'
import sys
import trace
from truth import check

tmp = sys.argv[1]
HOOKS = "wsntrace_leaf", "wsntrace_enter", "wsntrace_exit", "wsntrace_exit_tail"

for board in "an385", "an385m0":
    ran, struck, size = {}, {}, {}
    for line in open(f"{tmp}/{board}.truth"):
        fields = line.split("\t")
        if fields[0] == "pc":
            ran[int(fields[1], 16)] = int(fields[3])
        elif fields[0] == "sample":
            struck[int(fields[1], 16)] = int(fields[2])
    for line in open(f"{tmp}/{board}.nm"):
        fields = line.split()
        if len(fields) == 4:
            size[fields[3]] = int(fields[0], 16) & ~1, int(fields[1], 16)

    def places(name, least):
        first, n = size[name]
        of = [at for at in range(first, first + n, 2) if ran.get(at, 0) >= least]
        return sum(at in struck for at in of), len(of)

    for name in HOOKS:
        if name in size:
            hit, of = places(name, 1000)
            check(hit >= 0.75 * of, f"{board}: {name}: struck before {hit} of {of} instructions")
    for name in "bit_put", "plain_put":
        hit, of = places(name, 1000)
        check(hit == of, f"{board}: {name}: struck before {hit} of {of} instructions")
    check(sum(struck.values()) > 20000, f"{board}: {sum(struck.values())} strikes, before {len(struck)} instructions")

    node, true = trace.Node(open(f"{tmp}/{board}.uart", "rb").read()), trace.events(f"{tmp}/{board}.events")
    trace.compare(node.lanes[0], true[0])
    for number in 0, 1:
        lane = node.lanes[number]
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number else 0)
        check(trace.told(lane) + lane.untold == calls and not lane.unknown and not node.damaged and not node.lost_frames,
              f"{board}: lane {number}: {trace.told(lane)} calls told, {lane.untold} counted: {calls}")
    check(trace.told(node.lanes[0]) > 2000, f"{board}: the program's are as they were")
END_PYTHON
