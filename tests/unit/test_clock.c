/*
 * clock: a source's ticks on the host's time axis, over simulated links whose true times are known.
 * It prints the figures that clock.h states.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/clock.h"

#define MS 1e-3
#define START 1000.			/* the host's time when it begins, s */
#define LEAST 0.002			/* the way's least delay, which nobody can tell */

/* --- a simulated link ------------------------------------------------------------------------- */

enum link_kind {
	LINK_EXPONENTIAL,		/* late by so much in the mean, in order */
	LINK_BAUD,			/* 115,200 baud, messages of 20 to 80 bytes, read each
					 * `late` */
	LINK_FRAMES,			/* sent in step with frames of `late` */
};

struct sim {
	enum link_kind kind;
	double late;			/* s */
	double drift;			/* how much faster than the host's its seconds go */
	struct clock_terms terms;
	uint64_t first;			/* ticks when it begins */
	double gap;			/* s of silence after each 100 messages */
	double every;			/* s between messages; 0: at random, 50 ms in the mean */
	uint64_t random;
	double now, line_free, arrival;
	unsigned sent;
};

static double random_unit(struct sim *s)
{
	s->random = s->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(s->random >> 11) / 9007199254740992. + 1e-17;
}

static double random_exponential(struct sim *s, double mean)
{
	return -mean * log(random_unit(s));
}

static uint64_t ns_of(double seconds)
{
	return (uint64_t)((START + seconds) * 1e9);
}

/* Ticks as the source sends them. */
static uint64_t sim_ticks(const struct sim *s, double at)
{
	double ticks = at * (1 + s->drift) * (double)s->terms.ticks_per_second;
	unsigned step = s->terms.step ? s->terms.step : 1;
	uint64_t whole = s->first + (uint64_t)ticks / step * step;

	return s->terms.bits < 64 ? whole & ((UINT64_C(1) << s->terms.bits) - 1) : whole;
}

/* The next message: when it was stamped; s->arrival is when it came. */
static double sim_next(struct sim *s)
{
	double at, arrival;

	s->now += s->every > 0 ? s->every : random_exponential(s, 50 * MS);
	if (s->gap > 0 && ++s->sent % 100 == 0)
		s->now += s->gap;
	at = s->now;
	switch (s->kind) {
	case LINK_BAUD:
		s->line_free = fmax(s->line_free, at) + (20 + 60 * random_unit(s)) * 10 / 115200;
		arrival = (ceil(s->line_free / s->late + .37) - .37) * s->late;
		break;
	case LINK_FRAMES:
		arrival = ceil(at / s->late) * s->late;
		break;
	default:
		arrival = at + random_exponential(s, s->late);
	}
	s->arrival = fmax(s->arrival, arrival + LEAST);
	return at;
}

/* What is the earliest that a message can come behind its stamp? */
static double sim_least(const struct sim *s)
{
	return LEAST + (s->kind == LINK_BAUD ? 20 * 10 / 115200. : 0);
}

struct figures {
	unsigned moments, known, right;
	double after_10, after_60;	/* uncertainty, s */
	double worst;			/* error, s */
	double drift, drift_error;
};

static void sim_run(struct sim *s, struct clock *c, double seconds, struct figures *f)
{
	double error, until = s->now + seconds, begun = s->now;

	*f = (struct figures){ .after_10 = NAN, .after_60 = NAN };
	while (s->now < until) {
		double at = sim_next(s);
		uint64_t ticks = clock_note(c, sim_ticks(s, at), ns_of(s->arrival));
		struct clock_moment m = clock_host(c, ticks);

		f->moments++;
		if (isnan(m.uncertainty))
			continue;
		f->known++;
		error = fabs((double)m.ns / 1e9 - START - at - sim_least(s));
		f->right += error <= m.uncertainty / 1e9 + 2e-9;
		f->worst = fmax(f->worst, error);
		if (at >= begun + 10 && isnan(f->after_10))
			f->after_10 = m.uncertainty / 1e9;
		if (at >= begun + 60 && isnan(f->after_60))
			f->after_60 = m.uncertainty / 1e9;
	}
	f->drift = clock_drift(c, &f->drift_error);
}

static const struct clock_terms wrap16 = { 32768, 16, 1, 200, 0 },
	wrap24 = { 16000000, 24, 1, 200, 0 }, wrap32 = { 16000000, 32, 16, 200, 0 },
	whole = { 1000000, 64, 1, 200, 0 }, rc = { 8000000, 32, 1, 0, 0 };
static const struct followed {
	const char *name;
	enum link_kind kind;
	double late, drift;
	const struct clock_terms *terms;
	double every;
	uint64_t grain;
	double limit_10, limit_60;	/* of the uncertainty, s */
} followed[] = {
	{ "exponential 1 ms, 64 bits", LINK_EXPONENTIAL, 1 * MS, 100e-6, &whole, 0, 0,
	  1 * MS, .1 * MS },
	{ "exponential 5 ms, 32 bits", LINK_EXPONENTIAL, 5 * MS, -100e-6, &wrap32, 0, 0,
	  5 * MS, .5 * MS },
	{ "exponential 20 ms, 24 bits", LINK_EXPONENTIAL, 20 * MS, 100e-6, &wrap24, 0, 0,
	  12 * MS, 2 * MS },
	{ "exponential 20 ms, 16 bits", LINK_EXPONENTIAL, 20 * MS, -100e-6, &wrap16, 0, 0,
	  12 * MS, 2 * MS },
	{ "115,200 baud, read each 1 ms", LINK_BAUD, 1 * MS, 100e-6, &wrap16, 0, 0,
	  4 * MS, 1.5 * MS },
	{ "115,200 baud, read each 16 ms", LINK_BAUD, 16 * MS, -100e-6, &wrap32, 0, 0,
	  10 * MS, 5 * MS },
	{ "in step with frames of 1 ms", LINK_FRAMES, 1 * MS, 100e-6, &wrap24, 20 * MS,
	  1000000,
	  2 * MS, 3 * MS },
	{ "RC oscillator, 2 % off, 5 ms", LINK_EXPONENTIAL, 5 * MS, -.02, &rc, 0, 0,
	  5 * MS, .6 * MS },
};

/* Twenty nodes behind one kind of link: sums over all, means of the uncertainties and the drift. */
struct means {
	double u10, u60, worst, drift;
	unsigned moments, known, right, drift_right;
};

static struct means link_means(const struct followed *l)
{
	struct means m = { 0 };
	struct figures f;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct sim s = { .kind = l->kind, .late = l->late, .drift = l->drift,
				 .terms = *l->terms, .first = seed * UINT64_C(987654321987),
				 .every = l->every, .random = seed };
		struct clock c;

		clock_init(&c, l->terms, l->grain);
		sim_run(&s, &c, 180, &f);
		m.moments += f.moments;
		m.known += f.known;
		m.right += f.right;
		m.u10 += f.after_10 / 20;
		m.u60 += f.after_60 / 20;
		m.worst = fmax(m.worst, f.worst);
		m.drift += f.drift / 20;
		assert_int_equal(c.restarts, 0);
		m.drift_right += fabs(f.drift + l->drift / (1 + l->drift)) <=
				 f.drift_error + l->grain * 1e-9 / 60;
	}
	return m;
}

static void links_are_followed(void **state)
{
	(void)state;
	print_message("%-31s %9s %9s %9s %7s %16s\n", "link", "10 s", "60 s", "worst", "right",
		      "drift, ppm");
	for (size_t i = 0; i < COUNT(followed); i++) {
		struct means m = link_means(&followed[i]);

		print_message("%-31s %6.3f ms %6.3f ms %6.2f ms %5.1f %% %+8.1f\n",
			      followed[i].name, m.u10 * 1e3, m.u60 * 1e3, m.worst * 1e3,
			      100. * m.right / m.known, m.drift * 1e6);
		assert_true(m.right >= .99 * m.known);
		assert_true(m.known >= .97 * m.moments);
		assert_true(m.drift_right >= 19);
		assert_true(m.u10 <= followed[i].limit_10);
		assert_true(m.u60 <= followed[i].limit_60);
	}
}

/* --- wraps ------------------------------------------------------------------------------------ */

static void gaps_longer_than_a_wrap(void **state)
{
	const unsigned bits[] = { 8, 16, 24, 32, 64 };

	(void)state;
	for (size_t i = 0; i < COUNT(bits); i++) {
		struct clock_terms terms = { 2000, bits[i], 1, 200, 0 };
		struct sim s = { .late = .2 * MS, .drift = 50e-6, .terms = terms, .first = 123,
				 .gap = 137.7, .random = 5 };
		struct clock c;

		clock_init(&c, &terms, 0);
		for (int k = 0; k < 2000; k++) {
			double at = sim_next(&s);
			uint64_t ticks = clock_note(&c, sim_ticks(&s, at), ns_of(s.arrival));

			/* None is too many or too few; all begin below 2^8. */
			s.terms.bits = 64;
			assert_int_equal(ticks, sim_ticks(&s, at));
			s.terms.bits = bits[i];
		}
		assert_int_equal(c.restarts, 0);
	}
}

static void a_wrap_within_the_jitter_is_not_told(void **state)
{
	struct clock_terms terms = { 1000000, 16, 1, 200, 0 };	/* 65 ms */
	struct sim s = { .late = 20 * MS, .terms = terms, .random = 7 };
	struct clock c;
	struct figures f;

	(void)state;
	clock_init(&c, &terms, 0);
	sim_run(&s, &c, 60, &f);
	assert_true(f.right >= .99 * f.known);
	assert_true(f.known <= .01 * f.moments);
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static const struct clock_terms plain = { 1000000, 32, 1, 200, 0 };

/* A reset: ticks begin at 0 again. */
static void ticks_go_back(void **state)
{
	struct sim s = { .late = 2 * MS, .drift = 100e-6, .terms = plain, .random = 3 };
	struct figures f;
	struct clock c;

	(void)state;
	clock_init(&c, &plain, 0);
	sim_run(&s, &c, 30, &f);
	s.first = (uint64_t)(int64_t)(-(s.now + .2) * 1e6 * (1 + s.drift));
	s.now += .2;
	sim_run(&s, &c, 30, &f);
	assert_int_equal(c.restarts, 1);
	assert_true(f.right >= .99 * f.known);
	assert_true(f.known >= f.moments - 2 * CLOCK_LEAST);
}

/* It stands still for 0.3 s: the ticks lag behind from then on. Known or not, nothing is wrong. */
static void clock_stops(void **state)
{
	struct sim s = { .late = 2 * MS, .drift = -100e-6, .terms = plain, .first = 1 << 30,
			 .random = 4 };
	struct figures f;
	struct clock c;

	(void)state;
	clock_init(&c, &plain, 0);
	sim_run(&s, &c, 70, &f);
	s.first -= 300000;
	s.now += .3;
	sim_run(&s, &c, .4, &f);
	assert_int_equal(c.restarts, 0);
	assert_true(f.moments >= 3);
	assert_int_equal(f.right, f.known);
	sim_run(&s, &c, 30, &f);
	assert_int_equal(c.restarts, 1);
	assert_true(f.right >= .99 * f.known);
	assert_true(f.known >= f.moments - 2 * CLOCK_LEAST);
}

/* Its rate is off by more than its terms admit: the line cannot follow, and must not claim to. */
static void drift_beyond_its_bound(void **state)
{
	struct sim s = { .late = 2 * MS, .drift = -1000e-6, .terms = plain, .random = 6 };
	struct figures f;
	struct clock c;

	(void)state;
	clock_init(&c, &plain, 0);
	sim_run(&s, &c, 120, &f);
	assert_true(f.right >= .99 * f.known);
}

static void arrivals_go_back(void **state)
{
	struct sim s = { .late = 2 * MS, .terms = plain, .random = 8 };
	struct figures f;
	struct clock c;

	(void)state;
	clock_init(&c, &plain, 0);
	sim_run(&s, &c, 30, &f);
	assert_true(f.known > 0);
	clock_note(&c, c.ticks + 1, c.ns - 1);
	assert_int_equal(c.restarts, 1);
	assert_true(isnan(clock_host(&c, c.ticks).uncertainty));
}

/* What came in these 5 s is read at once, and late. The map stays. */
static void host_sleeps(void **state)
{
	struct sim s = { .late = 2 * MS, .drift = 30e-6, .terms = plain, .random = 9 };
	struct figures f;
	struct clock c;

	(void)state;
	clock_init(&c, &plain, 0);
	sim_run(&s, &c, 30, &f);
	s.arrival = s.now + 5;
	sim_run(&s, &c, 30, &f);
	assert_int_equal(c.restarts, 0);
	assert_true(f.right >= .99 * f.known);
	assert_true(f.after_10 < 1 * MS);
}

static void nothing_is_known(void **state)
{
	const struct clock_terms rows[] = {
		{ 0, 32, 1, 0, 0 }, { 1000, 64, 1, 0, CLOCK_STANDS_SLEEP },
		{ 1000, 64, 1, 0, CLOCK_STANDS_HOOKS | CLOCK_STANDS_STOPPED },
	};
	struct clock c;
	double error;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		clock_init(&c, &rows[i], 0);
		assert_false(clock_has_map(&c));
		for (uint64_t k = 0; k < 100; k++)
			assert_int_equal(clock_note(&c, k * 50, k * CLOCK_SECOND / 20), k * 50);
		assert_true(isnan(clock_host(&c, 5000).uncertainty));
		clock_drift(&c, &error);
		assert_true(isnan(error));
	}
}

/* Anything may come: no step into the undefined, and nobody is told that it is known well. */
static void hostile_ticks(void **state)
{
	(void)state;
	for (unsigned bits = 0; bits < 70; bits += 3) {
		struct clock_terms terms = { bits % 2 ? 1 : 1000000000, bits, 1, 0, 0 };
		struct sim s = { .random = bits };
		unsigned sure = 0;
		struct clock c;

		clock_init(&c, &terms, 0);
		for (int i = 0; i < 20000; i++) {
			uint64_t ticks = (uint64_t)(random_unit(&s) * 1.8e19);
			uint64_t ns = (uint64_t)(random_unit(&s) * (i % 3 ? 1e10 : 1.8e19));
			struct clock_moment m = clock_host(&c, clock_note(&c, ticks, ns));

			sure += m.uncertainty < 1e6;
			clock_host(&c, ticks);
			clock_host(&c, UINT64_MAX - ticks);
		}
		assert_int_equal(sure, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_are_followed),
		cmocka_unit_test(gaps_longer_than_a_wrap),
		cmocka_unit_test(a_wrap_within_the_jitter_is_not_told),
		cmocka_unit_test(ticks_go_back),
		cmocka_unit_test(clock_stops),
		cmocka_unit_test(drift_beyond_its_bound),
		cmocka_unit_test(arrivals_go_back),
		cmocka_unit_test(host_sleeps),
		cmocka_unit_test(nothing_is_known),
		cmocka_unit_test(hostile_ticks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
