#include "core/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <string.h>

#include "core/base/mem.h"

#define BLOCK_SIZE (64 * 1024 - 64)	/* leaves malloc its own header within 64 KB */

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	alignas(max_align_t) char data[];
};

void arena_init(struct arena *a)
{
	*a = (struct arena){ NULL, 0 };
}

void arena_release(struct arena *a)
{
	struct arena_block *b = a->head;

	while (b) {
		struct arena_block *next = b->next;

		mem_free(b);
		b = next;
	}
	arena_init(a);
}

/* A block for at least `size` bytes. A big one goes behind the head, which still has room. */
static struct arena_block *block_add(struct arena *a, size_t size)
{
	size_t want = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct arena_block *b;

	if (want > SIZE_MAX - sizeof(*b))
		return NULL;
	b = mem_alloc(sizeof(*b) + want);
	if (!b)
		return NULL;
	b->used = 0;
	b->size = want;
	if (a->head && size > BLOCK_SIZE / 4) {
		b->next = a->head->next;
		a->head->next = b;
	} else {
		b->next = a->head;
		a->head = b;
	}
	return b;
}

static void *block_take(struct arena *a, size_t size, size_t align)
{
	struct arena_block *b = a->head;
	size_t at = b ? (b->used + align - 1) & ~(align - 1) : 0;
	void *p;

	if (!b || at > b->size || size > b->size - at) {
		b = block_add(a, size);
		if (!b)
			return NULL;
		at = 0;
	}
	p = b->data + at;
	b->used = at + size;
	a->bytes += size;
	return p;
}

void *arena_alloc(struct arena *a, size_t size)
{
	return block_take(a, size, alignof(max_align_t));
}

const char *arena_strn(struct arena *a, const char *s, size_t n)
{
	char *copy = n < SIZE_MAX ? block_take(a, n + 1, 1) : NULL;

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

const char *arena_str(struct arena *a, const char *s)
{
	return arena_strn(a, s, strlen(s));
}
