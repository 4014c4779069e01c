/* panel: below the lanes: how often a function runs, why a call took long, what ran. */
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/part/naming.h"
#include "tui/part/table.h"
#include "tui/view/timeline/timeline.h"

enum {
	ACROSS = 58,			/* columns that a panel has at least */
	ACROSS_MOST = 84,
	BUCKETS = 40,
	FIGURE = 10,			/* columns of one */
	COUNT = 7,			/* ... of a number of calls */
	PART = 2 * COUNT + 3 * FIGURE,	/* ... of a part's figures */
};

static void panel_heading(struct grid *g, const char *title, const char *of)
{
	char text[300];
	int x;

	grid_fill(g, 0, 0, g->width, ROLE_TITLE, ' ');
	x = grid_text(g, 0, 0, g->width, ROLE_TITLE_SORTED, title);
	grid_text(g, x + 1, 0, g->width - x - 1, ROLE_TITLE,
		  naming_short(of, g->width - x - 1, text, sizeof(text)));
}

static const char *ticks_text(const struct timeline *t, double ticks, char *dst, size_t size)
{
	return text_seconds(dst, size, timeline_seconds(t, ticks));
}

static void figure_draw(const struct timeline *t, struct grid *g, int x, int y, double ticks)
{
	char text[24];

	grid_right(g, x, y, FIGURE - 1, ROLE_VALUE, ticks_text(t, ticks, text, sizeof(text)));
}

/* --- rhythm ----------------------------------------------------------------------------------- */

/* Columns of one of its six figures. */
static int rhythm_step(const struct grid *g)
{
	int step = (g->width - FIGURE) / 6;

	return step < FIGURE + 2 ? step : FIGURE + 2;
}

static void times_draw(const struct timeline *t, struct grid *g, int y, const char *name,
		       const uint64_t *ascending, size_t count)
{
	struct find_times f = find_times(ascending, count);
	const double figures[] = { f.least, f.median, f.mean, f.p95, f.p99, f.most };

	int step = rhythm_step(g);
	char text[24];

	grid_text(g, 0, y, FIGURE, ROLE_LABEL, name);
	for (int i = 0; i < (int)(sizeof(figures) / sizeof(figures[0])); i++)
		grid_right(g, FIGURE + i * step, y, step, count ? ROLE_VALUE : ROLE_DIM,
			   count ? ticks_text(t, figures[i], text, sizeof(text)) : "-");
}

/* From the least to the most; of few, none is left out of sight. */
static void buckets_draw(const struct timeline *t, struct grid *g, int y, const uint64_t *ascending,
			 size_t count)
{
	double span = count ? (double)(ascending[count - 1] - ascending[0]) : 0;
	int width = g->width - 2 * FIGURE - 2, x;
	size_t buckets[BUCKETS] = { 0 }, most = 0;
	char text[24];

	width = width < BUCKETS ? width : BUCKETS;
	if (count < 2 || width < 4 || span <= 0)
		return;
	for (size_t i = 0; i < count; i++) {
		size_t at = (size_t)((double)(ascending[i] - ascending[0]) / span * (width - 1));

		most = ++buckets[at] > most ? buckets[at] : most;
	}
	grid_right(g, 0, y, FIGURE - 1, ROLE_LABEL,
		   ticks_text(t, (double)ascending[0], text, sizeof(text)));
	for (x = 0; x < width; x++) {
		double share = (double)buckets[x] / (double)most;

		if (buckets[x])
			grid_fill(g, FIGURE + x, y, 1, ROLE_BAR, grid_rise(share));
		else
			grid_fill(g, FIGURE + x, y, 1, ROLE_DIM, g->utf8 ? 0xb7 : '.');
	}
	grid_text(g, FIGURE + width + 1, y, FIGURE, ROLE_LABEL,
		  ticks_text(t, (double)ascending[count - 1], text, sizeof(text)));
}

static void period_draw(const struct timeline *t, struct grid *g, int y)
{
	const struct find_usual *u = &t->usual;
	struct find_times f = find_times(u->intervals, u->interval_count);
	char period[24], phase[24], jitter[24], late[24], text[200];

	if (!(f.median > 0)) {
		grid_text(g, 0, y, g->width, ROLE_LABEL, "period not known: too few calls");
		return;
	}
	snprintf(text, sizeof(text), "period %s  phase %s  jitter %s",
		     ticks_text(t, f.median, period, sizeof(period)),
		     ticks_text(t, fmod((double)(t->call.call.begin - t->first), f.median), phase,
				sizeof(phase)),
		     ticks_text(t, f.most - f.least, jitter, sizeof(jitter)));
	grid_text(g, 0, y, g->width, ROLE_VALUE, text);
	if (!u->before)
		return;
	snprintf(text, sizeof(text), "this call: %s after the one before, %s %s",
		 ticks_text(t, (double)u->before, period, sizeof(period)),
		 ticks_text(t, fabs((double)u->before - f.median), late, sizeof(late)),
		 (double)u->before < f.median ? "early" : "late");
	grid_text(g, 0, y + 1, g->width, ROLE_VALUE, text);
}

static void rhythm_draw(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	static const char *const heads[] = { "LEAST", "MEDIAN", "MEAN", "P95", "P99", "MOST" };
	const struct find_usual *u = &t->usual;
	int step = rhythm_step(g);
	char name[32], text[64];

	panel_heading(g, "RHYTHM", t->has_call ?
		      timeline_name(s, t->call.call.id, name, sizeof(name)) : "");
	if (!t->has_call) {
		grid_text(g, 0, 1, g->width, ROLE_LABEL, "no call under the cursor");
		return;
	}
	snprintf(text, sizeof(text), "%s call%s", TEXT_WHOLE(u->calls), u->calls == 1 ? "" : "s");
	grid_text(g, 0, 1, FIGURE, ROLE_LABEL, text);
	for (int i = 0; i < (int)(sizeof(heads) / sizeof(heads[0])); i++)
		grid_right(g, FIGURE + i * step, 1, step, ROLE_LABEL, heads[i]);
	times_draw(t, g, 2, "duration", u->durations, u->calls);
	buckets_draw(t, g, 3, u->durations, u->calls);
	times_draw(t, g, 4, "interval", u->intervals, u->interval_count);
	buckets_draw(t, g, 5, u->intervals, u->interval_count);
	period_draw(t, g, 6);
}

/* --- why -------------------------------------------------------------------------------------- */

static const char *part_text(const struct view_shared *s, const struct why_part *p, char *dst,
			     size_t size)
{
	char name[32], lane[32];

	if (p->kind == WHY_SELF)
		snprintf(dst, size, "itself");
	else if (p->kind == WHY_CALLEE)
		snprintf(dst, size, "%s", timeline_name(s, p->id, name, sizeof(name)));
	else
		snprintf(dst, size, "%s in %s", timeline_name(s, p->id, name, sizeof(name)),
			 timeline_lane(s, p->lane, lane, sizeof(lane)));
	return dst;
}

/* The largest difference in words. */
static void why_words(const struct timeline *t, const struct view_shared *s, struct grid *g, int y)
{
	const struct why_part *p = &t->why.parts[0];
	double more = p->ticks - p->usual_ticks, usual = t->usual.ticks;
	double all = (double)(t->call.call.end - t->call.call.begin) - usual;
	char part[100], time[24], text[300];
	int n;

	if (!t->why.usual_calls) {
		grid_text(g, 0, y, g->width, ROLE_LABEL, "no usual call of it around");
		return;
	}
	if (fabs(all) < usual / 20) {
		grid_text(g, 0, y, g->width, ROLE_VALUE, "as long as usual");
		return;
	}
	n = snprintf(text, sizeof(text), "%s: %s %s than usual",
		     part_text(s, p, part, sizeof(part)),
		     ticks_text(t, fabs(more), time, sizeof(time)), more < 0 ? "less" : "more");
	if (p->kind != WHY_SELF && p->calls != p->usual_calls)
		snprintf(text + n, sizeof(text) - (size_t)n, ", %.0f call%s for %.3g",
			 p->calls, p->calls == 1 ? "" : "s", p->usual_calls);
	grid_text(g, 0, y, g->width, fabs(more) > usual / 2 ? ROLE_WARNING : ROLE_VALUE,
		  text);
}

static void why_part_draw(const struct timeline *t, const struct view_shared *s, struct grid *g,
			  int y, const struct why_part *p)
{
	double more = p->ticks - p->usual_ticks, most = fabs(t->why.parts[0].ticks -
							     t->why.parts[0].usual_ticks);
	int x = g->width - PART, name = x - 1;
	char text[100], calls[48];

	grid_text(g, 0, y, name, p->kind == WHY_SELF ? ROLE_LABEL : ROLE_NAME,
		  part_text(s, p, text, sizeof(text)));
	if (p->kind != WHY_SELF) {
		snprintf(calls, sizeof(calls), "%.0f", p->calls);
		grid_right(g, x, y, COUNT - 1, ROLE_VALUE, calls);
		snprintf(calls, sizeof(calls), "%.3g", p->usual_calls);
		grid_right(g, x + COUNT, y, COUNT - 1, ROLE_VALUE, calls);
	}
	figure_draw(t, g, x + 2 * COUNT, y, p->ticks);
	figure_draw(t, g, x + 2 * COUNT + FIGURE, y, p->usual_ticks);
	ticks_text(t, fabs(more), calls, sizeof(calls));
	snprintf(text, sizeof(text), "%s%s", more < 0 ? "-" : "+", calls);
	grid_right(g, x + PART - FIGURE, y, FIGURE - 1, fabs(more) > most / 2 &&
		   fabs(more) > t->usual.ticks / 20 ? ROLE_WARNING : ROLE_VALUE, text);
}

static void why_draw(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	const struct scene_call *c = &t->call.call;
	char name[32], takes[24], title[100];
	int x = g->width - PART;

	if (!t->has_call || !t->why.found) {
		panel_heading(g, "WHERE ITS TIME WENT", "");
		grid_text(g, 0, 1, g->width, ROLE_LABEL, "no call under the cursor that returned");
		return;
	}
	snprintf(title, sizeof(title), "%s, %s", timeline_name(s, c->id, name, sizeof(name)),
		 ticks_text(t, (double)(c->end - c->begin), takes, sizeof(takes)));
	panel_heading(g, "WHERE ITS TIME WENT", title);
	why_words(t, s, g, 1);
	grid_right(g, x, 2, COUNT - 1, ROLE_LABEL, "CALLS");
	grid_right(g, x + COUNT, 2, COUNT - 1, ROLE_LABEL, "USUAL");
	grid_right(g, x + 2 * COUNT, 2, FIGURE - 1, ROLE_LABEL, "TIME");
	grid_right(g, x + 2 * COUNT + FIGURE, 2, FIGURE - 1, ROLE_LABEL, "USUAL");
	grid_right(g, x + PART - FIGURE, 2, FIGURE - 1, ROLE_LABEL, "MORE");
	for (size_t i = 0; i < t->why.count && (int)i + 3 < g->height; i++)
		why_part_draw(t, s, g, (int)i + 3, &t->why.parts[i]);
}

/* --- what ran --------------------------------------------------------------------------------- */

/* "main 34 %  handlers 2 %" */
static void loads_draw(const struct timeline *t, const struct view_shared *s, struct grid *g, int y)
{
	const struct ran *r = &t->ran;
	char lane[32], text[48];
	int x = 0;

	for (unsigned i = 0; i < TRACE_LANES && x < g->width; i++) {
		if (!r->used[i])
			continue;
		x += grid_text(g, x, y, g->width - x, ROLE_LABEL,
			       timeline_lane(s, i, lane, sizeof(lane)));
		snprintf(text, sizeof(text), " %.3g %%  ",
			 100 * (double)r->busy[i] / (double)(r->end - r->begin));
		if (x < g->width)
			x += grid_text(g, x, y, g->width - x, ROLE_VALUE, text);
	}
	snprintf(text, sizeof(text), "%s%s calls", r->cut ? "about " : "", TEXT_WHOLE(r->calls));
	if (x < g->width)
		grid_text(g, x, y, g->width - x, ROLE_VALUE, text);
}

static int strikes_draw(const struct timeline *t, const struct view_shared *s, struct grid *g,
			int lines)
{
	const struct ran *r = &t->ran;
	int shown = (int)r->strike_count < lines ? (int)r->strike_count : lines;
	char id[32], by[32], lane[32], time[24], text[200];

	for (int i = 0; i < shown; i++) {
		const struct ran_strike *k = &r->strikes[i];

		snprintf(text, sizeof(text), "%s interrupted by %s in %s: %s time%s, %s",
			 timeline_name(s, k->id, id, sizeof(id)),
			 timeline_name(s, k->by, by, sizeof(by)),
			 timeline_lane(s, k->by_lane, lane, sizeof(lane)), TEXT_WHOLE(k->count),
			 k->count == 1 ? "" : "s",
			 ticks_text(t, (double)k->ticks, time, sizeof(time)));
		grid_text(g, 0, g->height - shown + i, g->width, ROLE_VALUE, text);
	}
	return shown;
}

/* With its lane where it ran in several. */
static const char *ran_text(const struct ran *r, const struct view_shared *s,
			    const struct ran_part *p, char *dst, size_t size)
{
	char name[32], lane[32];

	snprintf(dst, size, "%s", timeline_name(s, p->id, name, sizeof(name)));
	for (size_t i = 0; i < r->count; i++)
		if (r->parts[i].id == p->id && r->parts[i].lane != p->lane) {
			snprintf(dst, size, "%s in %s", timeline_name(s, p->id, name, sizeof(name)),
				 timeline_lane(s, p->lane, lane, sizeof(lane)));
			break;
		}
	return dst;
}

static void ran_draw(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	const struct ran *r = &t->ran;
	int lines, x = g->width - COUNT - 2 * FIGURE;
	char text[300];

	panel_heading(g, "WHAT RAN", t->mark_count == 2 ? "between the marks" : "in the window");
	loads_draw(t, s, g, 1);
	if (r->cut) {
		snprintf(text, sizeof(text), "estimated from %s calls", TEXT_WHOLE(r->sampled));
		grid_text(g, 0, 2, x, ROLE_WARNING, text);
	}
	lines = g->height - 3 - strikes_draw(t, s, g, (g->height - 2) / 3);
	grid_right(g, x, 2, COUNT - 1, ROLE_LABEL, "CALLS");
	grid_right(g, x + COUNT, 2, FIGURE - 1, ROLE_LABEL, "SELF");
	grid_right(g, x + COUNT + FIGURE, 2, FIGURE - 1, ROLE_LABEL, "LOAD%");
	for (int i = 0; i < lines && i < (int)r->count; i++) {
		const struct ran_part *p = &r->parts[i];

		grid_text(g, 0, 3 + i, x - 1, ROLE_NAME, ran_text(r, s, p, text, sizeof(text)));
		grid_right(g, x, 3 + i, COUNT - 1, ROLE_VALUE, TEXT_WHOLE(p->calls));
		figure_draw(t, g, x + COUNT, 3 + i, (double)p->ticks);
		snprintf(text, sizeof(text), "%.1f",
			 100 * (double)p->ticks / (double)(r->end - r->begin));
		grid_right(g, x + COUNT + FIGURE, 3 + i, FIGURE - 1, ROLE_VALUE, text);
	}
}

/* --- which of them ---------------------------------------------------------------------------- */

static void (*const draws[])(const struct timeline *t, const struct view_shared *s,
			     struct grid *g) = {
	[TIMELINE_PANEL_RHYTHM] = rhythm_draw,
	[TIMELINE_PANEL_WHY] = why_draw,
	[TIMELINE_PANEL_RAN] = ran_draw,
};

static const enum timeline_panel order[] = {
	TIMELINE_PANEL_RHYTHM, TIMELINE_PANEL_WHY, TIMELINE_PANEL_RAN,
};

enum { PANELS = sizeof(order) / sizeof(order[0]) };

/* What ran between marks, or without a call, comes first; of a long call, where its time went. */
static size_t panel_first(const struct timeline *t)
{
	if (t->panel == TIMELINE_PANEL_AUTO)
		return t->mark_count == 2 || !t->has_call ? 2 : timeline_is_longer(t);
	for (size_t i = 0; i < PANELS; i++)
		if (order[i] == t->panel)
			return i;
	return 0;
}

int timeline_panel_lines(const struct timeline *t, int lines, int used)
{
	int room = lines - used - 1, asked = lines - 4 < TIMELINE_PANEL_LINES ? lines - 4 :
					     TIMELINE_PANEL_LINES;

	room = room < 2 * TIMELINE_PANEL_LINES ? room : 2 * TIMELINE_PANEL_LINES;
	if (t->panel == TIMELINE_PANEL_OFF || !timeline_has_calls(t) ||
	    trace_is_order_only(t->trace))
		return 0;		/* they are of calls and their durations */
	if (t->panel == TIMELINE_PANEL_AUTO)
		return room >= TIMELINE_PANEL_LINES ? room : 0;
	room = room > asked ? room : asked;
	return room > 3 ? room : 0;
}

void timeline_draw_panels(struct timeline *t, const struct view_shared *s, struct grid *g)
{
	size_t count = (size_t)(g->width / ACROSS), first = panel_first(t);
	int width;

	if (!t->layout.panel_lines)
		return;
	count = count < 1 ? 1 : count < PANELS ? count : PANELS;
	first = count == PANELS ? 0 : first;
	width = g->width / (int)count;
	width = width < ACROSS_MOST ? width : ACROSS_MOST;
	timeline_panel_ready(t);
	for (size_t i = 0; i < count; i++) {
		struct grid part = grid_sub(g, (int)i * width, t->layout.panel,
					    width - (i + 1 < count), t->layout.panel_lines);

		draws[order[(first + i) % PANELS]](t, s, &part);
	}
}

/* What the panels show, for the call under the cursor. */
void timeline_panel_ready(struct timeline *t)
{
	uint64_t begin, end;

	if (!t->panel_stale)
		return;
	t->panel_stale = false;
	if (!timeline_marked(t, &begin, &end)) {
		begin = t->begin;
		end = t->begin + t->span;
	}
	ran_find(t->trace, begin, end > begin ? end : begin + 1, &t->ran);
	t->why.found = false;
	if (t->has_call && t->call.call.kind == TRACE_CALL && !t->call.call.open)
		why_find(t->trace, &t->call.call, &t->usual_of, TIMELINE_LONGER * t->usual.ticks,
			 &t->why);
}
