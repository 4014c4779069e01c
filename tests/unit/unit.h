/*
 * unit: what the unit tests share. Include first: cmocka wants its headers in this order.
 */
#ifndef WSNTOP_TESTS_UNIT_H
#define WSNTOP_TESTS_UNIT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * How many trials: under the sanitizers, which take five times as long, an eighth of them. What
 * these would find in the others is found by the fuzzers. And how long a run: a quarter.
 */
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if __has_feature(address_sanitizer) || defined(__SANITIZE_ADDRESS__)
#define UNIT_TRIALS(n) (((n) + 7) / 8)
#define UNIT_LENGTH(n) ((n) / 4)
#else
#define UNIT_TRIALS(n) (n)
#define UNIT_LENGTH(n) (n)
#endif
#define UNIT_EACH (8 / UNIT_TRIALS(8))	/* of many places, one in so many */

/*
 * cmocka's compares as floats, and takes NaN for any number. Here both are doubles, and NaN is
 * equal to NaN alone; so is an infinity to itself.
 */
#undef assert_float_equal
#define assert_float_equal(a, b, epsilon) \
	unit_float_equal((double)(a), (double)(b), (double)(epsilon), __FILE__, __LINE__)

static inline void unit_float_equal(double is, double want, double epsilon, const char *file,
				    int line)
{
	if (is == want || (isnan(is) && isnan(want)) || fabs(is - want) <= epsilon)
		return;
	print_error("%.17g is not %.17g, nor within %.3g\n", is, want, epsilon);
	_fail(file, line);
}

/* Run a shell command line; its exit status. */
static inline int unit_shell(const char *command)
{
	int status = system(command);

	return status;
}

/* Remove a folder with all that is in it; the command's exit status. */
static inline int unit_remove(const char *dir)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return unit_shell(command);
}

#endif
