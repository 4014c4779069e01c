/*
 * elfs: the firmware that nodes may run: ELF files, opened and named whole before the first node
 * comes. Whose identity is none of theirs is unknown: his counts have no names, and are mixed with
 * nobody's.
 */
#ifndef WSNTOP_COLLECT_ELFS_H
#define WSNTOP_COLLECT_ELFS_H

#include "core/collect/sum.h"
#include "core/image/identity.h"
#include "core/image/image.h"

struct elf {
	struct image *image;
	struct identity identity;
};

/* Judged before: a checksum over the flash is not made again for each keyframe. */
enum { ELFS_JUDGED = 128 };

struct elfs_judged {
	struct sum_build build;
	const struct image *image;
};

struct elfs {
	struct elf *items;
	size_t count;
	struct elfs_judged judged[ELFS_JUDGED];
	size_t judgements;		/* so far; the newest are kept */
};

/* 0, or negative with the sentence; release in both cases. */
int elfs_open(struct elfs *e, const char *const *paths, size_t count, struct err *err);
void elfs_release(struct elfs *e);

/* The one that proves to be it, else the first that may be; NULL: none. */
const struct image *elfs_image(struct elfs *e, const struct wire_identity *identity);

#endif
