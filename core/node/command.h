/*
 * command: telling a node that listens what to do, and knowing that it did (docs/PROTOCOL.md, 6).
 *
 * Commands wait in a short queue; the first is under way: written as the line takes it, told again
 * when no STATUS confirms it (a node does each number once), given up after some seconds with a
 * sentence. Nothing here blocks.
 */
#ifndef WSNTOP_NODE_COMMAND_H
#define WSNTOP_NODE_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/link/link.h"
#include "core/wire/wsn/wsn.h"

enum { COMMANDS_MAX = 8 };

/* One row a command that a user can give. The screen's menu comes from it. */
struct command_row {
	enum wsn_type type;
	const char *name;		/* "stop" */
	const char *help;
	const char *ask;		/* what its number is, for a prompt; NULL: it takes none */
	unsigned low, high;		/* bounds of the number */
};

extern const struct command_row command_rows[];	/* ends with a NULL name */
const struct command_row *command_row(enum wsn_type type);	/* NULL: none */

/* What SELECT may choose, likewise. */
struct select_row {
	const char *name, *help;
	uint8_t bits;			/* 1 call sites, 2 arcs, 4 PC samples */
};

extern const struct select_row select_rows[];	/* ends with a NULL name */

struct command {
	enum wsn_type type;
	uint16_t arg;
	bool quiet;			/* not the user's: success is not worth a word */
};

struct commands {
	struct command queue[COMMANDS_MAX];	/* [0] is under way */
	size_t count;
	uint8_t seq;			/* of the next one */
	bool heard;			/* a STATUS came: seq continues what the node did last */
	/* of the one under way */
	uint8_t under_way;		/* its number */
	uint64_t since_ns, told_ns;	/* first and last told; 0: not yet */
	uint8_t frame[WSN_COMMAND_MAX];
	size_t length, written;
	bool done;			/* confirmed */
	bool was_quiet;			/* the last one that ended was not the user's */
};

enum command_news { COMMAND_NOTHING, COMMAND_DONE, COMMAND_FAILED };

/* 0, or negative with the sentence: a number out of its bounds, a full queue. */
int command_give(struct commands *c, enum wsn_type type, uint16_t arg, bool quiet, struct err *err);

/* STATUS field 9 came. */
void commands_heard(struct commands *c, uint64_t last);

/* Forget all: the line went. */
void commands_drop(struct commands *c);

/* Tell what is to be told. With news, `line` says it (for a quiet one that was done: ""). */
enum command_news commands_service(struct commands *c, struct link *l, uint64_t now, char *line,
				   size_t size);

/* Milliseconds until commands_service wants to be called; -1: never. */
int commands_timeout(const struct commands *c, uint64_t now);

#endif
