#!/bin/bash
# One image for many nodes (WSNPROF_ID_VARIABLE): each takes its number from its EEPROM. Their flash is the same, so that one
# ELF is right for all, and they are of one firmware. The sender in C: tests/unit/test_node_runtime.
. "$(dirname "$0")/lib.sh"

printf '#define WSNPROF_ID_VARIABLE 1\n#define WSNPROF_ID 0x77777777\n' >"$TMP/wsnprof_config.h"
avr-gcc -mmcu=atmega1284p -DF_CPU=8000000UL -w -std=c99 -Os -finstrument-functions -DNUMBERED -I"$TMP" -Itarget-common -Itarget-avr \
	-o "$TMP/node.elf" tests/sim/identity/app.c target-common/*.c target-avr/*.c target-avr/*.S
for id in 00000001 12345678 fffffffe; do
	echo "$id" | sed 's/\(..\)\(..\)\(..\)\(..\)/\\x\4\\x\3\\x\2\\x\1/' | xargs -0 printf '%b' | head -c 4 >"$TMP/eeprom"
	avr-objcopy --update-section .eeprom="$TMP/eeprom" "$TMP/node.elf" "$TMP/$id.elf"
	"$NODE" --mcu=atmega1284p --fast --seconds=20 --uart="$TMP/$id.bin" "$TMP/$id.elf" >"$TMP/$id.end"
	ended $id
	export_json $id "$TMP/node.elf"
	python3 - "$TMP/$id" <<'END'
import json
import sys
from truth import check
from wsn import Node

node = Node(open(sys.argv[1] + ".bin", "rb").read())
out = json.load(open(sys.argv[1] + ".json"))["node"]
check(f"{node.hello.id:08x}" == sys.argv[1].split("/")[-1] and not node.damaged and out["image_match"] == "yes",
      f"node {node.hello.id:08x}, of the same image")
END
done
