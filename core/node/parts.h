/*
 * node_parts: what the files of a node share. Private to core/node*.c.
 *
 * node.c	life, reports and streams, the link, the poll loop's side
 * node_image.c	which ELF is the node's, and how well it agrees with what comes
 * node_health.c	how the node and its line fare, over time
 * node_past.c	what is kept over time
 * node_listen.c	at which baud rate what comes makes sense
 * node_before.c	what ran before the firmware became another one
 * node_said.c	what a node that says who it is (wsn) says, and what it is told
 */
#ifndef WSNTOP_NODE_PARTS_H
#define WSNTOP_NODE_PARTS_H

#include "core/node/node.h"

#define NODE_AGREES 0.9			/* share of addresses from which an image fits */

/* A line for the console, and for whoever shows news. */
void node_say(struct node *n, bool bad, const char *line);

/* node_image.c */
int node_images_open(struct node *n, struct err *err);
void node_images_close(struct node *n);
void node_image_service(struct node *n, uint64_t now);
int node_image_timeout(const struct node *n, uint64_t now);
void node_agreement_update(struct node *n);

/* node_before.c: the selected profile as it stands is the last run; that of another image: before */
void node_before_keep(struct node *n);
bool node_before_take(struct node *n);		/* false: nothing ran before */
void node_before_release(struct node *n);

/* node_said.c: fill in the sink's members */
void node_said_sink(struct wire_sink *sink);
void node_said_service(struct node *n, uint64_t now);
int node_said_timeout(const struct node *n, uint64_t now);

/* node_past.c: a history for a new profile; 0 or ERR_NOMEM */
int node_past_open(struct node *n, size_t profile);
void node_past_release(struct node *n);
void node_past_bytes(struct node *n, const uint8_t *data, size_t count);	/* before they are decoded */
void node_past_fed(struct node *n);		/* and after it */
void node_past_report(struct node *n, size_t profile);
void node_past_silent(struct node *n);
void node_past_rows(struct node *n);		/* wsn: before rows are taken in */
void node_past_status(struct node *n);		/* wsn: a refresh begins */
void node_past_now(struct node *n);		/* counts are about to be forgotten */
void node_past_end(struct node *n);
void node_past_image(struct node *n, size_t profile);	/* n->image is about to name the profile */

/* node_health.c: a sample when it is due at this time of the data */
void node_health_service(struct node *n, uint64_t time_ns);

/* node_listen.c */
void node_listen_start(struct node *n);
bool node_listen_take(struct node *n, uint64_t now, const uint8_t *data, size_t count);
void node_listen_service(struct node *n, uint64_t now);
int node_listen_timeout(const struct node *n, uint64_t now);
void node_listen_end(struct node *n);

/* node.c: the user's reset, here or there: longest calls up to now count no more */
void node_worst_forget(struct node *n);

/* node.c: bytes of the node's, for the recording and the decoder */
void node_take(struct node *n, const uint8_t *data, size_t count);

#endif
