#!/bin/bash
# Calls estimated from PC samples: instructions that are said to run once a call do, as QEMU saw it; the error is what so
# many samples allow; the 95 % intervals hold the true number, also where the cycles are wrong.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
EXECUTIONS=${O:-build}/tests/tools/executions
CORTEXM=build/sim/cortexm
fail() { echo "FAILED: $*"; exit 1; }

# Errors in %: of the median, of the worst tenth; the least share of intervals that hold, of calls and of self times a call.
# The seed is fixed: the figures are the same each time (0.6 to 3 % after 100 s).
judge() {	# error of the cycles, period, median, worst, held, core, doubt
	local trials=40		# with ten, the worst tenth's error depends on the image's layout by 8 %
	[ "$2" -gt 160 ] || trials=10
	"$EXECUTIONS" -t $trials -e "$1" -p "$2" -c "$6" "$ELF" "$TMP/run.truth" >"$TMP/table" || fail "$ELF"
	awk -F '\t' -v median="$3" -v worst="$4" -v least="$5" -v doubt="$7" '
		$1 == "doubt" && $2 != doubt { bad = 1 }
		$1 == "once" { split($4, of, " of "); bad += of[1] != 0 || of[2] < 1000 }
		$1 == "ratio" { n += $3; error += $3 * $4; tenth += $3 * $5; held += $3 * $6; own += $3 * $7 }
		END { exit bad || n < 50 || error / n > median || tenth / n > worst || held / n < least || own / n < least }' \
		"$TMP/table" || { cat "$TMP/table"; fail "$ELF: $*"; }
	[ -z "${EXECUTIONS_TOLD:-}" ] || { echo "$(basename "$ELF") $*"; cat "$TMP/table"; }
}

truth_of() {	# image
	ELF=$CORTEXM/$1-plain-Os.elf
	sim/cortexm/run -o "$TMP/run" "$1" "$ELF" run=wsn,net rounds=3 >"$TMP/said" 2>&1 ||
		{ cat "$TMP/said"; fail "$1 did not run"; }
}

# Cycles that no manual tells: the interval is never narrower than the doubt.
for image in an385 an385m0; do
	truth_of $image
	for core in $(case $image in an385) echo "- Cortex-M33 Cortex-M7" ;; *) echo "Cortex-M0 Cortex-M0+" ;; esac); do
		case $core in *33) doubt=10 ;; *M7) doubt=35 ;; *) doubt=0 ;; esac
		judge 0 3200 4 13 95 "${core#-}" $doubt		# 5,000 samples a second, 100 s
		case $core in *[+37]) [ -n "$(long all)" ] || continue ;; esac
		judge 0 800 2 6 96 "${core#-}" $doubt		# 20,000
		judge 10 3200 6 17 92 "${core#-}" $doubt
		long_only judge 0 160 1 3.5 97 "${core#-}" $doubt		# 100,000
	done
done

# Where the core is not known, by the ELF's architecture: v7E-M is for an M4 or an M7. Any truth will do.
for image in an500-timed=35 an505-timed=10 an385m0-plain=10; do
	"$EXECUTIONS" -t 1 "$CORTEXM/${image%=*}-Os.elf" "$TMP/run.truth" | grep -qx "doubt	${image#*=}" ||
		fail "the cycles of ${image%=*} are not doubted by ${image#*=} %"
done
