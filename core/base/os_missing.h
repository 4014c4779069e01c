/*
 * os_missing: functions that glibc and musl have and another system lacks or has with other
 * arguments. The Makefile includes it before each file where the system is not Linux; there it
 * replaces them. Untried: written by the manuals of macOS 14 and FreeBSD 13.
 */
#ifndef WSNTOP_BASE_OS_MISSING_H
#define WSNTOP_BASE_OS_MISSING_H

#if defined(__APPLE__) || defined(__FreeBSD__)

#include <stdlib.h>
#include <string.h>
#include <sys/param.h>

/* Their qsort_r has the context in front, FreeBSD's up to 13. */
#if defined(__APPLE__) || __FreeBSD_version < 1400000
struct os_missing_order {
	int (*compare)(const void *a, const void *b, void *ctx);
	void *ctx;
};

static inline int os_missing_compare(void *ctx, const void *a, const void *b)
{
	const struct os_missing_order *o = ctx;

	return o->compare(a, b, o->ctx);
}

static inline void os_missing_qsort_r(void *items, size_t count, size_t size,
				      int (*compare)(const void *, const void *, void *),
				      void *ctx)
{
	struct os_missing_order o = { compare, ctx };

	qsort_r(items, count, size, &o, os_missing_compare);
}

#define qsort_r os_missing_qsort_r
#endif

/* The order of numbers in names does not matter as much as that there is one. */
#define strverscmp strcmp

#if defined(__APPLE__)

#define st_mtim st_mtimespec

static inline char *os_missing_strchrnul(const char *s, int c)
{
	const char *at = strchr(s, c);

	return (char *)(at ? at : s + strlen(s));
}

static inline void *os_missing_memrchr(const void *s, int c, size_t n)
{
	const unsigned char *bytes = s;

	while (n--)
		if (bytes[n] == (unsigned char)c)
			return (void *)(bytes + n);
	return NULL;
}

#define strchrnul os_missing_strchrnul
#define memrchr os_missing_memrchr
#endif
#endif

#endif
