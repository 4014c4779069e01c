/* record_own: a recording that is being written: what record.c and rotate.c share. */
#ifndef WSNTOP_LINK_RECORD_OWN_H
#define WSNTOP_LINK_RECORD_OWN_H

#include <sys/types.h>

#include "core/base/buf.h"
#include "core/link/keys.h"
#include "core/link/parts.h"
#include "core/link/record.h"

/* Kinds of chunk, in its length. */
#define RECORD_ABOUT (UINT32_C(1) << 31)
#define RECORD_BESIDE (UINT32_C(1) << 30)
#define RECORD_AGAIN (UINT32_C(1) << 29)

/* What a recording in parts has besides. */
struct rotate {
	char *folder;
	struct record_rule rule;
	struct parts parts;		/* in the folder; the last one is written, unless ... */
	bool stuck;			/* ... there was no room: tried again ... */
	uint64_t retry_ns;		/* ... then */
	bool unread;			/* its reader does not know all that is in the folder, or
					 * knows more: keys are made by who reads it */
	uint64_t mono_ns, wall_ns;	/* the two clocks at one moment */
	uint64_t begun_ns;		/* the part, by clock_now()'s clock */
	off_t introduced;		/* its bytes before the first chunk that came */
	struct record_tally tally;
};

struct record {
	char *path;
	int fd;
	bool failed;
	uint64_t zero_ns;		/* clock_now() of time zero */
	uint64_t last_ns;		/* offset of the last chunk: they never go back */
	off_t whole;			/* where the last whole chunk ends */
	struct rotate *rotate;		/* NULL: it is one file */
	record_again_fn *again;		/* NULL: nothing is put before a part */
	void *again_ctx;
	struct keys_writer keys;	/* its index; begins with its first key */
	char about[RECORD_ABOUT_MAX + 1];	/* the last one written */
	uint8_t chunk[RECORD_CHUNK_MAX];
};

/* record.c. 0, or -1 with errno: what is torn is cut off by record_mend. */
int record_bytes(struct record *r, const uint8_t *data, size_t n);
int record_chunks(struct record *r, uint64_t time_ns, const uint8_t *data, size_t n,
		  uint32_t kind);
void record_mend(struct record *r);
void record_index(struct record *r, uint64_t wall);	/* of the file just begun */

/* rotate.c: what the chunk that comes needs is done: another part, less of the old ones. */
void rotate_before(struct record *r, uint64_t time_ns, size_t n);
bool rotate_is_stuck(const struct record *r);
/* A write failed (errno): true: try again. */
bool rotate_failed(struct record *r, uint64_t time_ns, size_t n);
void rotate_wrote(struct record *r, size_t n);
void rotate_free(struct record *r);

#endif
