#!/bin/bash
# Interrupt handlers of the firmware: those without hooks are in max and average, which is said with their names; where no
# data came, those with hooks are named.
. "$(dirname "$0")/lib.sh"

"$NODE" --fast --seconds=60 --uart="$TMP/finite.bin" "$FW/finite.elf" >"$TMP/finite.end"
ended finite
says() {	# what is printed of FILE, a pattern
	"$WSNTOP" -B -p "file:$TMP/$1.bin" -e "$FW/finite.elf" -x flat -x "json:$TMP/$1.json" >"$TMP/out" 2>&1 || true
	grep -qE "$2" "$TMP/out" || { echo "FAILED: $1: no '$2'"; cat "$TMP/out"; exit 1; }
	echo "ok: $1: $2"
}
says finite "Max and average include interrupt handlers without hooks: .*__vector_15"
grep -q '"handlers_in_times": *"[^"]*__vector_15' "$TMP/finite.json" || { echo "FAILED: JSON lacks them"; exit 1; }
! grep -qE "without hooks: .*__vector_9" "$TMP/out" || { echo "FAILED: __vector_9 has hooks"; exit 1; }
: >"$TMP/empty.bin"
says empty "no data came; .*the node may have no time left: instrumented handlers \(__vector_9\)"
