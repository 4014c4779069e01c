#!/bin/bash
# `make bench-paper1` on small tasks: no call is missing, no figure is over its limit, every task and figure is printed.
. "$(dirname "$0")/../sim/lib.sh"

status=0
O=$O bench/paper1 --brief >"$TMP/figures" 2>&1 || status=$?
cat "$TMP/figures"
[ $status = 0 ] || { echo "FAILED: status $status"; exit 1; }
for what in CRC-16 Fibonacci One-way Pingpong Sample-Send 'calling the hooks' 'the hooks' together \
		'an instrumented function' 'the runtime' '250 functions'; do
	grep -Eq "^ *$what.*[0-9]" "$TMP/figures" || { echo "FAILED: no line of $what"; exit 1; }
done
