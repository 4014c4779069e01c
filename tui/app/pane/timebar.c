#include "tui/app/pane/timebar.h"

#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/app/pane/pane.h"

enum {
	NARROW = 60,			/* below: no clock times */
	WIDE = 100,			/* from here: what the heights mean, and more words */
	GAP = 2,
};

struct bar {
	const struct history *h;
	uint64_t begin_ns, end_ns;	/* all the time there is */
	int x, width;			/* of the columns in the line */
	int words_x;
};

/* --- where what stands ------------------------------------------------------------------------ */

static void kept_ends(const struct history *h, uint64_t *begin_ns, uint64_t *end_ns)
{
	struct history_moment m = { 0 };

	history_moment(h, 0, &m);
	*begin_ns = m.time_ns - (m.length_ns < m.time_ns ? m.length_ns : 0);
	history_moment(h, history_count(h) - 1, &m);
	*end_ns = m.time_ns > *begin_ns ? m.time_ns : *begin_ns + 1;
}

static int words_width(int width)
{
	return width < NARROW ? 20 : width < WIDE ? 23 : 36;
}

static int clock_width(const struct pane *p, const struct bar *b)
{
	char from[24], to[24];
	int x = text_columns(past_clock(p->node, b->h, b->begin_ns, from, sizeof(from)));
	int y = text_columns(past_clock(p->node, b->h, b->end_ns, to, sizeof(to)));

	return (x > y ? x : y) + 1;
}

enum { KIND = 17 };			/* columns for what the heights mean */

static void bar_lay_out(const struct pane *p, struct bar *b, int width)
{
	int clock = width < NARROW ? 0 : clock_width(p, b);

	b->x = clock + (width < WIDE ? 0 : KIND);
	b->width = width - b->x - clock - GAP - words_width(width);
	if (width < NARROW)
		b->width++;
	if (b->width > TIMEBAR_COLUMNS)
		b->width = TIMEBAR_COLUMNS;
	b->words_x = b->x + b->width + clock + GAP - (width < NARROW);
}

static bool bar_begin(const struct pane *p, struct bar *b, int width)
{
	b->h = p->stretch.history;
	if (!b->h)
		return false;
	kept_ends(b->h, &b->begin_ns, &b->end_ns);
	bar_lay_out(p, b, width);
	return b->width > 0;
}

static int column_of(const struct bar *b, uint64_t time_ns)
{
	double share = (double)(time_ns - b->begin_ns) / (double)(b->end_ns - b->begin_ns);
	int x = (int)(share * b->width);

	return time_ns <= b->begin_ns ? 0 : x < b->width ? x : b->width - 1;
}

/* A moment is in the columns that its time touches; its end belongs to it. */
static void span_of(const struct bar *b, const struct history_moment *m, int *from, int *to)
{
	*from = column_of(b, m->time_ns - (m->length_ns < m->time_ns ? m->length_ns : 0));
	*to = column_of(b, m->time_ns > b->begin_ns ? m->time_ns - 1 : m->time_ns);
	if (*to < *from)
		*to = *from;
}

bool timebar_at(const struct pane *p, int width, int x, uint64_t *time_ns)
{
	struct bar b = { .h = NULL };

	if (!bar_begin(p, &b, width) || x < b.x || x >= b.x + b.width)
		return false;
	*time_ns = b.begin_ns + (uint64_t)((x - b.x + 0.5) / b.width *
					   (double)(b.end_ns - b.begin_ns));
	return true;
}

bool timebar_is_shown(const struct pane *p, int height)
{
	return p->shared.settings->timebar && height >= TIMEBAR_HEIGHT && p->stretch.history &&
	       history_count(p->stretch.history) > 1;
}

/* --- what the heights are --------------------------------------------------------------------- */

static enum timebar_measure measure_of(const struct history *h)
{
	struct history_moment m;
	enum timebar_measure by = TIMEBAR_BYTES;

	for (size_t i = 0; history_moment(h, i, &m); i++) {
		if (!isnan(m.load))
			return TIMEBAR_LOAD;
		if (m.calls)
			by = TIMEBAR_CALLS;
	}
	return by;
}

static double moment_value(enum timebar_measure by, const struct history_moment *m)
{
	double seconds = (double)m->length_ns / 1e9;

	switch (by) {
	case TIMEBAR_LOAD: return m->load;
	case TIMEBAR_CALLS: return seconds > 0 ? (double)m->calls / seconds : (double)NAN;
	case TIMEBAR_BYTES: return seconds > 0 ? (double)m->bytes / seconds : (double)NAN;
	}
	return NAN;
}

static void moment_add(const struct bar *b, struct timebar *t, const struct history_moment *m)
{
	double value = moment_value(t->by, m);
	int from, to;

	span_of(b, m, &from, &to);
	t->strips[from].began |= m->began;
	t->strips[from].image |= m->image;
	for (int x = from; x <= to; x++) {
		t->strips[x].lost |= m->lost || m->bad;
		t->strips[x].known |= !isnan(value);
		if (value > t->strips[x].value)
			t->strips[x].value = value;
	}
	if (value > t->most)
		t->most = value;
}

static void strips_fill(const struct bar *b, struct timebar *t)
{
	struct history_moment m;

	if (t->of == b->h && t->serial == history_serial(b->h) && t->width == b->width)
		return;
	*t = (struct timebar){
		.of = b->h, .serial = history_serial(b->h), .width = b->width,
		.by = measure_of(b->h),
	};
	for (size_t i = 0; history_moment(b->h, i, &m); i++)
		moment_add(b, t, &m);
}

/* --- drawing ---------------------------------------------------------------------------------- */

static uint32_t strip_height(const struct timebar *t, const struct timebar_strip *c)
{
	if (!c->known)
		return ' ';
	return grid_rise(t->most > 0 ? c->value / t->most : 0);
}

static void draw_column(const struct bar *b, const struct timebar *t, struct grid *g, int y, int x)
{
	const struct timebar_strip *c = &t->strips[x];
	enum role role = c->lost ? ROLE_WARNING : ROLE_BAR;
	uint32_t ch = strip_height(t, c);

	if (c->image || c->began) {
		role = ROLE_WARNING;
		ch = c->image ? 0x25cf : 0x2502;
	}
	grid_fill(g, b->x + x, y, 1, role, ch);
}

static void draw_shown(const struct pane *p, const struct bar *b, struct grid *g, int y)
{
	const struct past_stretch *s = &p->stretch;
	struct history_moment first, last;
	bool span = p->past.window != PAST_WINDOW_NONE || p->shared.span == SPAN_INTERVAL;
	int from, to, at, end;

	if (!p->past.held && (!span || s->peaks))
		return;
	history_moment(b->h, s->from, &first);
	history_moment(b->h, s->to - 1, &last);
	span_of(b, &first, &from, &to);
	span_of(b, &last, &at, &end);
	if (span && !p->past.exact) {
		struct grid window = grid_sub(g, b->x + from, y, end - from + 1, 1);

		grid_select_row(&window, 0);
	}
	if (p->past.held)
		grid_fill(g, b->x + end, y, 1, ROLE_MATCH, 0x25bc);
}

/* "load to 73 %": what the highest column stands for. */
static void kind_text(const struct timebar *t, char *dst, size_t size)
{
	char n[16];

	switch (t->by) {
	case TIMEBAR_LOAD:
		snprintf(dst, size, "load to %.3g %%", 100 * t->most);
		break;
	case TIMEBAR_CALLS:
		snprintf(dst, size, "to %s calls/s", text_count(n, sizeof(n), t->most));
		break;
	case TIMEBAR_BYTES:
		snprintf(dst, size, "to %s B/s", text_count(n, sizeof(n), t->most));
		break;
	}
}

static void draw_texts(const struct pane *p, const struct bar *b, struct grid *g, int y)
{
	char text[128];
	bool now = !p->past.held && p->shared.span == SPAN_START;

	if (g->width >= WIDE) {
		kind_text(&p->timebar, text, sizeof(text));
		grid_text(g, 0, y, KIND - 1, ROLE_LABEL, text);
	}
	if (g->width >= NARROW) {
		past_clock(p->node, b->h, b->begin_ns, text, sizeof(text));
		grid_text(g, b->x - 1 - text_columns(text), y, -1, ROLE_LABEL, text);
		past_clock(p->node, b->h, b->end_ns, text, sizeof(text));
		grid_text(g, b->x + b->width + 1, y, -1, ROLE_LABEL, text);
	}
	past_words(&p->past, p->node, &p->stretch, p->shared.span, g->width - b->words_x, text,
		   sizeof(text));
	grid_text(g, b->words_x, y, -1, now ? ROLE_GOOD : ROLE_WARNING, text);
}

void timebar_draw(struct pane *p, struct grid *g, int y)
{
	struct bar b = { .h = NULL };

	if (!bar_begin(p, &b, g->width))
		return;
	strips_fill(&b, &p->timebar);
	for (int x = 0; x < b.width; x++)
		draw_column(&b, &p->timebar, g, y, x);
	draw_shown(p, &b, g, y);
	draw_texts(p, &b, g, y);
}
