#!/bin/bash
# The source view: arrows from jumps to their targets, the heat of instructions, what was never called or sampled.
. "$(dirname "$0")/lib.sh"
cd "$work" || exit 1
mkdir -p "$XDG_CONFIG_HOME/wsntop"
printf '%s\n' '[screen]' 'timebar = no' >"$XDG_CONFIG_HOME/wsntop/config.ini"
printf '%s\n' [theme] 'name = test' 'description = for tests' [256] 'selected = default on 20' \
	'dim = 100' 'value = 15' 'heat0 = 40' 'heat4 = 44' 'warning = 9' >test.ini
cat >asm.s <<'END'
	.text
	.globl main, work, start
	.type main, @function
	.type work, @function
	.type start, @function
main:	test %edi, %edi
	je 2f
	call work	# a hundred times
	jmp 3f
2:	call work	# the other way
3:	dec %ecx
	jne main
	ret
	.size main, . - main
	.org 0x20
work:	nop
	ret
	.size work, . - work
	.org 0x30
start:	call main
	jmp start
	.size start, . - start
END
as -g --debug-prefix-map "$PWD=/build/app" -o asm.o asm.s && ld -Ttext=0x100 -e start -o asm.elf asm.o ||
	skip "no assembler for this machine"
objdump -f asm.elf | grep -q x86-64 || skip "the addresses here are those of an x86"
calls='109:120:100:16384:64:512
135:100:100:32768:60:800'
printf 'PROF:demo:2:20:65536:32768\n%s\n\n' "$calls" >calls.txt
printf 'PROF:demo:2:20:65536:32768\n%s\nSPROF:demo:3:20:200\n100:100\n110:800\n112:100\n\n' "$calls" >both.txt
# Its second call was made; and with one row lost.
printf 'PROF:demo:3:20:65536:32768\n%s\n110:120:7:1638:64:512\n\n' "$calls" >all.txt
printf 'PROF:demo:3:20:65536:32768\n%s\n\n' "$calls" >lost.txt

wsntop() {	# COLSxROWS, stream, what else; the script on standard input
	local size=$1 stream=$2
	shift 2
	screen -s "$size" "$WSNTOP" -p "$stream" -e asm.elf --theme=./test.ini --filter='^main$' "$@"
}

wsntop() {	# "COLSxROWS [-e NAME=VALUE]", stream; the script on standard input
	# shellcheck disable=SC2086
	screen -s $1 "$WSNTOP" -p "$2" -e asm.elf --theme=./test.ini --filter='^main$'
}

# The call that was never made, though its function was; lines on which none of a thousand samples fell.
wsntop 80x24 both.txt <<'END'
wait functions
keys 6
wait never
expect 4-16
main  self 500 ms  100 calls  1,000 samples  asm.s
SHARE% SAMPLES   CALLS   TOTAL  LINE asm.s
                                  4          .type work, @function
                                  5          .type start, @function
   5.0     100                    6  main:   test %edi, %edi
                   100  1.00 s           self 500 ms, 1.83 ms to 24.4 ms a call
  <0.2                            7          je 2f
  50.0             100  500 ms    8          call work       # a hundred times
  <0.2                            9          jmp 3f
  <0.2           never           10  2:      call work       # the other way
  40.0     800                   11  3:      dec %ecx
   5.0     100                   12          jne main
  <0.2                           13          ret
end
look never 9
# One lane: the arrow of the instruction under the cursor.
keys mm
wait INSTRUCTIONS
expect 6-20
                         100  1.00 s   self 500 ms, 1.83 ms to 24.4 ms a call
                                       asm.s:6  main:   test %edi, %edi
   5.0 ▎         100                 ╭▸   100:  test   %edi,%edi
                                     │ asm.s:7  je 2f
                                     │    102:  je     10b <main+0xb>
                                     │ asm.s:8  call work       # a hundred tim…
  50.0 ██▌               100  500 ms │    104:  call   120 <work>
                                     │ asm.s:9  jmp 3f
                                     │    109:  jmp    110 <main+0x10>
                                     │ asm.s:10  2:      call work       # the …
                       never         │    10b:  call   120 <work>
                                     │ asm.s:11  3:      dec %ecx
  40.0 ██        800                 │    110:  dec    %ecx
                                     │ asm.s:12  jne main
   5.0 ▎         100                 ╰─   112:  jne    100 <main>
end
keys <Down><Down>
gone ╰─
wait ╭─   102
keys Q
exit 0
END

# All of them, with the longest call of each line; heat is of the hottest instruction.
wsntop 200x24 both.txt <<'END'
wait functions
keys 6mm
wait INSTRUCTIONS
expect 5-20
SHARE%                        SAMPLES    CALLS    TOTAL  PER CALL       MAX       INSTRUCTIONS
                                           100   1.00 s   10.0 ms   24.4 ms       self 500 ms, 1.83 ms to 24.4 ms a call
                                                                                  asm.s:6  main:   test %edi, %edi
   5.0  █                         100                                        ╭───▸   100:  test   %edi,%edi
                                                                             │    asm.s:7  je 2f
                                                                             │╭───   102:  je     10b <main+0xb>
                                                                             ││   asm.s:8  call work       # a hundred times
  50.0  ██████████                         100   500 ms   5.00 ms   15.6 ms  ││      104:  call   120 <work>
                                                                             ││   asm.s:9  jmp 3f
                                                                             ││╭──   109:  jmp    110 <main+0x10>
                                                                             │││  asm.s:10  2:      call work       # the other way
                                         never                               │╰┼─▸   10b:  call   120 <work>
                                                                             │ │  asm.s:11  3:      dec %ecx
  40.0  ████████                  800                                        │ ╰─▸   110:  dec    %ecx
                                                                             │    asm.s:12  jne main
   5.0  █                         100                                        ╰────   112:  jne    100 <main>
end
# bright: into or out of the instruction under the cursor
look ╰──── 15
look ╰┼ 100
keys <Down><Down>
look 102: default on 20
look ╰┼ 15
look ╰──── 100
# Enter goes to the target, u comes back
keys <Enter>
look 10b: default on 20
look ╰┼ 15 on 20
keys u
look 102: default on 20
keys Q
exit 0
END

# Between the lines; ASCII.
wsntop "120x24 -e LC_ALL=C" calls.txt <<'END'
wait functions
keys 6m
wait disassembly by
keys g
expect 12-21
  50.0  ###        100   1.00 s   10.0 ms                  self 500 ms, 1.83 ms to 24.4 ms a call
                                                  +------->   100:  test   %edi,%edi
                                              7   |            je 2f
                                                  |+-------   102:  je     10b <main+0xb>
  50.0  ###        100   500 ms   5.00 ms     8   ||           call work       # a hundred times
  50.0  ###        100   500 ms   5.00 ms         ||          104:  call   120 <work>
                                              9   ||           jmp 3f
                                                  ||+------   109:  jmp    110 <main+0x10>
                 never                       10   |||  2:      call work       # the other way
                 never                            |++----->   10b:  call   120 <work>
end
ascii
keys Q
exit 0
END

# Nothing is claimed where the call was made, where a row was lost, or of a window.
for stream in all lost; do
	wsntop 120x24 $stream.txt <<'END'
wait functions
keys 6mm
wait 112:
gone never
keys Q
exit 0
END
done
