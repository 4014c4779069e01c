/*
 * What keeping the past costs: a moment of 10,000 call sites, all of which changed; none of which
 * did; a window over 60 moments.
 *
 *	bench_history [changed | same]	100 moments of one kind alone, for callgrind
 */
#include "bench/bench.h"
#include "core/history/history.h"
#include "core/profile/raw/copy.h"
#include "core/profile/raw/feed.h"

enum { SITES = 10000, FUNCTIONS = 1000, MOMENTS = 100 };

struct load {
	struct profile p;
	struct history *h;
	struct wire_total sites[SITES];
	uint64_t now, run;
	bool changed;
};

static void load_begin(struct load *l, bool changed)
{
	static const struct wire_hello hello = {
		.name = "", .ticks_per_second = 1000000, .bucket_below = { 1, 2, 3, 4, 5, 6, 7 },
	};

	profile_init(&l->p, "");
	profile_take_hello(&l->p, &hello);
	profile_seen_from_start(&l->p);
	l->h = history_new();
	l->now = l->run = 0;
	l->changed = changed;
	for (uint32_t i = 0; i < SITES; i++)
		l->sites[i] = (struct wire_total){
			.kind = TOTAL_SITE, .from = 0x1000 + 6 * i,
			.to = 0x80000 + i % FUNCTIONS * 64,
			.has = TOTAL_TIMED | TOTAL_MINMAX | TOTAL_HISTOGRAM, .min = 10, .max = 5000,
		};
}

static void load_end(struct load *l)
{
	history_free(l->h);
	profile_release(&l->p);
}

static void load_grow(struct load *l)
{
	for (uint32_t i = 0; i < SITES && (l->changed || !l->run); i++) {
		l->sites[i].calls += 1 + i % 50;
		l->sites[i].total += 1000 + i;
		l->sites[i].bucket[i % 8] += 1 + i % 50;
	}
	l->run += 1000000;
	l->now += CLOCK_SECOND;
	profile_take_totals(&l->p, l->sites, SITES);
	profile_take_run(&l->p, l->run);
	profile_compute(&l->p);
}

/* Under callgrind: --toggle-collect=history_take counts the moments alone. */
static double moments_take(struct load *l)
{
	double s = 0;

	for (int i = 0; i < MOMENTS; i++) {
		uint64_t start;

		load_grow(l);
		start = clock_now();
		history_take(l->h, &l->p, NULL, l->now);
		s += (double)(clock_now() - start) / 1e9;
	}
	return s / MOMENTS;
}

static void window_build(void *ctx)
{
	struct load *l = ctx;

	profile_drop(history_window(l->h, MOMENTS - 60, MOMENTS, NULL));
}

int main(int argc, char **argv)
{
	static struct load l;
	size_t before;

	load_begin(&l, argc < 2 || strcmp(argv[1], "same"));
	if (argc > 1) {
		moments_take(&l);
		load_end(&l);
		return 0;
	}
	bench_print("a moment, 10,000 sites changed", moments_take(&l) * 1e3, "ms");
	before = history_memory(l.h);
	moments_take(&l);
	bench_print("memory of it", (double)(history_memory(l.h) - before) / MOMENTS / 1e3, "kB");
	bench_print("a window of 60 of them", bench_best(window_build, &l) * 1e3, "ms");
	load_end(&l);
	load_begin(&l, false);
	bench_print("a moment, nothing changed", moments_take(&l) * 1e3, "ms");
	load_end(&l);
	return 0;
}
