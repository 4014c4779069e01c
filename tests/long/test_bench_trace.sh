#!/bin/bash
# `make bench-trace` on a small workload: every event told is the simulator's, every encoding has its figures.
. "$(dirname "$0")/../sim/lib.sh"

status=0
O=$O bench/trace --brief --readme >"$TMP/figures" 2>"$TMP/said" || status=$?
cat "$TMP/figures"
[ $status = 0 ] || { cat "$TMP/said"; echo "FAILED: status $status"; exit 1; }
for what in "global  " "global, Huffman (model)" "local  " "local, Huffman" "control flow  " "control flow, adaptive (model)" "adaptive, local (model)" dictionary; do
	grep -q "^  $what.*[0-9] %" "$TMP/figures" || { echo "FAILED: no line of $what"; exit 1; }
done
awk '$1 == "local" && !bits { bits = $2 } $1 == "control" && !done { done = 1; ok = $3 < bits }
	END { exit !ok }' "$TMP/figures" || { echo "FAILED: control flow takes no fewer bits than local ids"; exit 1; }
# A code of the caller's own takes less than half of an id, and fewer cycles.
awk '$1 == "global" { bits = $2; cycles = $(NF - 1) } $1 == "local" && !done { done = 1; ok = $2 < bits / 2 && $(NF - 1) < cycles }
	END { exit !ok }' "$TMP/figures" || { echo "FAILED: local ids are no better"; exit 1; }
