#!/bin/bash
# Durations on a logarithmic axis at three sizes; callers unfolded; what is longer than can be counted.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys 5
wait AVERAGE
expect 5-10
FUNCTION        CALLS  AVERAGE │100 us  │1 ms     │10 ms   │100 ms   │1 s  10 s│
▸ send             50  20.0 ms ·        ·         ·  ●┤    ·         ·         ·
▸ crc16           300  1.53 ms ·    ├─────●───────┤        ·         ·         ·
▸ sample          120  4.68 ms ·        · ├────●────────────────────────>      ·
▸ adc_read        100  2.50 ms ·        ·├──●─┤   ·        ·         ·         ·
▸ uart_write       50  1.22 ms ·        ├●─┤      ·        ·         ·         ·
end
expect 23
5 functions with durations, 1 without
end
# one function's callers; all; none
keys <Down><Enter>
wait from crc16
expect 5-10
FUNCTION          CALLS  AVERAGE │100 us  │1 ms    │10 ms   │100 ms  │1 s  10 s│
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
FUNCTION             CALLS  AVERAGE │100 us │1 ms    │10 ms  │100 ms  │1 s 10 s│
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
gone from
# the order and the filter are the flat view's
keys >fc<Enter>
wait 2 functions
expect 6-7
▸ crc16         300  1.53 ms ·           ├─────────────────●──────────────────┤·
▸ adc_read      100  2.50 ms ·                        · ├───────●───┤          ·
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
wait AVERAGE
expect 5-7
FUNCTION         CALLS       MIN   AVERAGE        MAX  │100 us     │1 ms        │10 ms       │100 ms      │1 s     10 s│
▸ send              50   18.3 ms   20.0 ms    24.4 ms  ·           ·            ·   ●─┤      ·            ·            ·
▸ crc16            300    305 us   1.53 ms    9.16 ms  ·     ├────────●─────────┤            ·            ·            ·
end
keys Q
END

# A terminal without "repeat": libvterm takes that wrongly next to the last column.
wsntop "80x24 -e LC_ALL=C -e TERM=screen-256color" <<'END'
wait 6 functions
keys 5
wait AVERAGE
expect 5-10
FUNCTION        CALLS  AVERAGE |100 us  |1 ms     |10 ms   |100 ms   |1 s  10 s|
+ send             50  20.0 ms .        .         .  o|    .         .         .
+ crc16           300  1.53 ms .    |-----o-------|        .         .         .
+ sample          120  4.68 ms .        . |----o------------------------>      .
+ adc_read        100  2.50 ms .        .|--o-|   .        .         .         .
+ uart_write       50  1.22 ms .        |o-|      .        .         .         .
end
ascii
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
