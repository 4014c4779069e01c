/*
 * pty: the simulated UART's other end, as a serial port that programs can open.
 *
 * A wire does not wait: bytes sent while no program has the port open, or faster than they are
 * read, are gone. Nothing here blocks.
 */
#ifndef WSNTOP_SIM_PTY_H
#define WSNTOP_SIM_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct pty {
	int master;
	char name[64];		/* /dev/pts/N */
	const char *link;	/* a symbolic link to it, removed by pty_close; borrowed, or NULL */
	bool open;		/* somebody had it open at the last pty_update */
	uint8_t out[512];
	size_t out_len;
	uint64_t dropped;
};

int pty_open(struct pty *p, const char *link, struct err *err);
void pty_close(struct pty *p);

/* Look whether somebody has it open; a newcomer finds it raw. */
bool pty_update(struct pty *p);

/* Collect a byte, and send those collected. */
void pty_put(struct pty *p, uint8_t byte);
void pty_flush(struct pty *p);

/* A byte typed at the node, or -1. */
int pty_get(struct pty *p);

#endif
