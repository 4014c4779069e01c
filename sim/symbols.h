/*
 * symbols: what the simulator must know of a firmware's ELF to follow its calls.
 *
 * An instrumented function is one whose code calls __cyg_profile_func_enter. Addresses are byte
 * addresses in flash, or in data space for variables.
 */
#ifndef WSNTOP_SIM_SYMBOLS_H
#define WSNTOP_SIM_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define SYMBOLS_NONE UINT32_MAX

struct symbols_function {
	char *name;
	uint32_t address;
};

struct symbols {
	struct symbols_function *function;	/* instrumented ones */
	size_t count;
	size_t cap;
	uint32_t enter;		/* the hooks; SYMBOLS_NONE: the firmware has none */
	uint32_t exit;
	uint32_t running;	/* data address of wsnprof_running, or SYMBOLS_NONE */
};

int symbols_load(struct symbols *s, const char *path, struct err *err);
void symbols_release(struct symbols *s);

#endif
