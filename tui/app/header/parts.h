/*
 * parts: functions and limits that the files of the header share.
 */
#ifndef WSNTOP_TUI_APP_HEADER_PARTS_H
#define WSNTOP_TUI_APP_HEADER_PARTS_H

#include "tui/app/header/header.h"

enum {
	HEADER_NARROW = 60,		/* columns below: short, and no line for notes */
	HEADER_LOW = 14,		/* lines below: one line on top */
};

/* Nanoseconds without a byte of a wsn node that is connected, from 5 s on; 0: it sends. */
uint64_t header_silent(const struct header *h);

/* A warning if there is one, else facts of the node and its format. False: no line drawn. */
bool header_draw_note(struct grid *g, int y, const struct header *h);

void header_draw_tabs(struct grid *g, int y, const struct header *h);

#endif
