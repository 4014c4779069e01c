#!/bin/bash
# The exported pages in a browser, the metrics by promtool, the call paths by go tool pprof: consumers that are large.
. "$(dirname "$0")/../golden/lib.sh"
need_tools python3 chromium
firmware=$root/build/sim/firmware/radio.elf
[ -x "$root/build/wsntop-simavr" ] && [ -f "$firmware" ] || skip "no simulated firmware: make sim"
cd "$work" || exit 1
ran() {	# SECONDS
	"$WSNTOP" -B -p simavr:atmega1284p@8M -e "$firmware" --for="$1" -x json:a.json -x html:a.html -x flamegraph:a.svg \
		-x prometheus:a.prom 2>err || fail "$(cat err)"
	grep -q '"name":"task_post"' a.json
}
longer 1 ran || fail "the simulator did not come to task_post"
python3 "$root/tests/long/pages.py" a.json a.html a.svg || exit 1
grep -o 'https\?://[^"]*' a.html a.svg | grep -v www.w3.org/2000/svg && fail "a page names the network"
command -v xmllint >/dev/null && { xmllint --noout a.svg || fail "the flame graph is no XML"; }
command -v tidy >/dev/null && { tidy -e -q a.html 2>tidied; grep -i error tidied && fail "tidy: $(cat tidied)"; }
command -v promtool >/dev/null && { promtool check metrics <a.prom >said 2>&1 || fail "promtool: $(cat said)"; }
command -v go >/dev/null && { GO_PPROF=1 "$root/tests/golden/test_exports.sh" || fail "go tool pprof"; }
exit 0
