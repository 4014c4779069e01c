/*
 * annotation: the rows of the source view: a file's lines, and between them notes: calls, inlined
 * bodies, instructions. Private to tui/view.
 *
 * Only the notes are stored, by line; of the file's lines only their number. A file of a million
 * lines costs nothing to update.
 */
#ifndef WSNTOP_TUI_VIEW_SOURCE_ANNOTATION_H
#define WSNTOP_TUI_VIEW_SOURCE_ANNOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In the order in which they stand under a line. */
enum note_kind {
	NOTE_TEXT,			/* the line itself */
	NOTE_ENTRY,			/* the function's own calls and time */
	NOTE_CALL,			/* index: in cost.calls */
	NOTE_INLINED,			/* index: in cost.inlines */
	NOTE_PLACE,			/* line of the instructions that follow; index: the first */
	NOTE_INSTRUCTION,		/* index: in the listing */
};

struct note {
	uint32_t line;			/* it stands under; 0: no line */
	uint8_t kind;
	uint32_t index;
};

struct annotation {
	struct note *v;
	size_t count, cap;
	size_t lines;			/* of the file; 0: only notes */
};

void annotation_release(struct annotation *a);
void annotation_clear(struct annotation *a, size_t lines);
/* 0 or ERR_NOMEM. */
int annotation_add(struct annotation *a, uint32_t line, enum note_kind kind, size_t index);
void annotation_sort(struct annotation *a);	/* by line, kind, index: where there are lines */

size_t annotation_rows(const struct annotation *a);
struct note annotation_at(const struct annotation *a, size_t row);
/* The row of a line's text (lines count from 1); of a note, or of its line if it is not there. */
size_t annotation_row(const struct annotation *a, uint32_t line);
size_t annotation_find(const struct annotation *a, struct note note);

#endif
