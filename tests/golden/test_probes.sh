#!/bin/bash
# The lines of docs/PROBES.md do what it says, by the real OpenOCD on the simulated Cortex-M3: SWO comes once its
# registers are written, and not before; RTT is served without a loss.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_truth
probe_start -s 2000000 -r 20000

tcl() {	# command: its answer
	local answer
	exec 3<>"/dev/tcp/localhost/$TCL" || fail "no Tcl port"
	printf '%s\032' "$1" >&3
	read -r -t 60 -d $'\032' answer <&3 || fail "$1: no answer"
	exec 3>&-
	echo "$answer"
}

# --- SWO ---
! "$WSNTOP" -B -p "swo:tcp:localhost:$SWO" -f itm -e "$M3_ELF" --for=1 >"$work/out" 2>&1 ||
	fail "SWO sends before it is set up"
lines=$(sed -n 's/^    \(mww 0x[0-9A-F]* [0-9xA-F]*\) .*/\1/p' "$root/docs/PROBES.md")
[ "$(echo "$lines" | wc -l)" = 8 ] || fail "the lines of docs/PROBES.md: $lines"
while read -r line; do
	[ -z "$(tcl "$line")" ] || fail "$line: refused"
done <<<"$lines"
swo_samples() {	# seconds
	took=$SECONDS
	"$WSNTOP" -B -p "swo:tcp:localhost:$SWO" -f itm -e "$M3_ELF" --for="$1" -x "json:$work/swo.json" >"$work/out" 2>&1 &&
		took=$((SECONDS - took)) && python3 -c 'import json, sys
sys.exit(sum(f["samples"] or 0 for f in json.load(open(sys.argv[1]))["functions"]) <= 2000)' "$work/swo.json"
}
longer 4 swo_samples || fail "no SWO: $(cat "$work/out")"
python3 - "$work/swo.json" "$took" <<'END' || exit 1
import json
import sys

d = json.load(open(sys.argv[1]))
samples = sum(f["samples"] or 0 for f in d["functions"])
# 72 MHz / 16,384: 4,395 PCs a second. Connected late or halted by the machine it has fewer.
assert samples < 4395 * (float(sys.argv[2]) + 2), samples
assert d["stream"]["bad_bytes"] * 1000 < d["stream"]["bytes"], d["stream"]
END
"$WSNTOP" doctor -p "openocd::$TCL" >"$work/out" || fail "$(cat "$work/out")"
grep -q 'SWO is set up as a UART of [12]\.[09]' "$work/out" || fail "doctor does not know of it: $(cat "$work/out")"

# --- RTT ---
# OpenOCD chooses a port itself.
rtt=$(grep -o "'rtt [^']*'" "$root/docs/PROBES.md" | tr -d "'" | sed "s/ 3490 / 0 /")
[ "$(echo "$rtt" | wc -l)" = 4 ] || fail "the lines of docs/PROBES.md: $rtt"
while read -r line; do
	tcl "$line" >"$work/answer"
	[ ! -s "$work/answer" ] || [ -z "$(tr -d '\n' <"$work/answer")" ] || fail "$line: $(cat "$work/answer")"
done <<<"$rtt"
RTT=$(port_of "$work/openocd" '.*Listening on port \([0-9]*\) for rtt.*') || fail "no RTT server"
rtt_bytes() {	# seconds
	local bytes
	"$WSNTOP" -B -p "tcp:localhost:$RTT" --for="$1" >"$work/out" 2>&1
	bytes=$(sed -n 's/.*nothing decoded from \([0-9,]*\) bytes .* which are text.*/\1/p' "$work/out" | tr -d ,)
	[ "${bytes:-0}" -gt 40000 ]
}
longer 4 rtt_bytes || fail "RTT: $(cat "$work/out")"
python3 - "$RTT" <<'END' || exit 1
import socket
import sys

# Lines of ten digits, one after the other: a digit that is missing breaks one. The first ones may be the rest of a line.
s, got = socket.create_connection(("localhost", int(sys.argv[1]))), b""
while len(got) < 40000:
    got += s.recv(65536)
got = got[-30000:]
assert got in b"0123456789\n" * 3000, got[:200]
END
probe_stop
echo ok
