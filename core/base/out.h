/*
 * out: a sink for bytes that are made one after the other: a file, standard output, a buffer.
 *
 * Memory is bounded: at most OUT_BYTES wait here to be written. A file appears whole or not at all:
 * it grows as a temporary beside its target, and out_close renames it over that. What is not a
 * regular file (a FIFO, /dev/stdout) is written in place.
 *
 * The first failure is remembered; later appends do nothing, and out_close tells the cause. So a
 * long series needs one check at its end; a long loop may stop early by out_failed. A reader of a
 * pipe that left fails appends, too, but not out_close: it has what it wants.
 *
 *	if (out_open(&o, path, err) < 0)
 *		return ERR_IO;
 *	out_addf(&o, "%d\n", n);
 *	return out_close(&o, err);
 */
#ifndef WSNTOP_BASE_OUT_H
#define WSNTOP_BASE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/buf.h"
#include "core/base/err.h"

#define OUT_BYTES 16384

struct out {
	struct buf *buf;		/* a buffer's sink; NULL: fd is written */
	int fd;
	char *path;			/* the target, for messages; owned */
	char *temporary;		/* owned; NULL: written in place */
	mode_t mode;			/* of the new file */
	enum err_code error;		/* ERR_NONE: none so far */
	int cause;			/* errno of ERR_IO */
	size_t len;
	char data[OUT_BYTES];
};

/*
 * Path "-": standard output. After success out_close or out_discard releases it; nothing is left
 * open or behind after failure.
 */
int out_open(struct out *o, const char *path, struct err *err);

/* Appends to b, the caller's; for parts and for tests. */
void out_open_buf(struct out *o, struct buf *b);

/* 0: all is written and in place. Else the target is as it was, and the temporary is removed. */
int out_close(struct out *o, struct err *err);

/* Give up: the target stays as it was (what was written in place stays written). */
void out_discard(struct out *o);

static inline bool out_failed(const struct out *o)
{
	return o->error != ERR_NONE;
}

void out_bytes(struct out *o, const void *data, size_t n);
void out_addc(struct out *o, char c);
void out_adds(struct out *o, const char *s);
void out_addf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Little-endian, the low `bytes` (1 to 8) of v. */
void out_le(struct out *o, uint64_t v, unsigned bytes);
void out_u64(struct out *o, uint64_t v);		/* decimal */

/* In the fewest digits that read back as the same; nothing for NaN and infinities. */
void out_double(struct out *o, double v);

/*
 * A text of any length made visible (text_visible); NULL appends nothing. An escape is a character
 * and its replacement: { "\"\\\"", NULL } puts a backslash before quotes. NULL: no escapes.
 */
void out_text(struct out *o, const char *s, const char *const *escapes);

/* A field of RFC 4180 in quotes, made visible; an apostrophe keeps it from being a formula. */
void out_csv(struct out *o, const char *text);

#endif
