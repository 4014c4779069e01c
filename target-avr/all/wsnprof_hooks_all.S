; The assembly of the runtime in one file: see wsnprof_all.c.
#include "wsnprof_hooks.S"
#include "wsnprof_send.S"
#include "wsnprof_isr.S"
#include "wsnprof_udre.S"
