/* texts: each kept once and known by its number, from 0 on. */
#ifndef WSNTOP_BASE_TEXTS_H
#define WSNTOP_BASE_TEXTS_H

#include "core/base/map.h"

#define TEXTS_NONE MAP_NONE

/* Starts zeroed. */
struct texts {
	char **of;
	size_t count, cap;
	size_t bytes;			/* of the texts, their zeros too */
	/* private */
	struct map at;			/* hash of the text -> its number */
};

void texts_release(struct texts *n);
size_t texts_memory(const struct texts *n);	/* bytes of heap */

/* TEXTS_NONE: it is not there. */
uint32_t texts_find(const struct texts *n, const char *text);
/* Find or add. TEXTS_NONE: `most` are there already, or no memory. */
uint32_t texts_number(struct texts *n, const char *text, size_t most);

#endif
