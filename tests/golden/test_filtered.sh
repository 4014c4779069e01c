#!/bin/bash
# --filter in the exports that hold a graph or the whole profile (json, dot, gmon, prof): the functions that pass with
# all that the whole has of them, their callers and callees by name alone, nothing else. A filtered snapshot is read
# again: the same figures and shares; what the filter left out is no change. (The others: golden/test_imports.)
. "$(dirname "$0")/lib.sh"
need_tools python3 dot
need_data inga-live
filtered=$root/tests/golden/filtered.py
cd "$work" || exit 1

both() {	# FOLDER OUT [WSNTOP-ARGUMENTS...]
	"$WSNTOP" -B -p "$capture" -e "$1/app.elf" "${@:3}" -x "json:$2.json" -x "dot:$2.dot" -x "gmon:$2.gmon" -x "prof:$2.prof" \
		2>err || fail "$1: $(cat err)"
	dot -Tplain "$2.dot" >"$2.plain" 2>err || fail "$1: dot: $(cat err)"
	"$WSNTOP" -B -p "$2.gmon" -e "$1/app.elf" -x "json:$2.gmon.json" 2>err || fail "$1: gmon: $(cat err)"
	"$WSNTOP" -B -p "$2.prof" -e "$1/app.elf" -x "json:$2.prof.json" 2>err || fail "$1: prof: $(cat err)"
}

for d in "$DATA"/inga-{live,profile-test-stat,profile-test-wide}; do
	capture=$d/uart.txt
	both "$d" whole
	# The most called function; those of a file.
	most=$(python3 "$filtered" most whole.json)
	file=$(python3 "$filtered" file whole.json)
	for pattern in "^$most\$" "$file"; do
		both "$d" some --filter="$pattern"
		"$WSNTOP" -B -p some.json -x json:back.json 2>err || fail "$d: read again: $(cat err)"
		"$WSNTOP" -B -p "$capture" -e "$d/app.elf" --baseline=some.json -x json:after.json 2>err || fail "$d: baseline: $(cat err)"
		python3 "$filtered" held "$pattern" "$(basename "$d")" || exit 1
	done
	"$WSNTOP" -B -p "$capture" -e "$d/app.elf" --filter='^there_is_none$' -x json:none.json 2>err || fail "$d: $(cat err)"
	grep -q '"functions":\[\]' none.json || fail "$d: functions that do not pass"
done
