/*
 * parts: functions and limits that the files of the header share.
 */
#ifndef WSNTOP_TUI_APP_HEADER_PARTS_H
#define WSNTOP_TUI_APP_HEADER_PARTS_H

#include "tui/app/header/header.h"

enum {
	HEADER_NARROW = 60,		/* columns below: one line, of short words */
	HEADER_LOW = 14,		/* lines below: likewise one */
};

/* Nanoseconds without a byte of a wsn node that is connected, from 5 s on; 0: it sends. */
uint64_t header_silent(const struct header *h);

/* Below the first line: where the node's time goes; a warning while it stands. How many lines. */
int header_draw_state(struct grid *g, int y, const struct header *h);

/* A bar of where the time goes, and the share of each part. False: not known, nothing drawn. */
bool header_draw_duty(struct grid *g, int y, const struct header *h);

void header_draw_tabs(struct grid *g, int y, const struct header *h);

#endif
