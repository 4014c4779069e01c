#!/bin/bash
# The node view: duty cycle, line, tables, cost, what is missing, identity; in one, two and three columns.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1

# Twelve refreshes, 4 s apart, of a node whose clock ran for 2 s in each: half the time it slept.
python3 "$here/wsn.py" record node.rec fw.elf refreshes=12 every=4 stack_full=5 features=1943
node() {
	screen -s "$1" "$WSNTOP" -p node.rec -e fw.elf --speed=max --theme=./test.ini
}

node 120x40 <<'END'
wait uart_write
keys 9
wait Where the time goes
expect 5-32
 Node                                                         Where the time goes, last minute
 name          mote 7                                         ██████████████████████▒▒▒▒▒▒▄░░░░░░░░░░░░░░░░░░░░░░░░░░░
 chip          unknown architecture, wsn version 1            ▓▓ handlers        0.0 %  interrupt handlers
 id            00000007                                       ██ profiled       38.7 %  in profiled functions
 firmware      checksum 46be645e                              ▒▒ other          11.3 %  in code without hooks
 features      sites, timed, min/max, buckets, ISR,           ▄▄ profiling cost  1.9 %  3.6 % of time awake
               commands                                       ░░ sleep          48.1 %  node clock stopped
 clock         32.768 kHz, a tick is 30.5 us
 resolution    45.8 us for a single time                      Link
 profiling     on                                             source        node.rec (recording)
                                                              state         end of recording
 Profiling cost                                               rate          65.4 B/s on average             ▆▇▇█▇▇▇█▇▇▇
 share         3.6 % of time awake    ▊                       total         3.18 kB, 0 B of it text
 per call      122 us, 4 ticks; subtracted                    events        114
 calls         152/s                           ███████████    bad bytes     0
                                                              lost          0
 Tables of the node                                           damaged       0
 call sites    8 of 128 slots         █▎
 call stack    32 levels: too small                           Missing data
                                                              5 calls not counted: call stack full; build with a
 Image                                                        larger WSNPROF_STACK
 file          fw.elf
 code          2.11 kB for x86-64, 9 functions                History in memory
 lines         none: compile with -g                          moments       11, over 0:44
 match         matches the flash (checksum equal)             memory        9.07 kB of 67.1 MB     ▏
 no debug information: build with -g for lines and files      raw bytes     3.18 kB of 33.6 MB     ▏

 Where the time went, over 0:44                               Calls, max 152/s
end
# since the start instead of the last minute: the same here, the recording is shorter
keys m
wait Where the time goes, since the start
wait sleep          48.1 %
keys Q
exit 0
END

# Three columns, and below them charts of all the time that is known; features fit in their line.
node 200x60 <<'END'
wait uart_write
keys 9
wait features      sites, timed, min/max, buckets, ISR, commands
wait Where the time went, over 0:44
wait Calls, max 152/s
wait Link, max 80.5 B/s
keys Q
exit 0
END
# Narrow, or too low for them: facts alone.
node 80x60 <<'END'
wait uart_write
keys 9
wait call stack
gone Where the time went
keys Q
exit 0
END

# Without the ELF self times are not known: nothing claims that 0.0 % was profiled.
screen -s 120x40 "$WSNTOP" -p node.rec --speed=max --theme=./test.ini <<'END'
wait 0x
keys 9
wait sleep          48.1 %
wait awake          50.0 %  in functions; give the ELF (-e)
gone profiled 
keys Q
exit 0
END

# An identity is a checksum or a build-id, and the first may cover too little to be sure.
id=00112233445566778899aabbccddeeff
printf '\4\0\0\0\20\0\0\0\3\0\0\0GNU\0' >note
printf '\0\21\42\63\104\125\146\167\210\231\252\273\314\335\356\377' >>note
objcopy --add-section .note.gnu.build-id=note fw.elf id.elf
identified() {	# ELF WSN.PY_OPTION...: the line of the node view
	python3 "$here/wsn.py" record id.rec fw.elf refreshes=2 "${@:2}"
	screen -s 120x40 "$WSNTOP" -p id.rec -e "$1" --speed=max --theme=./test.ini
}
identified id.elf id=$id <<'END'
wait uart_write
keys 9
wait matches (build-id equal)
keys Q
exit 0
END
identified id.elf id=${id//0/1} <<'END'
wait not the firmware that runs
keys 9
wait does not match (different build-id); give
keys Q
exit 0
END
identified fw.elf sum=100 <<'END'
wait fw.elf not sure
keys 9
wait not sure: its checksum covers 100 of
keys Q
exit 0
END

# A table of arcs that is more than half full makes each call more expensive.
arcs() {
	python3 "$here/wsn.py" record arcs.rec fw.elf refreshes=2 kinds=a "$@"
	screen -s 120x40 "$WSNTOP" -p arcs.rec -e fw.elf --speed=max --theme=./test.ini
}
arcs max_arcs=2 <<'END'
wait uart_write
keys 9
wait seen, a cache of 2; two to four times
keys Q
exit 0
END
arcs <<'END'
wait uart_write
keys 9
wait seen, a cache of 64
gone two to four times
keys Q
exit 0
END

# One column: it scrolls; the wheel, too; no further than its end.
node 80x24 <<'END'
wait uart_write
keys 9
wait Where the time goes
gone Tables of the node
keys <PgDn>
wait Tables of the node
keys <End><PgDn><Down>
wait matches the flash (checksum equal)
wait of 67.1 MB
keys <Home>
wait mote 7
gone Tables of the node
click 10 12 5
click 10 12 5
gone  features
click 10 12 4
click 10 12 4
wait features
size 40x10
wait features
size 200x60
wait Missing data
wait matches the flash (checksum equal)
keys Q
END

# Streams that say nothing of their node.
wsntop 80x24 <<'END'
wait 6 functions
keys 9
wait does not report the node
keys <End>
wait 100 % of the addresses are valid in it
keys Q
END
screen -s 80x24 "$WSNTOP" -p first.txt <<'END'
wait 13 functions
keys 9<End>
wait Give the ELF: -e APP.ELF
keys Q
END

# No colours, no UTF-8: parts are told by their letters.
screen -s 80x24 -e LC_ALL=C -e TERM=vt100 "$WSNTOP" -p node.rec -e fw.elf --speed=max <<'END'
wait uart_write
keys 9
wait .. sleep
wait %% handlers
wait ## profiled
wait :: other
ascii
keys Q
END

# The bytes of a plain file have no times: no rate is made up.
report demo >plain.txt
screen -s 120x40 "$WSNTOP" -p plain.txt -e fw.elf --theme=./test.ini <<'END'
wait functions
keys 9
wait rate          not known: the bytes have no times
gone on average
keys Q
exit 0
END
