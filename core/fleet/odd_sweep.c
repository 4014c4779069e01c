/* odd_sweep: odd.h a piece at a time. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/fleet/median.h"
#include "core/fleet/odd.h"

/* Of a function on a node. */
struct swept {
	float ln;			/* what is judged */
	float noise;			/* its variance that is known */
	uint32_t node;
};

struct odd_sweep {
	struct swept_function {
		struct swept *nodes;
		size_t count, cap;
	} *functions;
	size_t function_count, next;
	struct odd_found *found;
	size_t node_count;
	double *room;			/* of a function's nodes, or of a node's functions */
	size_t judged_functions, judged;
};

struct odd_sweep *odd_sweep_new(size_t functions, size_t nodes)
{
	struct odd_sweep *s = mem_zalloc(sizeof(*s));
	size_t room = functions > nodes ? functions : nodes;

	if (!s)
		return NULL;
	s->functions = mem_zalloc((functions + 1) * sizeof(*s->functions));
	s->found = mem_alloc((nodes + 1) * sizeof(*s->found));
	s->room = mem_alloc((room + 1) * sizeof(*s->room));
	if (!s->functions || !s->found || !s->room) {
		odd_sweep_free(s);
		return NULL;
	}
	s->function_count = functions;
	s->node_count = nodes;
	for (size_t i = 0; i < nodes; i++)
		s->found[i] = (struct odd_found){ UINT32_MAX, (double)NAN, (double)NAN };
	return s;
}

void odd_sweep_free(struct odd_sweep *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->function_count; i++)
		mem_free(s->functions[i].nodes);
	mem_free(s->functions);
	mem_free(s->found);
	mem_free(s->room);
	mem_free(s);
}

static int swept_add(struct odd_sweep *s, size_t function, struct swept at)
{
	struct swept_function *f = &s->functions[function];

	if (mem_grow(&f->nodes, &f->cap, f->count + 1, sizeof(*f->nodes)) < 0)
		return ERR_NOMEM;
	f->nodes[f->count++] = at;
	return 0;
}

int odd_sweep_add(struct odd_sweep *s, uint32_t node, const double *shares, const double *calls)
{
	int ret = 0;

	for (size_t f = 0; ret == 0 && f < s->function_count; f++)
		if (shares[f] >= ODD_LEAST && calls[f] >= 1)
			ret = swept_add(s, f, (struct swept){
				(float)log(shares[f]),
				(float)(1 / calls[f] + ODD_ROUGH * ODD_ROUGH),
				node });
	return ret;
}

static bool change_counts(double now, double calls_now, double then, double calls_then)
{
	return now >= ODD_LEAST && then >= ODD_LEAST && calls_now >= 1 && calls_then >= 1;
}

int odd_sweep_add_change(struct odd_sweep *s, uint32_t node, const double *now,
			 const double *calls_now, const double *then, const double *calls_then)
{
	size_t n = 0;
	double median;
	int ret = 0;

	for (size_t f = 0; f < s->function_count; f++)
		if (change_counts(now[f], calls_now[f], then[f], calls_then[f]))
			s->room[n++] = log(now[f] / then[f]);
	if (!n)
		return 0;
	median = median_select(s->room, n);
	for (size_t f = 0; ret == 0 && f < s->function_count; f++)
		if (change_counts(now[f], calls_now[f], then[f], calls_then[f]))
			ret = swept_add(s, f, (struct swept){
				(float)(log(now[f] / then[f]) - median),
				(float)(1 / calls_now[f] + 1 / calls_then[f] +
					ODD_STEADY * ODD_STEADY), node });
	return ret;
}

static void function_sweep(struct odd_sweep *s, uint32_t function)
{
	const struct swept_function *f = &s->functions[function];
	double median, sigma;

	for (size_t i = 0; i < f->count; i++)
		s->room[i] = (double)f->nodes[i].ln;
	median = median_select(s->room, f->count);
	for (size_t i = 0; i < f->count; i++)
		s->room[i] = fabs((double)f->nodes[i].ln - median);
	sigma = ODD_SIGMA * median_select(s->room, f->count);
	for (size_t i = 0; i < f->count; i++) {
		const struct swept *at = &f->nodes[i];
		struct odd_found *to = &s->found[at->node];
		double off = (double)at->ln - median;
		double z = off / sqrt(sigma * sigma + (double)at->noise);

		if (isnan(to->z) || fabs(z) > fabs(to->z))
			*to = (struct odd_found){ function, z, exp(off) };
	}
	s->judged_functions++;
	s->judged += f->count;
}

bool odd_sweep_judge(struct odd_sweep *s)
{
	if (s->next == s->function_count)
		return false;
	if (s->functions[s->next].count >= ODD_NODES)
		function_sweep(s, (uint32_t)s->next);
	mem_free(s->functions[s->next].nodes);
	s->functions[s->next] = (struct swept_function){ 0 };
	s->next++;
	return true;
}

const struct odd_found *odd_sweep_found(const struct odd_sweep *s)
{
	return s->found;
}

double odd_sweep_least(const struct odd_sweep *s)
{
	return odd_changed_least((double)s->judged, s->judged_functions ?
				 (double)s->judged / (double)s->judged_functions : 0);
}
