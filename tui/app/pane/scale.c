#include "tui/app/pane/scale.h"

#include <math.h>

static uint64_t moment_begin(const struct history_moment *m)
{
	return m->time_ns - (m->length_ns < m->time_ns ? m->length_ns : 0);
}

void scale_ends(const struct history *h, uint64_t *begin_ns, uint64_t *end_ns)
{
	struct history_moment m = { 0 };

	history_moment(h, 0, &m);
	*begin_ns = moment_begin(&m);
	history_moment(h, history_count(h) - 1, &m);
	*end_ns = m.time_ns > *begin_ns ? m.time_ns : *begin_ns + 1;
}

/* --- values ----------------------------------------------------------------------------------- */

/* What the values of a history are. */
static enum scale_measure measure_of(const struct history *h)
{
	struct history_moment m;
	enum scale_measure by = SCALE_BYTES;

	for (size_t i = 0; history_moment(h, i, &m); i++) {
		if (!isnan(m.load))
			return SCALE_LOAD;
		if (m.calls)
			by = SCALE_CALLS;
	}
	return by;
}

double scale_value(enum scale_measure by, const struct history_moment *m)
{
	double seconds = (double)m->length_ns / 1e9;

	switch (by) {
	case SCALE_LOAD: return m->load;
	case SCALE_CALLS: return seconds > 0 ? (double)m->calls / seconds : (double)NAN;
	case SCALE_BYTES: return seconds > 0 ? (double)m->bytes / seconds : (double)NAN;
	}
	return NAN;
}

/* --- columns ---------------------------------------------------------------------------------- */

int scale_column_of(const struct scale *s, uint64_t time_ns)
{
	double share;

	if (time_ns <= s->begin_ns)
		return 0;
	if (time_ns >= s->end_ns)
		return s->width - 1;
	share = (double)(time_ns - s->begin_ns) / (double)(s->end_ns - s->begin_ns);
	return share < 1 ? (int)(share * s->width) : s->width - 1;
}

int scale_column_of_end(const struct scale *s, uint64_t time_ns)
{
	return scale_column_of(s, time_ns ? time_ns - 1 : 0);
}

uint64_t scale_time_at(const struct scale *s, int column)
{
	double share = (column + 0.5) / s->width;

	return s->begin_ns + (uint64_t)(share * (double)(s->end_ns - s->begin_ns));
}

static void moment_add(struct scale *s, const struct history_moment *m)
{
	double value = scale_value(s->by, m);
	int from = scale_column_of(s, moment_begin(m));
	int to = scale_column_of_end(s, m->time_ns);

	if (isnan(value))
		return;
	for (int x = from; x <= to || x == from; x++) {
		s->columns[x].known = true;
		s->columns[x].value = fmax(s->columns[x].value, value);
	}
	s->most = fmax(s->most, value);
}

void scale_fill(struct scale *s, const struct history *h, uint64_t begin_ns, uint64_t end_ns,
		int width)
{
	uint64_t serial = history_serial(h);
	struct history_moment m;

	width = width < 1 ? 1 : width < SCALE_COLUMNS ? width : SCALE_COLUMNS;
	end_ns = end_ns > begin_ns ? end_ns : begin_ns + 1;
	if (s->of == h && s->serial == serial && s->width == width && s->begin_ns == begin_ns &&
	    s->end_ns == end_ns)
		return;
	*s = (struct scale){
		.of = h, .serial = serial, .width = width, .by = measure_of(h),
		.begin_ns = begin_ns, .end_ns = end_ns,
	};
	for (size_t i = history_find(h, begin_ns); history_moment(h, i, &m); i++) {
		if (moment_begin(&m) >= end_ns && i > 0)
			break;
		if (m.time_ns > begin_ns || i == 0)
			moment_add(s, &m);
	}
}
