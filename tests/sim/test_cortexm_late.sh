#!/bin/bash
# Cortex-M: who joins late is told what the node sent before, and not that frames were lost; who leaves before HELLO is told
# that a node speaks.
. "$(dirname "$0")/cortexm.sh"

simulate small an385-small-Os run=net rounds=100 baud=115200
python3 - "$TMP" <<'END'
import sys
data = open(f"{sys.argv[1]}/small.uart", "rb").read()
at = data.index(b"\0", len(data) // 3)
open(f"{sys.argv[1]}/late.bin", "wb").write(data[at:])
open(f"{sys.argv[1]}/short.bin", "wb").write(data[at:at + 1200])
END
says() {	# FILE, a pattern: of what is printed
	"$WSNTOP" -B -p "file:$TMP/$1.bin" -e "$FW/an385-small-Os.elf" >"$TMP/out" 2>&1 || true
	grep -qE "$2" "$TMP/out" || { echo "FAILED: $1: no '$2'"; cat "$TMP/out"; exit 1; }
	! grep -qE "check the link|check the baud|are text" "$TMP/out" || { echo "FAILED: $1"; cat "$TMP/out"; exit 1; }
	echo "ok: $1: $2"
}
says late "calls of arcs that the node sent before wsntop was connected"
says late "samples at PCs that the node sent before wsntop was connected"
says short "[0-9]+ frames of a wsn node, but not its HELLO"
