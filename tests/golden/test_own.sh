#!/bin/bash
# A firmware of our own, built here, and a report on it of which every number is known: every export.
. "$(dirname "$0")/lib.sh"
need_tools avr-gcc avr-objdump avr-gprof python3

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
avr-gcc -mmcu=atmega1284p -O0 -gdwarf-2 -o "$work/own.elf" "$work/own.c" || fail "avr-gcc"
avr-objdump -d "$work/own.elf" >"$work/own.lst" || fail "avr-objdump"
python3 "$here/own.py" report "$work/own.lst" >"$work/uart.txt" || fail "no report"

"$WSNTOP" -B -p "$work/uart.txt" -e "$work/own.elf" --sort=calls \
	-x "json:$work/p.json" -x "csv:$work/p.csv" -x "gmon:$work/gmon.out" -x "dot:$work/g.dot" \
	-x "flat:$work/flat.txt" -x "text:$work/p.txt" || fail "status $?"
"$WSNTOP" -B -p "$work/uart.txt" -e "$work/own.elf" --sort=calls >"$work/default.txt" || fail "status $?"
cmp "$work/flat.txt" "$work/default.txt" || fail "-B prints something else than the flat profile"
python3 "$here/own.py" check "$work" || fail "numbers"
avr-gprof -b "$work/own.elf" "$work/gmon.out" >"$work/got.txt" || fail "avr-gprof refused gmon.out"
python3 "$here/gmon_check.py" "$work/got.txt" "$work/p.json" || fail "gmon"

"$WSNTOP" -B -p "$work/uart.txt" -e "$work/own.elf" --filter='^fib$' >"$work/one.txt" || fail "filter"
grep -q ' fib$' "$work/one.txt" || fail "the filter lost fib"
grep -q ' leaf$' "$work/one.txt" && fail "the filter left leaf"
"$WSNTOP" -B -p "$work/uart.txt" -e "$work/own.elf" -x "json:$work/none/p.json" 2>"$work/err" &&
	fail "a file that cannot be written passed"
[ "$(wc -l <"$work/err")" = 1 ] || fail "not one line: $(cat "$work/err")"

if command -v dot >/dev/null; then
	dot -Tsvg -o "$work/g.svg" "$work/g.dot" 2>"$work/err" || fail "dot"
	[ -s "$work/err" ] && fail "dot: $(cat "$work/err")"
fi
echo "ok"
