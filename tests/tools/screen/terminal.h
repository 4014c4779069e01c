/*
 * terminal: the program on a pseudo terminal, and the emulator (libvterm) that reads what it
 * writes. One of each; the script's steps look at its members.
 */
#ifndef WSNTOP_TESTS_SCREEN_TERMINAL_H
#define WSNTOP_TESTS_SCREEN_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

#include "core/base/buf.h"
#include "core/base/clock.h"

#define MS (CLOCK_SECOND / 1000)

struct terminal {
	VTerm *vt;
	VTermScreen *screen;
	int fd, peer, rows, cols;	/* peer: the program's end, open here too */
	pid_t pid;
	bool altscreen, cursor_hidden, ended;
	int mouse, status;
	bool high_byte;
	unsigned long long bytes;
	uint64_t bytes_since;
	struct termios modes;
	struct buf tail;		/* what it wrote last */
};
extern struct terminal terminal;

void terminal_open(void);
void terminal_start(char **argv);
void terminal_resize(int cols, int rows);
void terminal_reap(int options);	/* waitpid()'s; `ended` and `status` follow */

/* Take output for up to `ms`; true if there was any. pump_for: all that comes for so long. */
bool terminal_pump(int ms);
void terminal_pump_for(int ms);

/* Row y; rows from..to, a line each; trailing blanks are cut. */
void terminal_row(int y, struct buf *b);
void terminal_text(struct buf *b, int from, int to);
void terminal_show(FILE *f);
/* Whether a text is on the screen, and where its first cell is; x and y may be NULL. */
bool terminal_find(const char *text, int *x, int *y);

#endif
