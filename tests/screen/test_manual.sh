#!/bin/bash
# The manual page says what the tables of options and actions say, and so does --help.
. "$(dirname "$0")/lib.sh"
tools=$(dirname "$screen")
page="$root/docs/wsntop.1"

part() {	# what stands in the page between the markers
	sed -n "/^\\.\\\\\" from the table of $1/,/^\\.\\\\\" end/p" "$page" | sed '1d;$d'
}

"$tools/manual" options >"$work/options"
"$tools/manual" keys >"$work/keys"
part options | diff -u - "$work/options" || fail "docs/wsntop.1: the options are not the table's"
part actions | diff -u - "$work/keys" || fail "docs/wsntop.1: the keys are not the table's"

"$WSNTOP" --help >"$work/help"
sed -n 's/^.*\\fB\\-\\-\([a-z\\-]*\)\\fR.*/\1/p' "$work/options" | tr -d '\\' >"$work/names"
[ "$(wc -l <"$work/names")" -ge 18 ] || fail "too few options were found: $(cat "$work/names")"
while read -r name; do
	grep -q -- "--$name\>" "$work/help" || fail "--help does not know --$name"
done <"$work/names"

command -v groff >/dev/null || exit 0
groff -man -Tutf8 -ww "$page" >"$work/page" 2>"$work/warnings" || fail "groff"
[ ! -s "$work/warnings" ] || fail "$(cat "$work/warnings")"
