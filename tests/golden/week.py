#!/usr/bin/env python3
"""What wsntop counted of a week, held against what the node counted in 64 bits (tests/tools/week_made).

    week.py TRUTH EXPORT.json

Every call site's calls, ticks and calls by duration, every arc, every PC: equal, or status 1. Prints how often the
counters of the wire had wrapped.
"""
import json
import sys

WRAPS = {'calls beyond 24 bits': 24, 'ticks 32': 32, 'calls by duration 24': 24, 'arcs 32': 32, 'PCs 32': 32, 'run 32': 32}


def truth_read(path):
    t = {'site': {}, 'arc': {}, 'pc': {}}
    for line in open(path):
        what, *rest = line.split()
        if what == 'site':
            t['site'][tuple(map(int, rest[:2]))] = list(map(int, rest[2:]))
        elif what == 'arc':
            t['arc'][tuple(map(int, rest[:2]))] = int(rest[2])
        elif what == 'pc':
            t['pc'][int(rest[0])] = int(rest[1])
        else:
            t[what] = float(rest[0])
    return t


def export_read(path):
    data = json.load(open(path))
    e = {'site': {}, 'arc': {}, 'pc': {}}
    for s in data['sites']:
        key = s['address'], s['to_address']
        if s['kind'] == 'arc':
            e['arc'][key] = s['calls']
        else:
            buckets = [calls for _, calls in s['histogram'] or []]
            e['site'][key] = [s['calls'], s['total_ticks']] + buckets
    for p in data['pcs']:
        e['pc'][p['address']] = p['samples']
    return data, e


def main():
    truth = truth_read(sys.argv[1])
    data, export = export_read(sys.argv[2])
    wrong = 0
    for kind in 'site', 'arc', 'pc':
        want = {k: v for k, v in truth[kind].items() if v}
        for key in sorted(want.keys() | export[kind].keys()):
            if want.get(key) != export[kind].get(key):
                wrong += 1
                if wrong < 10:
                    print(f'{kind} {key}: {export[kind].get(key)}, in truth {want.get(key)}')
    stream = data['stream']
    if wrong or stream['lost'] or stream['bad_bytes'] or stream['damaged']:
        print(f'{wrong} counts are wrong; stream {stream}')
        return 1
    seen = {'calls beyond 24 bits': [s[0] for s in truth['site'].values()],
            'ticks 32': [s[1] for s in truth['site'].values()],
            'calls by duration 24': [b for s in truth['site'].values() for b in s[2:]],
            'arcs 32': truth['arc'].values(), 'PCs 32': truth['pc'].values(),
            'run 32': [int(truth['run'])]}
    print(f"{len(truth['site'])} sites, {len(truth['arc'])} arcs, {len(truth['pc'])} PCs equal;",
          f"calls {sum(s[0] for s in truth['site'].values())}, frames {stream['events']};",
          'wraps: ' + ', '.join(f'{name}: {sum(v >> WRAPS[name] for v in values)}' for name, values in seen.items()))
    return 0


sys.exit(main())
