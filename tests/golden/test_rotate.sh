#!/bin/bash
# wsntop record: parts by size, within their bound; unplugged, killed, without room; a folder of parts is one recording; and
# any stretch of a long one, with and without its index.
# Sanitized: long: recordings have a fuzzer and sanitized unit tests; it reads those of days.
. "$(dirname "$0")/lib.sh"
need_tools python3
made=$root/build/tests/tools/day_made
[ -x "$made" ] || { echo "FAILED: no $made: make tools"; exit 1; }
WSNTOP=$(realpath "$WSNTOP")
cd "$work" || exit 1
export TZ=UTC

cat >compare.py <<'END'
import json, sys
how, a, b = sys.argv[1], *(json.load(open(f)) for f in sys.argv[2:4])
assert a['functions'] and any(f['calls'] for f in a['functions'])
if how == 'all':
    for x in a, b:
        for name in 'name', 'source', 'window':
            x['node'].pop(name, None)
        for f in x['functions']:        # rates at full speed are of two looks at the clock
            f.pop('calls_per_s'), f.pop('load')
    assert a == b, [k for k in a if a[k] != b[k]]
else:
    def counts(x):
        names = 'address', 'calls', 'total_s', 'min_s', 'max_s'
        return sorted(([f[k] for k in names] for f in x['functions']), key=lambda f: f[0])
    assert counts(a) == counts(b)
    for k in {'bytes', 'lost'} - set(sys.argv[4:]):
        assert a['stream'][k] == b['stream'][k], (a['stream'], b['stream'])
END
same() {	# two exports of one stream, whatever their files are called
	python3 compare.py all "$@" || fail "$*: not the same"
}

counts_same() {	# likewise, of streams that came at other times; what of the stream may differ
	python3 compare.py counts "$@" || fail "$*: other counts"
}

export_json() {	# FILE.json, source, options
	local to=$1 from=$2
	shift 2
	"$WSNTOP" -B --speed=max -p "$from" -x "json:$to" "$@" 2>err || fail "$from $*: status $?: $(cat err)"
}

# Parts of one stream are that stream, and each can be read alone: its totals are the node's.
"$made" made.wsnrec 0.02 || fail "day_made"
export_json whole.json made.wsnrec
"$WSNTOP" record -p made.wsnrec -o parts --each=100K 2>err || fail "record: status $?: $(cat err)"
grep -q '^wsntop: record: made.wsnrec -> parts: 9 parts, .* 0 bytes not kept, 0 lost on the line' err || fail "$(cat err)"
export_json parts.json parts
same whole.json parts.json
last=$(ls parts/*.wsnrec | tail -1)
export_json last.json "$last"
counts_same whole.json last.json bytes

# The bound holds; what is removed is said; what is left has all totals.
"$WSNTOP" record -p made.wsnrec -o few --each=100K --keep=300K 2>err || fail "keep: status $?"
grep -q '^wsntop: record: few: removed .*\.wsnrec, the oldest part: the parts exceed --keep$' err || fail "$(cat err)"
[ "$(cat few/*.wsnrec | wc -c)" -le 307200 ] || fail "more than --keep"
export_json few.json few
counts_same whole.json few.json bytes

# A port that is unplugged, and a recorder that is killed.
cat >port.py <<'END'
import os, pty, struct, sys, time, tty
data, at = bytearray(), 16
made = open('made.wsnrec', 'rb').read()
while at < len(made):
    n = struct.unpack_from('<I', made, at + 8)[0]
    data += made[at + 12:at + 12 + n]
    at += 16 + n
data = data[:300000]
def kept():
    n = 0
    for name in sorted(os.listdir('line')):
        if not name.endswith('.wsnrec'):
            continue
        part, at = open('line/' + name, 'rb').read(), 16
        while at + 12 <= len(part):
            length = struct.unpack_from('<I', part, at + 8)[0]
            n += length if not length >> 29 else 0
            at += 16 + (length & 0x1fffffff)
    return n
def wait(what, until=60):
    end = time.time() + until
    while not what():
        assert time.time() < end, sys.argv
        time.sleep(0.02)
first, last = int(sys.argv[1]), int(sys.argv[2])
ours, theirs = pty.openpty()
tty.setraw(theirs)
os.symlink(os.ttyname(theirs), 'port.new')
os.rename('port.new', 'port')
open('ready', 'w').write('x\n')
wait(lambda: os.path.exists('go'))
os.close(theirs)
sent = first
while sent < last:
    sent += os.write(ours, data[sent:min(last, sent + 500)])
wait(lambda: kept() >= last)
os.close(ours)
END
recorder() {
	"$WSNTOP" record -p port -o line --each=50K -f wsn 2>>line.err &
	recorder=$!
}
until_there() {	# pattern, file
	local i
	for ((i = 0; i < 1500; i++)); do
		grep -q "$1" "$2" 2>/dev/null && return
		sleep 0.02
	done
	fail "no '$1' in $2: $(cat "$2")"
}
plug() {	# from byte, to byte, [the recorder is started when the port is there]
	rm -f ready go
	python3 port.py "$1" "$2" &
	port=$!
	until_there '' ready
	[ -z "${3:-}" ] || "$3"
}
: >line.err
plug 0 100000 recorder
until_there_parts() {
	local i
	for ((i = 0; i < 1500; i++)); do
		ls line/*.wsnrec >/dev/null 2>&1 && return
		sleep 0.02
	done
	fail "no part: $(cat line.err)"
}
until_there_parts
touch go
wait $port || fail "the first bytes: $(cat line.err)"
until_there 'waiting for it' line.err
plug 100000 200000
touch go
wait $port || fail "after it was plugged in again: $(cat line.err)"
until_there 'it is back' line.err
kill -9 $recorder
{ wait $recorder; } 2>/dev/null
plug 200000 300000 recorder
touch go
wait $port || fail "after the kill: $(cat line.err)"
kill -TERM $recorder
wait $recorder || fail "stopped: status $?: $(cat line.err)"
until_there ' -> line: .* 0 bytes not kept, ' line.err
python3 - <<'END'
exec(open('port.py').read().split('def kept')[0])
open('line.bin', 'wb').write(data)
END
export_json bin.json line.bin -f wsn
export_json line.json line -f wsn
counts_same bin.json line.json

# A disk that is full: old parts go, where they may; else it says so.
if unshare -rm true 2>/dev/null; then
	cat >small.sh <<-'END'
		mkdir -p small && mount -t tmpfs -o size=400k none small || exit 77
		"$WSNTOP" record -p made.wsnrec -o small/kept --each=100K --keep=10M 2>kept.err || exit 1
		grep -q 'the oldest part: the disk is full' kept.err || exit 2
		cp -r small/kept kept || exit 3
		rm -r small/kept
		"$WSNTOP" record -p made.wsnrec -o small/all --each=100K 2>all.err
		[ $? = 1 ] || exit 4
		grep -q 'No space left on device: recording waits for room' all.err || exit 5
		cp -r small/all all || exit 6
	END
	WSNTOP=$WSNTOP unshare -rm bash small.sh
	status=$?
	[ $status = 77 ] || [ $status = 0 ] || fail "full disk: step $status: $(cat ./*.err)"
	if [ $status = 0 ]; then
		export_json kept.json kept
		counts_same whole.json kept.json bytes
		export_json all.json all
	fi
fi

# -r never wipes a recording, but by --force.
cp made.wsnrec day.wsnrec
"$WSNTOP" -B --speed=max -p made.wsnrec -r day.wsnrec 2>err && fail "a recording was wiped"
grep -qx 'wsntop: day.wsnrec: holds a recording already; record into day-2.wsnrec; --force replaces it' err || fail "$(cat err)"
cmp -s made.wsnrec day.wsnrec || fail "the recording is another one"
"$WSNTOP" -B --speed=max -p made.wsnrec -r day.wsnrec --force >/dev/null || fail "--force"

# One that ends early is a failure, said last.
(ulimit -f 50; "$WSNTOP" -B --speed=max -p made.wsnrec -r short.wsnrec 2>err >/dev/null)
[ $? = 1 ] || fail "a recording that ended early: status 0"
tail -1 err | grep -qx 'wsntop: short.wsnrec: recording stopped (it is complete up to here): File too large' || fail "$(cat err)"

# A stretch of an hour's recording: read through, with the index that was made so, with one that is damaged, and with that of
# another recording.
"$made" hour.wsnrec 1 || fail "day_made"
stretch() {
	export_json "$1" hour.wsnrec --from=50min --until=+2min
}
stretch through.json
[ -s hour.wsnrec.idx ] || fail "no index was made"
stretch indexed.json
cmp through.json indexed.json || fail "with the index"
python3 - <<'END'
data = bytearray(open('hour.wsnrec.idx', 'rb').read())
for at in range(len(data) // 2, len(data), 97):
    data[at] ^= 0x41
open('hour.wsnrec.idx', 'wb').write(data)
END
stretch damaged.json
cmp through.json damaged.json || fail "with a damaged index"
"$made" other.wsnrec 1 200 && export_json other.json other.wsnrec && mv other.wsnrec.idx hour.wsnrec.idx || fail "other"
stretch stale.json
cmp through.json stale.json || fail "with another recording's index"
"$WSNTOP" record -p hour.wsnrec -o hours --every=7min 2>err || fail "hours: $(cat err)"
export_json folder.json hours --from=50min --until=+2min
same through.json folder.json
