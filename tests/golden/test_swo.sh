#!/bin/bash
# The SWO pin of an STM32F105, captured by others: what wsntop makes of it is what the reference tools make of it.
. "$(dirname "$0")/lib.sh"

d=$root/../shared/captures/swo-stm32f105
[ -e "$d/capture.bin" ] || skip "the capture is not here (no $d)"
"$WSNTOP" -B -f itm -p "file:$d/capture.bin" -e "$d/app.elf" -x "json:$work/all.json" >/dev/null 2>"$work/said"
grep -q "0 bad bytes, 14 packets or rows lost" "$work/said" || { cat "$work/said"; exit 1; }
python3 - "$work/all.json" "$d/expected.json" <<'END'
import json
import sys

got, want = (json.load(open(path)) for path in sys.argv[1:])
samples = {f["name"]: f["samples"] for f in got["functions"] if f["samples"]}
assert samples == want["pc_by_function"], samples
assert got["stream"]["bytes"] == want["bytes"], got["stream"]
assert got["stream"]["text_bytes"] == len(want["stimulus"]["0"]), got["stream"]
assert got["node"]["format"] == "itm" and got["node"]["image_match"] == "yes", got["node"]
calls = {f["name"]: f["calls"] for f in got["functions"] if f["calls"]}
assert calls == {"IRQ 28": want["packets"]["exception_enter"]}, calls	# TIM2: the ELF is without its vector table
print("ok:", sum(samples.values()), "samples,", len(samples), "functions")
END
