#!/bin/bash
# A recording with damage in its middle: what the damage hit is left out and said, and all behind it counts. And a file in ~.
. "$(dirname "$0")/lib.sh"
need_tools python3 as ld
WSNTOP=$(realpath "$WSNTOP")
. "$root/tests/screen/firmware.sh"
make_firmware
cd "$work" || exit 1

# Kept by wsntop itself, out of a stream that begins again with each refresh.
python3 "$root/tests/screen/wsn.py" record played.wsnrec fw.elf refreshes=20 text=tick || fail "wsn.py"
"$WSNTOP" -B -f wsn -p played.wsnrec -e fw.elf -r whole.wsnrec -x json:whole.json || fail "status $?"

cat >damage.py <<'END'
import struct
import sys

data = bytearray(open('whole.wsnrec', 'rb').read())
chunks, at = [], 16
while at < len(data):
    length = struct.unpack_from('<I', data, at + 8)[0]
    if not length >> 31:		# what the recording says of itself
        chunks.append(at)
    at += 16 + (length & 0x7fffffff)
assert len(chunks) >= 10, len(chunks)
begin, end = chunks[len(chunks) // 2], chunks[len(chunks) // 2 + 1]
where = {'time': begin + 2, 'length': begin + 8, 'long': begin + 11, 'bytes': begin + 14, 'check': end - 1}
data[where[sys.argv[1]]] ^= 0x15
open('damaged.wsnrec', 'wb').write(data)
print(end - begin)
END
for what in time length long bytes check; do
	left=$(python3 damage.py $what) || fail "damage.py"
	"$WSNTOP" -B -f wsn -p damaged.wsnrec -e fw.elf -x json:damaged.json 2>err || fail "$what: status $?"
	grep -q "recording cut or damaged: $left bytes left out" err || fail "$what: $(cat err)"
	python3 - <<-'END' || fail "$what: the profile behind the damage"
		import json
		whole, damaged = (json.load(open(f + '.json')) for f in ('whole', 'damaged'))
		assert whole['functions'] and any(f['calls'] for f in whole['functions'])
		assert whole['functions'] == damaged['functions']
		assert whole['edges'] == damaged['edges']
		assert whole['node']['profiled_s'] == damaged['node']['profiled_s']
	END
done

# The shell leaves the ~ behind a colon; it is the home folder all the same.
mkdir home
HOME=$work/home "$WSNTOP" -B -f wsn -p whole.wsnrec -e fw.elf -x 'csv:~/p.csv' || fail "~: status $?"
[ -s home/p.csv ] && [ ! -e '~' ] || fail "~ is not the home folder"
