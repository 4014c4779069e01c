/*
 * about: what a recording says of itself (core/link/record.h), where its bytes do not: lines of a
 * word and what is behind it.
 *
 *	format NAME		of the packets, a name of wire_formats
 *	source SOURCE		that it was made of; the decoder has its options (clock=)
 *	clock HZ		of the core, as SWO's set-up measured it
 *	watch NOTE REAL TEXT	what was watched, with the note of its events; REAL: 1 for doubles
 *	comparator N NOTE	whose matches comparator N tells
 *
 * Words that are not known are left out, and so is what is not right: a later wsntop may write
 * more.
 */
#ifndef WSNTOP_NODE_ABOUT_H
#define WSNTOP_NODE_ABOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/buf.h"
#include "core/node/watched.h"
#include "core/wire/wire.h"

enum { ABOUT_SOURCE = 256, ABOUT_COMPARATORS = 4 };

struct about {
	char format[24];		/* "" not said */
	char source[ABOUT_SOURCE];
	double clock_hz;		/* 0: not said */
	struct about_watch {
		uint32_t note;
		bool is_real;
		char text[LOGGED_TEXT];
	} watches[WIRE_WATCHES];
	size_t watch_count;
	uint32_t comparators[ABOUT_COMPARATORS];	/* notes; 0: not said */
};

void about_read(struct about *a, const char *text);
void about_write(const struct about *a, struct buf *text);

/* Adds one, unless its note is there. False: there is no room. */
bool about_watched(struct about *a, uint32_t note, bool is_real, const char *text);

#endif
