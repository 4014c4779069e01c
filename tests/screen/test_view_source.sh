#!/bin/bash
# The source view: lines with their samples, calls and times; walking; instructions; sources that are
# elsewhere, changed, hostile or missing.
. "$(dirname "$0")/lib.sh"
. "$here/source.sh"
make_source
source_report >"$work/timed.txt"
source_report samples >"$work/both.txt"
cd "$work" || exit 1
printf '%s\n' [theme] 'name = test' 'description = for tests' [256] 'selected = default on 20' \
	'dim = 100' 'match = 16 on 200' 'name = default' 'number = default' >test.ini

# The whole height is the view's.
mkdir -p "$XDG_CONFIG_HOME/wsntop"
printf '%s\n' '[screen]' 'timebar = no' >"$XDG_CONFIG_HOME/wsntop/config.ini"

wsntop() {	# "COLSxROWS [-e NAME=VALUE]", stream, what else wsntop is given; the script on standard input
	local size=$1 stream=$2
	shift 2
	# shellcheck disable=SC2086
	screen -s $size "$WSNTOP" -p "$stream" --theme=./test.ini "$@"
}

for wrong in map=here map==here map=here= dir=; do
	"$WSNTOP" -B -p both.txt "--source-$wrong" >out 2>&1
	[ $? = 2 ] || fail "--source-$wrong: $(cat out)"
done

# Each line's calls beside what they took then: sample's are more expensive by a quarter. Of several calls of one
# function from another it is not known which.
sed 's/:100:40000:300:900$/:100:32000:290:500/' both.txt >then.txt
"$WSNTOP" -B -p then.txt -e app.elf -x json:then.json >out || fail "no snapshot"
wsntop 120x30 both.txt -e app.elf --baseline=then.json <<'END'
wait functions
keys <Down>6
wait Δ
expect 4-23
sample  self 346 ms +12.2 pt  100 calls +25 %  106 samples  app.c
SHARE%         SAMPLES    CALLS    TOTAL         Δ   LINE  app.c
                                                      17   }
                                                      18
                                                      19   __attribute__((noinline)) unsigned sample(unsigned n)
                            100   1.22 s     +25 %             self 346 ms, 9.16 ms to 27.5 ms a call
                                                      20   {
  41.0  ██                  100   500 ms         -    21           unsigned value = adc_read(n);
                                                      22
   8.0  ▍           30                                23           for (unsigned i = 0; i < n; i++) {
                                                      24                   value += twist(value);
  15.8  ▊           59                                25                   value ^= spread(i);
  13.4  ▋           50                                         inlined spread, bits.h:3
                                                      26           }
  30.7  █▌                  100   375 ms         -    27           port = adc_read(value) + adc_read(value + 1);
  20.5  █                    50   250 ms         -             -> adc_read
  10.2  ▌                    50   125 ms         -             -> adc_read
                                                      28           return value;
                                                      29   }
                                                      30
end
keys Q
END

# Samples by line, what was inlined from another file under the line that did it, each call of a line
# that makes two. The function's own lines are bright.
wsntop 80x24 both.txt -e app.elf <<'END'
wait functions
keys <Down>6
expect 4-23
sample  self 346 ms  100 calls  106 samples  app.c
SHARE% SAMPLES   CALLS   TOTAL  LINE app.c
                                 17  }
                                 18
                                 19  __attribute__((noinline)) unsigned sample(u
                   100  1.22 s           self 346 ms, 9.16 ms to 27.5 ms a call
                                 20  {
  41.0             100  500 ms   21          unsigned value = adc_read(n);
                                 22
   8.0      30                   23          for (unsigned i = 0; i < n; i++) {
                                 24                  value += twist(value);
  15.8      59                   25                  value ^= spread(i);
  13.4      50                           inlined spread, bits.h:3
                                 26          }
  30.7             100  375 ms   27          port = adc_read(value) + adc_read(v
  20.5              50  250 ms           -> adc_read
  10.2              50  125 ms           -> adc_read
                                 28          return value;
                                 29  }
source
end
look noinline)) default on 20
look adc_read(n); plain
look } 100

# the hottest line; the clipboard; Enter goes to what it calls, u comes back to the line
keys H
look adc_read(n); default on 20
keys y
copied app.c:21: unsigned value = adc_read(n);
wait copied: app.c:21
keys <Enter>
expect 4-8
adc_read  self 875 ms  200 calls  40 samples  app.c
SHARE% SAMPLES   CALLS   TOTAL  LINE app.c
                                  8  }
                                  9
                                 10  __attribute__((noinline)) unsigned adc_read
end
keys u
look adc_read(n); default on 20
keys u
wait no previous function

# the most expensive call; a line without one
keys <End>l
look adc_read(n); default on 20
keys <Down><Enter>
wait no counted call is made from this line

# a search goes round the end; what is inlined into this function is marked at its own line
keys /twist<Enter>
look twist(value); 16 on 200
keys <Home>n
look twist(unsigned 16 on 200
wait 7i
keys n
look 24 default on 20
keys Q
END

# Calls alone: what is not spent in them stands at the entry. Scrolled to the right; tabs stay tabs.
wsntop 80x24 timed.txt -e app.elf <<'END'
wait functions
keys <Down>6
expect 5-21
SHARE%         CALLS   TOTAL  LINE app.c
                               17  }
                               18
                               19  __attribute__((noinline)) unsigned sample(uns
  28.3 █▍        100  1.22 s           self 346 ms, 9.16 ms to 27.5 ms a call
                               20  {
  41.0 ██        100  500 ms   21          unsigned value = adc_read(n);
                               22
                               23          for (unsigned i = 0; i < n; i++) {
                               24                  value += twist(value);
                               25                  value ^= spread(i);
                               26          }
  30.7 █▌        100  375 ms   27          port = adc_read(value) + adc_read(val
  20.5 █          50  250 ms           -> adc_read
  10.2 ▌          50  125 ms           -> adc_read
                               28          return value;
                               29  }
end
keys <Right>
expect 8-11
                               19  ute__((noinline)) unsigned sample(unsigned n)
  28.3 █▍        100  1.22 s           self 346 ms, 9.16 ms to 27.5 ms a call
                               20
  41.0 ██        100  500 ms   21  unsigned value = adc_read(n);
end
# a click; a double click on a call goes there
click 60 14
look 24 default on 20
click 60 18
click 60 18
wait adc_read  self 875 ms
keys Q
END

# Small and wide; a is the key from anywhere.
wsntop 40x10 both.txt -e app.elf <<'END'
wait functions
keys <Down>a
expect 3-9
SHARE%  LINE app.c
         17  }
         18
         19  __attribute__((noinline)) u
                 self 346 ms, 9.16 ms t…
         20  {
source
end
keys Q
END
wsntop 120x16 both.txt -e app.elf <<'END'
wait functions
keys <Down>a
expect 5-13
SHARE%         SAMPLES    CALLS    TOTAL  PER CALL   LINE  app.c
                                                      17   }
                                                      18
                                                      19   __attribute__((noinline)) unsigned sample(unsigned n)
                            100   1.22 s   12.2 ms             self 346 ms, 9.16 ms to 27.5 ms a call
                                                      20   {
  41.0  ██                  100   500 ms   5.00 ms    21           unsigned value = adc_read(n);
                                                      22
   8.0  ▍           30                                23           for (unsigned i = 0; i < n; i++) {
end
keys Q
END

# Instructions: between the lines, then alone. (Of an assembler's file: its code is what stands there.)
cat >asm.s <<'END'
	.text
	.globl main, work
	.type main, @function
	.type work, @function
main:	nop
	call work	# the only call
	jmp main
	.size main, . - main
	.org 0x20
work:	nop
	ret
	.size work, . - work
END
as -g --debug-prefix-map "$PWD=/build/app" -o asm.o asm.s && ld -Ttext=0x100 -e main -o asm.elf asm.o
cat >asm.txt <<'END'
PROF:demo:1:20:65536:32768
106:120:100:16384:64:512
SPROF:demo:2:20:200
100:30
121:10

END
wsntop 80x20 asm.txt -e asm.elf <<'END'
wait functions
keys <Down>6
wait the only call
keys m
wait disassembly by objdump
expect 4-18
main  self 30.0 ms  30 samples  asm.s
SHARE% SAMPLES   CALLS   TOTAL  LINE   asm.s
                                  1            .text
                                  2            .globl main, work
                                  3            .type main, @function
                                  4            .type work, @function
   5.7      30                    5    main:   nop
                                           self 30.0 ms
   5.7      30                                100:  nop
  94.3             100  500 ms    6            call work       # the only call
  94.3             100  500 ms                101:  call   120 <work>
                                  7            jmp main
                                              106:  jmp    100 <main>
                                  8            .size main, . - main
                                  9            .org 0x20
end
keys mH
expect 5-12
SHARE%       SAMPLES   CALLS   TOTAL   INSTRUCTIONS
                                       self 30.0 ms
                                       asm.s:5  main:   nop
   5.7 ▎          30                      100:  nop
                                       asm.s:6  call work       # the only call
  94.3 ████▊             100  500 ms      101:  call   120 <work>
                                       asm.s:7  jmp main
                                          106:  jmp    100 <main>
end
look 101: default on 20
keys y
copied 101:  call   120 <work>
keys <Enter>
wait work  self
wait 120:  nop
keys u
look 101: default on 20
keys m
wait # the only call
keys Q
END

# Where there is no disassembler it is said which were looked for; one that hangs holds nothing up.
mkdir none hung
wsntop "80x24 -e PATH=$work/none" both.txt -e app.elf <<'END'
wait functions
keys <Down>6
wait LINE
keys m
wait no disassembler for x86-64 in PATH: looked for objdump, llvm-objdump
wait unsigned value
keys Q
END
printf '#!/bin/sh\necho $$ >"%s/pid"\nexec sleep 1000\n' "$work" >hung/objdump
chmod +x hung/objdump
wsntop "80x24 -e PATH=$work/hung:$PATH" both.txt -e app.elf <<'END'
wait functions
keys <Down>6
wait LINE
keys m
wait objdump runs
keys H
look adc_read(n); default on 20
run until [ -s pid ]; do sleep 0.05; done
keys Q
exit 0
END
kill -0 "$(cat pid)" 2>/dev/null && fail "the disassembler outlives wsntop"

# A callee's name that does not fit loses its middle: its end tells it from others.
gcc -g -O1 -fcf-protection=none -ffreestanding -nostdlib -static -fno-pic -no-pie \
	-Dadc_read=acme_converter_read_of_the_channel_with_number_zero -fdebug-prefix-map="$PWD=/build/app" \
	-Wl,-Ttext=0x1000 -Wl,-e,main_ -Wl,--build-id=none -o long.elf app.c || fail "long.elf"
wsntop 80x24 both.txt -e long.elf <<'END'
wait functions
keys <Down>6
wait number_zero
wait -> acme_
keys Q
END

# Without an ELF a file of another tool tells of lines; instructions are not offered then.
cat >cg.out <<'END'
# callgrind format
version: 1
creator: callgrind-3.19
positions: line
events: Ir
summary: 60

fl=/build/app/far.c
fn=main
3 10
cfn=half
calls=2 8
4 50

fn=half
8 50
END
wsntop 80x24 cg.out <<'END'
wait functions
keys 6
wait far.c not found. Looked for:
wait --source-map=FROM=TO
gone shows its instructions
keys m
wait no ELF: instructions come from it
keys Q
END

# Sources elsewhere: all places are told; a map, a directory; one newer than the ELF is said.
mkdir -p far/app sub
mv app.c bits.h far/app
wsntop 80x24 both.txt -e app.elf <<'END'
wait functions
keys <Down>6
expect 5-12
/build/app/app.c not found. Looked for:
  /build/app/app.c
  build/app/app.c
  app/app.c
  app.c
Set where sources are with --source-dir=DIR, --source-map=FROM=TO or F2.
m shows its instructions.

end
keys O
wait /build/app/app.c not found
keys m
wait app.c:21
wait call   1000 <adc_read>
keys Q
END
wsntop 80x24 both.txt -e app.elf --source-map=/build=far <<'END'
wait functions
keys <Down>6
wait sample  self 346 ms  100 calls  106 samples  far/app/app.c
wait unsigned value
keys Q
END
touch -d '2100-01-01' far/app/app.c
wsntop 80x24 both.txt -e app.elf --source-dir=nowhere --source-dir=far/ <<'END'
wait functions
keys <Down>6
wait 106 samples  far/app/app.c
wait changed since the ELF was built: lines may be off
# edited while it is shown
run sed -i 's/twist(value)/turned(value)/' far/app/app.c
pause 1100
keys I
wait turned(value)
keys Q
END

# What a file holds is shown, never obeyed; lines end in CRLF; the last one has no end.
printf 'a\033[2Jb\r\n\tx\xff\n\303\251\344\270\255|' >far/app/app.c
wsntop 80x24 both.txt -e app.elf --source-dir=far <<'END'
wait functions
keys <Down>6
expect 6-13
                                  1  a\x1b[2Jb
                                  2          x\xff
                                  3  é中|
                   100  1.22 s           self 346 ms, 9.16 ms to 27.5 ms a call
  41.0             100  500 ms           -> adc_read
  20.5              50  250 ms           -> adc_read
  10.2              50  125 ms           -> adc_read
  13.4      50                           inlined spread, bits.h:3
end
keys Q
END

# Nothing to take lines from.
wsntop 80x24 both.txt <<'END'
wait functions
keys 6
wait no ELF: source lines come from its debug information
wait -e APP.ELF
keys m
keys Q
END
strip -g -o bare.elf app.elf
wsntop 80x24 both.txt -e bare.elf <<'END'
wait functions
keys <Down>6
wait the ELF has no debug information
wait Compile with -g
keys m
wait call   1000 <adc_read>
wait 100  500 ms
keys Q
exit 0
END
# An ELF that is replaced while time is held: nothing of the old one is shown.
cp app.elf live.elf
wsntop 80x24 both.txt -e live.elf <<'END'
wait functions
keys <Down>6Z
wait FROZEN
wait sample
run cp bare.elf new.elf && mv new.elf live.elf
wait the ELF has no debug information
keys <Down><Up>Q
exit 0
END
: >empty
wsntop 80x24 empty -e app.elf <<'END'
wait ended without a byte
keys 6
wait ended without a byte
keys mHuly<Enter><PgDn>/x<Enter>n<Esc>
keys Q
exit 0
END

# Compared with what was, here with itself: no difference but noise.
wsntop 80x24 both.txt -e app.elf --source-dir=far <<'END'
wait functions
keys <Down>b
wait the profile shown now
keys <Enter>6
wait sample  self 346 ms ~  100 calls ~  106 samples  far/app/app.c
keys Q
END

# ASCII where there is no UTF-8.
wsntop "80x24 -e LC_ALL=C" timed.txt -e app.elf --source-dir=far <<'END'
wait functions
keys <Down>6
wait self 346 ms
ascii
keys Q
END
