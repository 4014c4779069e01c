#!/bin/bash
# Thousands of random keys, clicks and sizes at a screen that is fed all the while: it never dies, and
# leaves the terminal whole. MONKEY_SEED, MONKEY_KEYS: another run, a longer one (keys in all; 100000 take
# less than two minutes); MONKEY_FEED: only prof, plain, wsn or gprof. All four at once: a monkey waits
# most of the time.
. "$(dirname "$0")/views.sh"
cd "$work" || exit 1
seed=${MONKEY_SEED:-4711} feeds=${MONKEY_FEED:-prof plain wsn gprof}
node="python3 $here/wsn.py"

# --- what comes ----------------------------------------------------------------------------------

# Reports, running totals and a node that restarts, cut ones, hostile names, noise, a flood of text.
prof_feed() {
	while cat first.txt; do
		sleep 0.03
		cat second.txt
		head -c 150 first.txt
		printf 'PROF:\033[2J\033]0;x\007%s\xff\xe4\xb8:2:20:65536:32768\n120:200:9:9:1:3\n\n' \
			"$(printf 'n%.0s' {1..300})"
		printf 'Stacktrace: 2 frames\n120:200:5\n220:300:7\n'
		sleep 0.03
		head -c 300 /dev/urandom
		seq 2000
		printf 'SPROF:pcs:3:20:9\n200:4\n310:4\n410:1\n\n'
		sleep 0.03
	done 2>/dev/null
}

# Calls and samples, some nowhere, some cut, text between.
gprof_feed() {
	while printf 'A\0\0\1\x20\0\0\2\0A\0\0\1\x30\0\0\4\0A\0\0\2\x20\0\0\3\0A\0\0\4\x20\0\0\5\0'; do
		printf 'P\0\0\2\x10P\0\0\3\x10P\0\0\4\x10A\0\0\3\x20\0\0\2\0A\0\0\5\x20\0\0\5\0'
		printf 'P\xff\xff\xff\xffA\0\0\4\x40\0\0\6\0A\0\0\1the node said\n'
		sleep 0.005
	done 2>/dev/null
}

# A node at a socket that goes away four seconds after somebody came (a loaded host starts wsntop late) and
# restarts, now with this firmware, now with the other one, with all it can measure or with calls only.
wsn_nodes() {
	local epoch=1
	trap 'kill $! 2>/dev/null; exit' TERM
	while :; do
		case $((epoch % 4)) in
		0) set -- fw.elf kinds=sap "text=hello" ;;
		1) set -- fw.elf kinds=s slower=3 ;;
		2) set -- other.elf kinds=sa features=1792 hz=50 ;;
		3) set -- - kinds=sp table_full=9 cut=3 text_lost=7 ;;
		esac
		$node node node "$1" said.log "${@:2}" "epoch=$epoch" leaves=4 &
		wait $!
		epoch=$((epoch + 1))
	done
}

# The image is rebuilt under it, broken now and then, gone for a moment.
rebuild() {
	while sleep 0.7; do
		cp other.elf new.elf && mv new.elf live.elf
		sleep 0.7
		head -c 300 fw.elf >new.elf && mv new.elf live.elf
		sleep 0.3
		rm -f gone.elf && mv live.elf gone.elf && sleep 0.2
		cp fw.elf new.elf && mv new.elf live.elf
	done
}

# --- who presses ---------------------------------------------------------------------------------

beside=()		# processes
stop_beside() {
	kill "${beside[@]}" 2>/dev/null
	wait "${beside[@]}" 2>/dev/null
	beside=()
}

monkey() {	# SEED COMMAND [-e NAME=VALUE]...
	local seed=$1 command=$2 status
	shift 2
	rebuild &
	beside+=($!)
	"$screen" -e EDITOR=true -e VISUAL=true "$@" bash -c "$command -p uart.txt -e live.elf -e fw.elf" <<-END
		wait tree
		monkey $seed $keys
		signal CONT
		# out of all that may be open
		keys <Esc><Esc><Esc><Esc>
		keys Q
		exit 0
		whole
		END
	status=$?
	stop_beside
	return $status
}

try_prof() {
	monkey "$1" "prof_feed | $WSNTOP -f prof -p -"
}

try_plain() {
	monkey "$1" "prof_feed | $WSNTOP -f prof -p -" -e LC_ALL=C -e TERM=vt100
}

try_wsn() {
	command -v python3 >/dev/null || return 0
	wsn_nodes 2>/dev/null &
	beside+=($!)
	until [ -S node ]; do sleep 0.05; done
	monkey "$1" "$WSNTOP -p unix:node" -e TERM=xterm-256color -e COLORTERM=truecolor
}

try_gprof() {
	monkey "$1" "gprof_feed | $WSNTOP -f gprof -p -"
}

# Each in a folder of its own, with what lies about there: firmware, what to compare with.
try() {	# FEED SEED
	mkdir "$1" && cd "$1" || return 1
	cp ../*.{s,elf,txt,json,wsnrec} .
	cp fw.elf live.elf
	trap 'stop_beside; exit 1' TERM
	XDG_CONFIG_HOME=$PWD/config XDG_STATE_HOME=$PWD/state "try_$1" "$2" || fail "$1, seed $2"
}

# The other one has an instruction in each function, hence lines, and its source lies beside it.
sed 's/uart_write/uart_send/g; s/^.name:/&\n\tnop/' fw.s >other.s
(as -g -o other.o other.s && ld -Ttext=0 -e main -o other.elf other.o) || skip "no assembler for this machine"
"$WSNTOP" -B -f prof -p first.txt -e fw.elf -x json:before.json || fail "no snapshot"
command -v python3 >/dev/null && $node record before.wsnrec fw.elf kinds=sap refreshes=30
export -f prof_feed gprof_feed

# shellcheck disable=SC2086
set -- $feeds
keys=$((${MONKEY_KEYS:-4000} / $#)) monkeys=() status=0
trap 'kill "${monkeys[@]}" 2>/dev/null; wait; rm -rf "$work"' EXIT
for feed; do
	try "$feed" "$seed" >"$feed.log" 2>&1 &
	monkeys+=($!)
	seed=$((seed + 1))
done
for i in "${!monkeys[@]}"; do
	wait "${monkeys[i]}" && continue
	status=1
	cat "${@:i + 1:1}.log"
done
exit $status
