#include "tui/app/pane/watching.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "tui/app/pane/past.h"
#include "tui/part/watched.h"

static uint64_t newest_moment(const struct node *n)
{
	struct history_moment m = { 0 };
	const struct history *h = node_history(n);

	if (h && history_count(h))
		history_moment(h, history_count(h) - 1, &m);
	return m.time_ns;
}

/* The bytes between members may be anything. */
static bool watch_same(const struct settings_watch *a, const struct settings_watch *b)
{
	return !strcmp(a->image, b->image) && !strcmp(a->watch.function, b->watch.function) &&
	       a->watch.column == b->watch.column && a->watch.below == b->watch.below &&
	       a->watch.bound == b->watch.bound;
}

static void state_look(struct watching_state *w, const struct settings_watch *of,
		       const struct column_data *d, uint64_t at_ns)
{
	if (!watch_same(&w->of, of))
		*w = (struct watching_state){ .of = *of };
	if (watch_passed(&of->watch, d, &w->value) && !w->passed) {
		w->passed = true;
		w->at_ns = at_ns;
	}
}

bool watching_look(struct watching *w, const struct node *n, const struct settings *s,
		   uint64_t now, bool *computed)
{
	struct column_data d = { .profile = node_profile(n) };
	size_t passed = w->passed;

	*computed = false;
	if (now < w->look_ns || (!s->watch_count && !w->passed))
		return false;
	w->look_ns = now + CLOCK_SECOND;
	w->passed = 0;
	*computed = s->watch_count > 0;
	if (s->watch_count && profile_compute(node_profile(n)) < 0)
		return false;
	for (size_t i = 0; i < SETTINGS_WATCHES; i++) {
		bool is = i < s->watch_count &&
			  settings_watch_is_for(&s->watches[i], watched_image(n));

		if (is)
			state_look(&w->states[i], &s->watches[i], &d, newest_moment(n));
		else
			w->states[i] = (struct watching_state){ .value = NAN };
		w->passed += w->states[i].passed;
	}
	return w->passed != passed;
}

const char *watching_describe(const struct watching *w, size_t i, const struct node *n, char *dst,
			      size_t size)
{
	const struct watching_state *state = &w->states[i];
	char value[40] = "not known", at[40];

	if (!isnan(state->value))
		watch_value(&state->of.watch, state->value, value, sizeof(value));
	if (state->passed)
		snprintf(dst, size, "passed at %s, now %s",
			 past_clock(n, node_history(n), state->at_ns, at, sizeof(at)), value);
	else
		snprintf(dst, size, "not passed, now %s", value);
	return dst;
}
