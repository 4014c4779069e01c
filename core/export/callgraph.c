/*
 * gprof's call graph: one entry per function, its callers above it, its callees below, and one per
 * cycle; then the index. (GNU gprof, cg_print.c: the same fields in the same places.)
 *
 * An entry's time is its self time and its callees'. "self" of an edge is the callee's self part of
 * the time: propagated for sampled functions, in proportion for timed ones, because the node timed
 * their edges as a whole.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/base/text.h"

struct entry {
	const struct profile_function *function;	/* NULL: a cycle as a whole */
	uint32_t cycle;			/* its number, of a cycle */
	struct entry *members;		/* of a cycle: the first; of a member: the next */
	double self, total;		/* seconds; self NaN: not measured, total is its calls' */
	uint64_t calls;			/* from elsewhere */
	uint64_t calls_inside;		/* recursive, or among the members */
	unsigned index;			/* from 1 */
	bool shown;
};

struct callgraph {
	const struct profile *p;
	const struct export_unit *unit;
	struct out *out;
	struct entry *entries;		/* functions first, then cycles; sorted, by `order` */
	struct entry **order;
	const struct profile_edge **relatives;	/* of the entry being written */
	size_t count;
	uint32_t cycles;
};

static bool same_cycle(const struct profile_function *a, const struct profile_function *b)
{
	return a && b && (a == b || (a->cycle && a->cycle == b->cycle));
}

/* --- entries ---------------------------------------------------------------------------------- */

static double callees_seconds(const struct profile *p, const struct profile_function *f)
{
	double sum = 0;

	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out) {
		const struct profile_edge *e = &p->edges[i];
		double s = export_edge_seconds(p, e);

		if (!same_cycle(f, export_function(p, e->to)) && !isnan(s))
			sum += s;
	}
	return sum;
}

static void entry_fill(const struct callgraph *g, struct entry *e,
		       const struct profile_function *f)
{
	const struct profile *p = g->p;

	e->function = f;
	e->self = export_seconds(p, f->time == PROFILE_TIME_TIMED, f->self_s);
	e->total = export_seconds(p, f->time == PROFILE_TIME_TIMED, f->total_s);
	if (isnan(e->total))
		e->total = callees_seconds(p, f);
	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in) {
		if (export_function(p, p->edges[i].from) == f)
			e->calls_inside += p->edges[i].calls;
		else
			e->calls += p->edges[i].calls;
	}
}

/* Add a member to its cycle: its self time, its callees outside, and the calls from outside. */
static void cycle_add(const struct callgraph *g, struct entry *member)
{
	const struct profile_function *f = member->function;
	struct entry *c = &g->entries[g->p->function_count + f->cycle - 1];
	double self = member->self;

	c->cycle = f->cycle;
	member->members = c->members;
	c->members = member;
	c->self += isnan(self) ? 0 : self;
	c->total += (isnan(self) ? 0 : self) + callees_seconds(g->p, f);
	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = g->p->edges[i].next_in) {
		const struct profile_edge *e = &g->p->edges[i];

		if (same_cycle(f, export_function(g->p, e->from)))
			c->calls_inside += e->calls;
		else
			c->calls += e->calls;
	}
}

/* Most expensive first, then most called, then in the order of the profile. */
static int entry_by_total(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	if (x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	return (x > y) - (x < y);
}

static int callgraph_init(struct callgraph *g)
{
	const struct profile *p = g->p;

	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].cycle > g->cycles)
			g->cycles = p->functions[i].cycle;
	g->count = p->function_count + g->cycles;
	g->entries = mem_zalloc((g->count + 1) * sizeof(*g->entries));
	g->order = mem_alloc((g->count + 1) * sizeof(*g->order));
	g->relatives = mem_alloc((p->edge_count + 1) * sizeof(*g->relatives));
	if (!g->entries || !g->order || !g->relatives)
		return ERR_NOMEM;
	for (size_t i = p->function_count; i-- > 0;) {
		entry_fill(g, &g->entries[i], &p->functions[i]);
		if (p->functions[i].cycle)
			cycle_add(g, &g->entries[i]);
	}
	for (size_t i = 0; i < g->count; i++)
		g->order[i] = &g->entries[i];
	qsort(g->order, g->count, sizeof(*g->order), entry_by_total);
	for (size_t i = 0; i < g->count; i++)
		g->order[i]->index = (unsigned)i + 1;
	return 0;
}

static struct entry *entry_of(const struct callgraph *g, const struct profile_function *f)
{
	return f ? &g->entries[f - g->p->functions] : NULL;
}

/* The functions that passed the filter, and their cycles. */
static void entries_show(struct callgraph *g, const struct rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct profile_function *f = export_function(g->p, rows->items[i]);

		if (!f)
			continue;
		entry_of(g, f)->shown = true;
		if (f->cycle)
			g->entries[g->p->function_count + f->cycle - 1].shown = true;
	}
}

/* --- lines ------------------------------------------------------------------------------------ */

static void name_write(const struct callgraph *g, const struct entry *e)
{
	if (e->function) {
		out_text(g->out, e->function->name, NULL);
		if (e->function->cycle)
			out_addf(g->out, " <cycle %" PRIu32 ">", e->function->cycle);
		if (isnan(e->self))
			out_adds(g->out, " (unprofiled)");
	} else {
		out_addf(g->out, "<cycle %" PRIu32 " as a whole>", e->cycle);
	}
	out_addf(g->out, e->shown ? " [%u]\n" : " (%u)\n", e->index);
}

static void times_write(const struct callgraph *g, double self, double children)
{
	char own[32], rest[32];

	out_addf(g->out, " %7s %7s", export_cell(own, sizeof(own), self, g->unit),
		 export_cell(rest, sizeof(rest), children, g->unit));
}

/* A caller or callee: `e` is the edge, `all` the calls of the callee from other functions. */
static void relative_write(const struct callgraph *g, const struct profile_edge *e,
			  const struct profile_function *who, uint64_t all, bool inside)
{
	double total = export_edge_seconds(g->p, e), self = export_edge_self_seconds(g->p, e);
	char calls[48];

	out_addf(g->out, "%6s %5s", "", "");
	if (inside)
		out_addf(g->out, " %7s %7s %7" PRIu64 "%8s     ", "", "", e->calls, "");
	else {
		times_write(g, self, total - self);
		snprintf(calls, sizeof(calls), "/%" PRIu64, all);
		out_addf(g->out, " %7" PRIu64 "%-8s     ", e->calls, calls);
	}
	if (who)
		name_write(g, entry_of(g, who));
	else
		out_adds(g->out, e->flags & ROW_HANDLER ? "<interrupt>\n" : "<in no function>\n");
}

static void primary_write(const struct callgraph *g, const struct entry *e)
{
	double whole = g->p->totals.self_s, own = isnan(e->self) ? 0 : e->self;
	char index[16], percent[32] = "";

	snprintf(index, sizeof(index), "[%u]", e->index);
	if (whole > 0)
		snprintf(percent, sizeof(percent), "%.1f", 100 * e->total / whole);
	out_addf(g->out, "%-6s %5s", index, percent);
	times_write(g, e->self, e->total - own);
	if (e->function && !e->function->called)
		out_addf(g->out, " %7s", "");
	else
		out_addf(g->out, " %7" PRIu64, e->calls);
	if (e->calls_inside)
		out_addf(g->out, "+%-7" PRIu64 " ", e->calls_inside);
	else
		out_addf(g->out, "%8s ", "");
	name_write(g, e);
}

/* Cheapest first: the most expensive caller stands next to its function. */
static int edge_by_cost(const void *a, const void *b, void *profile)
{
	const struct profile_edge *x = *(const struct profile_edge *const *)a;
	const struct profile_edge *y = *(const struct profile_edge *const *)b;
	double tx = export_edge_seconds(profile, x), ty = export_edge_seconds(profile, y);

	tx = isnan(tx) ? -1 : tx;
	ty = isnan(ty) ? -1 : ty;
	if (tx != ty)
		return tx < ty ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls < y->calls ? -1 : 1;
	return (x < y) - (x > y);
}

static void relatives_sort(const struct callgraph *g, size_t n)
{
	qsort_r(g->relatives, n, sizeof(*g->relatives), edge_by_cost, (void *)g->p);
}

static size_t callers_write(const struct callgraph *g, const struct profile_function *f,
			 uint64_t all, bool outside_only)
{
	const struct profile *p = g->p;
	size_t n = 0;

	for (uint32_t i = f->first_in; i != PROFILE_NONE; i = p->edges[i].next_in)
		if (!outside_only || !same_cycle(export_function(p, p->edges[i].from), f))
			g->relatives[n++] = &p->edges[i];
	relatives_sort(g, n);
	for (size_t i = 0; i < n; i++) {
		const struct profile_function *from = export_function(p, g->relatives[i]->from);

		relative_write(g, g->relatives[i], from, all, same_cycle(from, f));
	}
	return n;
}

static void callees_write(const struct callgraph *g, const struct profile_function *f)
{
	const struct profile *p = g->p;
	size_t n = 0;

	for (uint32_t i = f->first_out; i != PROFILE_NONE; i = p->edges[i].next_out)
		g->relatives[n++] = &p->edges[i];
	relatives_sort(g, n);
	while (n-- > 0) {
		const struct profile_function *to = export_function(p, g->relatives[n]->to);

		relative_write(g, g->relatives[n], to, entry_of(g, to)->calls, same_cycle(f, to));
	}
}

static void function_write(const struct callgraph *g, const struct entry *e)
{
	if (callers_write(g, e->function, e->calls, false) == 0)
		out_addf(g->out, "%48s <spontaneous>\n", "");
	primary_write(g, e);
	callees_write(g, e->function);
}

/* The cycle's callers, the cycle, and its members with the calls among them. */
static void cycle_write(const struct callgraph *g, const struct entry *e)
{
	for (const struct entry *m = e->members; m; m = m->members)
		callers_write(g, m->function, e->calls, true);
	primary_write(g, e);
	for (const struct entry *m = e->members; m; m = m->members) {
		out_addf(g->out, "%6s %5s", "", "");
		times_write(g, m->self, callees_seconds(g->p, m->function));
		out_addf(g->out, " %7" PRIu64 "%8s     ", m->calls + m->calls_inside, "");
		name_write(g, m);
	}
}

static void heading_write(const struct callgraph *g)
{
	char whole[32];

	out_adds(g->out, "\n\t\t     Call graph\n\n\n");
	if (!isnan(g->p->totals.self_s))
		out_addf(g->out, "of %s %s in all; ",
			 export_cell(whole, sizeof(whole), g->p->totals.self_s, g->unit),
			 g->unit->word);
	out_addf(g->out, "times in %s\n\n", g->unit->word);
	out_adds(g->out, "index % time    self  children    called     name\n");
}

/* --- the index -------------------------------------------------------------------------------- */

static int entry_by_name(const void *a, const void *b)
{
	const struct entry *x = *(struct entry *const *)a, *y = *(struct entry *const *)b;

	if (!x->function || !y->function)
		return (x->function == NULL) - (y->function == NULL);
	return strcmp(x->function->name, y->function->name);
}

/* Down, then across, as many columns as 100 characters hold. */
static void index_write(struct callgraph *g)
{
	size_t n = 0, widest = 1, across, lines;

	for (size_t i = 0; i < g->count; i++) {
		struct entry *e = g->order[i];
		size_t width = e->shown && e->function ? strlen(e->function->name) : 0;

		if (!width)
			continue;
		g->order[n++] = e;
		widest = width > widest ? width : widest;
	}
	qsort(g->order, n, sizeof(*g->order), entry_by_name);
	across = widest < 90 ? 100 / (widest + 10) : 1;
	lines = (n + across - 1) / across;
	out_adds(g->out, "\nIndex by function name\n\n");
	for (size_t line = 0; line < lines; line++) {
		for (size_t i = line; i < n; i += lines) {
			char index[16];
			const char *name = g->order[i]->function->name;

			snprintf(index, sizeof(index), "[%u]", g->order[i]->index);
			out_addf(g->out, "%7s ", index);
			out_text(g->out, name, NULL);
			if (i + lines < n)
				out_addf(g->out, "%*s", (int)(widest - strlen(name)), "");
		}
		out_addc(g->out, '\n');
	}
}

int callgraph_write(const struct export_source *s, const struct rows *rows, struct out *out)
{
	struct callgraph g = {
		.p = s->profile, .out = out,
		.unit = export_unit_for(export_whole_seconds(s->profile)),
	};
	int ret = callgraph_init(&g);

	if (ret == 0) {
		entries_show(&g, rows);
		heading_write(&g);
		for (size_t i = 0; i < g.count; i++) {
			if (!g.order[i]->shown)
				continue;
			if (g.order[i]->function)
				function_write(&g, g.order[i]);
			else
				cycle_write(&g, g.order[i]);
			out_adds(out, "-----------------------------------------------\n");
		}
		index_write(&g);
	}
	mem_free(g.entries);
	mem_free(g.order);
	mem_free(g.relatives);
	return ret;
}
