#include "core/profile/tree/sift.h"

#include "core/base/err.h"
#include "core/base/mem.h"

void sift_release(struct sift *s)
{
	mem_free(s->marks);
	mem_free(s->queue);
	*s = (struct sift){ 0 };
}

/* The functions from which one step leads to `function`: each once, the first time. */
static size_t leaders_mark(struct sift *s, const struct graph *g, uint32_t function, size_t end)
{
	const struct profile *p = g->profile;
	uint32_t e = g->inverted ? p->functions[function].first_out :
		     p->functions[function].first_in;

	while (e != PROFILE_NONE) {
		uint32_t at = g->inverted ? p->edges[e].to : p->edges[e].from;

		if (at != PROFILE_NONE && !(s->marks[at] & SIFT_LEADS)) {
			s->marks[at] |= SIFT_LEADS;
			s->queue[end++] = at;
		}
		e = g->inverted ? p->edges[e].next_out : p->edges[e].next_in;
	}
	return end;
}

int sift_build(struct sift *s, const struct graph *g,
	       bool (*matches)(void *ctx, uint32_t function), void *ctx)
{
	size_t n = g->profile->function_count, end = 0;

	s->matching = 0;
	if (mem_grow(&s->marks, &s->cap, n, sizeof(*s->marks)) < 0 ||
	    mem_grow(&s->queue, &s->queue_cap, 2 * n, sizeof(*s->queue)) < 0)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < n; i++) {
		s->marks[i] = matches(ctx, i) ? SIFT_MATCHES : 0;
		if (s->marks[i])
			s->queue[end++] = i;
	}
	s->matching = end;
	for (size_t i = 0; i < end; i++)
		end = leaders_mark(s, g, s->queue[i], end);
	return 0;
}
