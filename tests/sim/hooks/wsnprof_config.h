/* The test says on the command line what a case needs. */
#define WSNPROF_PERIOD_MS 100
#ifndef WSNPROF_RING
#define WSNPROF_RING 64
#endif
