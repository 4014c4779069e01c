#include "tui/app/pane/marks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/text.h"

const struct mark_row mark_rows[MARK_KINDS] = {
	[MARK_LOST] = { .kind = MARK_LOST, .sign = '!', .legend = "lost" },
	[MARK_GONE] = { .kind = MARK_GONE, .sign = 'x', .legend = "disconnected" },
	[MARK_RESET] = { .kind = MARK_RESET, .sign = 'R', .legend = "reset" },
	[MARK_IMAGE] = { .kind = MARK_IMAGE, .sign = 'F', .legend = "firmware" },
	[MARK_BOOKMARK] = { .kind = MARK_BOOKMARK, .sign = '*', .legend = "bookmark" },
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

static void history_marks(struct marks *m, const struct history *h)
{
	struct history_moment at;
	size_t run = SIZE_MAX;

	for (size_t i = 0; history_moment(h, i, &at); i++) {
		struct mark *lost;

		moment_marks(m, &at);
		lost = losses_add(m, run < m->count ? &m->items[run] : NULL, &at);
		run = lost ? (size_t)(lost - m->items) : SIZE_MAX;
	}
}

/* Those from the first moment on: the file may have those of an older recording of its name. */
static void bookmark_marks(struct marks *m, const struct history *h, const struct beside *b,
			   const struct node *n)
{
	struct history_moment first = { 0 };

	history_moment(h, 0, &first);
	first.time_ns -= first.length_ns < first.time_ns ? first.length_ns : 0;
	for (size_t i = 0; i < b->list.count; i++) {
		struct mark *mark;
		uint64_t at;

		if (!beside_time(n, &b->list.items[i], &at) || at < first.time_ns)
			continue;
		mark = mark_add(m, MARK_BOOKMARK, at);
		if (mark)
			mark->note = b->list.items[i].note;
	}
}

static int mark_compare(const void *x, const void *y)
{
	const struct mark *a = x, *b = y;

	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

void marks_fill(struct marks *m, const struct history *h, const struct beside *b,
		const struct node *n)
{
	uint64_t serial = h ? history_serial(h) : 0;
	unsigned bookmarks = b ? b->list.serial : 0;

	if (m->of == h && m->serial == serial && m->bookmarks == bookmarks)
		return;
	m->of = h;
	m->serial = serial;
	m->bookmarks = bookmarks;
	m->count = 0;
	if (!h)
		return;
	history_marks(m, h);
	if (b)
		bookmark_marks(m, h, b, n);
	if (m->count)
		qsort(m->items, m->count, sizeof(*m->items), mark_compare);
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
	char lost[32], bad[32];

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
	case MARK_BOOKMARK:
		snprintf(dst, size, "%s", *m->note ? m->note : "bookmark");
		break;
	default:
		text_whole(lost, sizeof(lost), m->lost);
		text_whole(bad, sizeof(bad), m->bad);
		if (!m->bad)
			snprintf(dst, size, "%s lost", lost);
		else if (!m->lost)
			snprintf(dst, size, "%s bad bytes", bad);
		else
			snprintf(dst, size, "%s lost, %s bad bytes", lost, bad);
		break;
	}
	return dst;
}
