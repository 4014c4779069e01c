#include "core/gate/glob.h"

#include <stddef.h>

/* A set's length with its brackets; 0: it does not end. */
static size_t set_length(const char *set)
{
	size_t i = set[1] == '!' ? 2 : 1;

	if (set[i] == ']')		/* as the first it is a member */
		i++;
	for (; set[i]; i++)
		if (set[i] == ']')
			return i + 1;
	return 0;
}

static bool set_has(const char *set, size_t length, char c)
{
	bool inverted = set[1] == '!', has = false;

	for (size_t i = inverted ? 2 : 1; i < length - 1; i++) {
		if (set[i + 1] == '-' && i + 2 < length - 1) {
			has |= (unsigned char)set[i] <= (unsigned char)c &&
			       (unsigned char)c <= (unsigned char)set[i + 2];
			i += 2;
		} else {
			has |= set[i] == c;
		}
	}
	return has != inverted;
}

/* The pattern's first element, no *, matches c: its length; 0: it does not. */
static size_t element_match(const char *p, char c)
{
	size_t n;

	if (*p == '?')
		return 1;
	if (*p == '[' && (n = set_length(p)))
		return set_has(p, n, c) ? n : 0;
	if (*p == '\\' && p[1])
		return p[1] == c ? 2 : 0;
	return *p == c ? 1 : 0;
}

bool glob_match(const char *p, const char *name)
{
	const char *star = NULL, *from = NULL;	/* behind the last *, and where its tail began */

	for (;;) {
		size_t n;

		if (*p == '*') {
			star = ++p;
			from = name;
			continue;
		}
		if (!*name && !*p)
			return true;
		n = *name && *p ? element_match(p, *name) : 0;
		if (n) {
			p += n;
			name++;
		} else if (star && *from) {
			p = star;
			name = ++from;
		} else {
			return false;
		}
	}
}
