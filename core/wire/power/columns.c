/* columns: see columns.h. */
#include "core/wire/power/columns.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct unit {
	const char *name;
	double value;
};

static const struct unit amps[] = {
	{ "nA", 1e-9 }, { "uA", 1e-6 }, { "\302\265A", 1e-6 }, { "\316\274A", 1e-6 },
	{ "mA", 1e-3 }, { "A", 1 }, { NULL, 0 },
};

static const struct unit seconds[] = {
	{ "ns", 1e-9 }, { "us", 1e-6 }, { "\302\265s", 1e-6 }, { "\316\274s", 1e-6 },
	{ "ms", 1e-3 }, { "s", 1 }, { NULL, 0 },
};

static double unit_find(const struct unit *u, const char *name, size_t n)
{
	for (; u->name; u++) {
		if (strlen(u->name) == n && memcmp(u->name, name, n) == 0)
			return u->value;
	}
	return 0;
}

double unit_amps(const char *unit)
{
	return unit_find(amps, unit, strlen(unit));
}

double unit_seconds(const char *unit)
{
	return unit_find(seconds, unit, strlen(unit));
}

static char separator_find(const char *line)
{
	for (const char *s = ";\t,"; *s; s++) {
		if (strchr(line, *s))
			return *s;
	}
	return ' ';
}

static void column_add(struct columns *c, const char *at, const char *end)
{
	while (at < end && (isspace((unsigned char)*at) || *at == '"'))
		at++;
	while (end > at && (isspace((unsigned char)end[-1]) || end[-1] == '"'))
		end--;
	if (c->count == COLUMNS_MOST)
		return;
	c->at[c->count] = at;
	c->length[c->count++] = (size_t)(end - at);
}

void columns_split(struct columns *c, const char *line, char separator)
{
	char s = separator ? separator : separator_find(line);

	c->count = 0;
	c->comma = s != ',' && s != ' ';
	if (s == ' ') {
		for (line += strspn(line, " \t"); *line; line += strspn(line, " \t")) {
			const char *end = line + strcspn(line, " \t");

			column_add(c, line, end);
			line = end;
		}
		return;
	}
	for (;;) {
		const char *end = strchr(line, s);

		column_add(c, line, end ? end : line + strlen(line));
		if (!end)
			return;
		line = end + 1;
	}
}

bool columns_number(const struct columns *c, size_t i, double *value)
{
	char text[48], *end;
	size_t n;

	if (i >= c->count || !c->length[i] || c->length[i] >= sizeof(text))
		return false;
	n = c->length[i];
	memcpy(text, c->at[i], n);
	text[n] = '\0';
	for (char *p = text; c->comma && *p; p++)
		*p = *p == ',' ? '.' : *p;
	/* No hexadecimal floats, no "nan", no "inf". */
	if (strspn(text, "0123456789+-.eE") != n)
		return false;
	*value = strtod(text, &end);
	return end == text + n && isfinite(*value);
}

/* What stands in brackets, else the last word: "Current(uA)", "I [mA]", "current_mA". */
static double column_unit(const struct columns *c, size_t i, const struct unit *units)
{
	const char *at, *end;
	double value;

	if (i >= c->count)
		return 0;
	at = c->at[i];
	end = at + c->length[i];
	for (const char *p = at; p < end; p++) {
		const char *close = p;

		if (p > at && p[-1] != '(' && p[-1] != '[' && p[-1] != '_' && p[-1] != ' ')
			continue;
		while (close < end && *close != ')' && *close != ']' && *close != ' ')
			close++;
		value = unit_find(units, p, (size_t)(close - p));
		if (value > 0)
			return value;
	}
	return 0;
}

double columns_amps(const struct columns *c, size_t i)
{
	return column_unit(c, i, amps);
}

double columns_seconds(const struct columns *c, size_t i)
{
	return column_unit(c, i, seconds);
}
