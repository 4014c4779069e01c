#include "core/fleet/odd.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"

#define MAD_SIGMA 1.4826		/* of a normal distribution */

struct sighting {
	uint64_t function;
	double ln, calls;
	size_t node;
};

/* Those of a function in a row, the smallest share first. */
static int sighting_order(const void *a, const void *b)
{
	const struct sighting *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (x->ln > y->ln) - (x->ln < y->ln);
}

static int number_order(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static double median_of(const double *sorted, size_t n)
{
	return (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
}

/* One function on all nodes that call it. `room`: as many numbers. */
static void function_judge(struct odd_node *nodes, const struct sighting *s, size_t n, double *room)
{
	double median, sigma;

	if (n < ODD_NODES)
		return;
	for (size_t i = 0; i < n; i++)
		room[i] = s[i].ln;
	median = median_of(room, n);
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(s[i].ln - median);
	qsort(room, n, sizeof(*room), number_order);
	sigma = MAD_SIGMA * median_of(room, n);
	for (size_t i = 0; i < n; i++) {
		struct odd_node *node = &nodes[s[i].node];
		double off = s[i].ln - median;
		double z = off / sqrt(sigma * sigma + 1 / s[i].calls + ODD_ROUGH * ODD_ROUGH);

		if (isnan(node->z) || fabs(z) > fabs(node->z)) {
			node->z = z;
			node->function = s[i].function;
			node->times = exp(off);
		}
	}
}

static size_t sightings_gather(struct sighting *all, const struct odd_node *nodes, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < nodes[i].count; k++) {
			const struct odd_share *s = &nodes[i].shares[k];

			if (s->share >= ODD_LEAST && s->calls >= 1)
				all[count++] = (struct sighting){ s->function, log(s->share),
								  s->calls, i };
		}
	}
	return count;
}

int odd_find(struct odd_node *nodes, size_t n)
{
	size_t count = 0;
	struct sighting *all;
	double *room;

	for (size_t i = 0; i < n; i++) {
		nodes[i].z = nodes[i].times = (double)NAN;
		count += nodes[i].count;
	}
	all = mem_zalloc((count + 1) * sizeof(*all));
	room = mem_zalloc((n + 1) * sizeof(*room));
	if (all && room) {
		count = sightings_gather(all, nodes, n);
		qsort(all, count, sizeof(*all), sighting_order);
		for (size_t from = 0, to; from < count; from = to) {
			for (to = from; to < count && all[to].function == all[from].function; to++)
				;
			function_judge(nodes, all + from, to - from, room);
		}
	}
	n = all && room ? 0 : 1;
	mem_free(all);
	mem_free(room);
	return n ? ERR_NOMEM : 0;
}
