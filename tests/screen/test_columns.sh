#!/bin/bash
# The flat view's columns as the user wants them, live; functions by file and by task.
. "$(dirname "$0")/views.sh"
list_alone

# two files
cd "$work" || exit 1
printf '%s\n' 'void low(void) { }' 'void mid(void) { low(); }' >low.c
printf '%s\n' 'void mid(void);' 'void low(void);' 'void top(void) { mid(); }' 'void idle(void) { low(); }' \
	'int main(void) { top(); idle(); return 0; }' >top.c
gcc -g -O0 -fcf-protection=none -nostdlib -static -no-pie -Wl,-e,main,-Ttext=0x1000,--build-id=none \
	-o two.elf top.c low.c 2>/dev/null ||
	skip "no compiler for this machine"
at() { nm two.elf | awk -v name="$1" '$3 == name { print $1 }'; }
row() {	# caller, where its call returns to, callee, calls:ticks:min:max
	printf '%x:%x:%s\n' $((0x$(at "$1") + $2)) $((0x$(at "$3"))) "$4"
}
{
	echo PROF:demo:5:20:65536:32768
	row main 9 top 100:16384:64:512
	row main 14 idle 20:4000:100:300
	row top 9 mid 200:8192:20:120
	row idle 9 low 20:2000:50:120
	row mid 9 low 200:4096:10:40
	echo
} >two.txt

# Functions by file: lines with sums, in the order of what their functions are sorted by; they fold.
screen -s 100x14 "$WSNTOP" -p two.txt -e two.elf --theme=./test.ini <<'END'
wait 5 functions
keys T
expect 4-13
 SELF%               SELF▼     TOTAL   CALLS  PER CALL        MIN        MAX  FUNCTION
  50.0  ████████    311 ms               120                                  ▾ top.c  3 functions
  40.2  ██████▍     250 ms    500 ms     100   5.00 ms    1.95 ms    15.6 ms    top
   9.8  █▋         61.0 ms    122 ms      20   6.10 ms    3.05 ms    9.16 ms    idle
     -                   -         -       -         -          -          -    main
  50.0  ████████    311 ms               420                                  ▾ low.c  2 functions
  29.9  ████▊       186 ms    186 ms     220    846 us     305 us    3.66 ms    low
  20.1  ███▎        125 ms    250 ms     200   1.25 ms     610 us    3.66 ms    mid

5 functions in 2 files, 622 ms of the 2.00 s that the program ran
end
# the selected function keeps the cursor
look 40.2 default on 20
# - folds the group that the function is in, Enter opens it, * all
keys -
wait ▸ top.c
expect 5-9
  50.0  ████████    311 ms               120                                  ▸ top.c  3 functions
  50.0  ████████    311 ms               420                                  ▾ low.c  2 functions
  29.9  ████▊       186 ms    186 ms     220    846 us     305 us    3.66 ms    low
  20.1  ███▎        125 ms    250 ms     200   1.25 ms     610 us    3.66 ms    mid

end
keys <Enter>
wait idle
keys *
expect 5-7
  50.0  ████████    311 ms               120                                  ▸ top.c  3 functions
  50.0  ████████    311 ms               420                                  ▸ low.c  2 functions

end
# what is searched for is found in a folded one, which opens
keys /
keys mid<Enter>
wait ▾ low.c
keys y
copied mid self% 20.1 self 125 ms total 250 ms calls 200 per-call 1.25 ms min 610 us max 3.66 ms stack 48 B context main file low.c:2
# groups go by the sum of what is sorted by
keys scalls<Enter>
expect 5-9
  50.0  ████████    311 ms               420                                  ▾ low.c  2 functions
  29.9  ████▊       186 ms    186 ms     220    846 us     305 us    3.66 ms    low
  20.1  ███▎        125 ms    250 ms     200   1.25 ms     610 us    3.66 ms    mid
  50.0  ████████    311 ms               120                                  ▸ top.c  3 functions

end
keys I
expect 5-9
  50.0  ████████    311 ms               120                                  ▸ top.c  3 functions
  50.0  ████████    311 ms               420                                  ▾ low.c  2 functions
  20.1  ███▎        125 ms    250 ms     200   1.25 ms     610 us    3.66 ms    mid
  29.9  ████▊       186 ms    186 ms     220    846 us     305 us    3.66 ms    low

end
# the cursor on a group's line stays on it while the order moves
keys <Home>I
keys y
copied top.c self% 50.0 self 311 ms calls 120
# by task, and not at all
keys *
keys T
wait 1 task
keys T
wait not grouped
expect 13
5 functions, 622 ms of the 2.00 s that the program ran
end
keys Q
exit 0
END

# Interrupts are a task of their own; percentiles and contexts where there is room.
python3 "$here/wsn.py" stream fw.elf >uart.txt
wsntop 160x16 -f wsn <<'END'
wait uart_write
keys T
keys T
expect 5-13
 SELF%                           SELF▼     TOTAL   CALLS  PER CALL        MIN       P50       P90       P99        MAX  CONTEXT   FUNCTION
  96.8  ████████████████████    3.00 s             1,140                                                                          ▾ main  5 functions
  40.9  ████████▌               1.27 s    2.00 s     100   20.0 ms    18.3 ms  ~19.3 ms  ~22.9 ms  ~24.3 ms    24.4 ms  main        send
  23.6  ████▉                   732 ms    732 ms     600   1.53 ms     305 us   ~687 us  ~3.60 ms  ~8.04 ms    9.16 ms  main        crc16
  20.1  ████▏                   622 ms    1.00 s     240   4.68 ms    1.53 ms  ~1.57 ms  ~2.18 ms  ~53.7 ms     2.14 s  main        sample
  12.2  ██▌                     378 ms    500 ms     200   2.50 ms    1.22 ms  ~1.95 ms  ~3.54 ms  ~3.65 ms    3.66 ms  main        adc_read
     -                               -         -       -         -          -         -         -         -          -  main        main
   3.2  ▋                      97.7 ms                80                                                                          ▾ interrupts  1 function
   3.2  ▋                      97.7 ms   97.7 ms      80   1.22 ms     916 us  ~1.14 ms  ~1.66 ms  ~1.81 ms    1.83 ms  ISR         uart_write ISR
end
keys Q
END

# The last minute, five moments a cell; the newest of those that there are since.
python3 "$here/wsn.py" record rec fw.elf refreshes=12 every=1
screen -s 120x16 "$WSNTOP" -p rec --speed=max -e fw.elf --theme=./test.ini <<'END'
wait 12.0 s
expect 5-7
 SELF%                 SELF▼     TOTAL   CALLS  PER CALL        MIN        MAX  CALLS/S  MINUTE        FUNCTION
  40.9  ██████████    7.61 s    12.0 s     600   20.0 ms    18.3 ms    24.4 ms       50           ███  send
  23.6  █████▊        4.39 s    4.39 s   3,600   1.53 ms     305 us    9.16 ms      300           ███  crc16
end
# coloured by the load itself, not by the row's highest: 69 % of the time, and 5 %
keys <End>
look "███  send" 167
keys f^uart<Enter>
wait hidden by the filter
look "███  uart" 73 on 20
keys <Esc>
wait send
# a group has the trend of its functions together
keys TT
wait ▾ main
expect 6
  96.8  ████████    18.0 s             6,840                                      570        ██  ▾ main  5 functions
end
keys Q
END

# c: which columns there are, in which order, how wide; seen at once
wsntop 80x24 -f wsn <<'END'
wait 6 functions
keys c
expect 8-24
  20.1 ███      622 ms   1.00 s    240  4.68 ms   1.53 ms    2.14 s sample
┌─ Columns ────────────────────────────────────────────────────────────────────┐
│ [x] self%           share of all self time                                   │
│ [x] bar             its self time as a bar; full: the most expensive row     │
│ [x] self            time in itself alone (~: may be off by 5 % and more)     │
│ [x] total           time in the function and all that it called              │
│ [x] calls           times entered                                            │
│ [x] per-call        average duration of a call, inclusive (~: may be off by… │
│ [x] min             the shortest single call, inclusive                      │
│ [ ] p50             half of the calls took no longer, inclusive (~ estimate) │
│ [ ] p90             9 of 10 calls took no longer, inclusive (~ estimate)     │
│ [ ] p99             99 of 100 calls took no longer, inclusive (~ estimate)   │
│ [x] max             the longest single call, inclusive (>=: at least)        │
│ [ ] samples         (not in this profile) PC samples that hit the function   │
│ [ ] ~calls          (not in this profile) times entered, estimated from PC … │
└──────────────────────────────────────────────────────────────────────────────┘
Space on, off  + - width  J K order  r default  Esc done
end
# off, and on
keys <Down><Space>
wait [ ] bar
keys jj<Enter>
wait [ ] total
keys jjjjjj<Space>
expect 5-6
 SELF%    SELF▼  CALLS PER CALL       MIN      P99       MAX FUNCTION
  40.9   1.27 s    100  20.0 ms   18.3 ms ~24.3 ms   24.4 ms send
end
# to the left, and wider
keys KKKKKKKK
expect 5-6
 SELF%      P99    SELF▼  CALLS PER CALL       MIN       MAX FUNCTION
  40.9 ~24.3 ms   1.27 s    100  20.0 ms   18.3 ms   24.4 ms send
end
keys +++
expect 5-6
 SELF%         P99    SELF▼  CALLS PER CALL       MIN       MAX FUNCTION
  40.9    ~24.3 ms   1.27 s    100  20.0 ms   18.3 ms   24.4 ms send
end
keys <Home>J
wait P99 SELF%    SELF
keys <Right><Left>
expect 5-11
        P99 SELF%    SELF▼  CALLS PER CALL       MIN       MAX FUNCTION
   ~24.3 ms  40.9   1.27 s    100  20.0 ms   18.3 ms   24.4 ms send
   ~8.04 ms  23.6   732 ms    600  1.53 ms    305 us   9.16 ms crc16
   ~53.7 ms  20.1   622 ms    240  4.68 ms   1.53 ms    2.14 s sample
┌─ Columns ────────────────────────────────────────────────────────────────────┐
│ [x] p99         11  99 of 100 calls took no longer, inclusive (~ estimate)   │
│ [x] self%        5  share of all self time                                   │
end
# the name cannot go; what this profile does not hold takes no room
keys <End><Space>
wait [x] file
keys k<Space>
wait the name is always shown
expect 5-6
        P99 SELF%    SELF▼  CALLS PER CALL       MIN       MAX FUNCTION
   ~24.3 ms  40.9   1.27 s    100  20.0 ms   18.3 ms   24.4 ms send
end
keys q
wait s sort
# what does not fit goes from the right
size 40x12
expect 3-5
        P99 SELF%    SELF▼ FUNCTION
   ~24.3 ms  40.9   1.27 s send
   ~8.04 ms  23.6   732 ms crc16
end
size 80x24
# a right click on a title opens it too; a click switches, one beside it closes
wait PER CALL
click 20 5 3
wait Columns
click 10 10
wait [ ] p99
gone P99
click 10 10
wait P99
click 10 7
gone Columns
keys Q
exit 0
END
grep -q '^flat = p99:11 self%:5 self calls per-call min max function file$' \
	"$XDG_CONFIG_HOME/wsntop/config.ini" || fail "the columns were not kept"

# They are there again; r makes them the built-in ones.
wsntop 80x24 -f wsn <<'END'
wait 6 functions
expect 5
        P99 SELF%    SELF▼  CALLS PER CALL       MIN       MAX FUNCTION
end
keys cr
expect 5
 SELF%           SELF▼    TOTAL  CALLS PER CALL       MIN       MAX FUNCTION
end
keys <Esc>
gone Columns
# sorted by what was never chosen: it is there
keys sp99<Enter>
wait P99▼
keys Q
exit 0
END

# Small, and in ASCII.
wsntop "40x10 -e LC_ALL=C" -f wsn <<'END'
wait send
keys T
wait in 1 file
expect 3-5
 SELF%    SELFv  CALLS FUNCTION
 100.0   3.10 s  1,220 - (file not know~
  40.9   1.27 s    100   send
end
keys c
wait [x] self%
keys <Esc>
ascii
keys Q
END
