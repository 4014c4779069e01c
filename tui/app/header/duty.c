/*
 * duty: the header's bar of where the processor's time goes.
 */
#include "tui/app/header/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/part/board.h"
#include "tui/part/naming.h"

enum {
	GAP = 2,
	BAR_LEAST = 10,			/* columns; a shorter one tells nothing */
	BAR_WIDE = 24,			/* with decimals beside it, or several tasks */
	TASK_NAME = 14,			/* columns of a task's name at most */
	TASK_TONES = ROLE_BOX5 - ROLE_BOX0 + 1,
};

#define TASK_TOLD 0.005			/* a smaller share is not shown */

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
	/* The tasks of what is profiled, the largest first. */
	struct { char name[TASK_NAME * 4 + 1]; double share; } tasks[TASKS_MOST];
	size_t task_count;
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

/* Of the samples of the last second. */
static void sampled_duty(double asleep, struct duty *d)
{
	*d = (struct duty){
		.share = { [DUTY_AWAKE] = 1 - asleep, [DUTY_ASLEEP] = asleep },
		.has = { [DUTY_AWAKE] = true, [DUTY_ASLEEP] = true }, .within = NAN,
	};
}

/* Where there are tasks, beside main, that take a part of the time. */
static void tasks_take(const struct view_model *m, struct duty *d)
{
	double profiled = d->share[DUTY_PROFILED];
	bool tasks = false;

	if (!m->tasks || m->tasks->count < 2 || !d->has[DUTY_PROFILED] || isnan(profiled))
		return;
	for (size_t i = 0; i < m->tasks->count; i++) {
		const char *name = m->profile->functions[m->tasks->items[i].root].name;
		double share = profiled * m->tasks->items[i].share;

		if (share < TASK_TOLD)
			break;
		tasks |= strcmp(name, "main") != 0;
		naming_short(name, TASK_NAME, d->tasks[i].name, sizeof(d->tasks[i].name));
		d->tasks[i].share = share;
		d->task_count++;
	}
	if (!tasks)
		d->task_count = 0;
}

static bool duty_find(const struct header *h, struct duty *d)
{
	bool tells = node_hello(h->node);
	bool in_times = tells && !(node_hello(h->node)->features & WSN_F_TAKEN_BACK);
	struct health_sample s = health_between(node_health(h->node), h->begin_ns, h->end_ns);
	struct node_port port;
	bool known = false;

	*d = (struct duty){ .has = { [DUTY_PROFILED] = true, [DUTY_UNPROFILED] = true } };
	health_duty(&s, d->share);
	if (!tells && h->shared->model.profile && !h->shared->peaks)
		report_duty(h->shared->model.profile, d);
	for (int i = 0; i < DUTIES; i++) {
		d->has[i] |= tells;
		known |= d->has[i] && !isnan(d->share[i]);
	}
	if (node_probe(h->node)) {
		sampled_duty(node_probe(h->node)->asleep_now, d);
		return node_probe(h->node)->samples > 0 &&
		       node_probe(h->node)->trouble == PROBE_FINE;	/* else some are none */
	}
	if (!known && !node_ended(h->node) && node_port(h->node, &port) && port.pcs_now > 0) {
		sampled_duty(port.asleep_now, d);
		return true;
	}
	d->has[DUTY_AWAKE] = tells && !isnan(d->share[DUTY_AWAKE]);
	if (d->has[DUTY_AWAKE])
		d->has[DUTY_PROFILED] = d->has[DUTY_UNPROFILED] = false;
	/* Where hooks' time is not taken back it is within the others': its share is told apart. */
	d->within = in_times ? node_hooks(h->node) : NAN;
	if (d->share[DUTY_ASLEEP] > 0)
		d->within *= 1 - d->share[DUTY_ASLEEP];		/* it is of the time awake */
	if (in_times || (tells && node_hello(h->node)->cost <= 0))
		d->has[DUTY_HOOKS] = false;
	if (!h->shared->peaks)
		tasks_take(&h->shared->model, d);
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

static enum role task_role(size_t i)
{
	return (enum role)(ROLE_BOX0 + i % TASK_TONES);
}

/* " (sense 20, log 12)": the first of the tasks, in the tones of the bar. */
static int words_tasks(const struct duty *d, size_t count, struct grid *g, int x, int y,
		       enum spelling how)
{
	int begin = x;
	char share[16];

	for (size_t i = 0; i < count; i++) {
		const char *name = d->tasks[i].name;

		share_text(share, sizeof(share), how, d->tasks[i].share);
		if (g) {
			grid_text(g, x, y, -1, ROLE_LABEL, i ? ", " : " (");
			grid_text(g, x + 2, y, -1, task_role(i), name);
			grid_textf(g, x + 2 + text_columns(name), y, -1, ROLE_VALUE, " %s", share);
		}
		x += 2 + text_columns(name) + 1 + text_columns(share);
	}
	if (g && count)
		grid_text(g, x, y, -1, ROLE_LABEL, ")");
	return x + (count != 0) - begin;
}

/* Columns of the words; with a grid they are drawn from x on. */
static int words_put(const struct duty *d, enum spelling how, size_t tasks, struct grid *g, int x,
		     int y)
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
		if (p->duty == DUTY_PROFILED)
			x += words_tasks(d, tasks, g, x, y, how);
	}
	if (how == SPELT_TENTHS)
		return x - begin;
	if (g)
		grid_text(g, x, y, -1, ROLE_LABEL, " %");
	return x + 2 - begin;
}

/* From column `at` to where the sum of the shares ends; returns that. */
static int stretch_put(struct grid *g, int y, int at, int width, double sum, enum role role,
		       uint32_t glyph)
{
	int end = (int)lround(fmin(sum, 1) * width);

	grid_fill(g, at, y, end - at, role, glyph);
	return end > at ? end : at;
}

/* What is not known of the whole stays dim; what is profiled begins with the tasks. */
static void bar_put(const struct duty *d, struct grid *g, int y, int width)
{
	double sum = 0;
	int at = 0;

	grid_fill(g, 0, y, width > 0 ? width : 0, ROLE_DIM, 0x00b7);
	for (const struct part *p = parts; p < parts + PARTS && width > 0; p++) {
		double share = d->has[p->duty] ? d->share[p->duty] : 0, tasks = sum;

		for (size_t i = 0; p->duty == DUTY_PROFILED && i < d->task_count; i++) {
			int begin = at;

			tasks += d->tasks[i].share;
			at = stretch_put(g, y, at, width, tasks, task_role(i), ' ');
			if (text_columns(d->tasks[i].name) < at - begin)
				grid_text(g, begin, y, -1, task_role(i), d->tasks[i].name);
		}
		sum += share > 0 ? share : 0;
		at = stretch_put(g, y, at, width, sum, board_part_role(p->duty),
				 board_part_glyph(p->duty));
	}
}

/* How the words are spelled: the names of tasks come before decimals. */
struct wording {
	enum spelling how;
	size_t tasks;
	int columns;
};

static bool wording_fits(struct wording *w, const struct duty *d, int width)
{
	int bar = w->how == SPELT_TENTHS || w->tasks > 1 ? BAR_WIDE : BAR_LEAST;

	w->columns = words_put(d, w->how, w->tasks, NULL, 0, 0);
	return w->columns + 1 + bar <= width;
}

static struct wording wording_choose(const struct duty *d, int width)
{
	struct wording w = { SPELT_TENTHS, d->task_count, 0 };

	while (!wording_fits(&w, d, width)) {
		if (w.how + 1 < SPELLINGS)
			w.how++;
		else if (w.tasks)
			w = (struct wording){ SPELT_TENTHS, w.tasks - 1, 0 };
		else
			break;
	}
	return w;
}

/* Where not even the largest task has room its name is cut. */
static void largest_shorten(struct duty *d, int width)
{
	enum { LEAST = 5, AROUND = 7 };	/* columns of a name; " (", " 20", ")" and the gap */
	int room = width - BAR_LEAST - words_put(d, SPELT_BRIEF, 0, NULL, 0, 0) - AROUND;
	char name[sizeof(d->tasks[0].name)];

	if (!d->task_count || room < LEAST || room >= text_columns(d->tasks[0].name))
		return;
	naming_short(d->tasks[0].name, room, name, sizeof(name));
	memcpy(d->tasks[0].name, name, sizeof(name));
}

bool header_draw_duty(struct grid *g, int y, const struct header *h)
{
	struct wording w;
	struct duty d;
	int bar;

	if (!duty_find(h, &d))
		return false;
	largest_shorten(&d, g->width);
	w = wording_choose(&d, g->width);
	grid_fill(g, 0, y, -1, ROLE_HEADER, ' ');
	bar = g->width - w.columns - 1;
	if (bar < BAR_LEAST)
		bar = -1;
	bar_put(&d, g, y, bar);
	words_put(&d, w.how, w.tasks, g, bar + 1, y);
	return true;
}
