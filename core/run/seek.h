/*
 * seek: find the port whose node runs an image. All ports that may be opened are listened to at
 * once. The node whose HELLO (docs/PROTOCOL.md, 4) names the image is the one. A stream without
 * such a message is judged by the share of its addresses that make sense in the image.
 *
 * Nothing is written to any port. Nothing here blocks.
 */
#ifndef WSNTOP_RUN_SEEK_H
#define WSNTOP_RUN_SEEK_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/link/link.h"
#include "core/node/node.h"
#include "core/find/pairs.h"

enum { SEEK_PORTS = 16 };

enum seek_fit {
	SEEK_OPEN,			/* not known yet */
	SEEK_NO,			/* another firmware, or it cannot be listened to */
	SEEK_FITS,			/* 90 % of its addresses make sense */
	SEEK_SAME,			/* its node has sent that it runs the image */
};

struct seek_port {
	struct link_port port;
	struct node *node;		/* NULL: not listened to */
	char why[320];			/* then: why not */
	bool judged;			/* its stream was compared with the image */
};

struct seek {
	const char *elf;		/* borrowed */
	struct seek_port ports[SEEK_PORTS];
	size_t count;
	uint64_t since;
};

/*
 * seek_add: the ports that exist now; it is called again to add new ones. `like`: the other options
 * of their nodes, without source and image; `known`: the rates of earlier times, may be NULL.
 */
void seek_init(struct seek *s, const char *elf);
void seek_add(struct seek *s, const struct link_port *ports, size_t n,
	      const struct node_options *like, const struct pairs *known);
void seek_release(struct seek *s);

size_t seek_poll_fds(const struct seek *s, struct pollfd *fds);	/* up to SEEK_PORTS * NODE_FDS */
int seek_timeout(const struct seek *s, uint64_t now);

/* Reads what has arrived. The port whose node runs the image, or SEEK_PORTS. */
size_t seek_service(struct seek *s, uint64_t now);

enum seek_fit seek_fit(const struct seek *s, size_t i);
/* "text, no packets, 57600 baud", "mote 7 runs another firmware", "held by minicom (pid 123)". */
const char *seek_describe(const struct seek *s, size_t i, char *dst, size_t size);

/*
 * The port's node, with the image; owned by the caller from here on, and recorded if `record` is
 * set. NULL with the sentence.
 */
struct node *seek_take(struct seek *s, size_t i, const char *record, struct err *err);

#endif
