#!/bin/bash
# The call graph of each capture renders with Graphviz without a word on standard error.
. "$(dirname "$0")/lib.sh"
need_data inga-paper-tasks
need_tools dot

for d in "$DATA"/*/; do
	name=$(basename "$d")
	for options in "" --cluster --per-site "--cluster --per-site" --correct; do
		wsn "$name" $options -x "dot:$work/g.dot" || fail "$name $options"
		dot -Tsvg -o "$work/g.svg" "$work/g.dot" 2>"$work/err" || fail "$name $options: $(cat "$work/err")"
		[ -s "$work/err" ] && fail "$name $options: $(cat "$work/err")"
		grep -q '<svg' "$work/g.svg" || fail "$name $options: no picture"
		case $name in
		inga-profile-test-stat | kl25z-blinky) ;;
		*) grep -q '[0-9]s/.*s profiled' "$work/g.svg" || fail "$name $options: no title" ;;
		esac
	done
	echo "ok $name"
done
