/*
 * energy: whose charge it was, over a simulated node and meter whose truth is known: 13
 * functions of 20 us to 2.5 ms, a radio that stays on behind the function that switches it, sleep;
 * a meter of 100,000 samples a second with 1 % noise behind the board's capacitors. It prints the
 * figures that docs/DESIGN.md states.
 */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image/image.h"
#include "core/node/parts.h"
#include "core/power/energy.h"
#include "core/power/model.h"
#include "core/power/runs.h"
#include "core/profile/raw/feed.h"

enum {
	SLEEP, ISR, SENSE, FILTER, QUEUE, CRC, AES, LOAD, ON, WAIT, OFF, LOG, MAIN, FUNCTIONS,
	HZ = 100000, SECONDS = 30, TICKS = HZ * SECONDS, MOST = 1 << 18,
	FINER = 10,			/* the node's ticks in one of the meter's */
};

#define MA 1e-3

static const double cpu[FUNCTIONS] = {
	.003, 4.2, 5.6, 4.8, 4.4, 4.9, 6.1, 5.4, 4.6, 4.3, 4.5, 4.7, 4.4,
};

struct world {
	uint64_t random;
	struct align_span spans[MOST];	/* group: the function */
	size_t count;
	float amps[TICKS];		/* as measured */
	double charge[FUNCTIONS], seconds[FUNCTIONS];	/* true */
	double drawn[TICKS];		/* true, A */
	uint64_t at;			/* the node's ticks */
	double radio;
};

static struct world w;

static double random_unit(void)
{
	w.random = w.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(w.random >> 11) / 9007199254740992. + 1e-17;
}

static double random_normal(void)
{
	return sqrt(-2 * log(random_unit())) * cos(6.283185307179586 * random_unit());
}

/* Runs for about so long; the current is spread over the meter's ticks that it touches. */
static void world_run(unsigned f, double us, double spread)
{
	uint64_t ticks = (uint64_t)(us * fmax(.2, 1 + spread * random_normal()));
	uint64_t end = w.at + (ticks ? ticks : 1);
	double amps = (cpu[f] + w.radio) * MA;

	if (end > (uint64_t)TICKS * FINER)
		end = (uint64_t)TICKS * FINER;
	w.spans[w.count++] = (struct align_span){ (double)w.at / HZ / FINER,
						  (double)end / HZ / FINER, f };
	w.charge[f] += amps * (double)(end - w.at) / HZ / FINER;
	w.seconds[f] += (double)(end - w.at) / HZ / FINER;
	for (; w.at < end; w.at++)
		w.drawn[w.at / FINER] += amps / FINER;
}

static void radio_send(void)
{
	world_run(CRC, 150, .3);
	for (int i = 0; i < 8; i++) {
		world_run(AES, 200, .3);
		world_run(QUEUE, 20, .3);
	}
	world_run(ON, 400, .3);
	w.radio = 18.8;
	world_run(LOAD, 300, .3);
	world_run(WAIT, 1200, .3);
	w.radio = 17.4;
	world_run(LOAD, 100, .3);
	world_run(WAIT, 2500, .5);
	world_run(ISR, 40, .3);
	w.radio = 18.8;
	world_run(WAIT, 800, .3);
	world_run(OFF, 60, .3);
	w.radio = 0;
	world_run(LOG, 250, .3);
}

/* 20 us of capacitors, 1 % of noise. */
static void world_measure(void)
{
	double held = w.drawn[0], part = 1 - exp(-1. / HZ / 20e-6);

	for (size_t i = 0; i < TICKS; i++) {
		held += part * (w.drawn[i] * (1 + .01 * random_normal()) +
				.01 * MA * random_normal() - held);
		w.amps[i] = (float)held;
	}
}

static void world_make(void)
{
	memset(&w, 0, sizeof(w));
	w.random = 3;
	while (w.at < (uint64_t)(TICKS - HZ / 10) * FINER) {
		world_run(MAIN, 60, .3);
		world_run(ISR, 40, .3);
		world_run(SENSE, 300, .3);
		world_run(FILTER, 500, .3);
		world_run(QUEUE, 40, .3);
		if (random_unit() < .3)
			radio_send();
		world_run(SLEEP, 20000, .4);
	}
	world_measure();
}

/* The meter began `ahead` ticks before the node did. */
static struct power *meter_make(uint64_t ahead)
{
	struct power *p = power_new(0);
	float idle[1024] = { 0 };

	assert_non_null(p);
	power_set_rate(p, HZ, 50);
	for (uint64_t at = 0; at < ahead; at += 1024)
		assert_int_equal(power_add(p, at, idle, ahead - at < 1024 ? ahead - at : 1024,
					   NULL), 0);
	assert_int_equal(power_add(p, ahead, w.amps, TICKS, NULL), 0);
	return p;
}

/* --- attribution ------------------------------------------------------------------------------ */

static int double_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Median and worst error of the functions' mean currents, sleep left out; NaN: none was told. */
static double error_median(const struct energy_sum *sums, double *worst, unsigned *told)
{
	double error[FUNCTIONS];

	*told = 0;
	*worst = 0;
	for (unsigned f = 1; f < FUNCTIONS; f++) {
		double amps = energy_current(&sums[f]);
		double truth = w.charge[f] / w.seconds[f];

		if (isnan(amps))
			continue;
		error[(*told)++] = fabs(amps - truth) / truth;
		*worst = fmax(*worst, fabs(amps - truth) / truth);
	}
	if (!*told)
		return NAN;
	qsort(error, *told, sizeof(*error), double_compare);
	return error[*told / 2];
}

static void charge_attribute(const struct power *p, const struct align *a, double unsure,
		      struct energy_sum *sums)
{
	memset(sums, 0, FUNCTIONS * sizeof(*sums));
	for (size_t i = 0; i < w.count; i++) {
		const struct align_span *s = &w.spans[i];
		double samples, from = align_tick(a, s->begin), to = align_tick(a, s->end);
		double charge = power_charge(p, from, to, &samples);

		if (samples > 0)
			energy_add(&sums[s->group], s->end - s->begin,
				   charge * HZ / samples, samples, unsure);
	}
}

/* Far from its samples, where adding one changes no tick: a damaged trace asks for that. */
static void no_charge_far_away(void **state)
{
	static const double far[][2] = {
		{ 1e17, 1e17 + 32 }, { 1e17, 1e30 }, { -1e30, -1e17 }, { 1e5, NAN }, { NAN, NAN },
	};
	struct power *p = meter_make(0);
	double samples, all = power_charge(p, 0, (double)power_end(p), &samples);

	(void)state;
	for (size_t i = 0; i < COUNT(far); i++) {
		assert_true(power_charge(p, far[i][0], far[i][1], &samples) == 0);
		assert_true(samples == 0);
	}
	assert_true(power_charge(p, -1e30, 1e30, &samples) == all && all > 0);
	power_free(p);
}

/* PC samples, evenly at random. */
static void pcs_sample(const struct power *p, const struct align *a, double hz,
		   struct energy_sum *sums)
{
	size_t i = 0;

	memset(sums, 0, FUNCTIONS * sizeof(*sums));
	for (double at = 0; at < SECONDS - .2; at += 2 * random_unit() / hz) {
		while (w.spans[i].end <= at)
			i++;
		energy_add(&sums[w.spans[i].group], 1,
			   (double)power_at(p, (uint64_t)fmax(align_tick(a, at), 0)), 1, 0);
	}
}

static void currents_are_right_where_clocks_are(void **state)
{
	static const double off[] = { 0, 20e-6, -20e-6, 100e-6, 500e-6, 2e-3 };
	struct power *p = meter_make(0);
	struct align a;

	(void)state;
	align_init(&a, HZ);
	for (size_t i = 0; i < sizeof(off) / sizeof(off[0]); i++) {
		struct energy_sum sums[FUNCTIONS];
		double worst, pcs_worst, all, pcs;
		unsigned told, most;

		a.tick = off[i] * HZ;
		charge_attribute(p, &a, 0, sums);
		all = error_median(sums, &worst, &told);
		assert_int_equal(told, FUNCTIONS - 1);
		printf("calls, clocks off by %4.0f us: median error %5.1f %%, worst %5.1f %%; ",
		       1e6 * off[i], 100 * all, 100 * worst);
		assert_true(all < (i == 0 ? .02 : i < 3 ? .05 : 10));
		charge_attribute(p, &a, fabs(off[i]), sums);
		all = error_median(sums, &worst, &told);
		printf("told of %2u: %5.1f, %5.1f %%; ", told, 100 * all, 100 * worst);
		pcs_sample(p, &a, 5000, sums);
		pcs = error_median(sums, &pcs_worst, &most);
		printf("5,000 PCs/s: %5.1f, %5.1f %%\n", 100 * pcs, 100 * pcs_worst);
		assert_true(pcs < (i == 0 ? .025 : i < 3 ? .055 : 10));
	}
	power_free(p);
}

static void charges_add_up(void **state)
{
	struct power *p = meter_make(0);
	struct energy_sum sums[FUNCTIONS];
	struct power_span all;
	double sum = 0;
	struct align a;

	(void)state;
	align_init(&a, HZ);
	charge_attribute(p, &a, 0, sums);
	for (unsigned f = 0; f < FUNCTIONS; f++)
		sum += sums[f].charge;
	assert_true(power_span(p, 0, w.at / FINER, &all));
	printf("charge: %.6f mC by functions, %.6f mC by the meter\n", 1e3 * sum, 1e3 * all.charge);
	assert_true(fabs(sum - all.charge) < 1e-4 * all.charge);
	power_free(p);
}

/* --- alignment -------------------------------------------------------------------------------- */

static size_t window_find(double begin, double length, struct align_span *spans)
{
	size_t n = 0;

	for (size_t i = 0; i < w.count && n < 8192; i++)
		if (w.spans[i].begin >= begin && w.spans[i].end < begin + length)
			spans[n++] = w.spans[i];
	return n;
}

/* The lag of the current behind what drew it: the capacitors' 20 us are in it. */
static double lag_error(uint64_t ahead, const struct align *a)
{
	return (align_tick(a, SECONDS / 2.) - (double)ahead) / HZ - SECONDS / 2.;
}

static void current_tells_the_lag(void **state)
{
	static struct align_span spans[8192];
	static const uint64_t ahead[] = { 0, 1234, 77777, 150000 };

	(void)state;
	for (size_t i = 0; i < sizeof(ahead) / sizeof(ahead[0]); i++) {
		struct power *p = meter_make(ahead[i]);
		struct energy_sum sums[FUNCTIONS];
		struct align a;
		unsigned anchors = 0, told;
		double error, worst, median;

		align_init(&a, HZ);
		for (unsigned k = 0; k < 8; k++)
			anchors += align_current(&a, p, spans, window_find(k * 3, 1, spans));
		error = lag_error(ahead[i], &a);
		printf("the meter %.2f s ahead, found by the current: off by %+.1f us, said +-%.1f"
		       " us, %u anchors\n", (double)ahead[i] / HZ, 1e6 * error,
		       1e6 * a.uncertainty, anchors);
		assert_int_equal(a.method, ALIGN_CURRENT);
		assert_true(fabs(error) < a.uncertainty);
		assert_true(a.uncertainty < 50e-6);
		charge_attribute(p, &a, a.uncertainty, sums);
		median = error_median(sums, &worst, &told);
		printf("  functions' currents with it: median error %.1f %%, worst %.1f %%, %u "
		       "told\n", 100 * median, 100 * worst, told);
		assert_true(told >= FUNCTIONS - 2 && median < .03);
		power_free(p);
	}
}

/* A current that has nothing to do with what ran gives no anchor. */
static void noise_tells_nothing(void **state)
{
	static struct align_span spans[8192];
	static float noise[TICKS];
	struct power *p = power_new(0);
	struct align a;

	(void)state;
	for (size_t i = 0; i < TICKS; i++)
		noise[i] = (float)(MA * (1 + .3 * random_normal()));
	power_set_rate(p, HZ, 50);
	assert_int_equal(power_add(p, 0, noise, TICKS, NULL), 0);
	align_init(&a, HZ);
	for (unsigned k = 0; k < 8; k++)
		assert_false(align_current(&a, p, spans, window_find(1 + k * 3, 1, spans)));
	assert_int_equal(a.method, ALIGN_NONE);
	align_arrival(&a, 1, HZ, HZ, 1e-3);
	assert_int_equal(a.method, ALIGN_ARRIVAL);
	assert_true(a.uncertainty >= 1e-3 + ALIGN_DELAYS / 2);
	for (unsigned k = 0; k < 8; k++)
		assert_false(align_current(&a, p, spans, window_find(1 + k * 3, 1, spans)));
	assert_int_equal(a.method, ALIGN_ARRIVAL);
	power_free(p);
}

/* As many functions as a window of a slow probe has samples for tell much of any current. */
static void few_samples_tell_nothing_by_chance(void **state)
{
	enum { PCS = 150, WINDOWS = 28 };
	static struct align_span spans[PCS];
	static float noise[TICKS];
	struct power *p = power_new(0);
	unsigned found = 0;

	(void)state;
	/* as coarse as a meter's resolution, changing each millisecond */
	for (size_t i = 0; i < TICKS; i++)
		noise[i] = i % 100 ? noise[i - 1] : (float)(random_unit() < .5 ? 600e-6 : 700e-6);
	power_set_rate(p, HZ, 50);
	assert_int_equal(power_add(p, 0, noise, TICKS, NULL), 0);
	for (unsigned k = 0; k < WINDOWS; k++) {
		struct align a;

		align_init(&a, HZ);
		align_arrival(&a, 1, HZ, HZ, 5e-3);
		for (size_t i = 0; i < PCS; i++) {
			double at = .5 + k + ((double)i + random_unit()) / PCS;

			spans[i] = (struct align_span){ at, at, (uint32_t)(40 * random_unit()) };
		}
		found += align_current(&a, p, spans, PCS);
	}
	printf("150 PC samples of 40 functions and noise: %u of %u windows aligned\n", found,
	       (unsigned)WINDOWS);
	assert_int_equal(found, 0);
	power_free(p);
}

static void edges_tell_it_best(void **state)
{
	static uint8_t logic[TICKS];
	struct power *p = power_new(0);
	double times[200], error;
	struct align a;
	size_t n = 0;

	(void)state;
	/* A pulse about each 100 ms, the meter 7,777 ticks ahead and 40 ppm fast. */
	for (double at = .05; at < SECONDS - .2 && n < 200; at += .08 + .04 * random_unit()) {
		size_t tick = (size_t)(7777 + at * HZ * (1 + 40e-6));

		times[n++] = at;
		for (size_t i = tick; i < tick + 40; i++)
			logic[i] = 1;
	}
	power_set_rate(p, HZ, 50);
	assert_int_equal(power_add(p, 0, w.amps, TICKS, logic), 0);
	align_init(&a, HZ);
	align_arrival(&a, 0, 7777 + 120, HZ, 1e-3);
	assert_true(align_edge(&a, p, times, n));
	assert_int_equal(a.method, ALIGN_EDGE);
	error = (align_tick(&a, 15) - 7777) / HZ - 15 * (1 + 40e-6);
	printf("by edges: off by %+.1f us, said +-%.1f us\n", 1e6 * error, 1e6 * a.uncertainty);
	assert_true(fabs(error) < 10e-6);
	assert_true(a.uncertainty < 12e-6 && a.uncertainty > 0);
	/* Times of something else are no edges. */
	align_init(&a, HZ);
	for (size_t i = 0; i < n; i++)
		times[i] = SECONDS * random_unit() / (double)n + SECONDS * (double)i / (double)n;
	assert_false(align_edge(&a, p, times, n));
	power_free(p);
}

/* --- what is not told ------------------------------------------------------------------------- */

static void little_is_not_told(void **state)
{
	struct energy_sum sum = { 0 }, vague = { 0 };

	(void)state;
	for (int i = 0; i < ENERGY_LEAST - 1; i++)
		energy_add(&sum, 1e-3, 4 * MA, 1, 0);
	assert_true(isnan(energy_current(&sum)));
	energy_add(&sum, 1e-3, 4 * MA, 1, 0);
	assert_true(fabs(energy_current(&sum) - 4 * MA) < 1e-9);
	assert_true(energy_spread(&sum) < 1e-6);
	/* Shorter than the clocks are known; some of it long enough; clocks that are not known. */
	for (int i = 0; i < ENERGY_LEAST; i++)
		energy_add(&vague, 20e-6, 4 * MA, 2, 50e-6);
	assert_true(isnan(energy_current(&vague)));
	energy_add(&vague, 400e-6, 4 * MA, 40, 50e-6);
	assert_false(isnan(energy_current(&vague)));
}

/* --- a node ----------------------------------------------------------------------------------- */

/* Some seconds of them: half as many samples of each, and the same currents. */
static void pcs_window_look(struct node *n)
{
	const struct energy_report *r = node_energy(n);
	double sleep = r->sleep.samples, known = 0;

	r = node_energy_window(n, node_profile(n), UINT64_C(1005000000000),
			       UINT64_C(1015000000000));
	assert_int_equal(r->trouble, ENERGY_FINE);
	assert_true(fabs(r->sleep.samples / sleep - .5) < .1);
	assert_true(fabs(r->seconds - 10) < 2e-3);
	for (uint32_t f = 0; f < node_profile(n)->function_count; f++) {
		const struct profile_function *of = &node_profile(n)->functions[f];
		unsigned which = (unsigned)(of->address - 0x1000) / 16;

		known += of->energy.known;
		if (of->energy.known && of->samples > 2000)
			assert_true(fabs(of->energy.current_a * w.seconds[which] /
					 w.charge[which] - 1) < .15);
	}
	assert_true(known >= 8);
	r = node_energy_window(n, node_profile(n), UINT64_C(2000000000000),
			       UINT64_C(2001000000000));
	assert_int_equal((int)r->sleep.samples, 0);
	assert_true(isnan(r->charge));
}

/* PC samples of a probe whose times are the host's, beside a meter that began 12 ms earlier. */
static void pcs_of_a_node_get_their_current(void **state)
{
	struct node *n = node_new(&(struct node_options){ .source = "/dev/null", .batch = true,
							  .battery_c = 792 }, NULL);
	const struct energy_report *r;
	double worst = 0;
	size_t i = 0, told = 0;

	(void)state;
	assert_non_null(n);
	n->metered.power = meter_make(1234);
	for (double at = 0; at < 20; at += 2 * random_unit() / 5000) {
		uint32_t pc;

		while (w.spans[i].end <= at)
			i++;
		n->arrival_ns = (uint64_t)((1000 + at) * 1e9);
		pc = 0x1000 + 16 * w.spans[i].group;
		energy_pcs(&n->inputs[0], w.spans[i].group ? &pc : NULL, 1);
		if (w.spans[i].group)
			profile_add_samples(node_profile(n), &pc, 1);
	}
	r = node_energy(n);
	assert_non_null(r);
	assert_int_equal(r->method, ALIGN_CURRENT);
	assert_true(r->uncertainty_s < 150e-6 && r->uncertainty_s > 20e-6);
	for (uint32_t f = 0; f < node_profile(n)->function_count; f++) {
		const struct profile_function *of = &node_profile(n)->functions[f];
		unsigned which = (unsigned)(of->address - 0x1000) / 16;
		double truth = w.charge[which] / w.seconds[which];

		if (!of->energy.known)
			continue;
		told++;
		if (of->samples > 1000)
			worst = fmax(worst, fabs(of->energy.current_a / truth - 1));
		assert_true(isnan(of->energy.per_call_j));
		assert_false(of->energy.estimate);
	}
	printf("PC samples of a node: aligned +-%.0f us by the current, %zu functions told, worst "
	       "of those with 1,000 samples %.1f %%\n", 1e6 * r->uncertainty_s, told, 100 * worst);
	assert_true(told >= 10 && worst < .1);
	assert_true(fabs(r->sleep.charge / r->sleep.seconds) < 0.1 * MA);
	assert_true(fabs(r->life_s - 792 / r->mean) < 1);
	pcs_window_look(n);
	node_free(n);
}

static void event_tell(struct trace *t, enum trace_event_kind kind, uint8_t lane, uint32_t id,
		 uint64_t ticks)
{
	assert_int_equal(trace_tell(t, &(struct trace_told){ .kind = kind, .lane = lane,
							     .id = id, .ticks = ticks }), 0);
}

/* --- windows of the past ---------------------------------------------------------------------- */

enum { RADIO = 7, BEGAN_S = 1000 };

/* The same as calls in order, with the radio as a state, beside that meter. */
static struct node *node_traced(struct power *meter)
{
	struct node *n = node_new(&(struct node_options){ .source = "/dev/null", .batch = true },
				  NULL);
	double told = 0;
	struct trace *t;

	assert_non_null(n);
	n->metered.power = meter;
	t = calls_trace(n);
	trace_setup_told(t, HZ * FINER);
	for (size_t i = 0; i < w.count; i++) {
		const struct align_span *s = &w.spans[i];
		uint64_t at = (uint64_t)llround(s->begin * HZ * FINER);
		uint32_t id = IMAGE_TOLD + 2 * s->group;
		struct trace_told radio = { .kind = TRACE_STATE, .id = RADIO, .ticks = at,
					    .value = s->group != OFF };

		if (s->group == ON || s->group == OFF)
			assert_int_equal(trace_tell(t, &radio), 0);
		if (s->group)
			event_tell(t, TRACE_CALL, 0, id, at);
		at = (uint64_t)llround(s->end * HZ * FINER);
		if (s->group)
			event_tell(t, TRACE_RETURN, 0, id, at);
		if (s->end < told + .1)
			continue;
		told = s->end;
		n->arrival_ns = n->now_ns = (uint64_t)((BEGAN_S + s->end) * 1e9);
		calls_advance(n);
	}
	return n;
}

/* Between the calls that are told others run: it is not idle there; no model knows its current. */
static void between_watched_calls_it_is_not_idle(void **state)
{
	struct node *all = node_traced(meter_make(1234)), *some = node_traced(meter_make(1234));
	const struct energy_report *a, *s;

	(void)state;
	some->seen.some = true;
	a = node_energy(all);
	s = node_energy(some);
	assert_non_null(a);
	assert_non_null(s);
	assert_true(a->sleep.seconds > 1 && a->unknown.seconds < 1e-3);
	assert_true(s->sleep.seconds == 0);
	some->energy.model = mem_zalloc(sizeof(*some->energy.model));
	assert_false(energy_is_traced(some));
	node_free(all);
	node_free(some);
}

static const struct energy_report *window_energy(struct node *n, double from, double to)
{
	return node_energy_window(n, node_profile(n), (uint64_t)((BEGAN_S + from) * 1e9),
				  (uint64_t)((BEGAN_S + to) * 1e9));
}

static double drawn_charge(double from, double to)
{
	double sum = 0;

	for (size_t i = (size_t)(from * HZ); i < (size_t)(to * HZ); i++)
		sum += w.drawn[i] / HZ;
	return sum;
}

static void windows_have_their_own_charge(void **state)
{
	static const double ends[] = { 0, 3, 9.5, 9.7, 28 };
	struct node *n = node_traced(meter_make(1234));
	double charge = 0, sleep = 0, on = 0, seconds = 0, whole, whole_sleep, whole_on;
	const struct energy_report *r = node_energy(n);

	(void)state;
	assert_int_equal(r->method, ALIGN_CURRENT);
	assert_false(r->windowed);
	whole = r->known_charge;
	for (size_t i = 0; i + 1 < sizeof(ends) / sizeof(ends[0]); i++) {
		double truth = drawn_charge(ends[i], ends[i + 1]);

		r = window_energy(n, ends[i], ends[i + 1]);
		printf("%.1f to %.1f s: %.4f mC of %.4f, meter %.4f; asleep %.3f s\n", ends[i],
		       ends[i + 1], 1e3 * r->known_charge, 1e3 * truth, 1e3 * r->charge,
		       r->sleep.seconds);
		assert_int_equal(r->trouble, ENERGY_FINE);
		assert_true(r->windowed);
		assert_true(fabs(r->known_charge / truth - 1) < .02);
		assert_true(fabs(r->charge / truth - 1) < .02);
		assert_true(fabs(r->seconds - (ends[i + 1] - ends[i])) < 2e-3);
		charge += r->known_charge;
		sleep += r->sleep.seconds;
		seconds += r->known_s;
		for (size_t k = 0; k < r->state_count; k++)
			on += strcmp(r->states[k].state, "1") == 0 ? r->states[k].sum.charge : 0;
	}
	r = window_energy(n, 0, 28);
	whole = r->known_charge;
	whole_sleep = r->sleep.seconds;
	whole_on = strcmp(r->states[0].state, "1") == 0 ? r->states[0].sum.charge :
		   r->states[1].sum.charge;
	assert_true(fabs(charge / whole - 1) < 1e-6);
	assert_true(fabs(sleep / whole_sleep - 1) < 1e-6);
	assert_true(fabs(on / whole_on - 1) < 1e-6);
	assert_true(fabs(seconds - 28) < 1e-2);
	node_free(n);
}

/* The meter's store keeps the last ten seconds singly: figures of before are not made up. */
static void what_was_let_go_is_not_told(void **state)
{
	struct power *p = power_new(8 << 20);
	const struct energy_report *r;
	struct node *n;

	(void)state;
	power_set_rate(p, HZ, 50);
	assert_int_equal(power_add(p, 0, w.amps, TICKS, NULL), 0);
	assert_true(power_whole_from(p) > 15 * HZ);
	n = node_traced(p);
	r = window_energy(n, 3, 9);
	assert_int_equal(r->trouble, ENERGY_GONE);
	assert_true(isnan(r->known_charge));
	/* what the meter measured then is known as well as before */
	assert_true(fabs(r->charge / drawn_charge(3, 9) - 1) < .02);
	r = window_energy(n, 23, 28);
	assert_int_equal(r->trouble, ENERGY_FINE);
	assert_true(fabs(r->known_charge / drawn_charge(23, 28) - 1) < .02);
	/* before the trace began again */
	calls_forget(n);
	assert_int_equal(window_energy(n, 23, 28)->trouble, ENERGY_GONE);
	node_free(n);
}

/* --- who ran ---------------------------------------------------------------------------------- */

struct ran {
	struct runs_span spans[32];
	size_t count;
};

static void ran_take(void *ctx, const struct runs_span *s)
{
	struct ran *r = ctx;

	assert_true(r->count < 32);
	r->spans[r->count++] = *s;
}

/* A call, a handler in it, a call in a call; then nothing; read in two pieces. */
static void one_runs_at_a_time(void **state)
{
	static const struct { uint64_t end; uint32_t id; bool handler; } expected[] = {
		{ 200, 100, false }, { 250, 300, true }, { 300, 100, false }, { 400, 102, false },
		{ 450, 102, false }, { 500, 100, false }, { 600, 0, false },
	};
	const struct {
		enum trace_event_kind kind;
		uint8_t lane;
		uint32_t id;
		uint64_t at;
	} told[] = {
		{ TRACE_CALL, 0, 100, 100 }, { TRACE_CALL, 1, 300, 200 },
		{ TRACE_RETURN, 1, 0, 250 }, { TRACE_CALL, 0, 102, 300 },
		{ TRACE_RETURN, 0, 0, 450 }, { TRACE_RETURN, 0, 0, 500 },
		{ TRACE_CALL, 0, 100, 600 }, { TRACE_RETURN, 0, 0, 700 },
	};
	struct trace *t = trace_new();
	struct ran ran = { .count = 0 };
	struct runs_taker taker = { .ctx = &ran, .span = ran_take };
	struct runs runs = { .at = 0 };

	(void)state;
	trace_setup_told(t, 1e6);
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++)
		event_tell(t, told[i].kind, told[i].lane, told[i].id + IMAGE_TOLD, told[i].at);
	assert_int_equal(runs_read(&runs, t, 400, &taker), 0);
	assert_int_equal(runs.at, 400);
	assert_int_equal(runs_read(&runs, t, 600, &taker), 0);
	assert_int_equal(ran.count, sizeof(expected) / sizeof(expected[0]));
	for (size_t i = 0; i < ran.count; i++) {
		const struct runs_span *s = &ran.spans[i];

		assert_int_equal(s->begin, i ? expected[i - 1].end : 100);
		assert_int_equal(s->end, expected[i].end);
		assert_int_equal(s->id, expected[i].id ? expected[i].id + IMAGE_TOLD : 0);
		assert_int_equal(s->handler, expected[i].handler);
		assert_false(s->unknown);
	}
	trace_free(t);
}

/* --- a model ---------------------------------------------------------------------------------- */

static void models_are_read(void **state)
{
	static const char text[] = "; a board\nactive = 4.4 mA\nsleep = 3uA\nvolts = 2.8\n"
				   "radio_state = S_TX 17.4 mA\nradio_state = 2 18.8\n";
	static const char *const bad[] = {
		"", "sleep = 3 uA\n", "active = fast\n", "active = 4 mA\nradio = TX\n",
		"active = 4 mA\nradio = TX -3 mA\n", "active 4 mA\n", "active = 4 mV\n",
		"active = 4 mA\nvolts = 0\n", "active = nan\n",
	};
	struct power_model m;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(power_model_parse(&m, text, "x", &err), 0);
	assert_true(fabs(m.active - 4.4e-3) < 1e-9 && fabs(m.idle - 3e-6) < 1e-12);
	assert_true(fabs(m.volts - 2.8) < 1e-9);
	assert_true(fabs(power_model_state(&m, "radio_state", "S_TX", 1) - 17.4e-3) < 1e-9);
	assert_true(fabs(power_model_state(&m, "radio_state", NULL, 2) - 18.8e-3) < 1e-9);
	assert_true(power_model_state(&m, "radio_state", "S_OFF", 0) == 0);
	assert_true(power_model_state(&m, NULL, NULL, 2) == 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		err = (struct err){ 0 };
		assert_int_equal(power_model_parse(&m, bad[i], "x", &err), ERR_FORMAT);
		assert_true(err_is_set(&err));
	}
	assert_true(fabs(power_quantity("220mAh", "Ah") - .22) < 1e-9);
	assert_true(fabs(power_quantity("2.5 Ah", "Ah") - 2.5) < 1e-9);
	assert_true(isnan(power_quantity("220", "Ah")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_charge_far_away),
		cmocka_unit_test(currents_are_right_where_clocks_are),
		cmocka_unit_test(charges_add_up),
		cmocka_unit_test(current_tells_the_lag),
		cmocka_unit_test(noise_tells_nothing),
		cmocka_unit_test(few_samples_tell_nothing_by_chance),
		cmocka_unit_test(edges_tell_it_best),
		cmocka_unit_test(little_is_not_told),
		cmocka_unit_test(between_watched_calls_it_is_not_idle),
		cmocka_unit_test(windows_have_their_own_charge),
		cmocka_unit_test(what_was_let_go_is_not_told),
		cmocka_unit_test(pcs_of_a_node_get_their_current),
		cmocka_unit_test(one_runs_at_a_time),
		cmocka_unit_test(models_are_read),
	};

	world_make();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
