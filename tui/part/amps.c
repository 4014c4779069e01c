#include "tui/part/amps.h"

#include <math.h>
#include <stdio.h>

static const char *quantity_text(char *dst, size_t size, double value, const char *unit)
{
	static const char prefixes[][2] = { "", "m", "u", "n", "p" };
	double shown = fabs(value);
	size_t i = 0;

	if (isnan(value)) {
		snprintf(dst, size, "%s", "");
		return dst;
	}
	while (shown > 0 && shown < 0.9995 && i < sizeof(prefixes) / sizeof(prefixes[0]) - 1) {
		shown *= 1000;
		i++;
	}
	if (!(shown > 0)) {
		snprintf(dst, size, "0 %s", unit);
		return dst;
	}
	snprintf(dst, size, "%s%.*f %s%s", value < 0 ? "-" : "",
		 shown >= 99.95 ? 0 : shown >= 9.995 ? 1 : 2, shown, prefixes[i],
		 unit);
	return dst;
}

const char *amps_text(char *dst, size_t size, double amps)
{
	return quantity_text(dst, size, amps, "A");
}

const char *coulombs_text(char *dst, size_t size, double coulombs)
{
	return quantity_text(dst, size, coulombs, "C");
}

const char *joules_text(char *dst, size_t size, double joules)
{
	return quantity_text(dst, size, joules, "J");
}

const char *align_words(enum align_method method)
{
	static const char *const words[] = {
		[ALIGN_NONE] = "nothing", [ALIGN_ARRIVAL] = "arrival",
		[ALIGN_CURRENT] = "the current", [ALIGN_EDGE] = "edges on D0",
	};

	return words[method];
}
