# What the tests of the views share, beside lib.sh. Sourced.
#
# A firmware with recursion (crc16), a cycle (sample, adc_read), a root that nobody measured (main)
# and a call longer than the node can count. Its calls are where the report says they are.
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

make_firmware() {
	cat >"$work/fw.s" <<-'END'
		.text
		.macro function name, at
		.org \at
		.globl \name
		.type \name, @function
	\name:
		.endm
		.macro calls callee, return
		.org \return - 5
		.byte 0xe8
		.long \callee - \return - base
		.endm
	base:
		function main, 0x100
		calls sample, 0x120
		calls send, 0x130
		.org 0x140
		.size main, . - main
		function sample, 0x200
		calls adc_read, 0x220
		.org 0x240
		.size sample, . - sample
		function adc_read, 0x300
		calls sample, 0x320
		.org 0x340
		.size adc_read, . - adc_read
		function send, 0x400
		calls crc16, 0x420
		calls crc16, 0x430
		calls uart_write, 0x440
		.org 0x460
		.size send, . - send
		function crc16, 0x500
		calls crc16, 0x520
		.org 0x540
		.size crc16, . - crc16
		function uart_write, 0x600
		.org 0x640
		.size uart_write, . - uart_write
	END
	(cd "$work" && as -g -o fw.o fw.s && ld -Ttext=0 -e main -o fw.elf fw.o) ||
		skip "no assembler for this machine"
}

# calls of send, for a second report in which the order has changed
node_report() {
	cat <<-END
	PROF:demo:8:20:65536:32768
	120:200:100:16384:64:65535
	130:400:50:${1:-32768}:600:800
	220:300:100:8192:40:120
	320:200:20:2000:50:120
	420:500:50:8000:100:300
	430:500:50:4000:60:100
	440:600:50:2000:30:60
	520:500:200:3000:10:40
	
	END
}

make_firmware
{ echo "hello from the node"; echo "tick 1"; node_report; echo "tick 2"; } >"$work/uart.txt"

# The view alone: the header's lines are tested elsewhere.
wsntop() {	# COLSxROWS, what else wsntop is given; the script on standard input
	local size=$1
	shift
	screen -s "$size" "$WSNTOP" -p "$work/uart.txt" -e "$work/fw.elf" "$@"
}
