#!/bin/bash
# The access list of docs/FLEET.md, that very text, in mosquitto: relay, screen and collector run with it, each under its name;
# then every name tries to write and to read every topic, its own and others'.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/broker.sh"
command -v mosquitto_passwd >/dev/null || { echo "skipped: mosquitto_passwd is not installed"; exit 77; }
NAMES="gateway 0000002a watcher operator collector stranger"
export WSNTOP_MQTT_PASSWORD=secret

{
	sed -n '/^    pattern read/,/^$/s/^    //p' docs/FLEET.md
	printf '%s\n' "user all" "topic readwrite #"
} >"$TMP/acl"
[ "$(grep -c '^user ' "$TMP/acl")" = 5 ] || { cat "$TMP/acl"; fail "the document's access list"; }
for name in $NAMES all; do echo "$name:secret"; done >"$TMP/passwords"
mosquitto_passwd -U "$TMP/passwords"
broker_start "listener $PORT 127.0.0.1" "password_file $TMP/passwords" "acl_file $TMP/acl"
as() {	# NAME TOOL WORDS
	local name=$1 tool=$2
	shift 2
	"$tool" -p "$PORT" -u "$name" -P secret -q 1 "$@" 2>/dev/null
}

# --- the programs, each under its name ---
as operator mosquitto_pub -r -t wsn/config -m shards=64
"$NODE" --fast --seconds=60 --uart="$TMP/node.bin" "$FW/finite.elf" >"$TMP/node.end"
ended node
"$WSNTOP" -B -f wsn -p "file:$TMP/node.bin" -e "$FW/finite.elf" -x "json:$TMP/true.json" >/dev/null
"$WSNTOP" collect "mqtt://$HERE/plant1?user=collector" --group=eu -e "$FW/finite.elf" --period=1 -x "json:$TMP/fleet.json" \
	2>"$TMP/collect.said" & collector=$!
pids+=($collector)
await "the collector is no member" "$TMP/collect.said" "1 member, 64 of 64 shards"
"$WSNTOP" relay -p "$TMP/node.bin" --to="mqtt://$HERE/plant1?user=gateway" 2>"$TMP/relay.said" || { cat "$TMP/relay.said"; fail "the relay"; }
"$WSNTOP" relay -p "$TMP/node.bin" --to="mqtt://$HERE/plant2?user=gateway" 2>/dev/null || true	# not its own
"$WSNTOP" -B -p "mqtt://$HERE/plant1/+?user=watcher" -e "$FW/finite.elf" --for=4 -x "json:$TMP/seen.json" >/dev/null 2>"$TMP/said" ||
	{ cat "$TMP/said"; fail "the watcher"; }
for _ in $(seq 120); do ! ls "$TMP"/fleet-plant1-*.json >/dev/null 2>&1 || break; sleep 0.5; done
kill $collector
wait $collector || { cat "$TMP/collect.said"; fail "the collector ended with $?"; }
python3 - "$TMP" <<'END'
import glob, json, sys
def calls(path):
    return {(f["name"], f["address"]): f["calls"] for f in json.load(open(path))["functions"]}
tmp = sys.argv[1]
true, seen, fleet = (calls(p) for p in (f"{tmp}/true.json", f"{tmp}/seen.json", *glob.glob(f"{tmp}/fleet-plant1-*.json")))
assert true == seen, "the watcher"
assert true == fleet, "the collector"
print(f"ok: relay, watcher and collector under the access list: {sum(n or 0 for n in true.values())} calls")
END
as all mosquitto_sub -v -t '#' -W 3 >"$TMP/kept" || true
for topic in wsn/config plant1/25/00000000/k plant1/25/00000000/up wsn/sum/eu/25; do
	grep -aq "^$topic " "$TMP/kept" || { cut -c1-80 "$TMP/kept"; fail "$topic is not retained"; }
done
! grep -aq "^plant2/" "$TMP/kept" || fail "a relay wrote another site"

# --- every name, every topic ---
own=plant1/01/0000002a other=plant1/25/00000000
topics="wsn/config wsn/relay/x $(echo {$own,$other,plant2/25/00000000}/{hello,k,w,up,cmd,order})
	$(echo wsn/{member/{eu,us}/x,sum/{eu,us}/01,past/{eu,us}/01/0000002a/plant1})"
may_write() {	# NAME TOPIC
	case $1:$2 in
	gateway:plant1/*/hello | gateway:plant1/*/k | gateway:plant1/*/w | gateway:plant1/*/up | gateway:wsn/relay/*) ;;
	0000002a:$own/hello | 0000002a:$own/k | 0000002a:$own/w | 0000002a:$own/up) ;;
	watcher:plant1/*/cmd | operator:plant1/*/cmd | operator:plant1/*/order | operator:wsn/config) ;;
	collector:wsn/member/eu/* | collector:wsn/sum/eu/* | collector:wsn/past/eu/*) ;;
	*) return 1 ;;
	esac
}
may_read() {
	case $1:$2 in
	*:wsn/config) ;;
	gateway:plant1/*/cmd | gateway:plant1/*/order | 0000002a:$own/cmd | 0000002a:$own/order) ;;
	watcher:plant1/* | operator:plant1/* | collector:plant1/*) ;;
	gateway:wsn/relay/* | watcher:wsn/relay/* | operator:wsn/relay/*) ;;
	collector:wsn/member/eu/* | collector:wsn/sum/eu/* | collector:wsn/past/eu/*) ;;
	*) return 1 ;;
	esac
}
for name in $NAMES all; do	# what is retained is of before
	mosquitto_sub -p "$PORT" -u "$name" -P secret -q 1 -R -t '#' -F '%t %p' >"$TMP/to.$name" 2>/dev/null & pids+=($!)
	for _ in $(seq 600); do
		as all mosquitto_pub -t wsn/config -m begin
		! grep -aq begin "$TMP/to.$name" || break
		sleep 0.1
	done
	grep -aq begin "$TMP/to.$name" || fail "$name hears nothing"
done
for topic in $topics; do
	for name in $NAMES; do
		as $name mosquitto_pub -t "$topic" -m "by $name" || true
	done
	as all mosquitto_pub -t "$topic" -m "by all"
done
as all mosquitto_pub -t wsn/config -m end
for name in $NAMES all; do await "$name does not hear the end" "$TMP/to.$name" " end"; done
for name in $NAMES; do
	for topic in $topics; do
		may_write $name "$topic" && echo "$topic" || true
	done | LC_ALL=C sort >"$TMP/may"
	sed -n "s/ by $name$//p" "$TMP/to.all" | LC_ALL=C sort | diff "$TMP/may" - || fail "what $name may write"
	for topic in $topics; do
		may_read $name "$topic" && echo "$topic" || true
	done | LC_ALL=C sort >"$TMP/may"
	sed -n "s/ by all$//p" "$TMP/to.$name" | LC_ALL=C sort | diff "$TMP/may" - || fail "what $name may read"
done
echo "ok: $(echo $NAMES | wc -w) names, $(echo $topics | wc -w) topics: own ones allowed, others refused"
