/*
 * watching: how the logging of variables, calls and interrupts goes, in words: for the node view,
 * the screen's dialog and JSON.
 */
#ifndef WSNTOP_EXPORT_WATCHING_H
#define WSNTOP_EXPORT_WATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/json_out.h"
#include "core/wire/wire.h"

/* One thing that is logged. Strings are borrowed. */
struct watching_item {
	const char *text;		/* as the user wrote it */
	const char *wrong;		/* why the ELF cannot tell what that is; "" */
	enum wire_watchpoint_kind kind;
	enum wire_watch_way way;
	enum wire_watch_refusal refusal;
	uint64_t hits, lost;
	const char *value;		/* the newest; "" none is known */
};

/* "comparator", "reads": a word, for JSON and columns. */
const char *watching_way(enum wire_watch_way way);

/* "needs gdb: ..."; "" for one that is none. */
const char *watching_refusal(enum wire_watch_refusal why);

/* It is not watched, and why. */
static inline bool watching_is_refused(const struct watching_item *i)
{
	return *i->wrong || i->way == WATCHED_NOT;
}

/* How it is watched; or why it is not, and what can. */
const char *watching_how(const struct watching_item *i, char *dst, size_t size);

/*
 * What it costs and what is left: "2 of 4 comparators in use, 1.4 ms a stop, halted 0.3 %". "":
 * nothing is known.
 */
const char *watching_cost(const struct wire_watching *w, char *dst, size_t size);

/* What a trace port carries, and how far two ways' times may be apart. "": neither is known. */
const char *watching_port(const struct wire_watching *w, char *dst, size_t size);

/*
 * Before it begins: "call:f: breakpoints, with a stop each time, about 2.1 ms; count: a comparator,
 * without a halt; 1 of 4 comparators in use". What waits is what it will be.
 */
void watching_plan_add(struct buf *line, const struct watching_item *items, size_t count,
		       const struct wire_watching *w);

/* "watching": {...}; `w` may be NULL. */
void watching_json(struct json_out *o, const struct watching_item *items, size_t count,
		   const struct wire_watching *w);

#endif
