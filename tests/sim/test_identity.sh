#!/bin/bash
# wsntop tells a wrong ELF, one rebuilt with a single changed constant included, within two seconds of the
# hello, and finds the right one among several.
. "$(dirname "$0")/lib.sh"

right=$FW/demo.elf
wrong=$FW/changed.elf
[ "$(stat -c %s "$right")" = "$(stat -c %s "$wrong")" ] || echo "note: the two differ in more than a constant"

# The first two seconds of the node's time; the hello is the first thing that it says.
"$NODE" --fast --seconds=2 --uart="$TMP/node.bin" "$right" >/dev/null

said() {	# what wsntop says of the image, given these -e options; its status is 1 when it refuses all
	local status=0
	"$WSNTOP" -B -p "file:$TMP/node.bin" -f wsn "$@" -x "json:$TMP/out.json" >/dev/null 2>"$TMP/err" || status=$?
	python3 -c 'import json, os, sys
n = json.load(open(sys.argv[1]))["node"]
assert (n["image_match"] == "no") == int(sys.argv[2]), "status " + sys.argv[2]
print(n["image_match"], os.path.basename(n["image"] or "none"))' "$TMP/out.json" $status || cat "$TMP/err"
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

# The first hello has it, however long the program is (the 2560's: 147 KB, the 1284P's: more than 64).
for fw in atmega2560/high-Os atmega1284p/high17-Os; do
	run ${fw%/*} ${fw#*/} --cycles=16000000
	cp "$TMP/${fw/\//.}.bin" "$TMP/node.bin"
	expect "$fw" "yes ${fw#*/}.elf" "$(said -e "$WORK/$fw.elf")"
done
python3 - "$TMP"/atmega*.bin "$TMP/node.bin" <<'END'
import sys
from truth import check
from wsn import *

class First(Node):
    """Keeps the first hello, and what came before it."""
    first = None
    before = 0

    def _frame(self, kind, body):
        super()._frame(kind, body)
        if not self.first:
            self.first = self.hello
            self.before += kind != HELLO

for path in sys.argv[1:]:
    node = First(open(path, "rb").read())
    check(node.first.identity == 1 and node.before == 0, "the first frame is a hello, and tells the checksum")
END

# A host that joins between two hellos knows as soon.
"$NODE" --fast --seconds=12 --uart="$TMP/long.bin" "$right" >/dev/null
python3 tests/sim/identity_late.py "$TMP/long.bin" "$TMP/node.bin"
joined() {	# is this image refused? There is nothing to profile yet
	"$WSNTOP" -B -p "file:$TMP/node.bin" -f wsn -e "$1" 2>&1 | grep -o "is not the firmware that runs" || echo "not refused"
}
expect "joined late: the right image" "not refused" "$(joined "$right")"
expect "joined late: one constant changed" "is not the firmware that runs" "$(joined "$wrong")"
