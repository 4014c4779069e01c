/*
 * longest: the longest call of each edge as the JSON form has it: numbers alone, functions by
 * address as in its edges.
 *
 *	{"from_address":256,"to_address":512,"s":0.5,"seen":100,"after":99,"path":[256]}
 *
 * seen, after: Unix time of the look that found it and of the one before; path: who called, upwards.
 */
#include <inttypes.h>
#include <math.h>

#include "core/export/format.h"
#include "core/profile/look/worst.h"

static void add_number(struct buf *out, const char *key, double v)
{
	char digits[40];

	number_text(digits, sizeof(digits), v);
	buf_addf(out, "\"%s\":%s,", key, digits[0] ? digits : "null");
}

static void add_wall(struct buf *out, const char *key, const struct export_source *s, uint64_t ns)
{
	bool known = s->wall_known && ns;

	add_number(out, key, known ? (double)((int64_t)ns + s->wall_ns) / 1e9 : (double)NAN);
}

static void add_call(const struct export_source *s, const struct profile_edge *e,
		     const struct worst_call *c, struct buf *out)
{
	const struct profile_function *from = function_at(s->profile, e->from);

	if (from)
		buf_addf(out, "{\"from_address\":%" PRIu64 ",", from->address);
	else
		buf_adds(out, "{\"from_address\":null,");
	buf_addf(out, "\"to_address\":%" PRIu64 ",", s->profile->functions[e->to].address);
	add_number(out, "s", c->seconds);
	add_wall(out, "seen", s, c->seen_ns);
	add_wall(out, "after", s, c->after_ns);
	buf_adds(out, "\"path\":[");
	for (size_t i = 0; i < c->path_length; i++)
		buf_addf(out, "%s%" PRIu64, i ? "," : "", c->path[i]);
	buf_adds(out, "]}");
}

void longest_write(const struct export_source *s, struct buf *out)
{
	const char *between = "\n  ";

	for (uint32_t i = 0; s->worst && i < s->profile->edge_count; i++) {
		const struct worst_call *c = worst_of_edge(s->worst, s->profile, i);

		if (!c)
			continue;
		buf_adds(out, between);
		add_call(s, &s->profile->edges[i], c, out);
		between = ",\n  ";
	}
}
