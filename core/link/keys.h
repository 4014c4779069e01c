/*
 * keys: the index of a recording, in a file beside it ("NAME.wsnrec.idx"): places at which a
 * decoder can begin, each with the bytes that bring it to where it would stand had it read all
 * before (wire_resume). So a time in the middle of a day is reached from the key before it.
 *
 * The file, little-endian:
 *
 *	"wsnidx1\n" | u64 wall, as the recording's header has it | key | key | ...
 *
 *	key	u64 place in the recording, where a chunk begins | u64 ns since its time zero |
 *		u32 length, up to KEYS_DATA_MAX | u32 the four bytes in front of that place |
 *		bytes | u32 CRC-32 of all that stands before it in the key
 *
 * It is written while the recording is made or read, and only a help: what is cut or damaged ends
 * it there, what is of another recording is not used and begins again. That the recording is the
 * one that a key was made of is told by the wall clock in its header and by the four bytes, which
 * are a chunk's check: a copy has another time and owner, and is the same.
 */
#ifndef WSNTOP_LINK_KEYS_H
#define WSNTOP_LINK_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"

enum {
	KEYS_APART = 1 << 20,		/* bytes of the recording between two, at least; */
	KEYS_SHARE = 32,		/* and so many times the bytes of a key */
	KEYS_RETRY = 1 << 14,		/* bytes after a place at which none could be made; twice
					 * as many after the next one, up to KEYS_APART */
	KEYS_DATA_MAX = 16 << 20,
	KEYS_MOST = 1 << 20,
};

struct key {
	uint64_t offset_ns, place;	/* keys are in order of both */
	uint64_t at;			/* of its bytes, in the index */
	uint32_t length;
	uint32_t before;
};

struct keys {
	int fd;				/* of the index; -1: there is none */
	struct key *of;			/* ascending */
	size_t count, cap;
	uint64_t end;			/* of the last whole key, in the index */
};

/* All that there is of this recording, whose header has `wall`. None is none. */
void keys_open(struct keys *k, const char *recording, uint64_t wall);
void keys_close(struct keys *k);

/* The last one at or before this time; NULL: there is none. */
const struct key *keys_find(const struct keys *k, uint64_t offset_ns);

/* Those behind the end of a recording of so many bytes, which was cut, are left out. */
void keys_within(struct keys *k, uint64_t size);
/* Whether a key is of the recording that is open at this descriptor. */
bool key_fits(const struct key *key, int recording);

/* Its bytes, appended. False: the index is damaged there, or of another recording (open at fd). */
bool keys_read(const struct keys *k, const struct key *key, int recording, struct buf *bytes);

/* --- writing ---------------------------------------------------------------------------------- */

/*
 * Where the next key is due. Behind one that was written by somebody else before.
 */
struct keys_writer {
	char *recording;		/* NULL: none are written */
	uint64_t wall;
	int fd;				/* -1: not opened yet */
	uint64_t due;			/* place from which on one may be made */
	uint64_t wait;			/* bytes that were waited after the last failure */
	uint64_t last;			/* of the last one in it; 0: none is */
};

/* 0, or ERR_NOMEM: none are written. `from`: keys up to there exist. */
int keys_begin(struct keys_writer *w, const char *recording, uint64_t wall, uint64_t from);
/* What it was is not the recording any more: an index of before is deleted. */
void keys_anew(struct keys_writer *w);
void keys_end(struct keys_writer *w);

bool keys_due(const struct keys_writer *w, uint64_t place);
/* That none could be made here. */
void keys_later(struct keys_writer *w, uint64_t place);
/* `before`: the four bytes in front of the place. A failure (no room) ends it. */
void keys_put(struct keys_writer *w, const struct key *key, const struct buf *bytes);

#endif
