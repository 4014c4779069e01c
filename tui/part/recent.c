#include "tui/part/recent.h"

#include "core/base/clock.h"
#include "core/profile/raw/copy.h"

void recent_release(struct recent *r)
{
	profile_drop(r->window);
	*r = (struct recent){ 0 };
}

static bool shows_live(const struct view_shared *s)
{
	return s->model.history && !s->frozen && s->window_to == SIZE_MAX && s->span == SPAN_START;
}

/* The first of the moments that end within the last so many seconds. */
static size_t first_within(const struct history *h, size_t count, double seconds, double *spanned)
{
	struct history_moment m;
	size_t first = count;

	*spanned = 0;
	while (first > 0 && *spanned < seconds && history_moment(h, first - 1, &m)) {
		*spanned += (double)m.length_ns / (double)CLOCK_SECOND;
		first--;
	}
	return first;
}

void recent_update(struct recent *r, const struct view_shared *s)
{
	double wanted = s->settings && s->settings->interval > 0 ? s->settings->interval : 1;
	size_t count = shows_live(s) ? history_count(s->model.history) : 0, first;
	struct err err = { 0 };

	if (count && r->history == s->model.history &&
	    r->serial == history_serial(s->model.history))
		return;
	recent_release(r);
	if (!count)
		return;
	r->history = s->model.history;
	r->serial = history_serial(s->model.history);
	first = first_within(s->model.history, count, wanted, &r->seconds);
	r->window = history_window(s->model.history, first, count, &err);
	if (!r->window || !r->window->bucket_count)
		r->seconds = 0;
	if (r->window)
		profile_forget_image(r->window);	/* which may go before it is asked again */
}

bool recent_buckets(const struct recent *r, const struct profile *p, const struct duration *d,
		    struct profile_buckets *sum)
{
	const struct profile *w = r->window;
	uint32_t function, caller = PROFILE_NONE, from, edge;

	if (r->seconds <= 0)
		return false;
	*sum = (struct profile_buckets){ { 0 } };
	function = profile_find_address(w, p->functions[d->function].address);
	if (function == PROFILE_NONE)
		return true;		/* not called in that time */
	if (d->edge == PROFILE_NONE) {
		profile_function_buckets(w, function, sum);
		return true;
	}
	from = p->edges[d->edge].from;
	if (from != PROFILE_NONE) {
		caller = profile_find_address(w, p->functions[from].address);
		if (caller == PROFILE_NONE)
			return true;
	}
	edge = w->functions[function].first_in;
	for (; edge != PROFILE_NONE; edge = w->edges[edge].next_in) {
		if (w->edges[edge].from == caller)
			profile_edge_buckets(w, edge, sum);
	}
	return true;
}
