#!/bin/bash
# `wsntop diff`, `report` and `convert`: two runs of sim/radio in simavr, mended and not, as snapshots and recordings: the
# comparison in its four forms tells the same, a report tells what the run told, and what is converted is what an export
# of the run itself would be.
# Sanitized: long: rules, snapshots and comparisons have fuzzers; most of its seconds are the simulator's.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
firmware=$root/build/sim/firmware
[ -e "$firmware/radio.elf" ] && [ -x "$root/build/wsntop-simavr" ] || skip "no firmware or simulator: make sim firmware"
run="simavr:atmega1284p@8M?pace=max&for=5"
cd "$work" || exit 1
cp "$firmware/radio.elf" new.elf
cp "$firmware/radio-fixed.elf" old.elf
for which in old new; do
	"$WSNTOP" -B -p "$run" -e $which.elf -r $which.wsnrec -x json:$which.json -x csv:$which.csv -x callgrind:$which.cg ||
		fail "$which"
done

# --- diff: text, JSON, Markdown, HTML ---
"$WSNTOP" diff old.json new.json >text || fail "diff"
"$WSNTOP" diff old.json new.json -x text:text2 -x json:diff.json -x markdown:diff.md -x html:diff.html || fail "diff -x"
cmp text text2 || fail "the text differs"
grep -Eq '^old.json -> new.json: load [0-9.]+ % -> [0-9.]+ %; [0-9]+ worse' text || fail "$(cat text)"
grep -Eq '^worse .*7\.25 us -> 10\.0 us \+3[78](\.[0-9])? % .* task_post  radio\.c:28$' text || fail "$(cat text)"
python3 - <<'END' || fail "the forms differ"
import html.parser
import json
import re

diff = json.load(open("diff.json"))
assert diff["wsntop_diff"] == 1 and diff["then"]["name"] == "old.json" and diff["now"]["name"] == "new.json"
changed = {c["name"]: c for c in diff["changes"] if c["verdict"] not in (None, "same")}
assert changed["task_post"]["verdict"] == "worse" and "per_call_s" in changed["task_post"]["relevant"]
runs = [{f["name"]: f for f in json.load(open(n))["functions"]} for n in ("old.json", "new.json")]
for i, when in enumerate(("then", "now")):
    assert changed["task_post"]["per_call_s"][when] == runs[i]["task_post"]["per_call_s"]

rows = [line.split() for line in open("text") if re.match("worse|better|new|gone|mixed", line)]
named = {re.search(r"(\S+)  radio\.c:\d+$", line)[1]: line.split()[0] for line in open("text") if "radio.c:" in line}
assert named == {n: c["verdict"] for n, c in changed.items()}, (named, list(changed))

# A comment is short: five rows and the rest folded, as a table of its own behind a blank line.
table = [line for line in open("diff.md") if line.startswith("|")]
assert len(changed) > 6 and open("diff.md").read().count("</summary>\n\n| | function |") == 1
assert len(table) == 2 * 2 + len(changed) and table[7] == table[0] and table[7:][-1].strip().endswith(" |") and len({len(re.findall(r"(?<!\\)\|", line)) for line in table}) == 1, table
assert any(line.startswith(r"| worse | task\_post | ") and "7.25 us → 10.0 us" in line for line in table)


class Page(html.parser.HTMLParser):
    empty = {"meta"}

    def __init__(self):
        super().__init__()
        self.open, self.rows, self.cells = [], 0, []

    def handle_starttag(self, tag, attrs):
        assert not any(name in ("src", "href") for name, _ in attrs), "it needs the network"
        assert tag != "script"
        if tag not in self.empty:
            self.open.append(tag)
        self.rows += tag == "tr"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        self.cells.append(data)


page = Page()
page.feed(open("diff.html").read())
page.close()
assert not page.open and page.rows == 1 + len(changed), page.open
assert "task_post" in page.cells and "prefers-color-scheme" in "".join(page.cells)
END
"$WSNTOP" diff old.json new.json --limit 2 >text2 || fail "--limit"
[ "$(grep -c radio.c: text2)" = 2 ] && grep -Eq '^[0-9]+ more$' text2 || fail "--limit: $(cat text2)"
"$WSNTOP" diff old.json new.json --filter '^task_post$' | grep -c radio.c: | grep -qx 1 || fail "--filter"
"$WSNTOP" diff old.json old.json >text2 || fail "with itself"
grep -Eq '; [0-9]+ same$' text2 && [ "$(wc -l <text2)" = 1 ] || fail "it changed: $(cat text2)"
[ "$("$WSNTOP" diff old.json old.json --all | grep -c '^same')" -ge 15 ] || fail "--all"
# Recordings, decoded again with the image of each.
"$WSNTOP" diff old.wsnrec new.wsnrec --format sim -e old.elf -e new.elf >text2 || fail "recordings"
grep -Eq '^worse .*7\.25 us -> 10\.0 us .*task_post  radio\.c:28$' text2 || fail "recordings: $(cat text2)"
# Names that are mark-up, and a function that is new.
python3 - <<'END'
import json

d = json.load(open("old.json"))
f = next(f for f in d["functions"] if f["name"] == "task_next")
for g in d["functions"]:
    if g["name"] == "task_run":
        g["name"] = "ns::f<int>(a | b)"
json.dump(d, open("named.json", "w"))
END
"$WSNTOP" diff named.json new.json --all -x markdown:named.md -x html:named.html || fail "names"
grep -q 'ns::f\\<int\\>(a \\| b)' named.md || fail "Markdown: $(cat named.md)"
grep -q 'ns::f&lt;int&gt;(a | b)' named.html || fail "HTML: $(grep ns:: named.html)"

# --- report ---
"$WSNTOP" report new.wsnrec --format sim -e new.elf --limit 1 >report || fail "report"
for line in 'node       atmega1284p' 'clock      8.00M ticks a second' 'losses     none' 'trace      every call of 5.00 s' \
	'image      new.elf, avr; the node does not tell whether it is what ran' 'damage     none'; do
	grep -qxF "$line" report || fail "\"$line\" is not in $(cat report)"
done
grep -Eqx 'stack      [0-9]+ B at most, [0-9,]+ B left' report || fail "the stack: $(cat report)"
grep -Eqx 'hottest    radio\.c:34 in task_post, 1\.2[0-9]* s, 27\.[0-9] % of all self time' report || fail "the line: $(cat report)"
grep -qx 'SELF%    SELF   TOTAL    CALLS  PER CALL      MAX  STACK MAX  FUNCTION' report || fail "the table: $(cat report)"
grep -Eqx ' 51\.[0-9]  2\.2[0-9] s  2\.2[0-9] s  22[0-9],[0-9]*   10\.0 us  12\.8 us       20 B  task_post  radio\.c:28' report ||
	fail "the table: $(cat report)"
calls=$(python3 -c "import json; print('{:,}'.format(sum(f['calls'] or 0 for f in json.load(open('new.json'))['functions'])))")
grep -qx "calls      $calls" report || fail "not $calls calls: $(cat report)"
"$WSNTOP" report new.json old.json >report || fail "report of snapshots"
grep -qx "calls      $calls" report && [ "$(grep -c '^file ' report)" = 2 ] || fail "$(cat report)"
grep -q ' task_post  radio.c:28$' report && grep -Eq '^[0-9]+ more$' report || fail "the functions: $(cat report)"

# --- convert ---
"$WSNTOP" convert new.wsnrec --format sim -e new.elf -x csv:c.csv -x callgrind:c.cg -x json:c.json || fail "convert"
# A recording of a simulator tells no wall time of the node: calls a second and the load are not equal.
python3 - <<'END' || fail "csv of a recording differs from that of the run"
import csv

a, b = ([{k: v for k, v in row.items() if k not in ("calls_per_s", "load")} for row in csv.DictReader(open(n))]
        for n in ("c.csv", "new.csv"))
assert len(a) > 10 and a == b, [(p, q) for p, q in zip(a, b) if p != q][:2]
END
for f in c.cg new.cg; do sed '/^creator\|^cmd\|^desc\|^pid/d' $f >$f.bare; done
cmp c.cg.bare new.cg.bare || fail "callgrind of a recording differs from that of the run"
"$WSNTOP" convert new.json -x json:again.json -x callgrind:s.cg -x folded:s.folded -x pprof:s.pprof || fail "convert a snapshot"
sed '/^creator\|^cmd\|^desc\|^pid/d' s.cg >s.cg.bare
python3 - <<'END' || fail "a snapshot of a snapshot differs"
import json

a, b = (json.load(open(n)) for n in ("new.json", "again.json"))
keys = ("name", "file", "line", "address", "calls", "self_s", "total_s", "min_s", "max_s", "per_call_s", "time")
for list_of, keys in (("functions", keys), ("edges", ("from", "to", "calls", "total_s")),
                      ("sites", ("from", "to", "calls"))):
    x, y = (sorted((tuple(e.get(k) for k in keys) for e in d[list_of]), key=str) for d in (a, b))
    assert x == y, (list_of, [p for p in zip(x, y) if p[0] != p[1]][:3])
END
[ -s s.pprof ] && grep -q 'main;task_post' s.folded || fail "folded: $(cat s.folded)"

# Files of other tools, and each of them as each other: self times and calls are those of the run. gmon needs the image.
"$WSNTOP" convert new.wsnrec -e new.elf -x pprof:new.pb.gz -x folded:new.folded -x gmon:gmon.out || fail "other formats"
for from in new.json new.cg new.pb.gz new.folded gmon.out; do
	for to in callgrind:x.cg pprof:x.pb.gz folded:x.folded json:x.json; do
		"$WSNTOP" convert $from -e new.elf -x $to || fail "convert $from -x $to"
		"$WSNTOP" convert "${to#*:}" -x "json:$from.${to%%:*}" || fail "convert ${to#*:}, from $from"
	done
done
python3 - <<'END' || fail "a format lost something"
import glob
import json

run = {f["name"]: f for f in json.load(open("new.json"))["functions"] if f["self_s"]}
files = [n for f in ("new.json", "new.cg", "new.pb.gz", "new.folded", "gmon.out") for n in sorted(glob.glob(f + ".*"))
         if not n.endswith("bare")]
assert len(files) == 20, files
for name in files:
    if name in ("new.folded.callgrind", "new.folded.json"):
        continue    # times of functions that were sampled, but without a count of samples, do not come back
    got = {f["name"]: f for f in json.load(open(name))["functions"] if f["self_s"]}
    for function, f in run.items():
        # gmon.out has samples of a clock of its own, folded stacks whole nanoseconds.
        if f["self_s"] < 1e-3:
            continue
        assert function in got, (name, function, list(got))
        assert abs(got[function]["self_s"] / f["self_s"] - 1) < 1e-3, (name, function, f["self_s"], got[function]["self_s"])
        if "folded" not in name and "pprof" not in name and "pb.gz" not in name:
            assert got[function]["calls"] == f["calls"], (name, function, f["calls"], got[function]["calls"])
END
"$WSNTOP" diff old.cg new.json >text2 || fail "diff of callgrind"
grep -Eq '^mixed .*7\.25 us -> 10\.0 us .*task_post ' text2 || fail "diff of callgrind: $(cat text2)"

# Received bytes, whose format is named: INGA's profiler.
"$WSNTOP" convert "$root/tests/corpus/prof/bare" --format prof -x csv:bare.csv || fail "convert bytes"
"$WSNTOP" -B -p "$root/tests/corpus/prof/bare" -f prof -x csv:bare2.csv && cmp bare.csv bare2.csv || fail "bytes"
[ "$(wc -l <bare.csv)" -gt 2 ] || fail "no rows: $(cat bare.csv)"
# The changes as CSV.
"$WSNTOP" convert new.json --baseline old.json -x changes >changes || fail "changes"
grep -q '^worse,"task_post"' changes || fail "changes: $(cat changes)"

# --- what is wrong ---
wrong() {	# STATUS, WHAT IS SAID, WORDS...
	local want=$1 said=$2 status=0
	shift 2
	"$WSNTOP" "$@" >out 2>err || status=$?
	[ "$status" = "$want" ] && [ ! -s out ] && [ "$(wc -l <err)" = 1 ] && grep -q -- "$said" err ||
		fail "$*: status $status: $(cat out err)"
}
wrong 2 'expected two files' diff old.json
wrong 2 'expected two files' diff
wrong 2 'expected text, json' diff old.json new.json -x pdf
wrong 2 'is an input of this run' diff old.json new.json -x text:new.json
wrong 1 'nothing.json: No such file' diff old.json nothing.json
wrong 1 'neither a snapshot nor a recording' diff old.json old.elf
echo "hello, world" >hello.txt
wrong 1 'no counts decoded' report hello.txt --format prof
wrong 1 'neither a snapshot nor a recording' report hello.txt
wrong 2 'expected a file' report
wrong 2 'no format' convert new.json
wrong 2 'expected one file' convert new.json old.json -x csv
wrong 2 'is an input of this run' convert new.json -x csv:new.json
wrong 1 'no call trace' convert new.json -x trace:t
echo "ok: diff, report, convert"
