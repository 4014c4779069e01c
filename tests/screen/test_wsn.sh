#!/bin/bash
# A node that says who it is and listens (wsn.py): its name, hooks and losses on top, calls by
# duration drawn, handlers, commands, resets, a wrong ELF, a rebuilt one.
. "$(dirname "$0")/views.sh"
list_alone
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
sed 's/function uart_write, 0x600/function uart_write, 0x600\n.byte 0x91/' fw.s >new.s
as -o new.o new.s && ld -Ttext=0 -e main -o new.elf new.o
cp fw.elf old.elf
LISTENS=features=1943

wsn_node() {	# ELF, COLSxROWS, what wsntop is given...; what the node is given in $said; the script on standard input
	local elf=$1 size=$2 status
	shift 2
	rm -f sock
	# shellcheck disable=SC2086
	python3 "$here/wsn.py" node sock "$elf" log $said &
	peer=$!
	until [ -S sock ]; do sleep 0.05; done
	("$screen" -s "$size" "$WSNTOP" -f wsn -p unix:sock --theme=./test.ini "$@")
	status=$?
	kill $peer 2>/dev/null
	wait $peer 2>/dev/null
	[ $status = 0 ] || fail "${FUNCNAME[0]} ${BASH_LINENO[0]}"
}

# A picture that stands still: a stream from a file.
python3 "$here/wsn.py" stream fw.elf stack_full=5 cut=9 >uart.txt
wsntop 80x24 -f wsn <<'END'
wait uart_write
size 120x24
wait uart_write ISR
wait build with a larger WSNPROF_STACK (1 more in the help)
size 80x24
gone ISR
expect 1
mote 7  uart.txt  read to its end  536 B  missing 5  image fw.elf matches
end
wait matches
wait profiling cost 3.5 %
wait missing 5
expect 3
5 calls not counted: call stack full; build with a larger WSNPROF_STACK (1 more…
end
keys 5
wait with durations
expect 5-10
FUNCTION        CALLS PER CALL      P99 │100 us│1 ms   │10 ms  │100 ms │1 s
▸ send            100  20.0 ms ~24.3 ms ·      ·       ·  ●◆   ·       ·       ·
▸ crc16           600  1.53 ms ~8.04 ms ·   ███○█●▄▄◇▄▄◆       ·       ·       ·
▸ sample          240  4.68 ms ~53.7 ms ·      · ○◇██●█▄▄▄▄▁▁◆▁▁▁▁▁▁▁▁▁▁▁▁▁    ·
▸ adc_read        200  2.50 ms ~3.65 ms ·      ·██○●◆  ·       ·       ·       ·
▸ uart_write       80  1.22 ms ~1.81 ms ·      ·●█◆    ·       ·       ·       ·
end
keys *
wait from main
keys G
wait (interrupt)
keys 1/uart<Enter><Enter>
wait (interrupt)
wait interrupt handler  each time ±45.8 us, 4 % of PER CALL
keys <Up>
wait an interrupt's handler
wait called from no place
keys ?
wait Keys in this view
keys <PgDn>
wait This node
wait Profiling costs 122 us a call,
wait from all times. Each time is ±45.8 us;
wait 5 calls not counted: call stack full; build with a larger WSNPROF_STACK
wait 9 calls cut off: skipped by longjmp, or never left
keys C
wait read to its end
wait does not listen
keys Q
END
wsntop 40x10 -f wsn <<'END'
wait send
expect 1
mote 7  read to its end  missing 5
end
keys Q
END
wsntop "80x24 -e LC_ALL=C -e TERM=screen-256color" -f wsn <<'END'
wait 6 functions
keys 5
wait with durations
expect 5-8
FUNCTION        CALLS PER CALL      P99 |100 us|1 ms   |10 ms  |100 ms |1 s
+ send            100  20.0 ms ~24.3 ms .      .       .  o@   .       .       .
+ crc16           600  1.53 ms ~8.04 ms .   ###5#o==9==@       .       .       .
+ sample          240  4.68 ms ~53.7 ms .      . 59##o#====__@_____________    .
end
ascii
keys Q
END

# Times that the node's clock is too coarse for are marked, and the function says how much that is.
python3 "$here/wsn.py" stream fw.elf spread=64 >rough.wsn
screen -s 120x24 "$WSNTOP" -f wsn -p rough.wsn -e fw.elf --theme=./test.ini <<'END'
wait adc_read
wait ~305 us
wait 1.22 ms
gone ~1.22 ms
keys 1/crc16<Enter><Enter>
wait each time ±122 us, 8 % of PER CALL
wait ~305 us
wait ~458 us
keys 5
wait with durations
keys ?
wait Keys in this view
keys <PgDn>
wait quarter or more.
keys Q
END

# Samples in the profiler itself are one row; its own view says in which of its functions. What the node
# said of itself is in its view.
{ cat fw.s; echo nop; } >lines.s
as -g -o lines.o lines.s && ld -Ttext=0 -e main -o lines.elf lines.o
python3 "$here/wsn.py" stream lines.elf kinds=sp >sampled.wsn
sum=$(python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import wsn; print("%04x%04x" % wsn.checksum("lines.elf")[2:])' "$here")
screen -s 80x24 "$WSNTOP" -f wsn -p sampled.wsn -e lines.elf --theme=./test.ini <<END
wait (wsnprof)
wait lines.elf matches
gone wsnprof_poll
gone __gnu_mcount_nc
keys 9
wait checksum $sum
keys <End>
wait 9 seen, a cache of 64
keys 1/wsnprof<Enter><Enter>
wait the profiler itself  self 180 ms  18 samples
wait wsnprof_poll
wait __gnu_mcount_nc
keys Q
END
screen -s 150x24 -e LC_ALL=C "$WSNTOP" -f wsn -p sampled.wsn -e lines.elf --theme=./test.ini <<END
wait (wsnprof)
keys 9
wait checksum $sum
ascii
keys Q
END

# Rows before the HELLO: it is said what is waited for.
python3 - <<'END'
data = open('sampled.wsn', 'rb').read().split(b'\0\0')
open('headless.wsn', 'wb').write(b'\0\0'.join([b''] + data[2:9] + [b'']))
END
screen -s 80x24 "$WSNTOP" -f wsn -p headless.wsn -e lines.elf --theme=./test.ini <<'END'
wait read to its end without the node's HELLO (wsn frames seen: 7)
wait Record a few seconds more
expect 2
wsn: waiting for the node's HELLO (frames seen: 7)
end
keys Q
END
mkfifo late
{ cat headless.wsn; sleep 2; cat sampled.wsn; } >late &
screen -s 80x24 "$WSNTOP" -f wsn -p late -e lines.elf --theme=./test.ini <<'END'
wait waiting for the node's HELLO (wsn frames seen: 7)
wait The node sends it every fourth refresh
wait (wsnprof)
keys Q
END

# A node that says who it is, and has counted nothing: the likeliest cause and its cure.
python3 "$here/wsn.py" stream fw.elf kinds= >idle.wsn
screen -s 80x24 "$WSNTOP" -f wsn -p idle.wsn -e fw.elf --theme=./test.ini <<'END'
wait nothing counted yet
wait check the image: wsntop doctor
keys Q
END
python3 "$here/wsn.py" stream fw.elf kinds= features=1687 >idle.wsn
screen -s 80x24 "$WSNTOP" -f wsn -p idle.wsn -e fw.elf --theme=./test.ini <<'END'
wait nothing counted: the node is stopped
wait otherwise its firmware calls wsnprof_start()
keys Q
END

# A node that counts only: no cost of times that there are none of.
python3 "$here/wsn.py" stream fw.elf kinds=ap features=1280 >counts.wsn
screen -s 100x24 "$WSNTOP" -f wsn -p counts.wsn -e fw.elf --theme=./test.ini <<'END'
wait main
keys ?
wait Keys in this view
keys <PgDn>
wait This node counts calls; it measures no times. It takes 100 PC samples a second.
keys Q
END

# A node that says nothing any more, though the line is up.
python3 - <<'END' &
import socket, time
server = socket.socket(socket.AF_UNIX)
server.bind('mute')
server.listen(1)
peer = server.accept()[0]
peer.sendall(open('uart.txt', 'rb').read())
time.sleep(30)
END
mute=$!
until [ -S mute ]; do sleep 0.05; done
("$screen" -s 80x24 "$WSNTOP" -f wsn -p unix:mute -e fw.elf --theme=./test.ini) <<'END'
wait uart_write
gone silent
wait silent 0:0
keys Q
END
status=$?
kill $mute 2>/dev/null
wait $mute 2>/dev/null
[ $status = 0 ] || fail "a silent node"

# Commands, as the menu has them.
said="$LISTENS kinds=sp" wsn_node fw.elf 100x24 -e fw.elf <<'END'
wait mote 7
wait send
run for i in 1 2 3 4 5 6 7 8 9; do grep -q ALL log && exit; sleep 0.3; done; exit 1
keys C
wait Node commands
keys <Down><Enter>
wait the node confirmed: stop
wait STOPPED
keys C<Enter>
wait the node confirmed: start
gone STOPPED
keys Ch<Enter>
wait Samples a second: 100
keys 0000
wait a whole number from 0 to 65535
keys <C-u>250<Enter>
wait the node confirmed: hz
run grep -qx 'HZ 250' log
keys Cd<Enter>
wait Data to send
keys a<Enter>
wait the node confirmed: data selection
run grep -qx 'SELECT 2' log
# here: the node goes on; on the node: a new epoch
keys R
wait Reset counters
keys <Enter>
wait counters reset
keys R<Down><Enter>
wait the node confirmed: reset
keys 7
wait the node restarted: counters reset
keys Q
END
[ "$(grep -c '^RESET' log)" = 1 ] || fail "reset told $(grep -c RESET log) times"

# One that does not answer: said in one line, and nothing hangs.
said="$LISTENS deaf=1" wsn_node fw.elf 80x24 -e fw.elf <<'END'
wait mote 7
keys C<Enter>
wait sending to the node: start
keys 2
wait SHARE%
keys 1
wait did not answer within 6 seconds: start
keys Q
exit 0
END

# A wrong ELF is refused, loudly, and names are not taken from it; the right one is found among several.
said= wsn_node fw.elf 120x24 -e new.elf <<'END'
wait new.elf is not the firmware that runs
look new.elf 231 on 160 bold
wait give the ELF that was flashed
wait 0x00400
gone uart_write
size 40x10
wait is not the firmware
keys Q
END
cp new.elf an-image-with-a-long-name.elf
said= wsn_node fw.elf 80x24 -e ./an-image-with-a-long-name.elf <<'END'
wait image an-image-with-a-long-name.elf
wait image is not the firmware that runs; give the ELF that was flashed: checksum
keys Q
END
said= wsn_node fw.elf 100x24 -e new.elf -e old.elf <<'END'
wait uart_write
wait image old.elf matches
keys 7
wait the firmware that runs is old.elf
keys Q
END

# A rebuild that is not flashed: the old names stay, and it is said; flashed, its names are taken.
said="$LISTENS" wsn_node fw.elf 100x24 -e fw.elf <<'END'
wait image fw.elf matches
run cp new.elf fw.tmp && mv fw.tmp fw.elf
wait fw.elf was rebuilt; the node still runs the old one
wait uart_write
wait image fw.elf is newer
run cp old.elf fw.tmp && mv fw.tmp fw.elf
wait image fw.elf matches
gone is newer
keys Q
END

# The node is the one that is exchanged: its next hello decides.
cp old.elf fw.elf
{ python3 "$here/wsn.py" stream old.elf; python3 "$here/wsn.py" stream new.elf epoch=2; } >both.wsn
screen -s 100x24 "$WSNTOP" -f wsn -p both.wsn -e old.elf -e new.elf <<'END'
wait image new.elf matches
keys 7
wait the node restarted: counters reset
keys Q
END

# Random keys, clicks and sizes while it tells the node whatever the menu has.
rm -rf play && mkdir play && cd play || exit 1
cp ../fw.elf ../test.ini .
said="$LISTENS kinds=sap" wsn_node fw.elf 80x24 -e fw.elf <<'END'
wait mote 7
wait send
monkey 20 600
END
