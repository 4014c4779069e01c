#!/bin/bash
# gmon.out from timed call sites, read by avr-gprof: arcs exact, self times within 0.1 % of the whole.
. "$(dirname "$0")/lib.sh"
need_data inga-paper-tasks
need_tools avr-gprof python3

for name in inga-paper-tasks inga-profile-test inga-profile-test-wide inga-live; do
	elf=$DATA/$name/app.elf
	wsn "$name" -x "gmon:$work/gmon.out" -x "json:$work/p.json" || fail "$name: status $?"
	avr-gprof -b "$elf" "$work/gmon.out" >"$work/got.txt" || fail "$name: avr-gprof refused it"
	python3 "$here/gmon_check.py" "$work/got.txt" "$work/p.json" || fail "$name"
	echo "ok $name"
done
