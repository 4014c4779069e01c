#include "tui/app/pane/watching.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "tui/app/pane/past.h"
#include "tui/part/watched.h"

bool watching_look(struct watching *w, struct node *n, const struct settings *s, uint64_t now,
		   bool *computed)
{
	struct watch bounds[SETTINGS_WATCHES];
	size_t which[SETTINGS_WATCHES], count = w->count, passed = w->passed;
	const struct watch_state *states;

	*computed = false;
	if (now < w->look_ns || (!s->watch_count && !w->count))
		return false;
	w->look_ns = now + CLOCK_SECOND;
	w->count = w->passed = 0;
	for (size_t i = 0; i < SETTINGS_WATCHES; i++) {
		w->states[i] = (struct watch_state){ .value = NAN };
		if (i >= s->watch_count ||
		    !settings_watch_is_for(&s->watches[i], watched_image(n)))
			continue;
		bounds[w->count] = s->watches[i].watch;
		which[w->count++] = i;
	}
	node_set_watches(n, bounds, w->count);
	states = node_watches(n, &w->count);
	*computed = w->count > 0;
	for (size_t i = 0; i < w->count; i++) {
		w->states[which[i]] = states[i];
		w->passed += states[i].passed;
	}
	return w->passed != passed || w->count != count;
}

const char *watching_describe(const struct watching *w, size_t i, const struct node *n, char *dst,
			      size_t size)
{
	const struct watch_state *state = &w->states[i];
	char value[40] = "not known", at[40];

	if (!isnan(state->value))
		watch_value(&state->of, state->value, value, sizeof(value));
	if (state->passed)
		snprintf(dst, size, "passed at %s, now %s",
			 past_clock(n, node_history(n), state->at_ns, at, sizeof(at)), value);
	else
		snprintf(dst, size, "not passed, now %s", value);
	return dst;
}
