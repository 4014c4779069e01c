/*
 * line: a terminal's driver: raw mode and baud rates, any of them, as each system sets them
 * (core/base/os.h).
 */
#ifndef WSNTOP_LINK_LINE_H
#define WSNTOP_LINK_LINE_H

#include <stdbool.h>

bool line_is_terminal(int fd);

/* A pty: it has no baud rate, and its other end outlives us. */
bool line_is_pty(int fd);

/* cfmakeraw(3), 8N1, no flow control; at `baud` if that is not 0. 0, or -1 with errno. */
int line_make_raw(int fd, long baud);

int line_set_baud(int fd, long baud);		/* 0, or -1 with errno */
long line_baud(int fd);				/* 0: not known */
void line_drop_input(int fd);			/* what came and was not read */

void line_lock(int fd, bool locked);		/* nobody else may open it */

#endif
