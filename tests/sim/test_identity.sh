#!/bin/bash
# wsntop tells a wrong ELF, one rebuilt with a single changed constant included, within two seconds of the
# hello, and finds the right one among several.
. "$(dirname "$0")/lib.sh"

right=$FW/demo.elf
wrong=$FW/changed.elf
[ "$(stat -c %s "$right")" = "$(stat -c %s "$wrong")" ] || echo "note: the two differ in more than a constant"

# The first two seconds of the node's time; the hello is the first thing that it says.
"$NODE" --fast --seconds=2 --uart="$TMP/node.bin" "$right" >/dev/null

said() {	# what wsntop says of the image, given these -e options
	"$WSNTOP" -B -p "file:$TMP/node.bin" -f wsn "$@" -x "json:$TMP/out.json" >/dev/null 2>"$TMP/err" ||
		{ cat "$TMP/err"; echo "FAILED: wsntop $*"; exit 1; }
	python3 -c 'import json, os, sys
n = json.load(open(sys.argv[1]))["node"]
print(n["image_match"], os.path.basename(n["image"] or "none"))' "$TMP/out.json"
}

expect() {	# WHAT EXPECTED GOT
	[ "$2" = "$3" ] || { echo "FAILED: $1: '$3', not '$2'"; exit 1; }
	echo "ok: $1: $3"
}

expect "the right image" "yes demo.elf" "$(said -e "$right")"
expect "one constant changed" "no changed.elf" "$(said -e "$wrong")"
expect "the right one among several" "yes demo.elf" \
	"$(said -e "$wrong" -e "$WORK/atmega1284p/suite-Os.elf" -e "$right" -e "$FW/finite.elf")"
expect "none of several" "no changed.elf" "$(said -e "$wrong" -e "$FW/finite.elf")"
