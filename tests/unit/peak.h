/*
 * peak: heap that is in use, and its peak, counted in this program's own malloc. For what has to
 * stay below a bound: resident memory would also hold what was freed before.
 *
 * A block counts as what the allocator can use of it; one that grows counts once, as mremap(2)
 * moves large ones without a copy. Sanitizers have an allocator of their own: PEAK_COUNTS is 0.
 */
#ifndef WSNTOP_TESTS_PEAK_H
#define WSNTOP_TESTS_PEAK_H

#include <malloc.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PEAK_COUNTS 0
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define PEAK_COUNTS 0
#endif
#if !defined(PEAK_COUNTS) && !defined(__GLIBC__)
#define PEAK_COUNTS 0
#endif

static size_t peak_now, peak_most;

static inline void peak_reset(void)
{
	peak_most = peak_now;
}

#ifndef PEAK_COUNTS
#define PEAK_COUNTS 1

/* What glibc's own are called as well. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);
void __libc_free(void *p);

static inline void *peak_add(void *p)
{
	peak_now += p ? malloc_usable_size(p) : 0;
	if (peak_now > peak_most)
		peak_most = peak_now;
	return p;
}

void *malloc(size_t size)
{
	return peak_add(__libc_malloc(size));
}

void *calloc(size_t n, size_t size)
{
	return peak_add(__libc_calloc(n, size));
}

void *realloc(void *p, size_t size)
{
	size_t before = p ? malloc_usable_size(p) : 0;
	void *moved = __libc_realloc(p, size);

	if (moved || !size)
		peak_now -= before;
	return peak_add(moved);
}

void free(void *p)
{
	peak_now -= p ? malloc_usable_size(p) : 0;
	__libc_free(p);
}
#endif

#endif
