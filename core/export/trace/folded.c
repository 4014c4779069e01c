/*
 * Folded stacks (Gregg, stackcollapse): a line a call path, "main;sample_task;adc_read 1234", with
 * its own time in nanoseconds. Between two events the time is of what was innermost. Where times
 * tell the order alone it is the number of its calls.
 */
#include "core/export/trace/traced.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/map.h"
#include "core/base/mem.h"

#define FOLDED_NONE UINT32_MAX

struct path {
	uint32_t parent;		/* FOLDED_NONE: a lane's root */
	uint32_t id;			/* of a root: its lane */
	double ticks;
};

struct folded {
	const struct traced_source *source;
	struct path *paths;
	size_t count, cap;
	struct map map;			/* parent and id -> paths */
	uint32_t *line;			/* of the path being written */
	size_t line_cap;
	bool calls;			/* in place of ticks */
	bool failed;
};

/* FOLDED_NONE with `failed`: out of memory. */
static uint32_t path_of(struct folded *f, uint32_t parent, uint32_t id)
{
	uint64_t key = (uint64_t)parent << 32 | id;
	uint32_t at = map_get(&f->map, key);

	if (at != MAP_NONE)
		return at;
	if (mem_grow(&f->paths, &f->cap, f->count + 1, sizeof(*f->paths)) < 0 ||
	    map_put(&f->map, key, (uint32_t)f->count) < 0) {
		f->failed = true;
		return FOLDED_NONE;
	}
	f->paths[f->count] = (struct path){ .parent = parent, .id = id };
	return (uint32_t)f->count++;
}

static void lane_add(struct folded *f, struct trace_walk *w, unsigned lane)
{
	uint32_t root = path_of(f, FOLDED_NONE, lane), at = root;
	struct trace_event e;
	uint64_t last = 0;

	while (!f->failed && trace_walk_next(w, &e)) {
		/* Outside of calls the node sleeps, or runs what is not followed. */
		if (!f->calls && at != root && last && e.ticks > last)
			f->paths[at].ticks += (double)(e.ticks - last);
		last = e.ticks;
		if (e.kind == TRACE_CALL || e.kind == TRACE_HELD) {
			at = path_of(f, at, e.id);
			if (f->calls && !f->failed)
				f->paths[at].ticks++;
		} else if (e.kind == TRACE_RETURN && at != root) {
			at = f->paths[at].parent;
		} else if (e.kind == TRACE_BOX || e.kind == TRACE_WHOLE) {
			uint32_t box = path_of(f, at, e.id);

			if (!f->failed)
				f->paths[box].ticks += (double)(e.until - e.ticks);
			last = e.until;
		} else if (e.kind == TRACE_AWAY) {
			last = e.until;
		} else if (e.kind == TRACE_LOST) {
			at = root;
		}
	}
}

static void path_write(struct folded *f, struct out *out, uint32_t path, double nanoseconds)
{
	size_t depth = 0;

	for (uint32_t at = path; at != FOLDED_NONE; at = f->paths[at].parent) {
		if (mem_grow(&f->line, &f->line_cap, depth + 1, sizeof(*f->line)) < 0) {
			f->failed = true;
			return;
		}
		f->line[depth++] = at;
	}
	for (size_t i = depth; i-- > 0;) {
		static const char *const escapes[] = { ";:", NULL };
		const struct path *p = &f->paths[f->line[i]];
		char made[TRACED_NAME];
		const char *name = p->parent == FOLDED_NONE ?
				   traced_lane(f->source, p->id, made) :
				   traced_name(f->source, p->id, made);

		out_text(out, name, escapes);
		if (i)
			out_addc(out, ';');
	}
	out_addf(out, " %.0f\n", nanoseconds);
}

int traced_folded(const struct traced_source *s, struct out *out)
{
	double rate = trace_ticks_per_second(s->trace);
	struct folded f = { .source = s, .calls = traced_times(s) != NULL };

	map_init(&f.map);
	for (unsigned i = 0; i < TRACE_LANES && !f.failed; i++) {
		struct trace_walk *w = trace_walk_new(s->trace, i);

		if (w)
			lane_add(&f, w, i);
		f.failed |= !w;
		trace_walk_free(w);
	}
	for (size_t i = 0; i < f.count && !f.failed; i++) {
		double ns = f.calls ? f.paths[i].ticks :
			    f.paths[i].ticks / (rate > 0 ? rate : 1) * 1e9;

		if (ns >= 0.5)
			path_write(&f, out, (uint32_t)i, ns);
	}
	map_release(&f.map);
	mem_free(f.paths);
	mem_free(f.line);
	return f.failed ? ERR_NOMEM : 0;
}
