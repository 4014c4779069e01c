#!/bin/sh
# tests/corpus/image.sh: make the seeds of fuzz_image again: tiny ELFs, one a machine and DWARF version.
# Needs the compilers of packages.txt. The results are kept in tests/corpus/image/.
set -eu
cd "$(dirname "$0")/image"
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cat >"$work/s.c" <<'END'
static inline __attribute__((always_inline)) int twice(int v) { volatile int k = v; return k * 2; }
static __attribute__((noinline)) int leaf(int v, int unused) { return twice(v) + 1; }
int start(int v) { if (v) return leaf(v, 1) + twice(v); return leaf(3, 2); }
END
cat >"$work/s.cc" <<'END'
namespace node { template <typename T> struct Ring { T v[2]; __attribute__((noinline)) void push(T x) { v[x & 1] = x; } }; }
int start(int v) { node::Ring<int> r; r.push(v); return r.v[0]; }
END
cat >"$work/s.s" <<'END'
	.text
	.global start
start:	nop
again:	nop
	.type sized, %function
sized:	nop
	.size sized, . - sized
END
cat >"$work/h.S" <<'END'
	.global	__cyg_profile_func_enter, __cyg_profile_func_exit
	.global	wsnprof_calib_own, wsnprof_calib_left, wsnprof_calib_short
	.set	wsnprof_calib_own, 9
	.set	wsnprof_calib_left, 123
	.set	wsnprof_calib_short, 90
__cyg_profile_func_enter:
	ret
__cyg_profile_func_exit:
	ret
END
link="-nostdlib -Wl,-e,start -Wl,--build-id=none -Os -fno-asynchronous-unwind-tables"
make_one() {	# name, compiler and flags...
	out=$1; shift
	(cd "$work" && "$@" -o s.elf)
	cp "$work/s.elf" "$out"
	chmod 644 "$out"
}
avr="avr-gcc -mmcu=atmega1284p $link"
arm="arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb $link"
host="-static -fno-pic -no-pie -Wl,-z,noseparate-code -Wl,-z,norelro -Wl,-N"
make_one avr2.elf $avr -gdwarf-2 s.c
make_one avr4.elf $avr -gdwarf-4 -ffunction-sections -Wl,--gc-sections s.c
make_one avr-hooks.elf $avr -finstrument-functions s.c h.S
make_one avr-stabs.elf $avr -gstabs s.c
make_one avr-plain.elf $avr s.s
make_one arm5.elf $arm -g s.c
make_one arm3.elf $arm -gdwarf-3 s.c
make_one arm-mixed.elf arm-none-eabi-gcc -mcpu=arm7tdmi -mthumb-interwork $link -g -O1 s.c
make_one host4.elf gcc $link $host -gdwarf-4 s.c
make_one host5.elf gcc $link $host -gdwarf-5 -gz=zlib s.c
make_one clang5.elf clang $link $host -gdwarf-5 -Wl,--gc-sections s.c
make_one cxx.elf clang $link $host -gdwarf-4 s.cc
make_one stripped.elf gcc $link $host -s s.c
ls -l
