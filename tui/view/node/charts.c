#include "tui/view/node/charts.h"

#include <math.h>
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/part/board.h"
#include "tui/part/table.h"

enum {
	GAP = 3,			/* as between a board's columns */
	NEXT_STATUS = 8,		/* samples after which a silent node's time is not known */
	MOST = 12,			/* lines of a chart: taller ones tell no more */
	TWO_ROWS = 18,			/* so many lines: the duty chart has a row of its own */
};

/* Counts of a second, each a chart of its own. */
static const struct rate {
	const char *title;
	const char *(*say)(char *dst, size_t size, double n);
	enum role role;
	enum health_figure of[3];
	int n;
} rates[] = {
	{ "Calls", text_count, ROLE_BAR, { HEALTH_CALLS }, 1 },
	{ "Link", text_bytes, ROLE_BAR, { HEALTH_BYTES }, 1 },
	{ "Lost and damaged packets, bad bytes", text_count, ROLE_BAD,
	  { HEALTH_LOST, HEALTH_DAMAGED, HEALTH_BAD }, 3 },
};

enum { RATES = sizeof(rates) / sizeof(rates[0]) };

/* The samples behind a column: at least one. */
static struct health_sample column_sample(const struct health *h, int x, int width)
{
	size_t n = health_count(h), from = (size_t)x * n / (size_t)width;
	size_t to = (size_t)(x + 1) * n / (size_t)width;

	return health_range(h, from, to > from ? to : from + 1);
}

/* The node's times come with the STATUS after: of a sample without one the next tells. */
static bool column_duty(const struct health *h, int x, int width, double share[DUTIES])
{
	size_t n = health_count(h), from = (size_t)x * n / (size_t)width;
	size_t to = (size_t)(x + 1) * n / (size_t)width;
	struct health_sample s = { 0 };

	for (size_t tries = 0; tries < NEXT_STATUS && from < n; tries++) {
		to = to > from ? to : from + 1;
		s = health_range(h, from, to < n ? to : n);
		health_duty(&s, share);
		if (s.told_s > 0 || s.down || to >= n)
			break;
		to++;
	}
	return s.told_s > 0;
}

static double rate_of(const struct rate *r, const struct health_sample *s)
{
	double sum = 0;

	for (int i = 0; i < r->n; i++)
		sum += fmax(0, s->of[r->of[i]]);
	return s->wall_s > 0 ? sum / s->wall_s : NAN;
}

static void draw_title(struct grid *g, const char *title, const char *more)
{
	int x;

	grid_fill(g, 0, 0, -1, ROLE_TITLE, ' ');
	x = 1 + grid_text(g, 1, 0, -1, ROLE_TITLE, title);
	grid_text(g, x, 0, g->width - x, ROLE_TITLE, more);
}

/* A column from the bottom up, in eighths of a line. */
static void draw_column(struct grid *g, int x, double share, enum role role)
{
	double lines = fmin(share, 1) * (g->height - 1);

	for (int y = g->height - 1; y > 0 && lines > 0; y--, lines--)
		grid_fill(g, x, y, 1, role, lines >= 1 ? 0x2588 : grid_rise(lines));
}

static void draw_rate(const struct health *h, struct grid *g, const struct rate *r)
{
	double max = 0;
	char most[32], words[48];

	for (int x = 0; x < g->width; x++) {
		struct health_sample s = column_sample(h, x, g->width);

		max = fmax(max, rate_of(r, &s));
	}
	snprintf(words, sizeof(words), ", max %s/s", r->say(most, sizeof(most), max));
	draw_title(g, r->title, words);
	for (int x = 0; x < g->width && max > 0; x++) {
		struct health_sample s = column_sample(h, x, g->width);

		draw_column(g, x, rate_of(r, &s) / max, r->role);
	}
}

/* The parts of the time on each other, in the board's colours; the sleep is on top. */
static void draw_duty(const struct health *h, struct grid *g)
{
	struct health_sample all = health_range(h, 0, health_count(h));
	char span[24], words[48];

	snprintf(words, sizeof(words), ", over %s",
		 text_span(span, sizeof(span), (uint64_t)(all.wall_s * CLOCK_SECOND)));
	draw_title(g, "Where the time went", words);
	for (int x = 0; x < g->width; x++) {
		double share[DUTIES], sum = 0;
		int y = g->height;

		if (!column_duty(h, x, g->width, share))
			continue;
		for (size_t i = 0; i < DUTIES; i++) {
			int top;

			sum += share[i] > 0 ? share[i] : 0;
			top = g->height - (int)lround(fmin(sum, 1) * (g->height - 1));
			while (y > top && y > 1)
				grid_fill(g, x, --y, 1, board_part_role(i),
					  board_part_glyph(i));
		}
	}
}

static bool rate_is_there(const struct health_sample *all, const struct rate *r)
{
	return rate_of(r, all) > 0;
}

/* The i-th of n charts side by side. */
static struct grid chart_place(const struct grid *g, int y, int height, int i, int n)
{
	int width = (g->width - (n - 1) * GAP) / n;

	return grid_sub(g, i * (width + GAP), y, i == n - 1 ? g->width - i * (width + GAP) : width,
			height);
}

void charts_draw(const struct node *n, struct grid *g)
{
	const struct health *h = node_health(n);
	struct health_sample all = health_range(h, 0, health_count(h));
	double share[DUTIES];
	int charts = 0, at = 0, top = 0, most = g->width < 170 ? 2 : 3, height = g->height;
	bool duty, above;

	if (g->height < CHARTS_LEAST || all.wall_s <= 0)
		return;
	health_duty(&all, share);
	duty = !isnan(share[0]);
	above = duty && height >= TWO_ROWS;
	height = height < (above ? 2 * MOST + 1 : MOST) ? height : above ? 2 * MOST + 1 : MOST;
	for (size_t i = 0; i < RATES; i++)
		charts += rate_is_there(&all, &rates[i]);
	charts += duty && !above;
	charts = charts < most ? charts : most;
	if (duty) {
		struct grid place = above ? grid_sub(g, 0, 0, g->width, (height - 1) / 2) :
				    chart_place(g, 0, height, at++, charts);

		draw_duty(h, &place);
		top = above ? (height - 1) / 2 + 1 : 0;
	}
	for (size_t i = 0; i < RATES && at < charts; i++) {
		struct grid place = chart_place(g, top, height - top, at, charts);

		if (!rate_is_there(&all, &rates[i]))
			continue;
		draw_rate(h, &place, &rates[i]);
		at++;
	}
}
