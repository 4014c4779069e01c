/*
 * child: a program that a link starts and talks to: a socket is its standard input and output, what
 * it says on standard error is why it ended. No shell is in between. Private to core/link/.
 */
#ifndef WSNTOP_LINK_CHILD_H
#define WSNTOP_LINK_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/base/err.h"

struct child {
	pid_t pid;			/* 0: none */
	int said;			/* its standard error */
};

struct child_start {
	const char *path;		/* without a slash: looked for in PATH */
	char *const *argv;
	const int *extra;		/* a descriptor that it gets as extra_fd; NULL: none */
	int extra_fd;
	bool apart;			/* no Ctrl-C of the terminal reaches it */
};

/* *fd: our end, which does not block. 0, or negative with the sentence; then *fd stays. */
int child_start(struct child *c, const struct child_start *start, int *fd, struct err *err);

/*
 * Reaps one that ended, or one that is killed first; its status (waitpid(2)), 0 if there is none.
 * said: its last words, "" where it had none; NULL: not wanted.
 */
int child_end(struct child *c, bool kills, char *said, size_t size);

/* Through our end: LINK_EOF when it has closed its own. */
ssize_t child_read(int fd, uint8_t *buf, size_t size);
ssize_t child_write(int fd, const uint8_t *data, size_t n);

#endif
