#!/bin/bash
# A week of a busy node in compressed time: all counters of the wire wrap, many times, and every count is the node's
# own, kept in 64 bits; read whole, at the end of each epoch, and from keys of the index behind the wraps.
# Sanitized: long: the decoder has a fuzzer; it reads 25 MB.
. "$(dirname "$0")/lib.sh"
need_tools python3
made=$root/build/tests/tools/week_made
[ -x "$made" ] || { echo "FAILED: no $made: make tools"; exit 1; }
WSNTOP=$(realpath "$WSNTOP")
cd "$work" || exit 1
export TZ=UTC

counts_are() {	# TRUTH, source, options: all counts of what was read are these
	local truth=$1
	shift
	"$WSNTOP" -B --speed=max -x json:counts.json -p "$@" 2>err || fail "$*: status $?: $(cat err)"
	python3 "$here/week.py" "$truth" counts.json || fail "$*"
}

# An AVR's and a Cortex-M's widths.
"$made" -r 12 -s 40 -c 1000000 -t avr.truth avr.wsnrec || fail "week_made"
counts_are avr.truth avr.wsnrec
"$made" -r 12 -s 40 -c 900000000 -m -t arm.truth arm.wsnrec || fail "week_made"
counts_are arm.truth arm.wsnrec

# Through a pipe, too: there is nothing to look ahead in.
"$WSNTOP" -B --speed=max -x json:counts.json -p - <arm.wsnrec 2>err || fail "pipe: $(cat err)"
python3 "$here/week.py" arm.truth counts.json || fail "pipe"

# The epoch, of 16 bits, wraps between the second and the third: each ends with its own counts.
"$made" -r 12 -s 40 -c 1000000 -e 3 -t epoch.truth epochs.wsnrec || fail "week_made"
from=0
for i in 0 1 2; do
	until=$(awk '$1 == "at" { print int($2) + 1 }' "epoch.truth.$i")
	counts_are "epoch.truth.$i" epochs.wsnrec --from="${from}s" --until="${until}s"
	from=$until
done
counts_are epoch.truth epochs.wsnrec

# The index has keys to the end, though the counters that they tell have passed their widths long before; and from
# them the last day is what it is when all is read.
cat >keys.py <<'END'
import os, struct, sys
data = open(sys.argv[1] + '.idx', 'rb').read()
at, last, keys = 16, 0, 0
while at + 24 <= len(data):
    last, _, length = struct.unpack_from('<QQI', data, at)
    at += 24 + length + 4
    keys += 1
left = os.path.getsize(sys.argv[1]) - last
print(f'{keys} keys, {left} bytes behind the last one')
assert keys >= 4 and left < 2 << 20, (keys, left)
END
for arch in "" -m; do
	rm -f long.wsnrec*
	# shellcheck disable=SC2086
	"$made" -r 42 -s 40 -c 1000000 $arch -t long.truth long.wsnrec || fail "week_made"
	"$WSNTOP" -B -x json:whole.json -p long.wsnrec --from=6d 2>err || fail "whole: $(cat err)"
	python3 keys.py long.wsnrec || fail "the index ends before the recording does"
	"$WSNTOP" -B -x json:leapt.json -p long.wsnrec --from=6d 2>err || fail "by the index: $(cat err)"
	python3 - <<-'END' || fail "by the index there are other counts"
		import json
		def counts(name):
		    data = json.load(open(name))
		    return sorted((s['kind'], s['address'], s['to_address'], s['calls'], s['total_ticks'], str(s['histogram']))
		                  for s in data['sites']), sorted((p['address'], p['samples']) for p in data['pcs'])
		whole, leapt = counts('whole.json'), counts('leapt.json')
		assert len(whole[0]) > 40 and whole == leapt, [p for p in zip(whole[0], leapt[0]) if p[0] != p[1]][:3]
	END
done
