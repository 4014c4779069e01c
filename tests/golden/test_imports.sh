#!/bin/bash
# Files of other tools as a source and as a baseline: what we exported comes back with the same figures; a Callgrind
# file of valgrind and a gmon.out of the host's gcc show what callgrind_annotate and gprof make of them; damage is
# refused in one line.
# Sanitized: long: the readers have a fuzzer and sanitized unit tests; most of its seconds are valgrind's and the simulator's.
. "$(dirname "$0")/lib.sh"
export WSNTOP_LIBEXEC=$root/build	# the simulators, of a sanitized wsntop too
need_tools python3 valgrind callgrind_annotate gcc gprof
cd "$work" || exit 1
imports=$root/tests/golden/imports.py

# --- there and back

firmware=$root/build/sim/firmware/radio.elf
[ -x "$root/build/wsntop-simavr" ] && [ -f "$firmware" ] || skip "no simulated firmware: make sim"
ran() {	# SECONDS
	"$WSNTOP" -B -p simavr:atmega1284p@8M -e "$firmware" --for="$1" -x json:a.json -x pprof:a.pb.gz -x callgrind:a.out \
		-x folded:a.folded -x gmon:gmon.out 2>err || fail "$(cat err)"
	grep -q task_post a.json
}
longer 1 ran || fail "the simulator did not come to task_post"
for file in a.json a.pb.gz a.out a.folded; do
	"$WSNTOP" -B -p "$file" -x "json:$file.back" 2>err || fail "$file: $(cat err)"
	python3 "$imports" same a.json "$file.back" "$file" || exit 1
done
"$WSNTOP" convert a.pb.gz -x pprof:again.pb.gz 2>err || fail "$(cat err)"
python3 "$root/tests/golden/exports.py" labels a.pb.gz again.pb.gz || exit 1

# By way of a snapshot nothing is lost: paths and edges.
for file in a.pb.gz a.out a.folded; do
	"$WSNTOP" convert "$file" -x json:way.json -x folded:straight 2>err && "$WSNTOP" convert way.json -x folded:round 2>err ||
		fail "$file: $(cat err)"
	cmp straight round || fail "$file: other paths by way of JSON"
done
grep -q '\(^\|;\)main;' round || fail "no path: $(head -n 3 round)"

# Any as any other; and in every format that it has something for, which agree.
every() {	# FOLDER FILE [WSNTOP-ARGUMENTS...]
	local to=$1/${2//./_}
	mkdir -p "$1"
	"$WSNTOP" convert "${@:2}" -x "json:$to.json" -x "callgrind:$to.callgrind" -x "folded:$to.folded" \
		-x "flamegraph:$to.svg" -x "pprof:$to.pb.gz" -x "prometheus:$to.prom" -x "csv:$to.csv" -x "html:$to.html" \
		-x "firefox:$to.firefox" -x "speedscope:$to.speedscope" -x flat:rest -x text:rest -x dot:rest -x gmon:rest \
		2>err || fail "$2: $(cat err)"
}
for file in a.json a.pb.gz a.out a.folded gmon.out; do
	elf=()
	[ "$file" = gmon.out ] && elf=(-e "$firmware")
	every every "$file" "${elf[@]}"
	# Of what passes a filter nothing is missing.
	[ "$file" = a.folded ] || every only "$file" "${elf[@]}" --filter='^task_|_task$'
	for traced in trace perfetto ctf log log-csv log-json vcd; do
		"$WSNTOP" convert "$file" "${elf[@]}" -x "$traced:none" 2>err && fail "$file as $traced: written"
		grep -q 'no call trace' err && [ "$(wc -l <err)" = 1 ] || fail "$file as $traced: $(cat err)"
	done
done
python3 "$root/tests/golden/exports.py" every && python3 "$root/tests/golden/exports.py" only --only='^task_|_task$' || exit 1
for file in a.json a.pb.gz a.out a.folded; do
	for to in json:x.json pprof:x.pb.gz callgrind:x.out folded:x.folded; do
		"$WSNTOP" convert "$file" -x "$to" 2>err && "$WSNTOP" convert "${to#*:}" -x json:x.back 2>>err || fail "$file as $to: $(cat err)"
		case $file$to in *folded*) what="$file as ${to%:*}.folded" ;; *) what="$file as $to" ;; esac
		python3 "$imports" same a.json x.back "$what" || exit 1
	done
done
"$WSNTOP" -B -p gmon.out -e "$firmware" -x json:gmon.back 2>err || fail "gmon.out: $(cat err)"
python3 "$imports" near a.json gmon.back gmon.out || exit 1
for file in a.json a.pb.gz a.out gmon.out; do
	"$WSNTOP" -B -p a.json -e "$firmware" --baseline="$file" -x changes 2>err | grep -q task_post || fail "baseline $file: $(cat err)"
done

# --- of others

cat >fib.c <<'C'
__attribute__((noinline)) int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__attribute__((noinline)) int half(int n) { int s = 0; for (int i = 0; i < n; i++) s += fib(10) / (i + 1); return s; }
int main(void) { volatile int s = 0; for (int i = 0; i < 40; i++) s += half(50); return 0; }
C
gcc -g -O1 -o fib fib.c && valgrind --tool=callgrind --callgrind-out-file=theirs.out ./fib 2>valgrind.err || fail "$(cat valgrind.err)"
"$WSNTOP" -B -p theirs.out -x json:theirs.json 2>err || fail "valgrind's: $(cat err)"
callgrind_annotate --auto=no --threshold=100 --show-percs=no theirs.out >annotated || fail "callgrind_annotate"
python3 "$imports" annotated annotated theirs.json || exit 1
# By line, as it was and as we write it again; of lines and instructions, too.
valgrind --tool=callgrind --dump-instr=yes --callgrind-out-file=instr.out ./fib 2>valgrind.err || fail "$(cat valgrind.err)"
for file in theirs.out instr.out; do
	"$WSNTOP" convert "$file" -x callgrind:again.out 2>err || fail "$file: $(cat err)"
	for of in "$file" again.out; do
		callgrind_annotate --auto=yes --show-percs=no --context=0 "$of" fib.c >"lines.$of" 2>&1 || fail "$of"
	done
	python3 "$imports" lines "lines.$file" lines.again.out || exit 1
done
python3 "$imports" sites theirs.json - || exit 1
"$WSNTOP" convert theirs.out -x callgrind:straight 2>err && "$WSNTOP" convert theirs.json -x callgrind:round 2>err ||
	fail "theirs: $(cat err)"
cmp <(grep -v '^desc: Node' straight) <(grep -v '^desc: Node' round) || fail "other lines by way of JSON"

gcc -pg -g -O1 -no-pie -o fibpg fib.c 2>err && ./fibpg || fail "$(cat err)"
gprof -b -p ./fibpg gmon.out >/dev/null 2>&1
mv gmon.out host.gmon
gprof -b -p ./fibpg host.gmon >flat 2>err || fail "gprof: $(cat err)"
"$WSNTOP" -B -p host.gmon -e fibpg -x json:host.json 2>err || fail "the host's gmon.out: $(cat err)"
python3 "$imports" gprof flat host.json || exit 1

# --- damaged

refused() {	# FILE
	! "$WSNTOP" -B -p "$1" >out 2>err || fail "$1: taken"
	[ "$(wc -l <err)" = 1 ] || fail "$1: $(cat err)"
}
head -c 300 a.pb.gz >cut.pb.gz && refused cut.pb.gz
printf '# callgrind format\nfn=main\n' >none.out && refused none.out
printf 'not a stack\n' >none.folded && refused none.folded
head -c 30 host.gmon >cut.gmon && refused cut.gmon
echo "imports agree"
