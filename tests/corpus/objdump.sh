#!/bin/sh
# tests/corpus/objdump.sh: make the seeds of fuzz_objdump again: what each disassembler makes of a small
# function. Needs the compilers of packages.txt. The results are kept in tests/corpus/objdump/.
set -eu
cd "$(dirname "$0")/objdump"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cat >"$work/s.c" <<'END'
static const int table[] = { 3, 5, 8 };
__attribute__((noinline)) int leaf(int v) { return table[v & 1] * v; }
int start(int v) { int sum = 0; for (int i = 0; i < v; i++) sum += leaf(i) / (v + 1); return sum; }
END
seed() {	# NAME OBJDUMP COMPILER...: byte 0 says in pieces of which size it comes
	name=$1 objdump=$2
	shift 2
	"$@" -O1 -c -o "$work/$name.o" "$work/s.c"
	{ printf '\100'; (cd "$work" && "$objdump" -d -w -z "$name.o"); } >"$name.txt"
}
seed avr avr-objdump avr-gcc -mmcu=atmega1284p
seed arm arm-none-eabi-objdump arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
seed arm-llvm llvm-objdump arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb
seed host objdump gcc -ffreestanding
seed host-llvm llvm-objdump gcc -ffreestanding
! command -v riscv64-unknown-elf-gcc >/dev/null ||
	seed riscv riscv64-unknown-elf-objdump riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -ffreestanding
printf '\001 100:\t90 \tnop\r\n ffffffffffffffff:\t0f \t(bad)\n 1: e8 \tx\n\n 2:\tadd \tadd\n 3:\t90' >odd.txt
printf '\0 100:\tfe cf \trjmp\t.-2 \t; 0x100 <f>\n 102:\t09 f4 \tbrne\t.+2\n 104:\t00 00 \tjmp\t.-99999\n 106:\t00 00 \tb.n\t102 <f+0x2>\n' >jumps.txt
printf ' 108:\t00 00 \tcbz\tr0, 106 <f>\n 10a:\t00 00 \tjnz\t$-6\n 10c:\t00 00 \tjmp\t,,,<;\n 10e:\t00 00 \tjmp\t-\n' >>jumps.txt
