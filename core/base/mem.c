#include "core/base/mem.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"

/* File-scope state: how many allocations are still granted to a test, and how many failed. */
static long grants = -1;
static bool grants_go_on;		/* behind the one that fails */
static atomic_ulong refused;

void mem_fail_after(long n)
{
	grants = n;
	grants_go_on = false;
}

void mem_fail_once(long n)
{
	grants = n;
	grants_go_on = true;
}

static bool grant_take(void)
{
	if (grants < 0)
		return true;
	if (grants == 0) {
		grants = grants_go_on ? -1 : 0;
		return false;
	}
	grants--;
	return true;
}

static void *result_count(void *p)
{
	if (!p)
		atomic_fetch_add_explicit(&refused, 1, memory_order_relaxed);
	return p;
}

unsigned long mem_refused(void)
{
	return atomic_load_explicit(&refused, memory_order_relaxed);
}

void *mem_alloc(size_t size)
{
	return result_count(grant_take() ? malloc(size ? size : 1) : NULL);
}

void *mem_zalloc(size_t size)
{
	return result_count(grant_take() ? calloc(1, size ? size : 1) : NULL);
}

void *mem_realloc(void *p, size_t size)
{
	return result_count(grant_take() ? realloc(p, size ? size : 1) : NULL);
}

char *mem_strndup(const char *s, size_t n)
{
	char *copy = mem_alloc(n + 1);

	if (!copy)
		return NULL;
	memcpy(copy, s, n);
	copy[n] = '\0';
	return copy;
}

char *mem_strdup(const char *s)
{
	return mem_strndup(s, strlen(s));
}

void mem_free(void *p)
{
	free(p);
}

int mem_grow_more(void *array_ptr, size_t *cap, size_t need, size_t item_size)
{
	size_t want = *cap ? *cap : 8;
	void *old, *grown;

	while (want < need) {
		if (want > SIZE_MAX / 2)
			return ERR_NOMEM;
		want *= 2;
	}
	if (item_size && want > SIZE_MAX / item_size)
		return ERR_NOMEM;
	memcpy(&old, array_ptr, sizeof(old));	/* whatever the item's type: no aliasing */
	grown = mem_realloc(old, want * item_size);
	if (!grown)
		return ERR_NOMEM;
	memcpy(array_ptr, &grown, sizeof(grown));
	*cap = want;
	return 0;
}
