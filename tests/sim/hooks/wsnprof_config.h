/* The test says on the command line what a case needs. */
#define WSNPROF_PERIOD_MS 100
#if !defined(WSNPROF_RING) && !defined(WSNPROF_LEAST)
#define WSNPROF_RING 64
#endif
