#!/bin/bash
# The node's costs stay within their limits, 3 % of slack: every figure of `make bench-node`.
. "$(dirname "$0")/lib.sh"

O=$O bench/node >"$TMP/figures" 2>"$TMP/why" || { cat "$TMP/figures" "$TMP/why"; echo "FAILED: over a limit"; exit 1; }
cat "$TMP/figures"
awk 'NF != 4 { exit 1 } END { exit NR < 10 }' "$TMP/figures" || { echo "FAILED: figures missing"; exit 1; }
