#!/bin/bash
# The version stands in the file VERSION; what cannot read it agrees: the program, manual, news, Debian's changelog,
# the Arduino library.
# Sanitized: never
. "$(dirname "$0")/lib.sh"
version=$(cat "$root/VERSION")
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "VERSION: $version"
same() {	# what, its version
	[ "$2" = "$version" ] || fail "$1: version $2, not $version"
}
same wsntop "$("$WSNTOP" --version | sed 's/^wsntop //')"
same docs/wsntop.1 "$(sed -n 's/^\.TH WSNTOP 1 "" "wsntop \(.*\)" "User Commands"$/\1/p' "$root/docs/wsntop.1")"
same NEWS.md "$(sed -n 's/^## \([0-9].*\)/\1/p' "$root/NEWS.md" | head -n 1)"
same debian/changelog "$(sed -n '1s/^wsntop (\(.*\)) .*/\1/p' "$root/debian/changelog")"
same examples/arduino/library.properties "$(sed -n 's/^version=//p' "$root/examples/arduino/library.properties")"
grep -q '1\.0' "$root/NEWS.md" || fail "NEWS.md does not tell what 1.0 will be"
echo "ok: $version everywhere"
