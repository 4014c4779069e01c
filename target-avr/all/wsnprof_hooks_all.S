; The assembly of the runtime in one file: see wsnprof_all.c.
#if 0	/* what as without the preprocessor sees */
.error "wsnprof_hooks_all.S needs cpp: compile it with avr-gcc, not with as"
.end
#endif

#include "wsnprof_hooks.S"
#include "wsnprof_send.S"
#include "wsnprof_isr.S"
#include "wsnprof_udre.S"
#include "wsntrace_bits.S"
#include "wsntrace_flow.S"
#include "wsntrace_hooks.S"
