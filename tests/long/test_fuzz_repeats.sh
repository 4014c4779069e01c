#!/bin/bash
# Each fuzz target by count, twice: the same executions and the same coverage, or `make check` depends on chance.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
for target in build/fuzz/fuzz_*; do
	case $target in *.d) continue ;; esac
	tests/fuzz/run "$target" >"$work/first" && tests/fuzz/run "$target" >"$work/second" || exit 1
	cmp -s "$work/first" "$work/second" && grep -q '^cov: ' "$work/first" && continue
	echo "FAILED: $target: $(paste -sd ' ' "$work/first"), then $(paste -sd ' ' "$work/second")"
	failed=1
done
exit $failed
