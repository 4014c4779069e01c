#!/bin/bash
# A power meter beside a node: the simulated PPK2 with bytes lost, unplugged, silent; its recording; an LPM01A;
# lines of numbers of each kind of source; every error is one line.
. "$(dirname "$0")/lib.sh"
. "$root/tests/power/lib.sh"
need_tools python3
[ -x "$root/build/tests/power/ppk2" ] || fail "no simulated PPK2: make tools"

node() {	# seconds: a node that reports, for so long
	rm -f "$work/node"
	mkfifo "$work/node"
	{
		printf 'PROF:demo:1:10:32768:32768\n0x100:0x200:5:1000:10:500\n\n'
		sleep "$1"
	} >"$work/node" &
}

measured() {	# name, option...
	local name=$1
	shift
	"$WSNTOP" -B -p "$work/node" -x "json:$work/$name.json" "$@" >"$work/$name.out" 2>"$work/$name.said" ||
		{ cat "$work/$name.said"; fail "$name: no profile"; }
}

figures() {	# name, conditions over the members of "power"
	python3 - "$work/$1.json" "$2" <<'END' || fail "$1: $2"
import json
import sys

power = json.load(open(sys.argv[1]))["power"]
if not eval(sys.argv[2], power):
    sys.exit({k: v for k, v in power.items() if k != "__builtins__"})
END
}

# 2 mA for 7 ms, 20 mA for 3 ms, 200 mA in the last 0.5 ms of each 10th.
true_mean='(0.7 * 0.002 + 0.3 * 0.02 + 0.005 * 0.18)'

# --- live, with losses; recorded ---
ppk2_start -l 1 -l 5 -l 9
node 6
measured all --power="ppk2:$PPK2" -r "$work/all.rec"
ppk2_stop
sent=$(sed -n 's/sent \([0-9]*\) samples.*/\1/p' "$work/ppk2.said")
lost=$(sed -n 's/.* \([0-9]*\) of them lost.*/\1/p' "$work/ppk2.said")
places=$(sed -n 's/.* in \([0-9]*\) places.*/\1/p' "$work/ppk2.said")
[ "$places" -ge 10 ] || fail "only $places losses"
figures all "samples > 200000 and hz == 100000 and calibrated and model == 'PPK2' and bad_bytes < 12 * $places"
# Not all of the last ones were read: three words at most in each 20,000.
figures all "$lost - 3 - 3 * ($sent - samples) / 20000 <= lost <= $lost + 2 * $places"
figures all "$sent / 2 <= samples + lost <= $sent"	# what it sent when nobody read any more is left
figures all "abs(mean_a / $true_mean - 1) < 0.02 and 0.0019 < min_a < 0.0021 and 0.19 < max_a < 0.6"
figures all "abs(charge_c / (mean_a * samples / hz) - 1) < 1e-6 and abs(seconds * hz - samples - lost) < 1"
figures all "abs(edges - seconds * 200) < 3 and 0 < replaced < 0.01 * samples"
printf 'command %s\n' 07 19 "11 01" "0c 01" 06 07 | diff - <(grep '^command' "$work/ppk2.said") ||
	fail "its commands, in meter mode"
echo "$sent samples sent, $lost lost by $places losses of 1, 5 and 9 bytes"

# --- the recordings, together and alone ---
"$WSNTOP" -B -p "$work/all.rec" --power="ppk2:$work/all.rec.power" -x "json:$work/again.json" >/dev/null 2>"$work/said" ||
	{ cat "$work/said"; fail "the recordings are not read"; }
python3 - "$work/all.json" "$work/again.json" <<'END' || fail "the recording differs"
import json
import sys

live, again = (json.load(open(path))["power"] for path in sys.argv[1:])
# Live, the last two words wait for those behind them.
for key, most in ("samples", 2), ("lost", 0), ("edges", 0), ("replaced", 2), ("calibrated", 0), ("min_a", 0), ("max_a", 0):
    if not 0 <= again[key] - live[key] <= most:
        sys.exit((key, live[key], again[key]))
for key in "mean_a", "charge_c":
    if abs(again[key] / live[key] - 1) > 1e-4:
        sys.exit((key, live[key], again[key]))
END
! "$WSNTOP" -B -p "$work/all.rec" --power="ppk2:$work/all.rec.power" -x "json:$work/all.rec.power" >"$work/out" 2>&1 ||
	fail "an export replaced the meter's recording"

# --- it supplies the node; it is unplugged and comes back ---
ppk2_start
node 8
measured back --power="ppk2:$PPK2?mode=source&mv=3300" &
watcher=$!
sleep 3
ppk2_order unplug
sleep 1
ppk2_order plug
wait "$watcher" || exit 1
ppk2_stop
[ "$(grep -c '^command 06' "$work/ppk2.said")" = 2 ] || fail "it was not started twice"
[ "$(grep -c '^command 0d 0c e4' "$work/ppk2.said")" = 2 ] || fail "its voltage was not set twice"
grep -q '^mode 2, 3300 mV, power 1, running 0' "$work/ppk2.said" || fail "its state at the end: $(tail -n 1 "$work/ppk2.said")"
sent=$(sed -n 's/sent \([0-9]*\) samples.*/\1/p' "$work/ppk2.said")
# What the port held when it was unplugged, and at the end, is gone.
figures back "samples > 100000 and $sent / 2 <= samples <= $sent and lost == 0"
figures back "abs(mean_a / $true_mean - 1) < 0.02"

# --- one that answers nothing ---
ppk2_start -q
node 6
measured mute --power="ppk2:$PPK2"
ppk2_stop
grep -q '^wsntop: power meter: no answer; the PPK2 has two ports: name the other one$' "$work/mute.said" ||
	{ cat "$work/mute.said"; fail "its silence is not said"; }
figures mute "samples == 0 and mean_a is None and charge_c is None"

# --- an LPM01A, as public programs describe it: 1,000 samples a second of 640.9 uA ---
cat >"$work/lpm01a.py" <<'END'
import os
import pty
import select
import sys
import time
import tty

ours, theirs = pty.openpty()
tty.setraw(theirs)
os.symlink(os.ttyname(theirs), sys.argv[1])
log, line, begun, sent = open(sys.argv[2], "w"), b"", None, 0
while True:
    ready = select.select([ours], [], [], 0.005)[0]
    if ready:
        line += os.read(ours, 4096)
    while b"\n" in line:
        word, line = line.split(b"\n", 1)
        word = word.strip()
        log.write(word.decode() + "\n")
        log.flush()
        if word == b"stop" and begun is None:
            os.write(ours, b"\r\nPowerShield > error stop\r\n\r\n")
            continue
        os.write(ours, b"\r\nPowerShield > ack " + word + b"\r\n\r\n")
        begun, sent = (time.monotonic(), 0) if word == b"start" else (None, 0) if word == b"stop" else (begun, sent)
        if word == b"hrc":
            sys.exit()
    while begun is not None and sent < (time.monotonic() - begun) * 1000:
        sent += 1
        os.write(ours, b"640%d-07\r\n" % (sent % 10) if sent % 777 else b"64\r\n")
        if sent % 1000 == 0:
            os.write(ours, b"TimeStamp: %ds 000ms, buff 00%%\r\n" % (sent // 1000))
END
python3 "$work/lpm01a.py" "$work/ttyLPM" "$work/lpm01a.heard" &
shield=$!
for _ in $(seq 100); do
	[ -e "$work/ttyLPM" ] && break
	sleep 0.1
done
node 5
measured lpm01a --power="lpm01a:$work/ttyLPM?hz=1000&mv=1800"
wait "$shield" || fail "the LPM01A was not given back"
printf '%s\n' stop htc 'format ascii_dec' 'volt 1800m' 'freq 1k' 'acqtime inf' start stop hrc |
	diff - "$work/lpm01a.heard" || fail "its commands"
figures lpm01a "samples > 2000 and lost == (samples + lost) // 777 and hz == 1000 and model == 'LPM01A'"
figures lpm01a "abs(mean_a / 640.45e-6 - 1) < 1e-4 and abs(min_a - 640e-6) < 1e-9 and abs(max_a - 640.9e-6) < 1e-9"

# --- lines of numbers ---
lines() {	# name, source, condition
	node 0.1
	measured "$1" --power="$2" <"${4:-/dev/null}"
	figures "$1" "$3"
}

python3 - "$work" <<'END'
import sys

with open(sys.argv[1] + "/a.csv", "w") as f:
    f.write("Timestamp(ms),Current(uA),D0-D7\n")
    for i in range(400000):		# more than is read at a time
        if i < 20000 or i >= 20100:
            f.write("%.2f,%.3f,00000001\n" % (i * 0.01, 1000 + i % 10 * 100))
with open(sys.argv[1] + "/b.txt", "w") as f:
    f.write("".join("%d.5\n" % (i % 3) if i != 7 else "oops\n" for i in range(300)))
END
mean='abs(mean_a / 1.45e-3 - 1) < 1e-4 and abs(min_a - 1e-3) < 1e-9 and abs(max_a - 1.9e-3) < 1e-9'
lines csv "$work/a.csv" "samples == 399900 and lost == 100 and hz == 1e5 and seconds == 4 and $mean"
lines file "file:$work/a.csv" "samples == 399900 and $mean"
lines named "text:file:$work/a.csv?unit=uA&column=2&time=1&time_unit=ms&hz=100000" "samples == 399900 and lost == 100 and bad_bytes == 0 and $mean"
lines untimed "text:$work/b.txt?hz=10&unit=mA" "samples == 299 and lost == 1 and bad_bytes == 5 and seconds == 30"
lines stdin "text:-?hz=10&unit=nA" "samples == 299 and abs(max_a - 2.5e-9) < 1e-12" "$work/b.txt"
lines none "$work/b.txt" "samples == 0"
grep -q '^wsntop: power meter: the lines have no times; name their rate: ?hz=NUMBER$' "$work/none.said" ||
	{ cat "$work/none.said"; fail "a missing rate is not said"; }

python3 - "$work" <<'END' &
import socket
import sys
import time

server = socket.create_server(("localhost", 0))
with open(sys.argv[1] + "/port.new", "w") as f:
    f.write(str(server.getsockname()[1]))
import os
os.rename(sys.argv[1] + "/port.new", sys.argv[1] + "/port")
peer = server.accept()[0]
for i in range(1000):
    peer.sendall(b"%.3f 12.5\n" % (i / 100))
time.sleep(10)
END
server=$!
for _ in $(seq 100); do
	[ -e "$work/port" ] && break
	sleep 0.1
done
node 3
measured tcp --power="text:tcp:localhost:$(cat "$work/port")"
figures tcp "samples == 999 and hz == 100 and abs(mean_a / 0.0125 - 1) < 1e-6"	# the last one may have more to come
kill "$server" 2>/dev/null
wait "$server" 2>/dev/null

# --- errors ---
said() {	# what it says, option...
	local what=$1
	shift
	"$WSNTOP" -B -p "$work/all.rec" "$@" >"$work/out" 2>"$work/said" </dev/null && fail "$*: it ran"
	[ "$(wc -l <"$work/said")" = 1 ] && grep -q "^wsntop: .*$what" "$work/said" || { cat "$work/said"; fail "$*"; }
}
said 'at which voltage? add &mv=3000' --power='ppk2:x?mode=source'
said 'mv=9: expected millivolts, 800 to 5000' --power='ppk2:x?mode=source&mv=9'
said 'mode=both: expected meter or source' --power='ppk2:x?mode=both'
said 'unit=kg: expected A, mA, uA or nA' --power='text:x?unit=kg'
said 'column=0: expected its number, from 1' --power='text:x?column=0'
said 'separator=xy: expected tab, space, comma' --power='text:x?separator=xy'
said 'text: takes these options' --power='text:x?foo=1'
said 'openocd:: no power meter; expected ppk2:PORT' --power=openocd:
said 'no such' --power=ppk2:/dev/ttyNothing
said '2 meters for 1 source' --power=a --power=b
said "power: the value is empty\|--power" --power=
"$WSNTOP" -B -p "ppk2:$work/b.txt" >"$work/out" 2>"$work/said" && fail "a meter as a node"
grep -q 'a power meter; give it with --power' "$work/said" || { cat "$work/said"; fail "a meter as a node is not refused"; }
echo ok
