#include "core/profile/look/worst.h"

#include <string.h>

#include "core/base/mem.h"

struct worst_entry {
	struct worst_call call;		/* seconds 0: none yet */
	uint64_t edge;			/* key */
	uint64_t callee;
	uint64_t bar;			/* ticks: a longer call is latched */
	uint64_t told;			/* the same as the node told it, at `site` */
	uint32_t site;			/* return address; 0: not known */
	bool kept;			/* the call is of before a restart */
};

/* The most expensive edge into a function. */
struct worst_way {
	uint32_t edge;			/* PROFILE_NONE: no caller */
	uint32_t callers;
};

void worst_init(struct worst *w)
{
	*w = (struct worst){ 0 };
	map_init(&w->by_edge);
	map_init(&w->by_site);
	map_init(&w->by_callee);
}

void worst_release(struct worst *w)
{
	map_release(&w->by_edge);
	map_release(&w->by_site);
	map_release(&w->by_callee);
	mem_free(w->entries);
	mem_free(w->ways);
	*w = (struct worst){ 0 };
}

void worst_clear(struct worst *w)
{
	map_clear(&w->by_edge);
	map_clear(&w->by_site);
	map_clear(&w->by_callee);
	w->count = w->left_out = 0;
	w->first_ns = w->last_ns = w->calls = 0;
	w->looked = false;
}

/* --- keys ------------------------------------------------------------------------------------- */

/* 32 bits of an address; functions without one (of many, none) are numbered down from the top. */
static uint64_t code_of(const struct profile *p, uint32_t function)
{
	uint64_t address = PROFILE_REST + 1;

	if (function != PROFILE_NONE)
		address = p->functions[function].address;
	return address < PROFILE_RUNTIME ? address : UINT32_MAX - (address - PROFILE_RUNTIME);
}

static uint64_t edge_code(const struct profile *p, const struct profile_edge *e)
{
	return code_of(p, e->from) << 32 | code_of(p, e->to);
}

/* The call site whose longest call is its edge's. */
static const struct profile_site *longest_site(const struct profile *p,
					       const struct profile_edge *e)
{
	for (uint32_t i = e->first_site; i != PROFILE_NONE; i = p->sites[i].next) {
		if (profile_site_range(&p->sites[i]) && profile_site_shown(p, i).max == e->max)
			return &p->sites[i];
	}
	return NULL;
}

static uint64_t site_key(const struct profile_site *s)
{
	return (uint64_t)s->from << 32 | s->to;
}

/* --- the way up ------------------------------------------------------------------------------- */

static bool edge_costs_more(const struct profile_edge *a, const struct profile_edge *b)
{
	return a->total != b->total ? a->total > b->total : a->calls > b->calls;
}

/* For all functions at once: one function may have ten thousand callers and be on many ways. */
static int ways_find(struct worst *w, const struct profile *p)
{
	if (mem_grow(&w->ways, &w->way_cap, p->function_count, sizeof(*w->ways)) < 0)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->function_count; i++)
		w->ways[i] = (struct worst_way){ PROFILE_NONE, 0 };
	for (uint32_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];
		struct worst_way *way = &w->ways[e->to];

		if (e->from == e->to)
			continue;
		way->callers++;
		if (way->edge == PROFILE_NONE || edge_costs_more(e, &p->edges[way->edge]))
			way->edge = i;
	}
	return 0;
}

static bool path_holds(const struct worst_call *c, uint64_t address)
{
	for (size_t i = 0; i < c->path_length; i++) {
		if (c->path[i] == address)
			return true;
	}
	return false;
}

static void path_take(const struct worst *w, const struct profile *p, uint32_t edge,
		      struct worst_call *c)
{
	const struct profile_edge *e = &p->edges[edge];
	bool certain = true;

	c->path_length = c->certain = 0;
	c->top = e->flags & ROW_HANDLER ? WORST_HANDLER : WORST_ROOT;
	while (e->from != PROFILE_NONE) {
		const struct worst_way *way = &w->ways[e->from];
		uint64_t address = p->functions[e->from].address;

		c->top = WORST_DEEPER;
		if (c->path_length == WORST_PATH || path_holds(c, address))
			return;
		c->path[c->path_length++] = address;
		c->certain += certain;
		certain = certain && way->callers <= 1;
		c->top = WORST_ROOT;
		if (way->edge == PROFILE_NONE)
			return;
		e = &p->edges[way->edge];
		if (e->from == PROFILE_NONE && e->flags & ROW_HANDLER)
			c->top = WORST_HANDLER;
	}
}

/* --- latching --------------------------------------------------------------------------------- */

static struct worst_entry *entry_new(struct worst *w, uint64_t key)
{
	if (w->count == WORST_EDGES) {
		w->left_out++;
		return NULL;
	}
	if (mem_grow(&w->entries, &w->cap, w->count + 1, sizeof(*w->entries)) < 0 ||
	    map_put(&w->by_edge, key, (uint32_t)w->count) < 0)
		return NULL;
	w->entries[w->count] = (struct worst_entry){ .edge = key };
	return &w->entries[w->count++];
}

static struct worst_entry *entry_get(const struct worst *w, const struct map *m, uint64_t key)
{
	uint32_t i = map_get(m, key);

	return i < w->count ? &w->entries[i] : NULL;
}

/* Entries are made in the order of edges, as a rule. */
static struct worst_entry *entry_of_edge(const struct worst *w, uint32_t edge, uint64_t key)
{
	if (edge < w->count && w->entries[edge].edge == key)
		return &w->entries[edge];
	return entry_get(w, &w->by_edge, key);
}

/* A new edge may be an old one whose functions have got other addresses. */
static bool entry_inherit(struct worst *w, struct worst_entry *entry,
			  const struct profile_site *site, uint64_t ticks)
{
	const struct worst_entry *old = site ? entry_get(w, &w->by_site, site_key(site)) : NULL;

	if (!old || old == entry || old->bar < ticks)
		return false;
	entry->call = old->call;
	entry->bar = old->bar;
	entry->told = old->told;
	entry->site = old->site;
	entry->kept = old->kept;
	return true;
}

/* A callee's longest call is the longest of its edges. */
static void callee_note(struct worst *w, struct worst_entry *entry, uint64_t callee)
{
	const struct worst_entry *best = entry_get(w, &w->by_callee, callee);

	entry->callee = callee;
	if (entry->call.seconds > 0 && (!best || entry->call.seconds > best->call.seconds))
		map_put(&w->by_callee, callee, (uint32_t)(entry - w->entries));
}

/* The same where the longest of them became shorter. */
static void callee_note_all(struct worst *w, uint64_t callee)
{
	const struct worst_entry *best = NULL;

	for (size_t i = 0; i < w->count; i++)
		if (w->entries[i].callee == callee &&
		    (!best || w->entries[i].call.seconds > best->call.seconds))
			best = &w->entries[i];
	if (best)
		map_put(&w->by_callee, callee, (uint32_t)(best - w->entries));
}

/* As most are, look after look. */
static bool entry_stands(const struct worst_entry *entry, const struct profile *p,
			 const struct profile_edge *e)
{
	double seconds = profile_seconds(p, (double)e->max);

	return e->max == entry->bar && entry->callee == code_of(p, e->to) &&
	       !(entry->call.seconds < seconds) && !(entry->call.seconds > seconds);
}

static void entry_bar(const struct profile *p, const struct profile_edge *e,
		      struct worst_entry *entry)
{
	const struct profile_site *site = longest_site(p, e);

	entry->bar = e->max;
	entry->site = site ? site->from : 0;
	entry->told = site ? site->max : 0;
}

/*
 * What the image corrects of a duration depends on the calls made within, whose mean changes: the
 * edge's maximum moves with it, and no call is longer. The latched one has the figure of MAX.
 */
static bool entry_correct(struct worst *w, const struct profile *p, const struct profile_edge *e,
			  struct worst_entry *entry)
{
	const struct profile_site *site = entry->site ? longest_site(p, e) : NULL;

	if (!site || site->from != entry->site || site->max != entry->told)
		return false;
	entry->bar = e->max;
	if (entry->call.seconds > 0) {
		entry->call.seconds = profile_seconds(p, (double)e->max);
		callee_note(w, entry, code_of(p, e->to));
	}
	return true;
}

/*
 * Of a call trace all is accounted for again once more stamps tell how long its calls take: a
 * maximum that falls without a restart was an estimate.
 */
static bool entry_lower(struct worst *w, const struct profile *p, const struct profile_edge *e,
			struct worst_entry *entry)
{
	if (!p->fine_count || entry->kept || e->max >= entry->bar)
		return false;
	entry_bar(p, e, entry);
	if (entry->call.seconds > 0) {
		entry->call.seconds = profile_seconds(p, (double)e->max);
		callee_note_all(w, entry->callee);
	}
	return true;
}

static void entry_latch(struct worst *w, const struct profile *p, uint32_t edge,
			struct worst_entry *entry, bool is_new, uint64_t time_ns)
{
	const struct profile_edge *e = &p->edges[edge];
	const struct profile_site *site = longest_site(p, e);
	bool witnessed = w->looked && (!is_new || p->settled >= PROFILE_SETTLED);

	if (!(is_new && entry_inherit(w, entry, site, e->max))) {
		entry_bar(p, e, entry);
		entry->kept = false;
		entry->call = (struct worst_call){
			.seconds = profile_seconds(p, (double)e->max),
			.at_least = e->flags & ROW_MAX_AT_LEAST,
			.seen_ns = time_ns,
			.after_ns = witnessed ? w->last_ns : 0,
		};
	}
	entry->call.site = site ? site->from : 0;
	path_take(w, p, edge, &entry->call);
	callee_note(w, entry, code_of(p, e->to));
	if (site)
		map_put(&w->by_site, site_key(site), (uint32_t)(entry - w->entries));
}

static int edge_look(struct worst *w, const struct profile *p, uint32_t edge, bool *ways,
		     uint64_t time_ns)
{
	const struct profile_edge *e = &p->edges[edge];
	uint64_t key = edge_code(p, e);
	struct worst_entry *entry = entry_of_edge(w, edge, key);
	bool is_new = !entry;

	if (entry && entry_stands(entry, p, e))
		return 0;
	if (entry && (entry_correct(w, p, e, entry) || entry_lower(w, p, e, entry)))
		return 0;
	/* Shorter than before the user's reset: the node restarted. */
	if (entry && entry->call.seconds <= 0 && e->max < entry->bar)
		entry->bar = 0;
	if (entry && e->max <= entry->bar)
		return 0;
	if (!*ways && ways_find(w, p) < 0)
		return ERR_NOMEM;
	*ways = true;
	if (is_new)
		entry = entry_new(w, key);
	if (!entry)
		return w->count == WORST_EDGES ? 0 : ERR_NOMEM;
	entry_latch(w, p, edge, entry, is_new, time_ns);
	return 0;
}

static int edges_look(struct worst *w, const struct profile *p, uint64_t time_ns)
{
	bool ways = false;
	int ret = 0;

	w->left_out = 0;
	for (uint32_t i = 0; i < p->edge_count && ret == 0; i++) {
		if (profile_edge_range(&p->edges[i]) && p->edges[i].max)
			ret = edge_look(w, p, i, &ways, time_ns);
	}
	return ret;
}

/* If none of these changed, nothing was counted. */
static bool is_news(const struct worst *w, const struct profile *p)
{
	return p->totals.calls != w->calls || p->ticks_run != w->ticks_run ||
	       p->generation != w->generation;
}

int worst_look(struct worst *w, const struct profile *p, uint64_t time_ns)
{
	int ret = 0;

	if (p->dirty || p->terms.ticks_per_second <= 0)
		return 0;
	if (!w->looked || is_news(w, p))
		ret = edges_look(w, p, time_ns);
	if (!w->first_ns)
		w->first_ns = time_ns;
	w->calls = p->totals.calls;
	w->ticks_run = p->ticks_run;
	w->generation = p->generation;
	w->last_ns = time_ns;
	w->looked = true;
	return ret;
}

void worst_forget(struct worst *w, const struct profile *p)
{
	uint64_t first = w->first_ns, last = w->last_ns;
	bool looked = w->looked;

	worst_clear(w);
	w->first_ns = first;
	w->last_ns = last;
	w->looked = looked;
	for (uint32_t i = 0; i < p->edge_count; i++) {
		const struct profile_edge *e = &p->edges[i];
		struct worst_entry *entry;

		if (!profile_edge_range(e))
			continue;
		entry = entry_new(w, edge_code(p, e));
		if (entry)
			entry_bar(p, e, entry);
	}
	w->left_out = 0;
}

void worst_restart(struct worst *w)
{
	for (size_t i = 0; i < w->count; i++) {
		w->entries[i].kept = w->entries[i].call.seconds > 0;
		if (!w->entries[i].kept)
			w->entries[i].bar = w->entries[i].site = 0;
	}
}

/* --- asking ----------------------------------------------------------------------------------- */

static const struct worst_call *call_of(const struct worst_entry *entry)
{
	return entry && entry->call.seconds > 0 ? &entry->call : NULL;
}

const struct worst_call *worst_of_edge(const struct worst *w, const struct profile *p,
				       uint32_t edge)
{
	return call_of(entry_get(w, &w->by_edge, edge_code(p, &p->edges[edge])));
}

const struct worst_call *worst_of_function(const struct worst *w, const struct profile *p,
					   uint32_t function)
{
	return call_of(entry_get(w, &w->by_callee, code_of(p, function)));
}
