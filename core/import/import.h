/*
 * import: a file that another tool, or we, exported, as a profile: json, gmon.out, callgrind,
 * pprof, folded. One row of `importers` per format.
 *
 * A file with addresses (gmon) is fed as a node's counts are: names come from the image. The others
 * have names and times of functions: what comes back is a picture (`p->picture`), which is never
 * computed again, whatever image there is.
 *
 * A file is one that anybody may have written: it is bounded by IMPORT_MAX, also when it is
 * unpacked; names are made visible; what is malformed is refused with the sentence.
 */
#ifndef WSNTOP_IMPORT_IMPORT_H
#define WSNTOP_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/profile/profile.h"

#define IMPORT_MAX (256u << 20)		/* bytes of a file, and of what it unpacks to */
#define IMPORT_HEAD 64			/* bytes by which one is recognised */

struct import_bytes {
	const uint8_t *data;
	size_t size;
	double hz;			/* of counts without a time; 0: not given */
};

struct importer {
	const char *name;		/* "callgrind" */
	const char *help;
	/* By its first bytes (up to IMPORT_HEAD), else by the end of its name. */
	bool (*is)(const uint8_t *head, size_t n);	/* NULL: by its name alone */
	const char *ending;		/* ".folded"; NULL: the first bytes tell */
	bool raw;			/* counts by address: names come from an image */
	/* p is empty. 0, or negative with the sentence. */
	int (*read)(struct profile *p, const struct import_bytes *b, struct err *err);
};

extern const struct importer importers[];	/* ends with a NULL name */

/* The format of a file that begins so; NULL: none of these. */
const struct importer *import_of(const char *path, const uint8_t *head, size_t n);
/* Reads the head; what is no regular file is none. */
const struct importer *import_of_file(const char *path);

/* For profile_drop (core/profile/raw/copy.h). NULL with the sentence. */
struct profile *import_read(const char *path, double hz, struct err *err);

#endif
