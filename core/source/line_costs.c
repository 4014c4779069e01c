#include "core/source/line_costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/source/cost.h"
#include "core/source/source.h"

void line_costs_release(struct line_costs *l)
{
	mem_free(l->items);
	*l = (struct line_costs){ NULL };
}

/* --- building --------------------------------------------------------------------------------- */

struct builder {
	struct line_costs *lines;
	const struct profile *p;
	const struct image *im;
	uint32_t *functions;		/* of the profile, by id in the image */
};

/* At an address of an instruction of a function. */
static int line_add(struct builder *b, uint32_t function, uint64_t address,
		    const struct profile_line *what)
{
	const struct profile_function *f = &b->p->functions[function];
	const char *path = cost_path(b->im, f->image_id);
	uint32_t line = path ? cost_place(b->im, address, path, NULL, NULL) : 0;
	struct line_costs *l = b->lines;

	if (!line)
		return 0;
	if (mem_grow(&l->items, &l->cap, l->count + 1, sizeof(*l->items)) < 0)
		return ERR_NOMEM;
	l->items[l->count] = *what;
	l->items[l->count].function = function;
	l->items[l->count++].line = line;
	return 0;
}

static int samples_add(struct builder *b)
{
	double hz = b->p->terms.hz;

	for (size_t i = 0; i < b->p->pc_count; i++) {
		const struct profile_pc *pc = &b->p->pcs[i];
		struct profile_line what = {
			.samples = pc->count,
			.self_s = hz > 0 ? (double)pc->count / hz : (double)NAN,
		};

		if (pc->function != PROFILE_NONE && pc->count &&
		    line_add(b, pc->function, image_normal(b->im, pc->pc), &what) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int spent_add(struct builder *b)
{
	const struct profile *p = b->p;

	for (size_t i = 0; i < p->spent_count && p->terms.ticks_per_second > 0; i++) {
		uint32_t id = image_find(b->im, p->spent[i].pc);
		uint32_t function = id == IMAGE_NONE ? PROFILE_NONE : b->functions[id];
		struct profile_line what = {
			.self_s = profile_seconds(p, (double)p->spent[i].ticks),
		};

		if (function != PROFILE_NONE && p->spent[i].ticks &&
		    line_add(b, function, p->spent[i].pc, &what) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int calls_add(struct builder *b)
{
	for (size_t i = 0; i < b->p->site_count; i++) {
		const struct profile_site *s = &b->p->sites[i];
		uint32_t from = s->edge == PROFILE_NONE ? PROFILE_NONE : b->p->edges[s->edge].from;
		struct profile_line what = { .calls = s->calls, .self_s = NAN };

		if (from == PROFILE_NONE || s->from < 2 || !s->calls ||
		    s->flags & (ROW_HANDLER | ROW_NO_CALL | ROW_TWICE))
			continue;
		/* A return address: the call is before it. */
		if (line_add(b, from, (uint64_t)(s->from & ~1u) - 1, &what) < 0)
			return ERR_NOMEM;
	}
	return 0;
}

static int functions_number(struct builder *b)
{
	size_t n = image_function_count(b->im);

	b->functions = mem_alloc((n + 1) * sizeof(*b->functions));
	if (!b->functions)
		return ERR_NOMEM;
	for (size_t i = 0; i < n; i++)
		b->functions[i] = PROFILE_NONE;
	for (uint32_t i = 0; i < b->p->function_count; i++)
		if (b->p->functions[i].image_id < n)
			b->functions[b->p->functions[i].image_id] = i;
	return 0;
}

static int by_function_line(const void *a, const void *b)
{
	const struct profile_line *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	return (x->line > y->line) - (x->line < y->line);
}

/* Each line once. */
static void lines_join(struct line_costs *l)
{
	size_t kept = 0;

	if (!l->count)
		return;
	qsort(l->items, l->count, sizeof(*l->items), by_function_line);
	for (size_t i = 1; i < l->count; i++) {
		struct profile_line *to = &l->items[kept], *from = &l->items[i];

		if (by_function_line(to, from) != 0) {
			l->items[++kept] = *from;
			continue;
		}
		to->samples += from->samples;
		to->calls += from->calls;
		to->self_s = isnan(to->self_s) ? from->self_s :
			     isnan(from->self_s) ? to->self_s : to->self_s + from->self_s;
	}
	l->count = kept + 1;
}

/* FNV-1a (Fowler, Noll, Vo) of what is not blank; never 0. */
static uint32_t text_hash(const struct source_line *line)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < line->length; i++) {
		unsigned char c = (unsigned char)line->text[i];

		if (c > ' ')
			hash = (hash ^ c) * 16777619u;
	}
	return hash ? hash : 1;
}

/* Functions of one file are beside each other: each file is read once, about. */
static void texts_read(const struct builder *b)
{
	const char *elf = image_path(b->im), *open = NULL;
	struct source *source = NULL;
	struct source_line text;

	for (size_t i = 0; i < b->lines->count; i++) {
		struct profile_line *l = &b->lines->items[i];
		const char *path = cost_path(b->im, b->p->functions[l->function].image_id);

		if (path && (!open || strcmp(open, path) != 0)) {
			source_close(source);
			source = source_open(path, elf, NULL, NULL);
			if (source && source_is_newer(source, elf)) {
				source_close(source);
				source = NULL;
			}
			open = path;
		}
		if (path && source && source_line(source, l->line, &text))
			l->text = text_hash(&text);
	}
	source_close(source);
}

/* A file that nobody's export wrote may have any number; pairing takes their square. */
static void lines_limit(struct line_costs *l)
{
	size_t kept = 0, of_function = 0;

	for (size_t i = 0; i < l->count; i++) {
		of_function = i && l->items[i].function == l->items[i - 1].function ?
			      of_function + 1 : 1;
		if (of_function <= LINE_COSTS_READ)
			l->items[kept++] = l->items[i];
	}
	l->count = kept;
}

/* Of a file that was read. */
static int lines_copy(struct line_costs *l, const struct profile *p)
{
	if (mem_grow(&l->items, &l->cap, p->line_count, sizeof(*l->items)) < 0)
		return ERR_NOMEM;
	memcpy(l->items, p->lines, p->line_count * sizeof(*l->items));
	l->count = p->line_count;
	lines_join(l);
	lines_limit(l);
	return 0;
}

int line_costs_build(struct line_costs *l, const struct profile *p, const struct image *im)
{
	struct builder b = { .lines = l, .p = p, .im = im };
	int ret = 0;

	*l = (struct line_costs){ NULL };
	if (p->line_count)
		return lines_copy(l, p);
	if (!im)
		return 0;
	if (functions_number(&b) < 0 || samples_add(&b) < 0 || spent_add(&b) < 0 ||
	    calls_add(&b) < 0)
		ret = ERR_NOMEM;
	mem_free(b.functions);
	lines_join(l);
	texts_read(&b);
	return ret;
}

/* --- asking ----------------------------------------------------------------------------------- */

const struct profile_line *line_costs_of(const struct line_costs *l, uint32_t function,
					 size_t *count)
{
	size_t from = SORTED_WHERE(l->count, i, l->items[i].function < function);
	size_t to = SORTED_WHERE(l->count, i, l->items[i].function <= function);

	*count = to - from;
	return to > from ? &l->items[from] : NULL;
}

static bool is_heavier(const struct profile_line *a, const struct profile_line *b)
{
	double x = isnan(a->self_s) ? 0 : a->self_s, y = isnan(b->self_s) ? 0 : b->self_s;

	if (x < y || x > y)
		return x > y;
	return a->calls != b->calls ? a->calls > b->calls : a->line < b->line;
}

bool line_costs_keeps(const struct line_costs *l, const struct profile_line *line)
{
	size_t count, heavier = 0;
	const struct profile_line *all = line_costs_of(l, line->function, &count);

	for (size_t i = 0; i < count && count > LINE_COSTS_KEPT && heavier < LINE_COSTS_KEPT; i++)
		heavier += is_heavier(&all[i], line);
	return heavier < LINE_COSTS_KEPT;
}

/* --- two runs --------------------------------------------------------------------------------- */

static double line_figure(const struct profile_line *l, enum line_measure measure)
{
	return measure == LINE_CALLS ? (double)l->calls : l->self_s;
}

/* One deviation of what samples tell. */
static double line_sigma(const struct profile_line *l, enum line_measure measure)
{
	return measure == LINE_TIME && l->samples ?
	       l->self_s * sqrt((double)l->samples + 1) / (double)l->samples : 0;
}

static int64_t line_offset(const struct line_side *s, const struct profile_line *l)
{
	return (int64_t)l->line - s->declared;
}

/* The line of then that is this one of now; NULL: it is new. `taken`: of then's, those that are. */
static const struct profile_line *line_then(const struct line_side *then,
					    const struct line_side *now,
					    const struct profile_line *l, bool *taken)
{
	size_t count, best = SIZE_MAX;
	const struct profile_line *all = line_costs_of(then->lines, then->function, &count);
	int64_t apart, least = 0;

	for (size_t i = 0; i < count; i++) {
		bool texts = l->text && all[i].text;

		apart = llabs(line_offset(then, &all[i]) - line_offset(now, l));
		if (taken[i] || (texts ? all[i].text != l->text : apart != 0) ||
		    (best != SIZE_MAX && apart >= least))
			continue;
		best = i;
		least = apart;
	}
	if (best == SIZE_MAX)
		return NULL;
	taken[best] = true;
	return &all[best];
}

static bool line_counts(const struct line_side *s, uint32_t line)
{
	for (size_t i = 0; i < s->only_count; i++)
		if (s->only[i] == line)
			return true;
	return !s->only_count;
}

bool line_costs_grown(const struct line_side *then, const struct line_side *now,
		 enum line_measure measure, struct line_found *found)
{
	size_t count, count_then;
	const struct profile_line *all = line_costs_of(now->lines, now->function, &count);
	bool *taken, any = false;

	line_costs_of(then->lines, then->function, &count_then);
	taken = count && count_then ? mem_zalloc(count_then * sizeof(*taken)) : NULL;
	for (size_t i = 0; taken && i < count; i++) {
		const struct profile_line *was = line_then(then, now, &all[i], taken);
		struct line_found f = {
			.line = all[i].line,
			.now = line_figure(&all[i], measure) / now->per,
			.then = was ? line_figure(was, measure) / then->per : 0,
			.sigma = hypot(line_sigma(&all[i], measure) / now->per,
				       was ? line_sigma(was, measure) / then->per : 0),
		};

		/* A line that made calls alone took a time that is not known. */
		f.then = isnan(f.then) ? 0 : f.then;
		if (!line_counts(now, f.line) || !(f.now > f.then) ||
		    (any && f.now - f.then <= found->now - found->then))
			continue;
		*found = f;
		any = true;
	}
	mem_free(taken);
	return any;
}

bool line_costs_heaviest(const struct line_side *now, enum line_measure measure,
		    struct line_found *found)
{
	size_t count;
	const struct profile_line *all = line_costs_of(now->lines, now->function, &count);
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		double figure = line_figure(&all[i], measure) / now->per;

		if (!(figure > 0) || (any && figure <= found->now))
			continue;
		*found = (struct line_found){ .line = all[i].line, .now = figure, .then = NAN };
		any = true;
	}
	return any;
}
