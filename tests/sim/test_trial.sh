#!/bin/bash
# The trials of other people's firmware (tests/trial), on our own: an account in order passes; a call or a time that
# wsntop tells wrongly, and an image that it takes for another, do not; without an image they skip, and say it.
. "$(dirname "$0")/lib.sh"

status=0
env -u TRIAL_GRBL tests/trial/grbl >"$TMP/skip" || status=$?
[ $status = 77 ] && grep -q '^SKIP: grbl: TRIAL_GRBL' "$TMP/skip" || { echo "FAILED: no SKIP: $status"; exit 1; }

# own NAME STATUS: the trial's account in $TMP/NAME
own() {
	local status=0
	tests/trial/own >"$TMP/$1" 2>&1 || status=$?
	cat "$TMP/$1"
	[ $status = "$2" ] || { echo "FAILED: $1: status $status"; exit 1; }
}
says() {
	grep -Eq "$2" "$TMP/$1" || { echo "FAILED: $1: no '$2'"; exit 1; }
}

export TRIAL_OWN=$PWD/$WORK/atmega1284p/bench-Os.elf TRIAL_OWN_PLAIN=$PWD/$WORK/atmega1284p/bench-Os-plain.elf
make --no-print-directory O="$O" "${TRIAL_OWN#"$PWD/"}" "${TRIAL_OWN_PLAIN#"$PWD/"}" >/dev/null
own avr 0
says avr '^calls +([0-9,]+) of \1 equal, 86 of 86 rows; 0 missing'
says avr '^identity +matches; another image is refused'
says avr '^lost +nothing'
says avr '^mean .* of 86 rows .* of the plain one'
says avr '^slow-down +[1-9]\.[0-9]+: [0-9,]+ cycles, the plain one [0-9,]+$'

# A wsntop that errs.
real=$WSNTOP
export real
cat >"$TMP/wsntop" <<'END'
#!/usr/bin/env python3
import json, os, subprocess, sys
subprocess.run([os.environ["real"], *sys.argv[1:]], check=True)
path = sys.argv[-1].removeprefix("json:")
out = json.load(open(path))
if os.environ["ERR"] == "calls":
    out["sites"][3]["calls"] += 1
elif os.environ["ERR"] == "negative":
    out["functions"][3]["self_s"] = -1e-6
else:
    out["node"]["image_match"] = "unknown"
json.dump(out, open(path, "w"))
END
chmod +x "$TMP/wsntop"
export WSNTOP=$TMP/wsntop
for ERR in calls negative identity; do
	export ERR
	own wrong-$ERR 1
	says wrong-$ERR "^FAILED: $ERR$"
done
export WSNTOP=$real

command -v qemu-system-arm arm-none-eabi-gcc >/dev/null || { echo "qemu-system-arm is not installed"; exit 77; }
# Two inlined functions of which one ends in the other's end: calls are by where they began.
cat >"$TMP/ends.c" <<'C'
#define INLINE static inline __attribute__((always_inline))
INLINE void barrier(void) { __asm__ volatile("isb"); }
INLINE void restore(unsigned mask) { __asm__ volatile("msr primask, %0" : : "r" (mask)); }
int work(int x, unsigned mask) { if (x) barrier(); else restore(mask); return x; }
C
echo 'void __cyg_profile_func_enter(void *f, void *s) {} void __cyg_profile_func_exit(void *f, void *s) {}' >"$TMP/hooks.c"
arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -Os -g -finstrument-functions -c -o "$TMP/ends.o" "$TMP/ends.c"
arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -Os -nostdlib -Wl,-e,work -o "$TMP/ends.elf" "$TMP/ends.o" "$TMP/hooks.c"
PYTHONPATH=tests/trial:tests/sim python3 - "$TMP/ends.elf" <<'END'
import subprocess, sys, types
from trial import Places
text = subprocess.run(["arm-none-eabi-objdump", "-d", sys.argv[1]], capture_output=True, text=True, check=True).stdout
text = text[text.index("<work>:"):]
code = [line.split("\t")[0].strip(" :") for line in text.split("\n") if "func_e" in line and "\tb" in line]
assert len(code) == 5, "three enters, and the exits of two of them in one"
pcs = {int(at, 16): (n, n) for at, n in zip(code, (10, 3, 10, 10, 7))}
calls = +Places(types.SimpleNamespace(at={0: "work"}, pcs=pcs), sys.argv[1]).hooks()[0]
assert calls == {"work": 10, "barrier": 3, "restore": 7}, calls
END

make --no-print-directory -f sim/cortexm/build.mk O="$O" "$O"/sim/cortexm/{truth.so,an385-{timed,arcs,plain}-Os.elf} >/dev/null
export TRIAL_BOARD=an385 TRIAL_OWN_PLAIN=$PWD/$O/sim/cortexm/an385-plain-Os.elf
for TRIAL_OWN in "$PWD/$O"/sim/cortexm/an385-{timed,arcs}-Os.elf; do
	export TRIAL_OWN
	own arm 0
	says arm '^calls +([0-9,]+) of \1 equal'
	says arm '^call sites +([0-9,]+) of \1 equal'
	says arm '^slow-down +[1-9]\.[0-9]+: [0-9,]+ instructions, the plain one [0-9,]+$'
done
