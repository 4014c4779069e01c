#!/bin/bash
# A firmware of our own, built here for three machines, and a report on it of which every number is
# known: every export, and GNU gprof of each toolchain on gmon.out.
. "$(dirname "$0")/lib.sh"
need_tools avr-gcc avr-objdump avr-gprof arm-none-eabi-gcc arm-none-eabi-gprof gcc objdump gprof python3

cat >"$work/own.c" <<'END'
typedef unsigned int number;
volatile number sink;

__attribute__((noinline)) void leaf(number n)
{
	sink += n;
}

__attribute__((noinline)) void work(number n)
{
	leaf(n);		/* first */
	leaf(n + 1);		/* second */
}

__attribute__((noinline)) number fib(number n)
{
	if (n < 2)
		return n;
	return fib(n - 1) +	/* left */
	       fib(n - 2);	/* right */
}

int main(void)
{
	for (;;) {
		work(3);	/* job */
		sink = fib(9);	/* sum */
	}
}
END
check() {	# machine, prefix of its tools, compiler's options...
	local machine=$1 prefix=$2
	shift 2
	"${prefix}gcc" "$@" -O0 -gdwarf-2 -o own.elf own.c || fail "$machine: gcc"
	"${prefix}objdump" -d own.elf >own.lst || fail "$machine: objdump"
	python3 "$here/own.py" report own.lst >uart.txt || fail "$machine: no report"

	"$WSNTOP" -B -p uart.txt -e own.elf --sort=calls -x json:p.json -x csv:p.csv \
		-x gmon:gmon.out -x dot:g.dot -x flat:flat.txt -x text:p.txt || fail "$machine: status $?"
	"$WSNTOP" -B -p uart.txt -e own.elf --sort=calls >default.txt || fail "$machine: status $?"
	cmp flat.txt default.txt || fail "$machine: -B prints something else than the flat profile"
	python3 "$here/own.py" check . || fail "$machine: numbers"
	"${prefix}gprof" -b own.elf gmon.out >got.txt || fail "$machine: gprof refused gmon.out"
	python3 "$here/gmon_check.py" got.txt p.json || fail "$machine: gmon"
	"$WSNTOP" -B -p uart.txt -e own.elf --correct -x gmon:gmon.out || fail "$machine: --correct"
	"${prefix}gprof" -b own.elf gmon.out | grep -q 'Each sample .* seconds  (est.)\.' ||
		fail "$machine: gmon.out does not say that it is an estimate"
	if command -v dot >/dev/null; then
		dot -Tsvg -o g.svg g.dot 2>err || fail "$machine: dot"
		[ -s err ] && fail "$machine: dot: $(cat err)"
	fi
	echo "ok $machine"
}

cd "$work" || fail "no directory"
check avr avr- -mmcu=atmega1284p
check arm arm-none-eabi- -mcpu=cortex-m0 -mthumb -nostdlib -Wl,-e,main -Wl,-Ttext=0x8000
check host "" -no-pie

"$WSNTOP" -B -p uart.txt -e own.elf --filter='^fib$' >one.txt || fail "filter"
grep -q ' fib$' one.txt || fail "the filter lost fib"
grep -q ' leaf$' one.txt && fail "the filter left leaf"
"$WSNTOP" -B -p uart.txt -e own.elf -x json:none/p.json 2>err && fail "a file that cannot be written passed"
[ "$(wc -l <err)" = 1 ] || fail "not one line: $(cat err)"
echo "ok options"

# A report's name is the node's: it may hold anything.
python3 "$here/own.py" hostile uart.txt >hostile.txt
"$WSNTOP" -B -p hostile.txt -e own.elf --cluster -x dot:g.dot -x json:p.json -x text:p.txt || fail "hostile name"
grep -q $'\x1b' g.dot p.json p.txt && fail "a control byte of the node came through"
python3 -c 'import json; assert json.load(open("p.json"))["report"]["name"].startswith("a\"b\\c<d>|{e}&lt;")' ||
	fail "hostile name in json"
if command -v dot >/dev/null; then
	dot -Tsvg -o g.svg g.dot 2>err || fail "hostile name: dot"
	[ -s err ] && fail "hostile name: dot: $(cat err)"
fi
echo "ok hostile name"
