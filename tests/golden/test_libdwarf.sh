#!/bin/bash
# The DWARF reader compiles against both libdwarfs: the installed header, and today's signatures
# (tests/libdwarf/libdwarf.h). Only core/image/dwarf_version.h tells them apart.
# Sanitized: never
. "$(dirname "$0")/lib.sh"
need_tools gcc
cd "$root" || exit 1
readers=$(grep -lE '\bdwarf_[a-z_]+\(' core/*/*.c core/*/*/*.c)
[ "$(echo "$readers" | wc -l)" -ge 5 ] || fail "the reader's files: $readers"

compile() {	# NAME INCLUDE... FILE
	gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-missing-field-initializers -I. "${@:2}" -fsyntax-only \
		2>"$work/err" || fail "$1: $(head -n 20 "$work/err")"
}
for file in $readers; do
	compile "today's libdwarf" -Itests/libdwarf -I/usr/include/libdwarf "$file"
	compile "the installed libdwarf" -I/usr/include/libdwarf "$file"
done
# Each of the two is what it should be.
echo '#include "core/image/dwarf_version.h"
#ifndef DW_LIBDWARF_VERSION
#error the signatures are not those of today
#endif' >"$work/version.c"
compile "the stub" -Itests/libdwarf -I/usr/include/libdwarf "$work/version.c"

# Versions, includes and calls stay where they are expected.
others=$(grep -rlE 'DW_LIBDWARF_VERSION|include <libdwarf' core tui lib | grep -v '^core/image/dwarf_version.h$')
[ -z "$others" ] || fail "libdwarf's versions are told apart elsewhere: $others"
others=$(echo "$readers" | grep -v '^core/image/')
[ -z "$others" ] || fail "calls of libdwarf outside core/image: $others"
echo "$(echo "$readers" | wc -l) files compile against both libdwarfs"
