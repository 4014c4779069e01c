#include "tui/part/delta.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

static const struct { const char *word; enum role role; } verdicts[COMPARE_VERDICTS] = {
	[COMPARE_UNKNOWN] = { "", ROLE_DIM },
	[COMPARE_SAME] = { "same", ROLE_DIM },
	[COMPARE_WORSE] = { "worse", ROLE_WARNING },
	[COMPARE_BETTER] = { "better", ROLE_GOOD },
	[COMPARE_NEW] = { "new", ROLE_WARNING },
	[COMPARE_GONE] = { "gone", ROLE_GOOD },
	[COMPARE_MIXED] = { "mixed", ROLE_WARNING },
};

static const char *const measures[COMPARE_MEASURES] = {
	[COMPARE_LOAD] = "load", [COMPARE_PER_CALL] = "per call", [COMPARE_RATE] = "calls",
	[COMPARE_MAX] = "max",
};

/* "worse", "better", "same", "new", "gone", "mixed"; "" unknown. */
static const char *verdict_word(enum compare_verdict v)
{
	return verdicts[v].word;
}

enum role delta_role(const struct compare_value *v)
{
	return v->minor ? ROLE_DIM : verdicts[v->verdict].role;
}

enum role delta_row_role(const struct compare_row *r)
{
	return verdicts[r->verdict].role;
}

const char *delta_verdict(char *dst, size_t size, const struct compare_row *r)
{
	static const char *const names[COMPARE_MAX] = { "load", "call", "rate" };
	bool mixed = r->verdict == COMPARE_MIXED;
	const char *before = " ";

	snprintf(dst, size, "%s", r->verdict == COMPARE_UNKNOWN ? "-" : verdict_word(r->verdict));
	for (int m = 0; m < COMPARE_MAX; m++) {
		size_t used = strlen(dst);

		if (!(r->relevant >> m & 1))
			continue;
		snprintf(dst + used, size - used, "%s%s%s", before, names[m], !mixed ? "" :
			 r->value[m].verdict == COMPARE_WORSE ? "+" : "-");
		before = mixed ? " " : ", ";
	}
	return dst;
}

/* --- texts ------------------------------------------------------------------------------------ */

/* Two significant digits of a percentage. */
static int percent_decimals(double v)
{
	v = fabs(v);
	return v < 0.995 ? 2 : v < 9.95 ? 1 : 0;
}

static void points_text(char *dst, size_t size, double share)
{
	double v = 100 * share;

	if (fabs(v) < 0.005)
		snprintf(dst, size, "%c<.01 pt", v < 0 ? '-' : '+');
	else
		snprintf(dst, size, "%+.*f pt", fabs(v) < 0.995 ? 2 : fabs(v) < 99.95 ? 1 : 0, v);
}

static void percent_text(char *dst, size_t size, double then, double now)
{
	double share = now / then - 1;

	if (then <= 0)
		snprintf(dst, size, "from 0");
	else if (share >= 9.995)
		snprintf(dst, size, share < 998.5 ? "x%.0f" : "x999+", share + 1);
	else
		snprintf(dst, size, "%+.*f %%", percent_decimals(100 * share), 100 * share);
}

const char *delta_text(char *dst, size_t size, const struct compare_value *v,
		       enum compare_measure m)
{
	dst[0] = '\0';
	switch (v->verdict) {
	case COMPARE_SAME:
		snprintf(dst, size, "~");
		break;
	case COMPARE_WORSE:
	case COMPARE_BETTER:
		if (m == COMPARE_LOAD)
			points_text(dst, size, v->now - v->then);
		else
			percent_text(dst, size, v->then, v->now);
		break;
	default:
		snprintf(dst, size, "%s", verdict_word(v->verdict));
	}
	return dst;
}

static void rate_text(char *dst, size_t size, double v)
{
	char count[16];

	if (v < 99.95)
		snprintf(dst, size, "%.*f/s", v < 0.995 ? 2 : 1, v);
	else
		snprintf(dst, size, "%s/s", text_count(count, sizeof(count), round(v)));
}

const char *delta_figure(char *dst, size_t size, double v, enum compare_measure m)
{
	dst[0] = '\0';
	if (isnan(v))
		return dst;
	if (m == COMPARE_LOAD)
		snprintf(dst, size, "%.*f %%", v < 0.00995 ? 2 : v < 0.9995 ? 1 : 0, 100 * v);
	else if (m == COMPARE_RATE)
		rate_text(dst, size, v);
	else
		text_seconds(dst, size, v);
	return dst;
}

const char *delta_sentence(char *dst, size_t size, const struct compare_value *v,
			   enum compare_measure m)
{
	char then[DELTA_TEXT], now[DELTA_TEXT], change[DELTA_TEXT], noise[DELTA_TEXT] = "";
	bool both = v->verdict == COMPARE_WORSE || v->verdict == COMPARE_BETTER ||
		    (v->verdict == COMPARE_SAME && !isnan(v->now) && !isnan(v->then));

	delta_figure(then, sizeof(then), v->then, m);
	delta_figure(now, sizeof(now), v->now, m);
	delta_figure(noise, sizeof(noise), v->noise, m);
	dst[0] = '\0';
	if (both)
		snprintf(dst, size, "%s %s, was %s: %s%s (noise %s)", measures[m], now, then,
			 v->verdict == COMPARE_SAME ? "within the noise" :
			 delta_text(change, sizeof(change), v, m),
			 v->minor ? ", not relevant" : "", noise);
	else if (v->verdict == COMPARE_SAME)
		snprintf(dst, size, "%s %s: only %s, not relevant", measures[m],
			 isnan(v->now) ? then : now, isnan(v->now) ? "then" : "now");
	else if (v->verdict != COMPARE_UNKNOWN)
		snprintf(dst, size, "%s %s: %s", measures[m],
			 v->verdict == COMPARE_NEW ? now : then, verdict_word(v->verdict));
	return dst;
}

/* --- cells ------------------------------------------------------------------------------------ */

struct table_column delta_column(const struct view_shared *s, int rank)
{
	if (!s->model.compare)
		return (struct table_column){ 0 };
	return (struct table_column){ DELTA_WIDTH, DELTA_WIDTH, rank };
}

void delta_title(struct grid *g, struct table_span at, int y, int sorted)
{
	part_title(g, at, y, g->utf8 ? "Δ" : "+/-", false, sorted);
}

void delta_cell(struct grid *g, struct table_span at, int y, const struct compare_value *v,
		enum compare_measure m)
{
	char text[DELTA_TEXT];

	part_cell(g, at, y, delta_role(v), delta_text(text, sizeof(text), v, m));
}

static void draw_row_delta(struct grid *g, struct table_span at, int y, const struct view_shared *s,
			   const struct compare_row *row, enum compare_measure m)
{
	if (row)
		delta_cell(g, at, y, &row->value[m], m);
	else if (s->model.compare)
		part_cell(g, at, y, ROLE_DIM, "");
}

void delta_function(struct grid *g, struct table_span at, int y, const struct view_shared *s,
		    uint32_t function, enum compare_measure m)
{
	draw_row_delta(g, at, y, s, compare_function(s->model.compare, function), m);
}

void delta_edge(struct grid *g, struct table_span at, int y, const struct view_shared *s,
		uint32_t edge, enum compare_measure m)
{
	draw_row_delta(g, at, y, s, compare_edge(s->model.compare, edge), m);
}
