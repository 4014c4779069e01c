#!/bin/bash
# libwsntop as its users have it: installed, found by pkg-config, linked shared and static, loaded by Python. The
# examples show what wsntop shows, of a simulated node and of recordings; nothing but wsntop.h's functions is exported.
. "$(dirname "$0")/lib.sh"
need_tools gcc nm pkg-config python3
built=$(dirname "$WSNTOP")
case $(nm -D "$WSNTOP" 2>/dev/null) in *__asan_init*) skip "a sanitizer's library is loaded by its own programs only" ;; esac
[ -f "$built/libwsntop.so.0" ] && [ -f "$built/libwsntop.a" ] || skip "no library: make lib"
unset MAKEFLAGS MFLAGS MAKELEVEL
cd "$work" || exit 1

# --- installed

make -s -C "$root" install-lib O="$built" DESTDIR="$work/to" >log 2>&1 || fail "install: $(cat log)"
prefix=$work/to/usr/local
for file in include/wsntop.h lib/libwsntop.so lib/libwsntop.so.0 lib/libwsntop.a lib/pkgconfig/wsntop.pc; do
	[ -e "$prefix/$file" ] || fail "not installed: $file"
done
wsntop_pc() {
	PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --define-variable=prefix="$prefix" "$@" wsntop
}
[ "$(wsntop_pc --modversion)" = "$("$WSNTOP" --version | cut -d' ' -f2)" ] || fail "wsntop.pc has another version"
export LD_LIBRARY_PATH=$prefix/lib WSNTOP_LIBEXEC=$root/build

# --- names

grep -oE 'wsntop_[a-z_]+\(' "$prefix/include/wsntop.h" | tr -d '(' | sort -u >declared
nm -D --defined-only "$prefix/lib/libwsntop.so.0" | awk '$2 != "A" { sub(/@@.*/, "", $3); print $3 }' | sort >exported
[ "$(wc -l <exported)" -gt 30 ] || fail "only $(wc -l <exported) functions are exported"
diff declared exported || fail "exported is not what wsntop.h declares"
nm -D --defined-only "$prefix/lib/libwsntop.so.0" | grep -v '@@WSNTOP_0$' | grep -v ' A WSNTOP_0$' && fail "names without a version"
nm -g --defined-only "$prefix/lib/libwsntop.a" | awk 'NF == 3 { print $3 }' | sort >in_archive
diff declared in_archive || fail "libwsntop.a has other global names"
readelf -d "$prefix/lib/libwsntop.so.0" | grep -q 'SONAME.*\[libwsntop.so.0\]' || fail "soname"
readelf -d "$prefix/lib/libwsntop.so.0" | grep -E 'NEEDED.*(ncurses|tinfo)' && fail "the library knows the screen"

# --- linked

# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Werror -pedantic -o top "$root/examples/library/top.c" $(wsntop_pc --cflags --libs) || fail "shared"
# shellcheck disable=SC2046
gcc -o top_static "$root/examples/library/top.c" $(wsntop_pc --cflags) "$prefix/lib/libwsntop.a" \
	$(wsntop_pc --static --libs | sed 's/-lwsntop//') || fail "static"
ldd top_static | grep -q libwsntop && fail "top_static needs the shared library"
if command -v g++ >/dev/null; then
	echo '#include <wsntop.h>
int main() { return wsntop_version()[0] == 0; }' >version.cc
	# shellcheck disable=SC2046
	g++ -Wall -Wextra -Werror -pedantic -o version version.cc $(wsntop_pc --cflags --libs) && ./version || fail "C++"
fi

# --- run

python3 - "$root/examples/library" <<'PY' || exit 1
import sys
for name, most in (("top.c", 40), ("top.py", 40)):
    lines = sum(1 for _ in open("%s/%s" % (sys.argv[1], name)))
    if lines > most:
        sys.exit("FAILED: %s has %d lines" % (name, lines))
PY

same() {	# SOURCE [ELF]
	./top "$@" >c.txt 2>err || fail "top $*: $(cat err)"
	mv top.json c.json
	./top_static "$@" >static.txt 2>err || fail "top_static $*: $(cat err)"
	cmp c.txt static.txt || fail "$1: linked statically it tells something else"
	"$WSNTOP" -B -p "$1" ${2:+-e "$2"} -x json:batch.json 2>err || fail "wsntop $*: $(cat err)"
	# Rates are of the time between reads, which differs from run to run.
	sed -E -i 's/"(load|calls_per_s)": ?[0-9.e+-]+/"\1":0/g' c.json batch.json
	cmp c.json batch.json || fail "$1: the library's JSON is not wsntop's"
	python3 "$root/examples/library/top.py" "$@" >py.txt 2>err || fail "top.py $*: $(cat err)"
	head -n -1 py.txt | diff c.txt - || fail "$1: Python reads something else than C"
	grep -q "^$(sed -n 's/.*: \([0-9]*\) functions$/\1/p' c.txt) functions in JSON" py.txt || fail "$1: $(cat py.txt)"
	[ "$(wc -l <c.txt)" -gt 3 ] || fail "$1: $(cat c.txt)"
}

firmware=$root/build/sim/firmware/radio.elf ran=
if [ -x "$root/build/wsntop-simavr" ] && [ -f "$firmware" ]; then
	node='simavr:atmega1284p@8M?pace=max&for=2'
	./top "$node" "$firmware" >live.txt 2>err || fail "top $node: $(cat err)"
	grep -q task_post live.txt || fail "the simulated node: $(cat live.txt)"
	python3 "$root/examples/library/top.py" "$node" "$firmware" >live_py.txt 2>err || fail "top.py $node: $(cat err)"
	head -n -1 live_py.txt | diff live.txt - ||
		fail "the simulated node: Python reads something else than C"
	"$WSNTOP" -B -p "$node" -e "$firmware" -r recorded -x flat:/dev/null 2>err || fail "record: $(cat err)"
	same recorded "$firmware"
	ran=1
fi
if [ -d "$DATA" ]; then
	for d in "$DATA"/*/; do
		for capture in "$d/uart.txt" "$d/capture.hex"; do
			[ -f "$capture" ] && [ -f "$d/app.elf" ] && same "$capture" "$d/app.elf" && ran=1
		done
	done
fi
same "$root/tests/corpus/prof/plain"

# --- errors: one line, and none for nothing

for arguments in "nowhere" "simavr:nothing@8M" "$root/Makefile no.elf"; do
	# shellcheck disable=SC2086
	./top $arguments >out 2>err && fail "$arguments: taken"
	[ "$(wc -l <err)" = 1 ] && [ ! -s out ] || fail "$arguments: $(cat err out)"
done
echo "the library tells what wsntop tells${ran:+, live and recorded}"
