#!/bin/bash
# A node that lives: reports come, the line goes and comes back, the picture is frozen meanwhile.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
make_app
cd "$work" || exit 1
mkfifo orders
python3 "$here/peer.py" socket orders &
peer=$!
trap 'kill $peer 2>/dev/null; rm -rf "$work"' EXIT
exec 9<>orders		# held open: an order is a line
until [ -S socket ]; do sleep 0.05; done
report node >first.txt
report node 200 >second.txt
report node 300 >third.txt
report other 700 >other.txt
run=("$WSNTOP" -f prof -p unix:socket -e app.elf)

screen "${run[@]}" <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
# the selection is on adc_read; what comes keeps it there
keys <Down><Down><Down>
look adc_read default on 24
run cat second.txt >orders
wait 200
look adc_read default on 24

# frozen: what comes is taken, and not shown
keys Z
wait FROZEN
run cat third.txt >orders
pause 600
wait 200
gone 300
keys <Up>
look sample default on 24
keys x<Enter>
wait Write to:
keys <C-u>frozen.txt<Enter>
wait written to frozen.txt
run grep -q ' 200 ' frozen.txt
keys <Space>
gone FROZEN
wait 300

# another report is another profile; p goes round them
run cat other.txt >orders
wait report other 2/2
wait 700
keys p
wait report node 1/2
wait 300

# the line goes: said so, nothing is lost; it comes back and goes on
run echo hang up >orders
wait disconnected, waiting 0:0
wait uart_write
run echo listen >orders
run echo accept >orders
wait connected 0:0
wait reconnected 1×
run cat second.txt >orders
wait 200

# silence costs a clock in the header, no more
pause 1500
bytes 1000000
pause 5000
rate 80

# counters reset
keys R
wait counters reset
gone 200
run cat third.txt >orders
wait 100
keys Q
exit 0
whole
END
echo end >orders

# Standard input: keys come from the terminal itself.
screen sh -c "cat first.txt - </dev/null | $WSNTOP -f prof -p - -e app.elf" <<'END'
wait read to its end
wait uart_write
keys 3
wait TOTAL%
# a file's end: nothing changes any more, not a byte is written
pause 1500
quiet 2500
keys Q
exit 0
whole
END

# --for ends it, and -x is written when the screen is left.
screen "$WSNTOP" -f prof -p first.txt -e app.elf --for=1 -x csv:end.csv <<'END'
wait uart_write
exit 0
whole
run grep -q crc16 end.csv
END

# Two nodes, one image each.
screen -s 100x24 "$WSNTOP" -f prof -p first.txt -p other.txt -e app.elf -e app.elf --filter=sample <<'END'
wait node 1/2
wait sample
gone crc16
wait report node
keys )
wait node 2/2
wait report other
gone crc16
keys )
wait node 1/2
keys q
exit 0
END

# An image that is not what runs: loudly.
sed 's/0:/3:/' first.txt >wrong.txt
screen "$WSNTOP" -f prof -p wrong.txt -e app.elf <<'END'
wait is not the firmware that runs
look app.elf 231 on 160 bold
size 40x12
wait image
keys q
exit 0
END
