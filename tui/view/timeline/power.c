/*
 * power: the lane of the current, below states and values: a line of words, then a graph each of
 * the greatest, the mean and the least current of every column. A mean alone would hide what is
 * short. What a model says is drawn alike, and marked as an estimate (~).
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/amps.h"
#include "tui/view/timeline/timeline.h"

enum { WORDS = 1, GRAPHS = 3, LEAVES = 4 };	/* lines; so many stay for calls */

struct power_lane {
	const struct power *power;
	struct power_span columns[TIMELINE_COLUMNS];
	bool known[TIMELINE_COLUMNS];
	struct power_span window;
	double scales[GRAPHS];		/* A: of a bar of the full height */
	bool has;			/* some column has samples */
	double seconds;			/* of the window, as far as the meter measured */
};

int timeline_power_lines(const struct view_shared *s, int lines)
{
	const struct power *p = node_current(s->node);
	bool some = p && power_begin(p) < power_end(p), asked = p || node_energy_told(s->node);

	if (!asked || (node_power(s->node) && !some) || lines < WORDS + LEAVES)
		return 0;
	return some && lines >= WORDS + GRAPHS + LEAVES ? WORDS + GRAPHS : WORDS;
}

/* The ticks of the meter from one time of the trace to another, at least one; false: none. */
static bool ticks_between(const struct timeline *t, const struct view_shared *s, double begin,
			  double end, uint64_t *from, uint64_t *to)
{
	double first, last, rate = node_power_tick(s->node, t->last) -
				   node_power_tick(s->node, t->first);

	rate /= (double)(t->last - t->first);
	first = node_power_tick(s->node, t->first) + (begin - (double)t->first) * rate;
	last = node_power_tick(s->node, t->first) + (end - (double)t->first) * rate;
	if (!(last >= 0) || !(first < 1e18) || !(last < 1e18))
		return false;
	*from = first > 0 ? (uint64_t)first : 0;
	*to = (uint64_t)last > *from ? (uint64_t)last : *from + 1;
	return true;
}

/* What a line of the graph shows of a column. */
static double column_value(const struct power_span *c, int line)
{
	return line == 0 ? c->max : line == 1 ? c->mean : c->min;
}

/*
 * Each line has its own, which is said beside it: peaks of 200 mA would hide all else. Where there
 * is no room to say it they share one.
 */
static void scales_find(struct power_lane *lane, const struct timeline *t)
{
	for (int line = 0; line < GRAPHS; line++) {
		double most = 0;

		for (int x = 0; x < t->scene.width; x++)
			if (lane->known[x])
				most = fmax(most, column_value(&lane->columns[x], line));
		lane->scales[line] = t->gutter < TIMELINE_GUTTER_WIDE ? lane->window.max : most;
	}
}

static void lane_measure(struct power_lane *lane, const struct timeline *t,
			 const struct view_shared *s)
{
	double per = scene_ticks_per_column(&t->scene), begin = (double)t->scene.begin;
	uint64_t from, to;

	for (int x = 0; x < t->scene.width; x++) {
		lane->known[x] = ticks_between(t, s, begin + x * per, begin + (x + 1) * per, &from,
					       &to) &&
				 power_span(lane->power, from, to, &lane->columns[x]);
		lane->has |= lane->known[x];
	}
	if (!ticks_between(t, s, begin, (double)t->scene.end, &from, &to) ||
	    !power_span(lane->power, from, to, &lane->window))
		lane->has = false;
	scales_find(lane, t);
	lane->seconds = (double)lane->window.count / power_hz(lane->power);
}

static void draw_currents(const struct power_lane *lane, struct grid *g, int y, int width, int line)
{
	static const enum role roles[GRAPHS] = { ROLE_WARNING, ROLE_BAR, ROLE_DIM };

	for (int x = 0; x < width; x++) {
		double value = column_value(&lane->columns[x], line);

		if (lane->known[x] && value > 0)
			grid_fill(g, x, y, 1, roles[line], grid_rise(value / lane->scales[line]));
		else if (lane->known[x])
			grid_fill(g, x, y, 1, ROLE_DIM, g->utf8 ? 0xb7 : '.');
	}
}

static const char *trouble_words(const struct energy_report *r)
{
	if (r && r->estimate)
		return "no estimate in this time: no calls, no PC samples with times on this axis";
	switch (r ? r->trouble : ENERGY_NO_RUNS) {
	case ENERGY_NO_CURRENT: return "no sample of the meter came yet";
	case ENERGY_NOT_ALIGNED:
		return "its samples and the calls are not aligned yet: which belong together?";
	default: return "the meter measured nothing in this time";
	}
}

/* Words that have no room are left out, the last ones first. */
static void words_draw(const struct power_lane *lane, const struct timeline *t,
		       const struct view_shared *s, struct grid *g, int y)
{
	const struct energy_report *r = node_energy_told(s->node);
	const struct power_span *w = &lane->window;
	const char *mark = r && r->estimate ? "~" : "";
	int x = t->gutter, at = scene_column(&t->scene, t->at);
	char words[5][64], a[16], b[16], c[16], unsure[24];
	size_t count = 0;

	snprintf(words[count++], sizeof(words[0]), "%smean %s, %s to %s", mark,
		 amps_text(a, sizeof(a), w->mean), amps_text(b, sizeof(b), w->min),
		 amps_text(c, sizeof(c), w->max));
	if (*mark)
		snprintf(words[count++], sizeof(words[0]), "estimated%s",
			 node_current_by_pcs(s->node) ? " by PC samples" : " by the model");
	snprintf(words[count++], sizeof(words[0]), "charge %s%s", mark,
		 coulombs_text(a, sizeof(a), w->mean * lane->seconds));
	if (r && at >= 0 && at < t->scene.width && lane->known[at])
		snprintf(words[count++], sizeof(words[0]), "cursor %s%s", mark,
			 amps_text(a, sizeof(a), lane->columns[at].mean));
	if (r && !isnan(r->uncertainty_s))
		snprintf(words[count++], sizeof(words[0]), "aligned +-%s by %s",
			 text_seconds(unsure, sizeof(unsure), r->uncertainty_s),
			 align_words(r->method));
	if (w->missing && !*mark)
		snprintf(words[count++], sizeof(words[0]), "%s samples missing",
			 TEXT_WHOLE(w->missing));
	for (size_t i = 0; i < count && x + text_columns(words[i]) <= g->width; i++)
		x += 2 + grid_text(g, x, y, -1, i ? ROLE_LABEL : ROLE_VALUE, words[i]);
}

/* "max", and the current of the highest bar. */
static void labels_draw(const struct power_lane *lane, const struct timeline *t, struct grid *g,
			int y)
{
	static const char *const names[GRAPHS] = { "max", "mean", "min" };
	char scale[16];

	for (int i = 0; i < GRAPHS; i++) {
		grid_text(g, 0, y + i, t->gutter - 1, ROLE_LABEL, names[i]);
		amps_text(scale, sizeof(scale), lane->scales[i]);
		if (t->gutter >= TIMELINE_GUTTER_WIDE)
			grid_right(g, 0, y + i, t->gutter - 1, ROLE_DIM, scale);
	}
}

void timeline_draw_power(struct timeline *t, const struct view_shared *s, struct grid *g)
{
	struct power_lane lane = { .power = node_current(s->node) };
	struct grid plot = grid_sub(g, t->gutter, t->layout.power + WORDS, g->width - t->gutter,
				    GRAPHS);
	int y = t->layout.power;

	if (!t->layout.power_lines)
		return;
	if (lane.power)
		lane_measure(&lane, t, s);
	grid_text(g, 0, y, t->gutter - 1, ROLE_VALUE, "power");
	if (!lane.has) {
		grid_text(g, t->gutter, y, -1, ROLE_DIM, trouble_words(node_energy_told(s->node)));
		return;
	}
	words_draw(&lane, t, s, g, y);
	if (t->layout.power_lines < WORDS + GRAPHS)
		return;
	labels_draw(&lane, t, g, y + WORDS);
	for (int i = 0; i < GRAPHS; i++)
		draw_currents(&lane, &plot, i, t->scene.width, i);
}
