/*
 * script: the lines of standard input, a step each.
 */
#ifndef WSNTOP_TESTS_SCREEN_SCRIPT_H
#define WSNTOP_TESTS_SCREEN_SCRIPT_H

#include <stdbool.h>

enum { SCRIPT_LINE = 4096 };

extern int script_line;			/* number of the last one read */

bool script_read(char line[SCRIPT_LINE]);	/* without its newline; false: there is none */

/* The step failed: say why, show the screen, kill the program, end. */
void script_fail(const char *fmt, ...) __attribute__((format(printf, 1, 2), noreturn));

#endif
