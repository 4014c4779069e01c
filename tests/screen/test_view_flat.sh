#!/bin/bash
# The flat view: what stands where at three sizes, sorting, searching, filtering, following a row.
. "$(dirname "$0")/views.sh"
list_alone

# A function that is only known as a caller is dim and has dashes; >= says that the node's field was
# too narrow.
wsntop 80x24 <<'END'
wait 6 functions
expect 5-11
 SELF%             SELF▼    TOTAL  CALLS PER CALL       MIN       MAX FUNCTION
  38.2 ████████   573 ms   1.00 s     50  20.0 ms   18.3 ms   24.4 ms send
  24.4 █████▏     366 ms   366 ms    300  1.53 ms    305 us   9.16 ms crc16
  20.7 ████▍      311 ms   500 ms    120  4.68 ms   1.53 ms  >=2.00 s sample
  12.6 ██▋        189 ms   250 ms    100  2.50 ms   1.22 ms   3.66 ms adc_read
   4.1 ▉         61.0 ms  61.0 ms     50  1.22 ms    916 us   1.83 ms uart_write
     -                 -        -      -        -         -         - main
end
expect 23
6 functions, 1.50 s of the 2.00 s that the program ran
end
look main 100
look send default on 20

# the columns that hold something, one after the other; from the last to the first
keys <lt>
wait SELF%▼
keys <lt>
wait FUNCTION▼
expect 6-11
  12.6 ██▋        189 ms   250 ms    100  2.50 ms   1.22 ms   3.66 ms adc_read
  24.4 █████▏     366 ms   366 ms    300  1.53 ms    305 us   9.16 ms crc16
     -                 -        -      -        -         -         - main
  20.7 ████▍      311 ms   500 ms    120  4.68 ms   1.53 ms  >=2.00 s sample
  38.2 ████████   573 ms   1.00 s     50  20.0 ms   18.3 ms   24.4 ms send
   4.1 ▉         61.0 ms  61.0 ms     50  1.22 ms    916 us   1.83 ms uart_write
end
keys I
wait FUNCTION▲
expect 6-11
   4.1 ▉         61.0 ms  61.0 ms     50  1.22 ms    916 us   1.83 ms uart_write
  38.2 ████████   573 ms   1.00 s     50  20.0 ms   18.3 ms   24.4 ms send
  20.7 ████▍      311 ms   500 ms    120  4.68 ms   1.53 ms  >=2.00 s sample
     -                 -        -      -        -         -         - main
  24.4 █████▏     366 ms   366 ms    300  1.53 ms    305 us   9.16 ms crc16
  12.6 ██▋        189 ms   250 ms    100  2.50 ms   1.22 ms   3.66 ms adc_read
end
keys >
wait SELF%▼

# a click on a title sorts by it, another turns it round
click 39 5
wait CALLS▼
expect 5-8
 SELF%              SELF    TOTAL CALLS▼ PER CALL       MIN       MAX FUNCTION
  24.4 █████▏     366 ms   366 ms    300  1.53 ms    305 us   9.16 ms crc16
  20.7 ████▍      311 ms   500 ms    120  4.68 ms   1.53 ms  >=2.00 s sample
  12.6 ██▋        189 ms   250 ms    100  2.50 ms   1.22 ms   3.66 ms adc_read
end
click 39 5
wait CALLS▲
keys Q
exit 0
END

# a double click is Enter
wsntop 80x10 <<'END'
wait functions
click 72 6
click 72 6
wait SHARE%
keys Q
END

# Narrow: what matters least goes first. Wide: all of it, and wider names and bars.
wsntop 40x10 <<'END'
wait 6 functions
expect 4-9
  38.2   573 ms     50 send
  24.4   366 ms    300 crc16
  20.7   311 ms    120 sample
  12.6   189 ms    100 adc_read
   4.1  61.0 ms     50 uart_write
6 functions, 1.50 s of the 2.00 s that …
end
keys <End>
wait main
expect 4-9
  24.4   366 ms    300 crc16
  20.7   311 ms    120 sample
  12.6   189 ms    100 adc_read
   4.1  61.0 ms     50 uart_write
     -        -      - main
6 functions, 1.50 s of the 2.00 s that …
end
# the wheel
click 5 6 4
gone main
click 5 6 5
wait main
keys Q
END
wsntop 120x14 <<'END'
wait 6 functions
expect 5-13
 SELF%                 SELF▼     TOTAL   CALLS  PER CALL        MIN        MAX  FUNCTION
  38.2  ██████████    573 ms    1.00 s      50   20.0 ms    18.3 ms    24.4 ms  send
  24.4  ██████▍       366 ms    366 ms     300   1.53 ms     305 us    9.16 ms  crc16
  20.7  █████▍        311 ms    500 ms     120   4.68 ms    1.53 ms   >=2.00 s  sample
  12.6  ███▎          189 ms    250 ms     100   2.50 ms    1.22 ms    3.66 ms  adc_read
   4.1  █▏           61.0 ms   61.0 ms      50   1.22 ms     916 us    1.83 ms  uart_write
     -                     -         -       -         -          -          -  main

6 functions, 1.50 s of the 2.00 s that the program ran
end
keys Q
END

# Sorted by a column that there was no room for: there is now.
wsntop 40x10 --sort max <<'END'
wait MAX
expect 4-6
  20.7   311 ms  >=2.00 s sample
  38.2   573 ms   24.4 ms send
  24.4   366 ms   9.16 ms crc16
end
keys Q
END

# A search marks what it found and goes there, round the end; a filter leaves the rest out and says so.
wsntop 80x24 <<'END'
wait 6 functions
keys /s.nd|ad.<Enter>
look send 16 on 200
look adc_read 16 on 200
keys /zzz<Enter>n
wait no match
keys <Esc><Esc>f^s<Enter>
wait 4 hidden
expect 6-9
  38.2 ████████   573 ms   1.00 s     50  20.0 ms   18.3 ms   24.4 ms send
  20.7 ████▍      311 ms   500 ms    120  4.68 ms   1.53 ms  >=2.00 s sample


end
expect 23
6 functions, 4 hidden by the filter, 1.50 s of the 2.00 s that the program ran
end
keys fzzz<Enter>
wait No function passes the filter
keys Q
END

# Enter shows the function's callers; q comes back to it, and it is still the one selected.
wsntop 80x24 <<'END'
wait 6 functions
keys <Down><Down><Enter>
wait SHARE%
wait self 311 ms
keys q
wait SELF▼
look sample default on 20
keys Q
END

# The selected function is followed to where it stands in the new order; or the line is kept.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys <Down><Down>
look sample default on 20
run cat second.txt >orders
wait 5.00 s
look sample default on 20
expect 6-7
  80.2 ████████   4.81 s   5.00 s    120  42.2 ms   1.53 ms  >=2.00 s sample
   9.5 █          573 ms   1.00 s     50  20.0 ms   18.3 ms   24.4 ms send
end
keys Q
END
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys F<Down><Down>
look sample default on 20
run cat second.txt >orders
wait 5.00 s
look crc16 default on 20
keys Q
END

# Without UTF-8 only ASCII is drawn.
wsntop "80x24 -e LC_ALL=C" <<'END'
wait 6 functions
expect 5-7
 SELF%             SELFv    TOTAL  CALLS PER CALL       MIN       MAX FUNCTION
  38.2 ########   573 ms   1.00 s     50  20.0 ms   18.3 ms   24.4 ms send
  24.4 #####      366 ms   366 ms    300  1.53 ms    305 us   9.16 ms crc16
end
ascii
keys Q
END

# Calls that found no room on the node: its functions' and arcs' calls are "at least", in whole or in short.
python3 "$here/wsn.py" record lost.rec fw.elf refreshes=4 kinds=a features=0 more=12345 arcs_lost=671
screen -s 80x24 "$WSNTOP" -p lost.rec -e fw.elf --speed=max --theme=./test.ini <<'END'
wait 671 calls in no arc: cache full; larger WSNPROF_ARCS or a faster link
expect 5-7
     CALLS CALLS/S MINUTE       CONTEXT  FUNCTION
   >=4.94M   1.23M            █ main     sample
 3,456,600    864k            █ send     uart_write
end
keys 2
wait some of its calls were not counted, table full: build with a larger WSNPROF_ARCS
expect 5-8
SHARE%                 CALLS SITES FUNCTION
 100.0 ████████████  >=4.94M     1 ┌─ main
                     >=4.94M     1 sample
                                   └─ (none measured)
end
keys 9<End>
wait 671 calls in no arc: cache full; larger WSNPROF_ARCS or a faster link
keys Q
exit 0
END
