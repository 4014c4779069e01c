/*
 * remember: the image that ran at a port last time (core/find/pairs.h), used if none is given.
 */
#ifndef WSNTOP_TUI_START_REMEMBER_H
#define WSNTOP_TUI_START_REMEMBER_H

#include "core/node/node.h"
#include "core/find/pairs.h"
#include "tui/config/options.h"

struct remembered {
	struct pair pair;		/* node_options borrows its strings */
	bool image;			/* its image is used */
};

/*
 * Image, rate and format of last time at the port of `node`, unless the command line gives them.
 * True: the image is one of last time, and the user should be told.
 */
bool remember_apply(struct node_options *node, const struct options *o, struct remembered *r);

/* At the end: store the node's port with its image, if that was not refused. */
void remember_keep(const struct node *n, const struct options *o);

/* "5 min ago", "3 days ago". */
const char *remember_when(int64_t then, char *dst, size_t size);

#endif
