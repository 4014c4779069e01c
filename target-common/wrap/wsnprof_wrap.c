/*
 * wsnprof_wrap: the library's functions get rows. The linker gives calls of NAME to __wrap_NAME,
 * which this file defines, and which the compiler instruments like any other function; it calls the
 * library's own (as INGA's profiler does).
 *
 * Compile it with -finstrument-functions (or -pg), and link with -Wl,@wsnprof_wrap.txt, the same
 * list as here. To have fewer, remove them from both, or define WSNPROF_WRAPS and
 * WSNPROF_WRAPS_VOID. Functions that the compiler writes in line (small copies, strlen of a
 * constant) are no calls. A function that the application does not call costs nothing with
 * -ffunction-sections and -Wl,--gc-sections.
 *
 * Never where the runtime itself could call one: it calls none of these
 * (tests/sim/test_wrapped.sh).
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* X(result, name, parameters with names, names) */
#ifndef WSNPROF_WRAPS
#define WSNPROF_WRAPS(X) \
	X(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n)) \
	X(void *, memmove, (void *to, const void *from, size_t n), (to, from, n)) \
	X(void *, memset, (void *to, int value, size_t n), (to, value, n)) \
	X(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n)) \
	X(void *, memchr, (const void *in, int value, size_t n), (in, value, n)) \
	X(size_t, strlen, (const char *s), (s)) \
	X(char *, strcpy, (char *to, const char *from), (to, from)) \
	X(char *, strncpy, (char *to, const char *from, size_t n), (to, from, n)) \
	X(char *, strcat, (char *to, const char *from), (to, from)) \
	X(int, strcmp, (const char *a, const char *b), (a, b)) \
	X(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n)) \
	X(char *, strchr, (const char *s, int c), (s, c)) \
	X(void *, malloc, (size_t n), (n)) \
	X(void *, calloc, (size_t count, size_t size), (count, size)) \
	X(void *, realloc, (void *p, size_t n), (p, n)) \
	X(int, puts, (const char *s), (s)) \
	X(int, vprintf, (const char *format, va_list ap), (format, ap)) \
	X(int, vsprintf, (char *to, const char *format, va_list ap), (to, format, ap)) \
	X(int, vsnprintf, (char *to, size_t n, const char *format, va_list ap), (to, n, format, ap))
#define WSNPROF_WRAPS_VOID(X) \
	X(free, (void *p), (p))
#define WSNPROF_WRAPS_PRINTF 1
#endif

#define WRAP(result, name, parameters, names) \
	result __real_##name parameters; \
	result __wrap_##name parameters; \
	result __wrap_##name parameters \
	{ \
		return __real_##name names; \
	}

#define WRAP_VOID(name, parameters, names) \
	void __real_##name parameters; \
	void __wrap_##name parameters; \
	void __wrap_##name parameters \
	{ \
		__real_##name names; \
	}

WSNPROF_WRAPS(WRAP)
WSNPROF_WRAPS_VOID(WRAP_VOID)

/* Their arguments cannot be handed on but as a va_list. */
#ifdef WSNPROF_WRAPS_PRINTF
int __wrap_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
int __wrap_sprintf(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
int __wrap_snprintf(char *to, size_t n, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#define FORWARD(last, call) \
	va_list ap; \
	int n_; \
\
	va_start(ap, last); \
	n_ = call; \
	va_end(ap); \
	return n_

int __wrap_printf(const char *format, ...)
{
	FORWARD(format, __real_vprintf(format, ap));
}

int __wrap_sprintf(char *to, const char *format, ...)
{
	FORWARD(format, __real_vsprintf(to, format, ap));
}

int __wrap_snprintf(char *to, size_t n, const char *format, ...)
{
	FORWARD(format, __real_vsnprintf(to, n, format, ap));
}
#endif
