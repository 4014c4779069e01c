#include "tui/part/excerpt.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"

enum { EXCERPT_NUMBER = 6 };		/* columns of a line's number */

#define EXCERPT_CHECK_NS CLOCK_SECOND	/* how often a file is looked for and at */

struct clip {
	char *dst;
	size_t used, size;
	int column, from, to;		/* columns shown: [from, to) */
};

/* `n` bytes that take `width` columns; one that is cut by an edge is blank. */
static void clip_put(struct clip *c, const char *s, size_t n, int width)
{
	int end = c->column + width;

	if (c->column >= c->from && end <= c->to) {
		if (c->used + n < c->size) {
			memcpy(c->dst + c->used, s, n);
			c->used += n;
		}
	} else {
		for (int x = c->column; x < end; x++) {
			if (x >= c->from && x < c->to && c->used + 1 < c->size)
				c->dst[c->used++] = ' ';
		}
	}
	c->column = end;
}

void excerpt_text(char *dst, size_t size, const char *text, size_t length, int skip, int width)
{
	struct clip c = { .dst = dst, .size = size, .from = skip, .to = skip + width };
	char shown[16];

	while (length && c.column < c.to) {
		uint32_t cp = 0;
		size_t n = text_utf8(text, length, &cp);

		n = n ? n : 1;
		if (*text == '\t') {
			do
				clip_put(&c, " ", 1, 1);
			while (c.column % 8);
		} else {
			text_visible(shown, sizeof(shown), text, n);
			clip_put(&c, shown, strlen(shown), text_columns(shown));
		}
		text += n;
		length -= n;
	}
	dst[c.used] = '\0';
}

void excerpt_release(struct excerpt *e)
{
	source_close(e->source);
	mem_free(e->path);
	*e = (struct excerpt){ 0 };
}

/* A file that was edited is read again; one that was not found is looked for again. */
static void excerpt_open(struct excerpt *e, const char *path, const char *beside,
			 const struct source_paths *paths)
{
	bool same = e->path && !strcmp(e->path, path);

	if (same && clock_now() - e->checked_ns < EXCERPT_CHECK_NS)
		return;
	e->checked_ns = clock_now();
	if (same && e->source && !source_changed(e->source))
		return;
	source_close(e->source);
	if (!same) {
		mem_free(e->path);
		e->path = mem_strdup(path);
	}
	e->source = e->path ? source_open(path, beside, paths, NULL) : NULL;
}

int excerpt_draw(struct excerpt *e, struct grid *g, const char *path, uint32_t line,
		 const char *beside, const struct source_paths *paths)
{
	size_t lines, first, room = g->height > 1 ? (size_t)g->height - 1 : 0;
	struct source_line at;
	char text[512];
	int y = 0;

	if (room < EXCERPT_LEAST || !line)
		return 0;
	excerpt_open(e, path, beside, paths);
	lines = e->source ? source_lines(e->source) : 0;
	if (line > lines)
		return 0;
	room = room < EXCERPT_MOST ? room : EXCERPT_MOST;
	first = line > room / 3 ? line - room / 3 : 1;
	if (first + room > lines + 1)
		first = lines >= room ? lines + 1 - room : 1;
	grid_fill(g, 0, y, -1, ROLE_TITLE, ' ');
	grid_textf(g, 0, y++, -1, ROLE_TITLE, "%s:%" PRIu32, text_basename(path), line);
	for (size_t i = first; i < first + room && source_line(e->source, i, &at); i++, y++) {
		bool marked = i == line;
		int x = EXCERPT_NUMBER + 2;

		grid_text(g, 0, y, 1, ROLE_VALUE, !marked ? "" : g->utf8 ? "▸" : ">");
		snprintf(text, sizeof(text), "%zu", i);
		grid_right(g, 1, y, EXCERPT_NUMBER, ROLE_DIM, text);
		excerpt_text(text, sizeof(text), at.text, at.length, 0, g->width - x);
		grid_text(g, x, y, -1, marked ? ROLE_VALUE : ROLE_DEFAULT, text);
	}
	return y;
}
