/*
 * cures: why a port cannot be opened, and the cure: the first sentences that a new user reads.
 * Private to core/link/ and its tests.
 *
 * The sentences are made from facts, so that each can be tested without the actual problem.
 */
#ifndef WSNTOP_LINK_CURES_H
#define WSNTOP_LINK_CURES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

/* Facts about a device that may not be opened. */
struct cure_facts {
	unsigned mode;			/* of st_mode */
	char group[64];			/* that owns it; "" none, or root */
	bool member, session;		/* this user is in it: by the group file; in this session */
	unsigned vendor, product;	/* of USB; 0: no USB device */
};

/* "permission denied: add yourself to group dialout (sudo usermod -aG dialout $USER) and ..." */
void cures_denied(const struct cure_facts *f, char *dst, size_t size);

/* The facts, as they are; vendor and product stay as given. */
void cures_look(struct cure_facts *f, const struct stat *st);

/* ModemManager talks to a new ttyACM port for seconds; the rule that keeps it away. */
void cures_manager(unsigned vendor, unsigned product, char *dst, size_t size);

#endif
