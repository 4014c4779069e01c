#!/bin/bash
# Durations on a logarithmic axis at four sizes; callers unfolded, edges alone; what is longer than can
# be counted; the line under the cursor drawn large, with buckets and without; the longest call so far,
# latched with its time and its way.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys 5
wait with durations
expect 5-10
FUNCTION        CALLS PER CALL │100 us  │1 ms     │10 ms   │100 ms   │1 s  10 s│
▸ send             50  20.0 ms ·        ·         ·  ●┤    ·         ·         ·
▸ crc16           300  1.53 ms ·    ├─────●───────┤        ·         ·         ·
▸ sample          120  4.68 ms ·        · ├────●────────────────────────>      ·
▸ adc_read        100  2.50 ms ·        ·├──●─┤   ·        ·         ·         ·
▸ uart_write       50  1.22 ms ·        ├●─┤      ·        ·         ·         ·
end
# the line under the cursor, drawn large, and the longest call
expect 11-21
5 functions with durations, 1 without
send: 50 calls, min 18.3 ms, average 20.0 ms, max 24.4 ms
                    min average max
 ·                   ├──●──────┤                                              ·
 │10 ms                                                                 100 ms│
no call-time distribution in this stream (needs WSNPROF_LEVEL 3)

longest call so far
24.4 ms: main > send

CALLER                    CALLS   PER CALL  │100 us│1 ms  │10 ms │100 ms│1 s
end
# one function's callers; all; none
keys <Down><Enter>
wait from crc16
expect 5-10
FUNCTION          CALLS PER CALL │100 us  │1 ms    │10 ms   │100 ms  │1 s  10 s│
▸ send               50  20.0 ms ·        ·        ·  ●┤    ·        ·         ·
▾ crc16             300  1.53 ms ·   ├──────●──────┤        ·        ·         ·
    from send       100  3.66 ms ·        ·  ├─●───┤        ·        ·         ·
    from crc16      200   458 us ·   ├─●───┤       ·        ·        ·         ·
▸ sample            120  4.68 ms ·        · ├───●────────────────────────>     ·
end
look crc16 default on 20
keys *
gone from
keys *
wait from main
expect 5-15
FUNCTION             CALLS PER CALL │100 us │1 ms    │10 ms  │100 ms  │1 s 10 s│
▾ send                  50  20.0 ms ·       ·        · ├●┤   ·        ·        ·
    from main           50  20.0 ms ·       ·        · ├●┤   ·        ·        ·
▾ crc16                300  1.53 ms ·   ├─────●──────┤       ·        ·        ·
    from send          100  3.66 ms ·       ·  ├─●───┤       ·        ·        ·
    from crc16         200   458 us ·   ├─●──┤       ·       ·        ·        ·
▾ sample               120  4.68 ms ·       · ├───●──────────────────────>     ·
    from main          100  5.00 ms ·       ·  ├───●─────────────────────>     ·
    from adc_read       20  3.05 ms ·       · ├──●   ·       ·        ·        ·
▾ adc_read             100  2.50 ms ·       ·├──●┤   ·       ·        ·        ·
    from sample        100  2.50 ms ·       ·├──●┤   ·       ·        ·        ·
end
keys *
gone ▾
# edges alone: in the order of the functions' column
keys mm
wait CALLER > CALLEE
expect 6-9
main > send               50  20.0 ms ·       ·       ·  ●┤   ·       ·        ·
main > sample            100  5.00 ms ·       ·  ├──●────────────────────>     ·
send > crc16             100  3.66 ms ·       · ├──●──┤       ·       ·        ·
sample > adc_read        100  2.50 ms ·       ·├─●─┤  ·       ·       ·        ·
end
wait 7 edges with durations
keys /^adc<Enter>
wait adc_read from sample: 100 calls
keys n
wait sample from adc_read: 20 calls
wait 3.66 ms: sample > adc_read > sample
# a row is copied with all that is known of it
keys y
wait copied: sample from adc_read
# Enter there: the callers of the callee
keys <Enter>
wait SHARE%
keys 5m
gone CALLER > CALLEE
keys <Esc>
# the order and the filter are the flat view's
keys >fc<Enter>
wait 2 functions
expect 6-7
▸ crc16         300  1.53 ms   9.16 ms ·         ├─────────────●──────────────┤·
▸ adc_read      100  2.50 ms   3.66 ms ·                   · ├─────●──┤        ·
end
keys Q
END

wsntop 40x10 <<'END'
wait 6 functions
keys 5
wait durations
expect 4-9
▸ send       ·    ·    · ●  ·    ·     ·
▸ crc16      ·  ├──●───┤    ·    ·     ·
▸ sample     ·    ·├──●────────────>   ·
▸ adc_read   ·    ·├●┤ ·    ·    ·     ·
▸ uart_write ·    ├●┤  ·    ·    ·     ·
5 functions with durations, 1 without
end
keys Q
END

wsntop 120x14 <<'END'
wait 6 functions
keys 5
wait with durations
expect 5-7
FUNCTION         CALLS       MIN  PER CALL        MAX  │100 us     │1 ms        │10 ms       │100 ms      │1 s     10 s│
▸ send              50   18.3 ms   20.0 ms    24.4 ms  ·           ·            ·   ●─┤      ·            ·            ·
▸ crc16            300    305 us   1.53 ms    9.16 ms  ·     ├────────●─────────┤            ·            ·            ·
end
keys Q
END

# A terminal without "repeat": libvterm takes that wrongly next to the last column.
wsntop "80x24 -e LC_ALL=C -e TERM=screen-256color" <<'END'
wait 6 functions
keys 5
wait with durations
expect 5-10
FUNCTION        CALLS PER CALL |100 us  |1 ms     |10 ms   |100 ms   |1 s  10 s|
+ send             50  20.0 ms .        .         .  o|    .         .         .
+ crc16           300  1.53 ms .    |-----o-------|        .         .         .
+ sample          120  4.68 ms .        . |----o------------------------>      .
+ adc_read        100  2.50 ms .        .|--o-|   .        .         .         .
+ uart_write       50  1.22 ms .        |o-|      .        .         .         .
end
ascii
keys Q
END

# Clicks: a title sorts, a second click turns it round; a line is chosen, a double click opens it.
wsntop 120x40 <<'END'
wait 6 functions
keys 5
wait with durations
click 42 5
wait PER CALL▼
expect 6
▸ send              50   18.3 ms   20.0 ms    24.4 ms  ·           ·            ·   ●─┤      ·            ·            ·
end
click 42 5
wait PER CALL▲
expect 6
▸ uart_write        50    916 us   1.22 ms    1.83 ms  ·           ├─●─┤        ·            ·            ·            ·
end
click 3 7
wait crc16: 300 calls
click 3 7
click 3 7
wait from send
wait longest call so far, by caller
wait 9.16 ms: main > send > crc16
wait 1.22 ms: main > send > crc16 > crc16
keys Q
END

# Buckets: a skyline with its percentiles, and each bucket with its bounds and calls.
command -v python3 >/dev/null || skip "python3 is not installed"
cp "$work/uart.txt" "$work/prof.txt"
python3 "$here/wsn.py" stream "$work/fw.elf" >"$work/uart.txt"
wsntop 80x24 -f wsn <<'END'
wait uart_write
keys 5/crc<Enter>
wait crc16: 600 calls
expect 5-22
FUNCTION        CALLS PER CALL      P99 │100 us│1 ms   │10 ms  │100 ms │1 s
▸ send            100  20.0 ms ~24.3 ms ·      ·       ·  ●◆   ·       ·       ·
▸ crc16           600  1.53 ms ~8.04 ms ·   ███○█●▄▄◇▄▄◆       ·       ·       ·
▸ sample          240  4.68 ms ~53.7 ms ·      · ○◇██●█▄▄▄▄▁▁◆▁▁▁▁▁▁▁▁▁▁▁▁▁    ·
▸ adc_read        200  2.50 ms ~3.65 ms ·      ·██○●◆  ·       ·       ·       ·
▸ uart_write       80  1.22 ms ~1.81 ms ·      ·●█◆    ·       ·       ·       ·
5 functions with durations, 1 without  ● average ○ P50 ◇ P90 ◆ P99 ~ estimate
crc16: 600 calls, min 305 us, average 1.53 ms, max 9.16 ms
    FROM    BELOW      CALLS SHARE%
     0 s  1.95 ms        402   67.0 ███████████ min  P50  average
 1.95 ms  7.81 ms        178   29.7 ████▉       P90 ~3.60 ms
 7.81 ms  31.2 ms         20    3.3 ▌           P99 ~8.04 ms  max 9.16 ms

longest call so far, by caller
9.16 ms: main > send > crc16
1.22 ms: main > send > crc16 > crc16


end
keys Q
END
wsntop "120x30 -e LC_ALL=C -e TERM=screen-256color" -f wsn <<'END'
wait uart_write
keys 5m/sample<Enter>
wait sample: 240 calls
expect 11-13
- sample                     240   4.68 ms  ~53.7 ms  .            . _59####o##=======___@_____________________        .
    from main                200   5.00 ms  ~44.5 ms  .            .   59###o##=======__@______________________        .
    from adc_read             40   3.05 ms  ~3.66 ms  .            . --##o@     .            .            .            .
end
expect 19-28
sample: 240 calls, min 1.53 ms, P50 ~1.57 ms, P90 ~2.18 ms, average 4.68 ms, P99 ~53.7 ms, max 2.14 s
    FROM     BELOW       CALLS  SHARE%
     0 s   1.95 ms          10     4.2  ###                                       min 1.53 ms  P50 ~1.57 ms
 1.95 ms   7.81 ms         150    62.5  ########################################  P90 ~2.18 ms  average 4.68 ms
 7.81 ms   31.2 ms          60    25.0  ################
 31.2 ms    125 ms          10     4.2  ###                                       P99 ~53.7 ms
  125 ms    500 ms           4     1.7  #
  500 ms    2.00 s           4     1.7  #
  2.00 s    8.00 s           2     0.8  #                                         max 2.14 s
longest 2.14 s: main > sample
end
ascii
keys Q
END
cp "$work/prof.txt" "$work/uart.txt"

# Live: what was counted in the last second or so stands beside the total.
(
cd "$work" || exit
python3 "$here/wsn.py" node sock fw.elf log features=1943 &	# it listens
peer=$!
until [ -S sock ]; do sleep 0.05; done
("$screen" -s 120x40 "$WSNTOP" -f wsn -p unix:sock -e fw.elf --theme=./test.ini <<'END'
wait uart_write
keys 5/crc<Enter>
wait SHARE%  LAST
wait , seen
wait or before: main > send > crc16
# a reset on the node forgets the longest call, and what comes then is new
keys R
wait Reset counters
keys <Down><Enter>
wait the node confirmed: reset
wait ago: main > send > crc16
# of the past there is the past
keys <Space>
gone SHARE%  LAST
keys Q
END
)
status=$?
kill $peer 2>/dev/null
wait $peer 2>/dev/null
[ $status = 0 ]
) || fail "the last second"

# Live: a longer call than ever is latched, with when it was heard of; a reset forgets it.
sed s/65535/1000/ "$work/first.txt" >"$work/short.txt"
node_report 20000 | sed s/65535/40000/ >"$work/longer.txt"
live 200x30 <<'END'
run echo accept >orders
wait connected 0:0
run cat short.txt >orders
wait uart_write
keys 5/sample<Enter>
wait 30.5 ms, seen
wait or before: main > sample
run cat longer.txt >orders
wait 1.22 s, seen
wait ago: main > sample
wait WORST
# it stays while shorter ones come, as from a node that restarted
run cat short.txt >orders
wait max 30.5 ms
wait 1.22 s, seen
keys Q
END

# Without any times there is nothing to draw, and that is said.
head -c 2000 /dev/zero | tr '\0' '\n' >"$work/uart.txt"
printf 'PROF:empty:1:20:0:32768\n130:400:0:0:65535:0\n\n' >>"$work/uart.txt"
wsntop 80x24 <<'END'
wait 2 functions
keys 5
wait no durations in this stream
keys Q
END

# A large screen: the panel has half of it, with a skyline, and a histogram of each caller.
python3 "$here/wsn.py" stream "$work/fw.elf" >"$work/uart.txt"
wsntop 200x60 -f wsn <<'END'
wait uart_write
keys 5/crc<Enter>
wait crc16: 600 calls
wait P99 ~8.04 ms
wait CALLER
keys Q
END

# Of a call trace every duration is known: a column has its own calls, percentiles are no estimates.
need_traced
"$made" traced.rec || fail "no recording"
screen -s 80x24 "$WSNTOP" -p traced.rec -e traced.elf --speed=max <<'END'
wait end of recording
keys 5/link_send<Enter>
wait link_send: 
expect 4-17
FUNCTION          CALLS PER CALL │1 us      │10 us      │100 us    │1 ms  10 ms│
▸ put_var        10,308  28.8 us ·          ·     ●     ·          ·           ·
▸ fib               344   828 us ·          ·       ○▁  ·          ●     ◆     ·
▸ sample_task     1,721   408 us ·          ·           ·      ●   ·           ·
▸ smooth          1,721   221 us ·          ·           ·   ●      ·           ·
▸ link_send         856   460 us ·          ·           ·      ○●  ·▁◆         ·
▸ copy_bytes      1,392   107 us ·          ·           ●    ◆     ·           ·
▸ tcp_poll          434   424 us ·          ·           ·     ○●   ·  ◆        ·
▸ bundle_write      856   356 us ·          ·           ·     ●    ·           ·
21 functions with durations, 1 without  ● average  ○ P50  ◇ P90  ◆ P99
link_send: 856 calls, min 407 us, average 460 us, max 1.24 ms
    FROM    BELOW      CALLS SHARE%
  256 us  1.02 ms        805   94.0 ███████████ min  P50  P90  average
 1.02 ms  4.10 ms         51    6.0 ▊           P99 1.24 ms  max 1.24 ms
end
keys Q
END
