/*
 * snapshot: an export of `-x json` read back as a profile, to compare with.
 *
 * What comes back is a picture like profile_copy's: functions, edges, call sites, their calls by
 * duration, lines (core/source/line_costs.h), totals. Not to be fed or computed. Sampled PCs do not
 * come back, nor do rates over the last seconds.
 *
 * A snapshot is a file that anybody may have written: it is bounded, what is no export is refused
 * with the sentence, members that are missing or of another kind are taken as not known, names are
 * made visible, and edges and sites that fit no function are left out.
 */
#ifndef WSNTOP_EXPORT_SNAPSHOT_H
#define WSNTOP_EXPORT_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/profile/profile.h"

#define SNAPSHOT_MAX (64u << 20)	/* bytes of a file */
#define SNAPSHOT_HEAD 64		/* bytes by which one is recognised */

/* Does a file that begins so look like one? */
bool snapshot_is(const char *head, size_t n);

/* For profile_drop (core/profile/raw/copy.h). NULL with the sentence. */
struct profile *snapshot_read(const char *path, struct err *err);
struct profile *snapshot_parse(const char *text, size_t n, struct err *err);

#endif
