#!/bin/bash
# `wsntop doctor -p`: the chain from the real OpenOCD to a simulated Cortex-M3, sound and with each fault of it;
# a wrong ELF is told from the one in flash; nothing is halted or left changed.
# Sanitized: long: most of its seconds are the simulated chip's.
. "$(dirname "$0")/lib.sh"
. "$root/tests/probe/lib.sh"
m3_truth

doctor() {	# expected status, arguments...
	local expected=$1
	shift
	"$WSNTOP" doctor -p "openocd::$TCL" "$@" >"$work/out" 2>"$work/err"
	local status=$?
	[ $status = "$expected" ] || fail "doctor $*: status $status, not $expected: $(cat "$work/out" "$work/err")"
}
says() {	# pattern...
	local p
	for p in "$@"; do
		tr -s ' \n' ' ' <"$work/out" | grep -q -- "$p" || fail "not said: $p: $(cat "$work/out")"
	done
}
# A busy host compares a part of the flash in the doctor's two seconds: until all of it was.
doctor_until() {	# pattern, expected status, source, arguments...
	local pattern=$1 tries=0
	shift
	until "$WSNTOP" doctor -p "${@:2}" >"$work/out" 2>"$work/err"; [ $? = "$1" ] &&
			tr -s ' \n' ' ' <"$work/out" | grep -q -- "$pattern"; do
		tries=$((tries + 1))
		[ $tries -lt 30 ] || fail "not said: $pattern: $(cat "$work/out" "$work/err")"
	done
}
silent() {	# pattern
	! tr -s ' \n' ' ' <"$work/out" | grep -q -- "$1" || fail "said: $1: $(cat "$work/out")"
}

# --- a sound chain ---
probe_start -a 0.3
doctor_until 'flash: \([0-9,]*\) of \1 bytes compared, all equal' 0 "openocd::$TCL" -e "$M3_ELF"
[ "$(head -n 1 "$work/out")" = "openocd::$TCL: Cortex-M3 r2p1" ] || fail "$(head -n 1 "$work/out")"
says 'ok OpenOCD 0\.[0-9.]*; probe remote_bitbang, jtag; target chip.cpu' 'ok Cortex-M3 r2p1' 'ok the processor runs' \
	'ok an385-plain-Os.elf is in flash: \([0-9,]*\) of \1 bytes compared, all equal' 'ok the trace units are on' \
	'ok PCs without a halt: [0-9]* a second' 'CYCCNT counts 7[0-9.]* MHz' 'ok 4 comparators for watches, 0 in use' \
	'ok 6 breakpoints' 'ok the ITM is there, and off' 'ok SWO can be a UART, and is off; ACPR 3[456] makes 2,000,000'
silent 'warning'
silent 'fault'
awk 'NR > 1 && length > 80' "$work/out" | grep . && fail "a line of more than 80 columns"

# What was written for a trial is what it was before, and nobody halted the processor.
! grep "^write e000edf0 .*[37bf]$" "$work/m3.writes" || fail "it was halted"
for register in e0001020 e0000e00 e0001000; do
	[ "$(grep -c "^write $register" "$work/m3.writes")" -ge 2 ] || fail "$register was not tried"
done
for register in e0001020 e0000e00; do
	grep "^write $register" "$work/m3.writes" | tail -n 1 | grep -q ' 00000000$' || fail "$register was not restored"
done
grep '^write e0001000' "$work/m3.writes" | tail -n 1 | grep -q ' 40000000$' || fail "DWT_CTRL was not restored"

# The figures, for programs.
doctor_until '"flash_bytes": *\([0-9]*\), *"flash_compared": *\1,' 0 "openocd::$TCL" --json -e "$M3_ELF"
python3 - "$work/out" <<'END' || exit 1
import json
import sys

d = json.load(open(sys.argv[1]))
f = d["facts"]
assert d["worst"] == "ok" and d["machine"] == "Cortex-M3 r2p1", d
assert f["core"] == "Cortex-M3 r2p1" and f["cpuid"] == 0x412fc231, f
assert abs(f["cycles_hz"] / 72e6 - 1) < 0.05, f
assert f["pcsr"] is True and f["pcs_per_second"] > 10 and f["round_seconds"] < 0.1, f
assert abs(f["asleep"] - 0.3) < 0.12, f
assert f["in_code"] == 1, f
assert (f["comparators"], f["comparators_used"], f["breakpoints"]) == (4, 0, 6), f
assert f["itm"] is True and f["swo_uart"] is True and f["swo_baud"] is None, f
assert f["flash_compared"] == f["flash_bytes"] > 10000 and f["flash_differ"] == 0, f
abouts = [x["about"] for x in d["findings"]]
assert abouts == ["server", "core", "running", "flash", "trace", "pcsr", "code", "cycles", "watch", "breakpoints", "itm",
                  "swo"], abouts
END

# --- the ELF ---
doctor 1 -e "$root/build/sim/cortexm/an385-timed-Os.elf"
says 'fault an385-timed-Os.elf is not what runs: [0-9,]* of [0-9,]* bytes in flash differ, the first at 0x000000'
doctor 0
says 'note no ELF is given'
python3 - "$M3_ELF" "$work" <<'END' || exit 1
import struct
import sys

# One bit of the last byte of a section: of code, of what is copied to RAM at the start.
elf = bytearray(open(sys.argv[1], "rb").read())
sections, entry, count, names = (struct.unpack_from("<I", elf, 32)[0], *struct.unpack_from("<HHH", elf, 46))
rows = [struct.unpack_from("<10I", elf, sections + i * entry) for i in range(count)]
for name, flags in (("code", 6), ("constants", 3)):
    row = max((r for r in rows if r[1] == 1 and r[2] & 7 == flags), key=lambda r: r[5])
    other = bytearray(elf)
    other[row[4] + row[5] // 4 * 4 - 1] ^= 1
    open("%s/%s.elf" % (sys.argv[2], name), "wb").write(other)
    print("%s 0x%08x" % (name, row[3] + row[5] // 4 * 4 - 1))
END
doctor_until 'fault code.elf is not what runs: 1 of [0-9,]* bytes in flash differ' 1 "openocd::$TCL" -e "$work/code.elf"
doctor_until 'warning constants.elf: its code is in flash, but 1 of [0-9,]* bytes of constants differ' \
	0 "openocd::$TCL" -e "$work/constants.elf"

# --- halted; another port; no server ---
exec 3<>"/dev/tcp/localhost/$TCL"
printf 'halt\032' >&3
read -r -t 20 -d $'\032' _ <&3
doctor 1 -e "$M3_ELF"
says 'fault the processor is halted' 'cure: .resume. in OpenOCD'
printf 'resume\032' >&3
read -r -t 20 -d $'\032' _ <&3
exec 3>&-
doctor 0
OWN=$TCL TCL=$GDB
doctor 1
says "cure: name OpenOCD's Tcl port"
TCL=$OWN
openocd_stop
doctor 1 -e "$M3_ELF"
says 'fault .*nothing listens there cure: start OpenOCD'
openocd_start
probe_stop

# --- what is wrong with the chip ---
faulty() {	# fault, expected status, pattern...
	local fault=$1 status=$2
	shift 2
	probe_start -f "$fault"
	doctor "$status"
	says "$@"
	probe_stop
}
faulty no-trace 1 'fault DEMCR.TRCENA does not stay set'
faulty no-pcsr 1 'fault no PC samples: this core has no DWT_PCSR' 'CYCCNT counts'
faulty locked 1 'fault no PC samples: the processor runs, but debugging it is not permitted'
faulty no-cyccnt 0 'note no cycle counter' 'ok PCs without a halt'

# --- by OpenOCD's gdb port: what the server can, and the same links through it; never stopped unasked ---
gdb_doctor() {	# expected status, source, arguments...
	local expected=$1 status
	shift
	"$WSNTOP" doctor -p "$@" >"$work/out" 2>"$work/err"
	status=$?
	[ $status = "$expected" ] || fail "doctor -p $*: status $status, not $expected: $(cat "$work/out" "$work/err")"
}
probe_start -a 0.3
doctor_until 'flash: \([0-9,]*\) of \1 bytes compared, all equal' 0 "gdb::$GDB" -e "$M3_ELF"
[ "$(head -n 1 "$work/out")" = "gdb::$GDB: Cortex-M3 r2p1" ] || fail "$(head -n 1 "$work/out")"
says 'ok Open On-Chip Debugger 0\.[0-9.]*, by gdb.s protocol; without acknowledgements: yes; target.xml: yes' \
	'ok breakpoints, with a stop each time' 'note watchpoints are not tried: the target would have to be halted' \
	'ok the target runs, and was not halted' 'ok memory is read while the target runs' 'ok Cortex-M3 r2p1' \
	'ok an385-plain-Os.elf is in flash: \([0-9,]*\) of \1 bytes compared, all equal' \
	'ok PCs without a halt: [0-9]* a second' 'ok 4 comparators for watches, 0 in use' 'ok 6 breakpoints'
silent 'fault'
! grep "^write e000edf0 .*[37bf]$" "$work/m3.writes" || fail "it was halted"
gdb_doctor 0 "gdb::$GDB?watch=1" --json -e "$M3_ELF"
python3 - "$work/out" <<'END' || exit 1
import json
import sys

f = json.load(open(sys.argv[1]))["facts"]
g = f["gdb"]
assert g["no_acks"] and g["target_xml"] and g["single_registers"] and g["reads_while_running"], g
assert g["breakpoints"] and g["watch_writes"] and g["watch_reads"] and g["watch_both"], g
assert f["core"] == "Cortex-M3 r2p1" and f["pcs_per_second"] > 10 and f["flash_differ"] == 0, f
END
last=$(grep '^write e000edf0' "$work/m3.writes" | tail -n 1)
[ "$last" = "write e000edf0 a05f0001" ] || fail "the target was left as $last"
for register in e0001028 e0002008; do	# of a comparator and a breakpoint: taken away again
	grep "^write $register" "$work/m3.writes" | tail -n 1 | grep -q ' 00000000$' || fail "$register was not restored"
done
gdb_doctor 1 "gdb::$GDB" -e "$root/build/sim/cortexm/an385-timed-Os.elf"
says 'fault an385-timed-Os.elf is not what runs'
openocd_stop
gdb_doctor 1 "gdb::$GDB" -e "$M3_ELF"
says 'fault .*nothing listens there cure: start the probe.s gdb server'
openocd_start
probe_stop

# --- by QEMU's: it has to be stopped, which is asked for ---
for _ in 1 2 3 4 5; do
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	qemu-system-arm -M mps2-an385 -display none -monitor none -serial null -icount shift=6 \
		-semihosting-config enable=on,target=native -append "run=wsn,net forever=1" -kernel "$M3_ELF" \
		-gdb "tcp:127.0.0.1:$port" </dev/null >"$work/qemu" 2>&1 &
	QEMU=$!
	trap 'kill "$QEMU" 2>/dev/null; rm -rf "$work"' EXIT
	for _ in $(seq 100); do
		! grep -q " 0100007F:$(printf %04X "$port") .* 0A " /proc/net/tcp || break 2
		[ -e "/proc/$QEMU" ] || break
		sleep 0.1
	done
done
gdb_doctor 0 "gdb:localhost:$port" -e "$M3_ELF"
says 'ok QEMU [0-9.]*.*, by gdb.s protocol; without acknowledgements: no' 'ok watchpoints, with a stop each time: writes, reads, both' \
	'warning memory is not read while the target runs' 'note the flash and the rate of stops are not examined' \
	'cure: add ?stop=100 to the source to allow halts'
silent 'in flash'
doctor_until 'flash: \([0-9,]*\) of \1 bytes compared, all equal' 0 "gdb:localhost:$port?stop=1" -e "$M3_ELF"
says 'ok an385-plain-Os.elf is in flash: \([0-9,]*\) of \1 bytes compared, all equal' 'ok [0-9]* stops a second are reached, of'
kill "$QEMU"

# --- the command line ---
"$WSNTOP" doctor -p tcp:localhost:1 2>"$work/err"
[ $? = 2 ] || fail "tcp: is no debug server"
"$WSNTOP" doctor -p openocd: -e a.elf -e b.elf 2>"$work/err"
[ $? = 2 ] || fail "two ELFs of one chip"
"$WSNTOP" doctor --json -e "$M3_ELF" | python3 -c 'import json, sys; assert json.load(sys.stdin)["elf"] == sys.argv[1]' "$M3_ELF" ||
	fail "no JSON of an image"
echo ok
