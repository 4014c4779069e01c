#!/bin/bash
# More than 64 KB of the application's constants in front of the runtime's: HELLO and the name are read from where
# plain `lpm` does not reach, on two chips.
. "$(dirname "$0")/lib.sh"

cat >"$TMP/pad.S" <<'END'
	.section .progmem.data, "a", @progbits
	.global pad
pad:	.skip 70000, 0x5a
END
echo '#define WSNPROF_NAME "high up"' >"$TMP/wsnprof_config.h"

for chip in atmega1284p atmega2560; do
	avr-gcc -mmcu=$chip -DF_CPU=8000000UL -w -std=c99 -Os -finstrument-functions \
		-finstrument-functions-exclude-file-list=util/ -I"$TMP" -Itarget-common -Itarget-avr \
		-o "$TMP/$chip.elf" "$TMP/pad.S" tests/sim/identity/app.c target-common/*.c target-avr/*.c target-avr/*.S
	for name in wsnprof_hello_rom wsnprof_name_rom; do
		address=$((0x$(avr-nm "$TMP/$chip.elf" | awk -v n=$name '$3 == n { print $1 }')))
		[ $address -gt 65536 ] || { echo "FAILED: $chip: $name lies at $address, nothing is proved"; exit 1; }
	done
	"$NODE" --mcu=$chip --fast --seconds=20 --uart="$TMP/$chip.bin" "$TMP/$chip.elf" >"$TMP/$chip.end"
	ended $chip
	export_json $chip "$TMP/$chip.elf"
	python3 - "$TMP/$chip" <<'END'
import json
import sys
from truth import check
from wsn import Node

path = sys.argv[1]
node = Node(open(path + ".bin", "rb").read())
out = json.load(open(path + ".json"))["node"]
check(node.name == "high up" and not node.damaged and node.hello.sites == 128 and node.hello.hz == 8000000,
      f"{path.split('/')[-1]}: the hello and the name, above 64 KB")
check(out["image_match"] == "yes", "and the checksum over both sides of it")
END
done
