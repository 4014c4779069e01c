#include "core/image/spans.h"

#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"

void spans_release(struct spans *s)
{
	mem_free(s->v);
	*s = (struct spans){ NULL, 0, 0 };
}

int spans_add(struct spans *s, struct span span)
{
	if (span.low >= span.high)
		return 0;
	if (mem_grow(&s->v, &s->cap, s->count + 1, sizeof(*s->v)) < 0)
		return ERR_NOMEM;
	s->v[s->count++] = span;
	return 0;
}

/* Outer before inner: by start, then the shallower, then the longer; ids make the order total. */
static int by_nesting(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	if (x->high != y->high)
		return x->high > y->high ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

/* A sweep over sorted spans: `open` are those around `at`, the innermost last. */
struct sweep {
	struct span *open;
	size_t depth, cap;
	uint64_t at;
	struct spans out;
};

/* Give [at, to) to the innermost open span, joined to its previous interval if they touch. */
static int span_emit(struct sweep *w, uint64_t to)
{
	const struct span *top = &w->open[w->depth - 1];
	struct span *last = w->out.count ? &w->out.v[w->out.count - 1] : NULL;
	uint64_t low = w->at;

	if (to <= low)
		return 0;
	w->at = to;
	if (last && last->high == low && last->id == top->id) {
		last->high = to;
		return 0;
	}
	return spans_add(&w->out, (struct span){ low, to, top->id, top->depth });
}

/* Close what ends at or before `to`. A span that ends inside an inner one is closed with that. */
static int close_until(struct sweep *w, uint64_t to)
{
	while (w->depth) {
		const struct span *top = &w->open[w->depth - 1];

		if (top->high > to)
			return span_emit(w, to);
		if (span_emit(w, top->high) < 0)
			return ERR_NOMEM;
		w->depth--;
	}
	return 0;
}

static int sweep_all(struct sweep *w, const struct spans *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (close_until(w, s->v[i].low) < 0 ||
		    mem_grow(&w->open, &w->cap, w->depth + 1, sizeof(*w->open)) < 0)
			return ERR_NOMEM;
		w->open[w->depth++] = s->v[i];
		w->at = s->v[i].low;
	}
	return close_until(w, UINT64_MAX);
}

int spans_flatten(struct spans *s)
{
	struct sweep w = { NULL };
	int ret;

	if (!s->count)
		return 0;
	qsort(s->v, s->count, sizeof(*s->v), by_nesting);
	ret = sweep_all(&w, s);
	mem_free(w.open);
	if (ret < 0) {
		spans_release(&w.out);
		return ret;
	}
	mem_free(s->v);
	*s = w.out;
	return 0;
}

size_t spans_index(const struct spans *s, uint64_t address)
{
	size_t next = SORTED_ABOVE(s->v, s->count, low, address);

	return next && address < s->v[next - 1].high ? next - 1 : SIZE_MAX;
}

uint32_t spans_find(const struct spans *s, uint64_t address)
{
	size_t i = spans_index(s, address);

	return i == SIZE_MAX ? SPAN_NONE : s->v[i].id;
}
