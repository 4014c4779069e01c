/*
 * kit: the files that bring the profiler's runtime into a firmware tree, for `wsntop init`.
 *
 * kit_new plans: it reads the runtime's files from a share folder (this project's root has the same
 * folders), makes wsnprof_config.h from what the image shows, and compares each with what the tree
 * has. Nothing is written before kit_write, and nothing that exists is ever changed: the caller
 * asks kit_different first.
 */
#ifndef WSNTOP_KIT_KIT_H
#define WSNTOP_KIT_KIT_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/base/err.h"
#include "core/kit/layout.h"

struct kit_order {
	const char *dir;		/* the firmware tree: it exists */
	const char *share;		/* has target-common/ and the others */
	const char *elf;		/* the firmware as it is; NULL: none */
	const struct layout *layout;
	unsigned chip;			/* enum layout_chip; 0: the image tells */
	uint64_t clock_hz;		/* Cortex-M; 0: the image tells, or the user writes it */
};

enum kit_state { KIT_NEW, KIT_SAME, KIT_DIFFERENT };

struct kit;

/* NULL and the sentence: no image, no chip, the layout is not for it, the share is not complete. */
struct kit *kit_new(const struct kit_order *order, struct err *err);
void kit_free(struct kit *k);

/* Files of that state; the i-th of them, its path in the tree. */
size_t kit_count(const struct kit *k, enum kit_state state);
const char *kit_path(const struct kit *k, enum kit_state state, size_t i);

/* Write those that are new. 0, or negative with the sentence: some may have been written. */
int kit_write(const struct kit *k, struct err *err);

/* What was chosen and why, a line each; and what the user adds to the build and the program. */
void kit_choices(const struct kit *k, struct buf *out);
void kit_steps(const struct kit *k, struct buf *out);

#endif
