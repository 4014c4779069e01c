# A firmware with recursion (crc16), a cycle (sample, adc_read) and a root that nobody measured (main),
# always at the same addresses: $work/fw.s and fw.elf. Sourced; needs skip.
make_firmware() {
	cat "$(dirname "${BASH_SOURCE[0]}")/calls.s" - >"$work/fw.s" <<-'END'
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
		function wsnprof_poll, 0x700
		.org 0x740
		.size wsnprof_poll, . - wsnprof_poll
		function __gnu_mcount_nc, 0x800
		.org 0x840
		.size __gnu_mcount_nc, . - __gnu_mcount_nc
	END
	(cd "$work" && as -o fw.o fw.s && ld -Ttext=0 -e main -o fw.elf fw.o) ||
		skip "no assembler for this machine"
}
