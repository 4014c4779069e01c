/* commands: what wsntop writes to a helper, record by record (core/wire/sim/sim.h). */
#ifndef WSNTOP_SIM_SOURCE_COMMANDS_H
#define WSNTOP_SIM_SOURCE_COMMANDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/sim/sim.h"

enum { COMMANDS_MOST = 8192 };		/* bytes of a record, more than any has */

struct command {
	uint8_t type;			/* SIM_WATCH, SIM_INPUT */
	const uint8_t *body;		/* borrowed until the next read */
	size_t n;
};

struct commands {
	int fd;
	size_t at, count;
	uint8_t bytes[COMMANDS_MOST];
};

/* What is there, once; blocks where nothing is. False: the other end is gone, or sends nonsense. */
bool commands_read(struct commands *c);

/* The next whole record of what was read, or false. */
bool commands_next(struct commands *c, struct command *command);

#endif
