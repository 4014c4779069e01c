/*
 * target: the memory of a processor, through a debug server (OpenOCD's Tcl port, or gdb's protocol:
 * then it runs once remote_go() was called). One
 * question at a time; each call waits for its answer, two seconds at most. The processor is not
 * halted.
 *
 * For who examines a chip once. A source of data polls instead (core/wire/openocd).
 */
#ifndef WSNTOP_PROBE_TARGET_H
#define WSNTOP_PROBE_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

enum { TARGET_WORDS_MAX = 256 };	/* of one read */

struct target;

struct remote;

/* `source`: openocd:[HOST][:PORT], or gdb:. NULL and the sentence when nothing answers there. */
struct target *target_new(const char *source, struct err *err);
void target_free(struct target *t);
struct remote *target_remote(const struct target *t);	/* NULL: it is no gdb server */

/*
 * The answer to a command of the server's, made visible; borrowed until the next call. NULL and the
 * sentence: none came.
 */
const char *target_ask(struct target *t, const char *command, struct err *err);

/* Words from `address` on. 0, or negative with the server's reason. */
int target_read(struct target *t, uint32_t address, uint32_t *words, size_t count,
		struct err *err);
int target_write(struct target *t, uint32_t address, uint32_t word, struct err *err);

/* Exactly `count` numbers, as C writes them, and no other text. */
bool target_words(const char *answer, uint32_t *words, size_t count);

#endif
