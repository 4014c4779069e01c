/*
 * settings: NAME=NUMBER, or run=NAME,NAME... What is not understood, the image's path, is left
 * out.
 */
#include "settings.h"

#include <stddef.h>
#include <string.h>

struct settings settings = {
	.baud = 1000000,
	.breathe = 1,
	.rounds = 1,
	.finish = 2200,
	.stacks = 3,
	.tick = 100,
	.ticks = 2000,
	.every = 4,
};

static const struct row {
	const char *name;
	uint32_t *value;
} rows[] = {
	{ "baud=", &settings.baud },
	{ "late=", &settings.late },
	{ "reset=", &settings.reset },
	{ "breathe=", &settings.breathe },
	{ "doze=", &settings.doze },
	{ "rounds=", &settings.rounds },
	{ "finish=", &settings.finish },
	{ "report=", &settings.report },
	{ "raw=", &settings.raw },
	{ "stacks=", &settings.stacks },
	{ "bits=", &settings.bits },
	{ "forever=", &settings.forever },
	{ "tick=", &settings.tick },
	{ "ticks=", &settings.ticks },
	{ "every=", &settings.every },
};

static const char *number_read(const char *p, uint32_t *value)
{
	for (*value = 0; *p >= '0' && *p <= '9'; p++)
		*value = 10 * *value + (uint32_t)(*p - '0');
	return p;
}

static const char *names_read(const char *p, int (*find)(const char *name, uint32_t length))
{
	while (*p && *p != ' ') {
		size_t length = strcspn(p, ", ");
		int i = find(p, (uint32_t)length);

		if (i >= 0)
			settings.run |= 1ul << i;
		p += length;
		p += *p == ',';
	}
	return p;
}

static const char *word_read(const char *p, int (*find)(const char *name, uint32_t length))
{
	size_t i;

	if (!strncmp(p, "run=", 4))
		return names_read(p + 4, find);
	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strncmp(p, rows[i].name, strlen(rows[i].name)))
			return number_read(p + strlen(rows[i].name), rows[i].value);
	return p + strcspn(p, " ");
}

void settings_read(const char *line, int (*find)(const char *name, uint32_t length))
{
	while (*line)
		line = *line == ' ' ? line + 1 : word_read(line, find);
}
