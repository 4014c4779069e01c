#!/bin/sh
# tests/corpus/filter.sh: make the seeds of fuzz_filter again: assembler text of gcc and clang. Needs the
# compilers of packages.txt. The results are kept in tests/corpus/filter/; byte 0 names the chip and the options.
set -eu
cd "$(dirname "$0")/filter"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cat >"$work/s.c" <<'END'
int more(int), (*table[2])(int), zero;
static __attribute__((noinline)) int leaf(int v) { return v * 3; }
int start(int v) { if (v & 4) return 3; return more(v) + leaf(v) + more(v + 1); }
int tail(int v) { return more(v + 1); }
int indirect(int v) { return table[v & 1](v); }
int cases(int v) { switch (v) { case 0: return more(1); case 1: return 7; case 2: return more(2) + 1; case 3: return 4;
	case 4: return 77; case 5: return more(9); case 6: return 1; } return 0; }
int jumps(int v) { static void *const to[] = { &&a, &&b }; goto *to[v]; a: return more(1) + 1; b: return more(2) + 3; }
int assembly(int v) { __asm__ volatile("nop"); return more(v) + 2; }
__attribute__((naked)) void bare(void) { __asm__ volatile("ret"); }
void __vector_3(void) HANDLER;
void __vector_3(void) { zero = more(zero); }
END
seed() {	# NAME BYTE COMPILER...
	name=$1 byte=$2
	shift 2
	printf "$byte" >"$name.s"
	"$@" -S -o - "$work/s.c" >>"$name.s" 2>/dev/null
}
seed avr-Os '\001' avr-gcc -DHANDLER='__attribute__((signal))' -mmcu=atmega328p -Os
seed avr-O0 '\003' avr-gcc -DHANDLER='__attribute__((signal))' -mmcu=attiny85 -O0 -gdwarf-2
seed thumb2 '\000' arm-none-eabi-gcc -DHANDLER= -mcpu=cortex-m3 -mthumb -O2 -g
seed thumb1 '\010' arm-none-eabi-gcc -DHANDLER= -mcpu=cortex-m0 -mthumb -Os
seed clang '\000' clang --target=arm-none-eabi -DHANDLER= -mcpu=cortex-m3 -Os
