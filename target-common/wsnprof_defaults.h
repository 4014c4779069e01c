/*
 * wsnprof_defaults: every setting, with what it means and its default.
 *
 * An application puts those it wants otherwise into its own wsnprof_config.h, which must exist
 * on the include path (it may be empty).
 */
#ifndef WSNPROF_DEFAULTS_H
#define WSNPROF_DEFAULTS_H

#include "wsnprof_config.h"

/*
 * Call sites (caller's instruction, callee) that fit; 1 to 682. 16 bytes each, and 3 to 6 more for
 * the hash index. Calls from further sites are counted as lost.
 */
#ifndef WSNPROF_SITES
#define WSNPROF_SITES 64
#endif

/* Instrumented calls that may be open at once, interrupts included. 6 bytes each on AVR. */
#ifndef WSNPROF_STACK
#define WSNPROF_STACK 24
#endif

/* The name in the report's header: no ':', CR or LF, at most 23 characters. */
#ifndef WSNPROF_NAME
#define WSNPROF_NAME "node"
#endif

/* Milliseconds from one report's beginning to the next one's; 0: only wsnprof_report() asks. */
#ifndef WSNPROF_PERIOD_MS
#define WSNPROF_PERIOD_MS 1000
#endif

/*
 * Bytes of the transmit ring: 128 or 256. 64 of them are kept for lines of the report; text that
 * does not fit the rest is dropped and counted.
 */
#ifndef WSNPROF_RING
#define WSNPROF_RING 256
#endif

#if WSNPROF_SITES < 1 || WSNPROF_SITES > 682
#error "WSNPROF_SITES: 1 to 682"
#endif
#if WSNPROF_STACK < 1
#error "WSNPROF_STACK: at least 1"
#endif
#if WSNPROF_RING != 128 && WSNPROF_RING != 256
#error "WSNPROF_RING: 128 or 256"
#endif

#endif
