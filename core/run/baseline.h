/*
 * baseline: a file to compare with, read whole: a snapshot (-x json), or a recording (-r), which is
 * decoded as the stream of a node. This blocks until all is read; the screen must not wait and
 * reads recordings step by step (tui/app/dialog/baseline.c).
 */
#ifndef WSNTOP_RUN_BASELINE_H
#define WSNTOP_RUN_BASELINE_H

#include "core/node/node.h"
#include "core/find/finds.h"

/* FIND_NEITHER with the sentence. */
enum find_kind baseline_kind_of(const char *path, struct err *err);

/* How a recording is opened: like a node with these options. source: of `size` bytes, filled in. */
void baseline_options(struct node_options *o, const char *path, char *source, size_t size);

/* A copy of the profile of a recording that was read to its end; NULL with the sentence. */
struct profile *baseline_taken(struct node *n, struct err *err);

/*
 * A recording, or bytes of the format that `like` names, read to its end as a node that stands
 * still: for node_free. NULL with the sentence.
 */
struct node *baseline_node(const char *path, const struct node_options *like, struct err *err);

/* For profile_drop. NULL with the sentence. */
struct profile *baseline_read(const char *path, const struct node_options *o, struct err *err);

#endif
