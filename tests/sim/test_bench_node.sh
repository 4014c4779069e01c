#!/bin/bash
# The node's costs stay within their limits, 3 % of slack: the figures of `make bench-node`.
. "$(dirname "$0")/lib.sh"

status=0
brief=--brief
[ -z "$(long all)" ] || brief=
# shellcheck disable=SC2086
O=$O bench/node $brief >"$TMP/figures" 2>"$TMP/why" || status=$?
cat "$TMP/figures" "$TMP/why"
case $status in
0) ;;
1) echo "FAILED: over a limit"; exit 1 ;;
*) echo "FAILED: not all figures could be measured"; exit 1 ;;
esac
awk 'NF != 4 { exit 1 } END { exit NR < 10 }' "$TMP/figures" || { echo "FAILED: figures missing"; exit 1; }
