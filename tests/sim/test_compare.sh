#!/bin/bash
# The demo against itself: a minute against four (twelve), either way round, is no relevant change; nothing is new or gone.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }

minutes=$(long 12) minutes=${minutes:-4} most=$((60 * minutes))
for seconds in 60 $most; do
	sim/watchdog "$NODE" --fast --seconds=$seconds --record="$TMP/$seconds.rec" "$FW/demo.elf" >/dev/null
done

# verdicts BASELINE NOW: how many functions have which verdict
verdicts() {
	"$WSNTOP" -B -p "$TMP/$2.rec" --speed=max -e "$FW/demo.elf" --baseline="$TMP/$1.rec" -x changes 2>/dev/null |
		python3 -c '
import collections, csv, sys
print(sorted(collections.Counter(r["verdict"] for r in csv.DictReader(sys.stdin)).items()))'
}

for pair in "60 $most" "$most 60" "60 60"; do
	# shellcheck disable=SC2086
	got=$(verdicts $pair)
	echo "$got" | grep -q "('same', 4[0-9])" || { echo "FAILED: $pair: $got"; exit 1; }
	echo "$got" | grep -q "better\|worse\|mixed\|new\|gone" && { echo "FAILED: $pair: $got"; exit 1; }
	echo "ok $pair: $got"
done

# Two stretches of it: what came before a mark, and what comes since.
screen=$O/tests/tools/screen
[ -x "$screen" ] || screen=build/tests/tools/screen
[ -x "$screen" ] || { echo "skipped the stretches: there is no screen reader; make tools"; exit 0; }
back='{{{{{{{{{{{{{{{'			# 150 s
for keys in "$back" $(long "$back$back" "$back$back$back$back"); do
	"$screen" -s 120x40 -e TZ=UTC "$WSNTOP" -p "$TMP/$most.rec" --speed=max -e "$FW/demo.elf" --config=none >"$TMP/screen" <<-END ||
		wait end of recording
		keys $keys
		wait || paused 12:0
		idle
		keys b<Enter>
		wait compared with before 12:0
		keys L8
		wait VERDICT
		wait no relevant change
		wait 12:$(printf %02d $((minutes - 1))):59
		keys Q
	END
		{ tail -42 "$TMP/screen"; echo "FAILED: before and since a mark"; exit 1; }
done
echo "ok stretches"
