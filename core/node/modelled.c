/*
 * modelled: the current that a model says (core/power/model.h), over time: an estimate, kept as the
 * samples of a meter are, so that the time line draws both alike.
 *
 * By calls in order: of each interval of a function's own what the model says of it, and of the
 * states that hold. By PC samples alone, on the clock that they have on the time line: active and
 * asleep, as many as fell in each since the ones before. Where frames were lost, or no samples
 * came, nothing is known.
 */
#include "core/node/parts.h"

#include <math.h>

#include "core/base/mem.h"

enum {
	HZ = 20000,			/* what is shorter is a mean of 50 us */
	BYTES = 64 << 20,
};

#define HELD 0.1			/* s: PC samples further apart tell nothing of between */

void modelled_end(struct node *n)
{
	power_free(n->energy.modelled.power);
	n->energy.modelled = (struct node_modelled){ .power = NULL };
}

static void samples_flush(struct node_modelled *m)
{
	if (m->count)	/* without memory they are missing */
		power_add(m->power, m->first, m->amps, m->count, NULL);
	m->first += m->count;
	m->count = 0;
}

static void sample_push(struct node_modelled *m)
{
	m->amps[m->count++] = m->known >= 0.5 ? (float)(m->sum / m->known) : NAN;
	m->sum = m->known = 0;
	if (m->count == MODELLED_SAMPLES)
		samples_flush(m);
}

/* In ticks of the samples, from where the ones before ended. */
static void ticks_fill(struct node_modelled *m, double to, double amps)
{
	while (m->at < to) {
		double next = floor(m->at) + 1, end = fmin(next, to);

		m->sum += amps * (end - m->at);
		m->known += end - m->at;
		m->at = end;
		if (end >= next)
			sample_push(m);
	}
}

/* Nothing is known up to there. */
static void ticks_skip(struct node_modelled *m, double to)
{
	if (floor(to) > floor(m->at)) {
		sample_push(m);
		samples_flush(m);
		m->first = (uint64_t)floor(to);
	}
	m->at = to;
}

void modelled_add(struct node *n, double begin_s, double end_s, double amps)
{
	struct node_modelled *m = &n->energy.modelled;
	double from, to;

	if (n->options.batch || !(end_s > begin_s))
		return;
	if (!m->power) {
		m->power = power_new(BYTES);
		if (!m->power)
			return;
		power_set_rate(m->power, HZ, 0);
		m->origin_s = begin_s;
	}
	from = (begin_s - m->origin_s) * HZ;
	to = (end_s - m->origin_s) * HZ;
	if (from > m->at)
		ticks_skip(m, from);
	if (!isnan(amps))
		ticks_fill(m, to, amps);
}

void modelled_told(struct node *n)
{
	if (n->energy.modelled.power)
		samples_flush(&n->energy.modelled);
}

static bool function_sleeps(const struct node *n, uint32_t pc)
{
	const struct image *im = n->binding.image;
	uint32_t f = im ? image_find(im, image_normal(im, pc)) : IMAGE_NONE;
	const uint64_t *sleepers;
	size_t count = node_sleepers(n, &sleepers);

	for (size_t i = 0; f != IMAGE_NONE && i < count; i++)
		if (sleepers[i] == image_function(im, f)->address)
			return true;
	return false;
}

void modelled_pcs(struct node *n, const uint32_t *pcs, size_t count, uint64_t ticks)
{
	const struct power_model *model = n->energy.model;
	struct node_modelled *m = &n->energy.modelled;
	size_t asleep = pcs ? 0 : count;
	double at;

	if (!model || !n->calls.trace || !count || energy_is_traced(n))
		return;
	at = (double)ticks / trace_ticks_per_second(n->calls.trace);
	for (size_t i = 0; pcs && i < count; i++)
		asleep += function_sleeps(n, pcs[i]);
	m->pcs_asleep += asleep;
	m->pcs += count;
	if (!(at > m->pcs_at))
		return;			/* more of the same moment */
	if (m->pcs_at > 0 && at - m->pcs_at <= HELD)
		modelled_add(n, m->pcs_at, at, model->active + (model->sleep - model->active) *
					       (double)m->pcs_asleep / (double)m->pcs);
	modelled_told(n);
	m->by_pcs = true;
	m->pcs_at = at;
	m->pcs = m->pcs_asleep = 0;
}

const struct power *node_current(const struct node *n)
{
	return n->metered.power ? n->metered.power : n->energy.modelled.power;
}

bool node_current_by_pcs(const struct node *n)
{
	return n->energy.modelled.by_pcs;
}

double modelled_tick(const struct node *n, double at_s)
{
	const struct node_modelled *m = &n->energy.modelled;

	return m->power ? (at_s - m->origin_s) * HZ : (double)NAN;
}
