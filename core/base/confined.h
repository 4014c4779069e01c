/*
 * confined: work on input that is not to be trusted, by a library that may crash on it, in a
 * process of its own. It can read one file that is open already and write its result to us: no
 * other descriptor, no file, no network; so much memory and time, and no core.
 *
 *	if (!confined_start(&c, &job))
 *		here(...);			this system cannot, or a sanitizer watches us
 *	sound = confined_read(&c, &head, sizeof(head)) && ...;
 *	sound = confined_end(&c) && sound;
 *
 * What is read is as little to be trusted as the input was: check it.
 *
 * Memory and time are limits of the kernel's (setrlimit(2)); the system calls that remain are named
 * to it where it has seccomp(2). Where it has neither, a crash still costs the result alone.
 */
#ifndef WSNTOP_BASE_CONFINED_H
#define WSNTOP_BASE_CONFINED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct confined_job {
	/*
	 * Runs there. What it changes in memory stays there; `out` takes its result, and
	 * *progress (never NULL) is seen here.
	 */
	void (*work)(void *ctx, int out, atomic_uint *progress);
	void *ctx;
	int file;			/* stays open; -1: none */
	uint64_t memory;		/* bytes beyond what we have */
	unsigned seconds;		/* of a processor */
	const atomic_bool *stop;	/* true: reading gives up; NULL: it never does */
	atomic_uint *progress;		/* brought up to date while we read; NULL: not wanted */
};

struct confined {
	pid_t pid;
	int fd;
	const atomic_bool *stop;
	atomic_uint *progress, *shared;
	uint64_t until;			/* of the clock: far beyond its processor's seconds */
};

/* False: nothing was started. One thread of the caller's reads and ends it. */
bool confined_start(struct confined *c, const struct confined_job *job);

/* All n bytes; false: it wrote fewer, hangs, or *stop became true. Waits. */
bool confined_read(struct confined *c, void *to, size_t n);

/* Whether it ended by itself after all that was read. If it still works it is killed. */
bool confined_end(struct confined *c);

/* For the work: write n bytes. What cannot be written is missed by the reader. */
void confined_write(int out, const void *from, size_t n);

#endif
