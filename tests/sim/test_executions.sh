#!/bin/bash
# Calls estimated from PC samples: instructions that are said to run once a call do, as QEMU saw it; the error is what so
# many samples allow; the 95 % intervals hold the true number, also where the cycles are wrong.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
EXECUTIONS=${O:-build}/tests/tools/executions
CORTEXM=build/sim/cortexm
fail() { echo "FAILED: $*"; exit 1; }

# of the median, of the worst tenth in %; the least share of intervals that hold
judge() {	# error of the cycles, period, median, worst, held
	"$EXECUTIONS" -t 10 -e "$1" -p "$2" "$ELF" "$TMP/run.truth" >"$TMP/table" || fail "$ELF"
	awk -F '\t' -v median="$3" -v worst="$4" -v least="$5" '
		$1 == "once" { split($4, of, " of "); bad = of[1] != 0 || of[2] < 1000 }
		$1 == "ratio" { n += $3; error += $3 * $4; tenth += $3 * $5; held += $3 * $6 }
		END { exit bad || n < 50 || error / n > median || tenth / n > worst || held / n < least }' "$TMP/table" ||
		{ cat "$TMP/table"; fail "$ELF: $*"; }
}

for image in an385 an385m0; do
	ELF=$CORTEXM/$image-plain-Os.elf
	sim/cortexm/run -o "$TMP/run" "$image" "$ELF" run=wsn,net rounds=3 >"$TMP/said" 2>&1 ||
		{ cat "$TMP/said"; fail "$image did not run"; }
	judge 0 160 1.5 5 92		# 100,000 samples a second, 100 s
	judge 0 3200 6 20 93		# 5,000
	judge 10 3200 9 25 88
done
