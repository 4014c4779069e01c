/*
 * symbols: what the simulator must know of a firmware's ELF to follow its calls.
 *
 * An instrumented function is one whose code calls __cyg_profile_func_enter, or an enter hook of
 * `wsntop as --timed` or `--count`. In a plain build of
 * the same program the functions of those names are followed. In a traced one (`wsntop as`) those
 * of its section .wsntrace_map are. Addresses are byte addresses in flash.
 */
#ifndef WSNTOP_SIM_SYMBOLS_H
#define WSNTOP_SIM_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define SYMBOLS_NONE UINT32_MAX

/* The runtime's functions that mean something to a count of calls. */
enum symbols_mark {
	SYMBOLS_ENTER,		/* the hooks */
	SYMBOLS_EXIT,
	SYMBOLS_TIMED_ENTER,	/* those of `wsntop as --timed` and --count */
	SYMBOLS_TIMED_HANDLER,
	SYMBOLS_COUNT_ENTER,
	SYMBOLS_COUNT_HANDLER,
	SYMBOLS_TIMED_EXIT,
	SYMBOLS_TIMED_EXIT_MID,
	SYMBOLS_TIMED_TAIL,
	SYMBOLS_TIMED_TAIL_SAVED,
	SYMBOLS_TIMED_HANDLER_EXIT,
	SYMBOLS_START,		/* wsnprof_start() and so on */
	SYMBOLS_STOP,
	SYMBOLS_RESET,
	SYMBOLS_SWITCH,
	SYMBOLS_TRACE_ENTER,	/* those of call traces */
	SYMBOLS_TRACE_LEAF,
	SYMBOLS_TRACE_EXIT,
	SYMBOLS_TRACE_CALL,
	SYMBOLS_TRACE_CALL_LEAF,
	SYMBOLS_TRACE_EXIT_CODE,
	SYMBOLS_TRACE_ENTER_WIDE,
	SYMBOLS_TRACE_LEAF_WIDE,
	SYMBOLS_TRACE_HANDLER_ENTER,
	SYMBOLS_TRACE_HANDLER_ENTER_WIDE,
	SYMBOLS_TRACE_HANDLER_EXIT,
	SYMBOLS_TRACE_OUT,
	SYMBOLS_MARKS
};

struct symbols_function {
	char *name;
	uint32_t address;
	uint16_t id;		/* of a traced one */
	bool handler;		/* of an interrupt: __vector_N */
};

struct symbols {
	struct symbols_function *function;	/* the followed ones */
	size_t count;
	size_t cap;
	uint32_t mark[SYMBOLS_MARKS];		/* SYMBOLS_NONE: the firmware has none */
	bool plain;				/* followed by name: there are no hooks in them */
	bool counted;				/* they have no exit hooks */
	bool traced;				/* followed because `wsntop as` gave them hooks */
};

/* `like`: NULL, or the instrumented build whose functions are to be followed in this plain one. */
int firmware_symbols_load(struct symbols *s, const char *path, const char *like, struct err *err);
void firmware_symbols_release(struct symbols *s);

#endif
