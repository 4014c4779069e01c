#!/bin/bash
# A bad line: frames lost, doubled, out of order; bits flipped (1e-3), bytes inserted and missing; joined in
# mid-stream; the node reset in mid-dump. Once the line is good, wsntop's totals are the truth.
. "$(dirname "$0")/lib.sh"

C=atmega1284p
ELF=$WORK/$C/stream-Os.elf
AS=whole run $C stream-Os
AS=reset run $C stream-Os --reset=9000000
ended whole reset

SEEDS="1 $(long 2 3)"
for how in drop twice order flip insert remove join noise everything; do
	for seed in $SEEDS; do
		tests/sim/wound.py $how seed=$seed <"$TMP/whole.bin" >"$TMP/$how-$seed.bin" 2>>"$TMP/wounds"
		export_json $how-$seed "$ELF"
	done
done
tests/sim/wound.py everything seed=4 <"$TMP/reset.bin" >"$TMP/both.bin" 2>>"$TMP/wounds"
for name in whole reset both; do
	export_json $name "$ELF"
done

python3 - "$TMP" $SEEDS <<'END'
import sys
from truth import *
from wsn import Node

tmp, *seeds = sys.argv[1:]
whole, reset = Truth(f"{tmp}/whole.truth"), Truth(f"{tmp}/reset.truth")
node = Node(open(f"{tmp}/whole.bin", "rb").read())
clean, rows = rows_of_json(f"{tmp}/whole.json", CPU_HZ)
check_calls(rows, whole.sites, "a good line")
check(clean["stream"]["bad_bytes"] == clean["stream"]["lost"] == 0, "nothing bad, nothing lost")
text = node.text

for line in open(f"{tmp}/wounds"):
    how, done = line.split()
    check(int(done) > 0, f"{how}: {done} wounds")

COUNTED = {"drop": "lost", "flip": "bad_bytes", "insert": "bad_bytes", "remove": "bad_bytes",
           "noise": "bad_bytes", "everything": "bad_bytes"}
for how in ("drop", "twice", "order", "flip", "insert", "remove", "join", "noise", "everything"):
    for seed in seeds:
        out, wounded = rows_of_json(f"{tmp}/{how}-{seed}.json", CPU_HZ)
        check_calls(wounded, whole.sites, f"{how}, seed {seed}")
        check(all(abs(wounded[k].total - r.total) < 1 and wounded[k].low == r.low and wounded[k].high == r.high
                  for k, r in rows.items()), "times as on the good line")
        if how in COUNTED:
            check(out["stream"][COUNTED[how]] > 0, f"and counted: {out['stream']}")

_, rows = rows_of_json(f"{tmp}/reset.json", CPU_HZ)
check_calls(rows, reset.sites, "reset in mid-dump: the second life's")
_, rows = rows_of_json(f"{tmp}/both.json", CPU_HZ)
check_calls(rows, reset.sites, "and over a bad line")
END
