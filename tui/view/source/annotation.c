#include "tui/view/source/annotation.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

void annotation_release(struct annotation *a)
{
	mem_free(a->v);
	*a = (struct annotation){ NULL };
}

void annotation_clear(struct annotation *a, size_t lines)
{
	a->count = 0;
	a->lines = lines;
}

int annotation_add(struct annotation *a, uint32_t line, enum note_kind kind, size_t index)
{
	if (mem_grow(&a->v, &a->cap, a->count + 1, sizeof(*a->v)) < 0)
		return ERR_NOMEM;
	/* DWARF may name lines that the file does not have. */
	if (line > a->lines)
		line = (uint32_t)a->lines;
	a->v[a->count++] = (struct note){ line, (uint8_t)kind, (uint32_t)index };
	return 0;
}

static int note_order(const void *a, const void *b)
{
	const struct note *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

void annotation_sort(struct annotation *a)
{
	if (a->count)
		qsort(a->v, a->count, sizeof(*a->v), note_order);
}

/* --- rows ------------------------------------------------------------------------------------- */

size_t annotation_rows(const struct annotation *a)
{
	return a->lines + a->count;
}

/* Note i stands behind as many lines as it says, and i notes: the rows of notes only grow. */
static size_t note_row(const struct annotation *a, size_t i)
{
	return a->v[i].line + i;
}

/* The first note at or behind a row. */
static size_t note_behind(const struct annotation *a, size_t row)
{
	return SORTED_WHERE(a->count, i, note_row(a, i) < row);
}

struct note annotation_at(const struct annotation *a, size_t row)
{
	size_t i = note_behind(a, row);

	if (i < a->count && note_row(a, i) == row)
		return a->v[i];
	return (struct note){ .line = row - i < a->lines ? (uint32_t)(row - i + 1) : 0 };
}

/* Notes of the lines before stand above it. */
size_t annotation_row(const struct annotation *a, uint32_t line)
{
	if (line > a->lines)
		line = (uint32_t)a->lines;
	return line ? line - 1 + SORTED_WHERE(a->count, i, a->v[i].line < line) : 0;
}

size_t annotation_find(const struct annotation *a, struct note note)
{
	size_t row = annotation_row(a, note.line);

	for (size_t i = row + (a->lines && note.line); i < annotation_rows(a); i++) {
		struct note n = annotation_at(a, i);

		if (n.kind == note.kind && n.index == note.index && n.line == note.line)
			return i;
		if (n.kind == NOTE_TEXT || n.line != note.line)
			break;
	}
	return row;
}
