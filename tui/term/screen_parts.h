/*
 * screen_parts: the state that the files of the screen share. The only header that includes curses;
 * only screen.c, screen_look.c and screen_keys.c include it.
 */
#ifndef WSNTOP_TUI_TERM_SCREEN_PARTS_H
#define WSNTOP_TUI_TERM_SCREEN_PARTS_H

#define NCURSES_WIDECHAR 1
#include <curses.h>
#include <stdio.h>
#include <wchar.h>

#include "tui/term/line.h"
#include "tui/term/screen.h"

enum {
	SCREEN_PAIRS = 512,
	SCREEN_ESCAPE_MS = 25,		/* between the bytes of one key */
};

struct look {
	attr_t attributes;
	int pair;
	bool known;
};

struct screen {
	SCREEN *term;
	WINDOW *keys;			/* a pad: reading from stdscr would refresh it */
	FILE *in;
	mbstate_t partial;		/* a character of which some bytes have not arrived yet */
	struct theme theme;
	enum theme_depth depth;
	int colors;
	bool defaults;			/* the terminal has default colours */
	bool console;			/* the Linux console: few glyphs */
	struct look looks[ROLE_COUNT][2];
	struct { int32_t fg, bg; } pairs[SCREEN_PAIRS];	/* as curses knows them */
	int pair_count;
	struct grid grid;
	struct cell *shown;		/* given to curses last */
	cchar_t *line;
	int cursor_x, cursor_y;
	struct line out;		/* the way to the terminal */
	bool left;			/* rows of the grid that are not shown yet */
	bool redraw;
	bool mouse, motion;		/* wanted; its moves are reported at present */
	struct { int x, y; uint64_t time; } click;
};

/* The number of colours, and whether there are default colours. After initscr. */
void screen_find_colors(struct screen *s);

/* Made at its first use; borrowed until the theme changes. */
const struct look *screen_look(struct screen *s, const struct cell *c);

#endif
