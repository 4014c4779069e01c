#!/bin/bash
# What stands around each fuzz target (tests/fuzz/budget.c) stops it at the allocation, and behind the second, that is too
# much, and lets pass what is within. Each target has a row in the table, and each row its target.
. "$(dirname "$0")/lib.sh"
need_tools clang
cd "$root" || exit 1

cat >"$work/target.c" <<'END_C'
#include <stdint.h>
#include <stdlib.h>
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A count, then a kind: 100 bytes so often, freed each time; or rounds of work. */
	unsigned count = size ? data[0] : 0;
	static volatile unsigned sink;

	for (unsigned i = 0; size > 1 && data[1] == 'm' && i < count; i++) {
		void *volatile p = malloc(100);
		free(p);
	}
	for (unsigned i = 0; size > 1 && data[1] == 't' && i < count << 20; i++)
		sink += i;
	return 0;
}
END_C
clang -D_GNU_SOURCE -O1 -g -fsanitize=fuzzer,address -DBUDGET_FIXED_KB=1 -DBUDGET_EACH=100 -DBUDGET_SECONDS=0.1 \
	-Wl,--wrap=LLVMFuzzerTestOneInput -o "$work/target" "$work/target.c" tests/fuzz/budget.c || fail "it does not build"

input() {	# NAME BYTES in printf's form
	printf "$2" >"$work/$1"
}
passes() {	# NAME
	"$work/target" "$work/$1" >"$work/said" 2>&1 || fail "$1 is within: $(cat "$work/said")"
}
refused() {	# NAME SENTENCE
	! "$work/target" -artifact_prefix="$work/" "$work/$1" >"$work/said" 2>&1 || fail "$1: not stopped"
	grep -q "$2" "$work/said" || fail "$1: $(cat "$work/said")"
}
input nothing '\000m' && passes nothing
input within '\013m' && passes within
grep -q '^budget: at most 90 % of it: 1100 bytes allocated for 2 bytes of input' "$work/said" || fail "$(cat "$work/said")"
input beyond '\015m' && refused beyond '^budget: 1300 bytes allocated, 1224 are allowed: an allocation of 100 bytes'
grep -q 'LLVMFuzzerTestOneInput.*target.c:11' "$work/said" || fail "the stack does not name the allocation: $(cat "$work/said")"
input longer '\015mxxxx' && passes longer
input quick '\001t' && passes quick
input slow '\377t' && refused slow '^budget: .* s of a processor, 0.1 are allowed'

rows=$(awk -F'\t' '!/^#/ { print $1 }' tests/fuzz/targets)
[ "$rows" = "$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')" ] || fail "rows of tests/fuzz/targets: $rows"
awk -F'\t' '!/^#/ && (NF != 7 || $2 !~ /^[0-9]+$/ || $3 !~ /^[0-9]+$/ || $4 !~ /^[0-9]+$/ || $5 !~ /^[0-9]+$/ || length($7) < 10) { print; bad = 1 }
	END { exit bad }' tests/fuzz/targets || fail "rows that are not whole"
for path in $(awk -F'\t' '!/^#/ { gsub(",", " ", $6); print $6 }' tests/fuzz/targets); do
	[ -e "$path" ] || fail "tests/fuzz/targets: $path does not exist"
done
echo "$(echo "$rows" | wc -l) targets have a budget"
