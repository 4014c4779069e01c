#include "core/export/snapshot.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/file.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/sorted.h"
#include "core/base/text.h"
#include "core/profile/raw/copy.h"

#define NAME_MAX_ 4096

struct reader {
	const cJSON *root;
	struct profile *p;
	uint32_t *by_address;		/* functions in order of address */
	struct map edges;		/* by their two functions */
};

bool snapshot_is(const char *head, size_t n)
{
	static const char key[] = "\"wsntop\"";
	size_t i = 0;

	while (i < n && isspace((unsigned char)head[i]))
		i++;
	if (i == n || head[i++] != '{')
		return false;
	while (i < n && isspace((unsigned char)head[i]))
		i++;
	return n - i >= sizeof(key) - 1 && !memcmp(head + i, key, sizeof(key) - 1);
}

/* --- members ---------------------------------------------------------------------------------- */

/* NaN: missing, null, or no number that can be. */
static double member_number(const cJSON *o, const char *key)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, key);

	return cJSON_IsNumber(m) && isfinite(m->valuedouble) ? m->valuedouble : (double)NAN;
}

static double not_negative(const cJSON *o, const char *key)
{
	double v = member_number(o, key);

	return v >= 0 ? v : (double)NAN;
}

/* 0 where it is missing; beyond 2^63 nobody counts. */
static uint64_t member_count(const cJSON *o, const char *key)
{
	double v = not_negative(o, key);

	return isnan(v) ? 0 : v < 9.2e18 ? (uint64_t)v : INT64_MAX;
}

static uint32_t member_count32(const cJSON *o, const char *key)
{
	uint64_t n = member_count(o, key);

	return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static bool member_flag(const cJSON *o, const char *key)
{
	return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, key));
}

static bool is_known(const cJSON *o, const char *key)
{
	return !isnan(member_number(o, key));
}

/* Visible and in the profile's arena; NULL: missing (or no memory: *failed). */
static const char *member_text(struct reader *r, const cJSON *o, const char *key, bool *failed)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, key);
	char visible[NAME_MAX_];
	const char *kept;

	if (!cJSON_IsString(m) || !m->valuestring)
		return NULL;
	text_visible(visible, sizeof(visible), m->valuestring, strlen(m->valuestring));
	kept = arena_str(&r->p->arena, visible);
	*failed |= !kept;
	return kept;
}

static const cJSON *member_list(const cJSON *root, const char *key)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(root, key);

	return cJSON_IsArray(m) ? m->child : NULL;
}

static size_t list_length(const cJSON *first)
{
	size_t n = 0;

	for (; first; first = first->next)
		n++;
	return n;
}

/* --- functions -------------------------------------------------------------------------------- */

static enum profile_time time_of(const cJSON *o)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, "time");

	if (!cJSON_IsString(m))
		return PROFILE_TIME_NONE;
	return !strcmp(m->valuestring, "timed") ? PROFILE_TIME_TIMED :
	       !strcmp(m->valuestring, "sampled") ? PROFILE_TIME_SAMPLED : PROFILE_TIME_NONE;
}

static uint16_t range_flags(const cJSON *o)
{
	return (uint16_t)((member_flag(o, "min_at_least") ? ROW_MIN_AT_LEAST : 0) |
			  (member_flag(o, "max_at_least") ? ROW_MAX_AT_LEAST : 0));
}

/* What has none in an export has a number in its edges (PROFILE_RUNTIME, core/import/picture.c). */
static uint64_t address_of(const cJSON *o, const char *name, size_t index)
{
	uint64_t a = member_count(o, "address");

	if (is_known(o, "address") && a < PROFILE_RUNTIME)
		return a;
	if (is_known(o, "edges_address"))
		return member_count(o, "edges_address");
	if (name && !strcmp(name, PROFILE_RUNTIME_NAME))
		return PROFILE_RUNTIME;
	return name && !strcmp(name, PROFILE_REST_NAME) ? PROFILE_REST : PROFILE_REST + 1 + index;
}

/* "self_estimate_s": [low, self, high]. */
static double slack_of(const cJSON *o, double self_s)
{
	const cJSON *e = cJSON_GetObjectItemCaseSensitive(o, "self_estimate_s");
	const cJSON *low = cJSON_GetArrayItem(e, 0), *high = cJSON_GetArrayItem(e, 2);
	double slack;

	if (!cJSON_IsNumber(low) || !cJSON_IsNumber(high))
		return 0;
	slack = fmax(self_s - low->valuedouble, high->valuedouble - self_s);
	return slack > 0 ? slack : 0;
}

static void function_times(struct profile_function *f, const cJSON *o)
{
	bool sampled = f->time == PROFILE_TIME_SAMPLED;

	f->self_s = not_negative(o, "self_s");
	f->incomplete = member_flag(o, "incomplete");
	f->total_s = not_negative(o, sampled && is_known(o, "propagated_s") ? "propagated_s" :
				     "total_s");
	f->min_s = not_negative(o, "min_s");
	f->max_s = not_negative(o, "max_s");
	f->has_minmax = f->min_s <= f->max_s;
	f->min = member_count(o, "min_ticks");
	f->max = member_count(o, "max_ticks");
	f->self_ticks = (int64_t)member_count(o, "self_ticks");
	f->total_ticks = (int64_t)member_count(o, "total_ticks");
	f->per_call_s = not_negative(o, "per_call_s");
	if (isnan(f->per_call_s) && f->calls && !f->recursive)	/* older snapshots lack it */
		f->per_call_s = f->total_s / (double)f->calls;
	f->rate_calls = not_negative(o, "calls_per_s");
	f->rate_self = not_negative(o, "load");
	f->age_s = (float)fmax(0, not_negative(o, "rows_age_s"));	/* fmax: not there, 0 */
	f->self_slack_s = slack_of(o, f->self_s);
}

/*
 * The other end of an edge of a function that passed the snapshot's filter: its name is all that is
 * known. `listed`: the functions so far, by address. False: no memory.
 */
static bool end_add(struct reader *r, const cJSON *edge, const char *name, const char *address,
		    struct map *listed)
{
	struct profile *p = r->p;
	bool failed = false;
	struct profile_function f = {
		.image_id = IMAGE_NONE, .first_out = PROFILE_NONE, .first_in = PROFILE_NONE,
		.address = member_count(edge, address),
	};

	if (!is_known(edge, address) || map_get(listed, f.address) != MAP_NONE)
		return true;
	f.name = member_text(r, edge, name, &failed);
	function_times(&f, NULL);
	if (!f.name)
		return !failed;
	p->functions[p->function_count] = f;
	return map_put(listed, f.address, (uint32_t)p->function_count++) == 0;
}

static int ends_add(struct reader *r)
{
	struct map listed;
	bool ok = true;

	map_init(&listed);
	for (uint32_t i = 0; ok && i < r->p->function_count; i++)
		ok = map_put(&listed, r->p->functions[i].address, i) == 0;
	for (const cJSON *o = member_list(r->root, "edges"); ok && o; o = o->next)
		ok = end_add(r, o, "from", "from_address", &listed) &&
		     end_add(r, o, "to", "to_address", &listed);
	map_release(&listed);
	return ok ? 0 : ERR_NOMEM;
}

/* False: no memory. An entry without a name is none. */
static bool function_add(struct reader *r, const cJSON *o)
{
	struct profile *p = r->p;
	bool failed = false;
	struct profile_function f = {
		.image_id = IMAGE_NONE, .first_out = PROFILE_NONE, .first_in = PROFILE_NONE,
		.line = member_count32(o, "line"), .time = time_of(o),
		.called = is_known(o, "calls"), .calls = member_count(o, "calls"),
		.samples = member_count(o, "samples"), .sites = member_count32(o, "sites"),
		.cycle = member_count32(o, "cycle"), .recursive = member_flag(o, "recursive"),
		.flags = (uint16_t)(range_flags(o) | (member_flag(o, "handler") ? ROW_HANDLER : 0)),
	};

	f.name = member_text(r, o, "name", &failed);
	f.file = member_text(r, o, "file", &failed);
	f.path = member_text(r, o, "path", &failed);
	f.address = address_of(o, f.name, p->function_count);
	function_times(&f, o);
	if (f.name)
		p->functions[p->function_count++] = f;
	return !failed;
}

static int by_address(const void *a, const void *b, void *ctx)
{
	const struct profile_function *f = ctx;
	uint64_t fa = f[*(const uint32_t *)a].address, fb = f[*(const uint32_t *)b].address;

	return (fa > fb) - (fa < fb);
}

static int functions_read(struct reader *r)
{
	const cJSON *first = member_list(r->root, "functions");
	size_t n = list_length(first);

	if (r->p->filter)
		n += 2 * list_length(member_list(r->root, "edges"));
	r->p->functions = mem_zalloc((n + 1) * sizeof(*r->p->functions));
	r->by_address = mem_alloc((n + 1) * sizeof(*r->by_address));
	if (!r->p->functions || !r->by_address)
		return ERR_NOMEM;
	for (const cJSON *o = first; o; o = o->next)
		if (!function_add(r, o))
			return ERR_NOMEM;
	if (r->p->filter && ends_add(r) < 0)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < r->p->function_count; i++) {
		struct profile_function *f = &r->p->functions[i];

		r->by_address[i] = i;
		if (f->cycle > r->p->function_count)
			f->cycle = 0;		/* they are numbered from 1 on */
	}
	if (r->p->function_count)
		qsort_r(r->by_address, r->p->function_count, sizeof(*r->by_address), by_address,
			r->p->functions);
	return 0;
}

/* The last one that begins at this address or before; PROFILE_NONE. */
static uint32_t function_around(const struct reader *r, uint64_t address)
{
	size_t next = SORTED_WHERE(r->p->function_count, i,
				   r->p->functions[r->by_address[i]].address <= address);

	return next ? r->by_address[next - 1] : PROFILE_NONE;
}

/* --- edges and sites -------------------------------------------------------------------------- */

static uint64_t ticks_of(const struct reader *r, const cJSON *o, const char *ticks,
			 const char *seconds)
{
	double s = not_negative(o, seconds);

	if (is_known(o, ticks))
		return member_count(o, ticks);
	s *= r->p->terms.ticks_per_second;
	return s < 9.2e18 ? (uint64_t)s : 0;
}

static bool is_timed(const cJSON *o)
{
	return is_known(o, "total_ticks");
}

/* A range that is not known has min above max (profile_edge_range). */
static void range_of(const struct reader *r, const cJSON *o, uint64_t *min, uint64_t *max)
{
	bool known = not_negative(o, "min_s") <= not_negative(o, "max_s");

	*min = known ? ticks_of(r, o, "min_ticks", "min_s") : UINT64_MAX;
	*max = known ? ticks_of(r, o, "max_ticks", "max_s") : 0;
}

static uint64_t edge_key(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

/* Functions by an edge's own addresses: exactly these. */
static uint32_t function_at(const struct reader *r, const cJSON *o, const char *key)
{
	uint64_t address = member_count(o, key);
	uint32_t i = is_known(o, key) ? function_around(r, address) : PROFILE_NONE;

	return i != PROFILE_NONE && r->p->functions[i].address == address ? i : PROFILE_NONE;
}

static bool edge_add(struct reader *r, const cJSON *o)
{
	struct profile *p = r->p;
	uint32_t i = (uint32_t)p->edge_count;
	struct profile_edge e = {
		.from = function_at(r, o, "from_address"),
		.to = function_at(r, o, "to_address"),
		.sites = member_count32(o, "sites"),
		.first_site = PROFILE_NONE,
		.next_out = PROFILE_NONE,
		.next_in = PROFILE_NONE,
		.timed = is_timed(o),
		.flags = range_flags(o),
		.calls = member_count(o, "calls"),
		.total = member_count(o, "total_ticks"),
		.total_s = not_negative(o, "total_s"),
	};

	/* One whose caller is known by name, but is not there, is nobody's. */
	if (e.to == PROFILE_NONE || (e.from == PROFILE_NONE && is_known(o, "from_address")) ||
	    map_get(&r->edges, edge_key(e.from, e.to)) != MAP_NONE)
		return true;
	range_of(r, o, &e.min, &e.max);
	e.next_in = p->functions[e.to].first_in;
	p->functions[e.to].first_in = i;
	if (e.from != PROFILE_NONE) {
		e.next_out = p->functions[e.from].first_out;
		p->functions[e.from].first_out = i;
	}
	p->edges[p->edge_count++] = e;
	return map_put(&r->edges, edge_key(e.from, e.to), i) == 0;
}

static int edges_read(struct reader *r)
{
	const cJSON *first = member_list(r->root, "edges");

	r->p->edges = mem_zalloc((list_length(first) + 1) * sizeof(*r->p->edges));
	if (!r->p->edges)
		return ERR_NOMEM;
	for (const cJSON *o = first; o; o = o->next)
		if (!edge_add(r, o))
			return ERR_NOMEM;
	return 0;
}

/*
 * The counts by duration; the bounds, which are the same everywhere, from the first that has them.
 */
static void buckets_read(struct profile *p, const cJSON *o, struct profile_buckets *b)
{
	const cJSON *item = member_list(o, "histogram");
	uint64_t below[WIRE_BUCKETS - 1] = { 0 };
	double tps = p->terms.ticks_per_second;

	for (size_t i = 0; item && i < WIRE_BUCKETS; i++, item = item->next) {
		const cJSON *upper = cJSON_GetArrayItem(item, 0);
		const cJSON *calls = cJSON_GetArrayItem(item, 1);
		double n = cJSON_IsNumber(calls) ? calls->valuedouble : 0;
		double s = cJSON_IsNumber(upper) ? upper->valuedouble * tps : 0;

		b->calls[i] = n > 0 && n < 9.2e18 ? (uint64_t)n : 0;
		if (i < WIRE_BUCKETS - 1)
			below[i] = s > 0 && s < 9.2e18 ? (uint64_t)(s + 0.5) : 0;
	}
	for (size_t i = 1; i < WIRE_BUCKETS - 1; i++)
		if (below[i] < below[i - 1])
			return;
	if (below[0] && !p->terms.bucket_below[0])
		memcpy(p->terms.bucket_below, below, sizeof(below));
}

/*
 * A return address is behind its call: the caller is the function around the byte before it. Where
 * no image named it, the caller is the return address itself. PROFILE_NONE: called from no place.
 */
static uint32_t site_caller(const struct reader *r, const cJSON *o)
{
	const cJSON *name = cJSON_GetObjectItemCaseSensitive(o, "from");
	uint64_t address = member_count(o, "address");
	uint32_t at = function_around(r, address);

	if (!cJSON_IsString(name) || !is_known(o, "address") || !address)
		return PROFILE_NONE;
	if (at != PROFILE_NONE && r->p->functions[at].address == address &&
	    !strcmp(r->p->functions[at].name, name->valuestring))
		return at;
	return function_around(r, address - 1);
}

static uint32_t site_edge(const struct reader *r, const cJSON *o)
{
	uint32_t from = site_caller(r, o), to = function_around(r, member_count(o, "to_address"));

	return to == PROFILE_NONE ? PROFILE_NONE : map_get(&r->edges, edge_key(from, to));
}

static void site_add(struct reader *r, const cJSON *o)
{
	struct profile *p = r->p;
	uint32_t i = (uint32_t)p->site_count, edge = site_edge(r, o);
	struct profile_site s = {
		.from = member_count32(o, "address"),
		.to = member_count32(o, "to_address"),
		.calls = member_count(o, "calls"),
		.total = member_count(o, "total_ticks"),
		.timed = is_timed(o),
		.edge = edge,
		.flags = range_flags(o),
	};

	if (edge >= p->edge_count)
		return;
	range_of(r, o, &s.min, &s.max);
	s.next = p->edges[edge].first_site;
	p->edges[edge].first_site = i;
	buckets_read(p, o, &p->buckets[i]);
	p->sites[p->site_count++] = s;
}

static int sites_read(struct reader *r)
{
	const cJSON *first = member_list(r->root, "sites");
	size_t n = list_length(first);

	r->p->sites = mem_zalloc((n + 1) * sizeof(*r->p->sites));
	r->p->buckets = mem_zalloc((n + 1) * sizeof(*r->p->buckets));
	if (!r->p->sites || !r->p->buckets)
		return ERR_NOMEM;
	for (const cJSON *o = first; o; o = o->next)
		site_add(r, o);
	r->p->bucket_count = r->p->site_count;
	return 0;
}

/* --- places ----------------------------------------------------------------------------------- */

/* By function: one behind those of a later function is left out. */
static bool place_add(struct reader *r, const cJSON *o)
{
	struct profile *p = r->p;
	const struct profile_place *last = p->place_count ? &p->places[p->place_count - 1] : NULL;
	const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(o, "path"));
	bool failed = false;
	struct profile_place place = {
		.line = member_count32(o, "line"), .function = function_at(r, o, "from_address"),
		.edge = PROFILE_NONE, .calls = member_count(o, "calls"),
		.samples = member_count(o, "samples"), .ticks = member_count(o, "ticks"),
	};

	if (is_known(o, "to_address"))
		place.edge = map_get(&r->edges, edge_key(place.function,
							 function_at(r, o, "to_address")));
	if (place.function == PROFILE_NONE || (last && last->function > place.function) ||
	    (is_known(o, "to_address") && place.edge >= p->edge_count))
		return true;
	place.path = last && last->path && path && !strcmp(last->path, path) ? last->path :
		     member_text(r, o, "path", &failed);
	p->places[p->place_count++] = place;
	return !failed;
}

static int places_read(struct reader *r)
{
	const cJSON *first = member_list(r->root, "places");
	bool ok;

	r->p->places = mem_zalloc((list_length(first) + 1) * sizeof(*r->p->places));
	ok = r->p->places != NULL;
	for (const cJSON *o = first; o && ok; o = o->next)
		ok = place_add(r, o);
	return ok ? 0 : ERR_NOMEM;
}

/* --- lines ------------------------------------------------------------------------------------ */

static uint32_t hash_of(const cJSON *o)
{
	const cJSON *m = cJSON_GetObjectItemCaseSensitive(o, "text_hash");

	return cJSON_IsString(m) ? (uint32_t)strtoul(m->valuestring, NULL, 16) : 0;
}

static int lines_read(struct reader *r)
{
	const cJSON *first = member_list(r->root, "lines");
	struct profile *p = r->p;

	p->lines = mem_zalloc((list_length(first) + 1) * sizeof(*p->lines));
	if (!p->lines)
		return ERR_NOMEM;
	for (const cJSON *o = first; o; o = o->next) {
		struct profile_line l = {
			.function = function_at(r, o, "function_address"),
			.line = member_count32(o, "line"), .text = hash_of(o),
			.samples = member_count(o, "samples"),
			.calls = member_count(o, "calls_made"),
			.self_s = not_negative(o, "self_s"),
		};

		if (l.function != PROFILE_NONE && l.line)
			p->lines[p->line_count++] = l;
	}
	return 0;
}

/* --- the whole -------------------------------------------------------------------------------- */

static double or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

static int profile_rename(struct profile *p, const char *name)
{
	char *copy = mem_strdup(name);

	if (!copy)
		return ERR_NOMEM;
	mem_free((char *)p->name);
	p->name = copy;
	return 0;
}

/* All but bucket_below: buckets_read. */
static struct profile_terms terms_read(const cJSON *root, const cJSON *node)
{
	const cJSON *hooks = cJSON_GetObjectItemCaseSensitive(node, "hooks");
	const cJSON *report = cJSON_GetObjectItemCaseSensitive(root, "report");
	double hz = not_negative(node, "hz");
	struct profile_terms t = {
		.ticks_per_second = or_zero(not_negative(node, "ticks_per_second")),
		.hz = hz > 0 ? hz : 1000,
		.max_sites = member_count(report, "max_sites"),
		.gathers = member_flag(node, "rows_in_turn"),
		.correct = member_flag(root, "estimate"),
		.table_full = member_flag(report, "table_full"),
		.incomplete = cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(report, "complete")),
	};

	t.spread = or_zero(not_negative(hooks, "spread_s")) * t.ticks_per_second;
	/* Older snapshots lack it: rows come in turn from whoever says HELLO, which fills hooks. */
	if (!cJSON_HasObjectItem(node, "rows_in_turn"))
		t.gathers = cJSON_IsObject(hooks);
	return t;
}

static int node_read(struct reader *r)
{
	const cJSON *node = cJSON_GetObjectItemCaseSensitive(r->root, "node");
	double wall = member_number(node, "wall_s");
	struct profile *p = r->p;
	bool failed = false;
	const char *name;

	p->terms = terms_read(r->root, node);
	p->totals.run_s = member_number(node, "profiled_s");
	p->pace = wall > 0 ? p->totals.run_s / wall : (double)NAN;
	name = member_text(r, node, "name", &failed);
	if (failed || profile_rename(p, name ? name : "") < 0)
		return ERR_NOMEM;
	return 0;
}

/* A pattern that is none leaves the snapshot as it is. */
static const cJSON *filter_read(struct reader *r)
{
	const cJSON *filter = cJSON_GetObjectItemCaseSensitive(r->root, "filter");
	const char *pattern =
		cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(filter, "pattern"));

	if (pattern && strlen(pattern) < NAME_MAX_)
		r->p->filter = regex_new(pattern, &(struct err){ 0 });
	return r->p->filter ? filter : NULL;
}

/* Those that were left out are in the sums. */
static void totals_fill_up(struct profile_totals *t, const cJSON *filter)
{
	uint64_t calls = member_count(filter, "calls"), samples = member_count(filter, "samples");

	t->calls = calls > t->calls ? calls : t->calls;
	t->samples = samples > t->samples ? samples : t->samples;
	t->self_s = fmax(t->self_s, not_negative(filter, "self_s"));	/* fmax: NaN is none */
}

static void totals_add(struct profile *p, const cJSON *filter)
{
	struct profile_totals *t = &p->totals;
	bool timed = false;

	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		timed |= f->time == PROFILE_TIME_TIMED;
		t->samples += f->samples < UINT64_MAX - t->samples ? f->samples : 0;
		t->calls += f->calls < UINT64_MAX - t->calls ? f->calls : 0;
		t->self_s += or_zero(f->self_s);
	}
	totals_fill_up(t, filter);
	t->shares_s = t->self_s;
	t->time = timed ? PROFILE_TIME_TIMED :
		  t->samples ? PROFILE_TIME_SAMPLED : PROFILE_TIME_NONE;
	t->both = timed && t->samples;
	t->profiled_s = t->self_s > t->run_s ? t->run_s : t->self_s;
}

static int read_all(struct reader *r)
{
	const cJSON *filter = filter_read(r);

	if (node_read(r) < 0 || functions_read(r) < 0 || edges_read(r) < 0 || sites_read(r) < 0 ||
	    places_read(r) < 0 || lines_read(r) < 0)
		return ERR_NOMEM;
	totals_add(r->p, filter);
	return 0;
}

static struct profile *profile_of(const cJSON *root, struct err *err)
{
	struct reader r = { .root = root, .p = mem_zalloc(sizeof(*r.p)) };
	int ret = ERR_NOMEM;

	map_init(&r.edges);
	if (r.p && profile_init(r.p, "") == 0) {
		r.p->dirty = r.p->rebuild = false;
		r.p->picture = true;
		ret = read_all(&r);
	}
	map_release(&r.edges);
	mem_free(r.by_address);
	if (ret < 0) {
		profile_drop(r.p);
		err_set(err, ERR_NOMEM, "out of memory: the snapshot is not read");
		return NULL;
	}
	return r.p;
}

struct profile *snapshot_parse(const char *data, size_t n, struct err *err)
{
	struct profile *p = NULL;
	cJSON *root = cJSON_ParseWithLength(data, n);

	if (!cJSON_IsNumber(cJSON_GetObjectItemCaseSensitive(root, "wsntop")))
		err_set(err, ERR_FORMAT, "not a wsntop snapshot");
	else if (!member_list(root, "functions"))
		err_set(err, ERR_FORMAT,
			"the snapshot has no functions: nothing to compare");
	else
		p = profile_of(root, err);
	cJSON_Delete(root);
	return p;
}

struct profile *snapshot_read(const char *path, struct err *err)
{
	struct err why = { 0 };
	struct profile *p = NULL;
	size_t n = 0;
	char *data = file_read(path, SNAPSHOT_MAX, &n, err);

	if (!data)
		return NULL;
	p = snapshot_parse(data, n, &why);
	if (!p)
		err_set(err, why.code, "%s: %s", path, why.text);
	mem_free(data);
	return p;
}
