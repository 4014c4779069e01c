# A firmware image for the screen tests: functions and calls at addresses that the reports there name.
# Assembled for the machine at hand; its bytes are never run.
	.include "calls.s"
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
	.org 0x340
	.size adc_read, . - adc_read
	function send, 0x400
	calls crc16, 0x420
	calls crc16, 0x430
	calls uart_write, 0x440
	.org 0x460
	.size send, . - send
	function crc16, 0x500
	.org 0x540
	.size crc16, . - crc16
	function uart_write, 0x600
	.org 0x640
	.size uart_write, . - uart_write
