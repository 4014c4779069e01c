@ The assembly of the runtime in one file: see wsnprof_all.c.
#if 0	/* what as without the preprocessor sees */
.error "wsnprof_hooks_all.S needs cpp: compile it with arm-none-eabi-gcc, not with as"
.end
#endif

#include "wsnprof_hooks.S"
#include "wsnprof_hooks_v6m.S"
#include "wsnprof_mcount.S"
#include "wsntrace_hooks.S"
#include "wsntrace_hooks_v6m.S"
