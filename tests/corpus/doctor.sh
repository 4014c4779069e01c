#!/bin/sh
# tests/corpus/doctor.sh: make the seeds of fuzz_doctor again: tiny instrumented ELFs.
# Needs the compilers of packages.txt. The results are kept in tests/corpus/doctor/.
set -eu
cd "$(dirname "$0")/doctor"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cat >"$work/s.c" <<'END'
volatile int sink;
__attribute__((noinline)) int leaf(int v) { return sink += v; }
int start(int v) { sink = v; return leaf(v * 3); }
END
cat >"$work/h.c" <<'END'
char wsnprof_table[64];
void wsnprof_init(void) { wsnprof_table[0]++; }
void __cyg_profile_func_enter(void *f, void *s) { wsnprof_init(); }
void __cyg_profile_func_exit(void *f, void *s) { }
void __gnu_mcount_nc(void) { }
END
link="-nostdlib -Wl,-e,start -Wl,--build-id=none -Os -fno-asynchronous-unwind-tables"
make_one() {	# name, flags of the application, compiler and flags...
	out=$1 flags=$2; shift 2
	(cd "$work" && "$@" -c h.c -o h.o && "$@" $flags s.c h.o -o s.elf)
	cp "$work/s.elf" "$out"
	chmod 644 "$out"
}
make_one avr.elf "-ggdb -finstrument-functions" avr-gcc -mmcu=atmega1284p $link
make_one avr6.elf "-gstabs -finstrument-functions" avr-gcc -mmcu=atmega2560 $link
make_one m0.elf "-pg" arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb $link
make_one m3.elf "-finstrument-functions" arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb $link
make_one arm.elf "-pg" arm-none-eabi-gcc -mcpu=arm7tdmi -marm $link
ls -l
