/* nest: DWARF's inlined bodies, joined with the calls of the hook. */
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/image/nest.h"

/* By index of debug_data; IMAGE_NONE where there is none. */
struct nest_ids {
	uint32_t *function, *instance;	/* their code's function in the table */
	bool *hooked;			/* an inlined body: it calls the hook */
};

static int ids_alloc(struct nest_ids *ids, const struct debug_data *d)
{
	ids->function = mem_alloc(d->functions.count * sizeof(*ids->function) + 1);
	ids->instance = mem_alloc(d->instances.count * sizeof(*ids->instance) + 1);
	ids->hooked = mem_zalloc(d->inlines.count * sizeof(*ids->hooked) + 1);
	if (!ids->function || !ids->instance || !ids->hooked)
		return ERR_NOMEM;
	memset(ids->function, 0xff, d->functions.count * sizeof(*ids->function));
	memset(ids->instance, 0xff, d->instances.count * sizeof(*ids->instance));
	return 0;
}

static void ids_read(struct nest_ids *ids, const struct debug_data *d, const struct table *t)
{
	for (size_t i = d->code.count; i-- > 0;) {
		uint32_t instance = d->code.v[i].id;
		uint32_t id = spans_find(&t->spans, d->code.v[i].low);

		if (!d->instances.v[instance].accepted || id == SPAN_NONE)
			continue;
		ids->instance[instance] = id;
		ids->function[d->instances.v[instance].function] = id;
	}
}

/* The bodies in which the hook is called. */
static void hooks_mark(struct nest_ids *ids, const struct lines *l, const struct table *t,
		       const struct codemap *m, uint32_t hook)
{
	for (uint64_t off = 2; off < m->size; off += 2) {
		uint64_t at = m->base + off, target;
		uint32_t i;

		if (!(m->flags[off >> 1] & CODE_RETURN))
			continue;
		i = lines_inline(l, at - 1);
		if (i == DEBUG_NONE)
			continue;
		target = m->target(m->ctx, at);
		if (m->normal)
			target = m->normal(m->ctx, target);
		if (spans_find(&t->spans, target) == hook)
			ids->hooked[i] = true;
	}
}

static int body_put(struct nest *n, uint32_t body, uint32_t callee, uint32_t caller)
{
	uint64_t key = (uint64_t)body << 32 | callee;
	uint32_t before = map_get(&n->around, key);

	if (body == callee || body == SPAN_NONE || before == caller)
		return 0;
	/* Inlined there twice, in different functions: its calls are in one row. */
	return map_put(&n->around, key, before == MAP_NONE ? caller : body);
}

/* A body stands behind the one around it. */
static int bodies_nest(struct nest *n, const struct nest_ids *ids, const struct debug_data *d)
{
	for (size_t i = 0; i < d->inlines.count; i++) {
		const struct debug_inline *in = &d->inlines.v[i];
		uint32_t around = in->parent < i ? n->owner[in->parent] : SPAN_NONE;
		uint32_t own = ids->hooked[i] ? ids->function[in->function] : SPAN_NONE;
		uint32_t body = ids->instance[in->instance];

		n->owner[i] = own != SPAN_NONE ? own : around;
		if (own != SPAN_NONE &&
		    body_put(n, body, own, around != SPAN_NONE ? around : body) < 0)
			return ERR_NOMEM;
	}
	n->count = d->inlines.count;
	return 0;
}

int nest_init(struct nest *n, const struct debug_data *d, const struct lines *l,
	      const struct table *t, const struct codemap *m, uint32_t hook)
{
	struct nest_ids ids = { NULL };
	int ret;

	*n = (struct nest){ .count = 0 };
	map_init(&n->around);
	n->owner = mem_alloc(d->inlines.count * sizeof(*n->owner) + 1);
	ret = n->owner ? ids_alloc(&ids, d) : ERR_NOMEM;
	if (ret == 0) {
		ids_read(&ids, d, t);
		hooks_mark(&ids, l, t, m, hook);
		ret = bodies_nest(n, &ids, d);
	}
	mem_free(ids.function);
	mem_free(ids.instance);
	mem_free(ids.hooked);
	if (ret < 0)
		nest_release(n);
	return ret;
}

void nest_release(struct nest *n)
{
	map_release(&n->around);
	mem_free(n->owner);
	n->owner = NULL;
	n->count = 0;
}
