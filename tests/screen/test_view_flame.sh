#!/bin/bash
# The flame graph: boxes at three sizes, walking, zooming, searching, colours, the mouse, bottom-up, what
# survives a new report, and what there is to see without colours.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys 4
wait colours: self time
keys <Home>
expect 5-10
top-down                                                      colours: self time
▸all                                                                    100.0 %
│main                                                                   100.0 %
│send                                         66.7 % │sample             33.3 %
│crc16       24.4 % │ua                              │adc_read
│↻ cr                                                │↻ s
end
expect 22-23
all: 1 root
100.0 % of profiled time  total 1.50 s
end
# down to the most expensive, aside, up, and down again the way one came up
keys jj
wait self 573 ms
keys y
copied main;send  66.7 %  total 1.00 s  self 573 ms  calls 50
keys <Right>
wait self 311 ms
expect 22-23
sample
33.3 % of profiled time  total 500 ms  self 311 ms  calls 100
end
keys <Right><Down>
wait self 189 ms
look ▸adc_read default on 20
keys kkjj
wait self 189 ms
keys <Down>
wait again: calls itself
keys g
wait all: 1 root
keys G
wait ▸↻ c
keys <PgUp>
wait all: 1 root
# zoom in, and out by one, and to all
keys jj<Enter>
wait top-down > main > send
expect 5-8
top-down > main > send                                        colours: self time
▸send                                                                    66.7 %
│crc16                24.4 % │uar…
│↻ crc…
end
keys u
wait │sample
gone > send
wait top-down > main
keys <BS>
gone > main
keys j+
wait top-down > main > send > crc16
keys -
gone > main
wait ▸crc16
# the hottest path, its end wide enough to be read
keys H
wait top-down > main > send
wait ▸crc16
keys -
gone > main
keys Q
END

# A search: all matches, and their share of all time; n walks along them.
wsntop 80x24 <<'END'
wait 6 functions
keys 4
wait colours: self time
keys <Home>/sample|crc<Enter>
wait matches: 57.7 %
expect 6-10
│all                                                                    100.0 %
│main                                                                   100.0 %
│send                                         66.7 % ▸sample             33.3 %
*crc16       24.4 % │ua                              │adc_read
*↻ cr                                                *↻ s
end
look *crc16 16 on 200
keys n
wait ▸crc16
look *sample 16 on 200
keys N
wait ▸sample
# a filter dims; what is searched for can be too narrow, and is zoomed to
keys <Esc>
gone matches
keys fsend<Enter>
wait │send
look │crc16 100
keys <Esc>
keys /uart<Enter>
wait matches: 4.1 %
wait ▸
wait uart_write
keys Q
END

wsntop 80x24 <<'END'
wait 6 functions
keys 4
wait colours: self time
keys <Home>I
wait bottom-up
expect 5-9
bottom-up                                                     colours: self time
│all                                                                    100.0 %
▸send                   38.2 % │crc16      24.4 % │sample   20.7 % │adc_read │ua
│main                   38.2 % │send       24.4 % │main  ~18.5 % │a│sample   │se
                               │main       24.4 %                │↻│main    ││ma
end
# what is selected is selected the other way round; each way keeps its zoom
keys <Right><Enter>
wait bottom-up > crc16
keys I
wait ▸crc16
gone >
keys I
wait bottom-up > crc16
keys m
wait only self time: no files known
keys Q
END

# A click selects, a double click zooms in, a right click out; so does the wheel, a level at a time.
wsntop 80x24 <<'END'
wait 6 functions
keys 4
wait colours: self time
click 60 8
wait self 311 ms
send \e[<0;60;9M\e[<0;60;9m\e[<0;60;9M\e[<0;60;9m
wait top-down > main > sample > adc_read
click 3 6 3
gone > adc_read
wait top-down > main > sample
click 3 6 5
gone > sample
click 3 6 5
gone > main
click 60 8 4
wait top-down > main
click 60 8 4
wait top-down > main > sample
# a name in the title is zoomed out to, the title's first word to all
click 14 5
gone > sample
wait top-down > main
click 2 5
gone > main
click 70 20
click 1 24
keys Q
END

wsntop 40x10 <<'END'
wait 6 functions
keys 4
wait top-down
keys g
expect 3-9
top-down
▸all                            100.0 %
│main                           100.0 %
│send               66.7 % │sample
│crc16    │                │adc_…
│↻                         │
100.0 % of profiled time  total 1.50 s
end
keys Q
END

wsntop 200x60 <<'END'
wait 6 functions
keys 4
wait │uart_w…
wait ↻ crc16
keys Q
END

# What boxes leave free has all functions below the selected one; of one that calls nothing, of all.
wsntop 80x24 <<'END'
wait 6 functions
keys 4
wait colours: self time
keys gj
wait CALLEES OF main
expect 11-18

SHARE%                      TOTAL      SELF    CALLS CALLEES OF main
  66.7 ██████████▋         1.00 s    573 ms       50 send
  33.3 █████▍              500 ms    311 ms      100 sample
  24.4 ███▉                366 ms    366 ms      100 crc16
  16.7 ██▋                 250 ms    189 ms      100 adc_read
   4.1 ▋                  61.0 ms   61.0 ms       50 uart_write

end
keys /uart<Enter>
gone CALLEES OF
wait SHARE%
keys Q
END
wsntop 200x60 <<'END'
wait 6 functions
keys 4/^send<Enter>
wait CALLEES OF send
wait send from main: 50 calls
expect 11-17

SHARE%                        TOTAL       SELF     CALLS  CALLEES OF send                                         send from main: 50 calls, min 18.3 ms, average 20.0 ms, max 24.4 ms
  36.6  █████▉               366 ms     366 ms       100  crc16                                                                         min average max
   6.1  █                   61.0 ms    61.0 ms        50  uart_write                                               ·                     ├──●──────┤                                                  ·
                                                                                                                   │10 ms                                                                       100 ms│
                                                                                                                  no call-time distribution in this stream (needs WSNPROF_LEVEL 3)

end
keys Q
END

# The sandwich: callers above, callees below, the function itself in the middle.
wsntop 80x24 <<'END'
wait 6 functions
keys 4/^sample<Enter><Esc>S
wait sandwich: sample
expect 5-16
sandwich: sample                                              colours: self time
                                                                       │↻ sample
│main                                                          ~29.7 % │adc_read
▸sample                                                                  33.3 %
│adc_read                        16.7 %
│↻ sample

SHARE%                      TOTAL      SELF    CALLS CALLEES OF sample
  50.0 ████████            250 ms    189 ms      100 adc_read

sample: 120 calls, min 1.53 ms, average 4.68 ms, max >=2.00 s
    min    average                                              max
end
# up among the callers; the table follows
keys k
wait callers of sample
wait CALLERS OF
look main default on 20
keys j
wait sandwich: sample
keys j
wait ▸adc_read
# each half is zoomed by itself, and matches are found in both
keys <Enter>
wait sandwich: sample > adc_read
keys u
gone > adc_read
keys /main<Enter>
wait callers of sample
keys <Enter>
wait callers of sample > main
keys u
gone > main
# both directions are there
keys I
wait the sandwich has both directions
# another function from there; from it, the whole again
keys S
wait sandwich: main
keys S
wait top-down
gone sandwich:
keys Q
END

# A function that another view chose is the one in the middle.
wsntop 80x24 <<'END'
wait 6 functions
keys 4/^send<Enter><Esc>S
wait sandwich: send
keys 1
wait PER CALL
keys /crc<Enter><Esc>
look crc16 default on 20
keys 4
wait sandwich: crc16
keys Q
END

# Neither colours nor more than ASCII: each box has its edge, the selected one is reversed.
wsntop "80x24 -e LC_ALL=C -e NO_COLOR=1" --theme=default <<'END'
wait 6 functions
keys 4
wait colours: self time
keys gj
expect 6-10
|all                                                                    100.0 %
>main                                                                   100.0 %
|send                                         66.7 % |sample             33.3 %
|crc16       24.4 % |ua                              |adc_read
|@ cr                                                |@ s
end
look >main default reverse
look |send default bold underline
look |adc_read default underline
ascii
colors -1
keys Q
END

node_report 327680 >"$work/third.txt"

# A place is kept by its path: the order moves, the zoom and the selected box stay.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys 4
wait colours: self time
keys gjj<Right><Down>
wait ▸adc_read
run cat second.txt >orders
wait 83.3 %
expect 6-9
│all                                                                    100.0 %
│main                                                                   100.0 %
│sample                                                     83.3 % │send
▸ad                                                                │crc…
end
keys <Left><Up><Enter>
wait top-down > main > sample
run cat third.txt >orders
wait 90.9 %
expect 5-7
top-down > main > sample                                      colours: self time
▸sample                                                                  90.9 %
│a
end
keys Q
END

# The difference to a baseline: a sign in each box says it.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys b<Down><Enter>
wait vs 
keys 4
wait colours: self time
run cat second.txt >orders
wait 83.3 %
keys m
wait + more time
expect 7-9
│main
+sample                                                    +225 pt ▸send      ~
│ad                                                                │crc…
end
wait 16.7 % of profiled time  total 1.00 s  self 573 ms  calls 50  load as before
keys <Left>
wait load +225 pt
keys Q
END

# No calls, only samples: each function by itself, and a sentence that says why.
{ echo SPROF:samples:3:20:60; echo 210:30; echo 410:20; echo 510:10; echo; } >"$work/samples.txt"
screen -s 80x24 "$WSNTOP" -p "$work/samples.txt" -e "$work/fw.elf" --theme="$work/test.ini" <<'END'
wait 3 functions
keys 4
wait no calls are known, only samples
wait │send
keys Q
END

# Arcs alone, no times: calls, and those made below them, stand in for time.
make_arcs
screen -s 80x24 "$WSNTOP" -f gprof-hex -p "$work/arcs.hex" -e "$work/fw.elf" \
	--theme="$work/test.ini" <<'END'
wait 6 functions
keys 4
wait colours: calls
keys g
expect 4-9
top-down                                                          colours: calls
▸all                                                                    100.0 %
│main                                                                   100.0 %
│send                               54.3 % │sample                       45.7 %
│crc16          28.6 % │uart_write         │adc_read

end
keys jj
wait 54.3 % of calls  calls 20
keys Q
END
