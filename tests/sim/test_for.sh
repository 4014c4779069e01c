#!/bin/bash
# --for is looked at by time, however fast a source is: each 64 KB, not when all that is there was read.
. "$(dirname "$0")/lib.sh"

"$NODE" --fast --seconds=30 --uart="$TMP/one.bin" "$FW/demo.elf" >/dev/null
for _ in $(seq 100); do cat "$TMP/one.bin"; done >"$TMP/many.bin"
[ "$(stat -c %s "$TMP/many.bin")" -gt 4194304 ] || { echo "FAILED: too few bytes"; exit 1; }
read_in() {	# SOURCE SECONDS: bytes
	"$WSNTOP" -B -p "$1" -f wsn -e "$FW/demo.elf" --for="$2" -x "json:$TMP/out.json" 2>"$TMP/err" || { cat "$TMP/err"; exit 1; }
	grep -o '"bytes":[0-9]*' "$TMP/out.json" | head -n 1 | grep -o '[0-9]*'
}
# The time is over before the second look.
for source in "$TMP/many.bin" -; do
	bytes=$(cat "$TMP/many.bin" | read_in "$source" 0.000001)
	[ "$bytes" -gt 0 ] && [ "$bytes" -le 262144 ] || { echo "FAILED: $source: $bytes bytes in no time"; exit 1; }
done
[ "$(read_in "$TMP/many.bin" 3600)" = "$(stat -c %s "$TMP/many.bin")" ] || { echo "FAILED: an hour is not all of it"; exit 1; }
