#!/bin/bash
# The call tree at two sizes: folding, walking, recursion and cycles, what survives a new report.
. "$(dirname "$0")/views.sh"
list_alone

wsntop 80x24 <<'END'
wait 6 functions
keys 3
wait 1 root, 3 rows
expect 5-8
TOTAL%            TOTAL     SELF    CALLS FUNCTION
 100.0 ██████    1.50 s        -        - ▾ main
  66.7 ████      1.00 s   573 ms       50   ▸ send
  33.3 ██        500 ms   311 ms      100   ▸ sample
end
# all below the cursor, a cycle and a recursion among it; and closed again
keys <Home>*
wait 8 rows
expect 6-13
 100.0 ██████    1.50 s        -        - ▾ main
  66.7 ████      1.00 s   573 ms       50   ▾ send
  24.4 █▌        366 ms   366 ms      100     ▾ crc16
   6.1 ▍        91.6 ms        -      200       ↻ crc16
   4.1 ▎        61.0 ms  61.0 ms       50       uart_write
  33.3 ██        500 ms   311 ms      100   ▾ sample
  16.7 █         250 ms   189 ms      100     ▾ adc_read
   4.1 ▎        61.0 ms        -       20       ↻ sample
end
keys *
wait 1 root, 1 row open
keys +
wait 3 rows
# to the most expensive child, opening what is closed; up again; Enter closes and opens
keys <Home>l
look send default on 20
keys l
look crc16 default on 20
keys uu
look main default on 20
keys <Enter>
wait 1 root, 1 row open
keys <Enter>
wait rows open
# what a search finds is shown, though it is folded away
keys /ad.<Enter>
wait ▸ adc_read
expect 6-11
 100.0 ██████    1.50 s        -        - ▾ main
  66.7 ████      1.00 s   573 ms       50   ▾ send
  24.4 █▌        366 ms   366 ms      100     ▸ crc16
   4.1 ▎        61.0 ms  61.0 ms       50       uart_write
  33.3 ██        500 ms   311 ms      100   ▾ sample
  16.7 █         250 ms   189 ms      100     ▸ adc_read
end
# callers of the function under the cursor
keys 2
wait SHARE%
wait in cycle
keys Q
END

wsntop 40x10 <<'END'
wait 6 functions
keys 3
wait TOTAL%
keys <Home>*
wait ↻
expect 4-9
 100.0    1.50 s ▾ main
  66.7    1.00 s   ▾ send
  24.4    366 ms     ▾ crc16
   6.1   91.6 ms       ↻ crc16
   4.1   61.0 ms       uart_write
top-down: 1 root, 8 rows open
end
keys <End>
expect 5-8
   4.1   61.0 ms       uart_write
  33.3    500 ms   ▾ sample
  16.7    250 ms     ▾ adc_read
   4.1   61.0 ms       ↻ sample
end
keys I<Home>
expect 3-9
 SELF%      SELF    CALLS FUNCTION
  38.2    573 ms       50 ▸ send
  24.4    366 ms      300 ▸ crc16
  20.7    311 ms      120 ▸ sample
  12.6    189 ms      100 ▸ adc_read
   4.1   61.0 ms       50 ▸ uart_write
bottom-up: 5 functions by self time
end
keys Q
END

# The hottest path to its end; what is open all at once; bottom-up, with folds and a place of its own.
wsntop 80x24 <<'END'
wait 6 functions
keys 3
wait 1 root, 3 rows
keys H
wait top-down: 1 root, 5 rows open
look crc16 default on 20
expect 6-10
 100.0 ██████    1.50 s        -        - ▾ main
  66.7 ████      1.00 s   573 ms       50   ▾ send
  24.4 █▌        366 ms   366 ms      100     ▸ crc16
   4.1 ▎        61.0 ms  61.0 ms       50       uart_write
  33.3 ██        500 ms   311 ms      100   ▸ sample
end
keys y
copied main;send;crc16  24.4 %  total 366 ms  self 366 ms  calls 100
# the branch under the cursor is open already: all the same the first * opens
keys <Home>j<Home>*
wait 8 rows
keys *
wait 1 root, 1 row open
look main default on 20
keys *
wait 8 rows
keys I
wait bottom-up: 5 functions by self time, 5 rows open
expect 5-10
 SELF%            TOTAL      SELF    CALLS FUNCTION
  38.2 ██▎       1.00 s    573 ms       50 ▸ send
  24.4 █▌        366 ms    366 ms      300 ▸ crc16
  20.7 █▎        500 ms    311 ms      120 ▸ sample
  12.6 ▊         250 ms    189 ms      100 ▸ adc_read
   4.1 ▎        61.0 ms   61.0 ms       50 ▸ uart_write
end
keys <Home>jj+
wait 7 rows
expect 6-12
  38.2 ██▎       1.00 s    573 ms       50 ▸ send
  24.4 █▌        366 ms    366 ms      300 ▸ crc16
  20.7 █▎        500 ms    311 ms      120 ▾ sample
  18.5 █▏        500 ms   ~277 ms      100     main
   2.3 ▏        61.0 ms  ~33.8 ms       20   ▸ adc_read
  12.6 ▊         250 ms    189 ms      100 ▸ adc_read
   4.1 ▎        61.0 ms   61.0 ms       50 ▸ uart_write
end
keys j
look main default on 20
keys I
wait top-down: 1 root, 8 rows
keys I
wait 7 rows
look main default on 20
keys Q
END

# n goes to every match: along the open lines, then to what is folded away, one by one.
wsntop 80x24 <<'END'
wait 6 functions
keys 3
wait 1 root, 3 rows
keys <Home>/crc|adc<Enter>
wait 4 rows
look adc_read 16 on 200
keys n
wait 6 rows
look crc16 16 on 200
keys fsend<Enter>
wait dim: paths to matching functions
look main 100
keys Q
END

# Differences to a baseline.
live 120x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys b<Down><Enter>
wait vs 
run cat second.txt >orders
wait 5.00 s
keys 3
wait TOTAL%
expect 5-8
TOTAL%                        Δ      TOTAL      SELF     CALLS  PER CALL        MIN        MAX  FUNCTION
 100.0  █████████████         -     6.00 s         -         -         -          -          -  ▾ main
  83.3  ██████████▉     +225 pt     5.00 s    4.81 s       100   50.0 ms    1.95 ms   >=2.00 s    ▸ sample
  16.7  ██▏                   ~     1.00 s    573 ms        50   20.0 ms    18.3 ms    24.4 ms    ▸ send
end
keys Q
END

# A click on the mark folds; on the name it selects.
wsntop 80x24 <<'END'
wait 6 functions
keys 3
wait TOTAL%
click 70 8
look sample default on 20
click 45 8
wait adc_read
click 45 8
gone adc_read
keys Q
END

# What is open stays open, and the cursor on its function, when the order changes.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys 3
wait TOTAL%
keys <Home><Down><Down><Enter>
wait 4 rows
expect 6-9
 100.0 ██████    1.50 s        -        - ▾ main
  66.7 ████      1.00 s   573 ms       50   ▸ send
  33.3 ██        500 ms   311 ms      100   ▾ sample
  16.7 █         250 ms   189 ms      100     ▸ adc_read
end
look sample default on 20
run cat second.txt >orders
wait 5.00 s
expect 6-9
 100.0 ██████    6.00 s        -        - ▾ main
  83.3 █████     5.00 s   4.81 s      100   ▾ sample
   4.2 ▎         250 ms   189 ms      100     ▸ adc_read
  16.7 █         1.00 s   573 ms       50   ▸ send
end
look sample default on 20
keys Q
END

wsntop "80x24 -e LC_ALL=C" <<'END'
wait 6 functions
keys 3<Home>*
wait 8 rows
expect 6-13
 100.0 ######    1.50 s        -        - - main
  66.7 ####      1.00 s   573 ms       50   - send
  24.4 #         366 ms   366 ms      100     - crc16
   6.1          91.6 ms        -      200       @ crc16
   4.1          61.0 ms  61.0 ms       50       uart_write
  33.3 ##        500 ms   311 ms      100   - sample
  16.7 #         250 ms   189 ms      100     - adc_read
   4.1          61.0 ms        -       20       @ sample
end
ascii
keys Q
END

# A table printed while it is counted in: callees can be ahead of their callers, self below zero.
{ echo PROF:ahead:2:20:65536:32768; echo 120:200:10:1000:64:400; echo 220:300:20:1010:40:120; } \
	>"$work/ahead.txt"
screen "$WSNTOP" -p "$work/ahead.txt" -e "$work/fw.elf" --theme="$work/test.ini" <<'END'
wait 3 functions
keys 3
wait TOTAL%
keys <Home>+<Down>+
wait adc_read
expect 6-8
 100.0 ██████   30.5 ms        -        - ▾ main
 100.0 ██████   30.5 ms     ~0 s     >=10   ▾ sample
 100.0 ██████   30.8 ms  30.8 ms       20       adc_read
end
keys Q
END

# Arcs alone, no times: calls, and those made below them, stand in for time.
make_arcs
screen -s 80x24 "$WSNTOP" -f gprof-hex -p "$work/arcs.hex" -e "$work/fw.elf" \
	--theme="$work/test.ini" <<'END'
wait 6 functions
keys 3<Home>*
wait 1 root, 6 rows open
expect 4-10
CALLS%                     CALLS FUNCTION
 100.0 ████████████████        - ▾ main
  54.3 ████████▋              20   ▾ send
  28.6 ████▋                  50       crc16
  14.3 ██▎                    25       uart_write
  45.7 ███████▍               50   ▾ sample
  17.1 ██▊                    30       adc_read
end
keys Q
END

# Both keys in one write: * opens all, though what is selected elsewhere is revealed first, which may
# open the only branch that is closed.
wsntop 80x24 <<'END'
wait 6 functions
send 3*
wait 1 root, 8 rows open
keys <Home>jjjjj-
wait 1 root, 6 rows open
look sample default on 20
keys 1
wait PER CALL
keys <Home>jjj
look adc_read default on 20
send 3*
wait TOTAL%
look adc_read default on 20
wait 1 root, 8 rows open
# what is seen to be open is closed
keys *
wait 1 root, 1 row open
keys Q
END

# A wide screen has the single calls of each line: of the edge to it, or of a root. A tall one is
# filled with branches that nobody had to open, and has the calls of the line under the cursor.
command -v python3 >/dev/null || skip "python3 is not installed"
python3 "$here/wsn.py" stream "$work/fw.elf" refreshes=2 >"$work/uart.txt"
for size in 120x40 200x60; do
	wsntop $size -f wsn <<-'END'
	wait uart_write
	keys 3
	wait 2 roots, 8 rows open
	wait P99        MAX  FUNCTION
	# what the user closes stays closed
	keys <Home>jj-
	wait crc16 from send: 200 calls
	gone ↻ crc16
	wait 2 roots, 7 rows open
	keys Q
	END
done
wsntop 120x40 -f wsn <<'END'
wait uart_write
keys 3/crc<Enter>
wait crc16 from send
expect 5-13
TOTAL%                     TOTAL      SELF     CALLS  PER CALL        MIN       P99        MAX  FUNCTION
  96.8  ████████████▋     3.00 s         -         -         -          -         -          -  ▾ main
  64.6  ████████▍         2.00 s    1.27 s       100   20.0 ms    18.3 ms  ~24.3 ms    24.4 ms    ▾ send
  23.6  ███▏              732 ms    732 ms       200   3.66 ms    1.83 ms  ~8.72 ms    9.16 ms      ▾ crc16
   5.9  ▊                 183 ms         -       400    458 us     305 us  ~1.18 ms    1.22 ms        ↻ crc16
  32.3  ████▎             1.00 s    622 ms       200   5.00 ms    1.95 ms  ~44.5 ms     2.14 s    ▾ sample
  16.1  ██▏               500 ms    378 ms       200   2.50 ms    1.22 ms  ~3.65 ms    3.66 ms      ▾ adc_read
   3.9  ▌                 122 ms         -        40   3.05 ms    1.53 ms  ~3.66 ms    3.66 ms        ↻ sample
   3.2  ▍                97.7 ms   97.7 ms        80   1.22 ms     916 us  ~1.81 ms    1.83 ms    uart_write
end
expect 14-19

crc16 from send: 200 calls, min 1.83 ms, P50 ~2.57 ms, average 3.66 ms, P90 ~7.81 ms, P99 ~8.72 ms, max 9.16 ms
    FROM     BELOW       CALLS  SHARE%
     0 s   1.95 ms           2     1.0  ▌                                         min 1.83 ms
 1.95 ms   7.81 ms         178    89.0  ████████████████████████████████████████  P50 ~2.57 ms  average 3.66 ms
 7.81 ms   31.2 ms          20    10.0  ████▌                                     P90  P99  max
end
# the recursive calls by themselves
keys n
wait crc16 from crc16: 400 calls
keys Q
END
