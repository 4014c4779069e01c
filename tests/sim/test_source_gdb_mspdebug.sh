#!/bin/bash
# gdb: with mspdebug's simulated MSP430, firmware by clang. It has no single registers (the PC is the first of all, of
# 16 bits) and answers a stop a hundred milliseconds late.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }

clang --target=msp430 -O1 -g -ffreestanding -c tests/sim/gdb/shares.c -o "$TMP/shares.o"
ld.lld -T tests/sim/gdb/msp430.ld -e start "$TMP/shares.o" -o "$TMP/shares.elf"

port= server=
serve() {	# it ends with its client. A port that is free now may be taken before it is bound: another one then
	for _ in 1 2 3 4 5; do
		port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
		: >"$TMP/server"
		mspdebug -q sim "prog $TMP/shares.elf" "gdb $port" >"$TMP/server" 2>&1 </dev/null &
		node_pid=$! server=$!
		for _ in $(seq 50); do
			! grep -q "waiting for connection" "$TMP/server" || return 0
			[ -e "/proc/$server" ] || break
			sleep 0.1
		done
		wait "$server" || true
	done
	cat "$TMP/server"
	fail "mspdebug does not serve"
}
serve

# --- without leave it is not stopped: the cure is said ---
! "$WSNTOP" -B -p "gdb:localhost:$port" -e "$TMP/shares.elf" --for=2 >/dev/null 2>"$TMP/said" || fail "it was stopped unasked"
grep -q "add ?stop=100 to" "$TMP/said" || { cat "$TMP/said"; fail "no cure"; }
! grep -q "Interrupted by gdb" "$TMP/server" || fail "mspdebug was stopped unasked"

running_left() {	# the last that it was told before the connection ended
	wait "$server" || true
	[ "$(grep "^Running\|^Interrupted" "$TMP/server" | tail -n 1)" = Running ] || { tail -n 3 "$TMP/server"; fail "left stopped"; }
}
running_left

# --- by stops. The loops are of the same instructions, 100 and 300 times ---
serve
"$WSNTOP" -B -p "gdb:localhost:$port?stop=50" -e "$TMP/shares.elf" --for=12 -x "json:$TMP/all.json" -r "$TMP/all.rec" \
	>/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "no profile"; }
python3 tests/sim/gdb_shares.py "$TMP/all.json" 0.75 0.25 15 || fail "shares"
running_left

# --- what is watched: calls by breakpoints; writes, which it does not name, by their values ---
serve
"$WSNTOP" -B -p "gdb:localhost:$port?watch=1" -e "$TMP/shares.elf" --for=15 -w call:work_once -w call:work_thrice \
	-x "json:$TMP/watched.json" -x "log-csv:$TMP/log.csv" -x "log:$TMP/log.txt" >/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "no log"; }
python3 tests/sim/gdb_calls.py "$TMP/watched.json" "$TMP/log.csv" 4 "$TMP/log.txt" || fail "calls are missed"
running_left
serve
"$WSNTOP" -B -p "gdb:localhost:$port?watch=1" -e "$TMP/shares.elf" --for=10 -w worked -x "log-csv:$TMP/log.csv" \
	>/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "no log"; }
python3 - "$TMP/log.csv" <<'END' || fail "writes are missed"
import csv
import sys

values = [int(r["value"]) for r in csv.DictReader(open(sys.argv[1])) if r["name"] == "worked"]
assert len(values) > 10, len(values)
for i in range(len(values) - 1):	# the i-th adds i, 99 of them; then 299 that xor
    assert i >= 99 or values[i + 1] == (values[i] + i + 1) & 0xffff, (i, values[i:i + 2])
END
running_left

# --- its answers again ---
"$WSNTOP" -B -p "file:$TMP/all.rec" -f gdb -e "$TMP/shares.elf" -x "json:$TMP/again.json" >/dev/null 2>"$TMP/said" ||
	{ cat "$TMP/said"; fail "the recording is not read"; }
python3 - "$TMP/all.json" "$TMP/again.json" <<'END' || fail "the recording has other samples"
import json
import sys

live, again = ({f["name"]: f["samples"] for f in json.load(open(path))["functions"] if f["samples"]} for path in sys.argv[1:])
assert live == again, (live, again)
END
echo ok
