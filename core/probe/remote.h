/*
 * remote: a server of gdb's remote protocol, asked one question at a time; each call waits for its
 * answer, two seconds at most. A server halts its target when a client connects, unless it was told
 * not to: it stands until remote_go().
 *
 * For who examines a chip once. A source of data polls instead (core/wire/gdb).
 */
#ifndef WSNTOP_PROBE_REMOTE_H
#define WSNTOP_PROBE_REMOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

struct remote;

/* What it says that it can. */
struct remote_abilities {
	bool no_acks, features, registers;	/* of its own accord; target.xml; single ones */
	bool many;			/* QEMU: any byte stops its target */
	bool simavr;			/* its watchpoints never fire */
	char arch[32];			/* by target.xml; "" not told */
};

/* `source`: gdb:... NULL and the sentence when nothing answers there as such a server does. */
struct remote *remote_new(const char *source, struct err *err);
void remote_free(struct remote *r);	/* its target goes on */

const struct remote_abilities *remote_abilities(const struct remote *r);

/* The answer, borrowed until the next call; NULL and the sentence: none came. */
const char *remote_ask(struct remote *r, const char *question, struct err *err);
/* What "monitor COMMAND" says, made visible; "" nothing. */
const char *remote_monitor(struct remote *r, const char *command);

/* 0, or negative: ERR_IO, or the server's reason. */
int remote_read(struct remote *r, uint32_t address, uint32_t *words, size_t count,
		struct err *err);
int remote_write(struct remote *r, uint32_t address, uint32_t word, struct err *err);

int remote_stop(struct remote *r, struct err *err);
int remote_go(struct remote *r, struct err *err);
bool remote_stands(const struct remote *r);
uint64_t remote_stood(const struct remote *r);	/* ns, all in all */

#endif
