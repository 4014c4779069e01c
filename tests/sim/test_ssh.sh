#!/bin/bash
# A port of another machine by ssh: the far side's script is run by sh here, as sshd runs it: in a session of its own,
# behind what a login shell says. (SSH=PROGRAM: a real ssh instead; long/test_ssh.)
. "$(dirname "$0")/lib.sh"

mkdir "$TMP/bin"
if [ -n "${SSH:-}" ]; then
	ln -s "$SSH" "$TMP/bin/ssh"
else
	cat >"$TMP/bin/ssh" <<'END'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
[ "$2" = nobody@nowhere ] && { echo "ssh: Could not resolve hostname nowhere: Name or service not known" >&2; exit 255; }
echo "Welcome to the gateway."
exec setsid -w sh -c "$3"
END
	chmod +x "$TMP/bin/ssh"
fi
export PATH=$TMP/bin:$PATH
fail() { echo "FAILED: $*"; exit 1; }
until_true() { for _ in $(seq 2400); do "$@" && return; sleep 0.05; done; return 1; }

"$NODE" --seconds=3600 --link="$TMP/a node's" "$FW/demo.elf" >"$TMP/live.end" & node_pid=$!
until_true [ -e "$TMP/a node's" ] || fail "no node"
port=$(readlink "$TMP/a node's")

# The same functions as by the port itself; no byte but the node's.
seen() {	# SOURCE SECONDS
	"$WSNTOP" -B -p "$1" -e "$FW/demo.elf" --for="$2" -x "json:$TMP/${1%%:*}.json" 2>"$TMP/err" &&
		[ "$(grep -c '"name":"[a-z].*"calls":[1-9]' "$TMP/${1%%:*}.json")" -gt 9 ]
}
for source in "ssh:gateway:$TMP/a node's" "serial:$port"; do
	seen "$source" 5 || seen "$source" 20 || seen "$source" 80 || fail "$source: $(cat "$TMP/err")"
done
python3 - "$TMP" <<'END' || exit 1
import json, sys
names = {}
for way in "ssh", "serial":
    d = json.load(open("%s/%s.json" % (sys.argv[1], way)))
    names[way] = {f["name"] for f in d["functions"] if f["calls"]}
    if d["stream"]["bad_bytes"] > 99 or d["stream"]["damaged"] > 2:	# joined within a frame, and what the pty lost before
        sys.exit("FAILED: %s: %s" % (way, d["stream"]))
if len(names["ssh"]) < 10 or len(names["ssh"] ^ names["serial"]) > 3:
    sys.exit("FAILED: by ssh %s, else %s" % (sorted(names["ssh"]), sorted(names["serial"])))
END

# Each refusal is one line with its reason.
refused() {	# SOURCE TEXT
	"$WSNTOP" -B -p "$1" -e "$FW/demo.elf" --for=1 -x json:/dev/null 2>"$TMP/err" && fail "$1: accepted"
	[ "$(wc -l <"$TMP/err")" = 1 ] && grep -qF "$2" "$TMP/err" || fail "$1: $(cat "$TMP/err")"
}
refused "ssh:gateway:/dev/there-is-none" "/dev/there-is-none is not there"
refused "ssh:gateway:/etc/passwd" "/etc/passwd is no serial port"
refused "ssh:gateway" "expected a host and a port of it, such as ssh:gateway:/dev/ttyACM0"
refused "ssh:-oProxyCommand=true:/dev/tty" "expected a host and a port of it"
refused "ssh:nobody@nowhere:/dev/ttyACM0" "nowhere"

# What of the far side has the port open.
holders() { grep -lsx "sh\|cat" /proc/[0-9]*/comm | while read -r comm; do
	ls -l "${comm%/comm}/fd" 2>/dev/null | grep -q -- "-> $port\$" && basename "${comm%/comm}"; done; true; }
is_open() { [ -n "$(holders)" ]; }
is_free() { [ -z "$(holders)" ]; }
until_true is_free || fail "left behind: $(holders)"

# It breaks and is taken up again; nothing of the far side outlives us, however we go.
"$WSNTOP" record -p "ssh:gateway:$port" -e "$FW/demo.elf" -o "$TMP/parts" 2>"$TMP/said" & wsntop=$!
until_true is_open || fail "not opened: $(cat "$TMP/said")"
kill $(holders)
until_true grep -q "waiting for it" "$TMP/said" || fail "the break is not told: $(cat "$TMP/said")"
until_true grep -q "it is back" "$TMP/said" || fail "not taken up again: $(cat "$TMP/said")"
until_true is_open || fail "not opened again"
kill -KILL $wsntop; wait $wsntop 2>/dev/null || true
until_true is_free || fail "left behind by a killed wsntop: $(holders)"
