/*
 * stream: a node's bytes as they came, with their times, up to a bound: the oldest are dropped, and
 * counted. What is kept can be written as a recording (core/link/record.h) that replays it.
 */
#ifndef WSNTOP_HISTORY_STREAM_H
#define WSNTOP_HISTORY_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct history_budget;
struct stream;

struct stream *stream_new(void);		/* NULL: out of memory */
void stream_free(struct stream *s);		/* NULL is fine */

/* Join a budget (history.h) before the first byte; without one the stream has the whole bound. */
void stream_share(struct stream *s, struct history_budget *b);
size_t stream_room(const struct stream *s);		/* bytes that it may take at present */
void stream_bound(struct stream *s, size_t bytes);	/* instead of HISTORY_STREAM_BYTES */

void stream_add(struct stream *s, uint64_t time_ns, const uint8_t *data, size_t n);
uint64_t stream_kept(const struct stream *s);		/* bytes */
uint64_t stream_dropped(const struct stream *s);	/* bytes that are no longer kept */

/*
 * Write all that is kept as a recording; the file is put in place whole or not at all. wall_ns is
 * added to the times to make them the wall clock's; `about` is what it says of itself, "" nothing.
 * 0 or an error with its sentence.
 */
int stream_save(const struct stream *s, const char *path, int64_t wall_ns,
		const char *about, struct err *err);

#endif
