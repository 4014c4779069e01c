/* The tests set what they need on the command line; reports come when asked for. */
#ifndef WSNPROF_PERIOD_MS
#define WSNPROF_PERIOD_MS 0
#endif
#ifndef WSNPROF_NAME
#define WSNPROF_NAME "test"
#endif
