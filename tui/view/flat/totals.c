/*
 * totals: "42 functions, 12 hidden by the filter, 4.90 s of the 7.10 s that the program ran", of
 * which stretch of time, and what is wrong with it.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "core/base/text.h"
#include "tui/view/flat/flat.h"

struct totals_text {
	char text[240];
	int used;
};

__attribute__((format(printf, 2, 3)))
static void text_add(struct totals_text *l, const char *fmt, ...)
{
	va_list ap;
	int n, room = (int)sizeof(l->text) - l->used;

	va_start(ap, fmt);
	n = vsnprintf(l->text + l->used, (size_t)room, fmt, ap);
	va_end(ap);
	if (n > 0)
		l->used += n < room ? n : room - 1;
}

static void add_functions(struct totals_text *l, const struct flat *f)
{
	static const char *const kinds[FLAT_GROUPINGS][2] = {
		[FLAT_BY_FILE] = { "file", "files" }, [FLAT_BY_TASK] = { "task", "tasks" },
	};
	size_t n = f->rows.count + f->rows.hidden;

	text_add(l, "%s function%s", TEXT_WHOLE(n), n == 1 ? "" : "s");
	if (f->grouping != FLAT_UNGROUPED)
		text_add(l, " in %s %s", TEXT_WHOLE(f->group_count),
			 kinds[f->grouping][f->group_count != 1]);
	if (f->rows.hidden)
		text_add(l, ", %s hidden by the filter", TEXT_WHOLE(f->rows.hidden));
}

/* `brief`: not of how long the program ran, which the header's bar shows as well. */
static void add_times(struct totals_text *l, const struct profile *p, bool brief)
{
	char self[16], run[16];

	if (p->totals.time == PROFILE_TIME_NONE) {
		text_add(l, ", counts only: no times");
	} else if (isnan(p->totals.self_s)) {
		text_add(l, ", self times need the ELF that was flashed (-e)");
	} else {
		text_add(l, ", %s", text_seconds(self, sizeof(self), p->totals.profiled_s));
		if (!isnan(p->totals.run_s) && p->totals.time == PROFILE_TIME_TIMED && !brief)
			text_add(l, " of the %s that the program ran",
				 text_seconds(run, sizeof(run), p->totals.run_s));
		else
			text_add(l, p->totals.time == PROFILE_TIME_TIMED ? " profiled" :
				 " sampled");
	}
	if (p->totals.both && !brief)
		text_add(l, ", times from the node's clock, from samples where it has none");
}

static void add_span(struct totals_text *l, const struct view_shared *s)
{
	double window = (double)(s->window_end_ns - s->window_begin_ns) / 1e9;
	char text[16];

	if (s->peaks)
		text_add(l, ", each in its worst second");
	else if (s->windowed)
		text_add(l, " in the window of %s", text_seconds(text, sizeof(text), window));
	else if (s->marked)
		text_add(l, " since the baseline");
	else if (s->span == SPAN_INTERVAL)
		text_add(l, " in the last %s",
			 text_seconds(text, sizeof(text), s->settings->interval));
}

static void totals_fill(struct totals_text *l, const struct flat *f, const struct view_shared *s,
			bool brief)
{
	l->used = 0;
	add_functions(l, f);
	if (!s->peaks)			/* of seconds that were not the same */
		add_times(l, f->data.profile, brief);
	add_span(l, s);
}

void flat_draw_totals(const struct flat *f, const struct view_shared *s, struct grid *g, int y)
{
	const struct profile *p = f->data.profile;
	struct totals_text plain;
	char warning[300];

	totals_fill(&plain, f, s, false);
	snprintf(warning, sizeof(warning), "%s%s%s%s%s",
		 p->dropped ? "out of memory: events not counted  " : "",
		 p->terms.incomplete ? "newest report cut short  " : "",
		 p->terms.table_full ? "node's table full: call sites may be missing  " : "",
		 f->negative ? "totals below zero not counted  " : "",
		 profile_estimated(p) ? "~ estimate: the profiler's own cost subtracted" : "");
	if (*warning && text_columns(plain.text) + 2 + text_columns(warning) > g->width)
		totals_fill(&plain, f, s, true);
	part_footer(g, y, plain.text, warning);
}
