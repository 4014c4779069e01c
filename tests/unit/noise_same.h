/*
 * noise_same: two profiles of the same data agree on every figure, and on how far it may be off. A
 * copy, a window, a snapshot, a recording: whoever has the counts must have their terms.
 */
#ifndef WSNTOP_TESTS_NOISE_SAME_H
#define WSNTOP_TESTS_NOISE_SAME_H

#include <math.h>

#include "core/profile/look/noise.h"

static inline void assert_near(double a, double b)
{
	if (isnan(a) && isnan(b))
		return;
	if (!(fabs(a - b) <= 1e-9 * fabs(a)))
		fail_msg("%.12g is %.12g there", a, b);
}

static inline size_t assert_figures_same(const struct noise_figure *a, const struct noise_figure *b)
{
	size_t known = 0;

	for (int m = 0; m < COMPARE_MEASURES; m++) {
		assert_near(a[m].value, b[m].value);
		assert_near(a[m].sigma, b[m].sigma);
		known += !isnan(a[m].sigma);
	}
	return known;
}

static inline uint32_t function_like(const struct profile *p, const struct profile_function *f)
{
	uint32_t i = 0;

	while (i < p->function_count && strcmp(p->functions[i].name, f->name))
		i++;
	assert_int_not_equal(i, p->function_count);
	return i;
}

/* An edge's two ends by name, PROFILE_NONE as it is. */
static inline uint32_t edge_like(const struct profile *p, const struct profile *of,
				 const struct profile_edge *e)
{
	uint32_t to = function_like(p, &of->functions[e->to]), from = PROFILE_NONE, i = 0;

	if (e->from != PROFILE_NONE)
		from = function_like(p, &of->functions[e->from]);
	while (i < p->edge_count && (p->edges[i].from != from || p->edges[i].to != to))
		i++;
	assert_int_not_equal(i, p->edge_count);
	return i;
}

/* How many figures had a known noise: a test asks for as many as it made. */
static inline size_t assert_noise_same(const struct profile *a, const struct profile *b)
{
	struct noise_figure fa[COMPARE_MEASURES], fb[COMPARE_MEASURES];
	struct noise na, nb;
	size_t known = 0;

	assert_int_equal(a->function_count, b->function_count);
	assert_int_equal(a->edge_count, b->edge_count);
	assert_int_equal(noise_init(&na, a, NOISE_RUN), 0);
	assert_int_equal(noise_init(&nb, b, NOISE_RUN), 0);
	for (uint32_t i = 0; i < a->function_count; i++) {
		noise_function(&na, i, fa);
		noise_function(&nb, function_like(b, &a->functions[i]), fb);
		known += assert_figures_same(fa, fb);
	}
	for (uint32_t i = 0; i < a->edge_count; i++) {
		noise_edge(&na, i, fa);
		noise_edge(&nb, edge_like(b, a, &a->edges[i]), fb);
		known += assert_figures_same(fa, fb);
	}
	noise_release(&na);
	noise_release(&nb);
	return known;
}

#endif
