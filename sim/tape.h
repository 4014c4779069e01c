/*
 * tape: what the UART sends as a recording that wsntop replays (core/link/record.h), with the times
 * of the chip's clock: an hour of it is made in a minute.
 */
#ifndef WSNTOP_SIM_TAPE_H
#define WSNTOP_SIM_TAPE_H

#include <stdint.h>
#include <stdio.h>

#include "core/base/err.h"
#include "core/link/record.h"

/* The wall clock at the chip's start: the same in each run. 12:00:00 UTC on 2 January 2026. */
#define TAPE_WALL_NS (UINT64_C(1767355200) * 1000000000)

struct tape {
	FILE *file;			/* NULL: none */
	uint64_t at_ns;			/* of the bytes below */
	size_t count;
	uint8_t bytes[512];
	uint8_t chunk[RECORD_CHUNK_MAX];
};

int tape_open(struct tape *t, const char *path, struct err *err);
void tape_put(struct tape *t, uint64_t at_ns, uint8_t byte);
int tape_close(struct tape *t);		/* negative: it could not be written */

#endif
