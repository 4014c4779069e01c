#!/bin/bash
# All of core/ and lib/ compiles for arm64 by Debian's cross compiler, with the headers of its C library; those of the
# other libraries are the same on all machines. Nothing is linked: that needs Debian's arm64 libraries.
. "$(dirname "$0")/../golden/lib.sh"
need_tools aarch64-linux-gnu-gcc
cd "$root" || exit 1
[ -f build/export/profile.pb-c.h ] || skip "nothing is built: make"
mkdir "$work/sysroot"
for header in libserialport.h libelf.h gelf.h elfutils pcre2.h ini.h cjson zlib.h zconf.h protobuf-c libiberty libdwarf; do
	for folder in /usr/include /usr/include/"$(gcc -print-multiarch)"; do
		[ ! -e "$folder/$header" ] || ln -sf "$folder/$header" "$work/sysroot/$header"
	done
done
find core lib -name '*.c' | sort >"$work/files"
# shellcheck disable=SC2016
flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-missing-field-initializers -I. -Ibuild \
	-DWSNTOP_VERSION=\"0\" -DWSNTOP_DATADIR=\"/\" -DWSNTOP_LIBEXECDIR=\"/\"" sysroot=$work/sysroot \
	xargs -P 2 -n 16 sh -c 'for f; do aarch64-linux-gnu-gcc $flags -isystem "$sysroot" -isystem "$sysroot/libdwarf" \
		-isystem "$sysroot/libiberty" -fsyntax-only "$f" || exit 255; done' - <"$work/files" 2>"$work/err" ||
	fail "arm64: $(head -n 20 "$work/err")"
echo "$(wc -l <"$work/files") files compile for arm64"
