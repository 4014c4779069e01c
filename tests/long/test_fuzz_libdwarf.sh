#!/bin/bash
# fuzz_image with a libdwarf whose branches the fuzzer sees, and whose memory ASan watches: Debian's source of the version
# that is installed. wsntop reads DWARF in a child process that bounds what it does; a crash in the library is a find
# all the same: core/image/guard.c refuses what it cannot bear. It runs for SECONDS_EACH (1800) from a random seed.
#
# LIBDWARF_SOURCE names an unpacked source; else apt-get fetches it, with lists and a cache of its own.
. "$(dirname "$0")/../golden/lib.sh"
need_tools clang make dpkg-query
cd "$root" || exit 1
made=$root/build/fuzz/libdwarf
mkdir -p "$made"

source_fetch() {
	local package version mirror suite
	need_tools apt-get apt-cache dpkg-source
	package=$(dpkg-query -W -f '${source:Package}' libdwarf-dev 2>/dev/null) || skip "libdwarf-dev is not installed"
	version=$(dpkg-query -W -f '${source:Version}' libdwarf-dev)
	read -r mirror suite < <(apt-cache policy libdwarf-dev | awk '/http.* Packages/ { sub("/.*", "", $3); print $2, $3; exit }')
	[ -n "$mirror" ] || skip "apt does not know where libdwarf-dev is from"
	mkdir -p "$made/lists/partial" "$made/cache/archives/partial"
	echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror $suite main" >"$made/sources"
	local options=(-q -o APT::Sandbox::User=root -o Dir::Etc::SourceList="$made/sources" -o Dir::Etc::SourceParts=/dev/null
		-o Dir::State::Lists="$made/lists" -o Dir::Cache="$made/cache")
	apt-get "${options[@]}" update >"$work/said" 2>&1 &&
		(cd "$made" && apt-get "${options[@]}" source "$package=$version") >>"$work/said" 2>&1 ||
		skip "the source of $package $version cannot be had: $(tail -n 1 "$work/said")"
	LIBDWARF_SOURCE=$(find "$made" -maxdepth 1 -type d -name "$package-*")
}

flags="-O2 -g -fsanitize=fuzzer-no-link -fno-sanitize-coverage=stack-depth,trace-cmp -fsanitize=address,undefined
	-fno-sanitize=alignment,shift,pointer-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer"
library=$made/build/libdwarf/.libs/libdwarf.a
if [ ! -e "$library" ]; then
	[ -n "${LIBDWARF_SOURCE:-}" ] || source_fetch
	mkdir -p "$made/build"
	(cd "$made/build" && "$(realpath "$LIBDWARF_SOURCE")/configure" --enable-static --disable-shared CC=clang \
		CFLAGS="$(echo $flags)" && make -j2 -C libdwarf) >"$work/said" 2>&1 ||
		fail "libdwarf does not build: $(tail -n 20 "$work/said")"
fi
[ -e "$library" ] || library=$(find "$made/build" -name libdwarf.a | head -n 1)
[ -e "$library" ] || fail "no library was made"

make --no-print-directory -s fuzz-libdwarf LIBDWARF="$library" || fail "fuzz_image does not link with it"
functions=$(nm "$made/fuzz_image" | grep -c ' [tT] dwarf_')
[ "$functions" -gt 100 ] || fail "the library is not in it: $functions functions"
! ldd "$made/fuzz_image" | grep -q libdwarf || fail "it takes the system's libdwarf"
KIND=libdwarf tests/fuzz/run "$made/fuzz_image" "${SECONDS_EACH:-1800}"
