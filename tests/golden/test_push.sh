#!/bin/bash
# core/collect/push and libcurl against servers of every kind: what is taken, tried again and dropped; answers that do not
# end, or do not come; https with certificates of a CA that is made here; names, passwords and tokens, which nothing repeats.
# Sanitized: never: the program that pushes is a tool, built once; unit tests have the rest.
. "$(dirname "$0")/lib.sh"
need_tools python3 openssl
made=$(dirname "$WSNTOP")/tests/tools/push_made
[ -x "$made" ] || skip "no $made: make tools"
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY WSNTOP_PUSH_PASSWORD WSNTOP_PUSH_TOKEN
"$made" http://127.0.0.1:1 0 0 2>&1 | grep -E "built without|is needed" && skip "no libcurl"
cd "$work" || exit 1
{
	for ca in ca other; do
		openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=$ca -keyout $ca.key -out $ca.crt
	done
	openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=server -keyout server.key -out server.csr
	printf 'subjectAltName=DNS:localhost\n' >names
	openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.crt
} >log 2>&1 || fail "openssl: $(cat log)"
python3 "$here/push_server.py" server.crt server.key >asked 2>server.err & server=$!
trap 'kill $server; rm -rf "$work"' EXIT
for _ in $(seq 600); do [ -s asked ] || sleep 0.05; done
read -r plain tls <asked
http=http://127.0.0.1:$plain https=https://localhost:$tls

push() {	# what it says: URL COUNT FAILURES EXPECTED-LINE...
	local args=("$@")
	"$made" "${@:1:3}" >said 2>&1
	diff <(printf '%s\n' "${args[@]:3}") said >difference || fail "$1: $(cat difference)"
}
seen() {	# TIMES TEXT
	[ "$(grep -cF -- "$2" asked)" = "$1" ] || fail "not $1 times: $2: $(tail -n 20 asked)"
}
refused() {	# URL TEXT
	"$made" "$1" 1 1 >said 2>&1 && fail "taken: $1"
	[ "$(wc -l <said)" = 1 ] && grep -qF -- "$2" said || fail "$1: $(cat said)"
}

# --- those that take their time

"$made" "$http/slow" 1 1 >slow.said 2>&1 & slow=$!
"$made" "$http/rest" 1 1 >rest.said 2>&1 & rest=$!

# --- statuses

push "$http/ok/" 300 9 "sent 256 dropped 44 failed 0 left 0"
seen 4 "/ok/push.v1.PusherService/Push None 133"	# those of 100 KB
seen 252 "/ok/push.v1.PusherService/Push None 2"
for status in 400 401 404; do	# never it will be taken
	push "$http/$status" 2 9 "it answers with status $status" "it answers with status $status" "sent 0 dropped 0 failed 2 left 0"
done
for status in 301 500 503; do	# later, perhaps
	push "$http/$status" 1 2 "it answers with status $status" "it answers with status $status" "sent 0 dropped 0 failed 2 left 1"
done
push "$http/busy" 1 9 "it answers with status 429" "it answers with status 429" "sent 1 dropped 0 failed 2 left 0"
push "$http/ok" 1 0 "sent 0 dropped 0 failed 0 left 1"

# --- answers

for what in endless headers line; do
	push "$http/$what" 1 1 "sent 1 dropped 0 failed 0 left 0"
done
for what in endless headers line; do	# the server could not send without an end
	for _ in $(seq 600); do ! grep -q "^gone /$what/" asked || continue 2; sleep 0.05; done
	fail "$what: it is still heard"
done
awk '/^gone / && $3 > 20000000 { bad = 1; print } END { exit bad }' asked || fail "more is heard than sockets hold"
push "$http/ssh" 1 1 "its answer is not HTTP" "sent 0 dropped 0 failed 1 left 1"
push "$http/none" 1 1 "Empty reply from server" "sent 0 dropped 0 failed 1 left 1"
push "$http/early" 1 1 "Empty reply from server" "sent 0 dropped 0 failed 1 left 1"
push "http://127.0.0.1:1" 1 1 "connection refused: no server listens there" "sent 0 dropped 0 failed 1 left 1"
"$made" "http://far.invalid" 1 1 >said
grep -qE "^(Could not resolve host: far.invalid|no answer)$" said && grep -q "failed 1 left 1" said || fail "a name that is none: $(cat said)"

# --- certificates

push "$https/ok?ca=$work/ca.crt" 2 1 "sent 2 dropped 0 failed 0 left 0"
push "$https/ok" 1 1 "SSL certificate problem: unable to get local issuer certificate; its signer's certificate can be given: ?ca=FILE" \
	"sent 0 dropped 0 failed 1 left 1"
push "$https/ok?ca=$work/other.crt" 1 1 "SSL certificate problem: unable to get local issuer certificate" "sent 0 dropped 0 failed 1 left 1"
push "https://127.0.0.1:$tls/ok?ca=$work/ca.crt" 1 1 "SSL: no alternative certificate subject name matches target host name '127.0.0.1'" \
	"sent 0 dropped 0 failed 1 left 1"
"$made" "https://127.0.0.1:$plain/ok" 1 1 >said
grep -q "sent 0 .* left 1" said || fail "TLS with who has none: $(cat said)"
seen 258 "/ok/push"

# --- names and secrets

password=geheim-1 token=geheim-2
WSNTOP_PUSH_PASSWORD=$password push "$https/ok?ca=$work/ca.crt&user=me@plant:1" 1 1 "sent 1 dropped 0 failed 0 left 0"
seen 1 " Basic $(printf '%s' "me@plant:1:$password" | base64) "
WSNTOP_PUSH_PASSWORD=$password push "$http/401?user=me" 1 1 "it answers with status 401" "sent 0 dropped 0 failed 1 left 0"
seen 1 " Basic $(printf '%s' "me:$password" | base64) "
WSNTOP_PUSH_TOKEN=$token push "$http/ok" 1 1 "sent 1 dropped 0 failed 0 left 0"
seen 1 " Bearer $token "
refused "$http/ok?user=me" "set WSNTOP_PUSH_PASSWORD"
WSNTOP_PUSH_TOKEN=$(printf 'a\r\nX: b') refused "$http/ok" "one line"
for url in "https://me:$password@localhost" "htps://me:$password@localhost" "http://localhost/?password=$password"; do
	refused "$url" "expected"
	! grep -q geheim said || fail "a secret is said: $(cat said)"
done
refused "http://localhost?ca=$work/ca.crt" "certificates are for TLS: https://"
for url in ftp://localhost file:///etc/passwd localhost "http://" "http://a b"; do
	refused "$url" "expected http"
done

# --- proxies: what one says about its own way is no answer

http_proxy=$http push "http://far.invalid/ok" 1 1 "sent 1 dropped 0 failed 0 left 0"
seen 1 "http://far.invalid:4040/ok/push"
https_proxy=$http "$made" "https://far.invalid/ok" 1 1 >said
grep -q "sent 0 dropped 0 failed 1 left 1" said || fail "a proxy's 200: $(cat said)"
seen 1 "CONNECT far.invalid:443"

wait $slow && wait $rest
[ "$(cat slow.said)" = "no answer
sent 0 dropped 0 failed 1 left 1" ] || fail "no answer: $(cat slow.said)"
[ "$(cat rest.said)" = "sent 1 dropped 0 failed 0 left 0" ] || fail "a status, and then little: $(cat rest.said)"
! grep -q geheim ./*said || fail "a secret is said"
[ ! -s server.err ] || fail "the server: $(cat server.err)"
echo "ok: $(wc -l <asked) requests"
