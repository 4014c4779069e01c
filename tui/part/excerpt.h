/*
 * excerpt: lines of a source file around one of them, as they are in the file. For tui/view.
 *
 *	clock.c:67
 *	    65  ISR(TIMER1_COMPA_vect)
 *	    66  {
 *	>   67          clock_tick();
 *	    68  }
 *
 * The file is kept open for the next frame; it is looked at again once a second.
 */
#ifndef WSNTOP_TUI_PART_EXCERPT_H
#define WSNTOP_TUI_PART_EXCERPT_H

#include "core/source/source.h"
#include "tui/term/grid.h"

enum { EXCERPT_LEAST = 3, EXCERPT_MOST = 40 };	/* lines below the title */

/* All zero: no file yet. */
struct excerpt {
	char *path;			/* as DWARF has it */
	struct source *source;		/* NULL: not found */
	uint64_t checked_ns;
};

void excerpt_release(struct excerpt *e);

/*
 * Into the upper lines of g, as many as have room; how many. 0: no such file or line is found, or
 * there is room for less than EXCERPT_LEAST. `beside`: the ELF's path or NULL.
 */
int excerpt_draw(struct excerpt *e, struct grid *g, const char *path, uint32_t line,
		 const char *beside, const struct source_paths *paths);

/*
 * `width` columns of a line of code, from column `skip` on, tabs every 8: into dst, visible. Bytes
 * that are no text become \xNN. The whole line's columns are not counted: it stops at the edge.
 */
void excerpt_text(char *dst, size_t size, const char *text, size_t length, int skip, int width);

#endif
