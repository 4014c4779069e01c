#!/bin/bash
# Thousands of random keys, clicks and sizes at a screen that is fed all the while: it never dies, and
# leaves the terminal whole. MONKEY_SEED, MONKEY_KEYS: another run, a longer one.
. "$(dirname "$0")/views.sh"
cd "$work" || exit 1
seed=${MONKEY_SEED:-4711} keys=${MONKEY_KEYS:-2000}

# Reports, running totals and a node that starts anew, cut ones, hostile names, noise, a flood of text.
feed() {
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

# The image is rebuilt under it, broken now and then.
rebuild() {
	cp fw.elf live.elf
	while sleep 0.7; do
		cp fw.elf new.elf && mv new.elf live.elf
		sleep 0.7
		head -c 300 fw.elf >new.elf && mv new.elf live.elf
	done
}

monkey() {	# SEED KEYS, -e NAME=VALUE...
	local seed=$1 keys=$2
	shift 2
	rebuild &
	builder=$!
	"$screen" -e EDITOR=true -e VISUAL=true "$@" bash -c "feed | $WSNTOP -f prof -p - -p uart.txt -e live.elf -e fw.elf" <<-END
		wait tree
		monkey $seed $keys
		signal CONT
		# out of all that may be open; two that come at once would be another key
		keys <Esc>
		pause 500
		keys <Esc>
		pause 500
		keys <Esc>
		pause 500
		keys <Esc>
		pause 500
		keys Q
		exit 0
		whole
		END
	local status=$?
	kill $builder
	wait $builder 2>/dev/null
	cp fw.elf live.elf
	return $status
}

export -f feed
cp fw.elf live.elf
trap 'kill $builder 2>/dev/null; rm -rf "$work"' EXIT
monkey "$seed" "$keys" || fail "seed $seed"
monkey "$((seed + 1))" "$((keys / 2))" -e LC_ALL=C -e TERM=vt100 || fail "seed $((seed + 1))"
