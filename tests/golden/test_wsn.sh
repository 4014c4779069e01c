#!/bin/bash
# A node that says who it is (tests/screen/wsn.py), through the binary without a screen: numbers in
# every export, handlers, what was lost, and which of several ELFs is the firmware that runs.
. "$(dirname "$0")/lib.sh"
need_tools python3 as ld
WSNTOP=$(realpath "$WSNTOP")
. "$root/tests/screen/firmware.sh"
make_firmware
node=$root/tests/screen/wsn.py
cd "$work" || exit 1

# Three more builds of it: an added constant, a changed one, moved code.
sed 's/base:/base:\n.byte 7/' fw.s >added.s
sed 's/function uart_write, 0x600/function uart_write, 0x600\n.byte 0x91/' fw.s >changed.s
for f in added changed; do
	as -o $f.o $f.s && ld -Ttext=0 -e main -o $f.elf $f.o || fail "$f.elf"
done
run() { "$WSNTOP" -B -f wsn "$@"; }

python3 "$node" stream fw.elf table_full=3 cut=2 >timed.wsn
run -p timed.wsn -e fw.elf -x json:p.json -x text:p.txt -x dot:g.dot -x gmon:gmon.out -x csv:p.csv 2>err ||
	fail "status $?"
grep -q '^wsntop: mote 7: 3 calls not counted: table of sites full; ' err || fail "$(cat err)"
grep -q '^wsntop: mote 7: 2 calls cut off' err || fail "$(cat err)"
grep -q 'clock' err && fail "$(cat err)"
python3 - <<'END' || fail "json"
import json
p = json.load(open('p.json'))
node, functions = p['node'], {f['name']: f for f in p['functions']}
assert node['name'] == 'mote 7' and node['source'] == 'timed.wsn' and node['format'] == 'wsn'
assert node['ticks_per_second'] == 32768 and node['image_match'] == 'yes' and node['image'] == 'fw.elf'
assert node['hooks']['ticks_per_call'] == 4 and node['hooks']['spread_s'] == 1.5 / 32768
calls = 1220				# all rows', twice
share = calls * 4 / (2 * 65536 + 1600 + calls * 4)
assert abs(node['hooks']['share'] - share) < 1e-9, (node['hooks']['share'], share)
assert node['losses']['table_full'] == 3 and node['losses']['cut'] == 2 and node['losses']['stack_full'] == 0
assert node['losses']['clock_missed'] is False
assert len(node['identity']['checksum']) == 8
assert abs(node['profiled_s'] - (2 * 65536 + 1600) / 32768) < 1e-9
write = functions['uart_write']
assert write['handler'] and write['calls'] == 80 and write['self_ticks'] == write['total_ticks'] == 3200
edge, = [e for e in p['edges'] if e['to'] == 'uart_write']
assert edge['from'] is None and edge['calls'] == 80
site, = [s for s in p['sites'] if s['to'] == 'uart_write']
assert site['from'] is None and site['address'] is None and site['handler']
send = functions['send']
assert send['self_ticks'] == 2 * (32768 - 12000) and send['total_ticks'] == 65536
# crc16 calls itself: inclusive time once
assert functions['crc16']['total_ticks'] == functions['crc16']['self_ticks'] == 24000
tick = 1 / 32768
bounds = [h[0] for h in functions['sample']['histogram']]
assert bounds == [2 ** (6 + 2 * i) * tick for i in range(7)] + [None], bounds
assert [h[1] for h in functions['sample']['histogram']] == [10, 150, 60, 10, 4, 4, 2, 0]
assert functions['sample']['max_ticks'] == 70000 and not functions['sample']['max_at_least']
assert sum(h[1] for h in site['histogram']) == 80
END
grep -q '80/80 *<interrupt>' p.txt || fail "text: the handler's caller"
grep -q '^	interrupt -> f[0-9]* ' g.dot || fail "dot: the handler's caller"
# HELLO's bit 12: the node's clock may be short of rounds.
python3 "$node" stream fw.elf features=5911 cut=2 >missed.wsn
run -p missed.wsn -e fw.elf -x json:missed.json -x text:missed.txt 2>err || fail "status $?"
grep -q '^wsntop: mote 7: clock not read for a full period: times may be too short; poll more often$' err ||
	fail "missed: $(cat err)"
grep -q '^clock not read for a full period: ' missed.txt || fail "missed: $(cat missed.txt)"
grep -q '"clock_missed": *true' missed.json || fail "missed: json"
if command -v dot >/dev/null; then
	dot -Tsvg -o g.svg g.dot 2>err || fail "dot"
	[ -s err ] && fail "dot: $(cat err)"
fi
if command -v gprof >/dev/null; then
	gprof -b -p fw.elf gmon.out >got.txt || fail "gprof refused gmon.out"
	grep -q ' 1.27 *100 .* send$' got.txt || fail "gprof: $(cat got.txt)"
	grep -q ' 0.10 *80 .* uart_write$' got.txt || fail "gprof: $(cat got.txt)"
fi
echo "ok timed"
# One figure, one value: JSON, CSV, the text profile, the flat view and the histogram agree.
run -p timed.wsn -e fw.elf -x csv:same.csv -x json:same.json 2>err || fail "status $?"
screen=$root/build/tests/tools/screen
shown() {	# VIEW FILE: the view's lines
	"$screen" -s 200x30 "$WSNTOP" -p timed.wsn -e fw.elf >"$2" <<-END || fail "screen: $(cat "$2")"
	wait uart_write
	keys $1
	idle
	show
	keys Q
	END
}
if [ -x "$screen" ]; then
	shown 1 flat.screen
	shown 5 histogram.screen
else
	: >flat.screen >histogram.screen
fi
python3 - <<'END' || fail "figures"
import csv, json, re
unit = {'s': 1, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9}
functions = {f['name']: f for f in json.load(open('same.json'))['functions']}
rows = {r['name']: r for r in csv.DictReader(open('same.csv'))}
assert rows.keys() == functions.keys() and len(rows) > 4
for name, f in functions.items():
    for key, field in rows[name].items():
        if key in f and key not in ('name', 'file', 'address', 'context', 'time'):
            assert (f[key] is None) == (field == ''), (name, key, f[key], field)
            assert f[key] is None or abs(float(field) - f[key]) <= 1e-5 * abs(f[key]), (name, key)
    assert (f['context'] or '') == rows[name]['context'], (name, f['context'])
    low, mean, high = f['min_s'], f['per_call_s'], f['max_s']
    if f['p50_s'] is None:
        continue
    assert low <= mean <= high, (name, low, mean, high)
    for q, p in (0.5, f['p50_s']), (0.9, f['p90_s']), (0.99, f['p99_s']):
        assert low <= p <= high, (name, q, low, p, high)
        assert p <= (low + (mean - low) / (1 - q)) * 1.000001, (name, q, p)
        assert p >= (high - (high - mean) / q) * 0.999999, (name, q, p)
# A screen's line has each of these values of its function, as text_seconds() writes it.
for file, keys in ('flat', ['self_s', 'total_s', 'per_call_s', 'min_s', 'p50_s', 'p99_s', 'max_s']), \
                  ('histogram', ['min_s', 'per_call_s', 'p50_s', 'p99_s', 'max_s']):
    seen = 0
    for line in open(file + '.screen'):
        name = next((n for n in functions if re.search(r'(^|\W)%s\b' % n, line)), None)
        texts = re.findall(r'(\d[\d.]*) (s|ms|us|ns)\b', line)
        if not name or len(texts) < len(keys):
            continue
        seen += 1
        for key in keys:
            want = functions[name][key]
            assert want is None or any(abs(float(v) * unit[u] - want) <= 0.006 * want
                                       for v, u in texts), \
                (file, name, key, want, line)
    assert seen >= 4 or not open(file + '.screen').read(), (file, seen)
END
echo "ok figures"

# A run that stands still in sleep: what is compared has the rates of the other views, of wall time.
for name in base now; do
	python3 "$node" record $name.rec fw.elf refreshes=30 every=4 || fail "record"
done
"$WSNTOP" -B -p now.rec --speed=max -e fw.elf --baseline=base.rec -x changes:changes.csv \
	-x csv:now.csv -x json:now.json 2>err || fail "changes: $(cat err)"
"$WSNTOP" -B -p now.rec --speed=max -e fw.elf --baseline=now.json -x changes:again.csv 2>err ||
	fail "changes: $(cat err)"
python3 - <<'END' || fail "rates"
import csv
shown = {r['name']: r for r in csv.DictReader(open('now.csv'))}
for file in 'changes.csv', 'again.csv':
    rows = list(csv.DictReader(open(file)))
    assert len(rows) > 4
    for row in rows:
        want = shown[row['name']]
        if not want['calls_per_s']:
            continue
        rate, load = float(want['calls_per_s']), float(want['load'])
        for side in 'then', 'now':
            got = row['calls_per_s_' + side], row['load_' + side]
            assert abs(float(got[0]) / rate - 1) < 0.05, (file, side, row['name'], got, rate)
            assert abs(float(got[1]) - load) < 0.05 * load + 1e-6, (file, side, row['name'], got, load)
END
echo "ok rates compared"

# Calls alone; times without extremes: what is not sent is null.
python3 "$node" stream fw.elf features=1280 >calls.wsn
python3 "$node" stream fw.elf features=1281 >totals.wsn
for f in calls totals; do
	run -p $f.wsn -e fw.elf -x json:$f.json 2>/dev/null || fail "$f"
done
python3 - <<'END' || fail "features"
import json
send = {k: [f for f in json.load(open(k + '.json'))['functions'] if f['name'] == 'send'][0] for k in ('calls', 'totals')}
assert send['calls']['calls'] == send['totals']['calls'] == 100
assert send['calls']['self_s'] is None and send['totals']['total_ticks'] == 65536
for k in send.values():
	assert k['min_s'] is None and k['max_ticks'] is None and k['histogram'] is None
END
echo "ok features"

# Call sites, arcs and samples at once.
python3 "$node" stream fw.elf kinds=sap >mixed.wsn
run -p mixed.wsn -e fw.elf -x json:m.json -x gmon:gmon.out 2>/dev/null || fail "mixed"
python3 - <<'END' || fail "mixed"
import json
p = json.load(open('m.json'))
f = {f['name']: f for f in p['functions']}
assert f['sample']['calls'] == 240		# its arc from main tells the same calls as the site there
assert [s['told_twice'] for s in p['sites'] if s['kind'] == 'arc'] == [True, False]
assert f['main']['time'] == 'sampled' and f['main']['self_s'] == 0.8
assert f['send']['time'] == 'timed' and f['send']['samples'] == 126
assert p['report']['self_s'] <= p['node']['profiled_s'] * 1.001
END
if command -v gprof >/dev/null; then
	gprof -b -p fw.elf gmon.out | grep -q ' 240 .* sample$' || fail "gprof: a call counted twice"
fi
echo "ok mixed"

# The wrong ELF: refused, by name; the right one is found wherever it stands.
run -p timed.wsn -e changed.elf -x json:w.json 2>err
status=$?
[ $status = 1 ] || fail "a wrong ELF: status $status, not 1"
grep -vq . err && fail "an empty line"
[ "$(grep -c '^wsntop: changed.elf is not the firmware that runs; give the ELF that was flashed: checksum .*, the node reports ' err)" = 1 ] ||
	fail "$(cat err)"
python3 - <<'END' || fail "a wrong ELF gave names"
import json
p = json.load(open('w.json'))
assert p['node']['image_match'] == 'no' and p['node']['image'] == 'changed.elf'
assert all(f['name'].startswith('0x') for f in p['functions'])
END
run -p timed.wsn -e changed.elf -e added.elf -e fw.elf -x json:r.json 2>err || fail "status $?"
grep -q 'the firmware that runs is fw.elf$' err || fail "$(cat err)"
grep -q 'is not the firmware' err && fail "$(cat err)"
python3 "$node" stream changed.elf name=other >other.wsn
run -p timed.wsn -p other.wsn -e changed.elf -e fw.elf -x json:two.json 2>/dev/null || fail "two nodes"
python3 - <<'END' || fail "several ELFs"
import json
assert json.load(open('r.json'))['node']['image'] == 'fw.elf'
assert json.load(open('two.json'))['node']['image'] == 'fw.elf'
assert json.load(open('two.json.2'))['node']['image'] == 'changed.elf'
END
# A node that has not said yet what it runs: that the addresses fit is not enough.
python3 "$node" stream - >shy.wsn
run -p shy.wsn -e changed.elf -x json:shy.json 2>/dev/null || fail "shy"
grep -q '"image_match":"unknown"' shy.json || fail "shy: $(grep image_match shy.json)"
grep -q '"name":"send"' shy.json || fail "shy: no names"
echo "ok identity"

# Live: the sentence comes, and who joins asks for everything.
python3 "$node" node sock changed.elf log features=1943 &
peer=$!
trap 'kill $peer 2>/dev/null; rm -rf "$work"' EXIT
until [ -S sock ]; do sleep 0.05; done
env --default-signal=INT "$WSNTOP" -B -f wsn -p unix:sock -e fw.elf 2>err >out &
batch=$!
hung=$((SECONDS + 300))
until grep -q 'fw.elf is not the firmware that runs' err && grep -q '^ALL$' log; do
	[ $SECONDS -lt $hung ] || fail "watchdog: hung for 5 minutes: said $(cat err), asked $(cat log)"
	sleep 0.05
done
kill -INT $batch
wait $batch
status=$?
[ $status = 1 ] || fail "a wrong ELF: status $status, not 1"
[ "$(grep -c ALL log)" = 1 ] || fail "asked more than once"
echo "ok live"
