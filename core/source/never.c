#include "core/source/never.h"

#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

enum { CALL_COUNTED = 1, CALL_MADE = 2 };	/* of an instruction */

struct direct_call {
	uint64_t target;
	uint32_t instruction;
};

void never_release(struct never *n)
{
	mem_free(n->v);
	*n = (struct never){ NULL };
}

static int by_target(const void *a, const void *b)
{
	const struct direct_call *x = a, *y = b;

	if (x->target != y->target)
		return x->target < y->target ? -1 : 1;
	return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

/* Mark the calls of functions that are counted somewhere. */
static void counted_mark(uint8_t *marks, const struct direct_call *calls, size_t count,
			 const struct profile *p)
{
	for (size_t f = 0; f < p->function_count; f++) {
		const struct profile_function *fn = &p->functions[f];

		if (!fn->called || !fn->calls)
			continue;
		for (size_t i = SORTED_FROM(calls, count, target, fn->address);
		     i < count && calls[i].target == fn->address; i++)
			marks[calls[i].instruction] |= CALL_COUNTED;
	}
}

/* All sites: one that belongs to an inlined function lies in the same code. */
static void made_mark(uint8_t *marks, const struct profile *p, const struct listing *l)
{
	const struct instruction *last = &l->v[l->count - 1];

	for (size_t i = 0; i < p->site_count; i++) {
		uint64_t at = (uint64_t)(p->sites[i].from & ~1u) - 1;
		size_t in;

		if (p->sites[i].from < 2 || at < l->v[0].address ||
		    at >= last->address + last->size)
			continue;
		in = listing_find(l, at);
		if (in != SIZE_MAX)
			marks[in] |= CALL_MADE;
	}
}

/* Each of the function's calls returns behind an instruction; one at least is a direct call. */
static bool sites_fit(const struct profile *p, const struct cost *cost,
		      const struct listing *l)
{
	bool direct = false;

	for (size_t i = 0; i < cost->call_count; i++) {
		size_t in = listing_find(l, cost->calls[i].at);
		uint32_t site = cost->calls[i].site;
		uint64_t back = site == PROFILE_NONE ? 0 : p->sites[site].from;

		/* Bit 0 may be Thumb's. */
		if (in == SIZE_MAX || ((l->v[in].address + l->v[in].size) | 1) != (back | 1))
			return false;
		direct |= l->v[in].branch == BRANCH_CALL;
	}
	return direct;
}

static int never_gather(struct never *n, const uint8_t *marks, const struct listing *l)
{
	for (size_t i = 0; i < l->count; i++) {
		if (marks[i] != CALL_COUNTED)
			continue;
		if (mem_grow(&n->v, &n->cap, n->count + 1, sizeof(*n->v)) < 0)
			return ERR_NOMEM;
		n->v[n->count++] = (uint32_t)i;
	}
	return 0;
}

int never_find(struct never *n, const struct profile *p, uint32_t function, const struct cost *cost,
	       const struct image *im, const struct listing *l)
{
	struct direct_call *calls;
	uint8_t *marks;
	size_t count = 0;
	int ret = ERR_NOMEM;

	n->count = 0;
	if (!l->count || !p->functions[function].calls || !sites_fit(p, cost, l))
		return 0;
	calls = mem_zalloc(l->count * sizeof(*calls));
	marks = mem_zalloc(l->count);
	if (!calls || !marks)
		goto out;
	for (size_t i = 0; i < l->count; i++) {
		if (l->v[i].branch == BRANCH_CALL)
			calls[count++] = (struct direct_call){
				image_normal(im, l->v[i].target), (uint32_t)i };
	}
	if (count)
		qsort(calls, count, sizeof(*calls), by_target);
	counted_mark(marks, calls, count, p);
	made_mark(marks, p, l);
	ret = never_gather(n, marks, l);
	if (ret)
		n->count = 0;
out:
	mem_free(marks);
	mem_free(calls);
	return ret;
}

bool never_has(const struct never *n, size_t instruction)
{
	size_t at = SORTED_WHERE(n->count, i, n->v[i] < instruction);

	return at < n->count && n->v[at] == instruction;
}
