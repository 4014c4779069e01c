#include "tui/part/graph_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"

bool graph_filtered(const struct view_shared *s, uint32_t function)
{
	const struct profile_function *f = &s->profile->functions[function];
	const struct regex *filter = s->order.filter;

	return filter && !regex_match(filter, f->name) &&
	       !(f->file && regex_match(filter, f->file));
}

/* Own time below zero: see columns[COLUMN_SELF]. */
const char *graph_seconds(char *dst, size_t size, double seconds, bool about)
{
	dst[0] = '\0';
	if (seconds < 0) {
		snprintf(dst, size, "~0 s");
	} else if (!isnan(seconds)) {
		snprintf(dst, size, "~");
		text_seconds(dst + about, size - about, seconds);
	}
	return dst;
}

void graph_copy(const struct graph *g, const struct graph_node *n, const uint32_t *way,
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
		buf_addf(out, "  total %s", graph_seconds(text, sizeof(text), n->total, about));
	if (!isnan(n->self))
		buf_addf(out, "  self %s", graph_seconds(text, sizeof(text), n->self, n->shared));
	if (!isnan(n->calls))
		buf_addf(out, "  calls %s%.0f", about ? "~" : "", n->calls);
}

bool graph_place(const struct graph *g, uint32_t function, struct view_place *at)
{
	const struct profile_function *f = &g->profile->functions[function];

	*at = (struct view_place){ .path = f->path, .line = f->line };
	return f->path != NULL;
}
