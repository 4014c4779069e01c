/* log: stdout goes the way of the profiler's reports. */
#include <stdio.h>

#include "app.h"
#include "wsnprof.h"

/* Not in the profile: it would be every second call of it. */
static WSNPROF_QUIET int put(char c, FILE *to)
{
	(void)to;
	if (c == '\n')
		wsnprof_putchar('\r');
	wsnprof_putchar(c);
	return 0;
}

static FILE port = FDEV_SETUP_STREAM(put, NULL, _FDEV_SETUP_WRITE);

void log_init(void)
{
	stdout = &port;
	log_text("wsntop demo node, ATmega1284P at 8 MHz\n");
}

void log_text(const char *text)
{
	while (*text)
		put(*text++, NULL);
}
