#include "core/profile/look/tasks.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"

void tasks_release(struct tasks *t)
{
	mem_free(t->sums);
	*t = (struct tasks){ 0 };
}

/* By root; returns the sum of all. */
static double sums_add(double *sums, const struct contexts *c, const struct profile *p)
{
	double all = 0;

	for (size_t i = 0; i < c->count; i++) {
		double self = p->functions[i].self_s;

		if (!(self > 0) || c->items[i].handler || p->functions[i].flags & ROW_HANDLER)
			continue;
		all += self;
		if (c->items[i].root < c->count)
			sums[c->items[i].root] += self;
	}
	return all;
}

static void task_insert(struct tasks *t, uint32_t root, double share)
{
	size_t at = t->count;

	while (at && t->items[at - 1].share < share)
		at--;
	if (at == TASKS_MOST)
		return;
	t->count += t->count < TASKS_MOST;
	memmove(&t->items[at + 1], &t->items[at],
		(t->count - 1 - at) * sizeof(t->items[0]));
	t->items[at] = (struct task_share){ root, share };
}

int tasks_find(struct tasks *t, const struct contexts *c, const struct profile *p)
{
	double all;

	t->count = 0;
	if (c->count != p->function_count)
		return 0;
	if (mem_grow(&t->sums, &t->cap, c->count + 1, sizeof(*t->sums)) < 0)
		return ERR_NOMEM;
	memset(t->sums, 0, c->count * sizeof(*t->sums));
	all = sums_add(t->sums, c, p);
	for (uint32_t i = 0; i < c->count; i++)
		if (t->sums[i] > 0)
			task_insert(t, i, t->sums[i] / all);
	return 0;
}
