@ The assembly of the runtime in one file: see wsnprof_all.c.
#include "wsnprof_hooks.S"
#include "wsnprof_hooks_v6m.S"
#include "wsnprof_mcount.S"
