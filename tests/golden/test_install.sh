#!/bin/bash
# `make install` below DESTDIR/PREFIX: the whole list of what it puts there, no file more or less, each as readable as it
# should be; the program finds its themes there and its manual shows. What `make dist` packs has every file of the list.
. "$(dirname "$0")/lib.sh"
need_tools git install
built=$(dirname "$WSNTOP")
case $(nm -D "$WSNTOP" 2>/dev/null) in *__asan_init*) skip "a sanitizer's library is not installed" ;; esac
[ -f "$built/libwsntop.so.0" ] && [ -f "$built/libwsntop.a" ] || skip "no library: make lib"
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || skip "no repository to compare with"
unset MAKEFLAGS MFLAGS MAKELEVEL
version=$(cat "$root/VERSION")
cd "$root" || exit 1
make -s install O="$built" DESTDIR="$work/to" PREFIX=/usr/local >"$work/log" 2>&1 || fail "install: $(cat "$work/log")"

{
	echo bin/wsntop
	for f in wsntop-simavr wsntop-qemu wsntop-qemu.so; do [ ! -e "$built/$f" ] || echo "libexec/wsntop/$f"; done
	echo include/wsntop.h
	printf 'lib/%s\n' libwsntop.a libwsntop.so libwsntop.so.0 "libwsntop.so.0.$version"
	printf '%s\n' lib/pkgconfig/wsntop.pc lib/udev/rules.d/70-wsntop.rules share/metainfo/wsntop.metainfo.xml \
		share/man/man1/wsntop.1 share/bash-completion/completions/wsntop share/zsh/site-functions/_wsntop \
		share/fish/vendor_completions.d/wsntop.fish share/doc/wsntop/{README.md,NEWS.md,LICENSE}
	git ls-files 'docs/*.md' 'docs/*.svg' | sed 's|^|share/doc/wsntop/|'
	git ls-files 'themes/*.ini' target-common target-avr target-cortexm examples | sed 's|^|share/wsntop/|'
} | sort >"$work/expected"
(cd "$work/to/usr/local" && find . ! -type d | sed 's|^\./||' | sort) >"$work/installed"
diff "$work/expected" "$work/installed" || fail "installed is not what is listed"
[ "$(wc -l <"$work/installed")" -gt 100 ] || fail "only $(wc -l <"$work/installed") files"

(cd "$work/to/usr/local" && find . -type f -perm /111 | sed 's|^\./||' | sort) >"$work/programs"
grep -vE '^(bin/|libexec/wsntop/|share/wsntop/.*/pack$)' "$work/programs" && fail "these are no programs"
[ -z "$(find "$work/to" ! -perm -444)" ] || fail "not everyone can read: $(find "$work/to" ! -perm -444)"
to=$work/to/usr/local
[ "$("$to/bin/wsntop" --version)" = "wsntop $version" ] || fail "$("$to/bin/wsntop" --version)"
# The runtime is taken from beside the program, not from the checkout.
echo '/* installed */' >>"$to/share/wsntop/target-common/wsnprof.h"
mkdir "$work/tree"
"$to/bin/wsntop" init "$work/tree" --chip=avr >"$work/out" 2>&1 || fail "init: $(cat "$work/out")"
cmp "$to/share/wsntop/target-common/wsnprof.h" "$work/tree/wsnprof/target-common/wsnprof.h" || fail "init took other files"

git archive HEAD | tar t | grep -v '/$' | sort >"$work/packed"
git ls-files | sort | diff - "$work/packed" || fail "make dist leaves files out"
echo "ok: $(wc -l <"$work/installed") files installed"
