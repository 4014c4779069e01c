/*
 * beside: the bookmarks of a node, in the session and in the file beside its recording
 * (core/history/bookmarks.h): the one that is replayed, else the one that is written. Without a
 * recording they are kept for the session. The file is read when there is one, and again before
 * each change, so that what others wrote into it meanwhile stays.
 */
#ifndef WSNTOP_TUI_APP_PANE_BESIDE_H
#define WSNTOP_TUI_APP_PANE_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/history/bookmarks.h"
#include "core/node/node.h"

enum { BESIDE_PATH = 1024 };

struct beside {
	struct bookmarks list;		/* by the wall clock; by the data's where that is unknown */
	char path[BESIDE_PATH];		/* of the file that was read; "" none */
};

void beside_release(struct beside *b);

/* Read the file if there is one that was not read yet. */
void beside_sync(struct beside *b, const struct node *n);

/* A bookmark's time on the data's clock; false: from before the data began. */
bool beside_time(const struct node *n, const struct bookmark *k, uint64_t *time_ns);

/* The bookmark at a time of the data's clock; NULL: none. */
const struct bookmark *beside_find(const struct beside *b, const struct node *n, uint64_t time_ns);

/*
 * Set or delete the bookmark at a time of the data's clock, and write the file if there is a
 * recording (b->path). On failure it is done for the session alone, with the sentence.
 */
int beside_set(struct beside *b, const struct node *n, uint64_t time_ns, const char *note,
	       struct err *err);
int beside_drop(struct beside *b, const struct node *n, uint64_t time_ns, struct err *err);

/* The node's bytes were saved as this recording: its bookmarks are written beside it. */
int beside_save(const struct beside *b, const char *recording, struct err *err);

#endif
