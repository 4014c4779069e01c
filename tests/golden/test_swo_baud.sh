#!/bin/bash
# SWO on a serial port: without ?baud= the rate is found, and found again when the chip is set to another one; with
# setup= the chip is set to the port's. A pty whose far end sends noise at any other rate.
. "$(dirname "$0")/lib.sh"

cat >"$work/pin.py" <<'END'
import fcntl
import os
import pty
import random
import struct
import sys
import time
import tty

rates = [int(arg) for arg in sys.argv[2:]]	# one after the other
master, slave = pty.openpty()
tty.setraw(slave)
with open(sys.argv[1], "w") as f:
    f.write(os.ttyname(slave))
random.seed(3)
TCGETS2, SPEED = 0x802C542A, 40


def packets(rate):
    """PCs each 6,144 cycles, in 10 ms."""
    out = b""
    for _ in range(rate // 10 // 16 // 100):
        out += b"\x17" + struct.pack("<I", 0x1000 + 2 * random.randrange(400)) + b"\xc0\x80\x30"
    return out


sent, rate = 0, rates.pop(0)
while True:
    speed = struct.unpack_from("<I", fcntl.ioctl(slave, TCGETS2, bytes(44)), SPEED)[0]
    data = packets(rate)
    if speed != rate:
        data = bytes((37 * byte + 11 * i + 91) % 256 for i, byte in enumerate(data))
    else:
        sent += len(data)
    os.write(master, data)
    if sent > rate // 10 and rates:	# a second at the right rate
        sent, rate = 0, rates.pop(0)
    time.sleep(0.01)
END

pin_start() {	# rates
	rm -f "$work/port"
	python3 "$work/pin.py" "$work/port" "$@" &
	PIN=$!
	trap 'kill "$PIN" 2>/dev/null; rm -rf "$work"' EXIT
	for _ in $(seq 100); do
		[ ! -s "$work/port" ] || return 0
		sleep 0.05
	done
	fail "no port"
}

pin_stop() {
	kill "$PIN"
	wait "$PIN" 2>/dev/null
}

pin_start 1000000 3000000
"$WSNTOP" -B -p "swo:$(cat "$work/port")" --for=12 -x "json:$work/found.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "no data"; }
grep -q "1000000 baud: itm packets" "$work/said" || { cat "$work/said"; fail "the rate is not found"; }
grep -q "3000000 baud: itm packets" "$work/said" || { cat "$work/said"; fail "another rate is not found"; }
pin_stop

# A rate that is named is kept, and -f need not be named. (Before the port is open the far end sends noise.)
pin_start 1000000
"$WSNTOP" -B -p "swo:$(cat "$work/port")?baud=1000000" --for=2 -x "json:$work/named.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "no data at a rate that is named"; }
python3 - "$work/named.json" <<'END' || exit 1
import json
import sys

d = json.load(open(sys.argv[1]))
assert d["node"]["format"] == "itm" and d["stream"]["bad_bytes"] < 8192, d["stream"]
assert d["stream"]["events"] > 5000, d["stream"]
END
"$WSNTOP" -B -p "swo:$(cat "$work/port")?baud=2000000" --for=2 >/dev/null 2>"$work/said"
grep -q "bytes come that are no packets" "$work/said" || { cat "$work/said"; fail "a wrong rate"; }
pin_stop
echo ok
