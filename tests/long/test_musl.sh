#!/bin/bash
# wsntop linked with musl, statically, its libraries too: MUSL_ROOT is a folder in which they were installed with
# CC=musl-gcc (include/, lib/, lib/pkgconfig/; kernel/: links to the kernel's headers linux, asm, asm-generic). Its exports
# are those of this machine's wsntop, and its screen opens.
. "$(dirname "$0")/../golden/lib.sh"
need_tools musl-gcc pkg-config
[ -n "${MUSL_ROOT:-}" ] || skip "MUSL_ROOT names no folder with libraries for musl: docs/DESIGN.md, Systems"
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$root" || exit 1
out=$root/build/musl
PKG_CONFIG_LIBDIR=$MUSL_ROOT/lib/pkgconfig make -s -j"$(nproc)" O=build/musl LDFLAGS="-static -L$MUSL_ROOT/lib" \
	CC="$(command -v ccache) musl-gcc -isystem $MUSL_ROOT/kernel -isystem $MUSL_ROOT/include -isystem $MUSL_ROOT/include/libiberty" \
	build/musl/wsntop >"$work/log" 2>&1 || fail "make: $(tail -n 20 "$work/log")"
readelf -d "$out/wsntop" | grep NEEDED && fail "it is not static"
nm "$out/wsntop" | grep -i 'gnu_get_libc_version' && fail "glibc is in it"
[ "$("$out/wsntop" --version)" = "$("$WSNTOP" --version)" ] || fail "no version"

captures=0
same() {	# SOURCE [ELF]
	local program
	for program in "$WSNTOP" "$out/wsntop"; do
		"$program" -B -p "$1" ${2:+-e "$2"} -x json:"$work/json" -x callgrind:"$work/callgrind" 2>"$work/err" || fail "$1: $(cat "$work/err")"
		# Rates are of the time between reads, which differs from run to run.
		sed -E 's/"(load|calls_per_s)": ?[0-9.e+-]+/"\1":0/g' "$work/json" >"$work/$captures.json"
		grep -v '^pid:' "$work/callgrind" >>"$work/$captures.json"
		[ "$program" = "$WSNTOP" ] && mv "$work/$captures.json" "$work/glibc"
	done
	cmp "$work/glibc" "$work/$captures.json" || fail "musl: $1: other figures"
	captures=$((captures + 1))
}
same "$root/tests/corpus/prof/plain"
for d in "$DATA"/*/; do
	for capture in "$d/uart.txt" "$d/capture.hex"; do
		[ ! -f "$capture" ] || [ ! -f "$d/app.elf" ] || same "$capture" "$d/app.elf"
	done
done
if [ -x "$root/build/tests/tools/screen" ]; then
	WSNTOP=$out/wsntop "$root/tests/screen/test_view_flat.sh" >"$work/log" 2>&1 || fail "the screen: $(tail -n 20 "$work/log")"
fi
echo "ok: musl: $captures captures"
