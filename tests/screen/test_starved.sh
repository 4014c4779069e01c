#!/bin/bash
# Memory ends at any allocation while the screen starts and runs: the terminal is as it was, and why it ended is said. One
# allocation in STARVED_SAMPLE (tests/long/test_starved.sh: all of them).
. "$(dirname "$0")/lib.sh"
case $WSNTOP in *asan*) skip "a sanitizer allows no library before it" ;; esac
faulty=$(dirname "$screen")/faulty.so
[ -x "$faulty" ] || skip "there is no $faulty: make tools"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1
# shellcheck disable=SC3044
ulimit -c 0
python3 "$here/starve_screen.py" "$faulty" "${STARVED_SAMPLE:-40}" "$WSNTOP" -f prof -p node.txt -e app.elf --for=0.1 ||
	fail "without memory"
