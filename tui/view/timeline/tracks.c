/* tracks: states and values that the firmware tells: a line each, below the lanes. */
#include "core/image/traced.h"
#include <inttypes.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/view/timeline/timeline.h"

enum { STATE_ROLES = ROLE_BOX5 - ROLE_BOX0 + 1 };

const char *timeline_note_name(const struct view_shared *s, enum trace_event_kind kind, uint32_t id,
			       char *dst, size_t size)
{
	static const char *const words[] = {
		[TRACE_MARK] = "mark", [TRACE_VALUE] = "value", [TRACE_STATE] = "state",
	};
	const struct image *im = s->node ? node_image(s->node) : NULL;
	const char *name = trace_note_name(s->node ? node_trace(s->node) : NULL, id);

	name = name ? name : traced_mark(im ? image_traced_all(im) : NULL, id);
	if (name)
		snprintf(dst, size, "%s", name);
	else
		snprintf(dst, size, "%s %" PRIu32, words[kind], id);
	return dst;
}

static bool track_has(const struct scene_track *k, const struct trace_event *e)
{
	return e->kind == k->kind && e->id == k->id;
}

/* The last one at or before a time; NULL: none that is known. */
static const struct trace_event *track_at(const struct scene *s, const struct scene_track *k,
					  uint64_t ticks)
{
	const struct trace_event *last = NULL;

	for (size_t i = 0; i < s->note_count; i++) {
		const struct trace_event *e = &s->notes[i];

		if (track_has(k, e) && e->ticks <= ticks && (!last || e->ticks >= last->ticks))
			last = e;
	}
	return last;
}

/* What holds in each column: the last one in it, or before it. */
static void track_columns(const struct scene *s, const struct scene_track *k,
			  const struct trace_event **shown)
{
	for (int x = 0; x < s->width; x++)
		shown[x] = NULL;
	for (size_t i = 0; i < s->note_count; i++) {
		const struct trace_event *e = &s->notes[i];
		int x = scene_column(s, e->ticks);

		if (!track_has(k, e) || x >= s->width)
			continue;
		x = x < 0 ? 0 : x;
		shown[x] = shown[x] && shown[x]->ticks > e->ticks ? shown[x] : e;
	}
	for (int x = 1; x < s->width; x++)
		shown[x] = shown[x] ? shown[x] : shown[x - 1];
}

/* "|TX", or its number. */
static void state_text(const struct trace *trace, const struct trace_event *e, char *dst,
		       size_t size)
{
	const char *name = trace_state_name(trace, e->id, e->value);
	char number[TRACE_NUMBER];

	if (name)
		snprintf(dst, size, "|%s", name);
	else
		snprintf(dst, size, "|%s", trace_value_text(trace, e->id, e->value, number));
}

/* A span for each state, with its name where that has room. */
static void draw_states(const struct trace *trace, struct grid *g, int y, int width,
			const struct trace_event **shown)
{
	char text[48];

	for (int x = 0, to; x < width; x = to) {
		const struct trace_event *e = shown[x];
		enum role role = e ? (enum role)(ROLE_BOX0 + (uint64_t)e->value % STATE_ROLES) :
				 ROLE_DIM;

		for (to = x + 1; to < width && shown[to] == e; )
			to++;
		grid_fill(g, x, y, to - x, role, e ? ' ' : '?');
		if (!e)
			continue;
		state_text(trace, e, text, sizeof(text));
		grid_text(g, x, y, text_columns(text) < to - x ? to - x : 1, role,
			  text_columns(text) < to - x ? text : "|");
	}
}

/* A bar for each column, between the least and the greatest of the window. */
static void draw_values(const struct trace *trace, struct grid *g, int y, int width,
			const struct trace_event **shown, const struct scene_track *k)
{
	double span = k->most - k->least;

	for (int x = 0; x < width; x++) {
		const struct trace_event *e = shown[x];

		if (e)
			grid_fill(g, x, y, 1, ROLE_BAR, grid_rise(span > 0 ?
				  (trace_note_number(trace, e->id, e->value) - k->least) / span :
				  1));
		else
			grid_fill(g, x, y, 1, ROLE_DIM, '?');
	}
}

/*
 * One cell of a curve that reaches from `low` to `high`, in eighths of a line from the bottom of
 * its lowest one on; `under`: those below the cell.
 */
static uint32_t curve_cell(bool utf8, int low, int high, int under)
{
	int from = low - under, to = high - under;

	if (to < 1 || from > 8)
		return ' ';
	if (from <= 1 && to > from)
		return utf8 ? grid_rise(to < 8 ? to / 8.0 : 1) : '#';
	if (to > 8)				/* it goes on above: its upper half is the least */
		return utf8 ? (from > 4 ? 0x2580 : 0x2588) : '#';
	if ((from + to) / 2 <= 2)
		return utf8 ? 0x2581 : '_';
	return (from + to) / 2 >= 7 ? (utf8 ? 0x2594 : '"') : utf8 ? 0x2500 : '-';
}

/* From the least to the greatest of a column, what held at its begin among them. */
static void curve_range(const struct timeline *t, const struct scene_range *r,
			const struct trace_event *before, const struct trace_event *e,
			double *least, double *most)
{
	double first = trace_note_number(t->trace, e->id, (before ? before : e)->value);

	*least = r && r->known && r->least < first ? r->least : first;
	*most = r && r->known && r->most > first ? r->most : first;
}

/* A line through what holds, as broad as the value is in each column. */
static void draw_curve(const struct timeline *t, struct grid *g, int y,
		       const struct trace_event **shown, const struct scene_track *k)
{
	const struct scene_range *ranges = scene_ranges(&t->scene, k);
	int lines = t->layout.curve;
	double per = k->most > k->least ? (8 * lines - 1) / (k->most - k->least) : 0;

	for (int x = 0; x < t->scene.width; x++) {
		double least, most;

		if (!shown[x]) {
			grid_fill(g, x, y + lines - 1, 1, ROLE_DIM, '?');
			continue;
		}
		curve_range(t, ranges ? &ranges[x] : NULL, x ? shown[x - 1] : NULL, shown[x],
			    &least, &most);
		for (int i = 0; i < lines; i++)
			grid_fill(g, x, y + i, 1, ROLE_BAR, curve_cell(g->utf8,
				  1 + (int)((least - k->least) * per),
				  1 + (int)((most - k->least) * per), 8 * (lines - 1 - i)));
	}
}

/* Beside a curve, its ends. */
static void draw_ends(const struct timeline *t, struct grid *g, int y,
		      const struct scene_track *k)
{
	grid_textf(g, 0, y + 1, t->gutter - 1, ROLE_DIM, "%*.6g", t->gutter - 2, k->most);
	grid_textf(g, 0, y + t->layout.curve - 1, t->gutter - 1, ROLE_DIM, "%*.6g", t->gutter - 2,
		   k->least);
}

bool timeline_names_grow(struct timeline *t, const struct view_shared *s)
{
	int before = t->named;
	char name[48];

	for (size_t i = 0; i < t->scene.track_count; i++) {
		const struct scene_track *k = &t->scene.tracks[i];
		int wide = text_columns(timeline_note_name(s, k->kind, k->id, name, sizeof(name)));

		t->named = wide > t->named ? wide : t->named;
	}
	return t->named > before;
}

void timeline_draw_tracks(struct timeline *t, const struct view_shared *s, struct grid *g)
{
	struct grid plot = grid_sub(g, t->gutter, t->layout.tracks,
				    g->width - t->gutter, t->layout.track_lines);
	const struct trace_event *shown[TIMELINE_COLUMNS];
	char name[48];
	int y = 0;

	for (size_t i = 0; i < t->scene.track_count && y < t->layout.track_lines; i++) {
		const struct scene_track *k = &t->scene.tracks[i];
		bool curve = k->kind == TRACE_VALUE && t->layout.curve > 1;

		grid_text(g, 0, t->layout.tracks + y, t->gutter - 1, ROLE_VALUE,
			  timeline_note_name(s, k->kind, k->id, name, sizeof(name)));
		track_columns(&t->scene, k, shown);
		if (k->kind == TRACE_STATE)
			draw_states(t->trace, &plot, y, t->scene.width, shown);
		else if (curve)
			draw_curve(t, &plot, y, shown, k);
		else
			draw_values(t->trace, &plot, y, t->scene.width, shown, k);
		if (curve)
			draw_ends(t, g, t->layout.tracks + y, k);
		y += curve ? t->layout.curve : 1;
	}
}

/* "state 1 = 2  value 4 = 87 of -3 to 90", at the cursor. */
void timeline_tracks_text(const struct timeline *t, const struct view_shared *s, char *dst,
			  size_t size)
{
	char name[48], value[48];
	size_t n = 0;

	dst[0] = 0;
	for (size_t i = 0; i < t->scene.track_count && n < size; i++) {
		const struct scene_track *k = &t->scene.tracks[i];
		const struct trace_event *e = track_at(&t->scene, k, t->at);

		if (!e)
			continue;
		state_text(t->trace, e, value, sizeof(value));
		n += (size_t)snprintf(dst + n, size - n, "  %s = %s",
				      timeline_note_name(s, k->kind, k->id, name, sizeof(name)),
				      value + 1);
		if (e->id == TRACE_SAMPLES && n < size)
			n += (size_t)snprintf(dst + n, size - n,
					      " (PC samples in a row: no calls)");
		if (k->kind == TRACE_VALUE && n < size)
			n += (size_t)snprintf(dst + n, size - n, " (%.9g to %.9g)",
					      k->least, k->most);
	}
}
