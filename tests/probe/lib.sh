# The real OpenOCD on the simulated Cortex-M3 (m3.h). Sourced, with $root and $work.
#
#	m3_truth		a recorded run of its program: $M3_ELF and $M3_TRUTH
#	m3_radio		instead: a small program with variables to watch; $state, $count, $wide, $table, $flags:
#				their addresses, $writer: the instruction that writes radio_state; $work/check.py:
#				the events of a -x trace file, told(NAME): [(seconds, value, by whom)]
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

m3_radio() {
	need_tools arm-none-eabi-gcc
	cat >"$work/app.c" <<'END'
enum radio { RADIO_OFF, RADIO_LISTEN, RADIO_SEND, RADIO_SLEEP };
volatile enum radio radio_state = RADIO_SEND;
volatile unsigned long count = 1;
volatile unsigned long long wide = 2;
volatile short table[8] = { 3 };
volatile struct {
	unsigned mode : 3, level : 9, rest : 20;
} flags = { 1, 2, 3 };
__attribute__((noinline)) void state_set(enum radio to)
{
	radio_state = to;
}
__attribute__((noinline)) void counts_do(void)
{
	count++;
	wide += count;
	table[count % 8] = (short)count;
	flags.level = count;
}
void SysTick_Handler(void)
{
	state_set(RADIO_OFF);
}
int main(void)
{
	for (;;)
		counts_do();
}
END
	M3_ELF=$work/app.elf
	arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -g -O1 -nostdlib -Wl,-e,main,-Ttext=0x1000,-Tdata=0x20000100 \
		-o "$M3_ELF" "$work/app.c" 2>"$work/said" || { cat "$work/said"; fail "the program is not built"; }
	writer=$(arm-none-eabi-objdump -d "$M3_ELF" |
		sed -n '/<state_set>:/,/^$/s/^ *\([0-9a-f]*\):.*strb.*/\1/p')
	state=$(at_of radio_state) count=$(at_of count) wide=$(at_of wide) table=$(at_of table)
	flags=$(at_of flags)
	for i in 0 2 4 6 8 10; do
		printf 'pc %x 100\n' $((0x$(at_of counts_do) + i))
	done >"$M3_TRUTH"
	cat >"$work/check.py" <<'END'
import re
import sys

# ? 0.020000  handlers  value  1  count = 5
LINE = re.compile(r".\s*([\d.]+)\s+(\w+)\s+(\w+)\s+\d+\s+(.*)")
events = [LINE.match(line).groups() for line in open(sys.argv[1])]


def told(name):
    """Seconds, values and writers of one watch."""
    found = []
    for time, _, kind, text in events:
        m = re.match(re.escape(name) + r" = (\S+)(?: \(\d+\))?(?:  by (.*))?$", text)
        if kind in ("value", "state") and m:
            found.append((float(time), m.group(1), m.group(2)))
    return found


STATES = ["RADIO_OFF", "RADIO_LISTEN", "RADIO_SEND", "RADIO_SLEEP"]
NUMBER = {**{n: i for i, n in enumerate(STATES)}, **{str(i): i for i in range(4)}}
END
}

at_of() {	# a symbol's address
	arm-none-eabi-nm "$M3_ELF" | sed -n "s/^\([0-9a-f]*\) . $1$/\1/p"
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
