/*
 * watches: bounds on figures: what is beyond them, and since when.
 *
 * A bound is held at the end of each moment, whose time is the data's. One that is set later, or
 * whose function gets its name later, may have been passed long before: then the moments that are
 * kept are searched.
 */
#include "core/node/parts.h"

#include <math.h>

#include "core/profile/raw/copy.h"

/* Only a bound on the stack needs them. Who calls whom changes less often than the counts. */
static const struct contexts *contexts_now(struct node *n, const struct profile *p)
{
	struct node_watches *w = &n->watches;
	bool wanted = false;

	for (size_t i = 0; i < w->count; i++)
		wanted |= w->states[i].of.column == COLUMN_STACK;
	if (!wanted)
		return NULL;
	if (w->contexts_of == p && w->edges == p->edge_count && w->renames == p->renames &&
	    w->contexts.count == p->function_count)
		return &w->contexts;
	w->contexts_of = NULL;
	if (contexts_build(&w->contexts, p, n->binding.image) < 0)
		return NULL;
	w->contexts_of = p;
	w->edges = p->edge_count;
	w->renames = p->renames;
	return &w->contexts;
}

/* --- the past --------------------------------------------------------------------------------- */

static bool was_beyond(const struct node *n, const struct watch *w, size_t from, size_t to)
{
	struct profile *p = history_window(node_history(n), from, to, NULL);
	struct contexts contexts = { 0 };
	struct column_data d = { .profile = p };
	bool beyond;

	if (!p)
		return false;
	if (w->column == COLUMN_STACK && contexts_build(&contexts, p, n->binding.image) == 0)
		d.contexts = &contexts;
	beyond = watch_passed(w, &d, NULL);
	contexts_release(&contexts);
	profile_drop(p);
	return beyond;
}

/* The first moment with which the counts since their start are beyond it; 0: none of them. */
static uint64_t beyond_since(const struct node *n, const struct watch *w)
{
	const struct history *h = node_history(n);
	size_t count = h ? history_count(h) : 0, start, low, high = count;
	struct history_moment m;

	if (!count || !watch_lasts(w))
		return 0;
	start = low = history_start(h, count - 1);
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (was_beyond(n, w, start, middle + 1))
			high = middle;
		else
			low = middle + 1;
	}
	return low < count && history_moment(h, low, &m) ? m.time_ns : 0;
}

/* --- now -------------------------------------------------------------------------------------- */

static void state_hold(struct node *n, struct watch_state *s, const struct column_data *d,
		       uint64_t time_ns)
{
	bool unknown = isnan(s->value);
	uint64_t since;

	s->beyond = watch_passed(&s->of, d, &s->value);
	if (!s->beyond || s->passed)
		return;
	since = unknown ? beyond_since(n, &s->of) : 0;
	s->passed = true;
	s->at_ns = since ? since : time_ns;
}

void watches_hold(struct node *n, uint64_t time_ns)
{
	struct node_watches *w = &n->watches;
	struct profile *p = node_profile(n);
	struct column_data d = { .profile = p };

	w->held_ns = time_ns;
	if (!w->count || profile_compute(p) < 0)
		return;
	d.contexts = contexts_now(n, p);
	for (size_t i = 0; i < w->count; i++)
		state_hold(n, &w->states[i], &d, time_ns);
}

void watches_again(struct node *n)
{
	n->watches.contexts_of = NULL;
}

void watches_release(struct node *n)
{
	contexts_release(&n->watches.contexts);
}

const struct watch_state *node_watches(struct node *n, size_t *count)
{
	watches_hold(n, n->now_ns);
	*count = n->watches.count;
	return n->watches.states;
}

/* --- which ------------------------------------------------------------------------------------ */

static struct watch_state state_of(const struct node_watches *before, const struct watch *w)
{
	for (size_t i = 0; i < before->count; i++)
		if (watch_same(&before->states[i].of, w))
			return before->states[i];
	return (struct watch_state){ .of = *w, .value = NAN };
}

void node_set_watches(struct node *n, const struct watch *watches, size_t count)
{
	struct node_watches before = n->watches;

	n->watches.count = count < WATCHES ? count : WATCHES;
	for (size_t i = 0; i < n->watches.count; i++)
		n->watches.states[i] = state_of(&before, &watches[i]);
}
