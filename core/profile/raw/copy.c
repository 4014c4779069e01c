#include "core/profile/raw/copy.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/profile/raw/raw.h"

static void *array_copy(const void *array, size_t count, size_t size)
{
	void *p = mem_alloc((count + 1) * size);

	if (p && count)
		memcpy(p, array, count * size);
	return p;
}

static bool string_keep(struct arena *a, const char **s)
{
	if (*s)
		*s = arena_str(a, *s);
	return *s != NULL;
}

static bool strings_keep(struct profile *f, bool ids)
{
	for (size_t i = 0; i < f->function_count; i++) {
		struct profile_function *fn = &f->functions[i];

		if (!string_keep(&f->arena, &fn->name) ||
		    (fn->file && !string_keep(&f->arena, &fn->file)) ||
		    (fn->path && !string_keep(&f->arena, &fn->path)))
			return false;
		if (!ids)
			fn->image_id = IMAGE_NONE;	/* ids are valid in a living image */
	}
	return true;
}

/* Those of one file mostly follow each other. */
static bool places_keep(struct profile *f, const struct profile *p)
{
	const char *last = NULL;

	f->places = array_copy(p->places, p->place_count, sizeof(*p->places));
	f->place_count = f->places ? p->place_count : 0;
	for (size_t i = 0; i < f->place_count; i++) {
		bool same = i && p->places[i].path == p->places[i - 1].path;

		if (!same) {
			last = p->places[i].path;
			if (last && !string_keep(&f->arena, &last))
				return false;
		}
		f->places[i].path = last;
	}
	return f->places != NULL;
}

struct profile *profile_copy(const struct profile *p)
{
	struct profile *f = mem_zalloc(sizeof(*f));

	if (!f)
		return NULL;
	/* Member by member: the private ones stay zero in the copy. */
	arena_init(&f->arena);
	f->name = mem_strdup(p->name);
	f->terms = p->terms;
	f->ticks_run = p->ticks_run;
	f->generation = p->generation;
	f->rate_calls = p->rate_calls;
	f->pace = p->pace;
	f->ran = p->ran;
	f->totals = p->totals;
	f->dropped = p->dropped;
	f->sites = array_copy(p->sites, p->site_count, sizeof(*p->sites));
	f->pcs = array_copy(p->pcs, p->pc_count, sizeof(*p->pcs));
	f->edges = array_copy(p->edges, p->edge_count, sizeof(*p->edges));
	f->functions = array_copy(p->functions, p->function_count, sizeof(*p->functions));
	f->fixes = p->fixes ? array_copy(p->fixes, p->fix_count, sizeof(*p->fixes)) : NULL;
	f->spread = p->spread;
	f->buckets = array_copy(p->buckets, p->bucket_count, sizeof(*p->buckets));
	f->paths = array_copy(p->paths, p->path_count, sizeof(*p->paths));
	f->spent = array_copy(p->spent, p->spent_count, sizeof(*p->spent));
	f->lines = array_copy(p->lines, p->line_count, sizeof(*p->lines));
	f->filter = p->filter ? regex_new(regex_pattern(p->filter), &(struct err){ 0 }) : NULL;
	if (f->paths && f->spent && f->lines && profile_fines_copy(f, p) == 0 && f->name &&
	    f->buckets && f->sites && f->pcs && f->edges && f->functions &&
	    (f->fixes || !p->fixes) && (f->filter || !p->filter)) {
		f->fix_count = f->fixes ? p->fix_count : 0;
		f->bucket_count = p->bucket_count;
		f->path_count = p->path_count;
		f->spent_count = p->spent_count;
		f->line_count = p->line_count;
		f->site_count = p->site_count;
		f->pc_count = p->pc_count;
		f->edge_count = p->edge_count;
		f->function_count = p->function_count;
		if (strings_keep(f, false) && places_keep(f, p))
			return f;
	}
	profile_drop(f);
	return NULL;
}

void profile_drop(struct profile *copied)
{
	if (!copied)
		return;
	profile_release(copied);
	mem_free(copied);
}

int profile_own(struct profile *p)
{
	return strings_keep(p, true) ? 0 : ERR_NOMEM;
}

void profile_forget_image(struct profile *p)
{
	p->image = NULL;
	for (size_t i = 0; i < p->function_count; i++)
		p->functions[i].image_id = IMAGE_NONE;
}
