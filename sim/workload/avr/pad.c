/* pad: bytes that fill the lower flash, so that the code comes above 64 KB, or above 64 K words. */
#include <stdint.h>

#include "workload.h"

#ifdef WORKLOAD_PAD

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

/*
 * Behind the constants, which must stay in reach of lpm, and before all code but the vectors. No
 * array may be so long in C.
 */
__asm__(".section .lowtext.workload_pad,\"a\",@progbits\n"
	".global workload_pad\n"
	"workload_pad:\n"
	".skip " TEXT(WORKLOAD_PAD) ", 0x5a\n"
	".text\n");

#endif
