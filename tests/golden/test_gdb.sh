#!/bin/bash
# gdb: with real servers. OpenOCD reads the PC of a running target: nothing is halted. QEMU cannot: it is stopped where
# that is allowed, and runs on behind us.
# Sanitized: long: its decoder has a fuzzer and sanitized unit tests; most of its seconds are the simulated chip's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_truth

probe_of() {	# json, an expression over node and probe
	python3 - "$1" "$2" <<'END' || fail "$2"
import json
import sys

node = json.load(open(sys.argv[1]))["node"]
probe = node["probe"]
assert eval(sys.argv[2]), probe
END
}

sampled() {	# name, more samples than, source, [option...] seconds
	local name=$1 least=$2 source=$3
	rm -f "$work/$name.rec"
	"$WSNTOP" -B -p "$source" -e "$M3_ELF" --for="${*: -1}" -x "json:$work/$name.json" "${@:4:$#-4}" >/dev/null 2>"$work/said" ||
		{ cat "$work/said"; fail "$name: no profile"; }
	python3 - "$work/$name.json" "$least" <<-'END'	# a slow host's few answers tell no rate, either
		import json, sys
		probe = json.load(open(sys.argv[1]))["node"]["probe"]
		sys.exit(probe["samples"] <= int(sys.argv[2]) or probe["trouble"] is None and not probe["cycles_hz"])
	END
}

estimated() {	# as sampled, with estimates of calls: a slow host's few samples give none
	sampled "$@" && grep -q '"calls_estimate": *\[' "$work/$1.json"
}

# --- OpenOCD ---
probe_start -a 0.3
longer 3 estimated all 50 "gdb:localhost:$GDB" -r "$work/all.rec" || fail "few samples"
probe_of "$work/all.json" 'probe["trouble"] is None and probe["halted"] == 0'
probe_of "$work/all.json" 'abs(probe["asleep"] / probe["samples"] - 0.28) < 0.08 + 2 / probe["samples"] ** 0.5 and abs(probe["cycles_hz"] / 72e6 - 1) < 0.02'
probe_of "$work/all.json" 'node["image_match"] == "yes"'
other=$root/build/sim/cortexm/an385-timed-Os.elf
"$WSNTOP" -B -p "gdb:localhost:$GDB" -e "$other" --for=6 -x "json:$work/other.json" >/dev/null 2>"$work/said"
grep -q 'is not the firmware that runs; .*: [0-9]* of 64 blocks of its code differ' "$work/said" ||
	{ cat "$work/said"; fail "another ELF is not refused"; }
probe_of "$work/other.json" 'node["image_match"] == "no"'
last=$(grep '^write e000edf0' "$work/m3.writes" | tail -n 1)
[ "$last" = "write e000edf0 a05f0001" ] || fail "the target was left as $last"

# What is watched: its comparators and breakpoints are set, as many as there are, and taken away again.
"$WSNTOP" -B -p "gdb:localhost:$GDB?watch=1" -e "$M3_ELF" --for=6 -w call:aes_block -w trees -w irq -x "json:$work/watched.json" \
	>/dev/null 2>"$work/said" || { cat "$work/said"; fail "nothing with watches"; }
grep -q "irq is not watched: the chip has no" "$work/said" || { cat "$work/said"; fail "six breakpoints are not the most"; }
probe_of "$work/watched.json" '[w["way"] for w in node["watching"]["watches"]] == ["breakpoint", "stops", "refused"]'
probe_of "$work/watched.json" '[node["watching"][k] for k in ("comparators", "comparators_used", "breakpoints", "breakpoints_used")] == [4, 1, 6, 6]'
probe_of "$work/watched.json" 'probe["trouble"] is None and probe["samples"] > 10'
grep -q "^write e0001020 $(arm-none-eabi-nm "$M3_ELF" | awk '$3 == "trees" { print $1 }')" "$work/m3.writes" || fail "no comparator"
for register in e0001028 e0002008 e000201c; do
	grep "^write $register" "$work/m3.writes" | tail -n 1 | grep -q ' 00000000$' || fail "$register was left set"
done

# By a serial port, which stays open behind whoever goes away: the second one is greeted like the first.
python3 - "$GDB" "$work/tty" <<'END' &
import os
import pty
import select
import socket
import sys
import tty

server = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
port, end = pty.openpty()
tty.setraw(end)
os.symlink(os.ttyname(end), sys.argv[2])
while True:
    ready, _, _ = select.select([port, server], [], [])
    if port in ready:
        server.sendall(os.read(port, 4096))
    if server in ready:
        data = server.recv(4096)
        if not data:
            break
        os.write(port, data)
END
for _ in $(seq 100); do
	[ -e "$work/tty" ] && break
	sleep 0.1
done
for i in 1 2; do
	longer 3 sampled serial 20 "gdb:$work/tty" || fail "few samples by a serial port, session $i"
	probe_of "$work/serial.json" 'probe["trouble"] is None and abs(probe["cycles_hz"] / 72e6 - 1) < 0.02'
done
probe_stop
"$WSNTOP" -B -p "file:$work/all.rec" -e "$M3_ELF" -x "json:$work/again.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "the recording is not read"; }
python3 - "$work/all.json" "$work/again.json" "$root/tests/golden" <<'END' || exit 1
import json
import sys

nodes = [json.load(open(path)) for path in sys.argv[1:3]]
live, again = ({f["name"]: f["samples"] for f in node["functions"] if f["samples"]} for node in nodes)
assert live == again, (live, again)
sys.path.insert(0, sys.argv[3])
from estimates import same_estimates
same_estimates(*nodes)
END

# --- QEMU ---
trap 'kill "$QEMU" 2>/dev/null; rm -rf "$work"' EXIT
qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=6 \
	-semihosting-config enable=on,target=native -append "run=wsn,net forever=1" -kernel "$M3_ELF" \
	-gdb "unix:$work/gdb,server=on,wait=off" -qmp "unix:$work/qmp,server=on,wait=off" </dev/null >"$work/qemu" 2>&1 &
QEMU=$!
for _ in $(seq 100); do
	[ -S "$work/gdb" ] && break
	sleep 0.1
done
python3 - "$work/gdb" "$work/port" <<'END' &
# QEMU picks no free port of its own: one of ours leads to its socket, again and again.
import socket
import sys
import threading

server = socket.create_server(("127.0.0.1", 0))
open(sys.argv[2], "w").write(str(server.getsockname()[1]))

def carry(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        b.close()

while True:
    client, _ = server.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    qemu = socket.socket(socket.AF_UNIX)
    qemu.connect(sys.argv[1])
    threading.Thread(target=carry, args=(client, qemu), daemon=True).start()
    threading.Thread(target=carry, args=(qemu, client), daemon=True).start()
END
CARRY=$!
trap 'kill "$QEMU" "$CARRY" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 100); do
	[ -s "$work/port" ] && break
	sleep 0.1
done
port=$(cat "$work/port")

runs() {
	python3 - "$work/qmp" <<'END' || fail "$1: QEMU does not run"
import json
import socket
import sys
import time

qmp = socket.socket(socket.AF_UNIX)
qmp.connect(sys.argv[1])
lines = qmp.makefile("rw")
lines.readline()
lines.write('{"execute": "qmp_capabilities"}\n')
lines.flush()
for _ in range(50):
    lines.write('{"execute": "query-status"}\n')
    lines.flush()
    while True:
        answer = json.loads(lines.readline())
        if "return" in answer and "status" in answer["return"]:
            break
    if answer["return"]["status"] == "running":
        sys.exit(0)
    time.sleep(0.1)
sys.exit(answer["return"]["status"])
END
}
! "$WSNTOP" -B -p "gdb:localhost:$port" -e "$M3_ELF" --for=6 >/dev/null 2>"$work/said" || fail "it was stopped unasked"
grep -q "add ?stop=100 to" "$work/said" || { cat "$work/said"; fail "no cure"; }
runs "asked"
"$WSNTOP" -B -p "gdb:localhost:$port?stop=200" -e "$M3_ELF" --for=5 -x "json:$work/stops.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "no profile by stops"; }
probe_of "$work/stops.json" 'probe["samples"] > 10 and 0 < probe["halted"] < 1 and probe["asked_hz"] == 200'
probe_of "$work/stops.json" 'node["image_match"] == "yes"'
runs "ended"
"$WSNTOP" -B -p "gdb:localhost:$port?stop=200" -e "$M3_ELF" >/dev/null 2>&1 &
top=$!
sleep 2
kill -TERM "$top"
wait "$top" || true
runs "interrupted"
echo ok
