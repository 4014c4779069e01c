# Functions and calls at addresses that reports name; `base` is a label at the beginning. A call's return
# address is a multiple of 16: .org puts its five bytes before.
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
