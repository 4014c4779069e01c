/*
 * arena: memory that is freed all at once. Strings of a model live in its arena.
 */
#ifndef WSNTOP_BASE_ARENA_H
#define WSNTOP_BASE_ARENA_H

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *head;
	size_t bytes;			/* handed out, for the memory figures */
};

void arena_init(struct arena *a);
void arena_release(struct arena *a);
/* Aligned for anything; NULL when out of memory. */
void *arena_alloc(struct arena *a, size_t size);
const char *arena_str(struct arena *a, const char *s);
const char *arena_strn(struct arena *a, const char *s, size_t n);

#endif
