"""Exports of one profile held against its JSON, function by function: self times, calls, samples.

    exports.py FOLDER [--go] [--only=REGEX]
                                NAME.json beside what else there is: NAME.callgrind, .folded, .pb.gz, .svg, .csv, .html,
                                .firefox, .prom, .speedscope
                                --go: go tool pprof reads those, too
                                --only: they were written under that filter: of call paths the whole ones are there
    exports.py labels A.pb.gz B.pb.gz   the same node, tasks and handlers, with the same times
    exports.py A.json B.json    the report of A was printed (-x prof) and decoded as B
"""
import collections, glob, gzip, json, os, re, subprocess, sys

HALF = 1		# of a nanosecond: up here, to even there

def fail(what):
    sys.exit("FAILED: " + what)

def told(path):
    """Of the JSON, by name: nanoseconds, calls, samples."""
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for f in json.load(open(path))["functions"]:
        sums[f["name"]][0] += round(max(f["self_s"] or 0, 0) * 1e9)
        sums[f["name"]][1] += f["calls"] or 0
        sums[f["name"]][2] += f["samples"] or 0
    return {name: s for name, s in sums.items() if any(s)}

def callgrind(path):
    """As callgrind_annotate reads it."""
    text = subprocess.run(["callgrind_annotate", "--threshold=100", "--auto=no", "--show-percs=no", path],
                          capture_output=True, text=True, check=True).stdout
    row = re.compile(r"^ *([\d,]+) +([\d,]+) +([\d,]+)  +(\S.*)$", re.M)
    sums, whole = collections.defaultdict(lambda: [0, 0, 0]), None
    for *figures, place in row.findall(text):
        figures = [int(f.replace(",", "")) for f in figures]
        if place.strip() == "PROGRAM TOTALS":
            whole = figures
            continue
        name = place.strip().split(":", 1)[1]
        sums[name] = [a + b for a, b in zip(sums[name], figures)]
    return {n: s for n, s in sums.items() if any(s)}, whole

def folded(path):
    sums = collections.Counter()
    for line in open(path):
        stack, own = line.rstrip("\n").rsplit(" ", 1)
        sums[stack.split(";")[-1]] += int(own)
    return sums

def fields(message):
    """A protobuf message's: number and value."""
    at = 0
    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value
    while at < len(message):
        number, kind = divmod(varint(), 8)
        value = varint()
        if kind == 2:
            at, value = at + value, message[at:at + value]
        elif kind != 0:
            fail("a field of kind %d" % kind)
        yield number, value

def numbers(packed):
    at, found = 0, []
    while at < len(packed):
        value = shift = 0
        while True:
            byte = packed[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                break
        found.append(value)
    return found

def pprof(path):
    """Flat values by function, and by sample type: as the format's text has it, without pprof's code."""
    texts, names, samples = [], {}, []
    for number, value in fields(gzip.open(path).read()):
        if number == 6:
            texts.append(value.decode())
        elif number == 5:
            f = dict(fields(value))
            names[f[1]] = f[2]
        elif number == 2:
            s = dict((n, v) for n, v in fields(value) if n < 3)
            samples.append((numbers(s[1])[0], numbers(s[2])))
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for leaf, values in samples:
        name = texts[names[leaf]]
        sums[name] = [a + b for a, b in zip(sums[name], values)]
    return {kind: {n: s[k] for n, s in sums.items()} for k, kind in enumerate(("time", "calls", "samples"))}

def go_pprof(path):
    """The same, as go tool pprof has it."""
    found = {}
    for kind in ("time", "calls", "samples"):
        text = subprocess.run(["go", "tool", "pprof", "-top", "-nodecount=100000", "-nodefraction=0", "-unit=" +
                               ("ns" if kind == "time" else "count"), "-sample_index=" + kind, path],
                              capture_output=True, text=True, check=True).stdout
        rows = re.findall(r"^ *([\d.]+)(?:ns)? +[\d.]+% +[\d.]+% +([\d.]+)(?:ns)? +[\d.]+%  (.*)$", text, re.M)
        found[kind] = {name: int(float(flat)) for flat, _, name in rows}
    return found

def go_labels(path):
    """What go tool pprof says of the labels; and that only paths with one are left under it."""
    def pprof(*options):
        return subprocess.run(["go", "tool", "pprof", "-unit=ns", *options, path], capture_output=True, text=True, check=True).stdout
    found, key = {}, ""
    for line in pprof("-sample_index=time", "-tags").split("\n"):
        head, row = re.match(r" (\w+): Total ", line), re.match(r" +([\d.]+)(?:ns)? \( *[\d.]+%\): (.*)$", line)
        key = head[1] if head else key
        if row:
            found[key, row[2]] = float(row[1])
    for (key, value), ns in found.items():
        only = re.search(r"accounting for ([\d.]+)(?:ns)?,", pprof("-sample_index=time", "-top", "-nodecount=100000",
            "-nodefraction=0", "-tagfocus=%s=^%s$" % (key, re.escape(value))))
        if only and abs(float(only[1]) - ns) > HALF:
            fail("%s: -tagfocus %s=%s: %s ns, not %s" % (path, key, value, only[1], ns))
    return found

def labels(path):
    """Nanoseconds by label."""
    texts, samples, sums = [], [], collections.Counter()
    for number, value in fields(gzip.open(path).read()):
        if number == 6:
            texts.append(value.decode())
        elif number == 2:
            samples.append(value)
    for sample in samples:
        ns = [numbers(v)[0] for n, v in fields(sample) if n == 2][0]
        for label in [dict(fields(v)) for n, v in fields(sample) if n == 3]:
            sums[texts[label[1]], texts[label[2]]] += ns
    return sums

def same_labels(first, second):
    a, b = labels(first), labels(second)
    if {key for key, _ in a} < {"node", "task"}:
        fail("%s: labels %s" % (first, dict(a)))
    for key in set(a) | set(b):
        if abs(a[key] - b[key]) > 1e-3 * a[key] + 1000:	# paths are apportioned anew
            fail("%s: %s=%s has %d ns, not %d" % (second, *key, b[key], a[key]))
    print("labels agree: %s" % ", ".join(sorted("%s=%s" % key for key in a)))

def table(path):
    """CSV: by name as told() has them."""
    import csv
    sums = collections.defaultdict(lambda: [0, 0, 0])
    for row in csv.DictReader(open(path, newline="")):
        figures = round(max(float(row["self_s"] or 0), 0) * 1e9), int(row["calls"] or 0), int(row["samples"] or 0)
        sums[row["name"]] = [a + b for a, b in zip(sums[row["name"]], figures)]
    return sums

def page(path):
    """The table of the HTML report."""
    import html
    text, sums = open(path).read(), collections.defaultdict(lambda: [0, 0, 0])
    titles = re.findall(r"<th[^>]*>([^<]+)</th>", text)
    for row in re.findall(r"<tr data-i=.*?</tr>", text):
        cells = dict(zip(titles[1:], re.findall(r'data-v="([^"]*)"', row)))
        name = html.unescape(re.search(r'title="([^"]*)"', row)[1])
        figures = [float(cells.get(k) or 0) for k in ("Self", "Calls", "Samples")]
        figures[0] = round(max(figures[0], 0) * 1e9)
        sums[name] = [a + int(b) for a, b in zip(sums[name], figures)]
    return sums

def firefox(path):
    t, sums = json.load(open(path))["threads"][0], collections.Counter()
    for stack, weight in zip(t["samples"]["stack"], t["samples"]["weight"]):
        func = t["frameTable"]["func"][t["stackTable"]["frame"][stack]]
        sums[t["stringArray"][t["funcTable"]["name"][func]]] += round(weight * (1e6 if t["samples"]["weightType"] == "tracing-ms" else 1))
    return sums

def speedscope(path):
    d, sums = json.load(open(path)), collections.Counter()
    frames, p = d["shared"]["frames"], d["profiles"][0]
    if p["type"] != "sampled" or len(p["samples"]) != len(p["weights"]) or p["endValue"] != sum(p["weights"]):
        fail(path + ": samples and weights")
    for stack, weight in zip(p["samples"], p["weights"]):
        sums[frames[stack[-1]]["name"]] += weight
    return sums

def prometheus(path):
    """Metrics by name and function, of text that its own parser would take."""
    line = re.compile(r'^([a-z_]+)\{((?:[a-z]+="(?:[^"\\]|\\.)*",?)*)\} ([-+0-9.e]+)$')
    found, typed = {}, set()
    for text in open(path).read().split("\n"):
        if text.startswith("# TYPE "):
            typed.add(text.split()[2])
        elif text and not text.startswith("#"):
            m = line.match(text)
            if not m or m[1] not in typed:
                fail("%s: %s" % (path, text))
            labels = dict(re.findall(r'([a-z]+)="((?:[^"\\]|\\.)*)"', m[2]))
            key = m[1], labels.get("function", "")
            found[key] = found.get(key, 0) + float(m[3])
    return found

def flames(path):
    """Self times: a frame's width less those upon it, by their places."""
    import xml.etree.ElementTree as tree
    sums, open_frames = collections.Counter(), []
    for g in tree.parse(path).iter("{http://www.w3.org/2000/svg}g"):
        name, x, w, d = (g.get("data-" + k) for k in "nxwd")
        x, w, d = int(x), int(w), int(d)
        if d:
            sums[name] += w
            above = [f for f in open_frames if f[2] == d - 1 and f[1] <= x and x + w <= f[1] + f[3]]
            if d > 1 and not above:
                fail("%s: %s stands on nothing" % (path, name))
            if d > 1:
                sums[above[-1][0]] -= w
        open_frames.append((name, x, d, w))
    return sums

ONLY = re.compile(next((a[7:] for a in sys.argv if a.startswith("--only=")), ""))

def same(what, got, shall, slack=0):
    for name in sorted(n for n in set(got) | set(shall) if ONLY.search(str(n))):
        if abs(got.get(name, 0) - shall.get(name, 0)) > slack:
            fail("%s: %s has %d, not %d" % (what, str(name), got.get(name, 0), shall.get(name, 0)))

def again(first, second):
    """Call sites and samples of a report that was printed again."""
    a, b = json.load(open(first)), json.load(open(second))
    site = lambda s: tuple(s[k] for k in ("address", "to_address", "calls", "total_ticks", "min_ticks", "max_ticks"))
    for what, key in (("sites", site), ("pcs", lambda s: (s["address"], s["samples"]))):
        one, two = ([key(s) for s in d[what] if what == "pcs" or s["total_ticks"] is not None] for d in (a, b))
        if sorted(one, key=str) != sorted(two, key=str):
            fail("%s: %s of the printed report differ: %s, %s" % (first, what, one[:3], two[:3]))
    print("%s: the report again, %d call sites, %d PCs" % (os.path.basename(first), len(b["sites"]), len(b["pcs"])))

def main():
    if sys.argv[1] == "labels":
        return same_labels(*sys.argv[2:])
    if os.path.isfile(sys.argv[1]):
        return again(*sys.argv[1:3])
    judged = 0
    for path in sorted(glob.glob(sys.argv[1] + "/*.json")):
        stem, shall = path[:-5], told(path)
        times = {n: s[0] for n, s in shall.items() if s[0]}
        if not shall:
            fail(path + ": no function")
        if os.path.exists(stem + ".callgrind"):
            got, whole = callgrind(stem + ".callgrind")
            for k, kind in enumerate(("ns", "calls", "samples")):
                same("%s.callgrind, %s" % (stem, kind), {n: s[k] for n, s in got.items()},
                     {n: s[k] for n, s in shall.items()}, HALF if k == 0 else 0)
                if whole is None or abs(whole[k] - sum(s[k] for n, s in shall.items() if ONLY.search(n))) > (len(shall) if k == 0 else 0):
                    fail("%s.callgrind: totals %s" % (stem, whole))
            judged += 1
        if os.path.exists(stem + ".folded"):
            same(stem + ".folded", folded(stem + ".folded"), times, HALF)
            judged += 1
        if os.path.exists(stem + ".pb.gz"):
            for read in [pprof] + ([go_pprof] if "--go" in sys.argv else []):
                for k, (kind, got) in enumerate(read(stem + ".pb.gz").items()):
                    same("%s.pb.gz, %s, %s" % (stem, read.__name__, kind), got, {n: s[k] for n, s in shall.items()},
                         HALF if k == 0 else 0)
                judged += 1
            if "--go" in sys.argv:
                same(stem + ".pb.gz, labels", go_labels(stem + ".pb.gz"), {k: v for k, v in labels(stem + ".pb.gz").items() if v},
                     HALF)
        if os.path.exists(stem + ".prom"):
            got = prometheus(stem + ".prom")
            for name, (ns, calls, samples) in shall.items():
                for metric, value, slack in (("self_seconds_total", ns * 1e-9, 1e-9), ("calls_total", calls, 0)):
                    have = got.get(("wsntop_function_" + metric, name))
                    if have is not None and abs(have - value) > slack:
                        fail("%s.prom: %s %s is %s, not %s" % (stem, name, metric, have, value))
            judged += 1
        for kind, read in ("csv", table), ("html", page):
            if os.path.exists(stem + "." + kind):
                got = read(stem + "." + kind)
                for k in range(3):
                    same("%s.%s, %s" % (stem, kind, ("ns", "calls", "samples")[k]), {n: s[k] for n, s in got.items()},
                         {n: s[k] for n, s in shall.items()}, HALF if k == 0 else 0)
                if any(not ONLY.search(n) for n in got):
                    fail("%s.%s: what does not pass the filter" % (stem, kind))
                judged += 1
        if os.path.exists(stem + ".firefox"):
            same(stem + ".firefox", firefox(stem + ".firefox"), times, HALF)
            judged += 1
        if os.path.exists(stem + ".speedscope"):
            same(stem + ".speedscope", speedscope(stem + ".speedscope"), times, HALF)
            judged += 1
        if os.path.exists(stem + ".svg"):
            whole = sum(times.values())
            same(stem + ".svg", flames(stem + ".svg"), times, whole * 1e-4 * 20)
            judged += 1
    if not judged:
        fail("nothing to compare in " + sys.argv[1])
    print("%d exports agree with JSON" % judged)

main()
