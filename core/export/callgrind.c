/*
 * Callgrind's format (Valgrind manual, "Callgrind Format Specification"), for KCachegrind and
 * callgrind_annotate. Costs of a line: nanoseconds, calls, samples.
 *
 * The self time of a sampled function stands at the lines that its samples met, that of a timed one
 * at its declaration. A call site is a line "calls=" with what its calls took. A call within a
 * recursion takes 0: its time is in the outer call's (profile_call_inner), so that the inclusive
 * times there are those of all other formats.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

/* Samples of one line. */
struct spot {
	uint32_t function;
	const char *path;
	uint32_t line;
	uint64_t samples;
};

struct callgrind {
	const struct export_source *s;
	const struct profile *p;
	struct spot *spots;		/* by function, path, line */
	size_t spot_count, spot_cap, spot_at;
	double *left;			/* export_site_shares() */
	size_t place_at;		/* of a picture's places, which are by function, too */
	const char *path;		/* of the lines that follow */
	struct out *out;
};

static const char unknown[] = "???";	/* as callgrind itself has it */

static const char *function_path(const struct profile_function *f)
{
	return f->path ? f->path : f->file ? f->file : unknown;
}

/* --- samples by line -------------------------------------------------------------------------- */

static int spot_by_line(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;
	int order = (x->function > y->function) - (x->function < y->function);

	if (!order)
		order = strcmp(x->path, y->path);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

static bool spot_is_same(const struct spot *x, const struct spot *y)
{
	return spot_by_line(x, y) == 0;
}

static int spots_gather(struct callgrind *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->p->pc_count; i++) {
		const struct profile_pc *pc = &c->p->pcs[i];
		struct image_line line = { NULL };
		const struct profile_function *f = export_function(c->p, pc->function);

		if (!f || !pc->count)
			continue;
		if (mem_grow(&c->spots, &c->spot_cap, c->spot_count + 1, sizeof(*c->spots)) < 0)
			return ERR_NOMEM;
		if (!c->s->image || !image_line(c->s->image, pc->pc, &line) || !line.path)
			line = (struct image_line){ .path = function_path(f), .line = f->line };
		c->spots[c->spot_count++] = (struct spot){
			pc->function, line.path, line.line, pc->count,
		};
	}
	if (c->spot_count)
		qsort(c->spots, c->spot_count, sizeof(*c->spots), spot_by_line);
	for (size_t i = 0; i < c->spot_count; i++) {
		if (kept && spot_is_same(&c->spots[kept - 1], &c->spots[i]))
			c->spots[kept - 1].samples += c->spots[i].samples;
		else
			c->spots[kept++] = c->spots[i];
	}
	c->spot_count = kept;
	return 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

static uint64_t seconds_whole(double seconds)
{
	return seconds > 0 && seconds < 1e9 ? (uint64_t)llround(seconds * 1e9) : 0;
}

static void pair_write(struct callgrind *c, const char *key, const char *name)
{
	out_adds(c->out, key);
	out_text(c->out, name, NULL);
	out_addc(c->out, '\n');
}

/* Lines that follow are of another file: code that was inlined. */
static void path_take(struct callgrind *c, const char *path)
{
	if (!strcmp(path, c->path))
		return;
	c->path = path;
	pair_write(c, "fi=", path);
}

static void cost_write(struct callgrind *c, uint32_t line, uint64_t ns, uint64_t calls,
		       uint64_t samples)
{
	uint64_t figures[] = { line, ns, calls, samples };

	for (size_t i = 0; i < 4; i++) {
		out_u64(c->out, figures[i]);
		out_addc(c->out, i < 3 ? ' ' : '\n');
	}
}

/*
 * A call stands before the line that has its costs. Where none was counted (folded stacks) it says
 * 1: of "calls=0" callgrind_annotate takes the costs for the caller's own.
 */
static void call_write(struct callgrind *c, uint32_t to, uint64_t calls)
{
	const struct profile_function *f = &c->p->functions[to];

	pair_write(c, "cfi=", function_path(f));
	pair_write(c, "cfn=", f->name);
	out_adds(c->out, "calls=");
	out_u64(c->out, calls ? calls : 1);
	out_addc(c->out, ' ');
	out_u64(c->out, f->line);
	out_addc(c->out, '\n');
}

/* The lines' parts of a sampled self time add up to it: each is what the sum so far lacks. */
static void self_write(struct callgrind *c, uint32_t index)
{
	const struct profile_function *f = &c->p->functions[index];
	bool timed = f->time == PROFILE_TIME_TIMED;
	double self = export_seconds(c->p, timed, f->self_s);
	uint64_t told = 0, samples = 0, all = seconds_whole(self);
	bool spots = c->spot_at < c->spot_count && c->spots[c->spot_at].function == index;

	if (timed || !spots) {		/* a file that was read has samples, and no PCs */
		cost_write(c, f->line, all, f->called ? f->calls : 0, spots ? 0 : f->samples);
		told = all;
	} else if (f->called) {
		cost_write(c, f->line, 0, f->calls, 0);
	}
	for (; c->spot_at < c->spot_count && c->spots[c->spot_at].function == index; c->spot_at++) {
		const struct spot *s = &c->spots[c->spot_at];
		uint64_t sum;

		samples += s->samples;
		sum = timed ? all : seconds_whole(self * (double)samples / (double)f->samples);
		sum = sum < told ? told : sum;
		path_take(c, s->path);
		cost_write(c, s->line, sum - told, 0, s->samples);
		told = sum;
	}
}

/* The share of an edge's time that is one site's. */
static double site_seconds(const struct callgrind *c, const struct profile_edge *e,
			   const struct profile_site *site)
{
	double all = export_edge_seconds(c->p, e);

	if (profile_call_inner(c->p, e))
		return 0;
	if (site->timed)
		return export_seconds(c->p, true, profile_seconds(c->p, (double)site->total));
	return e->calls ? all * (double)site->calls / (double)e->calls : 0;
}

static void site_write(struct callgrind *c, const struct profile_function *from,
		       const struct profile_edge *e, uint32_t index)
{
	struct profile_site site = export_site_left(c->p, index, c->left);
	const struct profile_function *to = &c->p->functions[e->to];
	struct image_line line = { NULL };
	double seconds = site_seconds(c, e, &site);
	double hz = to->time == PROFILE_TIME_SAMPLED ? c->p->terms.hz : 0;

	if (site.flags & ROW_TWICE)
		return;
	if (!c->s->image || !image_line(c->s->image, site.from - 1, &line) || !line.path)
		line = (struct image_line){ .path = function_path(from), .line = from->line };
	path_take(c, line.path);
	call_write(c, e->to, site.calls);
	cost_write(c, line.line, seconds_whole(seconds),
		   profile_call_inner(c->p, e) ? 0 : site.calls,
		   seconds * hz > 0 ? (uint64_t)llround(seconds * hz) : 0);
}

/* The calls of an edge whose sites are not known: as one, at the caller's declaration. */
static void edge_put(struct callgrind *c, const struct profile_function *from,
		     const struct profile_edge *e)
{
	bool inner = profile_call_inner(c->p, e);

	path_take(c, function_path(from));
	call_write(c, e->to, e->calls);
	cost_write(c, from->line, inner ? 0 : seconds_whole(export_edge_seconds(c->p, e)),
		   inner ? 0 : e->calls, 0);
}

/* --- the places of a picture ------------------------------------------------------------------ */

static uint64_t ticks_ns(const struct callgrind *c, uint64_t ticks)
{
	return seconds_whole(export_seconds(c->p, true, profile_seconds(c->p, (double)ticks)));
}

static void place_call(struct callgrind *c, const struct profile_place *place)
{
	const struct profile_edge *e = &c->p->edges[place->edge];
	bool inner = profile_call_inner(c->p, e);

	call_write(c, e->to, place->calls);
	cost_write(c, place->line, inner ? 0 : ticks_ns(c, place->ticks), inner ? 0 : place->calls,
		   place->samples);
}

/* What its lines do not tell stands at the first one. */
static void rest_write(struct callgrind *c, const struct profile_function *f, size_t first)
{
	uint64_t calls = f->called ? f->calls : 0, samples = f->samples;
	uint32_t function = c->p->places[first].function;

	for (size_t i = first;
	     i < c->p->place_count && c->p->places[i].function == function; i++) {
		const struct profile_place *place = &c->p->places[i];

		if (place->edge != PROFILE_NONE)
			continue;
		calls -= place->calls < calls ? place->calls : calls;
		samples -= place->samples < samples ? place->samples : samples;
	}
	if (calls || samples)
		cost_write(c, f->line, 0, calls, samples);
}

/* False: the function has none. Parts of its own time add up to it, each what the sum lacks. */
static bool places_write(struct callgrind *c, uint32_t index)
{
	const struct profile *p = c->p;
	uint64_t ticks = 0, told = 0;

	if (c->place_at == p->place_count || p->places[c->place_at].function != index)
		return false;
	rest_write(c, &p->functions[index], c->place_at);
	for (; c->place_at < p->place_count && p->places[c->place_at].function == index;
	     c->place_at++) {
		const struct profile_place *place = &p->places[c->place_at];

		path_take(c, place->path ? place->path : unknown);
		if (place->edge != PROFILE_NONE) {
			place_call(c, place);
			continue;
		}
		ticks += place->ticks;
		cost_write(c, place->line, ticks_ns(c, ticks) - told, place->calls, place->samples);
		told = ticks_ns(c, ticks);
	}
	return true;
}

/* --- functions -------------------------------------------------------------------------------- */

/* One that does not pass the filter is a callee at most. */
static void function_skip(struct callgrind *c, uint32_t index)
{
	const struct profile *p = c->p;

	while (c->spot_at < c->spot_count && c->spots[c->spot_at].function == index)
		c->spot_at++;
	while (c->place_at < p->place_count && p->places[c->place_at].function == index)
		c->place_at++;
}

static void function_put(struct callgrind *c, uint32_t index)
{
	const struct profile_function *f = &c->p->functions[index];

	c->path = function_path(f);
	out_addc(c->out, '\n');
	pair_write(c, "fl=", c->path);
	pair_write(c, "fn=", f->name);
	if (!places_write(c, index))
		self_write(c, index);
	for (uint32_t e = f->first_out; e != PROFILE_NONE; e = c->p->edges[e].next_out) {
		const struct profile_edge *edge = &c->p->edges[e];

		if (edge->first_site == PROFILE_NONE && !(c->p->place_count && edge->sites))
			edge_put(c, f, edge);
		for (uint32_t k = edge->first_site; k != PROFILE_NONE; k = c->p->sites[k].next)
			site_write(c, f, edge, k);
	}
}

/* --- the file --------------------------------------------------------------------------------- */

static void summary_write(struct callgrind *c)
{
	uint64_t ns = 0, calls = 0, samples = 0;

	for (size_t i = 0; i < c->p->function_count; i++) {
		const struct profile_function *f = &c->p->functions[i];

		if (!rows_match(f, c->s->order.filter))
			continue;
		ns += seconds_whole(export_seconds(c->p, f->time == PROFILE_TIME_TIMED, f->self_s));
		calls += f->called ? f->calls : 0;
		samples += f->samples;
	}
	out_adds(c->out, "# callgrind format\nversion: 1\ncreator: wsntop\n");
	if (c->s->image)
		pair_write(c, "cmd: ", text_basename(image_path(c->s->image)));
	pair_write(c, "desc: Node: ", c->s->node ? c->s->node : "");
	if (c->s->window)
		pair_write(c, "desc: Window: ", c->s->window);
	if (profile_estimated(c->p))
		pair_write(c, "desc: Estimate: ", "the profiler's own cost is subtracted");
	if (!c->p->totals.calls)
		pair_write(c, "desc: Calls: ", "not counted; each line of them says 1");
	out_adds(c->out, "positions: line\nevent: ns : Time (ns)\nevent: calls : Calls\n"
			 "event: samples : Samples\nevents: ns calls samples\n");
	out_addf(c->out, "summary: %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", ns, calls, samples);
}

int export_callgrind(const struct export_source *s, struct out *out, struct err *err)
{
	struct callgrind c = { .s = s, .p = s->profile, .out = out };
	int ret = export_site_shares(s->profile, &c.left);

	if (ret == 0)
		ret = spots_gather(&c);
	if (ret == 0)
		summary_write(&c);
	for (uint32_t i = 0; ret == 0 && i < c.p->function_count && !out_failed(out); i++) {
		if (rows_match(&c.p->functions[i], s->order.filter))
			function_put(&c, i);
		else
			function_skip(&c, i);
	}
	mem_free(c.spots);
	mem_free(c.left);
	(void)err;
	return ret;
}
