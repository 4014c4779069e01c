#include "tui/app/pane/timebar.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/app/pane/pane.h"

enum {
	NARROW = 60,			/* below: no clock times */
	WIDE = 100,			/* from here: the state and the load in one line */
	VERY_WIDE = 140,
	GAP = 2,
};

#define ALL UINT64_MAX			/* a neighbourhood of all time */

/* Where things are in the lines. */
struct bar {
	const struct history *h;
	int clock;			/* columns of a clock time and the blank beside it */
	int words_x;
};

/* Of a recording also what was not played yet. NULL: no moments. */
static const struct history *whole_of(const struct pane *p)
{
	return past_whole(&p->past, p->node);
}

/* --- the neighbourhood ------------------------------------------------------------------------ */

/* Its lengths, in seconds. */
static const uint32_t steps[] = {
	2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 2 * 3600, 6 * 3600, 12 * 3600, 86400,
	3 * 86400, 7 * 86400,
};

enum { STEPS = sizeof(steps) / sizeof(steps[0]), STEP_USUAL = 4 };

static uint64_t step_ns(size_t i)
{
	return i < STEPS ? steps[i] * CLOCK_SECOND : ALL;
}

/* Nearly all time is no neighbourhood. */
static bool is_part(uint64_t length, uint64_t all)
{
	return length < all - all / 8;
}

/* Of a recording to its end, also where its moments were not read (ahead) yet. */
static void bar_ends(const struct pane *p, uint64_t *begin, uint64_t *end)
{
	struct node_play play;

	scale_ends(whole_of(p), begin, end);
	if (!node_can_seek(p->node))
		return;
	play = node_play(p->node, clock_now());
	if (play.ends && play.begin_ns < *begin)
		*begin = play.begin_ns;
	if (play.ends && play.end_ns > *end)
		*end = play.end_ns;
}

static uint64_t all_length(const struct pane *p)
{
	uint64_t begin, end;

	bar_ends(p, &begin, &end);
	return end - begin;
}

/* As chosen; else the usual one, where all time is more than twice that. */
static uint64_t near_length(const struct pane *p)
{
	uint64_t all = all_length(p), length = p->timebar.near_ns;

	if (!length)
		length = all > 2 * step_ns(STEP_USUAL) ? step_ns(STEP_USUAL) : ALL;
	return is_part(length, all) ? length : ALL;
}

int timebar_lines(const struct pane *p, int height)
{
	if (!p->shared.settings->timebar || height < TIMEBAR_HEIGHT || !whole_of(p) ||
	    history_count(whole_of(p)) < 2)
		return 0;
	return height >= TIMEBAR_HEIGHT_TWO && near_length(p) != ALL ? 2 : 1;
}

bool timebar_zoom(struct pane *p, int by, uint64_t *length_ns)
{
	uint64_t now = near_length(p), all = all_length(p);
	size_t i = 0;

	while (i < STEPS && step_ns(i) < now && is_part(step_ns(i), all))
		i++;			/* its step; of all time the first that is too long */
	if ((by < 0 && !i) || (by > 0 && now == ALL))
		return false;
	i = by < 0 ? i - 1 : i + 1;
	*length_ns = is_part(step_ns(i), all) ? step_ns(i) : 0;
	p->timebar.near_ns = *length_ns ? *length_ns : ALL;
	p->timebar.recentre = true;
	return true;
}

/*
 * It ends with the newest moment while the screen is live. Later it stays where it is until the
 * moment shown is outside of it. It begins at a whole column, so that columns keep their moments
 * while time goes on.
 */
static uint64_t near_place(struct pane *p, uint64_t begin, uint64_t end, uint64_t length, int width)
{
	struct timebar *t = &p->timebar;
	uint64_t column = length / (uint64_t)width ? length / (uint64_t)width : 1;
	uint64_t at, from = t->near_begin_ns;
	bool past = past_shown(&p->past, p->node, &at);

	at = at < end ? at : end;
	if (!past)
		from = end - length + column - 1;
	else if (t->recentre || at < from || at - from > length)
		from = at > begin + length / 2 ? at - length / 2 : begin;
	t->recentre = false;
	if (past && from > end - length)
		from = end - length + column - 1;
	return begin + (from > begin ? from - begin : 0) / column * column;
}

/* --- layout ----------------------------------------------------------------------------------- */

static int words_width(int width, int lines)
{
	return width < NARROW ? 20 : width < WIDE ? 23 : width < VERY_WIDE ? 40 :
	       lines > 1 ? 48 : 58;
}

static int clock_columns(const struct pane *p, uint64_t time_ns)
{
	char text[24];

	return text_columns(past_clock(p->node, whole_of(p), time_ns, text, sizeof(text)));
}

static int bar_lay_out(const struct pane *p, struct bar *b, uint64_t begin, uint64_t end, int width,
		       int lines)
{
	int from = clock_columns(p, begin), to = clock_columns(p, end), room;

	b->clock = width < NARROW ? 0 : (from > to ? from : to) + 1;
	room = width - 2 * b->clock - GAP - words_width(width, lines) + (width < NARROW);
	if (room > SCALE_COLUMNS)
		room = SCALE_COLUMNS;
	b->words_x = room + 2 * b->clock + GAP - (width < NARROW);
	return room;
}

static bool bar_begin(struct pane *p, struct bar *b, int width, int lines)
{
	struct timebar *t = &p->timebar;
	uint64_t begin, end, length;
	int room;

	b->h = whole_of(p);
	t->lines = 0;
	if (!b->h || lines < 1)
		return false;
	bar_ends(p, &begin, &end);
	room = bar_lay_out(p, b, begin, end, width, lines);
	if (room < 1)
		return false;
	t->x = b->clock;
	t->lines = lines;
	scale_fill(&t->scales[0], b->h, begin, end, room);
	length = near_length(p);
	if (lines > 1 && length != ALL) {
		t->near_begin_ns = near_place(p, begin, end, length, room);
		scale_fill(&t->scales[1], b->h, t->near_begin_ns, t->near_begin_ns + length,
			   room);
	} else {
		t->lines = 1;
	}
	pane_marks(p);
	return true;
}

/* --- marks ------------------------------------------------------------------------------------ */

/*
 * The mark in a column: of several the most telling. Of losses in column after column the first has
 * one: the load of the others is to be seen.
 */
static const struct mark *mark_at(const struct marks *m, const struct scale *s, int column)
{
	const struct mark *best = NULL;
	bool before = false;

	for (size_t i = 0; i < m->count; i++) {
		const struct mark *k = &m->items[i];
		int x = scale_column_of_end(s, k->time_ns);

		if (k->time_ns <= s->begin_ns || k->time_ns > s->end_ns || x > column)
			continue;
		before |= k->kind == MARK_LOST && x == column - 1;
		if (x == column && (!best || k->kind > best->kind))
			best = k;
	}
	return best && best->kind == MARK_LOST && before ? NULL : best;
}

bool timebar_at(const struct pane *p, int line, int x, bool clamp, uint64_t *time_ns)
{
	const struct timebar *t = &p->timebar;
	const struct scale *s = &t->scales[line];
	const struct mark *mark;

	if (line < 0 || line >= t->lines)
		return false;
	x -= t->x;
	if (clamp)
		x = x < 0 ? 0 : x < s->width ? x : s->width - 1;
	if (x < 0 || x >= s->width)
		return false;
	mark = clamp ? NULL : mark_at(&p->marks, s, x);
	*time_ns = mark ? mark->time_ns : scale_time_at(s, x);
	return true;
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* The first column of what a recording has not played yet: dim, as in a player of videos. */
static int column_not_played(const struct pane *p, const struct scale *s)
{
	uint64_t at;

	if (!node_can_seek(p->node) || !past_shown(&p->past, p->node, &at) || at >= s->end_ns)
		return s->width;
	return at <= s->begin_ns ? 0 : scale_column_of_end(s, at) + 1;
}

static void draw_columns(const struct pane *p, const struct scale *s, struct grid *g, int y)
{
	int dim = column_not_played(p, s), x0 = p->timebar.x;
	double most = p->timebar.scales[0].most;

	for (int x = 0; x < s->width; x++) {
		const struct scale_column *c = &s->columns[x];
		enum role role = s->by == SCALE_LOAD ? role_heat(c->value) : ROLE_BAR;

		grid_fill(g, x0 + x, y, 1, x < dim ? role : ROLE_DIM,
			  c->known ? grid_rise(most > 0 ? c->value / most : 0) : ' ');
	}
}

static void draw_signs(const struct marks *m, const struct scale *s, struct grid *g, int x0, int y)
{
	int8_t kinds[SCALE_COLUMNS];
	bool lost = false;

	memset(kinds, -1, sizeof(kinds));
	for (size_t i = 0; i < m->count; i++) {
		const struct mark *k = &m->items[i];
		int x = scale_column_of_end(s, k->time_ns);

		if (k->time_ns > s->begin_ns && k->time_ns <= s->end_ns &&
		    (int8_t)k->kind > kinds[x])
			kinds[x] = (int8_t)k->kind;
	}
	for (int x = 0; x < s->width; x++) {
		bool goes_on = lost && kinds[x] == MARK_LOST;

		lost = kinds[x] == MARK_LOST;
		if (kinds[x] >= 0 && !goes_on)
			grid_fill(g, x0 + x, y, 1, ROLE_WARNING,
				  (unsigned char)mark_rows[kinds[x]].sign);
	}
}

/* Where a recording stands, unless that is its end. */
static void draw_player(const struct pane *p, const struct scale *s, struct grid *g, int y)
{
	uint64_t at;

	if (past_shown(&p->past, p->node, &at) && at >= s->begin_ns && at <= s->end_ns)
		grid_fill(g, p->timebar.x + scale_column_of_end(s, at), y, 1, ROLE_MATCH, 0x25bc);
}

/* The moment or the window shown, as far as it is on the scale. */
static void draw_shown(const struct pane *p, const struct scale *s, struct grid *g, int y)
{
	const struct past_stretch *shown = &p->stretch;
	bool span = p->past.window != PAST_WINDOW_NONE || p->shared.span == SPAN_INTERVAL ||
		    shown->marked;
	int x = p->timebar.x, from, end;

	if (!p->past.held && (!span || shown->peaks)) {
		draw_player(p, s, g, y);
		return;
	}
	if (shown->end_ns <= s->begin_ns || shown->begin_ns >= s->end_ns)
		return;
	from = scale_column_of(s, shown->begin_ns);
	end = scale_column_of_end(s, shown->end_ns);
	if (span && !p->past.exact) {
		struct grid window = grid_sub(g, x + from, y, end - from + 1, 1);

		grid_select_row(&window, 0);
	}
	if (p->past.held && shown->end_ns <= s->end_ns)
		grid_fill(g, x + end, y, 1, ROLE_MATCH, 0x25bc);
}

/* The neighbourhood is between them. */
static void draw_brackets(const struct timebar *t, struct grid *g, int y)
{
	const struct scale *all = &t->scales[0], *near = &t->scales[1];
	int from = scale_column_of(all, near->begin_ns);
	int to = scale_column_of_end(all, near->end_ns);

	grid_fill(g, t->x + from - 1, y, 1, ROLE_VALUE, '[');
	grid_fill(g, t->x + to + 1, y, 1, ROLE_VALUE, ']');
}

static void draw_clocks(const struct pane *p, const struct scale *s, struct grid *g, int y)
{
	uint64_t newest = p->timebar.scales[0].end_ns;
	int x = p->timebar.x;
	char begin[24], end[24];

	if (!x)
		return;
	past_clock(p->node, whole_of(p), s->begin_ns, begin, sizeof(begin));
	grid_text(g, x - 1 - text_columns(begin), y, -1, ROLE_LABEL, begin);
	past_clock(p->node, whole_of(p), s->end_ns < newest ? s->end_ns : newest, end,
		   sizeof(end));
	/* Within the first second, "0:00 ... 0:00" tells nothing. */
	if (strcmp(begin, end) != 0)
		grid_text(g, x + s->width + 1, y, -1, ROLE_LABEL, end);
}

/* --- words ------------------------------------------------------------------------------------ */

static bool words_draw(struct grid *g, int *x, int y, enum role role, const char *text)
{
	if (*x + text_columns(text) > g->width)
		return false;
	*x += grid_text(g, *x, y, -1, role, text) + GAP;
	return true;
}

/* "load 38 %, max 60 %": of the moment shown, and of the highest column. */
static void draw_load(const struct pane *p, struct grid *g, int *x, int y)
{
	const struct scale *s = &p->timebar.scales[0];
	struct history_moment m = { 0 };
	char text[64], now[24], most[24];
	double value;

	if (!p->stretch.history || !history_moment(p->stretch.history, p->stretch.to - 1, &m))
		return;
	value = scale_value(s->by, &m);
	text_count(now, sizeof(now), isnan(value) ? 0 : value);
	text_count(most, sizeof(most), s->most);
	if (s->by == SCALE_LOAD && isnan(value))
		snprintf(text, sizeof(text), "max %.0f %%", 100 * s->most);
	else if (s->by == SCALE_LOAD)
		snprintf(text, sizeof(text), "load %.0f %%, max %.0f %%", 100 * value,
			 100 * s->most);
	else if (s->by == SCALE_CALLS)
		snprintf(text, sizeof(text), "%s, max %s calls/s", now, most);
	else
		snprintf(text, sizeof(text), "%s/s, max %s/s",
			 text_bytes(now, sizeof(now), isnan(value) ? 0 : value),
			 text_bytes(most, sizeof(most), s->most));
	words_draw(g, x, y, ROLE_LABEL, text);
}

static void draw_state(const struct pane *p, struct grid *g, int *x, int y)
{
	bool now = !p->past.held && !p->stretch.marked &&
		   (p->shared.span == SPAN_START || p->shared.span == SPAN_MARK);
	char text[128];

	past_words(&p->past, p->node, &p->stretch, p->shared.span, g->width - *x, text,
		   sizeof(text));
	words_draw(g, x, y, now ? ROLE_GOOD : ROLE_WARNING, text);
}

/* "R reset  ! lost": the signs that are in the lines, where there is room: at x, or at x below. */
static void draw_legend(const struct pane *p, struct grid *g, int x[TIMEBAR_LINES], int y)
{
	unsigned there = 0;
	char text[32];

	for (size_t i = 0; i < p->marks.count; i++)
		there |= 1u << p->marks.items[i].kind;
	for (int i = MARK_KINDS; i-- > 0;) {
		if (!(there & 1u << i))
			continue;
		snprintf(text, sizeof(text), "%c %s", mark_rows[i].sign, mark_rows[i].legend);
		for (int line = 0; line < p->timebar.lines; line++)
			if (words_draw(g, &x[line], y + line, ROLE_LABEL, text))
				break;
	}
}

void timebar_draw(struct pane *p, struct grid *g, int y, int lines)
{
	struct timebar *t = &p->timebar;
	struct bar b = { .h = NULL };
	int x[TIMEBAR_LINES];

	if (!bar_begin(p, &b, g->width, lines))
		return;
	for (int i = 0; i < t->lines; i++) {
		const struct scale *s = &t->scales[i];

		draw_columns(p, s, g, y + i);
		draw_signs(&p->marks, s, g, t->x, y + i);
		draw_shown(p, s, g, y + i);
		draw_clocks(p, s, g, y + i);
	}
	x[0] = x[1] = b.words_x;
	if (t->lines > 1)
		draw_brackets(t, g, y);
	draw_state(p, g, &x[t->lines - 1], y + t->lines - 1);
	draw_load(p, g, &x[0], y);
	draw_legend(p, g, x, y);
}
