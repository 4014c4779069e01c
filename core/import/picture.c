#include "core/import/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

void picture_begin(struct picture *pic, struct profile *p, double unit_hz, bool sampled)
{
	*pic = (struct picture){ .p = p, .hz = unit_hz, .sampled = sampled };
	map_init(&pic->names);
	map_init(&pic->edges);
	map_init(&pic->places);
	map_init(&pic->paths);
	if (sampled)
		p->terms.hz = unit_hz;
	else
		p->terms.ticks_per_second = unit_hz;
	p->picture = true;
	p->dirty = p->rebuild = false;
}

void picture_release(struct picture *pic)
{
	map_release(&pic->names);
	map_release(&pic->edges);
	map_release(&pic->places);
	map_release(&pic->paths);
	mem_free(pic->path_texts);
	mem_free(pic->seen_function);
	mem_free(pic->seen_edge);
}

/* --- functions -------------------------------------------------------------------------------- */

static uint64_t hash_bytes(uint64_t hash, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		hash = map_hash(hash ^ (uint8_t)s[i]);
	return hash;
}

static const char *text_kept(struct picture *pic, const char *s, size_t n)
{
	char shown[PICTURE_NAME];
	const char *kept;

	text_visible(shown, sizeof(shown), s, n < PICTURE_NAME ? n : PICTURE_NAME);
	kept = arena_str(&pic->p->arena, shown);
	pic->failed |= !kept;
	return kept;
}

static uint32_t function_draw(struct picture *pic, const char *name, size_t n, const char *file,
			     size_t file_n)
{
	struct profile *p = pic->p;
	struct profile_function f = {
		.image_id = IMAGE_NONE, .first_out = PROFILE_NONE, .first_in = PROFILE_NONE,
		.time = pic->sampled ? PROFILE_TIME_SAMPLED : PROFILE_TIME_TIMED,
		.rate_calls = (double)NAN,
		.rate_self = (double)NAN, .min_s = (double)NAN, .max_s = (double)NAN,
		.per_call_s = (double)NAN,
		.address = PROFILE_REST + 1 + p->function_count,	/* none of an image's */
	};

	f.name = text_kept(pic, name, n);
	f.path = file_n ? text_kept(pic, file, file_n) : NULL;
	f.file = f.path ? text_basename(f.path) : NULL;
	if (pic->failed || mem_grow(&p->functions, &p->function_cap, p->function_count + 1,
				    sizeof(f)) < 0) {
		pic->failed = true;
		return PROFILE_NONE;
	}
	p->functions[p->function_count] = f;
	return (uint32_t)p->function_count++;
}

static bool text_is(const char *kept, const char *s, size_t n)
{
	char shown[PICTURE_NAME];

	if (!kept || !n)
		return !kept && !n;
	text_visible(shown, sizeof(shown), s, n < PICTURE_NAME ? n : PICTURE_NAME);
	return !strcmp(kept, shown);
}

uint32_t picture_function(struct picture *pic, const char *name, size_t n, const char *file,
			  size_t file_n)
{
	uint64_t key = hash_bytes(hash_bytes(n, name, n), file, file_n);
	uint32_t at;

	for (;; key++) {		/* two names of one hash */
		at = map_get(&pic->names, key);
		if (at == MAP_NONE)
			break;
		if (text_is(pic->p->functions[at].name, name, n) &&
		    text_is(pic->p->functions[at].path, file, file_n))
			return at;
	}
	at = function_draw(pic, name, n, file, file_n);
	if (at != PROFILE_NONE && map_put(&pic->names, key, at) < 0)
		pic->failed = true;
	return at;
}

void picture_handler(struct picture *pic, uint32_t function)
{
	pic->p->functions[function].flags |= ROW_HANDLER;
}

void picture_node(struct picture *pic, const char *name, size_t n)
{
	char shown[PICTURE_NAME];
	char *copy;

	text_visible(shown, sizeof(shown), name, n < PICTURE_NAME ? n : PICTURE_NAME);
	copy = mem_strdup(shown);
	pic->failed |= !copy;
	if (!copy)
		return;
	mem_free((char *)pic->p->name);
	pic->p->name = copy;
}

/* --- costs ------------------------------------------------------------------------------------ */

static uint64_t sum_of(uint64_t a, uint64_t b)
{
	return b < UINT64_MAX / 2 - a ? a + b : UINT64_MAX / 2;
}

static int64_t sum_signed(int64_t a, uint64_t b)
{
	return (int64_t)sum_of((uint64_t)a, b);
}

void picture_self(struct picture *pic, uint32_t function, const struct picture_cost *cost)
{
	struct profile_function *f = &pic->p->functions[function];

	f->self_ticks = sum_signed(f->self_ticks, cost->ticks);
	f->samples = sum_of(f->samples, cost->samples);
	f->calls = sum_of(f->calls, cost->calls);
	f->called |= cost->calls > 0;
	f->energy.energy_j += cost->energy_j;
}

static uint32_t arc_draw(struct picture *pic, uint32_t from, uint32_t to)
{
	struct profile *p = pic->p;
	struct profile_edge e = {
		.from = from, .to = to, .first_site = PROFILE_NONE, .next_out = PROFILE_NONE,
		.next_in = p->functions[to].first_in, .timed = !pic->sampled, .min = UINT64_MAX,
	};
	uint32_t at = (uint32_t)p->edge_count;

	if (mem_grow(&p->edges, &p->edge_cap, p->edge_count + 1, sizeof(e)) < 0 ||
	    map_put(&pic->edges, (uint64_t)from << 32 | to, at) < 0) {
		pic->failed = true;
		return PROFILE_NONE;
	}
	p->functions[to].first_in = at;
	if (from != PROFILE_NONE) {
		e.next_out = p->functions[from].first_out;
		p->functions[from].first_out = at;
	}
	p->functions[to].recursive |= from == to;
	p->edges[p->edge_count++] = e;
	return at;
}

static uint32_t arc_drawn(struct picture *pic, uint32_t from, uint32_t to)
{
	uint32_t at = map_get(&pic->edges, (uint64_t)from << 32 | to);

	return at == MAP_NONE ? arc_draw(pic, from, to) : at;
}

uint32_t picture_call(struct picture *pic, uint32_t from, uint32_t to,
		      const struct picture_cost *cost)
{
	uint32_t at = arc_drawn(pic, from, to);

	if (at == PROFILE_NONE)
		return at;
	pic->p->edges[at].calls = sum_of(pic->p->edges[at].calls, cost->calls);
	pic->p->edges[at].total = sum_of(pic->p->edges[at].total, cost->ticks);
	return at;
}

/* --- places ----------------------------------------------------------------------------------- */

static const char *path_kept(struct picture *pic, const char *file, size_t n)
{
	uint64_t key = hash_bytes(n, file, n);
	uint32_t at;

	for (;; key++) {		/* two of one hash */
		at = map_get(&pic->paths, key);
		if (at == MAP_NONE)
			break;
		if (text_is(pic->path_texts[at], file, n))
			return pic->path_texts[at];
	}
	if (mem_grow(&pic->path_texts, &pic->path_cap, pic->path_count + 1,
		     sizeof(*pic->path_texts)) < 0 ||
	    map_put(&pic->paths, key, (uint32_t)pic->path_count) < 0) {
		pic->failed = true;
		return NULL;
	}
	pic->path_texts[pic->path_count] = text_kept(pic, file, n);
	return pic->path_texts[pic->path_count++];
}

static bool place_is(const struct profile_place *a, const struct profile_place *b)
{
	return a->function == b->function && a->edge == b->edge && a->line == b->line &&
	       a->path == b->path;
}

static struct profile_place *place_drawn(struct picture *pic, const struct profile_place *which)
{
	struct profile *p = pic->p;
	uint64_t key = map_hash(map_hash((uint64_t)which->function << 32 | which->edge) ^
				which->line ^ (uint64_t)(uintptr_t)which->path << 20);
	uint32_t at;

	for (;; key++) {
		at = map_get(&pic->places, key);
		if (at == MAP_NONE)
			break;
		if (place_is(&p->places[at], which))
			return &p->places[at];
	}
	if (mem_grow(&p->places, &p->place_cap, p->place_count + 1, sizeof(*p->places)) < 0 ||
	    map_put(&pic->places, key, (uint32_t)p->place_count) < 0) {
		pic->failed = true;
		return NULL;
	}
	p->places[p->place_count] = *which;
	return &p->places[p->place_count++];
}

void picture_place(struct picture *pic, uint32_t function, uint32_t edge, const char *file,
		   size_t n, uint32_t line, const struct picture_cost *cost)
{
	struct profile_place which = {
		.path = n ? path_kept(pic, file, n) : NULL,
		.line = line, .function = function, .edge = edge,
	};
	struct profile_place *place = pic->failed ? NULL : place_drawn(pic, &which);

	if (!place)
		return;
	place->calls = sum_of(place->calls, cost->calls);
	place->samples = sum_of(place->samples, cost->samples);
	place->ticks = sum_of(place->ticks, cost->ticks);
}

/* By function, in the order of the file. */
static int place_by_function(const void *a, const void *b, void *places)
{
	const struct profile_place *all = places;
	const uint32_t *i = a, *k = b;

	if (all[*i].function != all[*k].function)
		return all[*i].function < all[*k].function ? -1 : 1;
	return (*i > *k) - (*i < *k);
}

static int places_sort(struct profile *p)
{
	uint32_t *order = mem_alloc((p->place_count + 1) * sizeof(*order));
	struct profile_place *sorted = mem_alloc((p->place_count + 1) * sizeof(*sorted));

	if (!order || !sorted) {
		mem_free(order);
		mem_free(sorted);
		return ERR_NOMEM;
	}
	for (uint32_t i = 0; i < p->place_count; i++)
		order[i] = i;
	qsort_r(order, p->place_count, sizeof(*order), place_by_function, p->places);
	for (size_t i = 0; i < p->place_count; i++)
		sorted[i] = p->places[order[i]];
	mem_free(p->places);
	mem_free(order);
	p->places = sorted;
	p->place_cap = p->place_count + 1;
	return 0;
}

/* Each is a call site, or a line of its function: whose first one is where that is declared. */
static int places_finish(struct profile *p)
{
	for (size_t i = 0; i < p->place_count; i++) {
		const struct profile_place *place = &p->places[i];
		struct profile_function *f = &p->functions[place->function];

		if (place->edge != PROFILE_NONE) {
			p->edges[place->edge].sites++;
			p->functions[p->edges[place->edge].to].sites++;
		} else if (place->line && place->path && f->path &&
			   !strcmp(place->path, f->path) && (!f->line || place->line < f->line)) {
			f->line = place->line;
		}
	}
	return p->place_count ? places_sort(p) : 0;
}

/* Marks an element as met by this path; true: it was not before. */
static bool element_meet(struct picture *pic, uint32_t **seen, size_t *room, uint32_t at)
{
	size_t before = *room;

	if (at >= *room) {
		if (mem_grow(seen, room, at + 1, sizeof(**seen)) < 0) {
			pic->failed = true;
			return false;
		}
		memset(*seen + before, 0, (*room - before) * sizeof(**seen));
	}
	if ((*seen)[at] == pic->path)
		return false;
	(*seen)[at] = pic->path;
	return true;
}

void picture_path(struct picture *pic, const uint32_t *functions, size_t n,
		  const struct picture_cost *cost)
{
	struct profile *p = pic->p;

	if (!n || pic->failed)
		return;
	pic->path++;
	picture_self(pic, functions[0], cost);
	for (size_t i = 0; i < n && !pic->failed; i++) {
		struct profile_function *f = &p->functions[functions[i]];
		uint32_t edge = arc_drawn(pic, i + 1 < n ? functions[i + 1] : PROFILE_NONE,
					functions[i]);

		if (edge == PROFILE_NONE)
			return;
		if (element_meet(pic, &pic->seen_function, &pic->seen_functions, functions[i]))
			f->total_ticks = sum_signed(f->total_ticks, cost->ticks);
		if (element_meet(pic, &pic->seen_edge, &pic->seen_edges, edge))
			p->edges[edge].total = sum_of(p->edges[edge].total, cost->ticks);
		if (i == 0)
			p->edges[edge].calls = sum_of(p->edges[edge].calls, cost->calls);
	}
}

/* --- sums ------------------------------------------------------------------------------------- */

static void totals_from_calls(struct profile *p)
{
	for (size_t i = 0; i < p->function_count; i++)
		p->functions[i].total_ticks = p->functions[i].self_ticks;
	for (size_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];

		if (e->from != PROFILE_NONE && e->from != e->to)
			p->functions[e->from].total_ticks =
				sum_signed(p->functions[e->from].total_ticks, e->total);
	}
}

static void energy_finish(struct profile *p)
{
	double all = 0;

	for (size_t i = 0; i < p->function_count; i++)
		all += p->functions[i].energy.energy_j;
	for (size_t i = 0; all > 0 && i < p->function_count; i++) {
		struct profile_function *f = &p->functions[i];
		double j = f->energy.energy_j;

		f->energy = (struct profile_energy){
			.known = j > 0, .energy_j = j, .share = j / all, .spread_a = (double)NAN,
			.current_a = (double)NAN,	/* the supply's voltage is not told */
			.per_call_j = f->called ? j / (double)f->calls : (double)NAN,
		};
	}
}

static void function_finish(struct picture *pic, struct profile_function *f)
{
	struct profile_totals *t = &pic->p->totals;

	f->self_s = (double)f->self_ticks / pic->hz;
	f->total_s = (double)f->total_ticks / pic->hz;
	if (f->called && !f->recursive)
		f->per_call_s = f->total_s / (double)f->calls;
	if (f->called)
		f->timed_calls = f->calls;
	t->calls = sum_of(t->calls, f->calls);
	t->samples = sum_of(t->samples, f->samples);
	t->self_s += f->self_s;
}

int picture_finish(struct picture *pic, bool from_calls)
{
	struct profile *p = pic->p;

	if (pic->failed || places_finish(p) < 0)
		return ERR_NOMEM;
	if (from_calls)
		totals_from_calls(p);
	for (size_t i = 0; i < p->edge_count; i++)
		p->edges[i].total_s = (double)p->edges[i].total / pic->hz;
	for (size_t i = 0; i < p->function_count; i++)
		function_finish(pic, &p->functions[i]);
	energy_finish(p);
	p->totals.time = pic->sampled ? PROFILE_TIME_SAMPLED : PROFILE_TIME_TIMED;
	p->totals.both = !pic->sampled && p->totals.samples > 0;
	p->totals.shares_s = p->totals.profiled_s = p->totals.run_s = p->totals.self_s;
	p->generation = 1;
	return 0;
}
