#include "tui/config/advice.h"

#include <stdio.h>

const struct advice_row advice_rows[ADVICE_COUNT] = {
	[ADVICE_COMPARE] = { .screen = "{baseline} compares with the previous firmware" },
	[ADVICE_BASELINE] = { .screen = "press {baseline} to set one",
			      .shell = "set one with --baseline=FILE" },
	[ADVICE_FORMAT] = { "-f sets the packet format", "-f sets the packet format" },
	[ADVICE_BAUD] = { "-b sets another, -f sets the packet format",
			  "-b sets another, -f sets the packet format" },
	[ADVICE_FORCE] = { "--force replaces it", "--force replaces it" },
	[ADVICE_DOCTOR] = { "wsntop doctor -e APP.ELF checks its image",
			    "wsntop doctor -e APP.ELF checks its image" },
};

const char *advice_text(enum advice a, const char *fact, char *dst, size_t size)
{
	const char *advice = advice_rows[a].shell;

	snprintf(dst, size, "%s%s%s", fact, advice ? "; " : "", advice ? advice : "");
	return dst;
}
