#!/bin/bash
# docs/TOUR.md is true: its tables' keys are typed at the demo's two nodes, on small and larger screens, and what it
# says to be on the screen then is there.
. "$(dirname "$0")/lib.sh"
export WSNTOP
screen=build/tests/tools/screen
[ -x "$screen" ] || { echo "skipped: there is no screen reader; make tools"; exit 77; }
[ -e "$FW/traced.elf" ] || { echo "skipped: there is no traced.elf; make demo-firmware"; exit 77; }

# Links of its own: another test may run the demo at the same time.
mkdir -p "$TMP/o/sim"
ln -s "$PWD/$NODE" "$PWD/$FW" "$TMP/o/sim"

# | type | see |: `text` as it is, other words are keys; `text` that is on the screen then.
cat >"$TMP/tour.py" <<'PY'
import re
import sys
KEYS = {"Enter": "<Enter>", "Esc": "<Esc>", "Home": "<Home>", "Down": "<Down>", "Ctrl-U": "<C-u>", "Tab": "<Tab>", "Space": "<Space>"}
rows = [line.strip().strip("|").split(" | ") for line in open("docs/TOUR.md") if line.startswith("| ")]
rows = [row for row in rows if row[0].strip() != "type"]
assert len(rows) > 20, "the tour has no tables"
print("wait FUNCTION\nwait 50 functions")
for typed, seen in rows:
    for text, word in re.findall(r"`([^`]+)`|(\S+)", typed):
        print("keys", text.replace("<", "<lt>") or KEYS[word])
        print("idle")
    for text in re.findall(r"`([^`]+)`", seen):
        print("wait", text)
    print("run echo 'ok: " + typed.replace("'", "") + "'")
print("exit 0\nwhole")
PY
python3 "$TMP/tour.py" >"$TMP/script"
for size in 80x24 120x40; do
	# What the one saves is not the other's.
	mkdir -p "$TMP/$size"
	export XDG_CONFIG_HOME=$TMP/$size XDG_STATE_HOME=$TMP/$size
	O=$TMP/o TRACED=1 "$screen" -s $size sim/demo <"$TMP/script" || { echo "FAILED: the tour at $size"; exit 1; }
done
