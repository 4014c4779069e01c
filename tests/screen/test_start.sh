#!/bin/bash
# Start with nothing: the baud rate found by listening, the port found by its node, the pair remembered.
. "$(dirname "$0")/lib.sh"
. "$here/firmware.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
make_firmware
cp "$work/fw.elf" "$work/other.elf" && printf x | dd of="$work/other.elf" bs=1 conv=notrunc seek=4128 2>/dev/null
make_app
report node >"$work/report.txt"
cd "$work" || exit 1
mkdir here && cd here || exit 1
export XDG_STATE_HOME="$work/state"
trap 'kill $nodes $holder 2>/dev/null; rm -rf "$work"' EXIT

ports() {	# PORT=KIND...
	rm -f "$work/ready"
	python3 "$here/ptys.py" "$work" "$@" &
	nodes=$!
	until [ -e "$work/ready" ]; do sleep 0.05; done
}

no_ports() {
	kill $nodes
	wait $nodes 2>/dev/null
	nodes=
}

# A rate that nobody named is found, whatever the node prints between its packets.
ports a=wsn,"$work/fw.elf"@57600 b=text@9600
screen -s 100x24 "$WSNTOP" -p "serial:$work/a" -e "$work/fw.elf" <<'END'
wait 57600 baud: wsn packets
wait uart_write
wait 57600
keys Q
exit 0
END
# A pty begins at 38400 baud.
[ "$(grep -v 38400 "$work/a.rates" | tr '\n' ' ')" = "115200 57600 " ] ||
	fail "the rates that were tried: $(tr '\n' ' ' <"$work/a.rates")"
screen -s 100x24 "$WSNTOP" -p "serial:$work/b" <<'END'
wait 7console
keys 7
wait 9600 baud: text
wait temperature 23.50
keys Q
exit 0
END

# One that is named is never changed, though nothing makes sense at it.
screen -s 100x24 "$WSNTOP" -b 19200 -p "serial:$work/b" <<END
run until grep -qx 19200 '$work/b.rates'; do sleep 0.05; done
pause 1500
gone 9600
keys Q
exit 0
END
tail -1 "$work/b.rates" | grep -qx 19200 || fail "-b 19200: $(tr '\n' ' ' <"$work/b.rates")"

# A pty has no rate: none is looked for.
screen -s 100x24 "$WSNTOP" -p "$work/b" <<'END'
wait 7console
keys 7
pause 1500
gone listening at
keys Q
exit 0
END
[ ! -s "$work/a.sent" ] && [ ! -s "$work/b.sent" ] || fail "something was written to a node that only prints"
no_ports

# The port whose node says that it runs the image, among others.
ports quiet=silent talk=text other=wsn,"$work/other.elf" mine=wsn,"$work/fw.elf"
export WSNTOP_PORTS="$work/quiet:$work/talk:$work/nowhere:$work/other:$work/mine"
screen "$WSNTOP" "$work/fw.elf" <<'END'
wait uart_write
wait mine
keys Q
exit 0
whole
END

# It is remembered: offered first, and used where no image is given.
screen -s 100x24 "$WSNTOP" <<'END'
wait As last time
wait with fw.elf, 
keys <Enter>
wait uart_write
keys Q
exit 0
END
screen -s 100x24 "$WSNTOP" -p "$work/mine" <<'END'
wait image fw.elf, as last time
wait uart_write
keys Q
exit 0
END
no_ports

# Nobody runs it: what was heard at each, and a choice. A held one is left alone.
ports quiet=silent talk=text other=wsn,"$work/other.elf" held=text
python3 -c 'import os, sys, time
os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
open(sys.argv[2], "w")
time.sleep(600)' "$work/held" "$work/has" &
holder=$!
until [ -e "$work/has" ]; do sleep 0.05; done
export WSNTOP_PORTS="$work/quiet:$work/talk:$work/nowhere:$work/other:$work/held"
screen -s 100x24 "$WSNTOP" "$work/fw.elf" <<END
wait Looking for the node that runs fw.elf
wait other runs another firmware
wait text, no packets
wait no data received
wait no such port
wait held by python3 (pid $holder)
wait No node that runs fw.elf found yet
keys /talk<Enter>
gone another firmware
keys <Enter>
wait talk
keys 7
wait temperature 23.50
keys Q
exit 0
whole
END
kill $holder
wait $holder 2>/dev/null
holder=
screen "$WSNTOP" "$work/fw.elf" <<'END'
wait Looking for
keys q
exit 0
whole
END
no_ports

# A stream that does not say what it runs: that most of its addresses make sense is offered.
ports quiet=silent reports=prof,"$work/report.txt"
WSNTOP_PORTS="$work/quiet:$work/reports" screen -s 100x24 "$WSNTOP" "$work/app.elf" <<'END'
wait 100 % of their addresses make sense in app.elf
look reports default on 24
keys <Enter>
wait uart_write
keys Q
exit 0
END
no_ports

# Ports come and go while one looks.
ports first=text
export WSNTOP_PORTS="$work/first:$work/second"
screen "$WSNTOP" <<END
wait no such port
run ln -s "\$(readlink $work/first)" $work/second
gone no such port
run rm $work/second
wait no such port
keys q
exit 0
END
no_ports
unset WSNTOP_PORTS

# A file alone is a source.
screen "$WSNTOP" "$work/report.txt" -e "$work/app.elf" <<'END'
wait uart_write
keys Q
exit 0
END

# The keys to begin with, until the first key is pressed on this machine.
rm "$XDG_STATE_HOME/wsntop/welcomed"
report node >first-time.txt
screen "$WSNTOP" -f prof -p first-time.txt -e "$app" <<'END'
wait uart_write
expect 24
? help  : commands  Enter open  s sort  f filter  / search  b baseline
end
size 120x24
wait ? help  : commands  Enter open
keys <Down>
gone : commands
keys q
exit 0
END
screen "$WSNTOP" -f prof -p first-time.txt -e "$app" <<'END'
wait s sort  f filter  / search
gone : commands
keys q
exit 0
END
