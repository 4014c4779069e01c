#include "core/source/cost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

enum { FRAMES = 16, RANGES = 64, INLINES = 512 };

void cost_release(struct cost *c)
{
	mem_free(c->lines);
	mem_free(c->calls);
	mem_free(c->inlines);
	mem_free(c->pcs);
	*c = (struct cost){ NULL };
}

/* --- places ----------------------------------------------------------------------------------- */

static bool same_path(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

uint32_t cost_place(const struct image *im, uint64_t address, const char *path,
		    struct image_frame *frame, size_t *depth)
{
	struct image_frame frames[FRAMES];
	size_t n = image_inlines(im, address, frames, FRAMES);

	if (depth)
		*depth = n;
	if (frame && n)
		*frame = frames[0];
	for (size_t i = 0; i < n && path; i++) {
		if (same_path(frames[i].at.path, path))
			return frames[i].at.line;
	}
	return 0;
}

const char *cost_path(const struct image *im, uint32_t id)
{
	const struct image_function *f = id == IMAGE_NONE ? NULL : image_function(im, id);
	struct image_line line;

	if (!f)
		return NULL;
	if (f->path)
		return f->path;
	return image_line(im, f->address, &line) ? line.path : NULL;
}

/* An instruction's address as the image means it: ARM's samples may carry the Thumb bit. */
static uint64_t instruction_address(const struct image *im, uint64_t address)
{
	return im && !strcmp(image_machine(im), "arm") ? address & ~UINT64_C(1) : address;
}

/* --- gathering -------------------------------------------------------------------------------- */

#define ADD(table, count, cap) \
	(mem_grow(&(table), &(cap), (count) + 1, sizeof(*(table))) < 0 ? NULL : &(table)[(count)++])

static int cost_line_add(struct cost *c, uint32_t line, bool own)
{
	struct cost_line *l;

	/* The rows of one line mostly come one after the other. */
	if (!line || (c->line_count && c->lines[c->line_count - 1].line == line &&
		      c->lines[c->line_count - 1].own == own))
		return 0;
	l = ADD(c->lines, c->line_count, c->line_cap);
	if (!l)
		return ERR_NOMEM;
	*l = (struct cost_line){ .line = line, .own = own, .call_s = NAN,
				.each_s = NAN };
	return 0;
}

static int add_rows(struct cost *c, const struct image *im, struct image_range r, const char *path)
{
	struct image_line line;
	uint64_t until;

	for (uint64_t at = r.low; at < r.high; at = until) {
		size_t depth = 0;
		uint32_t place;

		if (image_line_until(im, at, &line, &until)) {
			place = cost_place(im, at, path, NULL, &depth);
			if (cost_line_add(c, place, depth <= 1 || place != line.line ||
					  !same_path(line.path, path)) < 0)
				return ERR_NOMEM;
		}
		if (until <= at)
			break;
	}
	return 0;
}

static int add_ranges(struct cost *c, const struct image *im, uint32_t id, const char *path)
{
	struct image_range ranges[RANGES];
	size_t n = image_ranges(im, id, ranges, RANGES);
	int ret = 0;

	for (size_t i = 0; i < n && i < RANGES && ret == 0; i++)
		ret = add_rows(c, im, ranges[i], path);
	return ret;
}

static int add_pcs(struct cost *c, const struct profile *p, uint32_t function,
		   const struct image *im)
{
	for (size_t i = 0; i < p->pc_count; i++) {
		struct cost_pc *pc;

		if (p->pcs[i].function != function || !p->pcs[i].count)
			continue;
		pc = ADD(c->pcs, c->pc_count, c->pc_cap);
		if (!pc)
			return ERR_NOMEM;
		*pc = (struct cost_pc){ instruction_address(im, p->pcs[i].pc), p->pcs[i].count };
		c->samples += p->pcs[i].count;
	}
	return 0;
}

/*
 * No more than the function's own total, where both are of the node's clock: rows of unlike age and
 * the clock's steps may leave a callee's sum above it.
 */
static double within_total(const struct profile_function *f, double s)
{
	return f->time == PROFILE_TIME_TIMED && !f->incomplete && f->total_s < s ? f->total_s : s;
}

static int call_add(struct cost *c, const struct profile *p, uint32_t function, uint32_t site,
		    uint32_t callee, const struct image *im, const char *path)
{
	const struct profile_site shown = profile_site_shown(p, site), *s = &shown;
	bool timed = s->timed && p->terms.ticks_per_second > 0;
	struct cost_call *call;
	struct image_frame frame = { 0 };
	size_t depth = 0;

	if (s->flags & (ROW_HANDLER | ROW_NO_CALL | ROW_TWICE) || s->from < 2)
		return 0;
	call = ADD(c->calls, c->call_count, c->call_cap);
	if (!call)
		return ERR_NOMEM;
	*call = (struct cost_call){
		/* A return address: the call is before it. */
		.at = (uint64_t)(s->from & ~1u) - 1,
		.site = site,
		.callee = callee,
		.edge = s->edge,
		.calls = s->calls,
		.each_s = timed && !(s->flags & ROW_TOTAL_NEGATIVE) ?
			  profile_seconds(p, (double)s->total) : NAN,
		.inner = profile_call_inner(p, &p->edges[s->edge]),
	};
	call->total_s = call->inner ? NAN : within_total(&p->functions[function], call->each_s);
	c->timed |= !isnan(call->each_s);
	if (im)
		call->line = cost_place(im, call->at, path, &frame, &depth);
	if (depth > 1)
		call->inlined = frame.function;
	return cost_line_add(c, call->line, false);
}

static int add_calls(struct cost *c, const struct profile *p, uint32_t function,
		     const struct image *im, const char *path)
{
	for (uint32_t e = p->functions[function].first_out; e != PROFILE_NONE;
	     e = p->edges[e].next_out) {
		for (uint32_t i = p->edges[e].first_site; i != PROFILE_NONE; i = p->sites[i].next) {
			if (call_add(c, p, function, i, p->edges[e].to, im, path) < 0)
				return ERR_NOMEM;
		}
	}
	return 0;
}

static int place_call_add(struct cost *c, const struct profile *p,
			  const struct profile_place *place, bool here)
{
	const struct profile_edge *e = &p->edges[place->edge];
	struct cost_call *call = ADD(c->calls, c->call_count, c->call_cap);

	if (!call)
		return ERR_NOMEM;
	*call = (struct cost_call){
		.line = here ? place->line : 0, .site = PROFILE_NONE, .callee = e->to,
		.edge = place->edge, .calls = place->calls,
		.each_s = profile_seconds(p, (double)place->ticks),
		.inner = profile_call_inner(p, e),
	};
	call->total_s = call->inner ? NAN :
			within_total(&p->functions[place->function], call->each_s);
	c->timed = true;
	return cost_line_add(c, call->line, false);
}

/* --- by line ---------------------------------------------------------------------------------- */

static int by_line(const void *a, const void *b)
{
	const struct cost_line *x = a, *y = b;

	return (x->line > y->line) - (x->line < y->line);
}

static int by_call(const void *a, const void *b)
{
	const struct cost_call *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->site > y->site) - (x->site < y->site);
}

static int by_pc(const void *a, const void *b)
{
	const struct cost_pc *x = a, *y = b;

	return (x->pc > y->pc) - (x->pc < y->pc);
}

/*
 * Of a picture, whose places have no addresses. A line's part of the function's own time stands in
 * its samples: the file's, else ticks (`by_ticks`). A line of another file, whose code was inlined
 * somewhere here, counts for the function alone.
 */
static int add_places(struct cost *c, const struct profile *p, uint32_t function, const char *path)
{
	size_t first = profile_places(p, function);

	c->by_ticks = first < p->place_count && !p->functions[function].samples;
	for (size_t i = first; i < p->place_count && p->places[i].function == function; i++) {
		const struct profile_place *place = &p->places[i];
		bool here = same_path(place->path, path);

		if (place->edge == PROFILE_NONE) {
			c->samples += c->by_ticks ? place->ticks : place->samples;
			if (here && cost_line_add(c, place->line, true) < 0)
				return ERR_NOMEM;
		} else if (place_call_add(c, p, place, here) < 0) {
			return ERR_NOMEM;
		}
	}
	return 0;
}

static void items_sort(void *v, size_t n, size_t size, int (*compare)(const void *, const void *))
{
	if (n)
		qsort(v, n, size, compare);
}

/* Each line once. */
static void join_lines(struct cost *c)
{
	size_t kept = 0;

	items_sort(c->lines, c->line_count, sizeof(*c->lines), by_line);
	for (size_t i = 1; i < c->line_count; i++) {
		if (c->lines[i].line == c->lines[kept].line)
			c->lines[kept].own |= c->lines[i].own;
		else
			c->lines[++kept] = c->lines[i];
	}
	c->line_count = c->line_count ? kept + 1 : 0;
	for (size_t i = 0; i < c->line_count; i++) {
		if (!c->lines[i].own)
			continue;
		if (!c->first)
			c->first = c->lines[i].line;
		c->last = c->lines[i].line;
	}
}

static struct cost_line *find_line(const struct cost *c, uint32_t line)
{
	struct cost_line key = { .line = line };

	return c->line_count ?
	       bsearch(&key, c->lines, c->line_count, sizeof(*c->lines), by_line) : NULL;
}

static double known_sum(double sum, double s)
{
	return isnan(sum) ? s : isnan(s) ? sum : sum + s;
}

static void sum_places(struct cost *c, const struct profile *p, uint32_t function, const char *path)
{
	for (size_t i = profile_places(p, function);
	     i < p->place_count && p->places[i].function == function; i++) {
		const struct profile_place *place = &p->places[i];
		struct cost_line *l = find_line(c, place->line);

		if (l && place->edge == PROFILE_NONE && same_path(place->path, path))
			l->samples += c->by_ticks ? place->ticks : place->samples;
	}
}

static void sum_calls(struct cost *c, const struct profile *p, uint32_t function)
{
	for (size_t i = 0; i < c->call_count; i++) {
		const struct cost_call *call = &c->calls[i];
		struct cost_line *l = find_line(c, call->line);

		if (!l)
			continue;
		l->sites++;
		l->calls += call->calls;
		l->inner |= call->inner;
		l->each_s = known_sum(l->each_s, call->each_s);
		l->call_s = within_total(&p->functions[function],
					 known_sum(l->call_s, call->total_s));
	}
}

static int add_inline(struct cost *c, uint32_t line, const struct image_frame *frame, uint64_t n)
{
	struct cost_inline *in;

	for (size_t i = 0; i < c->inline_count; i++) {
		in = &c->inlines[i];
		if (in->line == line && in->from.line == frame->at.line &&
		    same_path(in->from.path, frame->at.path)) {
			in->samples += n;
			return 0;
		}
	}
	if (c->inline_count == INLINES)
		return 0;		/* the line counts it all the same */
	in = ADD(c->inlines, c->inline_count, c->inline_cap);
	if (!in)
		return ERR_NOMEM;
	*in = (struct cost_inline){ line, frame->function, frame->at, n };
	return 0;
}

static int sum_samples(struct cost *c, const struct image *im, const char *path)
{
	for (size_t i = 0; i < c->pc_count && path; i++) {
		struct image_frame frame;
		size_t depth = 0;
		uint32_t line = cost_place(im, c->pcs[i].pc, path, &frame, &depth);
		struct cost_line *l = find_line(c, line);

		if (!l)
			continue;
		if (same_path(frame.at.path, path)) {
			l->samples += c->pcs[i].samples;
			continue;
		}
		l->elsewhere += c->pcs[i].samples;
		if (add_inline(c, line, &frame, c->pcs[i].samples) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int by_inline(const void *a, const void *b)
{
	const struct cost_inline *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return (x->from.line > y->from.line) - (x->from.line < y->from.line);
}

static void cost_clear(struct cost *c)
{
	c->line_count = c->call_count = c->inline_count = c->pc_count = 0;
	c->samples = 0;
	c->first = c->last = 0;
	c->timed = c->by_ticks = false;
}

int cost_find(struct cost *c, const struct profile *p, uint32_t function, const struct image *im,
	      uint32_t id, const char *path)
{
	cost_clear(c);
	if ((im && path && add_ranges(c, im, id, path) < 0) ||
	    add_pcs(c, p, function, im) < 0 || add_calls(c, p, function, im, path) < 0 ||
	    add_places(c, p, function, path) < 0)
		goto out_of_memory;
	join_lines(c);
	items_sort(c->calls, c->call_count, sizeof(*c->calls), by_call);
	items_sort(c->pcs, c->pc_count, sizeof(*c->pcs), by_pc);
	sum_calls(c, p, function);
	sum_places(c, p, function, path);
	if (im && sum_samples(c, im, path) < 0)
		goto out_of_memory;
	items_sort(c->inlines, c->inline_count, sizeof(*c->inlines), by_inline);
	return 0;
out_of_memory:
	cost_clear(c);
	return ERR_NOMEM;
}

/* --- asking ----------------------------------------------------------------------------------- */

const struct cost_line *cost_line(const struct cost *c, uint32_t line)
{
	return find_line(c, line);
}

uint64_t cost_samples(const struct cost *c, uint64_t low, uint64_t high)
{
	uint64_t sum = 0;

	for (size_t i = SORTED_FROM(c->pcs, c->pc_count, pc, low);
	     i < c->pc_count && c->pcs[i].pc < high; i++)
		sum += c->pcs[i].samples;
	return sum;
}

size_t cost_call_at(const struct cost *c, uint64_t low, uint64_t high)
{
	for (size_t i = 0; i < c->call_count; i++) {
		if (c->calls[i].at >= low && c->calls[i].at < high)
			return i;
	}
	return SIZE_MAX;
}
