#!/bin/bash
# The command line: what is wrong with it is said in one line, with status 2; what cannot be read, 1.
. "$(dirname "$0")/lib.sh"
make_app
report node >"$work/node.txt"
cd "$work" || exit 1

# refused STATUS "words" ARGUMENT...
refused() {
	local status=$1 words=$2 got
	shift 2
	"$WSNTOP" "$@" >out 2>err </dev/null
	got=$?
	[ "$got" = "$status" ] || fail "wsntop $*: status $got, not $status"
	[ "$(wc -l <err)" = 1 ] || fail "wsntop $*: not one line: $(cat err)"
	grep -q '^wsntop: ' err || fail "wsntop $*: $(cat err)"
	grep -qF -- "$words" err || fail "wsntop $*: \"$words\" is not in: $(cat err)"
	[ ! -s out ] || fail "wsntop $*: wrote to standard output"
}

refused 2 'unknown or ambiguous option' --nonsense
refused 2 'unknown option' -q
refused 2 'a value is missing' -e
refused 2 'takes no value' --batch=yes
refused 2 'not an option' nothing.txt
refused 2 'give -p SOURCE' -B
refused 2 'expected a whole number' -B -p node.txt --baud=fast
refused 2 'expected a whole number' -B -p node.txt --limit=-1
refused 2 'above 0' -B -p node.txt --hz=0
refused 2 'above 0' -B -p node.txt --for=never
refused 2 'above 0, or max' -B -p node.txt --speed=-2
refused 2 'self%, self, total, calls' -B -p node.txt --sort=size
refused 2 'auto, wsn, prof, gprof, gprof-hex, itm, openocd, gdb, sim' -B -p node.txt -f morse
refused 2 'text, gmon, dot, json, csv' -B -p node.txt -x pdf:out
refused 2 'missing closing parenthesis' -B -p node.txt '--filter=('
refused 2 'counted from #1' -B -p node.txt '--report=#0'
refused 2 'each needs its own' -B -p node.txt -p node.txt -r out
refused 2 'not a terminal' -p node.txt
refused 2 'not a terminal'
refused 2 'no such theme; there are' -p node.txt --theme=dusk
refused 1 'no such file' -B -p /nowhere/port
refused 1 'ELF' -B -p node.txt -e node.txt
[ -e out.pdf ] && fail "a refused run left a file"
# No export replaces what the run reads or writes, by whatever path; what else it names it replaces.
cp app.elf app.copy && cp node.txt node.copy && ln -f node.txt node.link && touch config.ini out.2
refused 2 'app.elf is an input of this run; give another file' -B -p node.txt -e app.elf -x csv:app.elf
refused 2 'is an input of this run' -B -p node.txt -e app.elf -x csv:./node.txt
refused 2 'is an input of this run' -B -p file:node.txt -e app.elf -x flat -x csv:node.link
refused 2 'is an input of this run' -B -p node.txt -e app.elf --config=config.ini -x csv:config.ini
refused 2 'out.2 is an input of this run' -B -p node.copy -p node.txt -e app.elf -r a -r out.2 -x json:out
"$WSNTOP" -B -p - -e app.elf -x csv:node.txt <node.txt 2>err && fail "standard input was replaced"
grep -q 'is an input of this run' err || fail "$(cat err)"
cmp app.elf app.copy && cmp node.txt node.copy || fail "an input was replaced"
rm out.2
echo old >replaced.csv
"$WSNTOP" -B -p node.txt -e app.elf -x csv:replaced.csv 2>/dev/null && grep -q crc16 replaced.csv || fail "-x asks"

"$WSNTOP" --version | grep -qx 'wsntop [0-9.]*' || fail "--version"
"$WSNTOP" -h >help && "$WSNTOP" --help | cmp - help || fail "--help"
grep -q 'dot .*Graphviz (--cluster, --per-site)$' help || fail "--help: dot's options are not with it"
[ "$(expand help | wc -L)" -le 110 ] || fail "--help is wider than 110 columns"
"$WSNTOP" --help >/dev/full 2>err && fail "a full disk is no failure"
grep -q 'standard output' err || fail "a full disk is not said"

# A closed standard descriptor is not the next file that is opened.
"$WSNTOP" -B -p - -e app.elf <&- >out 2>err && fail "standard input is closed"
grep -q 'no data came\|closed\|cannot be read' err || fail "closed standard input: $(cat err)"
"$WSNTOP" -B -p node.txt -f prof -e app.elf -r rec >&- 2>err && fail "standard output is closed"
grep -q 'standard output' err || fail "closed standard output: $(cat err)"
"$WSNTOP" -B -p rec --speed=max -e app.elf -x csv:rec.csv 2>&- || fail "what was recorded meanwhile"
"$WSNTOP" -B -p node.txt -e app.elf -x csv:node.csv 2>/dev/null && cmp rec.csv node.csv || fail "another recording"
head -c -3 rec >cut
"$WSNTOP" -B -p cut --speed=max 2>err && fail "a recording of nothing"
grep -q 'recording cut or damaged' err || fail "a cut recording: $(cat err)"
(ulimit -f 1; yes "$(cat node.txt)" | head -c 100000 | "$WSNTOP" -B -p - -e app.elf -r full >out 2>err)
[ "$(grep -o 'recording stopped' err | wc -l)" = 2 ] && tail -n 1 err | grep -q 'recording stopped' ||
	fail "a full disk is said when it is full, and last: $(cat err)"
(ulimit -f 0; "$WSNTOP" -B -p node.txt -e app.elf -x json:large 2>/dev/null)
[ $? = 1 ] || fail "a file size limit is no failure like others"
[ -z "$(find . -name '*large*')" ] || fail "a temporary stays"

# So long that no clock has it: to the end of the input.
"$root/sim/watchdog" "$WSNTOP" -B -p node.txt -e app.elf --for=1e300 2>/dev/null | grep -q crc16 || fail "--for=1e300"

# Options may be cut short and stand in any order; values may follow in the next word.
"$WSNTOP" --lim 2 --sor calls -e app.elf -p node.txt -f prof -B -x csv:out.csv || fail "batch"
[ "$(wc -l <out.csv)" = 3 ] || fail "--limit=2: $(cat out.csv)"
[ "$(sed -n 2p out.csv | grep -c 100)" = 1 ] || fail "--sort=calls: $(cat out.csv)"

# Ctrl-C in batch: what was gathered is still printed.
mkfifo pipe
env --default-signal=INT "$WSNTOP" -B -f prof -p - -e app.elf -r got <pipe >out 2>err &
exec 9>pipe
printf '%s\n\n' "$(cat node.txt)" >&9	# the empty line ends it; else a pause would
until grep -q 600: got 2>/dev/null; do sleep 0.05; done
kill -INT $!
wait $!
grep -q crc16 out || fail "interrupted, nothing printed: $(cat err)"
