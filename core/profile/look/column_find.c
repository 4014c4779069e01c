/* column_find: columns by their names, and whether one has anything to show. */
#include "core/profile/look/rows.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "core/base/text.h"

static bool word_is(const char *name, const char *word, size_t length)
{
	return name && strlen(name) == length && !strncasecmp(name, word, length);
}

const struct column *column_find_word(const char *word, size_t length)
{
	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		const struct column *c = &columns[i];

		if (word_is(c->name, word, length) || word_is(c->alias, word, length) ||
		    word_is(c->header, word, length))
			return c;
	}
	return NULL;
}

const struct column *column_find(const char *name)
{
	return column_find_word(name, strlen(name));
}

const struct column *column_nearest(const char *name)
{
	const struct column *best = NULL;
	unsigned nearest = ~0u;

	for (size_t i = 0; i < COLUMN_COUNT; i++) {
		unsigned d = text_distance(name, columns[i].name);

		if (columns[i].value && d < nearest) {
			nearest = d;
			best = &columns[i];
		}
	}
	return best;
}

bool column_holds(const struct column *c, const struct column_data *d)
{
	const struct profile *p = d->profile;
	char text[COLUMN_TEXT];

	for (uint32_t i = 0; i < p->function_count; i++) {
		if (c->value && isnan(c->value(d, &p->functions[i])))
			continue;
		if (c->value)
			return true;
		c->format(d, &p->functions[i], text, sizeof(text));
		if (*text)
			return true;
	}
	return false;
}
