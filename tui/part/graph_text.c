#include "tui/part/graph_text.h"

#include <math.h>
#include <stdio.h>

#include "core/base/text.h"

const char *graph_text_seconds(char *dst, size_t size, double seconds, bool about)
{
	dst[0] = '\0';
	if (!isnan(seconds)) {
		snprintf(dst, size, "~");
		text_seconds(dst + about, size - about, seconds);
	}
	return dst;
}

void graph_text_copy(const struct graph *g, const struct graph_node *n, const uint32_t *way,
		     size_t count, struct buf *out)
{
	const struct profile_function *f = g->profile->functions;
	bool about = graph_about(g, n);
	char text[24];

	for (size_t i = 0; i < count; i++)
		buf_addf(out, "%s%s", i ? ";" : "", f[way[i]].name);
	if (g->whole > 0)
		buf_addf(out, "  %s%.1f %%", n->shared ? "~" : "", 100 * n->value / g->whole);
	if (!isnan(n->total))
		buf_addf(out, "  total %s",
			 graph_text_seconds(text, sizeof(text), n->total, about));
	if (!isnan(n->self))
		buf_addf(out, "  self %s",
			 graph_text_seconds(text, sizeof(text), n->self,
					    n->shared || graph_self_about(g, n)));
	if (!isnan(n->calls))
		buf_addf(out, "  calls %s%s", about ? "~" : "", TEXT_WHOLE(n->calls + 0.5));
}
