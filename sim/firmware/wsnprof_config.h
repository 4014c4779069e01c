/* The demo's profiler: see wsnprof_defaults.h for what each setting means. */
#ifndef WSNPROF_CONFIG_H
#define WSNPROF_CONFIG_H

#ifndef WSNPROF_NAME
#define WSNPROF_NAME "demo"
#endif
#define WSNPROF_SITES 128
#define WSNPROF_STACK 32
#define WSNPROF_RECEIVE 1
/* Three lines of printf, whole: they come at once, and frames wait in between. */
#define WSNPROF_RING 255

#endif
