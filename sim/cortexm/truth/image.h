/*
 * image: what the plugin knows of the firmware from its ELF: functions, the interrupt handlers
 * among them, and the addresses of some variables. 32-bit little-endian ELF, trusted: it is ours.
 */
#ifndef TRUTH_IMAGE_H
#define TRUTH_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a function is to the observer. */
enum role {
	ROLE_PLAIN,
	ROLE_MCOUNT,		/* __gnu_mcount_nc */
	ROLE_ENTER,		/* __cyg_profile_func_enter, wsnprof_timed_enter */
	ROLE_EXIT,		/* __cyg_profile_func_exit, wsnprof_timed_exit, _tail */
	ROLE_COUNT,		/* wsnprof_count_enter */
	ROLE_START,		/* wsnprof_start, _port_start */
	ROLE_STOP,		/* wsnprof_stop, _port_stop */
	ROLE_TRACE_ENTER,	/* wsntrace_enter, _leaf */
	ROLE_TRACE_EXIT,	/* wsntrace_exit, _exit_tail */
};

struct function {
	uint32_t address;	/* without the Thumb bit */
	uint32_t size;
	const char *name;	/* of several at one address, the global one */
	enum role role;
	bool handler;		/* the vector table points here */
	bool sampler;		/* its interrupts are PC samples */
	uint16_t id;		/* of a call trace (wsntop as); 0: it is not followed */
};

struct image {
	uint8_t *file;
	size_t length;
	struct function *function;	/* by address */
	size_t functions;
	bool traced;			/* functions have ids */
	uint32_t on;			/* &wsnprof_on, 0: none */
	uint32_t task;			/* truth_task[], 0: none */
	uint32_t tasks;
};

/* `sampler`: the name of the handler that takes PC samples. NULL, or why not. */
const char *image_open(struct image *image, const char *path, const char *sampler);

/* The function that holds the address, or NULL. */
struct function *image_find(const struct image *image, uint32_t address);

#endif
