#!/bin/bash
# sim/test_ssh by a real ssh and a real sshd: Debian's, unpacked below build/ and never installed, which serves this
# machine's loopback to one key that is made here.
. "$(dirname "$0")/../golden/lib.sh"
. "$(dirname "$0")/debian.sh"
need_tools apt-get dpkg-deb ssh ssh-keygen unshare
[ "$(id -u)" = 0 ] || skip "sshd wants root"
sshd=$root/build/debian/sshd/usr/sbin/sshd
if [ ! -x "$sshd" ]; then
	debian_begin "$root/build/debian/lists-ssh" "$(dpkg --print-architecture)" deb
	(cd "$work" && debian_apt download openssh-server libwrap0 >log 2>&1) || skip "no packages: $(tail -n 1 "$work/log")"
	mkdir -p "$root/build/debian/sshd"
	for deb in "$work"/*.deb; do dpkg-deb -x "$deb" "$root/build/debian/sshd" || fail "$deb"; done
fi
libraries=$(dirname "$(find "$root/build/debian/sshd" -name 'libwrap.so.0' | head -n 1)")
cd "$work" || exit 1
ssh-keygen -q -t ed25519 -N '' -f host && ssh-keygen -q -t ed25519 -N '' -f user || fail "no keys"
port=$((20000 + $$ % 20000))
cat >sshd_config <<END
Port $port
ListenAddress 127.0.0.1
HostKey $work/host
AuthorizedKeysFile $work/user.pub
PasswordAuthentication no
StrictModes no
PidFile none
END
cat >config <<END
Host gateway
	HostName 127.0.0.1
	Port $port
	IdentityFile $work/user
	IdentitiesOnly yes
	StrictHostKeyChecking accept-new
	UserKnownHostsFile $work/known
END
# It wants a user and a folder of its own: in a file system view of its own.
cp /etc/passwd passwd && grep -q '^sshd:' passwd || echo 'sshd:x:74:74::/run/sshd:/usr/sbin/nologin' >>passwd
LD_LIBRARY_PATH=$libraries unshare -m sh -c "mount --bind $work/passwd /etc/passwd && mount -t tmpfs tmpfs /run &&
	mkdir -p /run/sshd && exec $sshd -D -e -f $work/sshd_config" 2>sshd.log &
sshd_pid=$!
trap 'kill $sshd_pid 2>/dev/null; rm -rf "$work"' EXIT
printf '#!/bin/sh\nexec %s -F %s/config "$@"\n' "$(command -v ssh)" "$work" >ssh && chmod +x ssh
for _ in $(seq 600); do
	./ssh -o BatchMode=yes gateway true 2>err && break
	kill -0 $sshd_pid 2>/dev/null || { grep -q 'unshare\|mount' sshd.log && skip "$(head -n 1 sshd.log)"; fail "sshd: $(cat sshd.log)"; }
	sleep 0.1
done
./ssh -o BatchMode=yes gateway true || fail "no login: $(cat err sshd.log)"
SSH=$work/ssh "$root/tests/sim/test_ssh.sh" || fail "by a real sshd: $(tail -n 3 sshd.log)"
# A key that is not known there is a reason in one line.
ssh-keygen -q -t ed25519 -N '' -f other && sed "s|$work/user$|$work/other|" config >config.other
printf '#!/bin/sh\nexec %s -F %s/config.other "$@"\n' "$(command -v ssh)" "$work" >ssh
PATH=$work:$PATH "$WSNTOP" -B -p ssh:gateway:/dev/ttyACM0 -x json:/dev/null 2>err && fail "accepted without a key"
grep -q 'Permission denied (publickey' err && [ "$(wc -l <err)" = 1 ] || fail "without a key: $(cat err)"
