/*
 * blocks: which firmware runs, by blocks of its code that a debug probe reads now and then.
 *
 * They are chosen from the image's code, spread over all of it: what follows a changed function
 * moves, so that a few show another build. They stay while there is no image: one that was refused
 * may be followed by the right one.
 *
 *	blocks_choose(&b, code);
 *	... as long as b.count is not 0, read WIRE_BLOCK_WORDS words at b.address[b.next] ...
 *	if (blocks_take(&b, b.next, b.count, b.address[b.next], words))
 *		sink->identity(ctx, &b.identity);
 *
 * A round is followed by the next: firmware may be flashed while it is watched.
 */
#ifndef WSNTOP_WIRE_PROBE_BLOCKS_H
#define WSNTOP_WIRE_PROBE_BLOCKS_H

#include "core/wire/wire.h"

enum { WIRE_BLOCK_WORDS = WIRE_BLOCK_BYTES / 4 };

struct blocks {
	uint32_t address[WIRE_BLOCKS];
	unsigned count, next;		/* next < count, unless both are 0 */
	unsigned rounds;		/* whole ones since they were chosen, or blocks_again() */
	struct wire_identity identity;	/* of the round under way, or that just ended */
	bool ended;
};

/* NULL, or other code than ARM's: those before stay. */
void blocks_choose(struct blocks *b, const struct codemap *code);

/* From the first one on, quickly: the target may have been programmed. */
void blocks_again(struct blocks *b);

/*
 * What was read; `words` NULL: it could not be. `index` and `count` are those of who chose, which
 * may be the other end of a recording: anything. True: a round ended, of which b->identity tells.
 */
bool blocks_take(struct blocks *b, unsigned index, unsigned count, uint32_t address,
		 const uint32_t *words);

#endif
