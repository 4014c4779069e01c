/* energy: what comes that tells whose charge it was; the whole's sums, and a window's. */
#include "core/node/parts.h"

#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

enum {
	PCS = 1 << 20,			/* kept: the older half goes when there are more */
	AHEAD = 4,			/* s that are attributed in one call, while more comes; */
	AHEAD_WINDOW = 60,		/* of a window of the past; */
	AHEAD_MODEL = 20,		/* by a model, whose current is kept over time */
};

void energy_begin(struct node *n)
{
	struct node_energy *e = &n->energy;

	energy_init(&e->whole.energy);
	energy_init(&e->window.energy);
	charge_begin(&e->whole, 0, 0);
	e->window.windowed = true;
	e->line_from = -INFINITY;
	e->battery_c = n->options.battery_c > 0 ? n->options.battery_c : (double)NAN;
	e->volts = n->options.volts > 0 ? n->options.volts : (double)NAN;
}

void energy_end(struct node *n)
{
	energy_release(&n->energy.whole.energy);
	energy_release(&n->energy.window.energy);
	modelled_end(n);
	mem_free(n->energy.model);
	mem_free(n->energy.pcs);
}

/* The sums begin again; the line between the clocks stays unless the clock is another one. */
static void sums_forget(struct node *n)
{
	struct node_energy *e = &n->energy;

	if (!e->modelled.by_pcs)
		modelled_end(n);
	charge_begin(&e->whole, e->from, e->pcs_from);
	e->window.begun = false;
}

void energy_again(struct node *n)
{
	struct node_energy *e = &n->energy;

	e->from = 0;
	e->pcs_from = 0;
	modelled_end(n);
	sums_forget(n);
	e->begun = false;
	e->line_from = -INFINITY;
	e->since_ns = e->trace || e->count ? n->now_ns : e->since_ns;
	e->count = 0;
	e->next = e->tried = 0;
	e->edges = 0;
	e->trace = NULL;
	e->clock = (struct clock){ 0 };
	e->align = (struct align){ .uncertainty = NAN };
}

void energy_reset(struct node *n)
{
	struct node_energy *e = &n->energy;

	energy_forget(&e->whole.energy);
	e->from = e->whole.runs.at;
	e->pcs_from = e->whole.taken;
}

void node_set_battery(struct node *n, double battery_c, double volts)
{
	if (!isnan(battery_c))
		n->energy.battery_c = battery_c > 0 ? battery_c : (double)NAN;
	if (!isnan(volts))
		n->energy.volts = volts > 0 ? volts : (double)NAN;
}

static bool is_watched(const struct node *n)
{
	return n->metered.power || n->energy.model;
}

/* --- what comes ------------------------------------------------------------------------------- */

void energy_frames(struct node *n)
{
	struct node_energy *e = &n->energy;
	struct clock_terms terms = { .bits = 64 };
	uint64_t begin, end;

	if (!is_watched(n) || !trace_span(n->calls.trace, &begin, &end))
		return;
	terms.ticks_per_second = (uint64_t)trace_ticks_per_second(n->calls.trace);
	if (!terms.ticks_per_second)
		return;
	if (!clock_has_terms(&e->clock, &terms))
		clock_init(&e->clock, &terms, link_is_live(n->inputs[0].link) ?
			   CLOCK_SECOND / 1000 : 0);
	clock_note(&e->clock, end, n->arrival_ns);
}

/* The middle of what came, where the source's clock does not tell. */
static double pc_time(const struct input *in)
{
	const struct wire_when *when = wire_when(in->wire);

	if (when->clock && when->clock->ticks_per_second)
		return (double)in->ticks / (double)when->clock->ticks_per_second;
	return (double)in->node->arrival_ns / CLOCK_SECOND;
}

static uint32_t pc_function(const struct node *n, uint32_t pc)
{
	const struct image *im = n->binding.image;
	uint32_t f = im ? image_find(im, image_normal(im, pc)) : IMAGE_NONE;

	return f != IMAGE_NONE ? (uint32_t)image_function(im, f)->address : pc ? pc : 1;
}

void energy_pcs(struct input *in, const uint32_t *pcs, size_t count)
{
	struct node *n = in->node;
	struct node_energy *e = &n->energy;
	double at = pc_time(in);

	if (!is_watched(n) || !input_is_first(in) || count > PCS / 2)
		return;
	if (e->count + count > PCS) {
		size_t half = e->count / 2;

		memmove(e->pcs, e->pcs + half, (e->count - half) * sizeof(*e->pcs));
		e->whole.taken -= e->whole.taken < half ? e->whole.taken : half;
		e->pcs_from -= e->pcs_from < half ? e->pcs_from : half;
		e->count -= half;
		e->pcs_gone = e->pcs[0].at;
		e->window.begun = false;
	}
	if (mem_grow(&e->pcs, &e->cap, e->count + count, sizeof(*e->pcs)) < 0)
		return;
	for (size_t i = 0; i < count; i++)
		e->pcs[e->count++] = (struct node_pc){ at, pcs ? pc_function(n, pcs[i]) : 0 };
}

/* --- attribution ------------------------------------------------------------------------------ */

static bool node_told_all(const struct node *n)
{
	return n->inputs[0].ended;
}

bool energy_is_traced(const struct node *n)
{
	struct trace_stats stats;

	if (!n->calls.trace || (n->energy.model && n->seen.some))
		return false;
	trace_stats(n->calls.trace, &stats);
	return stats.calls > 0;
}

/* Up to where both are there; `ahead` seconds in one call, while more comes. */
static void trace_attribute(struct node *n, struct node_charge *c, double ahead)
{
	struct node_energy *e = &n->energy;
	const struct trace *t = n->calls.trace;
	const struct power *p = n->metered.power;
	double rate = trace_ticks_per_second(t);
	double until = fmin((double)runs_told(t, node_told_all(n)), (double)c->until), from;
	uint64_t begin, end;

	if (!trace_span(t, &begin, &end) || !(rate > 0))
		return;
	if (p) {
		until = fmin(until, rate * align_at(&e->align, (double)power_end(p)));
		from = rate * align_at(&e->align, (double)power_whole_from(p));
		if (from > (double)begin && from > (double)c->runs.at)
			c->runs.at = (uint64_t)from;
	}
	c->goal = until > 0 ? (uint64_t)until : 0;
	if (!n->options.batch && (c->windowed || e->model || !node_told_all(n)))
		until = fmin(until, (double)(c->runs.at > begin ? c->runs.at : begin) +
				    ahead * rate);
	if (until > 0 && charge_read_trace(n, c, (uint64_t)until, c->unsure) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the charge is not attributed");
}

static void charge_read(struct node *n, struct node_charge *c, double ahead)
{
	if (n->metered.power && !align_is_known(&n->energy.align))
		return;
	if (energy_is_traced(n))
		trace_attribute(n, c, ahead);
	else if (n->metered.power && n->energy.count)
		charge_read_pcs(n, c);
}

static void energy_update(struct node *n)
{
	struct node_energy *e = &n->energy;
	const struct image *before = n->binding.sleepers_of;

	fare_sleepers(n);
	if (before != n->binding.sleepers_of)
		sums_forget(n);
	if (e->trace && e->trace != n->calls.trace)
		energy_again(n);
	e->trace = n->calls.trace;
	if (n->metered.power)
		aligned_update(n, node_told_all(n) || n->options.batch);
	if (e->align.moves != e->moves)
		sums_forget(n);
	e->moves = e->align.moves;
	e->whole.unsure = e->model ? 0 : e->align.uncertainty;
	e->whole.goal = 0;
	charge_read(n, &e->whole, e->model ? AHEAD_MODEL : AHEAD);
	modelled_told(n);
	e->whole.trouble = e->model && node_told_all(n) && e->whole.runs.at < e->whole.goal ?
			   ENERGY_ADDING : ENERGY_FINE;
}

static bool energy_bring(struct node *n)
{
	if (!is_watched(n))
		return false;
	if (profile_compute(node_profile(n)) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the profile is not up to date");
	energy_update(n);
	return true;
}

const struct energy_report *node_energy(struct node *n)
{
	return energy_bring(n) ? charge_tell(n, &n->energy.whole, node_profile(n)) : NULL;
}

const struct energy_report *node_energy_told(const struct node *n)
{
	return is_watched(n) ? &n->energy.whole.report : NULL;
}

/* --- a window of the past --------------------------------------------------------------------- */

/* The node's own seconds at a time of the data's clock; NaN: not known. */
static double seconds_at(const struct node *n, uint64_t time_ns)
{
	const struct clock *c = &n->inputs[0].clock;
	struct clock_moment m;
	uint64_t ticks;
	double error;

	if (energy_is_traced(n))
		return node_trace_ticks(n, time_ns, &ticks) ? aligned_seconds(n, ticks) :
		       (double)NAN;
	if (!n->inputs[0].ticks)
		return (double)time_ns / CLOCK_SECOND;
	m = clock_host(c, c->ticks);
	if (!c->terms.ticks_per_second || isnan(m.uncertainty))
		return NAN;
	return (double)c->ticks / (double)c->terms.ticks_per_second -
	       ((double)m.ns - (double)time_ns) / CLOCK_SECOND / (1 + clock_drift(c, &error));
}

/* Was something of what a window needs let go? */
static bool window_is_gone(const struct node *n, const struct node_charge *c)
{
	const struct node_energy *e = &n->energy;
	const struct power *p = n->metered.power;
	uint64_t begin, end;

	if (c->begin_s < e->line_from)
		return true;
	if (energy_is_traced(n) && trace_was_cut(n->calls.trace) &&
	    trace_span(n->calls.trace, &begin, &end) && c->begin_s < aligned_seconds(n, begin))
		return true;
	if (!energy_is_traced(n) && c->begin_s < e->pcs_gone)
		return true;
	return p && power_whole_from(p) > power_begin(p) && align_is_known(&e->align) &&
	       align_tick(&e->align, c->begin_s) < (double)power_whole_from(p);
}

/* The line is drawn through the anchors: before the first one it drifts away from the truth. */
static double window_unsure(const struct node_energy *e, const struct node_charge *c)
{
	const struct align *a = &e->align;
	double first = a->count ? a->anchors[0].at : a->at;

	return e->model ? 0 : a->uncertainty + fmax(first - c->begin_s, 0) * a->ppm * 1e-6;
}

static void window_begin(struct node *n, struct node_charge *c)
{
	struct node_energy *e = &n->energy;
	uint64_t from = 0, until = 0;

	c->begun = true;
	c->begin_s = seconds_at(n, c->begin_ns);
	c->end_s = seconds_at(n, c->end_ns);
	charge_begin(c, 0, 0);
	c->taken = SORTED_WHERE(e->count, i, e->pcs[i].at < c->begin_s);
	c->pcs_until = SORTED_WHERE(e->count, i, e->pcs[i].at < c->end_s);
	if (!energy_is_traced(n) || !node_trace_ticks(n, c->begin_ns, &from) ||
	    !node_trace_ticks(n, c->end_ns, &until))
		return;
	c->runs.at = from;
	c->until = until;
	charge_states(n, c, from);
}

static enum energy_trouble window_trouble(const struct node *n, const struct node_charge *c)
{
	bool totals = n->energy.model && !energy_is_traced(n);

	if (!totals && c->begin_ns < n->energy.since_ns)
		return ENERGY_GONE;
	if (totals || (n->metered.power && !align_is_known(&n->energy.align)))
		return ENERGY_FINE;
	if (isnan(c->begin_s) || isnan(c->end_s) || window_is_gone(n, c))
		return ENERGY_GONE;
	return energy_is_traced(n) && c->runs.at < c->goal ? ENERGY_ADDING : ENERGY_FINE;
}

const struct energy_report *node_energy_window(struct node *n, struct profile *p,
					       uint64_t begin_ns, uint64_t end_ns)
{
	struct node_charge *c = &n->energy.window;

	if (!energy_bring(n))
		return NULL;
	if (!c->begun || c->begin_ns != begin_ns || c->end_ns != end_ns) {
		c->begin_ns = begin_ns;
		c->end_ns = end_ns;
		window_begin(n, c);
	}
	c->unsure = window_unsure(&n->energy, c);
	c->goal = 0;
	if (window_trouble(n, c) != ENERGY_GONE)
		charge_read(n, c, AHEAD_WINDOW);
	c->trouble = window_trouble(n, c);
	return charge_tell(n, c, p);
}
