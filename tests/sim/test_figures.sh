#!/bin/bash
# One figure, one value: what the views show of three functions of the demo node (a tick's handler, a
# recursive function, a plain one) is the same in each view, at the end of a recording, in its past,
# in a window and in the exports; the tick's rate is that of its timer.
. "$(dirname "$0")/lib.sh"

ELF=$(realpath "$FW/demo.elf")
NODE=$(realpath "$NODE")
SCREEN=$(dirname "$WSNTOP")/tests/tools/screen
[ -x "$SCREEN" ] || { echo "skipped: no $SCREEN"; exit 77; }
"$NODE" --fast --seconds=40 --record="$TMP/demo.rec" "$ELF" >/dev/null
cd "$TMP"
export XDG_CONFIG_HOME=$TMP XDG_STATE_HOME=$TMP XDG_CACHE_HOME=$TMP HOME=$TMP

"$WSNTOP" -B -p demo.rec --speed=max -e "$ELF" -x json:all.json -x csv:all.csv >/dev/null 2>&1
"$WSNTOP" -B -p demo.rec --speed=max -e "$ELF" >all.txt 2>/dev/null
"$WSNTOP" -B -p demo.rec --speed=max -e "$ELF" --baseline=all.json -x json:compared.json >/dev/null 2>&1

views() {	# what is shown at present
	for view in 1 5 3 8; do
		printf 'keys %s\nidle\nshow\n' $view
	done
}
{
	printf 'wait end of recording\nkeys b\nwait Compare with\nkeys <Enter>\nkeys 1\nwait PER CALL\nkeys |\nidle\n'
	views
	printf 'keys [[[[[[[[[[\nwait paused\n'
	views
	printf 'keys w[[[[[[[[[[\nwait WINDOW\n'
	views
	printf 'keys Q\n'
} >script
"$SCREEN" -s 200x50 "$WSNTOP" -p demo.rec --speed=max -e "$ELF" <script >screens ||
	{ echo "FAILED: screen: $(tail -60 screens)"; exit 1; }

# The detail pane, callers, the flame graph's bottom line and the node's duty, of the same moments.
about() {
	for view in 1 2 4 9; do
		printf 'keys %s\nidle\nshow\n' $view
	done
	printf 'keys 1\nidle\n'
}
{
	printf 'wait end of recording\nkeys /^clock_tick$<Enter>\nidle\n'
	about
	printf 'keys [[[[[[[[[[\nwait paused\n'
	about
	printf 'keys w[[[[[[[[[[\nwait WINDOW\n'
	about
	printf 'keys LLii\nwait PEAKS\nidle\nshow\nkeys Q\n'
} >script
"$SCREEN" -s 200x50 "$WSNTOP" -p demo.rec --speed=max -e "$ELF" <script >about ||
	{ echo "FAILED: screen: $(tail -60 about)"; exit 1; }

# A live node, frozen: its counts go on and are not shown.
"$NODE" --wait --link="$TMP/pty" --seconds=60 "$ELF" >/dev/null &
node_pid=$!
until [ -e "$TMP/pty" ]; do
	kill -0 "$node_pid" 2>/dev/null || { echo "FAILED: the node did not start"; exit 1; }
	sleep 0.05
done
{
	printf 'wait clock_tick\nkeys /^clock_tick$<Enter>\nkeys 9\nwait moments       3\nkeys <Space>\nwait FROZEN\n'
	# what was on its way when it froze is still of that moment: a busy host reads it a little later
	printf 'wait moments       4\nidle\nshow\nwait moments       6\nidle\nshow\n'
	about
	printf 'keys Q\n'
} >script
"$SCREEN" -s 200x50 "$WSNTOP" -p "$TMP/pty" -e "$ELF" <script >frozen ||
	{ echo "FAILED: screen: $(tail -60 frozen)"; exit 1; }

python3 - <<'END'
import csv, json, re

UNIT = {'s': 1, 'ms': 1e-3, 'us': 1e-6, 'ns': 1e-9}
TITLES = 'PER CALL|CALLS/S|TOTAL|CALLS|SELF|LOAD%|MIN|MAX|P50|P99'
NAMES = 'clock_tick', 'fib', 'sdnv_read'


def number(text):
    m = re.match(r'[~>=]*([\d.,]+)(k?) ?(s|ms|us|ns)?(?:/s)?$', text)
    return m and float(m[1].replace(',', '')) * (1000 if m[2] else 1) * UNIT.get(m[3], 1)


def figures(screen):
    """{function: {title: value}}: cells end where their titles end."""
    head = next(l for l in screen if re.search(r'\bFUNCTION\b', l) and re.search(TITLES, l))
    ends = {}
    for m in re.finditer(r'(?<![\w%])(' + TITLES + r')(?![\w%/])[▼▲]?', head):
        ends.setdefault(m[1], m.end())
    found = {}
    for line in screen:
        for name in NAMES:
            if name in found or not re.search(r'(?<=[\s])%s(?=\s|$)' % name, line):
                continue
            cells = {t: number(re.split(r'\s{2,}', line[:e].rstrip())[-1].strip()) for t, e in ends.items()
                     if line[e - 1:e].strip()}
            if any(v is not None for v in cells.values()):
                found[name] = {t: v for t, v in cells.items() if v is not None}
    return found


def near(a, b, part, what):
    assert abs(a - b) <= part * max(abs(a), abs(b)) + 1e-9, (what, a, b)


def shown(path):
    screens, lines = [], []
    for line in open(path):
        line = line.rstrip('\n')
        if line == '---':
            screens.append(lines)
        elif line.startswith('--- '):
            lines = []
        else:
            lines.append(line)
    return screens


def labelled(lines, labels):
    """{label: value} of 'LABEL  value' cells, wherever they are in these lines."""
    text = '\n'.join(lines)
    found = {l: re.search(r'(?<![\w%])' + l + r' +([~>=]*[\d.,]+k?(?: ?(?:s|ms|us|ns)\b)?)', text)
             for l in labels}
    return {l.upper(): number(m[1]) for l, m in found.items() if m}


screens = shown('screens')
assert len(screens) == 12, len(screens)

exported = {f['name']: f for f in json.load(open('all.json'))['functions']}
rows = {r['name']: r for r in csv.DictReader(open('all.csv'))}
KEYS = {'PER CALL': 'per_call_s', 'CALLS/S': 'calls_per_s', 'TOTAL': 'total_s', 'CALLS': 'calls',
        'SELF': 'self_s', 'MIN': 'min_s', 'MAX': 'max_s', 'P50': 'p50_s', 'P99': 'p99_s'}
seen = set()
for i, moment in enumerate(('end', 'past', 'window')):
    flat, histogram, tree, compare = (figures(s) for s in screens[4 * i:4 * i + 4])
    for name in NAMES:
        f = flat[name]
        assert {'PER CALL', 'CALLS', 'TOTAL', 'SELF', 'CALLS/S'} <= f.keys(), (moment, name, f)
        for view, others in ('histogram', histogram), ('tree', tree), ('compare', compare):
            for title, value in others.get(name, {}).items():
                # the tree's rows are calls by one caller; a comparison's rates are of all the time
                # that is shown, the flat view's at a moment of the last ten seconds
                steady = name == 'clock_tick' or moment == 'window'
                if title not in f or (view == 'tree' and name != 'clock_tick') or \
                   (title == 'CALLS/S' and not steady):
                    continue
                part = 0.01 if title == 'CALLS/S' and moment != 'window' else 0.006
                near(value, f[title], part, (moment, name, view, title))
                seen.add((moment, view, title))
        if moment == 'end':
            for title, key in KEYS.items():
                if title in f and exported[name][key] is not None:
                    near(f[title], exported[name][key], 0.006, ('json', name, title))
                    near(float(rows[name][key]), exported[name][key], 1e-5, ('csv', name, title))
    near(flat['clock_tick']['CALLS/S'], 250, 0.012, (moment, 'tick'))
    near(compare['clock_tick']['CALLS/S'], 250, 0.012, (moment, 'tick compared'))
for moment in 'end', 'past', 'window':
    for view, title in ('histogram', 'PER CALL'), ('histogram', 'MAX'), ('tree', 'TOTAL'), ('tree', 'PER CALL'), \
                       ('compare', 'PER CALL'), ('compare', 'CALLS/S'):
        assert (moment, view, title) in seen, (moment, view, title, sorted(seen))

near(json.load(open('all.json'))['node']['wall_s'], 40, 0.005, 'wall time')	# that of the recording
about = shown('about')
assert len(about) == 13, len(about)
frozen = shown('frozen')
assert len(frozen) == 6, len(frozen)


def duty(node):		# below the header
    return re.findall(r'(?:sleep|handlers|profiled|other|profiling cost) +[\d.]+ %', '\n'.join(node[4:]))


assert len(duty(frozen[0])) == 5 and duty(frozen[0]) == duty(frozen[1]) == duty(frozen[5]), \
    (duty(frozen[0]), duty(frozen[1]))
assert any('Until the moment shown.' in line for line in frozen[0])
groups = [('end', about[0:4]), ('past', about[4:8]), ('window', about[8:12]), ('frozen', frozen[2:6])]
for moment, (flat, callers, flame, node) in groups:
    f = figures(flat)['clock_tick']
    pane = labelled([l.split('│')[-1] for l in flat if '│' in l],
                    ('SELF', 'TOTAL', 'CALLS', 'CALLS/S', 'PER CALL', 'MIN', 'MAX'))
    assert len(pane) >= 5, (moment, pane)
    middle = figures([l for l in callers if 'SHARE%' in l or re.search(r'\d  clock_tick ', l)])['clock_tick']
    assert {'TOTAL', 'CALLS', 'PER CALL'} <= middle.keys(), (moment, middle)
    line = next(l for l in flame if re.search(r'% of profiled time  total', l))
    bottom = labelled([line], ('total', 'self', 'calls'))
    assert len(bottom) == 3, (moment, line)
    for where, values in ('pane', pane), ('callers', middle), ('flame', bottom):
        for title, value in values.items():
            if title in f:
                near(value, f[title], 0.006, (moment, where, title))
peak = figures(about[12])['clock_tick']
assert 240 < peak['CALLS/S'] < 252, peak

COUNTED = re.compile(r' *[\d.]+ +[\d.]+ +([\d.]+) +(\d+) +[\d.]+ +([\d.]+) +([\d.]+) +([\d.]+)  (\w+)$')
for row in filter(None, map(COUNTED.match, open('all.txt'))):
    if row[6] in NAMES:
        f = exported[row[6]]
        for text, key, scale in (row[1], 'self_s', 1), (row[2], 'calls', 1), (row[3], 'per_call_s', 1e-6), \
                                (row[4], 'min_s', 1e-6), (row[5], 'max_s', 1e-6):
            near(float(text) * scale, f[key], 0.02, ('text', row[6], key))
        seen.add(('text', row[6]))
assert ('text', 'clock_tick') in seen and ('text', 'sdnv_read') in seen

compared = json.load(open('compared.json'))
assert compared['changes_time'] == 'wall'
tick = next(c for c in compared['changes'] if c['name'] == 'clock_tick')['calls_per_s']
for value in tick['then'], tick['now'], exported['clock_tick']['calls_per_s']:
    near(value, 250, 0.005, 'tick exported')
print('ok figures', len(seen))
END
