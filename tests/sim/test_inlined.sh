#!/bin/bash
# Inlined functions: wsntop finds who called them, by DWARF and the calls of the hooks; no time is counted twice. On AVR,
# whose hooks are told the same addresses as all others'.
. "$(dirname "$0")/lib.sh"

avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -std=c99 -Os -ggdb -gdwarf-2 -Wall -Wextra -Werror -finstrument-functions \
	-finstrument-functions-exclude-file-list=avr/include -Itests/sim/hooks -Itarget-common -Itarget-avr -o "$TMP/inlined.elf" \
	tests/sim/hooks/{inlined,common,main}.c target-avr/all/wsnprof_all.c target-avr/all/wsnprof_hooks_all.S
sim/watchdog "$NODE" --fast --seconds=60 --uart="$TMP/inlined.bin" "$TMP/inlined.elf" >"$TMP/inlined.end"
ended inlined
export_json inlined "$TMP/inlined.elf"

python3 - "$TMP/inlined.json" <<'END'
import json
import sys
from truth import CPU_HZ, check

out = json.load(open(sys.argv[1]))
edges = {(e["from"], e["to"]): e["calls"] for e in out["edges"]}
CHAIN = ["hooks_run", "caller", "body", "middle", "inner", "leaf"]
check(edges == {pair: 100 for pair in zip(CHAIN, CHAIN[1:])}, f"each is called by the one around it: {edges}")
OWN = {"caller": 0, "body": 8000, "middle": 4000, "inner": 2000, "leaf": 1000}
for f in out["functions"]:
    if f["name"] in OWN:
        own = f["self_s"] * CPU_HZ / 100
        check(abs(own - OWN[f["name"]]) < 100, f"{f['name']}: {own:.0f} cycles of its own, true {OWN[f['name']]}")
END
