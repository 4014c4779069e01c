#!/bin/bash
# Each fuzz target by count, twice: the same executions, and the same coverage to one part in a hundred, or `make check`
# depends on chance. Not to the last branch: one execution that differs leads the mutations behind it elsewhere.
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
failed=0
for target in build/fuzz/fuzz_*; do
	case $target in *.d) continue ;; esac
	tests/fuzz/run "$target" >"$work/first" && tests/fuzz/run "$target" >"$work/second" || exit 1
	awk '/^cov: / { cov[++n] = $2 } /^executions: / { done[n] = $2 }
		END { off = cov[1] - cov[2]; exit !(n == 2 && cov[1] > 0 && off * off * 1e4 <= cov[1] * cov[1] && done[1] == done[2]) }' \
		"$work/first" "$work/second" && continue
	echo "FAILED: $target: $(paste -sd ' ' "$work/first"), then $(paste -sd ' ' "$work/second")"
	failed=1
done
exit $failed
