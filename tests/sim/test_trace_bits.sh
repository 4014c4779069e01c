#!/bin/bash
# Call traces without a table (encodings 3 to 6), held against the simulator event by event: every workload, on two chips,
# with a line too slow for all, with frames lost; and wsntop's decoder against tests/sim/trace_bits.py.
. "$(dirname "$0")/lib.sh"

make --no-print-directory O="$O" traced >/dev/null
runs=()
for fw in atmega1284p/{global,short,local,drowned,huffman,flow,places,region}-Os atmega2560/{local,flow}-Os \
	$(long atmega2560/{global,huffman}-Os atmega1284p/{local-O0,flow-O3,global-O2,local-{O2,O3},huffman-O3,flow-{O0,O2},region-{O0,O2}} atmega2560/{flow-{O2,O3},places-Os}); do
	run=${fw/\//.}
	sim/watchdog "$NODE" --mcu=${fw%/*} --fast --seconds=200 --uart="$TMP/$run.bin" --truth="$TMP/$run.truth" \
		--events="$TMP/$run.events" "$O/sim/traced/$fw.elf" >"$TMP/$run.end" || true
	ended $run
	"$WSNTOP" -B -p "file:$TMP/$run.bin" -e "$O/sim/traced/$fw.elf" -x "trace:$TMP/$run.host" >/dev/null
	runs+=("$fw")
done

# longjmp() over calls out that nothing tells the runtime of: the program runs as ever, and the host survives it.
sim/watchdog "$NODE" --mcu=atmega1284p --fast --seconds=200 --uart="$TMP/unwrapped.bin" "$O/sim/traced/atmega1284p/unwrapped-Os.elf" \
	>"$TMP/unwrapped.end" || true
ended unwrapped
"$WSNTOP" -B -p "file:$TMP/unwrapped.bin" -e "$O/sim/traced/atmega1284p/unwrapped-Os.elf" -x "trace:$TMP/unwrapped.host" >/dev/null
for run in jump net pointer; do
	grep -qa "$run [0-9a-f]\{8\}" "$TMP/unwrapped.bin" || { echo "FAILED: no $run"; exit 1; }
done
echo "ok: calls out that a longjmp() skips are not returned to"

# Hooks of --local, a runtime for --huffman: that must not link. With its own runtime it does.
"$WSNTOP" as --install "$TMP/as" avr- --local '--only=^(leaf|caller|calls)$' >"$TMP/said"
for setting in 4 5 6; do
	flags="-mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -fno-inline -fno-ipa-ra -DCOST_OF=caller -DCOST_CALLS=20
		-DWSNPROF_TRACE=$setting -DWSNPROF_UART=0 -Itests/sim/hooks -Itarget-common -Itarget-avr"
	avr-gcc $flags -B "$TMP/as" -c -o "$TMP/cost.o" tests/sim/trace/cost.c
	linked=0
	avr-gcc $flags -o "$TMP/cost.elf" "$TMP/cost.o" target-avr/all/* 2>"$TMP/said" || linked=$?
	[ $((linked == 0)) = $((setting == 4)) ] || { echo "FAILED: --local with WSNPROF_TRACE $setting: status $linked"; exit 1; }
done
grep -q "undefined reference to .wsntrace_exit" "$TMP/said" || { echo "FAILED: $(cat "$TMP/said")"; exit 1; }
echo "ok: hooks of --local do not link with WSNPROF_TRACE 5, 6"

python3 - "$O/sim/traced" "$TMP" "${runs[@]}" <<'END_PYTHON'
import sys
import trace
import trace_bits
from truth import check

elves, tmp, *runs = sys.argv[1:]

def read(fw, lose=None):
    """With `lose`: of TRACE frames each so manieth is lost."""
    run = fw.replace("/", ".")
    data = open(f"{tmp}/{run}.bin", "rb").read()
    if lose:
        blocks, n = [], 0
        for block in data.split(b"\0"):
            plain = trace.wsn.cobs_decode(block) if block else None
            n += bool(plain) and plain[0] & 31 == trace.TRACE
            if not plain or plain[0] & 31 != trace.TRACE or n % lose:
                blocks.append(block)
        data = b"\0".join(blocks)
    return trace_bits.Node(data, f"{elves}/{fw}.elf")

def host_items(run, lane):
    for line in open(f"{tmp}/{run}.host"):
        _, of, kind, _, what = line.lstrip("~? ").split(None, 4)
        if of == lane and kind in ("call", "return"):
            yield kind

for fw in runs:
    run = fw.replace("/", ".")
    node, true = read(fw), trace.events(f"{tmp}/{run}.events")
    check(not node.damaged and node.tracing[0] in (3, 4, 5, 6), f"{run}: encoding {node.tracing[0]}, no frame damaged")
    for number, lane in sorted(node.lanes.items()):
        try:
            trace.compare(lane, true[number])
        except trace.Differs as e:
            check(False, f"{run}: lane {number}: {e}")
        calls = sum(e[0] for e in true[number]) + (true["nested"] if number else 0)
        told = trace.told(lane)
        flows = node.tracing[0] == 6		# counts calls from outside alone
        check((told + lane.untold <= calls if flows else told + lane.untold == calls) and told > 0, f"{run}: lane {number}: {told} calls told, each as it was, "
              f"and {lane.untold} counted: {calls}; {8 * lane.bytes / told:.2f} bits a call told")
        name = ("main", "handlers")[number]
        said, own = list(host_items(run, name)), [i[0] for i in lane.items if i[0] in ("call", "return")]
        check(said == own, f"wsntop -x trace: {name}: the same {len(said)} events")
    for lose in (2, 7):
        lossy = read(fw, lose)
        for number, lane in lossy.lanes.items():
            try:
                trace.compare(lane, true[number])
            except trace.Differs as e:
                check(False, f"{run}: lane {number}, frames lost: {e}")
        check(any(lane.lost for lane in lossy.lanes.values()) and trace.told(lossy.lanes[0]) > 0,
              f"{run}: one frame in {lose} lost: what is told is true: {trace.told(lossy.lanes[0])} calls")
END_PYTHON
