#!/bin/bash
# A recording of a call trace, at a time: its views are the same by whatever way the player came there.
# Sanitized: long: traces have a fuzzer and sanitized unit tests
. "$(dirname "$0")/lib.sh"
need_traced
"$made" traced.rec 20 marks || fail "no recording"

# views NAME SPEED STEP...: what the views show at the time where the steps lead to
views() {
	local name=$1 speed=$2 view
	shift 2
	# A busy host may show the figures of a moment before, and another function may be first there.
	printf '%s\n' "$@" 'wait 397 ms profiled' 'keys <Home>' idle >script
	for view in 1 2 3 4 5 0; do
		printf '%s\n' "keys $view" idle show >>script
	done
	printf '%s\n' 'keys Q' 'exit 0' >>script
	"$screen" -s 100x30 "$WSNTOP" -p traced.rec -e traced.elf --speed="$speed" <script >"$name" || fail "$(cat "$name")"
	[ "$name" = read ] || diff read "$name" || fail "$name is not as what was read until then"
}
views read 0.125 'wait > 1/8x' 'keys <Space>' 'wait || paused' 'keys @0:05<Enter>' 'wait || paused 12:00:05'
grep -q '28,8[0-9][0-9] calls, 64.59 % told' read || fail "$(cat read)"
views back max 'wait end of recording' 'keys @0:05<Enter>' 'wait || paused 12:00:05'
views forward max 'wait end of recording' 'keys @0:02<Enter>' 'wait || paused 12:00:02' 'keys @0:05<Enter>' 'wait || paused 12:00:05'
