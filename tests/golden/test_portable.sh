#!/bin/bash
# wsntop without glibc and without Linux's own calls, as far as this machine can tell: core/ and lib/ compile with
# musl's headers, the library's other headers beside them; core/base/os.c and core/link/line.c work by POSIX alone; no
# other file tells systems apart. macOS and FreeBSD themselves are untried.
# Sanitized: never
. "$(dirname "$0")/lib.sh"
need_tools gcc musl-gcc
cd "$root" || exit 1

# --- one place

places='^(core/base/os.c|core/base/os.h|core/base/os_missing.h|core/link/line.c)$'
others=$(grep -rlE '^#.*(__linux__|__APPLE__|__FreeBSD__|__GLIBC__|sys/eventfd|sys/pidfd|asm/|linux/|sys/sysmacros)' core lib tui |
	grep -vE "$places")
[ -z "$others" ] || fail "systems are told apart elsewhere: $others"
others=$(grep -rlE '\b(pipe2|eventfd|memfd_create|accept4|pidfd_open|posix_spawn_file_actions_addclosefrom_np) ?\(|SOCK_CLOEXEC|MSG_NOSIGNAL|/proc/self/exe' \
	core lib tui --include='*.[ch]' | grep -vE "$places")
[ -z "$others" ] || fail "what Linux alone has is used elsewhere: $others"
! grep -n '^#error' core/base/os*.[ch] core/link/line.c || fail "a system is refused"

# --- POSIX alone

flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-missing-field-initializers -I."
# shellcheck disable=SC2086
gcc $flags -U__linux__ -o "$work/os" tests/unit/test_os.c core/base/os.c core/link/line.c -lcmocka 2>"$work/err" ||
	fail "$(head -n 20 "$work/err")"
"$work/os" >"$work/out" 2>&1 || fail "$(cat "$work/out")"
# By a pty: raw, and as it was told.
cat >"$work/line.c" <<'C'
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "core/link/line.h"
int main(void)
{
	int far = posix_openpt(O_RDWR | O_NOCTTY), fd;
	char bytes[3];

	grantpt(far);
	unlockpt(far);
	fd = open(ptsname(far), O_RDWR | O_NOCTTY);
	if (!line_is_terminal(fd) || !line_is_pty(fd) || line_make_raw(fd, 0) < 0)
		return 1;
	/* Raw: a carriage return stays, and no line is waited for. */
	return write(far, "a\r\003", 3) != 3 || read(fd, bytes, 3) != 3 || bytes[1] != '\r' || bytes[2] != 3;
}
C
for system in -D__linux__ -U__linux__; do
	# shellcheck disable=SC2086
	gcc $flags $system -o "$work/line" "$work/line.c" core/link/line.c 2>"$work/err" || fail "$(head -n 20 "$work/err")"
	"$work/line" || fail "line.c $system: the terminal is not raw"
done

# --- musl: Debian has none of the libraries for it; their headers are the same

mkdir -p "$work/sysroot"
for header in libserialport.h libelf.h gelf.h elfutils pcre2.h ini.h cjson zlib.h zconf.h protobuf-c libiberty libdwarf \
	linux asm asm-generic; do
	for folder in /usr/include /usr/include/"$(gcc -print-multiarch)"; do
		[ ! -e "$folder/$header" ] || ln -sf "$folder/$header" "$work/sysroot/$header"
	done
done
[ -f "$root/build/export/profile.pb-c.h" ] || skip "nothing is built: make"
SYSTEMS_OWN='sys/|unistd|fcntl|poll|net|arpa|termios|pthread|signal|dirent|spawn|time|locale|lib|gelf|dwarf|mosquitto'
# Where there is little time: those that include more than C's own headers and ours.
if [ -n "$(long all)" ]; then
	find core lib -name '*.c' | sort
else
	grep -rlE --include='*.c' "^#include <($SYSTEMS_OWN)" core lib | sort
fi >"$work/files"
[ "$(wc -l <"$work/files")" -gt 60 ] || fail "few files"
# shellcheck disable=SC2016
flags="$flags -Ibuild -DWSNTOP_VERSION=\"0\" -DWSNTOP_DATADIR=\"/\" -DWSNTOP_LIBEXECDIR=\"/\"" sysroot=$work/sysroot \
	xargs -P 2 -n 16 sh -c 'for f; do musl-gcc $flags -isystem "$sysroot" -isystem "$sysroot/libdwarf" \
		-isystem "$sysroot/libiberty" -fsyntax-only "$f" || exit 255; done' - <"$work/files" 2>"$work/err" ||
	fail "musl: $(head -n 20 "$work/err")"
echo "$(wc -l <"$work/files") files compile with musl"
