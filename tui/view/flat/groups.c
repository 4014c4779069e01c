/*
 * groups: functions by file or by task. A group has a line with the sums of its functions;
 * groups stand in the order of what their functions are sorted by.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/view/flat/flat.h"

void flat_groups_release(struct flat *f)
{
	mem_free(f->lines);
	mem_free(f->groups);
	mem_free(f->ranked);
	mem_free(f->of);
	mem_free(f->grouped);
	map_release(&f->by_key);
	map_release(&f->folded);
}

/* --- what group a function is in -------------------------------------------------------------- */

struct group_label {
	uint64_t key;
	const char *name, *path;
};

/* FNV-1a. Two paths with the same hash make one group: visible on the screen, no other harm. */
static uint64_t key_of_path(const char *path)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (; *path; path++)
		h = (h ^ (unsigned char)*path) * 0x100000001b3u;
	return h;
}

static struct group_label file_of(const struct profile_function *fn)
{
	const char *path = fn->path ? fn->path : fn->file;

	if (!path)
		return (struct group_label){ 0, "(file not known)", NULL };
	return (struct group_label){ key_of_path(path), fn->file ? fn->file : path, fn->path };
}

/* All interrupt handlers are one group. */
static struct group_label task_of(const struct flat *f, uint32_t function)
{
	enum { UNKNOWN, INTERRUPTS, SEVERAL, TASKS };
	const struct contexts *all = f->data.contexts;
	const struct context *c = all && function < all->count ? &all->items[function] : NULL;
	const struct profile_function *root;

	if (!c || c->root == CONTEXT_NONE)
		return (struct group_label){ UNKNOWN, "(not known from where)", NULL };
	if (c->handler)
		return (struct group_label){ INTERRUPTS, "interrupts", NULL };
	if (c->root == CONTEXT_SEVERAL)
		return (struct group_label){ SEVERAL, "(from several)", NULL };
	root = &f->data.profile->functions[c->root];
	return (struct group_label){ TASKS + root->address, root->name, NULL };
}

static struct group_label label_of(const struct flat *f, uint32_t function)
{
	return f->grouping == FLAT_BY_FILE ? file_of(&f->data.profile->functions[function]) :
	       task_of(f, function);
}

/* --- sums ------------------------------------------------------------------------------------- */

static void add_known(double *sum, double v)
{
	if (!isnan(v))
		*sum = isnan(*sum) ? v : *sum + v;
}

static void sum_add(struct profile_function *sum, const struct profile_function *fn)
{
	add_known(&sum->self_s, fn->self_s);
	sum->self_slack_s += fn->self_slack_s;
	sum->incomplete |= fn->incomplete;
	add_known(&sum->rate_calls, fn->rate_calls);
	add_known(&sum->rate_self, fn->rate_self);
	sum->samples += fn->samples;
	if (fn->called) {
		sum->called = true;
		sum->calls += fn->calls;
	}
}

/* The group of a label, a new one if it is the first of it; NULL: out of memory. */
static struct flat_group *group_of(struct flat *f, const struct group_label *l)
{
	uint32_t i = map_get(&f->by_key, l->key);

	if (i != MAP_NONE)
		return &f->groups[i];
	if (mem_grow(&f->groups, &f->group_cap, f->group_count + 1, sizeof(*f->groups)) < 0 ||
	    map_put(&f->by_key, l->key, (uint32_t)f->group_count) < 0)
		return NULL;
	f->groups[f->group_count] = (struct flat_group){
		.key = l->key, .name = l->name, .path = l->path,
		.folded = map_get(&f->folded, l->key) == 1,
		.sum = { .name = l->name, .self_s = NAN, .total_s = NAN, .min_s = NAN, .max_s = NAN,
			 .per_call_s = NAN, .rate_calls = NAN, .rate_self = NAN },
	};
	return &f->groups[f->group_count++];
}

static int sum_up(struct flat *f)
{
	for (size_t i = 0; i < f->rows.count; i++) {
		struct group_label l = label_of(f, f->rows.items[i]);
		struct flat_group *g = group_of(f, &l);

		if (!g)
			return ERR_NOMEM;
		g->count++;
		sum_add(&g->sum, &f->data.profile->functions[f->rows.items[i]]);
		f->of[i] = (uint32_t)(g - f->groups);
	}
	return 0;
}

/* Of all its functions; moments that none of them knows stay unknown. */
static void trend_sum(struct flat *f, const struct history *h, size_t last, struct flat_group *g)
{
	float trend[HISTORY_TREND];

	for (size_t k = 0; k < HISTORY_TREND; k++)
		g->trend[k] = NAN;
	for (size_t i = 0; i < g->count; i++) {
		uint32_t function = f->grouped[g->first + i];

		g->points = history_trend(h, f->data.profile->functions[function].address, last,
					  trend);
		for (size_t k = 0; k < g->points; k++) {
			if (!isnan(trend[k]))
				g->trend[k] = trend[k] + (isnan(g->trend[k]) ? 0 : g->trend[k]);
		}
	}
}

/* Once an update: a group may have thousands of functions. */
void flat_group_trends(struct flat *f, const struct view_shared *s)
{
	size_t last;

	if (f->grouping == FLAT_UNGROUPED || !f->present[SETTINGS_TREND] || !s->model.history)
		return;
	last = flat_last_moment(s);
	for (size_t i = 0; i < f->group_count && last != SIZE_MAX; i++)
		trend_sum(f, s->model.history, last, &f->groups[i]);
}

/* --- order ------------------------------------------------------------------------------------ */

/* By a column that has no sums groups stay in the order of their first functions. */
static int by_sum(const void *a, const void *b, void *ctx)
{
	const struct flat *f = ctx;
	uint32_t ia = *(const uint32_t *)a, ib = *(const uint32_t *)b;
	const struct flat_group *ga = &f->groups[ia], *gb = &f->groups[ib];
	const struct column *c = &columns[f->order.column];
	double va = 0, vb = 0;
	int order = 0;

	if (rows_by_change(&f->order))
		return (ia > ib) - (ia < ib);
	if (c->sums) {
		va = c->value(&f->data, &ga->sum);
		vb = c->value(&f->data, &gb->sum);
		if (isnan(va) || isnan(vb))
			order = isnan(va) - isnan(vb);
		else
			order = (va < vb) - (va > vb);
	} else if (!c->value) {
		order = strcmp(ga->name, gb->name);
	}
	if (order)
		return f->order.inverted ? -order : order;
	return (ia > ib) - (ia < ib);
}

/* Functions by group, each group's in the order of the rows. */
static void deal_out(struct flat *f)
{
	size_t at = 0;

	for (size_t i = 0; i < f->group_count; i++) {
		f->groups[i].first = at;
		at += f->groups[i].count;
		f->groups[i].count = 0;
	}
	for (size_t i = 0; i < f->rows.count; i++) {
		struct flat_group *g = &f->groups[f->of[i]];

		f->grouped[g->first + g->count++] = f->rows.items[i];
	}
}

/* --- lines ------------------------------------------------------------------------------------ */

static void add_line(struct flat *f, uint32_t function, uint32_t group)
{
	f->lines[f->list.count++] = (struct flat_line){ function, group };
}

static void make_lines(struct flat *f)
{
	f->list.count = 0;
	for (size_t i = 0; i < f->group_count; i++) {
		const struct flat_group *g = &f->groups[f->ranked[i]];

		add_line(f, PROFILE_NONE, f->ranked[i]);
		for (size_t k = 0; k < g->count && !g->folded; k++)
			add_line(f, f->grouped[g->first + k], f->ranked[i]);
	}
}

static int make_groups(struct flat *f)
{
	size_t n = f->rows.count;

	if (mem_grow(&f->of, &f->of_cap, n, sizeof(*f->of)) < 0 ||
	    mem_grow(&f->grouped, &f->grouped_cap, n, sizeof(*f->grouped)) < 0 ||
	    mem_grow(&f->ranked, &f->ranked_cap, n, sizeof(*f->ranked)) < 0 || sum_up(f) < 0)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < f->group_count; i++)
		f->ranked[i] = i;
	if (f->group_count)
		qsort_r(f->ranked, f->group_count, sizeof(*f->ranked), by_sum, f);
	deal_out(f);
	make_lines(f);
	return 0;
}

int flat_group_rows(struct flat *f)
{
	size_t n = f->rows.count;

	f->list.count = f->group_count = 0;
	map_clear(&f->by_key);
	if (mem_grow(&f->lines, &f->line_cap, 2 * n, sizeof(*f->lines)) < 0)
		return ERR_NOMEM;
	if (f->grouping != FLAT_UNGROUPED)
		return make_groups(f);
	for (size_t i = 0; i < n; i++)
		add_line(f, f->rows.items[i], PROFILE_NONE);
	return 0;
}

/* --- folding ---------------------------------------------------------------------------------- */

int flat_fold(struct flat *f, struct flat_group *group, bool folded)
{
	if (map_put(&f->folded, group->key, folded) < 0)
		return ERR_NOMEM;
	group->folded = folded;
	make_lines(f);
	return 0;
}

void flat_fold_all(struct flat *f)
{
	bool open = false;

	for (size_t i = 0; i < f->group_count; i++)
		open |= !f->groups[i].folded;
	for (size_t i = 0; i < f->group_count; i++) {
		if (map_put(&f->folded, f->groups[i].key, open) == 0)
			f->groups[i].folded = open;
	}
	make_lines(f);
}

size_t flat_line_of_group(const struct flat *f, uint64_t key)
{
	for (size_t i = 0; f->group_count && i < f->list.count; i++) {
		if (f->lines[i].function == PROFILE_NONE && f->groups[f->lines[i].group].key == key)
			return i;
	}
	return SIZE_MAX;
}

size_t flat_line_of(const struct flat *f, uint32_t function)
{
	for (size_t i = 0; i < f->list.count; i++) {
		if (f->lines[i].function == function)
			return i;
	}
	if (!f->group_count || function == PROFILE_NONE)
		return SIZE_MAX;
	for (size_t i = 0; i < f->rows.count; i++) {
		if (f->rows.items[i] == function)
			return flat_line_of_group(f, f->groups[f->of[i]].key);
	}
	return SIZE_MAX;
}
