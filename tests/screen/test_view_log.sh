#!/bin/bash
# The log: a task that keeps posting itself (sim/radio), found by a filter; states by their names, with the function that
# wrote them; from a line to its moment on the time line; all calls; search, go to, exports; at two sizes. And what is
# logged, chosen on the screen: the real OpenOCD and its comparators.
. "$(dirname "$0")/lib.sh"
R=$root/build/sim/firmware/radio.elf
[ -x "$(dirname "$WSNTOP")/wsntop-simavr" ] && [ -f "$R" ] || skip "there is no wsntop-simavr; make sim"
radio=("$WSNTOP" -p 'simavr:atmega1284p@8M?pace=max&for=2' -e "$R" -w radio_state -w tasks.count)
cd "$work" || exit 1

screen -s 80x24 "${radio[@]}" <<'END_OF_SCRIPT'
wait read to its end
keys e
wait 148,113 lines, following the end
wait   1.998052 +4.63 us main  state radio_state    S_STARTING (1)     radio_start
keys <Home>
expect 3-7
 1flat 2callers 3tree 4flame 5hist 6source 7console 8diff 9node 0time elog ?
       TIME    SINCE LANE  WHAT  NAME           VALUE              IN
   0.000000          main  state radio_state    S_STOPPED (0)
   0.000000     +0 s main  value tasks.count    0
   0.000041 +41.5 us main  value tasks.count    0
end
keys <End>
# only these, with the time between them
keys fS_START<Enter>
wait 23 lines match, following the end
keys <Home>
wait 23 lines match, not following
expect 5-8
   0.524374          main  state radio_state    S_STARTING (1)     radio_start
   0.527785 +3.41 ms main  state radio_state    S_STARTED (2)      __vector_13
   0.658340  +131 ms main  state radio_state    S_STARTING (1)     radio_start
   0.661753 +3.41 ms main  state radio_state    S_STARTED (2)      __vector_13
end
# the moment on the time line, and back
keys <Down>
keys <Enter>
wait radio_state = S_STARTED
keys q
wait not following
keys <Esc>
wait 148,113 lines
# a search goes round, a time is gone to
keys <End>
wait following the end
keys /S_TRANS<Enter>
wait S_TRANSMITTING (3)
keys nN
keys @1.2s<Enter>
wait 1.200
wait not following
keys xlog-csv<Enter><Enter>
wait log-csv written to atmega1284p-log
keys Q
exit 0
END_OF_SCRIPT
[ "$(cat atmega1284p-log*.csv | wc -l)" = 148114 ] || fail "the export: $(cat atmega1284p-log*.csv | wc -l) lines"

# every call: the task posts itself each 57 us, some 3,000 times a beacon
screen -s 120x40 "${radio[@]}" <<'END_OF_SCRIPT'
wait read to its end
keys e
wait following the end
keys m
wait all calls
keys fcall start_radio_task<Enter>
wait following the end, all calls
gone filtering
gone reading
wait 24,674 lines match
wait   1.995240   +57.1 us  main       call     start_radio_task       takes 4.88 us                  main
keys Q
exit 0
END_OF_SCRIPT
# --- what is logged, chosen on the screen: SWO, whose comparators the real OpenOCD sets -------------
need_tools() {
	local tool
	for tool in "$@"; do
		command -v "$tool" >/dev/null || skip "$tool is not installed"
	done
}
need_tools arm-none-eabi-gcc
. "$root/tests/probe/lib.sh"
cat >app.c <<'END'
enum radio { RADIO_OFF, RADIO_LISTEN, RADIO_SEND, RADIO_SLEEP };
volatile enum radio radio_state = RADIO_SEND;
volatile unsigned long count = 1;
__attribute__((noinline)) void state_set(enum radio to)
{
	radio_state = to;
}
__attribute__((noinline)) void counts_do(void)
{
	count++;
}
int main(void)
{
	for (;;) {
		counts_do();
		state_set(RADIO_OFF);
	}
}
END
M3_ELF=$work/app.elf
arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O1 -nostdlib -Wl,-e,main,-Ttext=0x1000,-Tdata=0x20000100 \
	-o "$M3_ELF" app.c 2>said || { cat said; fail "the program is not built"; }
at_of() {	# its address
	arm-none-eabi-nm "$M3_ELF" | sed -n "s/^\([0-9a-f]*\) . $1$/\1/p"
}
writer=$(arm-none-eabi-objdump -d "$M3_ELF" | sed -n '/<state_set>:/,/^$/s/^ *\([0-9a-f]*\):.*strb.*/\1/p')
printf 'pc %x 100\n' $((0x$(at_of counts_do))) >"$M3_TRUTH"
probe_start -s 2000000 -w "$(at_of radio_state),1,200000,4,$writer" -w "$(at_of count),4,100000,4000000000,0"
screen -s 80x24 "$WSNTOP" -p "swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M" -e "$M3_ELF" <<'END_OF_SCRIPT'
wait of 11,719 samples/s  never halted
keys e
# typed, with the names of the ELF below
keys v
wait Log a variable, a register, a call, interrupts
wait radio_state     variable
keys rad
gone count
expect 4-5
┌─ Log a variable, a register, a call, interrupts ─────────────────────────────┐
│ radio_state  variable                                                        │
end
keys <Enter>
wait RADIO_LISTEN (1)
wait state_set
# a second one, and one that this source cannot tell
keys v
wait 1 of 4 comparators in use
keys <Enter>
wait all interrupt handlers
keys call:ma
wait call:main  function
keys <Enter>
wait call:main is not watched: needs stops: add stops=gdb:
keys v
wait call:main    refused: needs stops: add stops=gdb:
wait radio_state  RADIO_
wait a comparator, without a halt
# what is no variable is said at once; the text stays
keys <Enter>
wait Log:
keys nothing_such
wait as typed
keys <Enter>
wait no variable nothing_such
keys <Esc>
# another in its place
keys v
wait another ...
keys <Down><Enter>
wait another variable, register or call in its place
keys <Enter>
wait Log: radio_state
keys <C-u>count<Enter>
wait value count
# removed
keys v
wait call:main    refused
keys <Down><Enter>
wait do not log it any more
wait needs stops: add stops=gdb:
keys <Down><Enter>
gone do not log it any more
# that it is logged no more the new plan may say over at once: the list is what stays
keys v
wait another ...
wait count
gone call:main
keys <Esc>
gone another ...
# the whole of the node view at once
size 80x90
keys 9
wait comparators in use
keys Q
END_OF_SCRIPT
probe_stop
echo ok
