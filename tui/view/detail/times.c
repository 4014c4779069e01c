/*
 * times: how long the function's calls took, the longest of them, and its hottest lines.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/part/board.h"
#include "tui/part/distribution.h"
#include "tui/view/detail/scene.h"
#include "tui/view/histogram/latched.h"

enum { WAY_LINES = 3 };

/* --- durations ------------------------------------------------------------------------------- */

enum { MARKS = 6, MARKS_ACROSS = 3 };

struct mark {
	const char *name;
	double seconds;
	bool estimate, at_least;
};

/* In rows of three. */
static size_t marks_find(const struct scene *c, struct mark marks[MARKS])
{
	const struct duration *d = &c->d->line;
	const struct mark all[MARKS] = {
		{ "MIN", d->min, false, d->min_at_least },
		{ "AVG", d->average, false, false },
		{ "MAX", d->max, false, d->at_least },
		{ "P50", duration_percentile(c->p, d, 0.50), true, false },
		{ "P90", duration_percentile(c->p, d, 0.90), true, false },
		{ "P99", duration_percentile(c->p, d, 0.99), true, false },
	};
	size_t n = 0;

	for (size_t i = 0; i < MARKS; i++)
		if (!isnan(all[i].seconds))
			marks[n++] = all[i];
	return n;
}

static int mark_lines(size_t marks)
{
	return marks <= MARKS_ACROSS ? 1 : 2;
}

int scene_duration_lines(const struct scene *c, int width)
{
	struct mark marks[MARKS];

	(void)width;
	if (!(c->d->line.max > 0))
		return 0;
	return 1 + mark_lines(marks_find(c, marks)) +
	       (c->d->line.has_buckets ? distribution_lines(&c->d->line) - 1 : 0);
}

void scene_durations(const struct scene *c, struct grid *g)
{
	struct mark marks[MARKS];
	size_t n = marks_find(c, marks);
	int lines = mark_lines(n), width = (g->width - 1) / MARKS_ACROSS;
	/* Its first line is the same in words: these figures are drawn over it. */
	struct grid below = grid_sub(g, 0, lines, g->width, g->height - lines);

	if (c->d->line.has_buckets)
		distribution_draw(&below, &(struct distribution){
			.profile = c->p, .line = &c->d->line, .title = "", .node = c->s->node });
	scene_heading(g, "DURATIONS");
	grid_fill(g, 0, lines, -1, ROLE_DEFAULT, ' ');
	for (size_t i = 0; i < n; i++) {
		int x = 1 + (int)i % MARKS_ACROSS * width, y = 1 + (int)i / MARKS_ACROSS;
		struct table_span at = { x + 4, width - 6 };

		grid_text(g, x, y, -1, ROLE_LABEL, marks[i].name);
		if (marks[i].estimate)
			part_percentile(g, at, y, c->p, marks[i].seconds);
		else
			part_call_time(g, at, y, c->p, marks[i].seconds, marks[i].at_least);
	}
}

/* --- the longest call ------------------------------------------------------------------------ */

/* When it was: of a traced node the time line shows it. */
static const char *worst_when(const struct scene *c, char *dst, size_t size)
{
	const struct trace *t = node_trace(c->s->node);
	uint64_t first, last;
	char key[40];

	if (!c->traced)
		return c->worst ? latched_when(c->s, c->worst, dst, size) : "";
	trace_span(t, &first, &last);
	snprintf(dst, size, "at %.3f s of the trace: %s shows it",
		 (double)(c->longest.max_begin - first) / trace_ticks_per_second(t),
		 keymap_first(&c->s->settings->keys, ACTION_LONGEST_CALL, key, sizeof(key)));
	return dst;
}

static const char *worst_way(const struct scene *c, char *dst, size_t size)
{
	dst[0] = 0;
	if (c->worst)
		latched_way(c->s, c->worst, c->f->name, dst, size);
	return dst;
}

int scene_worst_lines(const struct scene *c, int width)
{
	char text[600];

	if (!c->worst && !c->traced)
		return 0;
	worst_way(c, text, sizeof(text));
	width = *text ? board_words(NULL, 0, 0, width - 2, ROLE_DEFAULT, text) : 0;
	width = width < WAY_LINES ? width : WAY_LINES;
	return 1 + width + (*worst_when(c, text, sizeof(text)) != 0);
}

void scene_worst(const struct scene *c, struct grid *g)
{
	const char *when;
	char text[600];
	int y = 1;

	if (c->traced)
		text_seconds(text, sizeof(text), (double)c->longest.max /
			     trace_ticks_per_second(node_trace(c->s->node)));
	else
		column_call_time(c->p, c->worst->seconds, c->worst->at_least, text, sizeof(text));
	scene_heading(g, "LONGEST CALL  %s", text);
	when = worst_when(c, text, sizeof(text));
	if (*when)
		grid_text(g, 1, y++, -1, ROLE_LABEL, when);
	if (c->worst)
		board_words(g, 1, y, g->width - 2, ROLE_DEFAULT,
			    worst_way(c, text, sizeof(text)));
}

/* --- the hottest lines ----------------------------------------------------------------------- */

static const struct image *scene_image(const struct scene *c)
{
	return c->s->node ? node_image(c->s->node) : NULL;
}

/* By samples where there are any, else by what the calls from there took. */
static double line_heat(const struct cost *cost, const struct cost_line *l)
{
	return cost->samples ? (double)(l->samples + l->elsewhere) :
	       l->call_s > 0 ? l->call_s : 0;
}

void scene_hot_find(struct scene *c)
{
	const struct image *im = scene_image(c);
	struct cost *cost = &c->d->cost;
	uint32_t id = c->f->image_id;
	const char *path = im && id != IMAGE_NONE ? cost_path(im, id) : NULL;

	if (!path || cost_find(cost, c->p, c->d->function, im, id, path) < 0)
		return;
	for (size_t i = 0; i < cost->line_count; i++) {
		double heat = line_heat(cost, &cost->lines[i]);
		size_t at = c->hot_count;

		while (at > 0 && line_heat(cost, c->hot[at - 1]) < heat)
			at--;
		if (!(heat > 0) || at == SCENE_HOT_LINES)
			continue;
		c->hot_count += c->hot_count < SCENE_HOT_LINES;
		for (size_t k = c->hot_count - 1; k > at; k--)
			c->hot[k] = c->hot[k - 1];
		c->hot[at] = &cost->lines[i];
	}
}

int scene_hot_lines(const struct scene *c, int width)
{
	(void)width;
	return c->hot_count ? (int)c->hot_count + 1 : 0;
}

void scene_hot(const struct scene *c, struct grid *g)
{
	const struct cost *cost = &c->d->cost;
	const char *file = c->f->file ? c->f->file : "";
	struct table_span at[SCENE_CELLS];

	scene_spans(c, g->width, at);
	scene_heading(g, "HOTTEST LINES");
	part_title(g, at[SCENE_SHARE], 0, cost->samples ? "SHARE%" : "", false, 0);
	part_title(g, at[SCENE_CALLS], 0, cost->samples ? "SAMPLES" : "CALLS", false, 0);
	part_title(g, at[SCENE_TIME], 0, "TOTAL", false, 0);
	for (size_t i = 0; i < c->hot_count && (int)i + 1 < g->height; i++) {
		const struct cost_line *l = c->hot[i];
		int y = (int)i + 1;

		grid_textf(g, at[SCENE_NAME].x, y, at[SCENE_NAME].width, ROLE_NAME, "%s:%" PRIu32,
			   file, l->line);
		if (cost->samples)
			part_percent(g, at[SCENE_SHARE], y,
				     line_heat(cost, l) / (double)cost->samples);
		part_count(g, at[SCENE_CALLS], y, cost->samples ?
			   (double)(l->samples + l->elsewhere) : (double)l->calls);
		part_at_least(g, at[SCENE_TIME], y, l->call_s, l->inner);
	}
}
