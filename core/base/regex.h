/*
 * regex: PCRE2 patterns over names, compiled once, with a limit on the work that a match may cost.
 */
#ifndef WSNTOP_BASE_REGEX_H
#define WSNTOP_BASE_REGEX_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

struct regex;

/*
 * Smart case: a pattern without capital letters ignores case. NULL with err set
 * (the place in the pattern and PCRE2's sentence) when it does not compile.
 */
struct regex *regex_new(const char *pattern, struct err *err);
void regex_free(struct regex *r);		/* NULL is fine */

/* Whether s matches anywhere. A match that exceeds the work limit is no match. */
bool regex_match(const struct regex *r, const char *s);

/* Where: [*start, *end) in bytes. */
bool regex_find(const struct regex *r, const char *s, size_t *start, size_t *end);

const char *regex_pattern(const struct regex *r);	/* borrowed */

#endif
