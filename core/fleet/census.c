#include "core/fleet/census.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"

static uint64_t function_key(const void *items, uint32_t position)
{
	return ((const struct census_function *)items)[position].address;
}

void census_release(struct census *s)
{
	mem_free(s->functions);
	index_release(&s->index);
	*s = (struct census){ NULL };
}

const struct census_function *census_find(const struct census *s, uint64_t address)
{
	uint32_t at = index_get(&s->index, s->functions, function_key, address);

	return at == INDEX_NONE ? NULL : &s->functions[at];
}

static struct census_function *census_at(struct census *s, uint64_t address)
{
	uint32_t at = index_get(&s->index, s->functions, function_key, address);

	if (at != INDEX_NONE)
		return &s->functions[at];
	at = (uint32_t)s->count;
	if (mem_grow(&s->functions, &s->cap, s->count + 1, sizeof(*s->functions)) < 0)
		return NULL;
	s->functions[at] = (struct census_function){ .address = address };
	if (index_put(&s->index, s->functions, function_key, address, at) < 0)
		return NULL;
	s->count++;
	return &s->functions[at];
}

static uint64_t sums_add(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t whole_number(double n)
{
	return n > 0 ? n < 9e18 ? (uint64_t)(n + 0.5) : UINT64_C(9000000000000000000) : 0;
}

static void worst_take(struct census_function *f, double share, const char *place, uint32_t id)
{
	int by = f->worst_place ? strcmp(place, f->worst_place) : -1;

	if (share < f->worst || (share == f->worst && (by > 0 || (by == 0 && id > f->worst_id))))
		return;
	f->worst = share;
	f->worst_place = place;
	f->worst_id = id;
}

static int cost_take(struct census *s, uint64_t address, const struct crowd_cost *c, double sum,
		     const char *place, uint32_t id)
{
	struct census_function *f;

	if (!(c->calls > 0) && !(c->self_s > 0))
		return 0;
	f = census_at(s, address);
	if (!f)
		return ERR_NOMEM;
	f->calls = sums_add(f->calls, whole_number(c->calls));
	if (!(c->self_s > 0) || !(sum > 0))
		return 0;
	f->self_ns = sums_add(f->self_ns, whole_number(c->self_s * 1e9));
	s->self_ns = sums_add(s->self_ns, whole_number(c->self_s * 1e9));
	f->nodes++;
	sketch_add(&f->shares, c->self_s / sum);
	worst_take(f, c->self_s / sum, place, id);
	return 0;
}

int census_add(struct census *s, const struct build *b, const struct crowd_cost *costs, double sum,
	       const char *place, uint32_t id)
{
	for (size_t i = 0; i < b->function_count; i++)
		if (cost_take(s, b->functions[i].address, &costs[i], sum, place, id) < 0)
			return ERR_NOMEM;
	s->nodes += sum > 0;
	return 0;
}

int census_merge(struct census *s, const struct census *other)
{
	for (size_t i = 0; i < other->count; i++) {
		const struct census_function *o = &other->functions[i];
		struct census_function *f = census_at(s, o->address);

		if (!f)
			return ERR_NOMEM;
		f->calls = sums_add(f->calls, o->calls);
		f->self_ns = sums_add(f->self_ns, o->self_ns);
		f->nodes += o->nodes;
		sketch_merge(&f->shares, &o->shares);
		if (o->worst_place)
			worst_take(f, o->worst, o->worst_place, o->worst_id);
	}
	s->nodes += other->nodes;
	s->self_ns = sums_add(s->self_ns, other->self_ns);
	return 0;
}

int census_crowd(struct census *s, const struct crowd *c, uint32_t build, enum crowd_when when)
{
	const struct build *b = crowd_build(c, build);
	struct crowd_cost *costs = mem_alloc((b->function_count + 1) * sizeof(*costs));
	int ret = costs ? 0 : ERR_NOMEM;

	for (size_t i = 0; ret == 0 && i < crowd_count(c); i++) {
		const struct crowd_node *n = crowd_node(c, i);
		double sum;

		if (n->build != build)
			continue;
		sum = crowd_costs(c, i, when, costs);
		ret = census_add(s, b, costs, sum, crowd_place(c, n->place), n->id);
	}
	mem_free(costs);
	return ret;
}

double census_share(const struct census *s, const struct census_function *f)
{
	return s->self_ns ? (double)f->self_ns / (double)s->self_ns : (double)NAN;
}
