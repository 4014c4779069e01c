/*
 * nodes: all the nodes of a program, as many as there are, and the carriers that bring them.
 *
 * They share one budget for what is kept of the past. Nodes stay where they are while others come:
 * indices and pointers hold until nodes_release, or nodes_drop, which moves indices.
 */
#ifndef WSNTOP_NODE_NODES_H
#define WSNTOP_NODE_NODES_H

#include <poll.h>
#include <stddef.h>
#include <stdint.h>

#include "core/link/carrier.h"
#include "core/node/node.h"

struct nodes {
	struct node **items;
	size_t count, cap;
	/* Of many nodes the most are only told (core/link/carrier.h); set before nodes_open. */
	const struct carrier_ear *ear;	/* outlives it; NULL: each is opened */
	/* private */
	struct nodes_carrier *carriers;
	size_t carrier_count, carrier_cap;
	struct history_budget budget;
};

void nodes_init(struct nodes *ns);
/* The past of all is drawn from a quota, too, which outlives them. */
void nodes_share(struct nodes *ns, struct quota *quota);
void nodes_release(struct nodes *ns);		/* the nodes, then their carriers */

/*
 * A source: its carrier is opened, and the first nodes that it brings are added; more come with
 * nodes_service. Strings of `o` are borrowed, until nodes_release where the carrier may bring more.
 * 0, or negative with the sentence.
 */
int nodes_open(struct nodes *ns, const struct node_options *o, struct err *err);
int nodes_carry(struct nodes *ns, struct carrier *c, const struct node_options *o, struct err *err);
/* A node made elsewhere, which keeps its budget. Owned from now on, also on failure. */
int nodes_add(struct nodes *ns, struct node *n);

/*
 * A node that a carrier tells of, by its name, is added as the last; and one goes, those behind it
 * move up. The carrier goes on to tell of it. 0, or negative with the sentence.
 */
int nodes_open_told(struct nodes *ns, const char *name, struct err *err);
void nodes_drop(struct nodes *ns, size_t index);

/* Of all carriers that tell of nodes: all 0: there is none. */
struct carrier_count nodes_told(const struct nodes *ns);

/*
 * New nodes of carriers: how many were added. Negative with the sentence: one could not be opened;
 * it is left out, those before it were added, and the next call goes on behind it.
 */
int nodes_service(struct nodes *ns, uint64_t now, struct err *err);

/*
 * What all want to be polled for, at most nodes_fds_max() entries; ms until one wants to be called.
 */
size_t nodes_fds_max(const struct nodes *ns);
size_t nodes_poll_fds(const struct nodes *ns, struct pollfd *fds);
int nodes_timeout(const struct nodes *ns, uint64_t now);
bool nodes_overflow(const struct nodes *ns);	/* some link does (core/link/link.h) ... */
void nodes_relieve(struct nodes *ns);		/* ... and is relieved, by another thread */

#endif
