#include "tui/part/axis.h"

#include <math.h>
#include <stdio.h>

#include "core/base/lengths.h"
#include "core/base/text.h"
#include "core/profile/look/percentile.h"

enum { WIDEST = 512 };			/* columns of an axis with fine durations */

/* The marks over the buckets; of two on one column the later is seen. */
static const struct { double share; const char *utf8, *ascii; } marks[] = {
	{ 0.90, "◇", "9" }, { 0.50, "○", "5" }, { 0.99, "◆", "@" },
};

const char *axis_legend(bool utf8, bool wide, bool fine)
{
	static const char *const legends[2][2] = {
		{ "o average 5 P50 9 P90 @ P99 ~ estimate",
			"● average ○ P50 ◇ P90 ◆ P99 ~ estimate" },
		{ "o average  5 P50  9 P90  @ P99  ~ estimate inside its bucket",
		  "● average  ○ P50  ◇ P90  ◆ P99  ~ estimate inside its bucket" },
	}, *const exact[2] = {
		"o average  5 P50  9 P90  @ P99", "● average  ○ P50  ◇ P90  ◆ P99",
	};

	return fine ? exact[utf8] : legends[wide][utf8];
}

int axis_column(const struct axis *a, double seconds)
{
	double at;

	if (!(seconds > 0))
		return -1;
	at = (log10(seconds) - a->low) / (a->high - a->low) * (a->width - 1);
	return at < 0 ? -1 : at > a->width - 1 ? a->width : (int)lround(at);
}

static int decade_column(const struct axis *a, int decade)
{
	return (decade - a->low) * (a->width - 1) / (a->high - a->low);
}

static void decade_label(char *dst, size_t size, int decade)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	int group = decade >= 0 ? 3 : decade < -9 ? 0 : (decade + 9) / 3;
	int zeros = decade - (group * 3 - 9);

	snprintf(dst, size, "%.0f %s", pow(10, zeros), units[group]);
}

void axis_draw_scale(const struct axis *a, struct grid *g, int y)
{
	int free_from = a->x;

	for (int d = a->low; d <= a->high; d++) {
		char label[24];
		int x = a->x + decade_column(a, d), length;

		decade_label(label, sizeof(label), d);
		length = text_columns(label);
		/* The last decade's label ends at the edge. */
		if (x + 1 + length > a->x + a->width) {
			if (x - length <= free_from)
				continue;
			grid_text(g, x - length, y, length, ROLE_TITLE, label);
			grid_text(g, x, y, 1, ROLE_TITLE, g->utf8 ? "│" : "|");
			break;
		}
		if (x < free_from)
			continue;
		grid_text(g, x, y, 1, ROLE_TITLE, g->utf8 ? "│" : "|");
		grid_text(g, x + 1, y, length, ROLE_TITLE, label);
		free_from = x + length + 1;
	}
}

void axis_draw_grid(const struct axis *a, struct grid *g, int y)
{
	for (int d = a->low; d <= a->high; d++)
		grid_text(g, a->x + decade_column(a, d), y, 1, ROLE_DIM, g->utf8 ? "·" : ".");
}

static enum role role_at(const struct axis *a, int column)
{
	return role_heat(column < 0 ? 0 : (double)column / a->width);
}

void axis_draw_span(const struct axis *a, struct grid *g, int y, const struct duration *d)
{
	int from = axis_column(a, d->min), to = axis_column(a, d->max);
	int at = axis_column(a, d->average);
	enum role role = role_at(a, at);
	bool below = from < 0;

	if (!isnan(d->min) && !isnan(d->max) && d->max > 0) {
		from = below ? 0 : from;
		to = to < from ? from : to >= a->width ? a->width - 1 : to;
		grid_fill(g, a->x + from, y, to - from + 1, role, g->utf8 ? 0x2500 : '-');
		grid_text(g, a->x + from, y, 1, role, below ? "<" : g->utf8 ? "├" : "|");
		grid_text(g, a->x + to, y, 1, role, d->at_least ? ">" : g->utf8 ? "┤" : "|");
	}
	if (d->average > 0)
		grid_text(g, a->x + (at < 0 ? 0 : at >= a->width ? a->width - 1 : at), y, 1, role,
			  g->utf8 ? "●" : "o");
}

/* The columns that a bucket covers of [from, to], which is where the calls lie. */
static bool bucket_columns(const struct profile *p, const struct axis *a, size_t i, int from,
			   int to, int *first, int *last)
{
	*first = i ? axis_column(a, percentile_bound(p, i - 1)) : 0;
	*last = i + 1 < WIRE_BUCKETS ? axis_column(a, percentile_bound(p, i)) - 1 : a->width - 1;
	*first = *first < from ? from : *first;
	*last = *last > to ? to : *last;
	return *first <= *last;
}

static void draw_mark(const struct axis *a, struct grid *g, int y, double seconds, const char *mark)
{
	int at = axis_column(a, seconds);

	if (at >= 0 && at < a->width)
		grid_text(g, a->x + at, y, 1, role_at(a, at), mark);
}

static void draw_marks(const struct axis *a, struct grid *g, int y, const struct profile *p,
		       const struct duration *d)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		draw_mark(a, g, y, duration_percentile(p, d, marks[i].share),
			  g->utf8 ? marks[i].utf8 : marks[i].ascii);
	draw_mark(a, g, y, d->average, g->utf8 ? "●" : "o");
}

/* The calls of a bucket beside the fullest one, line by line. */
static void draw_tower(struct grid *g, int x, int y, int width, int height, enum role role,
		       double share)
{
	double level = share * height;

	for (int line = 0; line < height && level > line; line++)
		grid_fill(g, x, y + height - 1 - line, width, role,
			  grid_rise(level - line < 1 ? level - line : 1));
}

/*
 * Where every duration is known, to a 16th: each column has its own calls. Those of a range that
 * is wider than a column are divided among its columns. False: they are not known so.
 */
static bool draw_fine(const struct axis *a, struct grid *g, int y, int height,
		      const struct profile *p, const struct duration *d, int from, int to)
{
	uint64_t calls[LENGTHS] = { 0 };
	double sums[WIDEST] = { 0 }, most = 0;

	if (a->width > WIDEST || !duration_fine(p, d, calls))
		return false;
	to = to > from ? to : from;		/* the longest may be off the axis */
	for (unsigned i = 0; i < LENGTHS; i++) {
		int first = axis_column(a, profile_seconds(p, (double)lengths_low(i)));
		int last = axis_column(a, profile_seconds(p, (double)lengths_low(i + 1))) - 1;

		if (!calls[i])
			continue;
		first = first < from ? from : first > to ? to : first;
		last = last < first ? first : last > to ? to : last;
		for (int x = first; x <= last; x++) {
			sums[x] += (double)calls[i] / (last - first + 1);
			most = fmax(most, sums[x]);
		}
	}
	for (int x = from; x <= to; x++)
		if (sums[x] > 0)
			draw_tower(g, a->x + x, y, 1, height, role_at(a, x), sums[x] / most);
	return most > 0;
}

bool axis_draw_skyline(const struct axis *a, struct grid *g, int y, int height,
		       const struct profile *p, const struct duration *d)
{
	int from = axis_column(a, d->min), to = axis_column(a, d->max);
	uint64_t most = 0;
	int first, last;

	from = isnan(d->min) || from < 0 ? 0 : from;
	to = isnan(d->max) || to >= a->width ? a->width - 1 : to;
	if (draw_fine(a, g, y, height, p, d, from, to))
		return true;
	for (size_t i = 0; d->has_buckets && i < WIRE_BUCKETS; i++)
		most = d->buckets.calls[i] > most ? d->buckets.calls[i] : most;
	for (size_t i = 0; most && i < WIRE_BUCKETS; i++) {
		if (!d->buckets.calls[i])
			continue;
		/* On a coarse axis a bucket may have no column: it goes into the nearest. */
		if (!bucket_columns(p, a, i, from, to, &first, &last))
			first = last = first > to ? to : last < from ? from : first;
		draw_tower(g, a->x + first, y, last - first + 1, height, role_at(a, first),
			   (double)d->buckets.calls[i] / (double)most);
	}
	return most != 0;
}

bool axis_draw_buckets(const struct axis *a, struct grid *g, int y, const struct profile *p,
		       const struct duration *d)
{
	if (!axis_draw_skyline(a, g, y, 1, p, d))
		return false;
	draw_marks(a, g, y, p, d);
	return true;
}
