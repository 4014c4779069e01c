/* trace/tell: events that are seen from outside, and names of notes. */
#include "core/trace/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

enum {
	CHECK_TELLS = 65536,
	NAMES = 4096,			/* of notes and states */
	FIRST_TICKS = 1,		/* what is older than the first has no room to be in */
};

void trace_setup_told(struct trace *t, double ticks_per_second)
{
	t->told = true;
	t->shift = 0;
	t->habits.unit = 1;
	t->ticks_per_second = ticks_per_second >= 1 && ticks_per_second <= UINT32_MAX ?
			      (uint32_t)(ticks_per_second + 0.5) : 0;
}

bool trace_is_told(const struct trace *t)
{
	return t->told;
}

void trace_order_only(struct trace *t, bool ordered)
{
	t->ordered = ordered;
}

bool trace_is_order_only(const struct trace *t)
{
	return t->ordered;
}

int trace_tell(struct trace *t, const struct trace_told *told)
{
	unsigned lane = told->lane % TRACE_LANES;
	uint64_t ticks;

	if (!t->begun) {
		t->begun = true;
		t->told_base = told->ticks > FIRST_TICKS ? 0 : FIRST_TICKS;
		t->first = t->now = told->ticks + t->told_base;
	}
	ticks = told->ticks + t->told_base;
	t->now = ticks > t->now ? ticks : t->now;
	if (lane >= t->lane_end)
		t->lane_end = lane + 1;
	trace_limit_check(t, CHECK_TELLS);
	return lane_tell(&t->lanes[lane], &t->pace, told, t->now);
}

void lane_note_lost(struct lane *l, uint64_t units, uint64_t frames)
{
	if (mem_grow(&l->notes, &l->note_cap, l->note_count + 1, sizeof(*l->notes)) == 0)
		l->notes[l->note_count++] = (struct note){ .units = units, .kind = TRACE_LOST,
							   .value = (int64_t)frames };
}

/* --- names ------------------------------------------------------------------------------------ */

static struct note_name *name_find(const struct trace *t, uint32_t id, bool of_state, int64_t state)
{
	for (size_t i = 0; i < t->name_count; i++) {
		struct note_name *n = &t->names[i];

		if (n->id == id && n->of_state == of_state && (!of_state || n->state == state))
			return n;
	}
	return NULL;
}

void trace_name(struct trace *t, const struct wire_naming *naming)
{
	struct note_name *n = name_find(t, naming->note, naming->of_state, naming->state);
	const char *name;

	if (n && strcmp(n->name, naming->name) == 0 && n->is_real == naming->is_real)
		return;
	name = arena_str(&t->name_texts, naming->name);
	if (!name || (!n && (t->name_count == NAMES ||
			     mem_grow(&t->names, &t->name_cap, t->name_count + 1,
				      sizeof(*t->names)) < 0)))
		return;			/* it is shown by its number */
	if (!n)
		n = &t->names[t->name_count++];
	*n = (struct note_name){ naming->note, naming->of_state, naming->state, name,
				 naming->is_real };
}

const char *trace_note_name(const struct trace *t, uint32_t id)
{
	const struct note_name *n = t ? name_find(t, id, false, 0) : NULL;

	return n ? n->name : NULL;
}

bool trace_note_is_real(const struct trace *t, uint32_t id)
{
	const struct note_name *n = t ? name_find(t, id, false, 0) : NULL;

	return n && n->is_real;
}

double trace_note_number(const struct trace *t, uint32_t id, int64_t value)
{
	double real = (double)value;

	if (trace_note_is_real(t, id))
		memcpy(&real, &value, sizeof(real));
	return real;
}

const char *trace_state_name(const struct trace *t, uint32_t id, int64_t state)
{
	const struct note_name *n = t ? name_find(t, id, true, state) : NULL;

	return n ? n->name : NULL;
}

const char *trace_value_text(const struct trace *t, uint32_t id, int64_t value,
			      char dst[TRACE_NUMBER])
{
	if (trace_note_is_real(t, id))
		snprintf(dst, TRACE_NUMBER, "%.9g", trace_note_number(t, id, value));
	else
		snprintf(dst, TRACE_NUMBER, "%" PRId64, value);
	return dst;
}
