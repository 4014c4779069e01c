/* charge: whose charge it was in a stretch of the node's time: the whole, or a window of it. */
#include "core/node/parts.h"

#include <math.h>

enum { NOTES = 1 << 16 };		/* looked at for what held when a stretch begins */

/* s: a function that halts the processor does other things, too, but not for so long */
#define SLEEP_LEAST 200e-6

void charge_begin(struct node_charge *c, uint64_t from, size_t pcs_from)
{
	energy_forget(&c->energy);
	c->runs = (struct runs){ .at = from };
	c->taken = pcs_from;
	c->until = UINT64_MAX;
	c->pcs_until = SIZE_MAX;
	c->handled = false;
	c->state_count = 0;
}

/* What is read on. */
struct charging {
	struct node *node;
	struct node_charge *charge;
	double unsure;			/* s: the clocks, in this stretch */
};

/* --- states of what the firmware tells --- */

static int64_t *state_slot(struct node_charge *c, uint32_t id)
{
	size_t i = 0;

	while (i < c->state_count && c->states[i].id != id)
		i++;
	if (i == ENERGY_STATES)
		return NULL;
	if (i == c->state_count)
		c->states[c->state_count++].id = id;
	return &c->states[i].value;
}

/*
 * It begins: as any span, at a time that is not better known than the clocks are. What holds since
 * before the stretch does not begin in it.
 */
static void state_begin(struct charging *g, const struct trace_event *event)
{
	int64_t *slot = state_slot(g->charge, event->id);
	struct energy_sum *sum;

	if (!slot)
		return;
	*slot = event->value;
	if (event->ticks < g->charge->runs.at)
		return;
	sum = energy_of(&g->charge->energy, ENERGY_STATE, event->id, event->value);
	if (sum)
		sum->vague += g->unsure;
}

static void on_event(void *ctx, const struct trace_event *event)
{
	struct charging *g = ctx;
	struct energy_sum *sum;

	if (event->kind == TRACE_CALL) {
		sum = energy_of(&g->charge->energy, ENERGY_FUNCTION, event->id, 0);
		if (sum)
			sum->calls++;
	} else if (event->kind == TRACE_STATE && event->id != TRACE_SAMPLES) {
		state_begin(g, event);
	}
}

/*
 * The states that hold when a window begins, as far as their notes are told; the last stamp before
 * it is near enough, since runs_read tells what follows it.
 */
void charge_states(const struct node *n, struct node_charge *c, uint64_t from)
{
	const struct trace *t = n->calls.trace;

	for (unsigned lane = 0; lane < TRACE_LANES; lane++) {
		size_t all = trace_notes_until(t, lane, from);

		for (size_t i = all > NOTES ? all - NOTES : 0; i < all; i++) {
			struct trace_event e = trace_note(t, lane, i);
			int64_t *slot = e.kind == TRACE_STATE && e.id != TRACE_SAMPLES ?
					state_slot(c, e.id) : NULL;

			if (slot)
				*slot = e.value;
		}
	}
}

/* --- the current of a span -------------------------------------------------------------------- */

/* It halts the processor, as far as is known. */
static bool span_sleeps(const struct node *n, const struct runs_span *s)
{
	return aligned_seconds(n, s->end) - aligned_seconds(n, s->begin) >= SLEEP_LEAST &&
	       aligned_sleeps(n, s->id);
}

/* What the model says of what runs, and of all states that hold. */
static double model_amps(const struct charging *g, const struct runs_span *s)
{
	const struct node *n = g->node;
	const struct node_charge *c = g->charge;
	const struct power_model *m = n->energy.model;
	const struct trace *t = n->calls.trace;
	double amps = !s->id ? m->idle : span_sleeps(n, s) ? m->sleep : m->active;

	for (size_t i = 0; i < c->state_count; i++) {
		uint32_t id = c->states[i].id;

		amps += power_model_state(m, trace_note_name(t, id),
					  trace_state_name(t, id, c->states[i].value),
					  c->states[i].value);
	}
	return amps;
}

/* False: at that time nothing is known of the current. */
static bool span_current(const struct charging *g, const struct runs_span *s, double *seconds,
			 double *amps, double *samples)
{
	const struct node *n = g->node;
	const struct node_energy *e = &n->energy;
	double from = aligned_seconds(n, s->begin), to = aligned_seconds(n, s->end), charge;

	*seconds = to - from;
	if (e->model) {
		*amps = model_amps(g, s);
		*samples = ENERGY_LEAST;
		return true;
	}
	from = align_tick(&e->align, from);
	to = align_tick(&e->align, to);
	charge = power_charge(n->metered.power, from, to, samples);
	*amps = charge * power_hz(n->metered.power) / *samples;
	return *samples > 0 && *samples >= (to - from) / 2;
}

static void span_states(struct node_charge *c, double seconds, double amps, double samples)
{
	for (size_t i = 0; i < c->state_count; i++) {
		struct energy_sum *sum = energy_of(&c->energy, ENERGY_STATE, c->states[i].id,
						   c->states[i].value);

		if (sum)
			energy_add(sum, seconds, amps, samples, 0);
	}
}

static void on_span(void *ctx, const struct runs_span *s)
{
	struct charging *g = ctx;
	struct node_charge *c = g->charge;
	struct energy *e = &c->energy;
	struct energy_sum *sum;
	double seconds, amps, samples;

	if (!span_current(g, s, &seconds, &amps, &samples))
		return;
	if (g->node->energy.model && !c->windowed)
		modelled_add(g->node, aligned_seconds(g->node, s->begin),
			     aligned_seconds(g->node, s->end), s->unknown ? (double)NAN : amps);
	energy_add(&e->all, seconds, amps, samples, g->unsure);
	if (s->handler)		/* what it calls is no other one */
		energy_add(&e->handlers, seconds, amps, samples, c->handled ? 0 : g->unsure);
	c->handled = s->handler;
	if (s->unknown || (!s->id && g->node->seen.some))
		energy_add(&e->unknown, seconds, amps, samples, g->unsure);
	else if (!s->id ? !g->node->seen.some : span_sleeps(g->node, s))
		energy_add(&e->idle, seconds, amps, samples, g->unsure);
	sum = s->id ? energy_of(e, ENERGY_FUNCTION, s->id, 0) : NULL;
	if (sum)
		energy_add(sum, seconds, amps, samples, g->unsure);
	span_states(c, seconds, amps, samples);
}

/* --- a stretch is read ------------------------------------------------------------------------ */

int charge_read_trace(struct node *n, struct node_charge *c, uint64_t until, double unsure)
{
	struct charging g = { n, c, unsure };
	struct runs_taker taker = { .ctx = &g, .span = on_span, .event = on_event };

	return runs_read(&c->runs, n->calls.trace, until < c->until ? until : c->until, &taker);
}

/* Each sample stands for as much time as the others: a second here, and the shares are right. */
void charge_read_pcs(struct node *n, struct node_charge *c)
{
	struct node_energy *e = &n->energy;
	double end = (double)power_end(n->metered.power);

	for (; c->taken < e->count && c->taken < c->pcs_until; c->taken++) {
		const struct node_pc *pc = &e->pcs[c->taken];
		double tick = align_tick(&e->align, pc->at);
		struct energy_sum *sum;
		float amps = NAN;

		if (tick >= end)
			return;
		if (tick >= 0)
			amps = power_at(n->metered.power, (uint64_t)tick);
		if (isnan(amps))
			continue;
		energy_add(&c->energy.all, 1, (double)amps, 1, 0);
		sum = pc->function ? energy_of(&c->energy, ENERGY_FUNCTION, pc->function, 0) :
		      &c->energy.idle;
		if (sum)
			energy_add(sum, 1, (double)amps, 1, 0);
	}
}
