#!/bin/bash
# gdb: with simavr's server (port 1234, no other). It takes one packet a read, and a stop only behind the "+" of the
# command before. The shares are those that simavr: as a source counts to the cycle; no call
# is missed; the target runs on afterwards.
. "$(dirname "$0")/lib.sh"
fail() { echo "FAILED: $*"; exit 1; }
! (: </dev/tcp/127.0.0.1/1234) 2>/dev/null || { echo "skipped: port 1234 is taken"; exit 77; }

avr-gcc -mmcu=atmega1284p -O1 -ggdb tests/sim/gdb/shares.c -o "$TMP/shares.elf"
"$WSNTOP" -B -p "simavr:atmega1284p@8M?pace=max&for=1" -e "$TMP/shares.elf" -x "json:$TMP/true.json" >/dev/null
share=$(python3 - "$TMP/true.json" <<'END'
import json
import sys

took = {f["name"]: f["self_s"] for f in json.load(open(sys.argv[1]))["functions"]}
print(took["work_thrice"] / (took["work_once"] + took["work_thrice"]))
END
)

stdbuf -oL simavr -m atmega1284p -f 8000000 -g "$TMP/shares.elf" >"$TMP/server" 2>&1 </dev/null &
node_pid=$! server=$!
for _ in $(seq 100); do
	! grep -qi "listening on port" "$TMP/server" || break
	[ -e "/proc/$server" ] || { cat "$TMP/server"; fail "simavr does not serve"; }
	sleep 0.1
done
lines() { grep -c 'm\.' "$TMP/server" || true; }	# in colour
runs() {
	local before
	before=$(lines)
	for _ in $(seq 600); do
		[ "$(lines)" -lt $((before + 2)) ] || return 0
		sleep 0.1
	done
	fail "$1: the target stands"
}

! "$WSNTOP" -B -p gdb:localhost:1234 -e "$TMP/shares.elf" --for=2 >/dev/null 2>"$TMP/said" || fail "it was stopped unasked"
grep -q "add ?stop=100 to" "$TMP/said" || { cat "$TMP/said"; fail "no cure"; }
runs "asked without leave to stop"
for seconds in 3 8; do		# the server keeps a processor busy as long as it is up; a busy host's samples are few
	"$WSNTOP" -B -p "gdb:localhost:1234?stop=300" -e "$TMP/shares.elf" --for=$seconds -x "json:$TMP/all.json" >/dev/null 2>"$TMP/said" ||
		{ cat "$TMP/said"; fail "no profile"; }
	if python3 tests/sim/gdb_shares.py "$TMP/all.json" "$share" 0.06 400; then
		seconds=enough
		break
	fi
done
[ $seconds = enough ] || fail "shares, of $share"
runs "left"

# --- what is watched: calls by breakpoints, each right behind the one before; its watchpoints never fire ---
"$WSNTOP" -B -p "gdb:localhost:1234?watch=1" -e "$TMP/shares.elf" --for=3 -w call:work_once -w call:work_thrice -w worked \
	-x "json:$TMP/watched.json" -x "log-csv:$TMP/log.csv" -x "log:$TMP/log.txt" >/dev/null 2>"$TMP/said" || { cat "$TMP/said"; fail "no log"; }
grep -q "worked is not watched: .*simavr: " "$TMP/said" || { cat "$TMP/said"; fail "which source can is not said"; }
python3 tests/sim/gdb_calls.py "$TMP/watched.json" "$TMP/log.csv" 50 "$TMP/log.txt" || fail "calls are missed"
runs "watched"
echo ok
