/* source: see source.h. */
#include "core/link/source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next "name=value" at or behind p; how long it is. NULL: there is none. */
static const char *pair_next(const char *p, size_t *n)
{
	p += *p == '?' || *p == '&';
	*n = strcspn(p, "&");
	return *p ? p : NULL;
}

static const char *pairs_of(const char *source)
{
	const char *query = strchr(source, '?');

	return query ? query : "";
}

bool source_option(const char *source, const char *name, char *dst, size_t size)
{
	size_t n, length = strlen(name);

	for (const char *p = pairs_of(source); (p = pair_next(p, &n)); p += n) {
		if (n <= length + 1 || p[length] != '=' || strncmp(p, name, length) != 0)
			continue;
		snprintf(dst, size, "%.*s", (int)(n - length - 1), p + length + 1);
		return true;
	}
	return false;
}

static bool hertz_read(const char *s, double *x)
{
	static const struct {
		char letter;
		double times;
	} units[] = { { 'k', 1e3 }, { 'M', 1e6 }, { 'G', 1e9 } };
	char *end;

	*x = strtod(s, &end);
	for (size_t i = 0; *end && i < sizeof(units) / sizeof(units[0]); i++) {
		if (*end == units[i].letter) {
			*x *= units[i].times;
			end++;
			break;
		}
	}
	return end != s && !*end && isfinite(*x) && *x > 0;
}

double source_number(const char *source, const char *name)
{
	char value[40];
	double x;

	return source_option(source, name, value, sizeof(value)) && hertz_read(value, &x) ? x : 0;
}

static bool is_known(const char *known, const char *name, size_t n)
{
	while (*known) {
		size_t length = strcspn(known, " ");

		if (length == n && strncmp(known, name, n) == 0)
			return true;
		known += length + (known[length] == ' ');
	}
	return false;
}

int source_check(const char *source, const char *scheme, const char *known, struct err *err)
{
	size_t n;

	for (const char *p = pairs_of(source); (p = pair_next(p, &n)); p += n) {
		size_t name = strcspn(p, "=&");

		if (is_known(known, p, name) && name + 1 < n)
			continue;
		return err_set(err, ERR_USAGE, "?%.*s: %s takes these options, each with =VALUE: "
			       "%s", (int)n, p, scheme, known);
	}
	return 0;
}
