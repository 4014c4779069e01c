#!/bin/bash
# Callers and callees of a function at two sizes, walking along the edges and back, call sites.
. "$(dirname "$0")/views.sh"

wsntop 80x24 <<'END'
wait 6 functions
keys 2
wait SHARE%
expect 5-9
SHARE%           TOTAL    CALLS PER CALL       MIN       MAX SITES FUNCTION
 100.0 ██████   1.00 s       50  20.0 ms   18.3 ms   24.4 ms     1 ┌─ main
                1.00 s       50  20.0 ms   18.3 ms   24.4 ms     1 send
  36.6 ██▎      366 ms      100  3.66 ms   1.83 ms   9.16 ms     2 ├─ crc16
   6.1 ▍       61.0 ms       50  1.22 ms    916 us   1.83 ms     1 └─ uart_write
end
# the function's own line is under the cursor: what else is known of it
expect 11-12
send
0x00400  self 573 ms
end
look send default on 20
# the call sites of an edge
keys <Down>
look crc16 default on 20
wait call sites
expect 11-18
2 call sites in send      CALLS    TOTAL PER CALL       MIN       MAX     RETURN
▸ (no source line)           50   244 ms  4.88 ms   3.05 ms   9.16 ms    0x00420
  (no source line)           50   122 ms  2.44 ms   1.83 ms   3.05 ms    0x00430

crc16 from 0x00420: 50 calls, min 3.05 ms, average 4.88 ms, max 9.16 ms
                                     min           average                max
 ·                                    ├───────────────●────────────────────┤  ·
 │1 ms                                                                   10 ms│
end
# another of them, with the times of its own calls; there is none behind the last
keys >>
wait crc16 from 0x00430: 50 calls, min 1.83 ms, average 2.44 ms, max 3.05 ms
expect 12-13
  (no source line)           50   244 ms  4.88 ms   3.05 ms   9.16 ms    0x00420
▸ (no source line)           50   122 ms  2.44 ms   1.83 ms   3.05 ms    0x00430
end
# what is copied is the edge and that site
keys y
wait copied: send > crc16
# a click chooses one, too
click 5 12
wait crc16 from 0x00420
# along the edge, where a recursive call is one of the callers; and on to a cycle
keys <Enter>
wait recursive
expect 6-9
     -                    -      200   458 us   1.22 ms     1 ┌─ crc16 ↻
 100.0 ███████████   366 ms      100  3.66 ms   9.16 ms     2 ├─ send
                     366 ms      300  1.53 ms   9.16 ms     3 crc16
                                                              └─ (none measured)
end
keys u
gone recursive
look send default on 20
# from where one began u goes to the most expensive caller, and says where there is none
keys u
wait (none measured)
look main default on 20
keys u
wait no function is known to call it
keys l
look send default on 20
keys <Up><Enter>
wait (none measured)
expect 6-10
                                                              ┌─ (none measured)
                          -        -        -         -     - main
  66.7 ███████▍      1.00 s       50  20.0 ms   24.4 ms     1 ├─ send
  33.3 ███▋          500 ms      100  5.00 ms  >=2.00 s     1 └─ sample

end
keys Q
END

wsntop 40x10 <<'END'
wait 6 functions
keys 2
wait SHARE%
expect 4-8
 100.0   1.00 s       50 ┌─ main
         1.00 s       50 send
  36.6   366 ms      100 ├─ crc16
   6.1  61.0 ms       50 └─ uart_write

end
keys l
wait ↻
expect 4-8
     -        -      200 ┌─ crc16 ↻
 100.0   366 ms      100 ├─ send
         366 ms      300 crc16
                         └─ (none measu…

end
keys Q
END

# A cycle: its inner calls are there, and marked as such below.
wsntop 120x30 <<'END'
wait 6 functions
keys <Down><Down><Enter>
wait SHARE%
expect 5-9
SHARE%                   TOTAL     CALLS  PER CALL        MIN        MAX  SITES  FUNCTION
  10.9  █▎             61.0 ms        20   3.05 ms    1.53 ms    3.66 ms      1  ┌─ adc_read
  89.1  ██████████▊     500 ms       100   5.00 ms    1.95 ms   >=2.00 s      1  ├─ main
                        500 ms       120   4.68 ms    1.53 ms   >=2.00 s      2  sample
  50.0  ██████          250 ms       100   2.50 ms    1.22 ms    3.66 ms      1  └─ adc_read
end
wait in cycle 1
# search goes to the other function on the line
keys /^main<Enter>
wait call site in main
keys Q
END

# The cursor stays on its edge while a new report comes and the order changes.
live 80x24 <<'END'
run echo accept >orders
wait connected 0:0
run cat first.txt >orders
wait uart_write
keys 2
wait SHARE%
keys <Up><Enter><Down><Down>
wait call site in main
look sample default on 20
run cat second.txt >orders
wait 83.3
look sample default on 20
keys Q
END

wsntop "80x24 -e LC_ALL=C" <<'END'
wait 6 functions
keys 2<Down><Enter>
wait recursive
expect 6-9
     -                    -      200   458 us   1.22 ms     1 ,- crc16 @
 100.0 ###########   366 ms      100  3.66 ms   9.16 ms     2 |- send
                     366 ms      300  1.53 ms   9.16 ms     3 crc16
                                                              `- (none measured)
end
ascii
keys Q
END

# Samples: where inside the function they fell. A label inside it is a line, not a function.
cat >"$work/spots.s" <<'END'
	.text
	.org 0x200
	.globl wait
	.type wait, @function
wait:	nop
	.org 0x210
loop:	nop
	.org 0x240
	.size wait, . - wait
END
as -o "$work/spots.o" "$work/spots.s" && ld -Ttext=0 -e wait -o "$work/spots.elf" "$work/spots.o" ||
	skip "no assembler for this machine"
printf 'SPROF:spots:4:20:100\n200:10\n210:60\n214:25\n204:5\n\n' >"$work/spots.txt"
screen "$WSNTOP" -p "$work/spots.txt" -e "$work/spots.elf" --theme="$work/test.ini" <<'END'
wait 1 function
gone loop
keys 2
expect 9-14
wait                                  SHARE%            SELF  SAMPLES         PC
0x00200  self 100 ms  100 samples
loop                                    85.0 █████▏  85.0 ms       85    0x00210
0x00200                                 10.0 ▋       10.0 ms       10    0x00200
0x00204                                  5.0 ▎       5.00 ms        5    0x00204

end
# a frozen picture knows its image's labels too
keys <Space>
wait FROZEN
wait loop
keys Q
END

# A total below zero (the node's clock raced) is no 0 s: not known, and said so.
sed 's/420:500:50:8000:100:300/420:500:50:4294960000:100:65535/' "$work/first.txt" >"$work/raced.txt"
screen "$WSNTOP" -p "$work/raced.txt" -e "$work/fw.elf" --theme="$work/test.ini" <<'END'
wait totals below zero not counted
keys /crc<Enter>2
wait a total went below zero
keys k
wait call sites in send
expect 6-8
     -                    -      200   458 us   1.22 ms     1 ┌─ crc16 ↻
 100.0 ███████████  >=122ms      100        -  >=2.00 s     2 ├─ send
                     122 ms      300   458 us  >=2.00 s     3 crc16
end
expect 11-13
2 call sites in send      CALLS    TOTAL PER CALL       MIN       MAX     RETURN
▸ (no source line)           50   122 ms  2.44 ms   1.83 ms   3.05 ms    0x00430
  (no source line)           50        -        -   3.05 ms  >=2.00 s    0x00420
end
keys Q
END

# A call in code that was inlined says where that stands, and O opens the editor there: at the call site
# that is chosen, which is not where the function is declared.
inlined() {
	mkdir "$work/inlined" && cd "$work/inlined" || exit 1
	cat >app.c <<'END'
volatile unsigned port;

__attribute__((noinline)) void leaf(unsigned x)
{
	port = x;
}

static inline __attribute__((always_inline)) void twice(unsigned x)
{
	leaf(x);
	leaf(x + 1);
}

void main_(void)
{
	twice(port);
	leaf(7);
	for (;;)
		;
}
END
	gcc -g -O1 -fcf-protection=none -ffreestanding -nostdlib -static -fno-pic -no-pie \
		-fdebug-prefix-map="$PWD=/src" -Wl,-Ttext=0x1000 -Wl,-e,main_ -Wl,--build-id=none \
		-o app.elf app.c 2>cc.log &&
		objdump -d app.elf >app.dis || skip "no compiler for this machine"
	leaf=$(awk '/<leaf>:/ { print substr($1, 9) }' app.dis)
	returns=$(awk '/<main_>:/ { inside = 1 } inside && last { sub(":", "", $1); print $1; last = 0 }
		inside && /call / { last = 1 }' app.dis)
	[ "$(wc -l <<<"$returns")" = 3 ] || skip "the compiler made no three calls"
	{
		echo "PROF:demo:3:20:65536:32768"
		ticks=4000
		for at in $returns; do
			echo "$at:$leaf:10:$((ticks -= 1000)):50:$((ticks / 10 + 90))"
		done
		echo
	} >uart.txt
	printf '#!/bin/sh\necho "$*" >edited\n' >ed && chmod +x ed
}

(
inlined
screen -s 80x24 -e EDITOR=./ed "$WSNTOP" -p uart.txt -e app.elf --theme="$work/test.ini" <<'END'
wait leaf
keys /leaf<Enter>2
wait SHARE%
keys <Up>
wait 3 call sites in main_
wait ▸ app.c:10 in twice
size 130x30
wait ▸ app.c:10 in twice, inlined at app.c:16
wait  app.c:11 in twice, inlined at app.c:16
wait /src/app.c:17
keys >>
wait ▸ /src/app.c:17
wait leaf from app.c:17: 10 calls, min 1.53 ms, average 3.05 ms, max 5.80 ms
# a large screen shows the source around that call, and the longest call with its path
size 200x60
wait ▸    17         leaf(7);
wait longest call 11.9 ms
wait main_ > leaf, at app.c:10
size 130x30
wait ▸ /src/app.c:17
keys O
run until [ -s edited ]; do sleep 0.05; done; grep -q '^+17 .*app.c$' edited
keys Q
END
) || exit

# Of a report that has nothing there is no call site to go to, whatever the one before had.
(
cd inlined || exit
mkfifo feed
exec 9<>feed
screen -s 130x30 -e EDITOR=./ed bash -c "$WSNTOP -f prof -p - -e app.elf <feed" <<'END'
run cat uart.txt >feed
wait leaf
keys /leaf<Enter>2
wait SHARE%
keys <Up>
wait 3 call sites in main_
run printf 'PROF:demo:0:20:65536:32768\n\n' >feed
wait nothing counted yet
keys O
wait no source known
keys Q
exit 0
END
) || exit

# Where it is wide how long the chosen site's calls took stands beside the call sites.
command -v python3 >/dev/null || skip "python3 is not installed"
python3 "$here/wsn.py" stream "$work/fw.elf" >"$work/uart.txt"
wsntop 200x40 -f wsn <<'END'
wait uart_write
keys /crc16<Enter>2
wait SHARE%
keys <Up>
wait call sites in send
expect 5-8
SHARE%                   TOTAL     CALLS  PER CALL        MIN       P50       P99        MAX  SITES  FUNCTION
     -                       -       400    458 us     305 us   ~334 us  ~1.18 ms    1.22 ms      1  ┌─ crc16 ↻
 100.0  ████████████    732 ms       200   3.66 ms    1.83 ms  ~2.57 ms  ~8.72 ms    9.16 ms      2  ├─ send
                        732 ms       600   1.53 ms     305 us   ~687 us  ~8.04 ms    9.16 ms      3  crc16
end
expect 11-14
2 call sites in send            CALLS     TOTAL  PER CALL        MIN       P50       P99        MAX      RETURN  crc16 from 0x00420: 100 calls, min 3.05 ms, average 4.88 ms, max 9.16 ms
▸ (no source line)                100    488 ms   4.88 ms    3.05 ms  ~3.91 ms  ~8.93 ms    9.16 ms     0x00420      FROM    BELOW      CALLS SHARE%
  (no source line)                100    244 ms   2.44 ms    1.83 ms  ~2.42 ms  ~3.04 ms    3.05 ms     0x00430   1.95 ms  7.81 ms         80   80.0 ██████████████████ min  P50  average
                                                                                                                  7.81 ms  31.2 ms         20   20.0 ████▌              P90  P99  max
end
# below them, where it is high enough, those of the function and of its other callers
size 200x60
wait crc16: 600 calls
wait crc16 from crc16: 400 calls
size 200x40
wait 2 call sites in send
# the wheel over the call sites is theirs, not the callers'
click 5 13
wait crc16 from 0x00430: 100 calls
click 5 13 5
wait crc16 from 0x00430
look ├─ default on 20
keys Q
END
