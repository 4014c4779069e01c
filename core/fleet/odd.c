#include "core/fleet/odd.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/fleet/chance.h"
#include "core/fleet/median.h"

/* Of so many fleets one may have a node that is taken for odd by chance. */
#define BY_CHANCE 0.01
#define MAD_WORTH 0.37			/* of nodes, for a deviation */

struct sighting {
	uint64_t function;
	double ln;			/* what is judged */
	double noise;			/* its variance that is known */
	size_t node;
};

static const struct odd_finding nothing = { .z = (double)NAN, .times = (double)NAN };

/* Those of a function in a row, the smallest share first. */
static int sighting_order(const void *a, const void *b)
{
	const struct sighting *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (x->ln > y->ln) - (x->ln < y->ln);
}

/* How many standard deviations that is; noise: its own variance. */
static double deviations_of(double off, double deviation, double noise)
{
	double sigma = ODD_SIGMA * deviation;

	return off / sqrt(sigma * sigma + noise);
}

/* One function on all nodes that call it. `room`: as many numbers. */
static void function_judge(struct odd_finding *found, const struct sighting *s, size_t n,
			   double *room)
{
	double median, deviation;

	if (n < ODD_NODES)
		return;
	for (size_t i = 0; i < n; i++)
		room[i] = s[i].ln;
	median = median_select(room, n);
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(s[i].ln - median);
	deviation = median_select(room, n);
	for (size_t i = 0; i < n; i++) {
		struct odd_finding *f = &found[s[i].node];
		double off = s[i].ln - median;
		double z = deviations_of(off, deviation, s[i].noise);

		if (isnan(f->z) || fabs(z) > fabs(f->z))
			*f = (struct odd_finding){ s[i].function, z, exp(off) };
	}
}

/* How much was judged. */
struct judged {
	size_t functions, figures;
};

/* Of n nodes, each function by itself. False: no memory, and all is NaN. */
static bool sightings_judge(struct sighting *all, size_t count, struct odd_finding *found, size_t n,
			    struct judged *judged)
{
	double *room = mem_alloc((n + 1) * sizeof(*room));

	for (size_t i = 0; i < n; i++)
		found[i] = nothing;
	*judged = (struct judged){ 0 };
	if (!room)
		return false;
	qsort(all, count, sizeof(*all), sighting_order);
	for (size_t from = 0, to; from < count; from = to) {
		for (to = from; to < count && all[to].function == all[from].function; to++)
			;
		function_judge(found, all + from, to - from, room);
		if (to - from >= ODD_NODES) {
			judged->functions++;
			judged->figures += to - from;
		}
	}
	mem_free(room);
	return true;
}

static double share_noise(double calls)
{
	return 1 / calls + ODD_ROUGH * ODD_ROUGH;
}

double odd_share_z(double share, double calls, double median, double deviation)
{
	if (!(share >= ODD_LEAST && calls >= 1))
		return (double)NAN;
	return deviations_of(log(share) - median, deviation, share_noise(calls));
}

static size_t shares_gather(struct sighting *all, const void *of, size_t n)
{
	const struct odd_node *nodes = of;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < nodes[i].count; k++) {
			const struct odd_share *s = &nodes[i].shares[k];

			if (s->share >= ODD_LEAST && s->calls >= 1)
				all[count++] = (struct sighting){
					s->function, log(s->share), share_noise(s->calls), i,
				};
		}
	}
	return count;
}

/* What is gathered of `nodes`, `count` sightings at most; found has n. 0 or ERR_NOMEM. */
static int nodes_judge(size_t (*gather)(struct sighting *all, const void *nodes, size_t n),
		       const void *nodes, size_t n, size_t count, struct odd_finding **found,
		       struct judged *judged)
{
	struct sighting *all = mem_alloc((count + 1) * sizeof(*all));
	bool done;

	*found = mem_alloc((n + 1) * sizeof(**found));
	done = all && *found && sightings_judge(all, gather(all, nodes, n), *found, n, judged);
	mem_free(all);
	return done ? 0 : ERR_NOMEM;
}

int odd_find(struct odd_node *nodes, size_t n)
{
	struct odd_finding *found;
	struct judged judged;
	size_t count = 0;
	int ret;

	for (size_t i = 0; i < n; i++)
		count += nodes[i].count;
	ret = nodes_judge(shares_gather, nodes, n, count, &found, &judged);
	for (size_t i = 0; i < n; i++)
		nodes[i].found = ret < 0 ? nothing : found[i];
	mem_free(found);
	return ret;
}

/* --- against its own past --------------------------------------------------------------------- */

static bool is_comparable(const struct odd_change *c)
{
	return c->now >= ODD_LEAST && c->then >= ODD_LEAST && c->calls_now >= 1 &&
	       c->calls_then >= 1;
}

static double change_ln(const struct odd_change *c)
{
	return log(c->now / c->then);
}

static int change_order(const void *a, const void *b)
{
	double x = change_ln(a), y = change_ln(b);

	return (x > y) - (x < y);
}

/* Those that can be compared alone, in order. */
static void changes_settle(struct odd_past *node)
{
	size_t n = 0;

	for (size_t i = 0; i < node->count; i++)
		if (is_comparable(&node->changes[i]))
			node->changes[n++] = node->changes[i];
	node->count = n;
	if (n)
		qsort(node->changes, n, sizeof(*node->changes), change_order);
}

/* Where they stand still: shares push each other. */
static double changes_median(const struct odd_past *node)
{
	size_t n = node->count;

	return (change_ln(&node->changes[(n - 1) / 2]) + change_ln(&node->changes[n / 2])) / 2;
}

static size_t changes_gather(struct sighting *all, const void *of, size_t n)
{
	const struct odd_past *nodes = of;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		double median;

		if (!nodes[i].count)
			continue;
		median = changes_median(&nodes[i]);
		for (size_t k = 0; k < nodes[i].count; k++) {
			const struct odd_change *c = &nodes[i].changes[k];

			all[count++] = (struct sighting){
				c->function, change_ln(c) - median,
				1 / c->calls_now + 1 / c->calls_then + ODD_STEADY * ODD_STEADY, i,
			};
		}
	}
	return count;
}

int odd_find_changed(struct odd_past *nodes, size_t n, double *least)
{
	struct judged judged = { 0 };
	struct odd_finding *found;
	size_t count = 0;
	int ret;

	for (size_t i = 0; i < n; i++) {
		changes_settle(&nodes[i]);
		count += nodes[i].count;
	}
	ret = nodes_judge(changes_gather, nodes, n, count, &found, &judged);
	for (size_t i = 0; i < n; i++)
		nodes[i].found = ret < 0 ? nothing : found[i];
	*least = odd_changed_least((double)judged.figures, judged.functions ?
				   (double)judged.figures / (double)judged.functions : 0);
	mem_free(found);
	return ret;
}

double odd_changed_least(double figures, double nodes)
{
	double freedom = MAD_WORTH * (nodes - 1);

	return chance_student_at(BY_CHANCE / fmax(figures, 1), fmax(freedom, 1));
}
