/*
 * seek: which port has the node that runs an image? All that may be opened are listened to at
 * once; the one whose node says so by its HELLO (docs/PROTOCOL.md, 4) is it. For streams that say
 * nothing of the kind the share of their addresses that make sense in the image is what speaks.
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
	SEEK_OPEN,			/* nothing speaks for it yet */
	SEEK_NO,			/* another firmware, or it cannot be listened to */
	SEEK_FITS,			/* 90 % of its addresses make sense */
	SEEK_SAME,			/* its node says so */
};

struct seek_port {
	struct link_port port;
	struct node *node;		/* NULL: not listened to */
	char why[320];			/* then: why not */
	bool judged;			/* the image was given to it, to see whether it fits */
};

struct seek {
	const char *elf;		/* borrowed */
	struct seek_port ports[SEEK_PORTS];
	size_t count;
	uint64_t since;
};

/*
 * Begin with the ports there are; `like`: the other options of their nodes, without source and image;
 * `known`: rates of earlier times, may be NULL. More ports come by calling seek_add again.
 */
void seek_init(struct seek *s, const char *elf);
void seek_add(struct seek *s, const struct link_port *ports, size_t n,
	      const struct node_options *like, const struct pairs *known);
void seek_release(struct seek *s);

size_t seek_poll_fds(const struct seek *s, struct pollfd *fds);	/* up to SEEK_PORTS * NODE_FDS */
int seek_timeout(const struct seek *s, uint64_t now);

/* Listen on; the port that is it, or SEEK_PORTS. */
size_t seek_service(struct seek *s, uint64_t now);

enum seek_fit seek_fit(const struct seek *s, size_t i);
/* "57600 baud, text", "mote 7 runs another firmware", "held by minicom (pid 123)". */
const char *seek_says(const struct seek *s, size_t i, char *dst, size_t size);

/* Its node, with the image; it is the caller's, and recorded from here on if `record`. NULL: none. */
struct node *seek_take(struct seek *s, size_t i, const char *record, struct err *err);

#endif
