#!/bin/bash
# gdb: what is watched, by breakpoints and watchpoints of QEMU's server: none is missed, by the truth plugin's counts.
# Without leave to stop nothing is set; whoever leaves leaves nothing set behind.
# Sanitized: long: most of its seconds are QEMU's.
. "$(dirname "$0")/lib.sh"
need_tools qemu-system-arm arm-none-eabi-nm arm-none-eabi-objcopy
O=$root/build
ELF=$root/build/sim/cortexm/an385-plain-Os.elf
[ -e "$ELF" ] || fail "no $ELF: make sim"

address() { arm-none-eabi-nm "$ELF" | awk -v name="$1" '$3 == name { print $1 }'; }
arm-none-eabi-objcopy -O binary "$ELF" "$work/flash"
pace=$(python3 - "$work/flash" "$(address board_pace_irq)" <<'END_PACE'
import struct
import sys

print(struct.unpack("<64I", open(sys.argv[1], "rb").read(256)).index(int(sys.argv[2], 16) | 1))
END_PACE
) || fail "no vector"

# QEMU has no free port of its own: one that is free now may be taken before it is bound.
serve() {	# the firmware's settings
	local i
	for i in 1 2 3 4 5; do
		port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
		rm -f "$work/truth"
		qemu-system-arm -M mps2-an385 -display none -monitor none -serial "file:$work/uart" -icount shift=6,sleep=off \
			-semihosting-config enable=on,target=native -append "$1" -kernel "$ELF" \
			-plugin "$O/sim/cortexm/truth.so,elf=$ELF,out=$work/truth" -S -gdb "tcp:127.0.0.1:$port" \
			</dev/null >"$work/qemu" 2>&1 &
		QEMU=$!
		trap 'kill "$QEMU" 2>/dev/null; rm -rf "$work"' EXIT
		for _ in $(seq 100); do
			! grep -qi "failed to\|in use" "$work/qemu" || break
			! grep -q " 0100007F:$(printf %04X "$port") .* 0A " /proc/net/tcp || return 0
			[ -e "/proc/$QEMU" ] || break
			sleep 0.1
		done
	done
	cat "$work/qemu"
	fail "QEMU does not serve"
}
ended() {	# by itself
	local i
	for i in $(seq 6000); do
		[ -e "/proc/$QEMU" ] || { wait "$QEMU"; return 0; }
		sleep 0.1
	done
	fail "$1: the firmware does not end"
}

top() {	# it ends with the firmware
	"$WSNTOP" -B "$@" >/dev/null 2>"$work/said"
	ended "$*"
}
watch="-w call:aes_block -w call:tree -w call:net_send -w call:hex_digit -w trees -w irq:$pace"

# --- none is missed ---
serve "run=wsn,net rounds=1"
top -p "gdb:localhost:$port?watch=1" -e "$ELF" $watch -r "$work/all.wsnrec" -x "json:$work/all.json" \
	-x "log-csv:$work/log.csv" -x "log-json:$work/log.json" -x "vcd:$work/log.vcd" \
	-x "log:$work/log.txt" -x "ctf:$work/log.ctf" -x "perfetto:$work/log.perfetto" -x "folded:$work/log.folded" \
	-x "speedscope:$work/log.speedscope" || { cat "$work/said"; fail "no log"; }
cp "$work/uart" "$work/uart.watched"
python3 - "$work/all.json" "$work/log.csv" "$work/truth" "$work/log.txt" "$work" <<'END_CHECK' || fail "the log"
import collections
import csv
import json
import re
import sys

export, truth = json.load(open(sys.argv[1])), collections.Counter()
for line in open(sys.argv[3]):
    words = line.rstrip("\n").split("\t")
    if words[0] == "call":
        truth[int(words[2], 16)] += int(words[3])
    if words[0] == "interrupt":
        truth[int(words[1], 16)] += int(words[2])
got = {f["name"]: f for f in export["functions"] if f["calls"]}
names = ["aes_block", "tree", "net_send", "hex_digit", "board_pace_irq"]
assert sorted(got) == sorted(names), sorted(got)
for name in names:
    assert got[name]["calls"] == truth[got[name]["address"]] > 15, (name, got[name]["calls"], truth[got[name]["address"]])
    # Durations by the host's clock are none.
    assert got[name]["self_s"] is None and got[name]["max_s"] is None, got[name]
rows = list(csv.DictReader(open(sys.argv[2])))
calls = [r for r in rows if r["what"] in ("call", "irq")]
assert len(calls) == sum(truth[got[n]["address"]] for n in names), len(calls)
assert not any(r["took_s"] for r in calls), "a duration by the host's clock"
assert not any(r["time_s"] or r["since_s"] for r in rows), "a time of the host's"
assert all(re.match(r" *\?[\d.]+  {12}", line) for line in open(sys.argv[4])), "times without their mark"
for kind in ("vcd", "ctf/metadata", "perfetto"):
    assert "they tell the order alone" in open(sys.argv[5] + "/log." + kind).read(), kind
shown = json.load(open(sys.argv[5] + "/log.speedscope"))
assert {p["unit"] for p in shown["profiles"]} == {"none"}, shown["profiles"]
folded = [int(line.rsplit(" ", 1)[1]) for line in open(sys.argv[5] + "/log.folded")]
assert sum(folded) == len(calls), (sum(folded), len(calls))
ended = [line for line in open(sys.argv[4]) if " returned" in line and "not returned" not in line]
assert len(ended) == len(calls), (len(ended), len(calls))
# trees += tree(6) is 8 each time: cleared with all memory, set to 0, then seven times.
assert [r["value"] for r in rows if r["name"] == "trees"] == [str(v) for v in (0, 0, 8, 16, 24, 32, 40, 48, 56)]
watching = export["node"]["watching"]
assert [w["way"] for w in watching["watches"]] == ["breakpoint"] * 4 + ["stops", "breakpoint"], watching
assert not any(w["lost"] for w in watching["watches"]), watching
assert watching["stop_s"] > 0 and 0 < watching["halted"] < 1, watching
END_CHECK

# --- its recording tells the same log to the byte: without -f, without -w, and out of a pipe that is told its format ---
replayed() {	# what it is called, then how it is replayed
	local name=$1 kind
	shift
	"$WSNTOP" -B "$@" -e "$ELF" -x "json:$work/$name.json" -x "log-csv:$work/$name.csv" -x "log-json:$work/$name.log.json" \
		-x "vcd:$work/$name.vcd" >/dev/null 2>"$work/said" || { cat "$work/said"; fail "no replay: $*"; }
	cmp "$work/log.csv" "$work/$name.csv" || fail "$*: another log"
	cmp "$work/log.vcd" "$work/$name.vcd" || fail "$*: another VCD"
	python3 - "$work/all.json" "$work/$name.json" "$work/log.json" "$work/$name.log.json" <<'END_SAME' || fail "$*: other counts"
import json
import sys

live, again, log, log_again = (json.load(open(p)) for p in sys.argv[1:])
assert log.pop("node") and log_again.pop("node") and log == log_again and len(log["log"]) > 600, len(log["log"])
calls = lambda e: {f["name"]: f["calls"] for f in e["functions"] if f["calls"]}
assert calls(live) == calls(again) and calls(live), (calls(live), calls(again))
watches = lambda e: [(w["watch"], w["way"], w["hits"], w["lost"]) for w in e["node"]["watching"]["watches"]]
assert watches(live) == watches(again), (watches(live), watches(again))
END_SAME
}
replayed again -p "$work/all.wsnrec"
replayed named -p "$work/all.wsnrec" -f gdb -w trees
cat "$work/all.wsnrec" | replayed piped -p -
"$WSNTOP" -B -p "$work/all.wsnrec" -r "$work/copy.wsnrec" -e "$ELF" >/dev/null || fail "no copy"
replayed copied -p "$work/copy.wsnrec"
! "$WSNTOP" -B -p "$work/all.wsnrec" -e "$ELF" -w aes_state >/dev/null 2>"$work/said" || fail "watched afterwards"
grep -q "aes_state: was not watched when this was recorded; there are call:aes_block, " "$work/said" || { cat "$work/said"; fail "no reason"; }

# --- damage costs what it hits ---
python3 - "$work/all.wsnrec" "$work/hit.wsnrec" <<'END_HIT'
import sys

b = bytearray(open(sys.argv[1], "rb").read())
for at in range(len(b) // 3, len(b) // 3 + 2000):
    b[at] ^= 0x55
open(sys.argv[2], "wb").write(b)
END_HIT
"$WSNTOP" -B -p "$work/hit.wsnrec" -e "$ELF" -x "log-csv:$work/hit.csv" >/dev/null 2>"$work/said" || { cat "$work/said"; fail "damaged"; }
python3 - "$work/log.csv" "$work/hit.csv" <<'END_HIT' || fail "damage spreads"
import sys

whole, hit = ([line for line in open(p)] for p in sys.argv[1:])
assert len(whole) - 60 < len(hit) < len(whole) and hit[-1] == whole[-1], (len(whole), len(hit))
END_HIT

# --- the same, unseen: what it computes is the same ---
serve "run=wsn,net rounds=1"
top -p "gdb:localhost:$port" -e "$ELF" $watch -x "json:$work/unseen.json"
! grep -q '"calls": [1-9]' "$work/unseen.json" || fail "it was stopped unasked"
grep -q "irq:$pace is not watched: it would stop the target: add ?watch=1" "$work/said" ||
	{ cat "$work/said"; fail "no cure"; }
cmp "$work/uart" "$work/uart.watched" || fail "what is watched changes what it computes"

# --- whoever leaves in the middle leaves nothing set ---
serve "run=wsn,net rounds=40"
"$WSNTOP" -B -p "gdb:localhost:$port?watch=1" -e "$ELF" $watch --for=4 -x "json:$work/cut.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "no log of four seconds"; }
ended "left"
python3 - "$work/cut.json" "$work/truth" <<'END_CUT' || fail "it was not cut short"
import json
import sys

calls = {f["name"]: f["calls"] for f in json.load(open(sys.argv[1]))["functions"] if f["calls"]}
entries = {w[2]: int(w[3]) for w in (line.split("\t") for line in open(sys.argv[2])) if w[0] == "function"}
assert calls and all(count < entries[name] for name, count in calls.items()), calls
END_CUT
echo ok
