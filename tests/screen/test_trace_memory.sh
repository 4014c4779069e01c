#!/bin/bash
# --trace-memory: of a long trace the newest part is kept, what went is said, counts and profile stay.
. "$(dirname "$0")/lib.sh"
need_traced
"$made" long.rec 300 forget || fail "no recording"

kept() {	# MB; the script on standard input
	screen -s 120x30 "$WSNTOP" -p long.rec -e traced.elf --speed=max --trace-memory="$1"
}

kept 1 <<'END'
wait end of recording
keys 0
wait of 106 s
wait 1,673,361 calls, 64.15 % told  117 frames lost  calls before 12:03:14 dropped
# what remains can be walked: its begin, a search, the profile of all
keys <Home>
wait begins 0.
keys /^bundle_task<Enter>
wait bundle_task  in main, depth 0
keys <Esc>1
wait timer_tick ISR
END
kept 64 <<'END'
wait end of recording
keys 0
wait of 300 s
wait 1,673,361 calls, 64.15 % told  117 frames lost
gone dropped
END
# The profile is that of all calls, whatever is kept.
for mb in 1 64; do
	"$WSNTOP" -B -p long.rec -e traced.elf --speed=max --trace-memory=$mb -x csv:- 2>/dev/null |
		cut -d, -f1,5 | sort >"calls.$mb"
done
grep -q timer_tick calls.64 || fail "no profile"
cmp calls.1 calls.64 || fail "other counts with less memory"
