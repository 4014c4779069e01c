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

static bool cell_holds(const struct column *c, const struct column_data *d,
		       const struct profile_function *f)
{
	char text[COLUMN_TEXT];

	if (c->value)
		return !isnan(c->value(d, f));
	c->format(d, f, text, sizeof(text));
	return *text;
}

bool column_holds(const struct column *c, const struct column_data *d)
{
	const struct profile *p = d->profile;

	for (uint32_t i = 0; i < p->function_count; i++)
		if (cell_holds(c, d, &p->functions[i]))
			return true;
	return false;
}

/* Function by function: tens of thousands of them are in no cache. */
void columns_fill(const struct column_data *d, bool holds[COLUMN_COUNT])
{
	const struct profile *p = d->profile;
	uint8_t empty[COLUMN_COUNT];
	size_t n = 0;

	for (size_t c = 0; c < COLUMN_COUNT; c++) {
		holds[c] = false;
		empty[n++] = (uint8_t)c;
	}
	for (uint32_t i = 0; i < p->function_count && n; i++) {
		size_t left = 0;

		for (size_t k = 0; k < n; k++) {
			holds[empty[k]] = cell_holds(&columns[empty[k]], d, &p->functions[i]);
			if (!holds[empty[k]])
				empty[left++] = empty[k];
		}
		n = left;
	}
}
