/*
 * picker_parts: the state of the start page. Private to tui/start/picker*.c.
 *
 *	picker.c	the loop, the keys, the choices
 *	picker_list.c	the entries of the list
 *	picker_draw.c	the page
 */
#ifndef WSNTOP_TUI_START_PICKER_PARTS_H
#define WSNTOP_TUI_START_PICKER_PARTS_H

#include "core/find/pairs.h"
#include "core/run/seek.h"
#include "tui/term/grid.h"
#include "tui/config/keymap.h"
#include "tui/config/options.h"
#include "tui/part/prompt.h"
#include "tui/part/list.h"

enum {
	PICKER_ITEMS = 160, PICKER_PATH = 512, PICKER_PORTS = 32,
	PICKER_TOP = 3,			/* row of the list's first line */
};

enum item_kind {
	ITEM_HEADING, ITEM_NOTE,	/* cannot be chosen */
	ITEM_SOURCE,			/* its label is the source */
	ITEM_PAIR,			/* likewise, with the image of last time */
	ITEM_IMAGE,			/* an ELF file: of the chosen source, or to seek its node */
	ITEM_SOUGHT,			/* a port that is listened to */
	ITEM_TYPE,
	ITEM_NONE,			/* no image */
};

struct item {
	enum item_kind kind;
	char label[PICKER_PATH];	/* a path, a source, words */
	char what[300];
	char cure[320];			/* below the list while it is selected; "" nothing */
	bool doubtful;			/* may not be usable */
	size_t index;			/* ITEM_SOUGHT: of the port; ITEM_PAIR: of the pair */
};

enum stage { STAGE_SOURCE, STAGE_IMAGE, STAGE_SEEK };

struct picker {
	const struct options *options;
	const struct keymap *keys;
	enum stage stage;
	struct item items[PICKER_ITEMS];
	struct list list;
	struct link_port ports[PICKER_PORTS];
	size_t port_count;
	struct pairs pairs;
	char source[PICKER_PATH], elf[PICKER_PATH];
	char trouble[400];
	char filter[128];		/* only entries with these letters; "" all */
	struct prompt prompt;
	enum { ASK_NOTHING, ASK_PATH, ASK_FILTER } asking;	/* the prompt's use */
	struct seek seek;		/* without ports except in STAGE_SEEK */
	bool moved;			/* the user chose where the cursor is */
	int page;			/* lines of the list drawn last */
	bool draw_now;			/* the user did something */
	bool left;
	struct node *node;
};

bool picker_choosable(const struct item *i);

/* The entries again; the cursor stays on its entry. `look`: search for ports, too. */
void picker_list(struct picker *p, bool look);

/* The page; the column of the cursor in its last line, -1 none. */
int picker_draw(struct picker *p, struct grid *g);

#endif
