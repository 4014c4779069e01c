/*
 * Settings other than target-common/wsnprof_defaults.h's. The makefile's PROFILE selects whether
 * calls are timed (-finstrument-functions) or counted as arcs (-pg); PC samples are taken in both.
 */
#define WSNPROF_CLOCK_HZ 25000000
#define WSNPROF_PCS 128
#ifdef PROFILE_ARCS
#define WSNPROF_SITES 0
#define WSNPROF_ARCS 64
#define WSNPROF_NAME "cortexm-arcs"
#else
#define WSNPROF_SITES 64
#define WSNPROF_STACK 12
#define WSNPROF_NAME "cortexm-timed"
#endif
