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
		wait q leaves
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

# It is said what came of it, as ever.
screen "$WSNTOP" -p "tcp:127.0.0.1:$port" <<END
wait opening
exit 1
wait 127.0.0.1
END
