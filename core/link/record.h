/*
 * record: every byte received, with its time, kept so that replaying it is the same stream.
 *
 * The file, little-endian:
 *
 *	 0      8         16
 *	+--------+---------+-------+-------+--
 *	|wsnrec1\n| wall ns | chunk | chunk | ...
 *	+--------+---------+-------+-------+--
 *
 *	wall	u64, ns since 1970 at time zero
 *	chunk	u64 ns since time zero | u32 length, 1..65536 | bytes | u32 CRC-32 (zlib's)
 *		of all that stands before it in the chunk
 *
 * Where bit 31 of the length is set the chunk has no bytes of the stream but lines that say what it
 * is of ("about": core/node/about.h), up to the next such chunk. One begins the recordings of
 * sources whose bytes do not say that themselves. Who does not know of these leaves them out as
 * damage, and reads all else.
 *
 * Where bit 30 is set its bytes are none of the stream either, but what was told beside it by
 * another way to the same target (core/node/across.c).
 *
 * Where bit 29 is set its bytes bring a new decoder to where the one stood that read all before
 * (wire_resume): they begin a part of a recording in parts (parts.h), so that it can be read alone.
 * Who comes from the part before it has read what they say, and leaves them out.
 *
 * A chunk stands alone and goes out with one write(2), so that a recording cut anywhere (full disk,
 * power, kill -9) reads up to its last whole chunk; damage costs the chunks that it hits
 * (resync.h). The file is locked (flock) while it is written: its reader waits for more.
 * file.c recognises the magic and replays.
 */
#ifndef WSNTOP_LINK_RECORD_H
#define WSNTOP_LINK_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"

#define RECORD_MAGIC "wsnrec1\n"

enum {
	RECORD_MAGIC_SIZE = 8,
	RECORD_HEADER = 16,		/* magic and wall clock */
	RECORD_DATA_MAX = 65536,	/* bytes in one chunk */
	RECORD_CHECK = 4,		/* bytes at a chunk's end */
	RECORD_CHUNK_MAX = 12 + RECORD_DATA_MAX + RECORD_CHECK,
	RECORD_ABOUT_MAX = 4096,	/* bytes of lines about it */
};

struct record;
struct buf;

/*
 * Begin a recording; time zero is now. An older recording of that name is refused, and a name that
 * is free is said: with `force` it is replaced. Anything else in its place is refused, as is a
 * recording that is just being replayed or written.
 */
struct record *record_new(const char *path, bool force, struct err *err);
void record_free(struct record *r);	/* NULL is fine */

/* At the end: until its bytes are on the disk. ERR_IO: some may not be. */
int record_sync(struct record *r, struct err *err);

/*
 * A recording in parts (rotate.c): a folder of recordings, each of which can be read alone. A part
 * ends where the next chunk would be too much, or too late, for it. `say` gets a line on what the
 * user should know: an old part was removed, there is no room, there is room again.
 */
struct record_rule {
	uint64_t every_ns;		/* a part's time at most; 0: no bound */
	uint64_t each;			/* its bytes; 0: no bound */
	uint64_t keep;			/* bytes of all parts in the folder: the oldest one is
					 * removed when they are more; 0: no bound, none is */
	void (*say)(void *ctx, const char *line);	/* may be NULL */
	void *ctx;
};

struct record_tally {
	unsigned parts, removed;	/* begun by this one; old ones removed */
	uint64_t bytes;			/* written */
	uint64_t unkept;		/* of the stream, for which there was no room */
};

/*
 * The folder is made where it is not there; what it has of an earlier run stays, as far as the rule
 * permits, and the new part comes behind it. Refused where another one records into it. When a
 * write fails the oldest parts are removed, if rule.keep permits to remove any; where that does not
 * help, what comes is counted as unkept, and it is tried again each second.
 */
struct record *record_new_parts(const char *folder, const struct record_rule *rule,
				struct err *err);
void record_tally(const struct record *r, struct record_tally *t);

/*
 * Who knows what a new decoder has to be told first, wire_resume(): bytes of the stream's format,
 * appended to *bytes. Called before a part's first byte, and for the keys of its index (keys.h),
 * for which true is needed.
 */
typedef bool record_again_fn(void *ctx, struct buf *bytes);
void record_resumes(struct record *r, record_again_fn *again, void *ctx);

/*
 * Keep bytes that arrived at time_ns (clock_now()'s clock). 0, or ERR_IO when writing failed (full
 * disk): the recording up to there is whole and closed, and said so this once; later calls do
 * nothing and return 0. The caller goes on.
 */
int record_add(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n, struct err *err);

/* Likewise, what it is of: now, at most RECORD_ABOUT_MAX bytes; longer ones are left out. */
int record_about(struct record *r, const char *text, struct err *err);

/* As record_add, what another way to the same target told then. */
int record_beside(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
		  struct err *err);

/*
 * As record_add, bytes of the stream's format that tell all that was counted so far, as
 * wire_resume has them, for who begins to read there: nobody else reads them.
 */
int record_keyframe(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
		    struct err *err);

/*
 * For who has the bytes already: the header, for a wall clock (ns since 1970) at time zero; one
 * chunk of
 * 1..RECORD_DATA_MAX bytes, its length. `to` has RECORD_HEADER, RECORD_CHUNK_MAX bytes.
 */
void record_header(uint8_t *to, uint64_t wall_ns);
size_t record_chunk(uint8_t *to, uint64_t offset_ns, const uint8_t *data, size_t n);
size_t record_chunk_about(uint8_t *to, uint64_t offset_ns, const char *text, size_t n);
uint64_t record_wall(const uint8_t *header);	/* what a header says */

/*
 * Reading: the chunk that n bytes begin with, *used bytes long. Whether its check is right is
 * asked for next.
 */
enum record_parsed {
	RECORD_CHUNK,		/* here it is */
	RECORD_MORE,		/* cut: not all of it is here yet */
	RECORD_LOST,		/* no chunk begins here */
};

struct record_chunk {
	uint64_t offset_ns;		/* since time zero */
	const uint8_t *data;		/* borrowed from the input */
	uint32_t length;
	bool beside;			/* by another way, no bytes of the stream */
	bool about;			/* lines on the recording, no bytes of the stream */
	bool again;			/* for who did not read what was before it */
};

enum record_parsed record_parse(const uint8_t *in, size_t n, struct record_chunk *c, size_t *used);
uint32_t record_check(const uint8_t *in);		/* as a chunk keeps it */
bool record_is_whole(const uint8_t *in, size_t used);	/* it is right */

#endif
