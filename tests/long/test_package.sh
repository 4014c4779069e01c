#!/bin/bash
# The tarball of `make dist` becomes Debian packages; lintian has nothing to say about them, its pedantic words included;
# unpacked into a folder, the installed wsntop and library pass debian/tests; the tarball builds all that is tested.
. "$(dirname "$0")/../golden/lib.sh"
need_tools git dpkg-buildpackage dh lintian man avr-gcc
git -C "$root" rev-parse --git-dir >/dev/null 2>&1 || skip "no repository to make a tarball of"
version=$(cat "$root/VERSION")
tree=$work/wsntop-$version

make -s -C "$root" dist O="$work" >"$work/log" 2>&1 || fail "make dist: $(cat "$work/log")"
tar xzf "$work/wsntop-$version.tar.gz" -C "$work"
cd "$tree" || fail "the tarball has no folder wsntop-$version"
missing=$(dpkg-checkbuilddeps 2>&1) || skip "$missing"
# The settings of the make that runs this test are not the package's.
env -u MAKEFLAGS -u O -u SAN DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -us -uc >"$work/log" 2>&1 ||
	fail "dpkg-buildpackage: $(tail -n 40 "$work/log")"
for p in $(sed -n 's/^Package: //p' debian/control); do
	[ "$(echo "$work/${p}_${version}"_*.deb | wc -w)" = 1 ] && [ -f "$(echo "$work/${p}_${version}"_*.deb)" ] || fail "no package $p"
done
lintian --allow-root --display-info --pedantic "$work"/wsntop_"$version"_*.changes >"$work/words" 2>&1 ||
	fail "lintian: $(cat "$work/words")"
[ ! -s "$work/words" ] || fail "lintian: $(cat "$work/words")"

# Installed: not what stands beside the checkout, nor in the machine's own folders.
mkdir "$work/root"
for deb in "$work"/*_"$version"_*.deb; do
	case $deb in *-dbgsym_*) ;; *) dpkg -x "$deb" "$work/root" || fail "dpkg -x $deb" ;; esac
done
rm -r "$tree/build"
tests=$(sed -n 's/^Tests: //p' debian/tests/control)
[ "$(echo "$tests" | wc -w)" -ge 3 ] || fail "debian/tests/control has no tests"
for t in $tests; do
	ROOT=$work/root PATH=$work/root/usr/bin:$PATH "debian/tests/$t" >"$work/log" 2>&1 || fail "debian/tests/$t: $(cat "$work/log")"
	cat "$work/log"
done
[ -z "$(find "$work/root" -path '*/build/*' -o -name '*.o')" ] || fail "what was built in the examples is installed"

# What was unpacked is enough to build all that the tests need.
rm -rf "$tree/build"
env -u MAKEFLAGS -u O -u SAN make -s -j"$(nproc)" -C "$tree" check-build >"$work/log" 2>&1 || fail "make check-build: $(tail -n 40 "$work/log")"
echo "ok: $(cd "$work" && echo ./*"$version"*.deb); make check-build in the tarball"
