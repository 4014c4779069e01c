/* charged: what is told of whose charge it was: figures of functions, and the report. */
#include "core/node/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/link/source.h"

#define DAY 86400.0
#define LENGTH_UNKNOWN 100e-6		/* s: where no calls tell how long a function runs */

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
static struct energy_sum *functions_sum(const struct node *n, const struct node_charge *c,
					const struct profile *p)
{
	const struct energy *e = &c->energy;
	struct energy_sum *sums = mem_zalloc((p->function_count + 1) * sizeof(*sums));
	bool sampled = !energy_is_traced(n);

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

static void function_fill(const struct node *n, const struct node_charge *c,
			  struct profile_function *f, const struct energy_sum *sum)
{
	const struct node_energy *e = &n->energy;
	bool sampled = !energy_is_traced(n);
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
	to->energy_j = c->report.volts * sum->charge;
	to->share = sum->charge / c->energy.all.charge;
	to->per_call_j = NAN;
	if (!sampled && sum->calls)
		to->per_call_j = to->energy_j / (double)sum->calls;
	if (!sampled)
		return;
	to->energy_j = c->report.volts * amps * f->self_s;
	to->calls_estimated = !f->called;
	if (calls > 0)
		to->per_call_j = to->energy_j / calls;
}

/* Of a node that tells neither calls in order nor when PCs were sampled: by its self times. */
static void totals_fill(const struct node *n, const struct node_charge *c, struct profile *p)
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
		f->energy.energy_j = f->energy.current_a * c->report.volts * f->self_s;
		f->energy.per_call_j = f->called && f->calls ?
				       f->energy.energy_j / (double)f->calls : (double)NAN;
		f->energy.share = f->self_s * f->energy.current_a / c->energy.all.charge;
	}
}

/* The sums of such a node: of all functions' self times. */
static void totals_sum(const struct node *n, struct node_charge *c, const struct profile *p)
{
	const struct node_energy *e = &n->energy;
	const uint64_t *sleepers;
	size_t count = node_sleepers(n, &sleepers);

	energy_forget(&c->energy);
	for (uint32_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		bool sleeps = false;

		for (size_t k = 0; k < count; k++)
			sleeps |= sleepers[k] == f->address;
		if (!(f->self_s > 0))
			continue;
		energy_add(&c->energy.all, f->self_s,
			   sleeps ? e->model->sleep : e->model->active, ENERGY_LEAST, 0);
		if (sleeps)
			energy_add(&c->energy.idle, f->self_s, e->model->sleep, ENERGY_LEAST, 0);
	}
}

static void functions_fill(const struct node *n, struct node_charge *c, struct profile *p)
{
	struct energy_sum *sums;

	if (n->energy.model && !energy_is_traced(n)) {
		totals_sum(n, c, p);
		totals_fill(n, c, p);
		return;
	}
	sums = functions_sum(n, c, p);
	for (uint32_t i = 0; i < p->function_count; i++) {
		p->functions[i].energy = (struct profile_energy){ .known = false };
		if (sums && !(c->windowed && c->trouble))
			function_fill(n, c, &p->functions[i], &sums[i]);
	}
	mem_free(sums);
}

/* --- the report ------------------------------------------------------------------------------- */

static void states_report(const struct node *n, const struct node_charge *c,
			  struct energy_report *r)
{
	const struct energy *e = &c->energy;
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

/* The ticks of the meter of a stretch. False: they are not known. */
static bool meter_ticks(const struct node *n, const struct node_charge *c, double *from,
			double *to)
{
	const struct power *p = n->metered.power;
	const struct align *a = &n->energy.align;
	double unsure, first = (double)power_begin(p), last = (double)power_end(p);

	*from = first;
	*to = last;
	if (!c->windowed)
		return true;
	if (align_is_known(a) && !isnan(c->begin_s)) {
		*from = align_tick(a, c->begin_s);
		*to = align_tick(a, c->end_s);
	} else {
		*from = power_tick(p, c->begin_ns, &unsure);
		*from = isnan(unsure) ? unsure : *from;
		*to = power_tick(p, c->end_ns, &unsure);
		*to = isnan(unsure) ? unsure : *to;
	}
	if (!(*from < last && *to > first))
		return false;
	*from = floor(fmax(*from, first));
	*to = ceil(fmin(*to, last));
	return true;
}

static void meter_report(const struct node *n, const struct node_charge *c,
			 struct energy_report *r)
{
	const struct power *p = n->metered.power;
	const struct energy *e = &c->energy;
	struct power_span span;
	double from, to;

	if (p && meter_ticks(n, c, &from, &to) &&
	    power_span(p, (uint64_t)from, (uint64_t)to, &span)) {
		r->seconds = (to - from) / power_hz(p);
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

static enum energy_trouble trouble_of(const struct node *n, const struct node_charge *c,
				      const struct energy_report *r)
{
	if (c->trouble)
		return c->trouble;
	if (isnan(r->mean))
		return n->energy.model ? ENERGY_NO_RUNS : ENERGY_NO_CURRENT;
	if (n->energy.model)
		return ENERGY_FINE;
	if (!energy_is_traced(n) && !n->energy.count)
		return ENERGY_NO_RUNS;
	if (r->method == ALIGN_NONE)
		return ENERGY_NOT_ALIGNED;
	return ENERGY_FINE;
}

static void report_fill(const struct node *n, struct node_charge *c)
{
	const struct node_energy *e = &n->energy;
	struct energy_report *r = &c->report;
	bool untold = (!energy_is_traced(n) && !e->model) || (c->windowed && c->trouble);

	*r = (struct energy_report){
		.estimate = e->model != NULL, .windowed = c->windowed, .method = e->align.method,
		.uncertainty_s = e->model ? (double)NAN : c->unsure,
		.min = NAN, .mean = NAN, .max = NAN, .seconds = NAN, .charge = NAN,
		.day_j = NAN, .life_s = NAN, .battery_c = e->battery_c,
		.sleep = c->energy.idle, .handlers = c->energy.handlers,
		.unknown = c->energy.unknown,
	};
	r->volts = volts_of(n, &r->volts_given);
	meter_report(n, c, r);
	r->known_s = untold ? (double)NAN : c->energy.all.seconds;
	r->known_charge = untold ? (double)NAN : c->energy.all.charge;
	states_report(n, c, r);
	r->trouble = trouble_of(n, c, r);
	r->day_j = r->mean * r->volts * DAY;
	if (r->mean > 0)
		r->life_s = r->battery_c / r->mean;
}

/* A meter whose clock is known, and no function runs long enough for it. */
static bool functions_are_short(const struct node *n, const struct profile *p)
{
	size_t ran = 0;

	for (uint32_t i = 0; i < p->function_count; i++) {
		if (p->functions[i].energy.known)
			return false;
		ran += p->functions[i].self_s > 0;
	}
	return ran && n->metered.power;
}

const struct energy_report *charge_tell(const struct node *n, struct node_charge *c,
					struct profile *p)
{
	c->report.volts = volts_of(n, &c->report.volts_given);
	functions_fill(n, c, p);
	report_fill(n, c);
	if (!c->report.trouble && functions_are_short(n, p))
		c->report.trouble = ENERGY_TOO_FAR;
	return &c->report;
}
