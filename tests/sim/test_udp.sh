#!/bin/bash
# Nodes that send datagrams themselves, several to one port: each has all its counts. Another address with a node's id is
# refused, as is another id from a node's address; the port is the loopback's alone unless an address is given.
. "$(dirname "$0")/lib.sh"
cd "$(dirname "$0")/../.." || exit 1
fail() { echo "FAILED: $*"; exit 1; }
command -v python3 >/dev/null || { echo "skipped: python3 is not installed"; exit 77; }
PORT=$(python3 -c 'import socket; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')

"$NODE" --fast --seconds=60 --truth="$TMP/truth" --uart="$TMP/node.bin" "$FW/finite.elf" >"$TMP/node.end"
ended node
watch() {	# NAME ELF COMMAND...: what comes of what that sends
	local name=$1 elf=$2
	shift 2
	"$WSNTOP" -B -p "udp:$PORT" -e "$elf" --for=600 -x "json:$TMP/$name.json" >"$TMP/$name.said" 2>&1 & watcher=$!
	for _ in $(seq 600); do
		! grep -q "$(printf ': 0100007F:%04X' "$PORT")" /proc/net/udp || break
		sleep 0.05
	done
	python3 "$@"
	sleep 2		# what was sent is in the socket: it is read, and the screen's second has passed
	kill $watcher
	wait $watcher || { cat "$TMP/$name.said"; fail "$name: it ended otherwise"; }
}
send() { watch "$1" "$FW/finite.elf" tests/sim/datagrams.py "$PORT" "$TMP/node.bin" "${@:2}"; }
send three 1 2 0000002a
send twice 1 +1
send other =1

# The example, whose packets a bridge takes from its line.
make -C examples/datagrams O="$TMP/example" >"$TMP/made" 2>&1 || { cat "$TMP/made"; fail "the example is not built"; }
"$NODE" --fast --seconds=60 --truth="$TMP/example.truth" --uart="$TMP/slip.bin" "$TMP/example/datagrams.elf" >"$TMP/example.end"
ended example
watch example "$TMP/example/datagrams.elf" tests/sim/slip.py "$TMP/slip.bin" "$PORT"
python3 - "$TMP" "$PORT" <<'END'
import glob
import sys

from truth import Truth, check, check_calls, rows_of_json

tmp, port = sys.argv[1:]
truth = Truth(f"{tmp}/truth")


def said(name):
    return open(f"{tmp}/{name}.said").read()


files = sorted(glob.glob(f"{tmp}/three.json*"))
check(len(files) == 3, f"three nodes on one port: {files}")
for name in files + [f"{tmp}/twice.json"]:
    check_calls(rows_of_json(name, 8000000)[1], truth.sites, name.rsplit("/")[-1])
check_calls(rows_of_json(f"{tmp}/example.json", 8000000)[1], Truth(f"{tmp}/example.truth").sites, "the example, by SLIP")
check("bytes refused: in its name, from another address than 127.0.0.1" in said("twice"), "who takes another's id")
check("bytes refused: another node's id from its address" in said("other"), "who changes its id")
END
"$WSNTOP" -B -p udp:nonsense 2>"$TMP/said" && fail "nonsense is taken"
grep -q "expected udp:PORT" "$TMP/said" || { cat "$TMP/said"; fail "nonsense"; }
echo "ok: udp"
