#!/bin/bash
# A session typed by hand, in tmux: another terminal than the one that the other tests have, with its own
# idea of keys, colours and the clipboard. Every view, there and back, and the shell whole afterwards.
. "$(dirname "$0")/views.sh"
command -v tmux >/dev/null || skip "tmux is not installed"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
python3 "$here/wsn.py" record node.rec fw.elf refreshes=12 every=4 features=1943

tm() { tmux -L "wsntop-test-$$" -f /dev/null "$@"; }
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT

shows() {	# TEXT...: all of it stands on the screen at once
	local text
	tm capture-pane -p >now 2>/dev/null
	for text in "$@"; do grep -qF -- "$text" now || return 1; done
}

hides() { tm capture-pane -p >now && ! grep -qF -- "$1" now; }

await() {	# COMMAND...: until it is so; for long in vain, it hangs
	local hung=$((SECONDS + 120))
	until "$@"; do
		[ $SECONDS -lt $hung ] || { cat now; fail "watchdog: hung for 2 minutes: ${BASH_LINENO[*]}: $*"; }
		sleep 0.05
	done
}

sees() { await shows "$@"; }
gone() { await hides "$@"; }

# tmux, and what runs in it, sleep: nothing is on its way.
asleep() {
	local pid
	for pid in $(tm display -p '#{pid} #{pane_pid}') $(pgrep -P "$(tm display -p '#{pane_pid}')"); do
		case $(awk '{ sub(/.*\) /, ""); print $1 }' "/proc/$pid/stat" 2>/dev/null) in R|D) return 1 ;; esac
	done
}

settled() {	# three looks in a row
	await asleep; sleep 0.05; asleep && sleep 0.05 && asleep || settled
}

types() { tm send-keys "$@"; }

# Nothing of a frame is torn: what is drawn once more from nothing is what stood there (a message on the
# bottom line goes with the key).
same_redrawn() {
	local before after
	settled
	before=$(tm capture-pane -p | head -n -1)
	types C-l
	settled
	after=$(tm capture-pane -p | head -n -1)
	[ "$before" = "$after" ] || { diff <(echo "$before") <(echo "$after"); fail "$(caller): redrawn, it differs"; }
}

tm new-session -d -x 120 -y 40 "env PS1='shell> ' sh"
sees 'shell>'
types "'$WSNTOP' -p node.rec -e fw.elf --speed=max --theme=./test.ini" Enter
sees '1 flat' uart_write '6 functions' 'end of recording'
same_redrawn
types Down Down Enter		# into the callers of the third
sees 'SHARE%'
same_redrawn
types q
sees 'SELF%'
types 3 '*'
sees main send crc16
same_redrawn
types 4
sees '4 flame' main
same_redrawn
types 5 Enter
sees from
same_redrawn
types 6
sees '6 source'
same_redrawn
types 7
sees '7 console'
types 8
sees baseline
types b
sees now
types Enter
sees 'within'
same_redrawn
types 9
sees 'Where the time goes'
same_redrawn
types '?'
sees Moving
types '/' 'page' Enter
sees '/page'
types q 1 '/' 'crc' Enter
sees '/crc'
types Escape
gone '/crc'
types f 's.nd|crc' Enter
sees 'hidden by the filter'
types Escape
gone 'hidden by the filter'
sees '6 functions'
types ':' 'hist'
sees view-histogram
types Enter
sees with durations
types F2
sees theme
types Escape
gone 'interval'
types 1
sees 'SELF%'
# windows are made smaller and larger under it
for size in "80 24" "40 10" "200 60" "30 5" "120 40"; do
	set -- $size
	tm resize-window -x "$1" -y "$2"
	settled
done
sees '6 functions' uart_write
same_redrawn
types C-z
sees 'Stopped'
types fg Enter
sees '6 functions'
types Q
sees 'shell>'
types 'echo status $?' Enter
sees 'status 0'
