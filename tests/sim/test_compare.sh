#!/bin/bash
# The demo against itself: a minute against twelve, either way round, is no relevant change; nothing is new or gone.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

for seconds in 60 720; do
	sim/watchdog "$NODE" --fast --seconds=$seconds --record="$TMP/$seconds.rec" "$FW/demo.elf" >/dev/null
done

# verdicts BASELINE NOW: how many functions have which verdict
verdicts() {
	"$WSNTOP" -B -p "$TMP/$2.rec" --speed=max -e "$FW/demo.elf" --baseline="$TMP/$1.rec" -x changes 2>/dev/null |
		python3 -c '
import collections, csv, sys
print(sorted(collections.Counter(r["verdict"] for r in csv.DictReader(sys.stdin)).items()))'
}

for pair in "60 720" "720 60" "60 60"; do
	# shellcheck disable=SC2086
	got=$(verdicts $pair)
	echo "$got" | grep -q "('same', 4[0-9])" || { echo "FAILED: $pair: $got"; exit 1; }
	echo "$got" | grep -q "better\|worse\|mixed\|new\|gone" && { echo "FAILED: $pair: $got"; exit 1; }
	echo "ok $pair: $got"
done
exit 0
