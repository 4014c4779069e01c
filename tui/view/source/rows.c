/*
 * rows: the rows of a file, its costs and its instructions, and the place of the cursor in them.
 */
#include <string.h>

#include "core/base/mem.h"
#include "tui/view/source/view.h"

static void code_lines_find(struct source_view *v)
{
	const struct listing *l = source_listing(v);
	uint32_t before = 0;

	if (v->code || !l || !l->count || !v->image)
		return;
	v->jumps = 0;
	v->code = mem_zalloc(l->count * sizeof(*v->code));
	for (size_t i = 0; v->code && i < l->count; i++) {
		struct image_line line;
		bool known = image_line(v->image, l->v[i].address, &line);

		v->code[i].line = cost_place(v->image, l->v[i].address, v->path, NULL, NULL);
		v->code[i].head = known && line.line != before;
		before = known ? line.line : 0;
		v->jumps += listing_jump(l, i) != SIZE_MAX;
	}
}

uint32_t source_line_of(const struct source_view *v, size_t instruction)
{
	const struct listing *l = source_listing(v);

	return l && v->code && instruction < l->count ? v->code[instruction].line : 0;
}

/*
 * A call whose callee the line names, and no other there, needs no row of its own; a recursive one
 * has a note of its times.
 */
static bool call_is_named_by_line(const struct source_view *v, const struct cost_call *c)
{
	const struct cost_line *l = cost_line(&v->cost, c->line);
	const char *name = v->profile->functions[c->callee].name;
	struct source_line text;

	return l && l->sites == 1 && !c->inlined && !c->inner && v->source &&
	       source_line(v->source, c->line, &text) &&
	       memmem(text.text, text.length, name, strlen(name));
}

static void notes_add(struct source_view *v)
{
	for (size_t i = 0; i < v->cost.call_count; i++) {
		if (v->cost.calls[i].line && !call_is_named_by_line(v, &v->cost.calls[i]))
			annotation_add(&v->rows, v->cost.calls[i].line, NOTE_CALL, i);
	}
	for (size_t i = 0; i < v->cost.inline_count; i++)
		annotation_add(&v->rows, v->cost.inlines[i].line, NOTE_INLINED, i);
}

/* Under the lines that they count for; one of no line stays with the one before it. */
static void instructions_add(struct source_view *v)
{
	const struct listing *l = source_listing(v);
	uint32_t line = v->entry;

	for (size_t i = 0; i < l->count; i++) {
		uint32_t at = source_line_of(v, i);

		line = at ? at : line;
		annotation_add(&v->rows, line, NOTE_INSTRUCTION, i);
	}
}

/* In their own order, a heading wherever the line changes. */
static void code_add(struct source_view *v)
{
	const struct listing *l = source_listing(v);

	if (source_function(v))
		annotation_add(&v->rows, 0, NOTE_ENTRY, 0);
	for (size_t i = 0; i < l->count; i++) {
		if (v->code && v->code[i].head)
			annotation_add(&v->rows, 0, NOTE_PLACE, i);
		annotation_add(&v->rows, 0, NOTE_INSTRUCTION, i);
	}
}

static void instruction_rows_keep(struct source_view *v)
{
	for (size_t i = 0; v->code && i < v->rows.count; i++) {
		if (v->rows.v[i].kind == NOTE_INSTRUCTION)
			v->code[v->rows.v[i].index].row = v->rows.v[i].line + i;
	}
}

static void rows_make(struct source_view *v)
{
	size_t lines = v->source ? source_lines(v->source) : 0;

	code_lines_find(v);
	annotation_clear(&v->rows, v->mode == SOURCE_MODE_CODE && source_listed(v) ? 0 : lines);
	if (v->rows.lines) {
		if (v->entry && source_function(v))
			annotation_add(&v->rows, v->entry, NOTE_ENTRY, 0);
		if (source_listed(v))
			instructions_add(v);
		else if (source_function(v))
			notes_add(v);
		annotation_sort(&v->rows);
	} else if (source_listed(v)) {
		code_add(v);
	}
	instruction_rows_keep(v);
	v->list.count = annotation_rows(&v->rows);
}

struct source_place source_rows_place(const struct source_view *v)
{
	struct note n = annotation_at(&v->rows, v->list.cursor);
	const struct listing *l = source_listing(v);
	struct source_place p = { .address = v->address, .line = n.line, .kind = n.kind };

	if (n.kind == NOTE_CALL && n.index < v->cost.call_count)
		p.at = v->cost.calls[n.index].at;
	if ((n.kind == NOTE_INSTRUCTION || n.kind == NOTE_PLACE) && l && n.index < l->count) {
		p.at = l->v[n.index].address;
		p.line = n.line ? n.line : source_line_of(v, n.index);
	}
	return p;
}

/* The row of an instruction, where they are shown; SIZE_MAX: they are not. */
static size_t instruction_row(const struct source_view *v, const struct source_place *p)
{
	const struct listing *l = source_listing(v);
	size_t at = l && source_listed(v) && p->at ? listing_find(l, p->at) : SIZE_MAX;

	for (size_t i = 0; at != SIZE_MAX && i < v->rows.count; i++) {
		if (v->rows.v[i].kind == NOTE_INSTRUCTION && v->rows.v[i].index == at)
			return v->rows.v[i].line + i;
	}
	return SIZE_MAX;
}

static size_t line_row(const struct source_view *v, uint32_t line)
{
	if (v->rows.lines)
		return annotation_row(&v->rows, line ? line : v->entry);
	for (size_t i = 0; line && i < v->rows.count; i++) {
		if (v->rows.v[i].kind == NOTE_INSTRUCTION &&
		    source_line_of(v, v->rows.v[i].index) == line)
			return i;
	}
	return 0;
}

void source_rows_go(struct source_view *v, const struct source_place *p)
{
	size_t row = SIZE_MAX;

	if (p->kind == NOTE_INSTRUCTION || p->kind == NOTE_CALL)
		row = instruction_row(v, p);
	for (size_t i = 0; row == SIZE_MAX && p->kind == NOTE_CALL && i < v->cost.call_count; i++) {
		if (v->cost.calls[i].at == p->at)
			row = annotation_find(&v->rows, (struct note){ p->line, NOTE_CALL,
								       (uint32_t)i });
	}
	if (row == SIZE_MAX && p->kind == NOTE_ENTRY && v->rows.lines)
		row = annotation_find(&v->rows, (struct note){ p->line, NOTE_ENTRY, 0 });
	v->list.cursor = row == SIZE_MAX ? line_row(v, p->line) : row;
	if (v->list.cursor >= v->list.count)
		v->list.cursor = v->list.count ? v->list.count - 1 : 0;
}

/* The cursor stays at its place, on the same line of the screen. */
void source_rows_rebuild(struct source_view *v, const struct source_place *p)
{
	size_t above = v->list.cursor > v->list.top ? v->list.cursor - v->list.top : 0;

	rows_make(v);
	if (v->fresh) {
		/* The function's first line, with two lines above it. */
		v->list.cursor = v->rows.lines ? annotation_row(&v->rows, v->entry) : 0;
		above = 2;
		v->left = 0;
	} else {
		source_rows_go(v, p);
	}
	v->list.top = v->list.cursor > above ? v->list.cursor - above : 0;
	/* Without rows the cursor has yet to go to the beginning. */
	v->fresh = v->fresh && !v->list.count;
}

void source_rows_update(struct source_view *v)
{
	struct source_place p = source_rows_place(v);

	source_rows_rebuild(v, &p);
}
