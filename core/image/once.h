/*
 * once: the instructions that run exactly once in every call of their function, and how many
 * cycles each takes. What is sampled there tells how often the function was called
 * (core/profile/derive/executions.h). core/source/blocks.h finds them.
 */
#ifndef WSNTOP_IMAGE_ONCE_H
#define WSNTOP_IMAGE_ONCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ONCE_NONE UINT32_MAX

struct once_function {
	uint64_t address;		/* of its entry */
	uint32_t cycles;		/* of its instructions below; never 0 */
	/* Every call and jump to it that the listing tells of is one of the instructions below. */
	bool sites;
};

struct once_pc {
	uint64_t address;
	uint32_t function;		/* of `functions` */
	uint32_t callee;		/* of `functions`, a direct call; or ONCE_NONE */
	uint16_t cycles;		/* 0: not known, or not always the same */
};

struct once {
	struct once_function *functions;	/* by address */
	size_t function_count, function_cap;
	struct once_pc *pcs;			/* by address */
	size_t pc_count, pc_cap;
	/* No manual tells these cycles: a function's may be off by this part of them, at least. */
	double doubt;
};

void once_release(struct once *once);		/* one that is all zero holds nothing */

#endif
