/*
 * loaded: a file that holds a profile, of whatever kind, as something to export, compare or judge.
 *
 * The one place that tells which file is read how: a recording, and bytes of a packet format that
 * is named, are decoded as a node's stream; all other kinds are read by baseline_read(). Blocks
 * until all is read.
 */
#ifndef WSNTOP_RUN_LOADED_H
#define WSNTOP_RUN_LOADED_H

#include "core/export/export.h"
#include "core/node/node.h"

struct loaded {
	struct node *node;		/* of a stream; NULL: it was none */
	struct profile *profile;	/* of the others; owned */
	struct export_source source;	/* borrows from both */
};

/* It is decoded as a stream: `format` names its packet format, may be NULL. */
bool loaded_is_stream(const char *path, const char *format);

/* like: ELF, format and the other options of a node. 0, or negative with the sentence. */
int loaded_open(struct loaded *in, const char *path, const struct node_options *like,
	       struct err *err);
void loaded_release(struct loaded *in);		/* one that is all zero holds nothing */

#endif
