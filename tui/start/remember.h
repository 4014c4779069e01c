/*
 * remember: the image that ran at a port last time (core/find/pairs.h), where none is given.
 */
#ifndef WSNTOP_TUI_START_REMEMBER_H
#define WSNTOP_TUI_START_REMEMBER_H

#include "core/node/node.h"
#include "core/find/pairs.h"
#include "tui/config/options.h"

struct remembered {
	struct pair pair;		/* what node_options borrows from */
	bool image;			/* its image is used */
};

/*
 * What is known of the port of `node`, where the command line is silent: image, rate, format. True:
 * the image is from there, and should be said.
 */
bool remember_apply(struct node_options *node, const struct options *o, struct remembered *r);

/* The node was listened to with an image that is not refused: keep it for the next time. */
void remember_keep(const struct node *n, const struct options *o);

/* "yesterday", "3 days ago": when that was. */
const char *remember_when(int64_t then, char *dst, size_t size);

#endif
