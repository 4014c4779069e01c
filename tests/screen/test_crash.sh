#!/bin/bash
# A crash of wsntop itself: the terminal is as it was, the recording is named and whole, the backtrace has the functions.
. "$(dirname "$0")/lib.sh"
case $WSNTOP in *asan*) skip "a sanitizer allows no library before it" ;; esac
faulty=$(dirname "$screen")/faulty.so
[ -x "$faulty" ] || skip "there is no $faulty: make tools"
command -v addr2line >/dev/null || skip "addr2line is not installed"
make_app
echo 'int beside(int a) { return a + 1; }' | ${CC:-cc} -g -xc -c - -o "$work/beside.o" &&
	ld -z noexecstack -Ttext=0 -e main -o "$work/debug.elf" "$work/app.o" "$work/beside.o" || skip "no compiler for this machine"
report node >"$work/node.txt"
"$(dirname "$screen")/day_made" "$work/made.wsnrec" 0.01 || fail "day_made"
cd "$work" || exit 1
state=$XDG_STATE_HOME/wsntop
rm -rf "$XDG_STATE_HOME"
# shellcheck disable=SC3044
ulimit -c 0

functions() {	# what the report has, innermost first
	grep -o ' wsntop+0x[0-9a-f]*$' "$state"/crash-*.txt | sed 's/.*+//' | xargs addr2line -ife "$WSNTOP" | grep -v : || true
}

has() {	# function...
	local f
	functions >functions
	for f; do grep -qx "$f" functions || fail "$f is not in the backtrace: $(cat functions "$state"/crash-*.txt)"; done
}

crash() {	# status, FAULTY, argument...: a batch run; what it says is in err
	local status=$1 what=$2 got
	shift 2
	rm -f "$state"/crash-*.txt
	{ FAULTY=$what LD_PRELOAD=$faulty "$WSNTOP" -B "$@" >out 2>err; } 2>/dev/null
	got=$?
	[ $got = "$status" ] || fail "$what: status $got: $(cat err)"
}

# A batch run: two lines, and the report; the recording is the first six writes: a header, and five chunks.
for way in crash:139:SIGSEGV overflow:139:SIGSEGV abort:134:SIGABRT; do
	IFS=: read -r how status name <<<"$way"
	rm -f day.wsnrec*
	crash "$status" "write@day.wsnrec=$how:7" --speed=max -p made.wsnrec -r day.wsnrec -x json:never.json
	[ "$(wc -l <err)" = 2 ] || fail "$how: $(cat err)"
	grep -qE "^wsntop: crashed: $name( at 0x[0-9a-f]+)?; backtrace in $state/crash-[0-9]+\.txt$" err || fail "$how: $(cat err)"
	grep -qx "wsntop: $work/day.wsnrec: recording stopped (it is complete up to here)" err || fail "$how: $(cat err)"
	head -1 "$state"/crash-*.txt | grep -qE "^wsntop [0-9.]+ crashed: $name" || fail "$how: $(cat "$state"/crash-*.txt)"
	[ $how = overflow ] || has record_bytes record_chunks node_service batch_run main
	[ ! -e never.json ] || fail "an export of half a run"
	"$WSNTOP" -B --speed=max -f wsn -p day.wsnrec -x json:day.json 2>err || fail "the recording: status $?: $(cat err)"
	! grep -q 'left out' err || fail "the recording has damage: $(cat err)"
	python3 - <<-'END' || fail "the recording is not five whole chunks"
		import struct
		data, at, chunks = open('day.wsnrec', 'rb').read(), 16, 0
		while at < len(data):
		    at += 16 + (struct.unpack_from('<I', data, at + 8)[0] & 0x1fffffff)
		    chunks += 1
		assert at == len(data) and chunks == 5, (at, len(data), chunks)
	END
done

# From outside, with nothing that is recorded; and no folder for the report: it is on standard error.
mkfifo pipe
{ "$WSNTOP" -B -p - <pipe 2>err >out & } 2>/dev/null
pid=$!
exec 3>pipe
until grep -q '^SigCgt:.*[0-9a-f]*4..$' /proc/$pid/status; do sleep 0.02; done
kill -SEGV $pid
wait $pid 2>/dev/null
[ $? = 139 ] || fail "kill -SEGV"
exec 3>&-
grep -qx "wsntop: crashed: SIGSEGV from process $$; backtrace in $state/crash-$pid.txt" err || fail "kill -SEGV: $(cat err)"
XDG_STATE_HOME=/proc/nowhere crash 139 write@day.wsnrec=crash:7 --speed=max -p made.wsnrec -r day.wsnrec --force
grep -q '^wsntop: crashed: SIGSEGV at 0x0; backtrace below$' err && grep -q '^ #[0-9]* wsntop+0x' err || fail "nowhere: $(cat err)"

# On the screen: in the main thread while it records, in the thread that reads DWARF, by an overflow in either.
on_screen() {	# FAULTY, status, step, the line that is said...
	rm -rf go "$state" screen.wsnrec*
	screen -s 160x24 env LD_PRELOAD="$faulty" FAULTY="$1" FAULTY_AFTER="$work/go" \
		"$WSNTOP" -f prof -p node.txt -e debug.elf -r screen.wsnrec <<-END
		$3
		run touch '$work/go'
		exit $2
		wait crashed: SIG
		wait screen.wsnrec: recording stopped (it is complete up to here)
		gone 3tree
		whole
		END
	"$WSNTOP" -B -f prof -p screen.wsnrec -e debug.elf -x json:screen.json 2>err || fail "$1: the recording: $(cat err)"
}
: >go
on_screen fork=crash 139 'wait uart_write'
has read_debug confined_start
on_screen fork=abort 134 'wait uart_write'
on_screen fork=overflow 139 'wait uart_write'

screen -s 160x24 env LD_PRELOAD="$faulty" FAULTY='open@flat.txt=crash' \
	"$WSNTOP" -f prof -p node.txt -e app.elf -r again.wsnrec <<-END
	wait uart_write
	keys x<Enter>
	wait Write to:
	keys <C-u>flat.txt<Enter>
	exit 139
	wait crashed: SIG
	wait again.wsnrec: recording stopped (it is complete up to here)
	gone 3tree
	whole
	END
rm -f "$state"/crash-*.txt
