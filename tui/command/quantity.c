#include "tui/command/quantity.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/mqtt/topic.h"

struct quantity_unit {
	const char *name;
	double times;
};

static const struct quantity_unit times[] = {
	{ "ms", 1e-3 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "", 1 },
	{ NULL, 0 },
};

static const struct quantity_unit sizes[] = {
	{ "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 }, { "T", 1024. * (1 << 30) },
	{ "", 1 }, { NULL, 0 },
};

/* NaN: it is no such number above 0. */
static double quantity_read(const char *value, const struct quantity_unit *units)
{
	size_t n = strcspn(value, "KMGTmshd");
	char number[32];
	double x;

	snprintf(number, sizeof(number), "%.*s", (int)(n < sizeof(number) ? n : 0), value);
	for (; units->name; units++)
		if (strcmp(value + n, units->name) == 0 && text_double(number, &x) && x > 0 &&
		    x * units->times < 1e15)
			return x * units->times;
	return NAN;
}

int quantity_time(const char *option, const char *value, double *seconds, struct err *err)
{
	*seconds = quantity_read(value, times);
	return *seconds > 0 ? 0 : err_set(err, ERR_USAGE, "--%s=%s: expected a time: 1h, 10min, "
					  "30s", option, value);
}

int quantity_size(const char *option, const char *value, double *bytes, struct err *err)
{
	*bytes = quantity_read(value, sizes);
	return *bytes >= 1 ? 0 : err_set(err, ERR_USAGE, "--%s=%s: expected a size: 64M, 2G",
					 option, value);
}

/* Seconds between two times that something is done: a second to a day. */
int quantity_period(const char *option, const char *value, double *seconds, struct err *err)
{
	if (text_double(value, seconds) && *seconds >= 1 && *seconds <= 86400)
		return 0;
	return err_set(err, ERR_USAGE, "--%s=%s: expected seconds, 1 to 86400", option, value);
}

int quantity_shards(const char *value, unsigned *shards, struct err *err)
{
	double x;

	if (!text_double(value, &x) || x < 1 || x > TOPIC_SHARDS_MOST)
		return err_set(err, ERR_USAGE, "--shards=%s: expected a number, 1 to %d", value,
			       TOPIC_SHARDS_MOST);
	*shards = (unsigned)x;
	return 0;
}
