#!/bin/bash
# One figure, one value: what the views show of three functions of the demo node (a tick's handler, a
# recursive function, a plain one) is the same in each view, at the end of a recording, in its past,
# in a window and in the exports; the tick's rate is that of its timer.
. "$(dirname "$0")/lib.sh"

ELF=$(realpath "$FW/demo.elf")
SCREEN=$(dirname "$WSNTOP")/tests/tools/screen
[ -x "$SCREEN" ] || { echo "skipped: no $SCREEN"; exit 77; }
"$NODE" --fast --seconds=40 --record="$TMP/demo.rec" "$ELF" >/dev/null
cd "$TMP"
export XDG_CONFIG_HOME=$TMP XDG_STATE_HOME=$TMP XDG_CACHE_HOME=$TMP HOME=$TMP

"$WSNTOP" -B -p demo.rec --speed=max -e "$ELF" -x json:all.json -x csv:all.csv >/dev/null 2>&1
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


screens, lines = [], []
for line in open('screens'):
    line = line.rstrip('\n')
    if line == '---':
        screens.append(lines)
    elif line.startswith('--- '):
        lines = []
    else:
        lines.append(line)
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
                part = 0.05 if title == 'CALLS/S' and moment != 'window' else 0.006
                near(value, f[title], part, (moment, name, view, title))
                seen.add((moment, view, title))
        if moment == 'end':
            for title, key in KEYS.items():
                if title in f and exported[name][key] is not None:
                    near(f[title], exported[name][key], 0.006, ('json', name, title))
                    near(float(rows[name][key]), exported[name][key], 1e-5, ('csv', name, title))
    near(flat['clock_tick']['CALLS/S'], 245, 0.05, (moment, 'tick'))
    near(compare['clock_tick']['CALLS/S'], 245, 0.05, (moment, 'tick compared'))
for moment in 'end', 'past', 'window':
    for view, title in ('histogram', 'PER CALL'), ('histogram', 'MAX'), ('tree', 'TOTAL'), ('tree', 'PER CALL'), \
                       ('compare', 'PER CALL'), ('compare', 'CALLS/S'):
        assert (moment, view, title) in seen, (moment, view, title, sorted(seen))

near(json.load(open('all.json'))['node']['wall_s'], 40, 0.005, 'wall time')	# that of the recording
compared = json.load(open('compared.json'))
assert compared['changes_time'] == 'wall'
tick = next(c for c in compared['changes'] if c['name'] == 'clock_tick')['calls_per_s']
for value in tick['then'], tick['now'], exported['clock_tick']['calls_per_s']:
    near(value, 245, 0.05, 'tick exported')
print('ok figures', len(seen))
END
