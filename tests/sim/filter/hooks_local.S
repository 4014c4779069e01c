; The hooks of WSNPROF_TRACE 4 and 5, for tests: they spoil each register that they may change.
#include <avr/io.h>
	.macro SPOIL
	ldi	r26, 0xa5
	mov	r0, r26
	mov	r27, r26
	mov	r30, r26
	mov	r31, r26
	subi	r26, 0x77
	.endm
	.irp	hook, enter, leaf, call, call_leaf, exit, exit_code
	.global	wsntrace_\hook
wsntrace_\hook:
	SPOIL
	ret
	.endr
	.global	wsntrace_handler_enter, wsntrace_handler_exit
wsntrace_handler_enter:
	ldi	r30, 0xa5
	ret
wsntrace_handler_exit:
	reti
