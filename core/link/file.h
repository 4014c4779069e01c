/*
 * file: what the two kinds of file share: file.c (plain bytes) and replay.c (a recording).
 *
 *	file_fill() --> [ buffer ] --> file.c: as it comes
 *	                     `--> replay.c: chunk by chunk, when each is due
 */
#ifndef WSNTOP_LINK_FILE_H
#define WSNTOP_LINK_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/link/keys.h"
#include "core/link/link_ops.h"
#include "core/link/parts.h"
#include "core/link/record.h"
#include "core/link/resync.h"

enum { FILE_BUFFER = 2 * RECORD_CHUNK_MAX };

#define FILE_NOWHERE UINT64_MAX

/*
 * Where a replay stands, in ns since the recording's time zero. It stood at `from` when our clock
 * was at `since`.
 */
struct file_pace {
	uint64_t from, since;
	uint64_t goal;			/* read up to it at full speed; FILE_NOWHERE: at its pace */
};

struct file_own {
	bool regular;			/* always ready, and it has a length */
	bool named;			/* not standard input, whose offset others share */
	bool eof;			/* the descriptor gave all it had */
	bool grows;			/* a recording that is locked: it is still written */
	bool dry;			/* so far it gave all it had; looked at again ... */
	uint64_t look_ns;		/* ... then */
	bool sniffed;			/* recording or not: known */
	bool lost;			/* behind damage: the next whole chunk is searched */
	struct resync *resync;		/* once there was damage */
	int64_t begin;			/* where in the file it was when it was opened */
	uint64_t size, taken;		/* of the file; read from it */
	uint64_t damaged;		/* bytes of a recording left out */
	size_t head, len;		/* of buffer: what was read and not used */
	/* the chunk being replayed */
	bool hungry;			/* for more than the buffer holds */
	bool waits;			/* all was handed out that is written so far */
	const uint8_t *data;		/* in buffer */
	size_t left;
	bool beside;			/* it is another way's (record.h) */
	bool begun;			/* some of it was handed out */
	bool alone;			/* nothing before it was read: chunks "again" are */
	uint64_t start;			/* of the replay */
	uint64_t wall;			/* when the recording was begun; its first part */
	/* of a folder of parts */
	struct parts parts;		/* none: it is a file */
	size_t part;			/* that is read */
	uint64_t part_zero;		/* its time zero, on the recording's axis */
	/* the index: leap.c */
	record_again_fn *resume;	/* who knows where its reader stands; NULL: nobody */
	void *resume_ctx;
	struct keys keys;		/* looked at last */
	struct keys_writer making;	/* of the part ... */
	size_t making_part;
	bool making_begun;
	bool unsure;			/* not all of before was read: no keys are made */
	bool end_asked;			/* tail.c; its last bytes' time: */
	uint64_t end;			/* FILE_NOWHERE: not known */
	uint64_t place;			/* in the part: behind the chunk handed out last; 0: */
	uint32_t check;			/* damage is there. Its check */
	struct buf told_bytes;		/* a key's, that are handed out */
	uint64_t offset;		/* of the chunk, as kept */
	uint64_t told;			/* of the last one handed out */
	char about[RECORD_ABOUT_MAX + 1];	/* what the recording says of itself */
	struct file_pace pace;
	uint8_t buffer[FILE_BUFFER];
};

/* file.c, for replay.c */
int file_open(struct link *l, struct err *err);
void file_release(struct link *l);
void file_fill(struct link *l);			/* the buffer, with what there is now */
void file_use(struct file_own *f, size_t n);	/* n bytes of the buffer are done with */
void replay_about(struct link *l);		/* replay.c: what stands before the first bytes */

int file_begin(struct link *l, struct err *err);	/* l->fd, just opened, is made a stream */
bool file_is_written(const struct link *l);

/* chain.c: parts in their order */
void chain_size(struct file_own *f, uint64_t size);	/* of the part that is read */
uint64_t chain_before(const struct file_own *f, size_t part);	/* bytes of those before it */
int chain_open(struct link *l, struct err *err);	/* l->where is a folder: its first part */
bool chain_next(struct link *l);	/* the next part is open; false: it was the last */
/* This part is, from its first chunk. 0, or ERR_IO: it has gone, all is as it was. */
int chain_part(struct link *l, size_t part);
/*
 * leap.c. Whether a key on the way to this time saves much of it, from where it stands, or (back)
 * from the beginning; it begins there: false: it does not, and all is undefined until
 * recording_again. A chunk ended here: a key may be made.
 */
bool leap_is_due(const struct link *l, uint64_t offset, bool back);
bool leap_take(struct link *l, uint64_t offset);
void leap_pass(struct link *l);
void leap_release(struct file_own *f);

/* tail.c. When its last bytes came; FILE_NOWHERE: not known. Asked of the disk once. */
uint64_t tail_offset(const struct link *l);

int file_fd(const struct link *l);
double file_progress(const struct link *l);

#endif
