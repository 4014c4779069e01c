#!/bin/bash
# The selected function beside a list, from 120 columns on: what is told of it; keys and clicks on both sides.
. "$(dirname "$0")/views.sh"
command -v python3 >/dev/null || skip "python3 is not installed"
cd "$work" || exit 1
mkdir -p "$XDG_CONFIG_HOME/wsntop"
printf '%s\n' '[columns]' 'flat = percent bar self total calls percall min p99 max function file' \
	>"$XDG_CONFIG_HOME/wsntop/config.ini"
python3 "$here/wsn.py" record node.rec fw.elf refreshes=12 every=4

# All of it, in the width that is left; below 120 columns there is none.
screen -s 120x40 "$WSNTOP" -p node.rec -e fw.elf --speed=max --theme=./test.ini <<'END'
wait end of recording
wait DURATIONS
expect 5-23
 SELF%            SELF▼    TOTAL  CALLS PER CALL       MIN FUNCTION       │ send
  40.9 ███████   7.61 s   12.0 s    600  20.0 ms   18.3 ms send           │ SELF          7.61 s  SELF%           40.9
  23.6 ████      4.39 s   4.39 s  3,600  1.53 ms    305 us crc16          │ TOTAL         12.0 s  LOAD%           15.8
  20.1 ███▍      3.73 s   6.00 s  1,440  4.68 ms   1.53 ms sample         │ CALLS            600  CALLS/S         12.5
  12.2 ██▏       2.27 s   3.00 s  1,200  2.50 ms   1.22 ms adc_read       │ PER CALL     20.0 ms  CONTEXT         main
   3.2 ▌         586 ms   586 ms    480  1.22 ms    916 us uart_write ISR │
     -                -        -      -        -         - main           │ CALLERS  1           SHARE%   CALLS PER CALL
                                                                          │ main                  100.0     600  20.0 ms
                                                                          │
                                                                          │ CALLEES  1           SHARE%   CALLS PER CALL
                                                                          │ crc16                  36.6   1,200  3.66 ms
                                                                          │
                                                                          │ DURATIONS
                                                                          │ MIN  18.3 ms  AVG  20.0 ms  MAX  24.4 ms
                                                                          │ P50 ~19.3 ms  P90 ~22.9 ms  P99 ~24.3 ms
                                                                          │ 7.81 ms  31.2 ms       600  100.0 ██████████
                                                                          │
                                                                          │ LONGEST CALL  24.4 ms
                                                                          │ at 0:00 of the recording or before
end
size 119x40
gone DURATIONS
wait P99        MAX  FUNCTION
size 200x60
expect 5-20
 SELF%                 SELF▼     TOTAL   CALLS  PER CALL        MIN       P99        MAX  FUNCTION                          │ send
  40.9  ██████████    7.61 s    12.0 s     600   20.0 ms    18.3 ms  ~24.3 ms    24.4 ms  send                              │ SELF            7.61 s  SELF%             40.9  TOTAL           12.0 s
  23.6  █████▊        4.39 s    4.39 s   3,600   1.53 ms     305 us  ~8.04 ms    9.16 ms  crc16                             │ LOAD%             15.8  CALLS              600  CALLS/S           12.5
  20.1  ████▉         3.73 s    6.00 s   1,440   4.68 ms    1.53 ms  ~53.7 ms     2.14 s  sample                            │ PER CALL       20.0 ms  CONTEXT           main
  12.2  ███           2.27 s    3.00 s   1,200   2.50 ms    1.22 ms  ~3.65 ms    3.66 ms  adc_read                          │
   3.2  ▊             586 ms    586 ms     480   1.22 ms     916 us  ~1.81 ms    1.83 ms  uart_write ISR                    │ CALLERS  1                                         SHARE%   CALLS PER CALL
     -                     -         -       -         -          -         -          -  main                              │ main                                                100.0     600  20.0 ms
                                                                                                                            │
                                                                                                                            │ CALLEES  1                                         SHARE%   CALLS PER CALL
                                                                                                                            │ crc16                                                36.6   1,200  3.66 ms
                                                                                                                            │
                                                                                                                            │ DURATIONS
                                                                                                                            │ MIN            18.3 ms  AVG            20.0 ms  MAX            24.4 ms
                                                                                                                            │ P50           ~19.3 ms  P90           ~22.9 ms  P99           ~24.3 ms
                                                                                                                            │ 7.81 ms  31.2 ms        600  100.0 █████████████████████████
                                                                                                                            │
end
size 80x24
gone DURATIONS
keys Q
END

# Tab goes there and back; Enter goes to a callee, u back; the list's cursor follows.
screen -s 120x40 "$WSNTOP" -p node.rec -e fw.elf --speed=max --theme=./test.ini <<'END'
wait end of recording
wait Enter open  Tab detail
keys <Tab>
wait Enter go there  u back  Tab list  | hide
look 36.6 default on 20
keys <Enter>
expect 5-11
 SELF%            SELF▼    TOTAL  CALLS PER CALL       MIN FUNCTION       │ crc16
  40.9 ███████   7.61 s   12.0 s    600  20.0 ms   18.3 ms send           │ SELF          4.39 s  SELF%           23.6
  23.6 ████      4.39 s   4.39 s  3,600  1.53 ms    305 us crc16          │ TOTAL         4.39 s  LOAD%            9.2
  20.1 ███▍      3.73 s   6.00 s  1,440  4.68 ms   1.53 ms sample         │ CALLS          3,600  CALLS/S           75
  12.2 ██▏       2.27 s   3.00 s  1,200  2.50 ms   1.22 ms adc_read       │ PER CALL     1.53 ms  CONTEXT         main
   3.2 ▌         586 ms   586 ms    480  1.22 ms    916 us uart_write ISR │
     -                -        -      -        -         - main           │ CALLERS  2           SHARE%   CALLS PER CALL
end
keys u
wait crc16                  36.6
keys <Esc>
wait Tab detail
keys <Down><Down>
wait adc_read               50.0
# another view has one, too; the callers have no use for it
keys 3
wait DURATIONS
keys 2
gone DURATIONS
keys 1
wait DURATIONS
keys <Home>
wait crc16                  36.6
# clicks on either side
click 100 15
wait Tab list
keys <Enter>
expect 5-7
 SELF%            SELF▼    TOTAL  CALLS PER CALL       MIN FUNCTION       │ crc16
  40.9 ███████   7.61 s   12.0 s    600  20.0 ms   18.3 ms send           │ SELF          4.39 s  SELF%           23.6
  23.6 ████      4.39 s   4.39 s  3,600  1.53 ms    305 us crc16          │ TOTAL         4.39 s  LOAD%            9.2
end
click 5 8
wait Tab detail
expect 5-7
 SELF%            SELF▼    TOTAL  CALLS PER CALL       MIN FUNCTION       │ sample
  40.9 ███████   7.61 s   12.0 s    600  20.0 ms   18.3 ms send           │ SELF          3.73 s  SELF%           20.1
  23.6 ████      4.39 s   4.39 s  3,600  1.53 ms    305 us crc16          │ TOTAL         6.00 s  LOAD%            7.8
end
keys Q
END

# It can be turned off, for good; what does not fit is left out.
screen -s 120x14 "$WSNTOP" -p node.rec -e fw.elf --speed=max <<'END'
wait CALLEES
gone LONGEST
keys |
gone CALLEES
keys <Tab>
wait SITES
keys Q
exit 0
END
screen -s 120x40 "$WSNTOP" -p node.rec -e fw.elf --speed=max <<'END'
wait uart_write
gone DURATIONS
keys |
wait DURATIONS
keys Q
END
