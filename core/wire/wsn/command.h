/*
 * wsn/command: commands to a node that listens, until it confirms them (docs/PROTOCOL.md, 6).
 *
 * Commands wait in a short queue of the decoder's; the first is under way: sent, sent again when no
 * STATUS confirms it (a node does each number once), given up after some seconds. How each one
 * ended goes to the sink (wire_sink.told), except a quiet one that gave way to a user's.
 */
#ifndef WSNTOP_WIRE_WSN_COMMAND_H
#define WSNTOP_WIRE_WSN_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

enum { WSN_COMMANDS = 8 };

/* One row a command that a user can give. The screen's menu comes from it. */
struct wsn_command_row {
	enum wsn_type type;
	const char *name;		/* "stop" */
	const char *help;
	const char *ask;		/* the prompt for its number; NULL: none is asked for */
	unsigned low, high;		/* bounds of the number */
};

extern const struct wsn_command_row wsn_command_rows[];	/* ends with a NULL name */
const struct wsn_command_row *wsn_command_row(unsigned type);	/* NULL: none */

/* What SELECT may choose, likewise. */
struct wsn_select_row {
	const char *name, *help;
	uint8_t bits;			/* 1 call sites, 2 arcs, 4 PC samples */
};

extern const struct wsn_select_row wsn_select_rows[];	/* ends with a NULL name */

/* Starts zeroed. */
struct wsn_commands {
	struct wire_command queue[WSN_COMMANDS];	/* [0] is under way */
	size_t count;
	uint8_t seq;			/* of the next one */
	bool heard;			/* a STATUS came: seq continues what the node did last */
	bool asked_all;			/* the node was asked for everything since the line is up */
	/* of the one under way */
	uint8_t under_way;		/* its number */
	uint64_t since_ns, sent_ns;	/* taken up, and last sent; 0: not yet */
	bool blocked;			/* there was no room to send it */
};

/* As wire_command. */
int wsn_commands_give(struct wsn_commands *c, const struct wire_command *command, struct err *err);

/* STATUS field 9 came: seq of the last command that the node did, plus 1. */
void wsn_commands_heard(struct wsn_commands *c, uint64_t last, const struct wire_sink *sink);

/* As wire_ask, wire_timeout and wire_down. */
void wsn_commands_ask(struct wsn_commands *c, uint64_t now, struct wire_out *out,
		      const struct wire_sink *sink);
int wsn_commands_timeout(const struct wsn_commands *c, uint64_t now);
void wsn_commands_down(struct wsn_commands *c, const struct wire_sink *sink);

#endif
