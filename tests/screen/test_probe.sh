#!/bin/bash
# A probe on the screen. Of a recording, figure by figure: estimated calls with their intervals, what they stand on, and
# stretches of samples on the time line. Live, with the real OpenOCD: the header's samples a second, halts, sleep.
# Sanitized: long: samples have a fuzzer and sanitized unit tests; most of its seconds are the simulated chip's.
. "$(dirname "$0")/lib.sh"
need() { command -v "$1" >/dev/null || skip "no $1"; }
need arm-none-eabi-as
arm-none-eabi-as -o "$work/probe.o" "$here/probe.s" && arm-none-eabi-ld -Ttext=0x1000 -e main -o "$work/app.elf" "$work/probe.o" ||
	fail "the firmware is not built"
python3 "$here/probe.py" "$work/probe.wsnrec" || fail "no recording"
cd "$work" || exit 1

screen -s 120x40 "$WSNTOP" -p probe.wsnrec -e app.elf --speed=max <<'END_OF_SCRIPT'
wait ~CALLS
wait end of recording
expect 6-13
  76.0 ██████████   1.82 s   1.82 s    1,824   ~432k          █ work      │ SELF          1.82 s  SELF%           76.0
   6.5 ▉            156 ms   156 ms      156       -          █ main      │ TOTAL         1.82 s  LOAD%           60.8
   2.5 ▍           60.0 ms  60.0 ms       60   ~332k          █ read_all  │ SAMPLES        1,824
   2.5 ▍           60.0 ms  60.0 ms       60   ~332k          █ read_some │
   2.5 ▍           60.0 ms  60.0 ms       60   ~332k          █ read_one  │ FROM SAMPLES   95 % within
   2.5 ▍           60.0 ms  60.0 ms       60   ~332k          █ link_take │ ~CALLS     ~432k    277k to 643k
   2.5 ▍           60.0 ms  60.0 ms       60   ~332k          █ link_check│ ~CALLS/S   ~144k    92.2k to 214k
   2.5 ▍           60.0 ms  60.0 ms       60   ~332k          █ crc_all   │ ~SELF/CALL ~4.22 us 2.84 us to 6.59 us
end
keys 9
wait calls of 8 functions: ~CALLS
wait 72,000 cycles, by CYCCNT with each sample
wait 0.0 % between callers and callees
keys 0
wait no calls told
wait samples = asleep (PC samples in a row: no calls)
keys +++
expect 10
samples         |work      |   |    | |work           |   |     ||work            |   |     ||work            |   |
end
END_OF_SCRIPT

# No samples' states in the log.
screen -s 80x24 "$WSNTOP" -p probe.wsnrec -e app.elf --speed=max <<'END_OF_SCRIPT'
wait ~CALLS
expect 6-7
  76.0 ██████████   1.82 s   1.82 s    1,824   ~432k            █ work
   6.5 ▉            156 ms   156 ms      156       -            █ main
end
keys e
gone FUNCTION
gone samples
END_OF_SCRIPT

# --- live ---
for tool in openocd qemu-system-arm; do
	need "$tool"
done
need_tools() { :; }
. "$root/tests/probe/lib.sh"
m3_truth
probe_start -a 0.3
for size in 80x24 120x40; do
	screen -s "$size" "$WSNTOP" -p "openocd::$TCL?hz=200" -e "$M3_ELF" <<'END_OF_SCRIPT'
wait of 200 samples/s  never halted
wait awake
wait sleep
keys 9
wait Cortex-M3 r2p1
wait 200 asked for
wait 0.0 % of the time
keys <PgDn>
wait cycles, by CYCCNT
END_OF_SCRIPT
done
probe_stop

# A chip that tells no PC and sleeps 30 % of the time: the cure, and no share of sleep.
for fault in "locked not permitted; unlock its debug port" "no-trace power-cycle the board"; do
	probe_start -a 0.3 -f "${fault%% *}"
	screen -s 80x24 "$WSNTOP" -p "openocd::$TCL" -e "$M3_ELF" <<END_OF_SCRIPT
wait no PC samples yet
wait ${fault#* }
wait wsntop doctor -p SOURCE
gone awake
END_OF_SCRIPT
	probe_stop
done

# A server that gives no PC while the target runs: nothing is halted before the user says so.
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=6 \
	-semihosting-config enable=on,target=native -append "run=wsn,net forever=1" -kernel "$M3_ELF" \
	-gdb "tcp:127.0.0.1:$port" </dev/null >"$work/qemu" 2>&1 &
QEMU=$!
trap 'kill "$QEMU" 2>/dev/null; rm -rf "$work"' EXIT
for _ in $(seq 300); do
	! grep -q " 0100007F:$(printf %04X "$port") .* 0A " /proc/net/tcp || break
	[ -e "/proc/$QEMU" ] || { cat "$work/qemu"; fail "QEMU does not serve"; }
	sleep 0.1
done
screen -s 80x24 "$WSNTOP" -p "gdb:localhost:$port" -e "$M3_ELF" <<'END_OF_SCRIPT'
wait this server gives no PC without a halt: add ?stop=100
wait C asks whether it may be halted, and how often
keys C
wait Halt the target to take samples?
keys <Enter>
wait no PC samples yet
wait never halted
keys C<Down><Down><Enter>
wait of 100 samples/s  halted
wait aes_
END_OF_SCRIPT
kill "$QEMU"
wait "$QEMU" 2>/dev/null

# What is watched takes the place of the samples' track: with its names.
m3_radio
probe_start -w "$state,1,200000,4,$writer"
screen -s 120x40 "$WSNTOP" -p "openocd::$TCL?hz=200" -e "$M3_ELF" -w radio_state <<'END_OF_SCRIPT'
wait never halted
keys e
wait state    radio_state            RADIO_
keys 9
wait hits
wait RADIO_
END_OF_SCRIPT

probe_stop

# What it is stopped for by a second way is no "never halted" of the first one.
back=$(arm-none-eabi-objdump -d "$M3_ELF" | sed -n '/<SysTick_Handler>:/,/^$/p' | grep -A1 'bl.*state_set' | tail -n 1 |
	sed 's/^ *\([0-9a-f]*\):.*/\1/')
probe_start -w "$state,1,200000,4,$writer" -c "$(at_of state_set),$back,51300,300"
screen -s 80x24 "$WSNTOP" -p "openocd::$TCL?stops=gdb:127.0.0.1:$GDB&hz=200" -e "$M3_ELF" -w call:state_set <<'END_OF_SCRIPT'
wait of 200 samples/s  halted
gone never halted
keys Q
exit 0
END_OF_SCRIPT

# A meter beside it: the current is below what is watched, though the samples have the host's time.
. "$root/tests/power/lib.sh"
ppk2_start
trap 'probe_stop; ppk2_stop; rm -rf "$work"' EXIT
screen -s 120x40 "$WSNTOP" -p "openocd::$TCL?hz=200" -e "$M3_ELF" -w radio_state --power "ppk2:$PPK2" <<'END_OF_SCRIPT'
wait never halted
keys 0
wait by arrival
END_OF_SCRIPT
ppk2_stop
probe_stop

# SWO: how it was set up and what comes; a broken chain whole, though the header cuts it off; no lane is called idle.
probe_start -s 2000000 -f needs-pin
screen -s 80x24 "$WSNTOP" -p "swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M" -e "$M3_ELF" <<'END_OF_SCRIPT'
wait nrf52, nrf52832, nrf52840), not wired, or the
keys 9
wait set-up        each register read back
wait baud rate     2,000,000
wait adapter does not read it
keys 0
wait SWO's local time stamps
END_OF_SCRIPT
screen -s 80x24 "$WSNTOP" -p "swo:tcp:127.0.0.1:$SWO?setup=openocd::$TCL&clock=72M&chip=stm32" -e "$M3_ELF" <<'END_OF_SCRIPT'
wait SysTick ISR
wait of 11,719 samples/s  never halted
wait awake 100.0 %  sleep  0.0 %
keys 9
wait core clock    72.00 MHz
wait a second, 11,719 set
wait time stamps   72.00 MHz
keys 0
wait · no call told
gone idle
END_OF_SCRIPT
probe_stop
echo ok
