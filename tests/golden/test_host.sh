#!/bin/bash
# The host fails under a batch run: EIO from any call on a file, no descriptors left, a full disk, clocks that step. What is
# not whole is said in a line and by the status; what was there before stays; nothing half is left.
. "$(dirname "$0")/lib.sh"
case $WSNTOP in *asan*) skip "a sanitizer allows no library before it" ;; esac
need_tools python3 as ld
faulty=$root/build/tests/tools/faulty.so
[ -x "$faulty" ] || { echo "FAILED: no $faulty: make tools"; exit 1; }
WSNTOP=$(realpath "$WSNTOP")
. "$root/tests/screen/firmware.sh"
make_firmware
cd "$work" || exit 1
python3 "$root/tests/screen/wsn.py" record made.wsnrec fw.elf refreshes=6 text=tick || fail "wsn.py"
run=("$WSNTOP" -B --speed=max -f wsn -p made.wsnrec -e fw.elf)

faulty() {	# FAULTY, argument...: the status; what it says is in err
	local what=$1
	shift
	FAULTY=$what LD_PRELOAD=$faulty "$@" >out 2>err.whole
	set -- $?
	sed "s|$work/||; /: no debug information: /d" err.whole >err
	return $1
}

says() {	# line, whole
	grep -qxF "wsntop: $1" err || fail "not said: $1, but: $(cat err)"
	[ "$(wc -l <err)" = "${2:-1}" ] || fail "more than that: $(cat err)"
}

chunks_whole() {	# recording: how many; it has no half one
	python3 - "$1" <<-'END'
		import struct, sys
		data, at, chunks = open(sys.argv[1], 'rb').read(), 16, 0
		while at + 12 <= len(data):
		    at += 16 + (struct.unpack_from('<I', data, at + 8)[0] & 0x1fffffff)
		    chunks += 1
		assert at == len(data), (at, len(data))
		print(chunks)
	END
}

# --- exports: the file that was there stays, no temporary one is left

"${run[@]}" -x json:whole.json -r whole.wsnrec || fail "status $?"
whole=$(chunks_whole whole.wsnrec)
echo before >a.json
before=$(ls)
while read -r fault line; do
	faulty "$fault" "${run[@]}" -x json:a.json && fail "$fault: status 0"
	says "$line"
	[ "$(cat a.json)" = before ] || fail "$fault: a.json: $(head -c 100 a.json)"
	rm -f out err err.whole
	[ "$(ls)" = "$before" ] || fail "$fault: left behind: $(ls)"
done <<-END
	write@a.json=EIO a.json: cannot write: Input/output error
	write@a.json=ENOSPC a.json: cannot write: No space left on device
	sync@a.json=EIO a.json: cannot write: Input/output error
	close@a.json=EIO a.json: cannot write: Input/output error
	rename@a.json=EIO a.json: cannot replace: Input/output error
	open@a.json=EROFS a.json: cannot create a temporary file: Read-only file system
	open@a.json=EMFILE a.json: cannot create a temporary file: Too many open files
END
# What is only short, or interrupted, goes on. One that fails costs no other.
faulty "write@a.json=short:1+ write@whole.json=EINTR:1" "${run[@]}" -x json:a.json || fail "short writes: $(cat err)"
python3 - <<-'END' || fail "short writes: another file"
	import json
	a, b = (json.load(open(f)) for f in ('a.json', 'whole.json'))
	assert a['functions'] and [f['calls'] for f in a['functions']] == [f['calls'] for f in b['functions']]
END
faulty write@a.json=EIO "${run[@]}" -x json:a.json -x csv:a.csv && fail "one of two: status 0"
[ -s a.csv ] || fail "the other export is missing"
"${run[@]}" -x csv 2>&1 >/dev/full | grep -v 'no debug information' >err
[ "${PIPESTATUS[0]}" = 1 ] || fail "standard output is full: status ${PIPESTATUS[0]}"
says "standard output: cannot write: No space left on device"

# --- recordings: whole up to the failure, which ends the run with status 1 and is said; the profile goes on

for fault in write@day.wsnrec=EIO:4+ write@day.wsnrec=EIO:4 "write@day.wsnrec=short:4 write@day.wsnrec=ENOSPC:4"; do
	rm -f day.wsnrec* day.json
	faulty "$fault" "${run[@]}" -r day.wsnrec -x json:day.json && fail "$fault: status 0"
	grep -q '^wsntop: day.wsnrec: recording stopped (it is complete up to here): ' err || fail "$fault: $(cat err)"
	[ -s day.json ] || fail "$fault: no export"
	[ "$(chunks_whole day.wsnrec)" = 2 ] || fail "$fault: $(chunks_whole day.wsnrec) chunks"
	"$WSNTOP" -B --speed=max -f wsn -p day.wsnrec -e fw.elf -x json:day.json 2>err || fail "$fault: the recording: $(cat err)"
done
rm -f day.wsnrec*
faulty "write@day.wsnrec=short:1+" "${run[@]}" -r day.wsnrec -x json:day.json || fail "short writes: $(cat err)"
[ "$(chunks_whole day.wsnrec)" = "$whole" ] || fail "short writes: $(chunks_whole day.wsnrec) chunks of $whole"
# Some file systems (NFS) tell only at the end that bytes are lost.
rm -f day.wsnrec*
faulty "sync@day.wsnrec=EIO" "${run[@]}" -r day.wsnrec -x json:day.json && fail "sync: status 0"
says "day.wsnrec: the end of the recording may be missing: Input/output error"
rm -f day.wsnrec*
faulty "open@day.wsnrec=EROFS" "${run[@]}" -r day.wsnrec && fail "read-only: status 0"
says "day.wsnrec: cannot record: Read-only file system"
# An index is only for speed: nothing is said, and nothing else is missing.
rm -f day.wsnrec*
faulty "write@day.wsnrec.idx=EIO:1+ open@day.wsnrec.idx=EIO:1+" "${run[@]}" -r day.wsnrec -x json:day.json || fail "index: $(cat err)"
[ "$(chunks_whole day.wsnrec)" = "$whole" ] || fail "index: $(chunks_whole day.wsnrec) chunks of $whole"

# --- what is read

faulty read@made.wsnrec=EIO:2+ "${run[@]}" -x json:read.json && fail "EIO while reading: status 0"
grep -q '^wsntop: .*made.wsnrec.*: Input/output error' err || fail "EIO while reading: $(cat err)"
faulty read@fw.elf=EIO:1+ "${run[@]}" -x json:read.json && fail "EIO in the ELF: status 0"
grep -q '^wsntop: fw.elf: cannot be read: Input/output error' err || fail "EIO in the ELF: $(cat err)"

# --- no descriptors, no processes, no threads: the run is whole, or says what is missing

for ((n = 4; n < 16; n++)); do
	rm -f few.json few.wsnrec*
	(ulimit -n $n; exec "${run[@]}" -r few.wsnrec -x json:few.json) 2>err
	status=$?
	[ $status -le 2 ] || fail "$n descriptors: status $status: $(cat err)"
	if [ $status = 0 ]; then
		[ -s few.json ] && [ "$(chunks_whole few.wsnrec)" = "$whole" ] || fail "$n descriptors: status 0, not whole: $(cat err)"
	else
		grep -q '^wsntop: ' err || fail "$n descriptors: $(cat err)"
	fi
done
[ $status = 0 ] || fail "$n descriptors are not enough: $(cat err)"
for fault in fork=EAGAIN:1+ thread=EAGAIN:1+; do
	faulty $fault "${run[@]}" -x json:few.json
	status=$?
	[ $status -le 1 ] || fail "$fault: status $status: $(cat err)"
	[ $status = 0 ] || grep -q '^wsntop: ' err || fail "$fault: nothing is said"
done

# --- a full disk, a read-only home

if unshare -rm true 2>/dev/null; then
	python3 "$root/tests/screen/wsn.py" record big.wsnrec fw.elf refreshes=90 text=tick || fail "wsn.py"
	cat >small.sh <<-'END'
		mkdir -p small && mount -t tmpfs -o size=16k none small || exit 77
		head -c 12000 /dev/zero >small/fill
		echo before >small/a.json
		"$@" -x json:small/a.json 2>full.err && exit 1
		grep -qx 'wsntop: .*small/a.json: cannot write: No space left on device' full.err || exit 2
		[ "$(cat small/a.json)" = before ] || exit 3
		[ "$(ls small)" = "$(printf 'a.json\nfill')" ] || exit 4
		head -c 8000 /dev/zero >small/fill
		"$1" -B --speed=max -f wsn -p big.wsnrec -e fw.elf -r small/day.wsnrec -x json:full.json 2>full.err && exit 5
		grep -q 'small/day.wsnrec: .*No space left on device' full.err || exit 6
		cp small/day.wsnrec full.wsnrec || exit 7
		mkdir -p home && mount -t tmpfs -o ro none home || exit 77
		HOME=$PWD/home XDG_CONFIG_HOME= XDG_STATE_HOME= "$@" -x json:home.json 2>home.err || exit 8
		! grep -v 'no debug information' home.err || exit 9
		HOME=$PWD/home "$@" -x 'json:~/a.json' 2>home.err && exit 10
		grep -qx 'wsntop: .*home/a.json: cannot create a temporary file: Read-only file system' home.err || exit 11
	END
	unshare -rm bash small.sh "${run[@]}"
	status=$?
	[ $status = 77 ] || [ $status = 0 ] || fail "full disk: step $status: $(cat ./*.err)"
	[ $status = 77 ] || chunks_whole full.wsnrec >/dev/null || fail "full disk: half a chunk"
fi

# --- the wall clock steps while it replays and records, by an hour, forth and back

for fault in real=+3600:2 real=-3600:2; do
	rm -f clock.wsnrec* clock.json
	faulty "$fault" "${run[@]}" -r clock.wsnrec -x json:clock.json || fail "$fault: status $?: $(cat err)"
	[ ! -s err ] || fail "$fault: $(cat err)"
	"$WSNTOP" -B --speed=max -f wsn -p clock.wsnrec -e fw.elf -x json:clock.json 2>err || fail "$fault: replayed: $(cat err)"
	python3 - "$fault" <<-'END' || fail "$fault: other figures, or times"
		import json, struct, sys
		a, b = (json.load(open(f)) for f in ('clock.json', 'whole.json'))
		counts = lambda x: [(f['name'], f['calls'], f['total_s']) for f in x['functions']]
		assert counts(a) == counts(b)
		data, at, times = open('clock.wsnrec', 'rb').read(), 16, []
		while at + 12 <= len(data):
		    times.append(struct.unpack_from('<Q', data, at)[0] / 1e9)
		    at += 16 + (struct.unpack_from('<I', data, at + 8)[0] & 0x1fffffff)
		assert times == sorted(times)
		assert times[-1] < 60, times[-1]
	END
done
