/*
 * figures: what a row of the source view costs.
 */
#include <math.h>

#include "tui/view/source/view.h"

#define NO_FIGURES { \
	.share = NAN, .samples = NAN, .calls = NAN, .total_s = NAN, .per_call_s = NAN, \
	.max_s = NAN, .below = NAN, \
}

/* `each_s`: the sum of the calls' durations, of which inner calls' are no part of the total. */
static void figures_set_calls(struct row_figures *f, double calls, double total_s, double each_s)
{
	f->calls = calls;
	f->total_s = total_s;
	f->per_call_s = calls > 0 ? each_s / calls : NAN;
}

/* The longest call of a site, where it is known. */
static void figures_join_max(struct row_figures *f, const struct source_view *v, size_t call)
{
	uint32_t site = v->cost.calls[call].site;
	struct profile_site s;
	double max_s;

	if (site == PROFILE_NONE)
		return;
	s = profile_site_shown(v->profile, site);
	max_s = profile_site_range(&s) ? profile_seconds(v->profile, (double)s.max) : NAN;
	if (isnan(max_s) || max_s <= f->max_s)
		return;
	f->max_s = max_s;
	f->max_at_least = s.flags & ROW_MAX_AT_LEAST;
}

/* None of its calls was made: a line of which one is counted has its figures. */
static bool line_is_never(const struct source_view *v, uint32_t line)
{
	for (size_t i = 0; i < v->never.count; i++) {
		if (source_line_of(v, v->never.v[i]) == line)
			return true;
	}
	return false;
}

/*
 * 3 / n: with 95 % the share of that on which none of n samples fell is below (Hanley and
 * Lippman-Hand, JAMA 1983).
 */
static double share_below(const struct source_view *v, const struct cost_line *l)
{
	if (v->cost.by_ticks || l->samples || l->elsewhere || v->cost.samples < SOURCE_SURE_SAMPLES)
		return NAN;
	return source_share(v, 3, NAN);
}

static struct row_figures line_figures(const struct source_view *v, uint32_t line)
{
	const struct cost_line *l = cost_line(&v->cost, line);
	struct row_figures f = NO_FIGURES;

	if (!l)
		return f;
	f.share = source_line_share(v, line);
	if (l->samples + l->elsewhere)
		f.samples = (double)(l->samples + l->elsewhere);
	if (l->sites)
		figures_set_calls(&f, (double)l->calls, l->call_s, l->each_s);
	else
		f.never = line_is_never(v, line);
	f.total_at_least = l->inner;
	for (size_t i = 0; l->sites && i < v->cost.call_count; i++) {
		if (v->cost.calls[i].line == line)
			figures_join_max(&f, v, i);
	}
	if (isnan(f.share))
		f.below = share_below(v, l);
	return f;
}

static struct row_figures call_figures(const struct source_view *v, size_t call)
{
	const struct cost_call *c = &v->cost.calls[call];
	struct row_figures f = NO_FIGURES;

	f.share = isnan(c->total_s) ? NAN : source_share(v, 0, c->total_s);
	figures_set_calls(&f, (double)c->calls, c->total_s, c->each_s);
	figures_join_max(&f, v, call);
	return f;
}

static struct row_figures entry_figures(const struct source_view *v)
{
	const struct profile_function *fn = source_function(v);
	struct row_figures f = NO_FIGURES;

	if (!fn)
		return f;
	f.share = source_entry_share(v);
	if (fn->called)
		figures_set_calls(&f, (double)fn->calls, fn->total_s, NAN);
	f.per_call_s = fn->per_call_s;
	f.max_s = fn->max_s;
	f.max_at_least = fn->flags & ROW_MAX_AT_LEAST;
	return f;
}

static struct row_figures code_figures(const struct source_view *v, size_t i)
{
	const struct instruction *in = &source_listing(v)->v[i];
	uint64_t end = in->address + in->size, samples = cost_samples(&v->cost, in->address, end);
	size_t call = cost_call_at(&v->cost, in->address, end);
	struct row_figures f = NO_FIGURES;

	if (call != SIZE_MAX)
		f = call_figures(v, call);
	if (samples || call != SIZE_MAX)
		f.share = source_share(v, samples, f.total_s);
	if (samples)
		f.samples = (double)samples;
	else if (isnan(f.total_s))
		f.share = NAN;
	f.never = never_has(&v->never, i);
	return f;
}

struct row_figures source_figures(const struct source_view *v, struct note n)
{
	struct row_figures none = NO_FIGURES, f = NO_FIGURES;

	switch (n.kind) {
	case NOTE_TEXT: return line_figures(v, n.line);
	case NOTE_ENTRY: return entry_figures(v);
	case NOTE_CALL: return call_figures(v, n.index);
	case NOTE_INSTRUCTION: return code_figures(v, n.index);
	case NOTE_INLINED:
		f.samples = (double)v->cost.inlines[n.index].samples;
		f.share = source_share(v, v->cost.inlines[n.index].samples, NAN);
		return f;
	default: return none;
	}
}
