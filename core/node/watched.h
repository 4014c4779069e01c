/*
 * watched: what the user wants logged while the node runs (--watch, the screen's dialog): its
 * words, what the ELF makes of them, and how it goes. The events come as any other (seen.c).
 */
#ifndef WSNTOP_NODE_WATCHED_H
#define WSNTOP_NODE_WATCHED_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/export/watching.h"
#include "core/wire/wire.h"

enum { LOGGED_TEXT = 128 };

/* Notes of watches begin here; each text has one of its own, for as long as the node lives. */
#define WATCH_NOTES 0x1000u
#define MARK_NOTES 0x10000u		/* of the marks that such a watch tells, by number */

struct watch_words {
	enum wire_watchpoint_kind kind;
	char text[LOGGED_TEXT];		/* without what it says of accesses */
	const char *name;		/* into text: of the variable or function */
	bool has_address;		/* not a variable's: given */
	uint32_t address, size;
	uint8_t bytes;			/* of a register */
	uint8_t access;
	uint16_t number;
};

/* Is it one of these, and not a bound on a figure ("clock_tick: max > 300 us")? */
bool watch_is_logged(const char *text);

/* 0, or negative with the sentence. `name` points into *w: it must not be moved. */
int watch_parse_words(const char *text, struct watch_words *w, struct err *err);

struct node_logged {
	char text[LOGGED_TEXT];		/* as given */
	struct wire_watchpoint point;	/* meaningless where `wrong` is set */
	bool recorded;			/* when the recording that is replayed was made */
	char wrong[160];		/* why it cannot be watched with this ELF; "" nothing */
	enum wire_watch_way way;
	enum wire_watch_refusal refusal;
	uint64_t hits;			/* events that came */
	uint64_t lost;			/* known to be missing, */
	uint64_t missed;		/* of these by a trace port's account (matches.c) */
	bool has_value;
	int64_t value;			/* the newest, as wire_value() gives it */
};

struct node;

/* What is logged, in the order in which it was added. Borrowed until it is changed. */
const struct node_logged *node_logged(const struct node *n, size_t *count);
/* 0, or negative with the sentence: the words, the ELF, or a source that can do no such thing. */
int node_log_add(struct node *n, const char *text, struct err *err);
void node_log_remove(struct node *n, size_t i);
/* Calls of this function, an id of its trace, are. */
bool node_logs_call(const struct node *n, uint32_t id);
/* The vector table's number of this handler; -1: it is none, or one of several numbers. */
int node_handler_number(const struct node *n, uint32_t id);
/*
 * All that is logged, in words that are borrowed until it changes, or this is called again; at most
 * WIRE_WATCHES.
 */
size_t node_watching_items(struct node *n, struct watching_item *items);
bool node_can_log(const struct node *n);	/* its source can watch at all */
const struct wire_watching *node_watching(const struct node *n);	/* NULL: not told (yet) */
/* Share of the time that it is halted: for samples, or by a stop each time something is met. */
double node_halted(const struct node *n);

#endif
