/*
 * err: the sentence for a human that goes with a failed call.
 *
 * A fallible call takes a struct err * last, returns 0 or a negative enum
 * (or NULL) and fills the sentence in: what, why and, where there is one,
 * what to do; where that is a key or an option, its code stands in `advice`. The
 * first message wins, so that the innermost cause is what the user reads. NULL is
 * allowed wherever the sentence is not wanted.
 */
#ifndef WSNTOP_BASE_ERR_H
#define WSNTOP_BASE_ERR_H

#include <stdbool.h>

#include "core/base/advice.h"

enum err_code {
	ERR_NONE = 0,
	ERR_NOMEM = -1,		/* an allocation failed */
	ERR_IO = -2,		/* the system refused: errno's sentence is in the text */
	ERR_FORMAT = -3,	/* the input is malformed */
	ERR_USAGE = -4,		/* invalid argument, in the end the user's */
	ERR_ABSENT = -5,	/* nothing of that name */
};

struct err {
	enum err_code code;
	enum advice advice;	/* what could be done; not in the text */
	char text[320];		/* one line, control bytes made visible, no newline */
};

/* No error. */
void err_clear(struct err *err);

/* Set the message unless one is set already; returns `code`, for `return err_set(...)`. */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with what the user could do. */
int err_advise(struct err *err, enum err_code code, enum advice advice, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* err_set(ERR_IO, "what: strerror(errno)"). */
int err_errno(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static inline bool err_is_set(const struct err *err)
{
	return err && err->code != ERR_NONE;
}

#endif
