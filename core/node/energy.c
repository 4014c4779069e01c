/* energy: whose charge it was, by the meter's current or a model's, while the node ran what. */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/link/source.h"

enum {
	PCS = 1 << 20,			/* kept: the older half goes when there are more */
	AHEAD = 4,			/* s that are attributed in one call, while more comes */
};

/* s: a function that halts the processor does other things, too, but not for so long */
#define SLEEP_LEAST 200e-6
#define DAY 86400.0
#define LENGTH_UNKNOWN 100e-6		/* s: where no calls tell how long a function runs */

void energy_begin(struct node *n)
{
	struct node_energy *e = &n->energy;

	energy_init(&e->energy);
	e->battery_c = n->options.battery_c > 0 ? n->options.battery_c : (double)NAN;
	e->volts = n->options.volts > 0 ? n->options.volts : (double)NAN;
}

void energy_end(struct node *n)
{
	energy_release(&n->energy.energy);
	mem_free(n->energy.model);
	mem_free(n->energy.pcs);
}

/* The sums begin again; the line between the clocks stays unless the clock is another one. */
static void sums_forget(struct node_energy *e)
{
	energy_forget(&e->energy);
	e->runs = (struct runs){ .at = e->from };
	e->state_count = 0;
	e->taken = e->pcs_from;
}

void energy_again(struct node *n)
{
	struct node_energy *e = &n->energy;

	e->from = 0;
	e->pcs_from = 0;
	sums_forget(e);
	e->begun = false;
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

	energy_forget(&e->energy);
	e->from = e->runs.at;
	e->pcs_from = e->taken;
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

	if (!is_watched(n) || !input_is_first(in))
		return;
	if (e->count + count > PCS) {
		size_t half = e->count / 2;

		memmove(e->pcs, e->pcs + half, (e->count - half) * sizeof(*e->pcs));
		e->taken -= e->taken < half ? e->taken : half;
		e->pcs_from -= e->pcs_from < half ? e->pcs_from : half;
		e->count -= half;
	}
	if (count > PCS / 2 || mem_grow(&e->pcs, &e->cap, e->count + count, sizeof(*e->pcs)) < 0)
		return;
	for (size_t i = 0; i < count; i++)
		e->pcs[e->count++] = (struct node_pc){ at, pcs ? pc_function(n, pcs[i]) : 0 };
}

/* --- states of what the firmware tells --- */

static int64_t *state_slot(struct node_energy *e, uint32_t id)
{
	size_t i = 0;

	while (i < e->state_count && e->states[i].id != id)
		i++;
	if (i == ENERGY_STATES)
		return NULL;
	if (i == e->state_count)
		e->states[e->state_count++].id = id;
	return &e->states[i].value;
}

/* It begins: as any span, at a time that is not better known than the clocks are. */
static void state_begin(struct node *n, uint32_t id, int64_t value)
{
	int64_t *slot = state_slot(&n->energy, id);
	struct energy_sum *sum;

	if (!slot)
		return;
	*slot = value;
	sum = energy_of(&n->energy.energy, ENERGY_STATE, id, value);
	if (sum && !n->energy.model)
		sum->vague += n->energy.align.uncertainty;
}

static void on_event(void *ctx, const struct trace_event *event)
{
	struct node *n = ctx;
	struct energy_sum *sum;

	if (event->kind == TRACE_CALL) {
		sum = energy_of(&n->energy.energy, ENERGY_FUNCTION, event->id, 0);
		if (sum)
			sum->calls++;
	} else if (event->kind == TRACE_STATE && event->id != TRACE_SAMPLES) {
		state_begin(n, event->id, event->value);
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
static double model_amps(const struct node *n, const struct runs_span *s)
{
	const struct node_energy *e = &n->energy;
	const struct power_model *m = e->model;
	const struct trace *t = n->calls.trace;
	double amps = !s->id ? m->idle : span_sleeps(n, s) ? m->sleep : m->active;

	for (size_t i = 0; i < e->state_count; i++) {
		uint32_t id = e->states[i].id;

		amps += power_model_state(m, trace_note_name(t, id),
					  trace_state_name(t, id, e->states[i].value),
					  e->states[i].value);
	}
	return amps;
}

/* False: at that time nothing is known of the current. */
static bool span_current(const struct node *n, const struct runs_span *s, double *seconds,
			 double *amps, double *samples)
{
	const struct node_energy *e = &n->energy;
	double from = aligned_seconds(n, s->begin), to = aligned_seconds(n, s->end), charge;

	*seconds = to - from;
	if (e->model) {
		*amps = model_amps(n, s);
		*samples = ENERGY_LEAST;
		return true;
	}
	from = align_tick(&e->align, from);
	to = align_tick(&e->align, to);
	charge = power_charge(n->metered.power, from, to, samples);
	*amps = charge * power_hz(n->metered.power) / *samples;
	return *samples > 0 && *samples >= (to - from) / 2;
}

static void on_span(void *ctx, const struct runs_span *s)
{
	struct node *n = ctx;
	struct node_energy *e = &n->energy;
	struct energy_sum *sum;
	double seconds, amps, samples, unsure = e->model ? 0 : e->align.uncertainty;

	if (!span_current(n, s, &seconds, &amps, &samples))
		return;
	energy_add(&e->energy.all, seconds, amps, samples, unsure);
	if (s->handler)		/* what it calls is no other one */
		energy_add(&e->energy.handlers, seconds, amps, samples, e->handled ? 0 : unsure);
	e->handled = s->handler;
	if (s->unknown)
		energy_add(&e->energy.unknown, seconds, amps, samples, unsure);
	else if (!s->id || span_sleeps(n, s))
		energy_add(&e->energy.idle, seconds, amps, samples, unsure);
	sum = s->id ? energy_of(&e->energy, ENERGY_FUNCTION, s->id, 0) : NULL;
	if (sum)
		energy_add(sum, seconds, amps, samples, unsure);
	for (size_t i = 0; i < e->state_count; i++) {
		sum = energy_of(&e->energy, ENERGY_STATE, e->states[i].id, e->states[i].value);
		if (sum)
			energy_add(sum, seconds, amps, samples, 0);
	}
}

/* --- attribution ------------------------------------------------------------------------------ */

static bool node_told_all(const struct node *n)
{
	return n->inputs[0].ended;
}

static void trace_attribute(struct node *n)
{
	struct node_energy *e = &n->energy;
	const struct trace *t = n->calls.trace;
	const struct power *p = n->metered.power;
	struct runs_taker taker = { .ctx = n, .span = on_span, .event = on_event };
	double rate = trace_ticks_per_second(t);
	double until = (double)runs_told(t, node_told_all(n)), from;
	uint64_t begin, end;

	if (!trace_span(t, &begin, &end) || !(rate > 0))
		return;
	if (p) {
		until = fmin(until, rate * align_at(&e->align, (double)power_end(p)));
		from = rate * align_at(&e->align, (double)power_whole_from(p));
		if (from > (double)begin && from > (double)e->runs.at)
			e->runs.at = (uint64_t)from;
	}
	if (!n->options.batch && !node_told_all(n))
		until = fmin(until, (double)(e->runs.at > begin ? e->runs.at : begin) +
				    AHEAD * rate);
	if (until > 0 && runs_read(&e->runs, t, (uint64_t)until, &taker) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the charge is not attributed");
}

/* Each sample stands for as much time as the others: a second here, and the shares are right. */
static void pcs_attribute(struct node *n)
{
	struct node_energy *e = &n->energy;
	double end = (double)power_end(n->metered.power);

	for (; e->taken < e->count; e->taken++) {
		const struct node_pc *pc = &e->pcs[e->taken];
		double tick = align_tick(&e->align, pc->at);
		struct energy_sum *sum;
		float amps = NAN;

		if (tick >= end)
			return;
		if (tick >= 0)
			amps = power_at(n->metered.power, (uint64_t)tick);
		if (isnan(amps))
			continue;
		energy_add(&e->energy.all, 1, (double)amps, 1, 0);
		sum = pc->function ? energy_of(&e->energy, ENERGY_FUNCTION, pc->function, 0) :
		      &e->energy.idle;
		if (sum)
			energy_add(sum, 1, (double)amps, 1, 0);
	}
}

static bool trace_has_calls(const struct node *n)
{
	struct trace_stats stats;

	if (!n->calls.trace)
		return false;
	trace_stats(n->calls.trace, &stats);
	return stats.calls > 0;
}

static void energy_update(struct node *n)
{
	struct node_energy *e = &n->energy;
	const struct image *before = n->binding.sleepers_of;
	bool traced = trace_has_calls(n);

	fare_sleepers(n);
	if (before != n->binding.sleepers_of)
		sums_forget(e);
	if (e->trace && e->trace != n->calls.trace)
		energy_again(n);
	e->trace = n->calls.trace;
	if (n->metered.power)
		aligned_update(n, node_told_all(n) || n->options.batch);
	if (e->align.moves != e->moves)
		sums_forget(e);
	e->moves = e->align.moves;
	if (n->metered.power && !align_is_known(&e->align))
		return;
	if (traced)
		trace_attribute(n);
	else if (n->metered.power && e->count)
		pcs_attribute(n);
}

/* --- what is told ----------------------------------------------------------------------------- */

uint32_t energy_address(const struct node *n, uint32_t id)
{
	const struct image *im = n->binding.image;
	uint32_t f = im ? image_traced(im, id) : IMAGE_NONE;

	return f != IMAGE_NONE ? (uint32_t)image_function(im, f)->address : seen_address(n, id, 0);
}

static double volts_of(const struct node *n, bool *given)
{
	const struct node_energy *e = &n->energy;
	double mv = n->options.power ? source_number(n->options.power, "mv") : 0;
	double volts = !isnan(e->volts) ? e->volts : mv > 0 ? mv / 1000 :
		       e->model ? e->model->volts : (double)NAN;

	*given = !isnan(volts);
	return *given ? volts : ENERGY_VOLTS;
}

static void sum_join_to(struct energy_sum *to, const struct energy_sum *from)
{
	to->seconds += from->seconds;
	to->charge += from->charge;
	to->squares += from->squares;
	to->samples += from->samples;
	to->vague += from->vague;
	to->spans += from->spans;
	to->calls += from->calls;
}

/* By the profile's functions: several ids may be of one. NULL: out of memory. */
static struct energy_sum *functions_sum(const struct node *n, const struct profile *p)
{
	const struct energy *e = &n->energy.energy;
	struct energy_sum *sums = mem_zalloc((p->function_count + 1) * sizeof(*sums));
	bool sampled = !trace_has_calls(n);

	for (size_t i = 0; sums && i < e->count; i++) {
		const struct energy_entry *entry = &e->entries[i];
		uint32_t f;

		if (entry->kind != ENERGY_FUNCTION)
			continue;
		f = profile_find_address(p, sampled ? entry->id : energy_address(n, entry->id));
		if (f != PROFILE_NONE)
			sum_join_to(&sums[f], &entry->sum);
	}
	return sums;
}

/* How long it runs by itself at a time, by its calls. */
static double length_of(const struct profile_function *f)
{
	double calls = f->called ? (double)f->calls : f->ran.calls;

	return calls > 0 && f->self_s > 0 ? f->self_s / calls : LENGTH_UNKNOWN;
}

static void function_fill(struct node *n, struct profile_function *f, const struct energy_sum *sum)
{
	const struct node_energy *e = &n->energy;
	bool sampled = !trace_has_calls(n);
	double calls = f->called ? (double)f->calls : f->ran.calls;
	double amps = energy_current(sum);
	struct profile_energy *to = &f->energy;

	if (sampled && !(length_of(f) >= e->align.uncertainty))
		amps = NAN;
	*to = (struct profile_energy){ .known = !isnan(amps), .estimate = e->model != NULL };
	if (!to->known)
		return;
	to->current_a = amps;
	to->spread_a = e->model ? (double)NAN : energy_spread(sum);
	to->energy_j = e->report.volts * sum->charge;
	to->share = sum->charge / e->energy.all.charge;
	to->per_call_j = NAN;
	if (!sampled && sum->calls)
		to->per_call_j = to->energy_j / (double)sum->calls;
	if (!sampled)
		return;
	to->energy_j = e->report.volts * amps * f->self_s;
	to->calls_estimated = !f->called;
	if (calls > 0)
		to->per_call_j = to->energy_j / calls;
}

/* Of a node that tells neither calls in order nor when PCs were sampled: by its self times. */
static void totals_fill(struct node *n, struct profile *p)
{
	const struct node_energy *e = &n->energy;

	for (uint32_t i = 0; i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];
		bool sleeps = false;
		const uint64_t *sleepers;
		size_t count = node_sleepers(n, &sleepers);

		for (size_t k = 0; k < count; k++)
			sleeps |= sleepers[k] == f->address;
		f->energy = (struct profile_energy){ .estimate = true, .spread_a = NAN,
			.known = f->self_s > 0,
			.current_a = sleeps ? e->model->sleep : e->model->active };
		f->energy.energy_j = f->energy.current_a * e->report.volts * f->self_s;
		f->energy.per_call_j = f->called && f->calls ?
				       f->energy.energy_j / (double)f->calls : (double)NAN;
		f->energy.share = f->self_s * f->energy.current_a / e->energy.all.charge;
	}
}

/* The sums of such a node: of all functions' self times. */
static void totals_sum(struct node *n, const struct profile *p)
{
	struct node_energy *e = &n->energy;
	const uint64_t *sleepers;
	size_t count = node_sleepers(n, &sleepers);

	energy_forget(&e->energy);
	for (uint32_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		bool sleeps = false;

		for (size_t k = 0; k < count; k++)
			sleeps |= sleepers[k] == f->address;
		if (!(f->self_s > 0))
			continue;
		energy_add(&e->energy.all, f->self_s,
			   sleeps ? e->model->sleep : e->model->active, ENERGY_LEAST, 0);
		if (sleeps)
			energy_add(&e->energy.idle, f->self_s, e->model->sleep, ENERGY_LEAST, 0);
	}
}

static void functions_fill(struct node *n, struct profile *p)
{
	struct energy_sum *sums;

	if (n->energy.model && !trace_has_calls(n)) {
		totals_sum(n, p);
		totals_fill(n, p);
		return;
	}
	sums = functions_sum(n, p);
	for (uint32_t i = 0; i < p->function_count; i++) {
		p->functions[i].energy = (struct profile_energy){ .known = false };
		if (sums)
			function_fill(n, &p->functions[i], &sums[i]);
	}
	mem_free(sums);
}

/* --- the report ------------------------------------------------------------------------------- */

static void states_report(const struct node *n, struct energy_report *r)
{
	const struct energy *e = &n->energy.energy;
	const struct trace *t = n->calls.trace;

	for (size_t i = 0; t && i < e->count && r->state_count < ENERGY_STATES; i++) {
		const struct energy_entry *entry = &e->entries[i];
		struct energy_state *s = &r->states[r->state_count];
		const char *what, *state;

		if (entry->kind != ENERGY_STATE)
			continue;
		what = trace_note_name(t, entry->id);
		state = trace_state_name(t, entry->id, entry->value);
		if (what)
			snprintf(s->what, sizeof(s->what), "%s", what);
		else
			snprintf(s->what, sizeof(s->what), "state %u", (unsigned)entry->id);
		if (state)
			snprintf(s->state, sizeof(s->state), "%s", state);
		else
			snprintf(s->state, sizeof(s->state), "%lld", (long long)entry->value);
		s->sum = entry->sum;
		r->state_count++;
	}
}

static void meter_report(const struct node *n, struct energy_report *r)
{
	const struct power *p = n->metered.power;
	const struct energy *e = &n->energy.energy;
	struct power_span span;

	if (p && power_span(p, power_begin(p), power_end(p), &span)) {
		r->seconds = (double)(power_end(p) - power_begin(p)) / power_hz(p);
		r->charge = span.mean * r->seconds;	/* missing ones as the others */
		r->min = span.min;
		r->mean = span.mean;
		r->max = span.max;
	} else if (n->energy.model && e->all.seconds > 0) {
		r->seconds = e->all.seconds;
		r->charge = e->all.charge;
		r->mean = r->charge / r->seconds;
	}
}

static enum energy_trouble trouble_of(const struct node *n, const struct energy_report *r)
{
	if (isnan(r->mean))
		return n->energy.model ? ENERGY_NO_RUNS : ENERGY_NO_CURRENT;
	if (n->energy.model)
		return ENERGY_FINE;
	if (!trace_has_calls(n) && !n->energy.count)
		return ENERGY_NO_RUNS;
	if (r->method == ALIGN_NONE)
		return ENERGY_NOT_ALIGNED;
	return ENERGY_FINE;
}

static void report_fill(struct node *n)
{
	struct node_energy *e = &n->energy;
	struct energy_report *r = &e->report;
	bool sampled = !trace_has_calls(n) && !e->model;

	*r = (struct energy_report){
		.estimate = e->model != NULL, .method = e->align.method,
		.uncertainty_s = e->model ? (double)NAN : e->align.uncertainty,
		.min = NAN, .mean = NAN, .max = NAN, .seconds = NAN, .charge = NAN,
		.day_j = NAN, .life_s = NAN, .battery_c = e->battery_c,
		.sleep = e->energy.idle, .handlers = e->energy.handlers,
		.unknown = e->energy.unknown,
	};
	r->volts = volts_of(n, &r->volts_given);
	meter_report(n, r);
	r->known_s = sampled ? (double)NAN : e->energy.all.seconds;
	r->known_charge = sampled ? (double)NAN : e->energy.all.charge;
	states_report(n, r);
	r->trouble = trouble_of(n, r);
	r->day_j = r->mean * r->volts * DAY;
	if (r->mean > 0)
		r->life_s = r->battery_c / r->mean;
}

const struct energy_report *node_energy(struct node *n)
{
	struct profile *p = node_profile(n);

	if (!is_watched(n))
		return NULL;
	if (profile_compute(p) < 0)
		err_set(&n->trouble, ERR_NOMEM, "out of memory: the profile is not up to date");
	energy_update(n);
	n->energy.report.volts = volts_of(n, &n->energy.report.volts_given);
	functions_fill(n, p);
	report_fill(n);
	return &n->energy.report;
}

const struct energy_report *node_energy_told(const struct node *n)
{
	return is_watched(n) ? &n->energy.report : NULL;
}
