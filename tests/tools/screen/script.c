#include "tests/tools/screen/script.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/tools/screen/terminal.h"

int script_line;

bool script_read(char line[SCRIPT_LINE])
{
	if (!fgets(line, SCRIPT_LINE, stdin))
		return false;
	script_line++;
	line[strcspn(line, "\n")] = 0;
	return true;
}

void script_fail(const char *fmt, ...)
{
	va_list ap;

	printf("step %d: ", script_line);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	printf("\n");
	terminal_show(stdout);
	if (!terminal.ended)
		kill(terminal.pid, SIGKILL);
	exit(1);
}
