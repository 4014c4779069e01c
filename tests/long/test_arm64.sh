#!/bin/bash
# wsntop for arm64: cross compiled against Debian's arm64 packages, which are unpacked below build/ and not installed; run
# by qemu-user. Its exports are those of this machine's wsntop, the library's example works, the unit tests pass.
. "$(dirname "$0")/../golden/lib.sh"
. "$root/tests/long/debian.sh"
need_tools aarch64-linux-gnu-gcc qemu-aarch64 apt-get dpkg-deb
unset MAKEFLAGS MFLAGS MAKELEVEL
sysroot=$root/build/arm64-debian/root out=$root/build/arm64
cd "$root" || exit 1
if [ ! -f "$sysroot/complete" ]; then
	debian_begin "$root/build/arm64-debian" arm64 deb
	mapfile -t libraries < <(sed -n '/^# build/,/^$/s/^lib.*/&/p' packages.txt; echo zlib1g-dev libcmocka-dev libc6-dev libgcc-12-dev | tr ' ' '\n')
	debian_unpack "$sysroot" "${libraries[@]}"
	touch "$sysroot/complete"
fi
make -s -j"$(nproc)" O=build/arm64 CC="$(command -v ccache) aarch64-linux-gnu-gcc --sysroot=$sysroot" all lib unit >"$work/log" 2>&1 ||
	fail "make: $(tail -n 20 "$work/log")"
arm() {
	qemu-aarch64 -L "$sysroot" -E LD_LIBRARY_PATH="$out" "$@"
}
file "$out/wsntop" | grep -q 'ARM aarch64' || fail "$(file "$out/wsntop")"
[ "$(arm "$out/wsntop" --version)" = "$("$WSNTOP" --version)" ] || fail "no version"

# --- the same figures

same() {	# SOURCE [ELF]
	local of
	"$WSNTOP" -B -p "$1" ${2:+-e "$2"} -x json:"$work/here.json" -x callgrind:"$work/here" 2>"$work/err" || fail "$1: $(cat "$work/err")"
	arm "$out/wsntop" -B -p "$1" ${2:+-e "$2"} -x json:"$work/arm.json" -x callgrind:"$work/arm" 2>"$work/err" || fail "arm64: $1: $(cat "$work/err")"
	# Rates are of the time between reads, which differs from run to run.
	for of in here arm; do
		sed -E -i 's/"(load|calls_per_s)": ?[0-9.e+-]+/"\1":0/g' "$work/$of.json"
		sed -i '/^pid:/d' "$work/$of"
	done
	cmp "$work/here.json" "$work/arm.json" && cmp "$work/here" "$work/arm" || fail "arm64: $1: other figures"
	captures=$((captures + 1))
}
captures=0
same "$root/tests/corpus/prof/plain"
for d in "$DATA"/*/; do
	for capture in "$d/uart.txt" "$d/capture.hex"; do
		[ ! -f "$capture" ] || [ ! -f "$d/app.elf" ] || same "$capture" "$d/app.elf"
	done
done

# --- the library

aarch64-linux-gnu-gcc --sysroot="$sysroot" -Iinclude -o "$work/top" examples/library/top.c -L"$out" -lwsntop -Wl,--allow-shlib-undefined ||
	fail "the library's example"
(cd "$work" && arm ./top "$root/tests/corpus/prof/plain" >arm.txt 2>&1) || fail "top: $(cat "$work/arm.txt")"
grep -q ' functions$' "$work/arm.txt" && [ -s "$work/top.json" ] || fail "top: $(cat "$work/arm.txt")"

# --- the unit tests

# A pty cannot be set up by qemu-user 7.2: it has no TCGETS2. posix_spawn() of what is not there succeeds under it. It has
# files of its own open, and lets no limit of memory reach its own allocations.
lacking='^test_(confined|link|link_send|link_serial|node_image|objdump)$'
# qemu-user takes some twenty times as long: a program that computes here for over half a second is left out.
hundredths() {	# PROGRAM: what it takes of this machine's processor
	local TIMEFORMAT='%U %S'
	{ time "$1" >/dev/null 2>&1 </dev/null; } 2>&1 | awk '{ printf "%d\n", 100 * ($1 + $2) }'
}
passed=0 left=0 long=()
for t in "$out"/tests/unit/test_*; do
	name=$(basename "$t")
	case $name in *.d) continue ;; esac
	[[ ! $name =~ $lacking ]] || { left=$((left + 1)); continue; }
	[ "$(hundredths "build/tests/unit/$name")" -le "${HUNDREDTHS:-50}" ] || { long+=("${name#test_}"); continue; }
	arm "$t" >"$work/log" 2>&1 || fail "arm64: $name: $(grep -E 'FAILED|LINE' "$work/log")"
	passed=$((passed + 1))
done
[ "$passed" -gt 50 ] || fail "only $passed programs of unit tests"
echo "ok: arm64: $captures captures, the library, $passed programs of unit tests; $left need what qemu-user has not; long ones left out: ${long[*]:-none}"
