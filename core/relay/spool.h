/*
 * spool: what a relay keeps of one node while its broker is away, and gives out in order when it is
 * back. It is a recording in parts (core/link/rotate.h), in a folder of the node's own, so that it
 * is read as any other, and outlives the relay.
 *
 *	part	keyframe | bytes of the node | keyframe of an epoch that ended | bytes ...
 *
 * Each part begins with a keyframe: all that the node had counted. So the oldest part can go when
 * there is too much, or when it is too old, and no count is lost, only when it was counted: the
 * next part's keyframe has them all, closed counts too. But for epochs that ended in it, whose
 * counts nobody else has: of a part that is let go ("thinned") these keyframes stay. Where they
 * alone pass half of the bound the oldest are lost, and counted.
 */
#ifndef WSNTOP_RELAY_SPOOL_H
#define WSNTOP_RELAY_SPOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/link/record.h"

enum { SPOOL_LEAST = 256 << 10 };	/* bytes that it must be given */

struct spool_rule {
	uint64_t keep;			/* bytes at most */
	uint64_t age_ns;		/* of a part's first byte, at most */
	uint64_t every_ns;		/* between two keyframes: a part's time */
	void (*say)(void *ctx, const char *line);
	void *ctx;
};

struct spool_tally {
	uint64_t kept;			/* bytes of nodes that went in */
	uint64_t thinned;		/* bytes in parts that were let go, tables mostly */
	uint64_t ends_lost;		/* keyframes of ended epochs for which there was no room */
	uint64_t unkept;		/* bytes that could not be written: no room on the disk */
	uint64_t unread;		/* bytes of it that were damaged */
};

struct spool;

/*
 * `folder` is made with the first byte; what is there already is given out first. NULL with the
 * sentence.
 */
struct spool *spool_new(const char *folder, const struct spool_rule *rule, struct err *err);
void spool_free(struct spool *s);	/* what is in it stays */

/* Who can tell a keyframe, for the parts' beginnings. */
void spool_resumes(struct spool *s, record_again_fn *again, void *ctx);

bool spool_is_empty(const struct spool *s);

/* Bytes that came; all that an epoch counted. Times are clock_now()'s. */
void spool_add(struct spool *s, uint64_t now, const uint8_t *data, size_t n);
void spool_end(struct spool *s, uint64_t now, const uint8_t *keyframe, size_t n);
void spool_keep(struct spool *s);	/* now and then: within its bounds */
void spool_tally(const struct spool *s, struct spool_tally *t);

/*
 * Keyframes and bytes are read apart: who wants the first takes these at once, the others have to
 * be waited for.
 */
enum spool_pass { SPOOL_KEYS, SPOOL_BYTES, SPOOL_PASSES };

struct spool_item {
	uint64_t wall_ns;		/* when it came, since 1970 */
	const uint8_t *data;		/* borrowed until the next call */
	size_t n;
};

/* The oldest that was not given out: the same until spool_pass. False: there is none. */
bool spool_next(struct spool *s, enum spool_pass pass, struct spool_item *item);
void spool_pass(struct spool *s, enum spool_pass pass);
uint64_t spool_skip(struct spool *s, enum spool_pass pass);	/* the rest is: its bytes */
void spool_clear(struct spool *s);		/* all of it goes */

/* All bytes of the newest part that has any, its keyframe first: what a decoder needs to go on. */
void spool_newest(struct spool *s, struct buf *bytes);

#endif
