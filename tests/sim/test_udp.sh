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
watch() {	# NAME ID...: what comes of these
	local name=$1
	shift
	"$WSNTOP" -B -p "udp:$PORT" -e "$FW/finite.elf" --for=600 -x "json:$TMP/$name.json" >"$TMP/$name.said" 2>&1 & watcher=$!
	for _ in $(seq 600); do
		! grep -q "$(printf ': 0100007F:%04X' "$PORT")" /proc/net/udp || break
		sleep 0.05
	done
	python3 tests/sim/datagrams.py "$PORT" "$TMP/node.bin" "$@"
	sleep 2		# what was sent is in the socket: it is read, and the screen's second has passed
	kill $watcher
	wait $watcher || { cat "$TMP/$name.said"; fail "$name: it ended otherwise"; }
}
watch three 1 2 0000002a
watch twice 1 +1
watch other =1
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
check("bytes refused: in its name, from another address than 127.0.0.1" in said("twice"), "who takes another's id")
check("bytes refused: another node's id from its address" in said("other"), "who changes its id")
END
"$WSNTOP" -B -p udp:nonsense 2>"$TMP/said" && fail "nonsense is taken"
grep -q "expected udp:PORT" "$TMP/said" || { cat "$TMP/said"; fail "nonsense"; }
echo "ok: udp"
