/* Written by hand: the filter leaves it alone. */
#ifdef __AVR__
	.text
	.global from_assembly
	.type from_assembly, @function
from_assembly:
	rcall 1f
	ret
1:	adiw r24, 2
	ret
	.size from_assembly, .-from_assembly
#else
	.syntax unified
	.thumb
	.text
	.global from_assembly
	.type from_assembly, %function
	.thumb_func
from_assembly:
	push {r4, lr}
	bl 1f
	pop {r4, pc}
1:	adds r0, #2
	bx lr
	.size from_assembly, .-from_assembly
#endif
