/*
 * notes: the row of the console's lines, where they arrived, and of the firmware's marks, at their
 * times. The cursor steps from one to the next, so that two marks tell what ran between two lines.
 */
#include <stdio.h>

#include "core/base/sorted.h"
#include "tui/view/timeline/timeline.h"

/* The window's time on the console's clock. False: not known. */
static bool window_arrival(const struct timeline *t, const struct view_shared *s, uint64_t *begin,
			   uint64_t *end)
{
	return node_trace_arrival(s->node, t->begin, begin) &&
	       node_trace_arrival(s->node, t->begin + t->span, end) && *end > *begin;
}

/* The first line that arrived at or after a time. */
static size_t line_from(const struct console *c, uint64_t time_ns)
{
	struct console_line line;

	return SORTED_WHERE(console_count(c), i,
			    console_get(c, i, &line) && line.time_ns < time_ns);
}

/* When on the trace's axis that was: in the window, as it is drawn. False: not known. */
static bool arrival_ticks(const struct timeline *t, const struct view_shared *s, uint64_t time_ns,
			  uint64_t *ticks)
{
	uint64_t begin, end, arrival;

	if (!window_arrival(t, s, &begin, &end))
		return false;
	if (time_ns >= begin && time_ns < end) {
		*ticks = t->begin + (uint64_t)((double)(time_ns - begin) / (double)(end - begin) *
					       (double)t->span);
		return true;
	}
	*ticks = t->first + SORTED_WHERE(t->last - t->first, i,
					 node_trace_arrival(s->node, t->first + i, &arrival) &&
					 arrival < time_ns);
	return true;
}

/* --- steps ------------------------------------------------------------------------------------ */

/* The next line to one side of the cursor. */
static bool line_beside(const struct timeline *t, const struct view_shared *s, int step,
			struct timeline_note *note)
{
	const struct console *c = node_console(s->node);
	struct console_line line;
	uint64_t here = t->note.time_ns;
	size_t i;

	if (!here && !node_trace_arrival(s->node, t->at, &here))
		return false;
	i = line_from(c, step > 0 ? here + 1 : here);
	if (!console_get(c, step > 0 ? i : i - 1, &line))
		return false;
	console_get(c, line_from(c, line.time_ns), &line);	/* of one chunk, the first */
	note->time_ns = line.time_ns;
	snprintf(note->text, sizeof(note->text), "%s", line.text);
	return arrival_ticks(t, s, line.time_ns, &note->at);
}

/* The window's next mark to one side of the cursor. */
static bool mark_beside(const struct timeline *t, const struct view_shared *s, int step,
			struct timeline_note *note)
{
	const struct trace_event *found = NULL;

	for (size_t i = 0; i < t->scene.note_count; i++) {
		const struct trace_event *e = &t->scene.notes[i];

		if (e->kind != TRACE_MARK ||
		    (step > 0 ? e->ticks <= t->at : e->ticks >= t->at))
			continue;
		if (!found || (step > 0 ? e->ticks < found->ticks : e->ticks > found->ticks))
			found = e;
	}
	if (!found)
		return false;
	note->time_ns = 0;
	note->at = found->ticks;
	timeline_note_name(s, found->kind, found->id, note->text, sizeof(note->text));
	return true;
}

static struct view_reply note_go(struct timeline *t, struct view_shared *s,
				 const struct timeline_note *note)
{
	t->note = *note;
	t->on_notes = true;
	t->follow = false;
	t->at = note->at;
	timeline_window_to_cursor(t);
	return timeline_select(t, s);
}

struct view_reply timeline_note_step(struct timeline *t, struct view_shared *s, int step)
{
	struct timeline_note line, mark;
	bool has_line = line_beside(t, s, step, &line), has_mark = mark_beside(t, s, step, &mark);

	if (!has_line && !has_mark)
		return view_done();
	if (has_line && has_mark && (step > 0 ? mark.at < line.at : mark.at > line.at))
		has_line = false;
	return note_go(t, s, has_line ? &line : &mark);
}

struct view_reply timeline_notes_enter(struct timeline *t, struct view_shared *s)
{
	struct view_reply reply;

	if (t->layout.notes < 0)
		return view_done();
	t->note.time_ns = 0;
	reply = timeline_note_step(t, s, -1);
	return timeline_on_notes(t) ? reply : timeline_note_step(t, s, 1);
}

/* What is drawn at a column, or before it in the window. */
struct view_reply timeline_notes_click(struct timeline *t, struct view_shared *s, int x)
{
	uint64_t begin = t->begin;
	struct view_reply reply;

	t->on_notes = true;
	t->follow = false;
	t->note = (struct timeline_note){ .at = timeline_column_middle(t, x + 1) };
	t->at = t->note.at;
	reply = timeline_note_step(t, s, -1);
	if (t->begin == begin && t->note.text[0])
		return reply;
	timeline_window(t, begin, t->span);
	t->note = (struct timeline_note){ .at = timeline_column_middle(t, x) };
	t->at = t->note.at;
	return timeline_select(t, s);
}

/* --- drawing ---------------------------------------------------------------------------------- */

/* At its column, cut where the next may begin; a later one goes over an earlier one's text. */
static void draw_note(const struct timeline *t, struct grid *g, int x, const char *text,
		      bool cursor)
{
	if (x < 0 || x >= t->scene.width)
		return;
	grid_text(g, t->gutter + x, t->layout.notes, 1, cursor ? ROLE_SELECTED : ROLE_WARNING,
		  g->utf8 ? "▾" : "v");
	grid_text(g, t->gutter + x + 1, t->layout.notes, t->scene.width - x - 1,
		  cursor ? ROLE_SELECTED : ROLE_LABEL, text);
}

static void draw_mark_notes(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	char text[64];

	for (size_t i = 0; i < t->scene.note_count; i++) {
		const struct trace_event *e = &t->scene.notes[i];

		if (e->kind == TRACE_MARK)
			draw_note(t, g, scene_column(&t->scene, e->ticks),
				  timeline_note_name(s, e->kind, e->id, text, sizeof(text)),
				  timeline_on_notes(t) && !t->note.time_ns && e->ticks == t->at);
	}
}

/* Lines of the console that arrived in the window's time. */
static void draw_lines(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	const struct console *c = node_console(s->node);
	uint64_t begin, end;
	struct console_line line;
	int last = -1;

	if (!window_arrival(t, s, &begin, &end))
		return;
	for (size_t i = line_from(c, begin); console_get(c, i, &line) && line.time_ns < end; i++) {
		int x = (int)((double)(line.time_ns - begin) / (double)(end - begin) *
			      t->scene.width);
		bool cursor = timeline_on_notes(t) && line.time_ns == t->note.time_ns;

		if (x != last || cursor)
			draw_note(t, g, x, cursor ? t->note.text : line.text, cursor);
		last = x;
	}
}

void timeline_draw_notes(const struct timeline *t, const struct view_shared *s, struct grid *g)
{
	if (t->layout.notes < 0)
		return;
	grid_text(g, 0, t->layout.notes, t->gutter,
		  timeline_on_notes(t) ? ROLE_SELECTED : ROLE_LABEL, "console");
	draw_lines(t, s, g);
	draw_mark_notes(t, s, g);
}
