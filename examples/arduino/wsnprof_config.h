/*
 * wsnprof's settings in this library; src/wsnprof_defaults.h lists all. An Uno has 2 KB
 * of RAM: 32 call sites take 512 bytes. Change them here, or with compiler.c.extra_flags.
 */
#ifndef WSNPROF_SITES
#define WSNPROF_SITES 32
#endif
#ifndef WSNPROF_STACK
#define WSNPROF_STACK 12
#endif
/* Fits into Serial's buffer, which holds 63 bytes. */
#ifndef WSNPROF_FRAME
#define WSNPROF_FRAME 60
#endif
#ifndef WSNPROF_RING
#define WSNPROF_RING 2
#endif
#ifndef WSNPROF_NAME
#define WSNPROF_NAME "arduino"
#endif
