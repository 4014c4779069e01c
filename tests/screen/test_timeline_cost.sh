#!/bin/bash
# How much work a key of the time line makes, over a million calls (ten, where there is time): with all of them on the screen, and at
# each second zoom (each, where there is time) down to a call. Instructions are callgrind's and repeat; 16 ms are 16 million of them on the
# slowest host we think of (1 a nanosecond).
. "$(dirname "$0")/lib.sh"
cost=$(dirname "$screen")/timeline_cost
[ -x "$cost" ] || skip "there is no timeline_cost; make tools"
command -v valgrind >/dev/null || skip "valgrind is not installed"
nm "$cost" 2>/dev/null | grep -q __asan_init && skip "built with sanitizers: instructions are not counted"
cd "$work" || exit 1

millions=${MILLIONS:-$(long 10)} millions=${millions:-1}
each=$(long 1) each=${each:-2}
valgrind --tool=callgrind --instr-atstart=no --callgrind-out-file=cg --zero-before=cost_key --dump-after=cost_key \
	"$cost" "$millions" "$each" >said 2>&1 || { cat said; fail "timeline_cost $millions"; }
for f in cg.*; do
	awk '/^summary:|^totals:/ { print $2; exit }' "$f"
done | sort -n >keys
[ "$(wc -l <keys)" -ge $((240 / each)) ] || fail "$(wc -l <keys) keys counted"
# The last dump is the program's end.
most=$(tail -n 1 keys)
echo "a key over $millions million calls: $(sed -n "$(($(wc -l <keys) / 2))p" keys) instructions, at most $most"
[ "$most" -le 16000000 ] || fail "a key: $most instructions, more than 16 million"
