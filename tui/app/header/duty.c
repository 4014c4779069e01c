/*
 * duty: the header's bar of where the processor's time goes.
 */
#include "tui/app/header/parts.h"

#include <math.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/part/board.h"

enum {
	GAP = 2,
	BAR_LEAST = 10,			/* columns; a shorter one tells nothing */
	BAR_WIDE = 24,			/* with decimals beside it */
};

/* In the order of the bar. */
static const struct part {
	enum health_duty duty;
	const char *name, *brief;
} parts[] = {
	{ DUTY_HANDLERS, "handlers", "handlers" },
	{ DUTY_PROFILED, "profiled", "profiled" },
	{ DUTY_UNPROFILED, "other", "other" },
	{ DUTY_AWAKE, "awake", "awake" },	/* instead of these two */
	{ DUTY_HOOKS, "profiling cost", "cost" },
	{ DUTY_ASLEEP, "sleep", "sleep" },
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

enum spelling { SPELT_TENTHS, SPELT_WHOLE, SPELT_BRIEF, SPELLINGS };

struct duty {
	double share[DUTIES];
	bool has[DUTIES];		/* this node can have it */
	double within;			/* profiling cost that is in the times; NaN: none */
};

/* A report tells of a run and the profiled part of it, and of nothing else. */
static void report_duty(const struct profile *p, struct duty *d)
{
	double run = p->totals.run_s, self = fmin(p->totals.profiled_s, run);

	if (p->totals.time != PROFILE_TIME_TIMED || !(run > 0) || isnan(self))
		return;
	d->share[DUTY_PROFILED] = self / run;
	d->share[DUTY_UNPROFILED] = 1 - self / run;
}

static bool duty_find(const struct header *h, struct duty *d)
{
	bool tells = node_hello(h->node);
	struct health_sample s = health_between(node_health(h->node), h->begin_ns, h->end_ns);
	bool known = false;

	*d = (struct duty){ .has = { [DUTY_PROFILED] = true, [DUTY_UNPROFILED] = true } };
	health_duty(&s, d->share);
	if (!tells && h->shared->model.profile && !h->shared->peaks)
		report_duty(h->shared->model.profile, d);
	for (int i = 0; i < DUTIES; i++) {
		d->has[i] |= tells;
		known |= d->has[i] && !isnan(d->share[i]);
	}
	d->has[DUTY_AWAKE] = tells && !isnan(d->share[DUTY_AWAKE]);
	if (d->has[DUTY_AWAKE])
		d->has[DUTY_PROFILED] = d->has[DUTY_UNPROFILED] = false;
	/* Where hooks' time is not taken back it is within the others': its share is told apart. */
	d->within = tells && !(node_hello(h->node)->features & WSN_F_TAKEN_BACK) ?
		    node_hooks(h->node) : NAN;
	if (d->share[DUTY_ASLEEP] > 0)
		d->within *= 1 - d->share[DUTY_ASLEEP];		/* it is of the time awake */
	if (!isnan(d->within))
		d->has[DUTY_HOOKS] = false;
	return known;
}

static int share_text(char *dst, size_t size, enum spelling how, double share)
{
	if (isnan(share))
		return snprintf(dst, size, "%*s", how == SPELT_TENTHS ? 4 : 2, "-");
	if (how == SPELT_TENTHS)
		return snprintf(dst, size, "%4.1f %%", 100 * share);
	if (share > 0 && share < 0.005)
		return snprintf(dst, size, "<1");
	return snprintf(dst, size, "%2.0f", 100 * share);
}

/* The cost that the other shares contain, with its columns. */
static int words_cost(struct grid *g, int x, int y, enum spelling how, const char *share)
{
	const char *name = how == SPELT_BRIEF ? "incl. cost" : "incl. profiling cost";

	if (g)
		grid_textf(g, x, y, -1, ROLE_VALUE, "%s %s", name, share);
	return text_columns(name) + 1 + text_columns(share);
}

/* Columns of the words; with a grid they are drawn from x on. */
static int words_put(const struct duty *d, enum spelling how, struct grid *g, int x, int y)
{
	int begin = x;
	char share[16];

	for (const struct part *p = parts; p < parts + PARTS; p++) {
		const char *name = how == SPELT_BRIEF ? p->brief : p->name;

		if (p->duty == DUTY_HOOKS && !isnan(d->within)) {
			share_text(share, sizeof(share), how, d->within);
			x += words_cost(g, x + GAP, y, how, share) + GAP;
		}
		if (!d->has[p->duty])
			continue;
		share_text(share, sizeof(share), how, d->share[p->duty]);
		x += x > begin ? GAP : 0;
		if (g)
			grid_textf(g, x, y, -1, board_part_role(p->duty), "%s %s", name, share);
		x += text_columns(name) + 1 + text_columns(share);
	}
	if (how == SPELT_TENTHS)
		return x - begin;
	if (g)
		grid_text(g, x, y, -1, ROLE_LABEL, " %");
	return x + 2 - begin;
}

/* What is not known of the whole stays dim. */
static void bar_put(const struct duty *d, struct grid *g, int y, int width)
{
	double sum = 0;
	int at = 0;

	grid_fill(g, 0, y, width > 0 ? width : 0, ROLE_DIM, 0x00b7);
	for (const struct part *p = parts; p < parts + PARTS && width > 0; p++) {
		double share = d->has[p->duty] ? d->share[p->duty] : 0;
		int end;

		sum += share > 0 ? share : 0;
		end = (int)lround(fmin(sum, 1) * width);
		grid_fill(g, at, y, end - at, board_part_role(p->duty), board_part_glyph(p->duty));
		at = end;
	}
}

bool header_draw_duty(struct grid *g, int y, const struct header *h)
{
	enum spelling how = SPELT_TENTHS;
	struct duty d;
	int words, bar;

	if (!duty_find(h, &d))
		return false;
	for (words = words_put(&d, how, NULL, 0, 0);
	     how + 1 < SPELLINGS &&
	     words + 1 + (how == SPELT_TENTHS ? BAR_WIDE : BAR_LEAST) > g->width;)
		words = words_put(&d, ++how, NULL, 0, 0);
	grid_fill(g, 0, y, -1, ROLE_HEADER, ' ');
	bar = g->width - words - 1;
	if (bar < BAR_LEAST)
		bar = -1;
	bar_put(&d, g, y, bar);
	words_put(&d, how, g, bar + 1, y);
	return true;
}
