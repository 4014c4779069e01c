/* The build defines a workload's settings on the command line. */
#ifndef WSNPROF_PERIOD_MS
#define WSNPROF_PERIOD_MS 100
#endif
#ifndef WSNPROF_NAME
#define WSNPROF_NAME "workload"
#endif
/* Interrupts and the main program put whole lines. */
#ifndef WSNPROF_RING
#define WSNPROF_RING 64
#endif
