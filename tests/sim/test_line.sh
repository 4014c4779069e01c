#!/bin/bash
# A line that is worse than noisy: two nodes over each other, held low, ten minutes of nothing but noise (an hour, where there is time), a parity bit
# that nobody expects. What was known stays, nothing is invented, memory does not grow; once it is good the totals
# are the truth.
. "$(dirname "$0")/lib.sh"

C=atmega1284p
ELF=$WORK/$C/stream-Os.elf
AS=whole run $C stream-Os
[ -z "$(long again)" ] || AS=again run $C stream-Os --reset=9000000
AS=other run $C other-Os
ended whole $(long again) other
SEEDS="1 $(long 2)"
SECONDS_OF_NOISE=$(long 3600) SECONDS_OF_NOISE=${SECONDS_OF_NOISE:-600}
for how in stuck hour parity over; do
	for seed in $SEEDS; do
		[ "$how" != over ] || also=other=$TMP/$([ $seed = 1 ] && echo other || echo again).bin
		[ "$how" != hour ] || also="seconds=$SECONDS_OF_NOISE"
		tests/sim/wound.py $how seed=$seed ${also:+"$also"} <"$TMP/whole.bin" >"$TMP/$how-$seed.bin" 2>>"$TMP/wounds"
		also=
	done
done

# Read as a live source is: through a pipe. What it took of memory, in KB.
peak() {	# NAME ELF INPUT [format]
	python3 - "$1" "$3" "$WSNTOP" -B -p - ${4:+-f "$4"} -e "$2" -x "json:$TMP/$1.json" <<-'END'
		import resource, subprocess, sys
		done = subprocess.run(["sh", "-c", 'cat "$0" | "$@"', *sys.argv[2:]], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
		if done.returncode:
		    sys.exit(f"FAILED: {sys.argv[1]}: status {done.returncode}: {done.stderr.decode()}")
		print(sys.argv[1], resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
	END
}
half=$(($(stat -c %s "$TMP/whole.bin") - 6000))
head -c $((half / 2)) "$TMP/whole.bin" >"$TMP/before.bin"
for how in stuck hour; do	# cut off while it is still bad
	head -c $(($(stat -c %s "$TMP/$how-1.bin") - $(stat -c %s "$TMP/whole.bin") + half / 2)) "$TMP/$how-1.bin" >"$TMP/$how-cut.bin"
done
for name in whole before {stuck,hour}-cut $(for seed in $SEEDS; do echo {stuck,hour,parity,over}-$seed; done); do
	peak $name "$ELF" "$TMP/$name.bin" wsn >>"$TMP/peaks"
done
peak auto "$ELF" "$TMP/hour-1.bin" >>"$TMP/peaks"

python3 - "$TMP" $SEEDS <<'END'
import sys
from truth import *

tmp, *seeds = sys.argv[1:]
truth = Truth(f"{tmp}/whole.truth")
wounds = dict(line.split() for line in open(f"{tmp}/wounds"))
peaks = {name: int(kb) for name, kb in (line.split() for line in open(f"{tmp}/peaks"))}
check(all(int(done) > 0 for done in wounds.values()), f"wounds: {wounds}")
_, clean = rows_of_json(f"{tmp}/whole.json", CPU_HZ)
check_calls(clean, truth.sites, "a good line")

for name in [*(f"{how}-{seed}" for how in ("stuck", "hour", "parity", "over") for seed in seeds), "auto"]:
    out, rows = rows_of_json(f"{tmp}/{name}.json", CPU_HZ)
    check_calls(rows, truth.sites, f"{name}, good again")
    check(all(abs(rows[k].total - r.total) < 1 and rows[k].low == r.low and rows[k].high == r.high for k, r in clean.items()),
          f"times as on the good line; {out['stream']['bad_bytes']} bad bytes, {out['stream']['lost']} frames lost")

_, known = rows_of_json(f"{tmp}/before.json", CPU_HZ)
for name in ("stuck-cut", "hour-cut"):
    _, rows = rows_of_json(f"{tmp}/{name}.json", CPU_HZ)
    check(known and {k: r.calls for k, r in rows.items()} == {k: r.calls for k, r in known.items()},
          f"{name}: while it is bad, the {len(known)} sites of before, as they were")
for name, kb in peaks.items():
    check(kb < peaks["whole"] + 4096, f"{name}: {kb} KB at most, {peaks['whole']} on the good line")
END
