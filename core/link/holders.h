/*
 * holders: which program has a port open, as far as visible to this user: from the open files that
 * /proc lists, and from the lock files that uucp's descendants leave (LCK..ttyS0, with a process's
 * number in it). Private to core/link/ and its tests.
 *
 * `root` is put before /proc and /var/lock: "" except in tests.
 */
#ifndef WSNTOP_LINK_HOLDERS_H
#define WSNTOP_LINK_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct holder {
	const char *device;		/* in: its real path, "/dev/ttyACM0" */
	char who[64];			/* out: "minicom (pid 123)"; "" none visible to this user */
};

/* One walk through /proc for all of them. Our own process does not count. */
void holders_find(const char *root, struct holder *holders, size_t n);

/* Whether a session runs in that terminal; whose, as "name (pid 123)". */
bool holders_session(const char *root, dev_t tty, char *who, size_t size);

/* Whether a program of that name runs (its first 15 bytes). */
bool holders_runs(const char *root, const char *name);

#endif
