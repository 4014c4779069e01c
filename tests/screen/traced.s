# The functions of tests/tools/trace_made.c with their calls, and what an id of its call trace means: a record
# of .wsntrace_map each (core/image/traced.h). Assembled for the machine at hand; its bytes are never run.
	.text
base:
	.set id, 0
	.macro traced name, callees:vararg
	.set id, id + 1
	.org id * 0x100
	.globl \name
	.type \name, @function
\name:
	.irp callee, \callees
	.skip 11
	.byte 0xe8
	.long \callee - . - 4
	.endr
	.skip 16
	.size \name, . - \name
	.section .wsntrace_map, "", @progbits
	.long \name
	.short id, 0
	.text
	.endm
	traced sample_task, adc_read, smooth, put_sample
	traced adc_read, base
	traced smooth, put_var
	traced put_sample, base
	traced bundle_task, bundle_write, link_send
	traced bundle_write, crc16
	traced crc16, put_var
	traced put_var, base
	traced link_send, pool_get, copy_bytes, checksum, queue_push
	traced pool_get, base
	traced copy_bytes, base
	traced checksum, base
	traced queue_push, base
	traced link_poll, frame_receive
	traced frame_receive, frame_check, deliver
	traced frame_check, base
	traced deliver, base
	traced fib_task, fib
	traced fib, base
	traced timer_tick, base
	traced uart_sent, base
	traced tcp_poll, copy_bytes, ack_send, retransmit
	traced ack_send, base
	traced retransmit, base
	.org 0x2000
	.globl main
	.type main, @function
main:
	.skip 11
	.byte 0xe8
	.long sample_task - . - 4
	.skip 16
	.size main, . - main
	.section .wsntrace_mark, "", @progbits
	.asciz "", "sampled", "queue \"a\"", "radio"
