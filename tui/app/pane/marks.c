#include "tui/app/pane/marks.h"

#include <inttypes.h>
#include <stdio.h>

#include "core/base/mem.h"

const struct mark_row mark_rows[MARK_KINDS] = {
	[MARK_LOST] = { .kind = MARK_LOST, .sign = '!', .legend = "lost" },
	[MARK_GONE] = { .kind = MARK_GONE, .sign = 'x', .legend = "disconnected" },
	[MARK_RESET] = { .kind = MARK_RESET, .sign = 'R', .legend = "reset" },
	[MARK_IMAGE] = { .kind = MARK_IMAGE, .sign = 'F', .legend = "firmware" },
};

void marks_release(struct marks *m)
{
	mem_free(m->items);
	*m = (struct marks){ 0 };
}

/* --- made of moments -------------------------------------------------------------------------- */

static struct mark *mark_add(struct marks *m, enum mark_kind kind, uint64_t time_ns)
{
	if (mem_grow(&m->items, &m->cap, m->count + 1, sizeof(*m->items)) < 0)
		return NULL;
	m->items[m->count] = (struct mark){ .kind = kind, .time_ns = time_ns };
	return &m->items[m->count++];
}

/* `run`: the mark of the moments before, if they had losses, too. Returns it, or a new one. */
static struct mark *losses_add(struct marks *m, struct mark *run, const struct history_moment *at)
{
	if (!at->lost && !at->bad)
		return NULL;
	if (!run)
		run = mark_add(m, MARK_LOST, at->time_ns);
	if (run) {
		run->lost += at->lost;
		run->bad += at->bad;
	}
	return run;
}

static void moment_marks(struct marks *m, const struct history_moment *at)
{
	struct mark *reset;

	/* The line was lost at the beginning: such a moment is as long as that lasted. */
	if (at->gone)
		mark_add(m, MARK_GONE, at->time_ns -
			 (at->length_ns < at->time_ns ? at->length_ns : 0));
	if (at->image)
		mark_add(m, MARK_IMAGE, at->time_ns);
	reset = at->began || at->reset ? mark_add(m, MARK_RESET, at->time_ns) : NULL;
	if (reset)
		reset->restart = at->began;
}

void marks_fill(struct marks *m, const struct history *h)
{
	uint64_t serial = h ? history_serial(h) : 0;
	struct history_moment at;
	size_t run = SIZE_MAX;

	if (m->of == h && m->serial == serial)
		return;
	m->of = h;
	m->serial = serial;
	m->count = 0;
	for (size_t i = 0; h && history_moment(h, i, &at); i++) {
		struct mark *losses;

		moment_marks(m, &at);
		losses = losses_add(m, run < m->count ? &m->items[run] : NULL, &at);
		run = losses ? (size_t)(losses - m->items) : SIZE_MAX;
	}
}

/* --- asked for -------------------------------------------------------------------------------- */

const struct mark *marks_after(const struct marks *m, uint64_t time_ns)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->items[i].time_ns > time_ns)
			return &m->items[i];
	return NULL;
}

const struct mark *marks_until(const struct marks *m, uint64_t time_ns)
{
	for (size_t i = m->count; i-- > 0;)
		if (m->items[i].time_ns <= time_ns)
			return &m->items[i];
	return NULL;
}

const char *mark_text(const struct mark *m, char *dst, size_t size)
{
	switch (m->kind) {
	case MARK_RESET:
		snprintf(dst, size, m->restart ? "node restarted" : "counters reset");
		break;
	case MARK_IMAGE:
		snprintf(dst, size, "other firmware");
		break;
	case MARK_GONE:
		snprintf(dst, size, "node disconnected");
		break;
	default:
		if (!m->bad)
			snprintf(dst, size, "%" PRIu64 " lost", m->lost);
		else if (!m->lost)
			snprintf(dst, size, "%" PRIu64 " bad bytes", m->bad);
		else
			snprintf(dst, size, "%" PRIu64 " lost, %" PRIu64 " bad bytes", m->lost,
				 m->bad);
		break;
	}
	return dst;
}
