#include "core/base/say.h"

#include <stdarg.h>
#include <stdio.h>

void say_line(const struct say *to, const char *format, ...)
{
	char line[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	to->line(to->ctx, line);
}
