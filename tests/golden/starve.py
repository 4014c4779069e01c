#!/usr/bin/env python3
"""Runs a batch run of wsntop again and again, each time with another allocation that fails (tests/tools/faulty).

    starve.py FAULTY.so SAMPLE FILE... -- COMMAND...

COMMAND writes FILE..., in an empty folder; the Nth run is with its Nth allocation failing, and once more with
all after it failing. SAMPLE 1: all allocations; N: one in N. What has to hold of each run:

- no signal ends it, and it ends;
- a status that is not 0 has at least a line on standard error, and each line there is one of wsntop's;
- a file is there whole, or not at all: no half of one, no temporary one beside it;
- with status 0 all files are as they are with memory, or a line says what is missing;
- a recording's bytes are those of the whole one, or a beginning of them.
"""
import os, re, shutil, signal, struct, subprocess, sys, tempfile

RATES = re.compile(rb'"(calls_per_s|load|window|bytes_per_s|age_s|profiled_s_per_s|wall_s|wall|began|time_s)":[^,}\]]*')


def stream(path):
    """The bytes that a recording keeps, without the times of their arrival."""
    data, at, out = open(path, 'rb').read(), 16, b''
    while at + 12 <= len(data):
        n = struct.unpack_from('<I', data, at + 8)[0] & 0x1fffffff
        out += data[at + 12:at + 12 + n]
        at += 16 + n
    return out


def content(path):
    if os.path.isdir(path):
        return b''.join(content(os.path.join(path, name)) for name in sorted(os.listdir(path)))
    if path.endswith('.wsnrec'):
        return stream(path)
    return RATES.sub(b'', open(path, 'rb').read())


class Starved:
    def __init__(self, faulty, files, command):
        self.faulty, self.files, self.command, self.bad, self.runs = faulty, files, command, [], 0
        self.kinds = {}
        self.environment = dict(os.environ, LD_PRELOAD=faulty)

    def run(self, spec, count=None):
        env = dict(self.environment, FAULTY=spec)
        if count:
            env['FAULTY_COUNT'] = count
        for name in os.listdir('.'):
            (shutil.rmtree if os.path.isdir(name) else os.unlink)(name)
        self.runs += 1
        return subprocess.run(self.command, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=600)

    def whole(self):
        with tempfile.NamedTemporaryFile() as count:
            first = self.run('alloc=ENOMEM:1000000000', count.name)
            n = int(open(count.name).read().split()[1])
        assert first.returncode == 0, first.stderr.decode()
        self.said = set(first.stderr.decode().splitlines())
        self.ref = {f: content(f) for f in self.files}
        again = self.run('alloc=ENOMEM:1000000000')
        self.files = [f for f in self.files if self.ref[f] == content(f) or self.note('%s differs by itself' % f)]
        return n

    def note(self, text):
        self.bad.append(text)
        return False

    def judge(self, spec, r):
        lines = r.stderr.decode(errors='replace').splitlines()
        news = [l for l in lines if l not in self.said]
        if r.returncode < 0 or r.returncode > 3:
            self.note('%s: status %d: %s' % (spec, r.returncode, lines))
        if r.returncode and not lines:
            self.note('%s: status %d, and nothing is said' % (spec, r.returncode))
        for line in lines:
            if not line.startswith('wsntop: '):
                self.note('%s: said: %s' % (spec, line))
        known = {f.split('/')[0] for f in self.files} | {f + '.idx' for f in self.files}
        left = set(os.listdir('.')) - known
        if left:
            self.note('%s: left behind: %s' % (spec, left))
        missing = different = False
        for f in self.files:
            if not os.path.exists(f):
                missing = True
            elif f.endswith('.wsnrec'):
                kept = stream(f)
                different |= kept != self.ref[f]
                if not self.ref[f].startswith(kept):
                    self.note('%s: %s: other bytes' % (spec, f))
            elif content(f) != self.ref[f]:
                different = True
                if not news:
                    self.note('%s: %s: differs from the whole one, and nothing is said' % (spec, f))
        if r.returncode == 0 and missing:
            self.note('%s: status 0 without all files: %s' % (spec, lines))
        if r.returncode == 0 and different and not news:
            self.note('%s: status 0, something is missing, and nothing is said' % spec)
        kind = 'ended with an error' if r.returncode else 'went on with less' if news or different else 'did without'
        self.kinds[kind] = self.kinds.get(kind, 0) + 1


def main():
    faulty, sample = sys.argv[1], int(sys.argv[2])
    split = sys.argv.index('--')
    s = Starved(faulty, sys.argv[3:split], sys.argv[split + 1:])
    n = s.whole()
    for at in range(1, n + 1, sample):
        for more in '', '+':
            spec = 'alloc=ENOMEM:%d%s' % (at, more)
            try:
                s.judge(spec, s.run(spec))
            except subprocess.TimeoutExpired:
                s.note('%s: does not end' % spec)
    print('%d allocations, %d runs: %s' % (n, s.runs, ', '.join('%d %s' % (v, k) for k, v in sorted(s.kinds.items()))))
    for line in s.bad:
        print('FAILED:', line)
    sys.exit(bool(s.bad) or n < 50)


main()
