# The real OpenOCD on the simulated Cortex-M3 (m3.h). Sourced, with $root and $work.
#
#	m3_truth		a recorded run of its program: $M3_ELF and $M3_TRUTH
#	probe_start [M3's options]	BITBANG, SWO: its ports; TCL, GDB: OpenOCD's
#	openocd_start, openocd_stop	OpenOCD alone, which takes the same ports again
#	probe_stop
need_tools openocd qemu-system-arm
O=${O:-$root/build}
M3_ELF=$root/build/sim/cortexm/an385-plain-Os.elf
M3_TRUTH=$work/m3.truth
TCL=0 GDB=0

m3_truth() {
	[ -e "$M3_ELF" ] || fail "no $M3_ELF: make sim"
	"$root/sim/cortexm/run" -o "$work/m3" an385 "$M3_ELF" run=wsn,net rounds=3 >"$work/run" 2>&1 ||
		{ cat "$work/run"; fail "the firmware did not run"; }
}

port_of() {	# file, pattern with the port as \1
	local i port
	for i in $(seq 300); do
		port=$(sed -n "s/$2/\1/p" "$1" | head -n 1)
		[ -z "$port" ] || { echo "$port"; return; }
		sleep 0.1
	done
	cat "$1" >&2
	return 1
}

openocd_start() {
	: >"$work/openocd"
	BITBANG=$BITBANG openocd -c "tcl_port $TCL; gdb_port $GDB" -f "$root/tests/probe/openocd.cfg" \
		>"$work/openocd" 2>&1 &
	OPENOCD=$!
	GDB=$(port_of "$work/openocd" '.*Listening on port \([0-9]*\) for gdb.*') || fail "no OpenOCD"
	TCL=$(port_of "$work/openocd" '.*Listening on port \([0-9]*\) for tcl.*') || fail "no OpenOCD"
}

openocd_stop() {
	kill "$OPENOCD" 2>/dev/null
	wait "$OPENOCD" 2>/dev/null
}

probe_start() {
	mkfifo "$work/m3.in" 2>/dev/null
	: >"$work/m3.ports"		# of the one before
	"$root/build/tests/probe/m3" -e "$M3_ELF" "$@" "$M3_TRUTH" <>"$work/m3.in" \
		>"$work/m3.ports" 2>"$work/m3.writes" &
	M3=$!
	trap 'probe_stop; rm -rf "$work"' EXIT
	BITBANG=$(port_of "$work/m3.ports" 'bitbang \(.*\)') || fail "no m3"
	SWO=$(sed -n 's/swo //p' "$work/m3.ports")
	TCL=0 GDB=0
	openocd_start
}

probe_stop() {
	openocd_stop
	kill "$M3" 2>/dev/null
	wait "$M3" 2>/dev/null
}
