/*
 * facts: more about one function: its address, and where inside it its PC samples fell, an
 * assembler label or a source line each. For tui/view.
 */
#ifndef WSNTOP_TUI_PART_FACTS_H
#define WSNTOP_TUI_PART_FACTS_H

#include "core/image/image.h"
#include "core/profile/look/spots.h"
#include "tui/term/grid.h"

/*
 * Draw in the lines from y to the bottom: a title, the facts, then as many spots as there is room
 * for. `s` is room to work in, filled again by each call: labels and files are the image's, and the
 * image may be another one by the next frame. Returns the first free line below them.
 */
int facts_draw(struct spots *s, const struct profile *p, const struct image *im, struct grid *g,
		int y, uint32_t function);

#endif
