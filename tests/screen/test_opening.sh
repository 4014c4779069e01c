#!/bin/bash
# What takes long at the start shows a page that says so, and keys are answered meanwhile.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
make_app
cd "$work" || exit 1

# A host whose queue is full answers nobody: a connect there takes the five seconds that it is given.
cat >full.py <<'PY'
import socket, sys, time
s = socket.socket()
s.bind(('127.0.0.1', 0))
s.listen(0)
held = []
for _ in range(8):
    c = socket.socket()
    c.setblocking(False)
    c.connect_ex(s.getsockname())
    held.append(c)
time.sleep(0.2)
with open('port', 'w', encoding='ascii') as f:
    f.write(str(s.getsockname()[1]) + '\n')
time.sleep(120)
PY
python3 full.py &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$work"' EXIT
until [ -s port ]; do sleep 0.05; done
port=$(cat port)

for key in q '<Esc>' '<C-c>' Q; do
	screen "$WSNTOP" -p "tcp:127.0.0.1:$port" -e app.elf <<-END
		wait opening app.elf
		wait q: quit
		keys $key
		exit 0
		whole
		END
done
screen "$WSNTOP" -p "tcp:127.0.0.1:$port" <<END
wait opening tcp:127.0.0.1:$port
size 100x30
wait opening
signal TERM
exit 0
whole
END

# The keys are those of the settings.
mkdir -p "$XDG_CONFIG_HOME/wsntop"
printf '[keys]\nback = F10\nquit = F9\n' >"$XDG_CONFIG_HOME/wsntop/config.ini"
screen "$WSNTOP" -p "tcp:127.0.0.1:$port" -e app.elf <<-END
	wait F10: quit
	keys q<F10>
	exit 0
	whole
	END
rm "$XDG_CONFIG_HOME/wsntop/config.ini"

# It is said what came of it, as ever.
screen "$WSNTOP" -p "tcp:127.0.0.1:$port" <<END
wait opening
exit 1
wait 127.0.0.1
END

# A recording of an hour: how much of it is read is said, keys are answered, Space pauses it, Esc does not end it.
make_app
cat >record.py <<'PY'
import struct, zlib
text = open('node.txt', 'rb').read() + b'\n'
with open('node.rec', 'wb') as f:
    f.write(b'wsnrec1\n' + struct.pack('<Q', 1767268800 * 10**9))
    for i in range(3600):
        chunk = struct.pack('<QI', i * 10**9, len(text)) + text
        f.write(chunk + struct.pack('<I', zlib.crc32(chunk)))
PY
report node >node.txt
python3 record.py
screen "$WSNTOP" -p node.rec -e app.elf <<'END'
wait uart_write
wait 0 % read
wait > 1x
keys <Down>
look send plain
keys <Space>
wait PAUSED
wait || paused
keys <Esc>
quiet 1500
keys <Space>
wait > 1x
gone PAUSED
wait uart_write
keys Q
exit 0
END
