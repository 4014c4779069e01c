#!/bin/bash
# Nodes over a broker: `wsntop relay` and -p mqtt://, with Debian's mosquitto. Three sites are seen live, the broker is
# killed meanwhile: all counts are the nodes' own at the end. Who comes when all is over has them from what is retained.
# Shards that differ are refused; certificates hold, and are names of an access list (test_broker_acl.sh).
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/broker.sh"

# --- live, and the broker goes away ---
"$NODE" --fast --seconds=60 --uart="$TMP/finite.bin" "$FW/finite.elf" >"$TMP/finite.end"
"$WSNTOP" -B -f wsn -p "file:$TMP/finite.bin" -e "$FW/finite.elf" -x "json:$TMP/true.json" >/dev/null
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
relays=()
for site in a b c; do
	"$NODE" --link="$TMP/$site" --wait "$FW/finite.elf" >"$TMP/$site.end" & pids+=($!)
	for _ in $(seq 600); do [ -e "$TMP/$site" ] || sleep 0.05; done
	"$WSNTOP" relay -p "$TMP/$site" --to=mqtt://$HERE/$site --period=5 2>"$TMP/$site.said" & relays+=($!)
done
pids+=("${relays[@]}")
for site in a b c; do await "the relay found no node" "$TMP/$site.said" ": node 00000000"; done
"$WSNTOP" -B -p "mqtt://$HERE/+/+" -e "$FW/finite.elf" --for=40 -x "json:$TMP/live.json" >"$TMP/seen" 2>&1 & watcher=$!
sleep 6
kill -9 $broker
sleep 1
broker_start "listener $PORT 127.0.0.1" "allow_anonymous true"
wait $watcher || { cat "$TMP/seen"; fail "the watcher ended otherwise"; }
for site in a b c; do
	[ "$(grep -c ": connected (MQTT 5)" "$TMP/$site.said")" = 2 ] || { cat "$TMP/$site.said"; fail "relay $site did not come back"; }
	ended "$site"
done
kill "${relays[@]}"
for relay in "${relays[@]}"; do wait "$relay" || fail "a relay ended with $?"; done

# --- who comes late, from what is retained ---
"$WSNTOP" -B -p "mqtt://$HERE/b/+" -e "$FW/finite.elf" --for=5 -x "json:$TMP/late.json" >/dev/null 2>"$TMP/said" ||
	{ cat "$TMP/said"; fail "nothing is retained"; }
mosquitto_sub -p "$PORT" -N -t 'c/+/+/k' -C 1 >"$TMP/key.bin"
"$WSNTOP" -B -f wsn -p - -e "$FW/finite.elf" -x "json:$TMP/key.json" <"$TMP/key.bin" >/dev/null || fail "a keyframe is no stream"
python3 - "$TMP" <<'END'
import glob
import json
import sys

tmp = sys.argv[1]


def calls(path):
    return {f["name"]: f["calls"] for f in json.load(open(path))["functions"]}


true = calls(f"{tmp}/true.json")
live = sorted(glob.glob(f"{tmp}/live.json*"))
assert len(true) > 40 and len(live) == 3, (len(true), live)
for path in live + [f"{tmp}/late.json", f"{tmp}/key.json"]:
    seen = calls(path)
    assert seen == true, (path, {k: (seen.get(k), v) for k, v in true.items() if seen.get(k) != v})
print(f"ok: {len(true)} functions of three nodes, {sum(c or 0 for c in true.values())} calls, to the count")
END

# --- a broker of before MQTT 5: no properties, the same counts ---
python3 tests/sim/old_broker.py "$PORT" >"$TMP/old" & pids+=($!)
until [ -s "$TMP/old" ]; do sleep 0.05; done
old=mqtt://127.0.0.1:$(cat "$TMP/old")/old
"$WSNTOP" relay -p "$TMP/finite.bin" --to="$old" 2>"$TMP/said" || { cat "$TMP/said"; fail "the relay, MQTT 3.1.1"; }
grep -q "connected (MQTT 3.1.1: times are those of arrival)" "$TMP/said" || { cat "$TMP/said"; fail "MQTT 3.1.1 is not said"; }
"$WSNTOP" -B -p "$old/+" -e "$FW/finite.elf" --for=4 -x "json:$TMP/old.json" >/dev/null 2>&1 || fail "MQTT 3.1.1"
python3 - "$TMP" <<'END'
import json, sys
true, old = ({f["name"]: f["calls"] for f in json.load(open(f"{sys.argv[1]}/{name}.json"))["functions"]} for name in ("true", "old"))
assert true == old, (true, old)
print("ok: the same over MQTT 3.1.1")
END

# --- what is agreed on ---
! "$WSNTOP" relay -p "$TMP/finite.bin" --to=mqtt://$HERE/d --shards=16 2>"$TMP/said" || fail "other shards were taken"
grep -q "has 64 shards (wsn/config), not 16" "$TMP/said" || { cat "$TMP/said"; fail "other shards"; }
! "$WSNTOP" -B -p "mqtt://$HERE/nobody/+" 2>"$TMP/said" || fail "a site without nodes"
grep -q "no node there" "$TMP/said" || { cat "$TMP/said"; fail "a site without nodes"; }
kill $broker
wait $broker || true

# --- TLS, certificates ---
cd "$TMP"
{
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=ca -keyout ca.key -out ca.crt
	cp ca.crt other.crt
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=other -keyout other.key -out other.crt
	printf 'subjectAltName=DNS:localhost,IP:127.0.0.1\n' >names
	for name in broker gateway watcher; do
		openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=$name -keyout $name.key -out $name.csr
		openssl x509 -req -in $name.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out $name.crt
	done
} >openssl.log 2>&1
cd - >/dev/null
sed -n '/^    pattern read/,/^$/s/^    //p' docs/FLEET.md | sed 's/plant1/e/' >"$TMP/acl"	# who is who by certificates
broker_start "listener $PORT 127.0.0.1" "cafile $TMP/ca.crt" "certfile $TMP/broker.crt" "keyfile $TMP/broker.key" \
	"require_certificate true" "use_identity_as_username true" "acl_file $TMP/acl"
tls=mqtts://localhost:$PORT
own="ca=$TMP/ca.crt&cert=$TMP/gateway.crt&key=$TMP/gateway.key"
"$WSNTOP" relay -p "$TMP/finite.bin" --to="$tls/e?$own" 2>"$TMP/said" || { cat "$TMP/said"; fail "TLS"; }
"$WSNTOP" relay -p "$TMP/finite.bin" --to="$tls/f?$own" 2>/dev/null || true	# a site that is not its own

mosquitto_sub -h localhost -p "$PORT" --cafile "$TMP/ca.crt" --cert "$TMP/watcher.crt" --key "$TMP/watcher.key" \
	-t 'e/+/+/k' -t 'f/+/+/k' -W 3 -F '%r %t' >"$TMP/kept" || true
[ "$(cat "$TMP/kept")" = "1 e/25/00000000/k" ] || { cat "$TMP/kept"; fail "what is retained"; }
for wrong in "ca=$TMP/other.crt&cert=$TMP/gateway.crt&key=$TMP/gateway.key" "ca=$TMP/ca.crt"; do
	! "$WSNTOP" -B -p "$tls/e/+?$wrong" 2>"$TMP/said" || fail "taken: $wrong"
	[ "$(wc -l <"$TMP/said")" = 1 ] || { cat "$TMP/said"; fail "not one line: $wrong"; }
done
echo "ok: certificates hold, as names of the access list"
