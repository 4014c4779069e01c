/*
 * mem: the only access to the heap for core/, so that tests can make allocations fail.
 *
 * Same contracts as malloc(3) and friends. mem_free takes what these returned.
 */
#ifndef WSNTOP_BASE_MEM_H
#define WSNTOP_BASE_MEM_H

#include <stddef.h>

void *mem_alloc(size_t size);			/* uninitialised; NULL when out of memory */
void *mem_zalloc(size_t size);			/* zeroed */
void *mem_realloc(void *p, size_t size);	/* on failure p stays valid */
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t n);
void mem_free(void *p);

int mem_grow_more(void *array_ptr, size_t *cap, size_t need, size_t item_size);	/* of mem_grow */

/*
 * Grow an array to hold at least `need` items, doubling. On failure the array
 * is untouched and -1 comes back.
 *	if (mem_grow(&v, &cap, need, sizeof(*v)) < 0) ...
 */
static inline int mem_grow(void *array_ptr, size_t *cap, size_t need, size_t item_size)
{
	return need <= *cap ? 0 : mem_grow_more(array_ptr, cap, need, item_size);
}

/*
 * How many allocations failed since the program began, in all threads. Who goes on with less does
 * not have to say so, each by itself: at the end, or on the screen, it is said once that something
 * may be missing.
 */
unsigned long mem_refused(void);

/* Tests only: the n-th allocation from now (0: the next) and all after it fail; -1: none do. */
void mem_fail_after(long n);

/* Tests only: the n-th alone, as where a large array finds no room and small ones do. */
void mem_fail_once(long n);

#endif
