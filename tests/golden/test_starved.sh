#!/bin/bash
# Memory ends at any allocation of a batch run: no crash, a line and a status that is not 0 where anything is missing, no half
# a file. One allocation in STARVED_SAMPLE (tests/long/test_starved.sh: all of them).
. "$(dirname "$0")/lib.sh"
case $WSNTOP in *asan*) skip "a sanitizer allows no library before it" ;; esac
case $WSNTOP in *covered*) skip "the counters' own code does not expect it" ;; esac
need_tools python3 as ld
faulty=$root/build/tests/tools/faulty.so
made=$root/build/tests/tools/trace_made
[ -x "$faulty" ] && [ -x "$made" ] || { echo "FAILED: no $faulty, $made: make tools"; exit 1; }
WSNTOP=$(realpath "$WSNTOP")
cd "$work" || exit 1
export TZ=UTC
# shellcheck disable=SC3044
ulimit -c 0

starve() {	# one in how many, file... -- command...: in a folder of its own
	local sample=${STARVED_SAMPLE:-$1}
	shift
	rm -rf runs && mkdir runs
	(cd runs && python3 "$here/starve.py" "$faulty" "$sample" "$@") || fail "$*"
}

# A report of a firmware with debug information, recorded, and exported to what names and lines are written in.
cat >fw.c <<'END'
static int sum;
static inline int twice(int a) { return a + a; }
__attribute__((noinline)) int adc_read(int a) { sum += twice(a); return sum; }
__attribute__((noinline)) int sample(int a) { return adc_read(a) + adc_read(a + 1); }
__attribute__((noinline)) int send(int a) { sum ^= a; return sum; }
int main(void) { for (;;) send(sample(sum)); }
END
${CC:-cc} -g -O1 -fno-pie -ffreestanding -c fw.c -o fw.o && ld -z noexecstack -Ttext=0x100 -e main -o fw.elf fw.o ||
	skip "no compiler for this machine"
at() {	# function: its address
	nm fw.elf | sed -n "s/^0*\([0-9a-f]*\) T $1\$/\1/p"
}
behind() {	# the place behind the call of CALLEE in CALLER
	objdump -d fw.elf | sed -n "/<$1>:/,/^\$/p" |
		awk -v to="<$2>" 'hit { sub(":", "", $1); print $1; exit } index($0, to) && /call|bl/ { hit = 1 }'
}
printf '%s\n' 'PROF:node:3:20:65536:32768' "$(behind main sample):$(at sample):100:16384:64:512" \
	"$(behind main send):$(at send):50:32768:600:800" "$(behind sample adc_read):$(at adc_read):200:8192:20:120" >node.txt
starve 5 a.wsnrec a.json a.csv a.pb a.html a.dot a.gmon a.cg -- "$WSNTOP" -B --speed=max -f prof -p ../node.txt -e ../fw.elf \
	-r a.wsnrec -x json:a.json -x csv:a.csv -x pprof:a.pb -x html:a.html -x dot:a.dot -x gmon:a.gmon -x callgrind:a.cg

# A call trace, and what its exports are made of.
as -o traced.o "$root/tests/screen/traced.s" && ld -Ttext=0 -e main -o traced.elf traced.o || skip "no assembler for this machine"
"$made" traced.rec 1 marks || fail "no recording"
starve 24 a.json a.folded a.trace a.perfetto a.ctf a.log a.vcd -- "$WSNTOP" -B --speed=max -p ../traced.rec -e ../traced.elf \
	-x json:a.json -x folded:a.folded -x trace:a.trace -x perfetto:a.perfetto -x ctf:a.ctf -x log:a.log -x vcd:a.vcd
