#include "core/profile/look/compare.h"

#include <math.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/profile/look/noise.h"
#include "core/profile/look/pair.h"

#define COMPARE_CALL_PARTS 10	/* of the least load, that a call's change must cost */

void compare_release(struct compare *c)
{
	mem_free(c->rows);
	mem_free(c->edges);
	mem_free(c->figures);
	*c = (struct compare){ 0 };
}

/* --- values ----------------------------------------------------------------------------------- */

static enum compare_verdict change_verdict(double then, double now, double noise)
{
	double change = now - then;

	if (isnan(change) || isnan(noise))
		return COMPARE_UNKNOWN;
	if (fabs(change) <= COMPARE_SURE * noise ||
	    fabs(change) <= COMPARE_LEAST * fmax(fabs(then), fabs(now)))
		return COMPARE_SAME;
	return change > 0 ? COMPARE_WORSE : COMPARE_BETTER;
}

static struct compare_value value_of_both(const struct noise_figure *then,
					  const struct noise_figure *now)
{
	struct compare_value v = {
		.then = then->value, .now = now->value, .noise = hypot(then->sigma, now->sigma),
	};

	v.verdict = change_verdict(v.then, v.now, v.noise);
	return v;
}

/* In one of the two profiles alone; with a value of 0 in neither. */
static struct compare_value value_of_one(const struct noise_figure *there,
					 enum compare_verdict verdict)
{
	double then = verdict == COMPARE_GONE ? there->value : (double)NAN;
	double now = verdict == COMPARE_NEW ? there->value : (double)NAN;

	return (struct compare_value){
		.then = then, .now = now, .noise = there->sigma,
		.verdict = there->value > 0 ? verdict : COMPARE_UNKNOWN,
	};
}

/* Both may be NULL, but not at once. */
static void row_values(struct compare_row *row, const struct noise_figure *then,
		       const struct noise_figure *now)
{
	for (int m = 0; m < COMPARE_MEASURES; m++)
		row->value[m] = !then ? value_of_one(&now[m], COMPARE_NEW) :
				!now ? value_of_one(&then[m], COMPARE_GONE) :
					value_of_both(&then[m], &now[m]);
}

static double value_or_zero(double v)
{
	return isnan(v) ? 0 : v;
}

/* A function that is new or gone cost nothing then, or now. */
static void row_cost(struct compare_row *row)
{
	const struct compare_value *load = &row->value[COMPARE_LOAD];

	row->cost = NAN;
	if (load->verdict == COMPARE_UNKNOWN)
		return;
	row->cost = value_or_zero(load->now) - value_or_zero(load->then);
	row->sure = change_verdict(value_or_zero(load->then), value_or_zero(load->now),
				   load->noise) > COMPARE_SAME;
}

/* --- relevance -------------------------------------------------------------------------------- */

static bool is_worse_or_better(const struct compare_value *v)
{
	return v->verdict == COMPARE_WORSE || v->verdict == COMPARE_BETTER;
}

static bool value_moved(const struct compare_value *v, double share)
{
	return is_worse_or_better(v) && fabs(v->now - v->then) >= share * fabs(v->then);
}

static unsigned measures_relevant(const struct compare_row *row, const struct compare_least *least)
{
	const struct compare_value *v = row->value;
	bool times = v[COMPARE_LOAD].verdict != COMPARE_UNKNOWN ||
		     v[COMPARE_PER_CALL].verdict != COMPARE_UNKNOWN;
	bool load = row->sure && fabs(row->cost) >= least->load;
	bool call = value_moved(&v[COMPARE_PER_CALL], least->call) &&
		    !(fabs(row->cost) < least->load / COMPARE_CALL_PARTS);
	bool rate = value_moved(&v[COMPARE_RATE], least->call) && (load || !times);
	bool max = value_moved(&v[COMPARE_MAX], least->call);

	return (unsigned)load << COMPARE_LOAD | (unsigned)call << COMPARE_PER_CALL |
	       (unsigned)rate << COMPARE_RATE | (unsigned)max << COMPARE_MAX;
}

/* What the relevant measures agree on; where there are none, what is known at all. */
static enum compare_verdict verdict_agreed(const struct compare_row *row)
{
	enum compare_verdict verdict = COMPARE_UNKNOWN;

	for (int m = 0; m < COMPARE_MAX; m++) {
		enum compare_verdict its = row->value[m].verdict;

		if (!(row->relevant >> m & 1))
			its = its == COMPARE_UNKNOWN ? its : COMPARE_SAME;
		if (verdict > COMPARE_SAME && its > COMPARE_SAME && its != verdict)
			return COMPARE_MIXED;
		if (its > verdict)
			verdict = its;
	}
	return verdict;
}

/* Of a function or an edge that is in both. */
static void row_judge(struct compare_row *row, const struct compare_least *least)
{
	row->relevant = measures_relevant(row, least);
	for (int m = 0; m < COMPARE_MEASURES; m++)
		row->value[m].minor = is_worse_or_better(&row->value[m]) &&
				      !(row->relevant >> m & 1);
	row->relevant &= (1u << COMPARE_MAX) - 1;
	row->verdict = verdict_agreed(row);
}

/* Of one that is in one of the two alone. */
static void row_judge_alone(struct compare_row *row)
{
	row->verdict = COMPARE_UNKNOWN;
	for (int m = 0; m < COMPARE_MEASURES && row->verdict == COMPARE_UNKNOWN; m++)
		row->verdict = row->value[m].verdict;
}

/* Fewer calls have a shorter longest call by chance. */
static void max_doubt(struct compare_row *row, uint64_t calls_then, uint64_t calls_now)
{
	struct compare_value *max = &row->value[COMPARE_MAX];

	if (max->verdict == COMPARE_BETTER && calls_now < calls_then)
		max->verdict = COMPARE_SAME;
}

/*
 * New or gone with a few samples or a few calls only: by chance, too, or what runs at the start.
 * run: of the profile that it is not in.
 */
static bool is_chance(const struct compare_row *row, const struct profile_function *f,
		      double chains, double run)
{
	const struct compare_value *rate = &row->value[COMPARE_RATE];
	double there = row->then == PROFILE_NONE ? rate->now : rate->then;
	double least = COMPARE_SURE * COMPARE_SURE;	/* a count's deviation is its root */

	if (f->time == PROFILE_TIME_SAMPLED)
		return !row->sure && (!f->called || (double)f->calls <= least);
	if (!f->called || chains <= least)
		return f->called;
	/* None seen there: one may have been missed. */
	return there <= COMPARE_SURE * hypot(there / sqrt(chains), 1 / run);
}

/* Of a profile's image: a function that the profile lacks did not run; it is not gone. */
static bool is_in_image(const struct profile *p, const struct profile_function *f)
{
	uint32_t id = p->image ? image_find_name(p->image, f->name) : IMAGE_NONE;

	return id != IMAGE_NONE && image_function(p->image, id)->address == f->address;
}

/* A filter left it out of the profile that it is not in: what it was there is not known. */
static bool is_left_out(const struct profile *p, const struct profile_function *f)
{
	return p->filter && !regex_match(p->filter, f->name) &&
	       !(f->file && regex_match(p->filter, f->file));
}

static void row_forget(struct compare_row *row)
{
	for (int m = 0; m < COMPARE_MEASURES; m++)
		row->value[m].verdict = COMPARE_UNKNOWN;
	row->verdict = COMPARE_UNKNOWN;
	row->cost = NAN;
	row->sure = false;
}

static void row_doubt(struct compare_row *row)
{
	if (row->verdict == COMPARE_UNKNOWN)
		return;
	for (int m = 0; m < COMPARE_MEASURES; m++)
		if (row->value[m].verdict != COMPARE_UNKNOWN)
			row->value[m].verdict = COMPARE_SAME;
	row->verdict = COMPARE_SAME;
}

/* --- functions -------------------------------------------------------------------------------- */

struct figures {
	struct noise_figure of[COMPARE_MEASURES];
	double chains;			/* of a function */
};

struct sides {
	const struct profile *base;
	const struct compare_least *least;
	const struct figures *figures;	/* of the base: of its functions, then of its edges */
	struct noise now;
	uint32_t *then, *back;		/* partners: by function of now, of base */
};

/* The base's figures, computed once for each base. */
static int base_figures(struct compare *c, const struct profile *base, enum noise_scale scale)
{
	size_t n = base->function_count, edges = c->functions_alone ? 0 : base->edge_count;
	struct noise noise;
	struct figures *f;

	if (c->figures && c->base == base && c->figures_scale == scale)
		return 0;
	mem_free(c->figures);
	c->figures = f = mem_alloc((n + edges + 1) * sizeof(*f));
	if (!f || noise_init(&noise, base, scale) < 0)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < n; i++) {
		noise_function(&noise, i, f[i].of);
		f[i].chains = noise.chains[i];
	}
	for (uint32_t i = 0; i < edges; i++)
		noise_edge(&noise, i, f[n + i].of);
	noise_release(&noise);
	c->figures_scale = scale;
	return 0;
}

static void function_row(const struct sides *s, uint32_t then, uint32_t now,
			 struct compare_row *row)
{
	struct figures b;

	*row = (struct compare_row){ .then = then, .now = now };
	if (now != PROFILE_NONE)
		noise_function(&s->now, now, b.of);
	row_values(row, then == PROFILE_NONE ? NULL : s->figures[then].of,
		   now == PROFILE_NONE ? NULL : b.of);
	if (then != PROFILE_NONE && now != PROFILE_NONE)
		max_doubt(row, s->base->functions[then].calls, s->now.p->functions[now].calls);
	row_cost(row);
	if (then != PROFILE_NONE && now != PROFILE_NONE) {
		row_judge(row, s->least);
		return;
	}
	row_judge_alone(row);
	if (then == PROFILE_NONE ? is_left_out(s->base, &s->now.p->functions[now]) :
				   is_left_out(s->now.p, &s->base->functions[then]))
		row_forget(row);
	else if (then == PROFILE_NONE ?
	    is_chance(row, &s->now.p->functions[now], s->now.chains[now], noise_run(s->base)) :
	    is_chance(row, &s->base->functions[then], s->figures[then].chains,
		      noise_run(s->now.p)) ||
	    (is_in_image(s->now.p, &s->base->functions[then]) &&
	     fabs(row->cost) < s->least->load))
		row_doubt(row);
}

static int functions_build(struct compare *c, const struct sides *s)
{
	size_t most = c->now->function_count + c->base->function_count;

	c->count = 0;
	if (mem_grow(&c->rows, &c->cap, most + 1, sizeof(*c->rows)) < 0)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < c->now->function_count; i++)
		function_row(s, s->then[i], i, &c->rows[c->count++]);
	for (uint32_t i = 0; i < c->base->function_count; i++)
		if (s->back[i] == PROFILE_NONE)
			function_row(s, i, PROFILE_NONE, &c->rows[c->count++]);
	return 0;
}

/* --- edges ------------------------------------------------------------------------------------ */

static uint64_t functions_key(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

static int edges_index(const struct profile *base, struct map *m)
{
	for (uint32_t i = 0; i < base->edge_count; i++)
		if (map_put(m, functions_key(base->edges[i].from, base->edges[i].to), i) < 0)
			return ERR_NOMEM;
	return 0;
}

/* The base's edge between the same two functions. */
static uint32_t edge_then(const struct sides *s, const struct map *m, const struct profile_edge *e)
{
	uint32_t to = s->then[e->to], from = PROFILE_NONE;

	if (e->from != PROFILE_NONE) {
		from = s->then[e->from];
		if (from == PROFILE_NONE)
			return PROFILE_NONE;
	}
	return to == PROFILE_NONE ? PROFILE_NONE : map_get(m, functions_key(from, to));
}

static void edge_row(const struct sides *s, uint32_t then, uint32_t now, struct compare_row *row)
{
	struct figures b;

	*row = (struct compare_row){ .then = then, .now = now };
	noise_edge(&s->now, now, b.of);
	row_values(row, then == PROFILE_NONE ? NULL :
		   s->figures[s->base->function_count + then].of, b.of);
	if (then != PROFILE_NONE)
		max_doubt(row, s->base->edges[then].calls, s->now.p->edges[now].calls);
	row_cost(row);
	if (then == PROFILE_NONE)
		row_judge_alone(row);
	else
		row_judge(row, s->least);
}

static int edges_build(struct compare *c, const struct sides *s)
{
	struct map m;
	int ret = ERR_NOMEM;

	map_init(&m);
	c->edge_count = 0;
	if (edges_index(c->base, &m) < 0 ||
	    mem_grow(&c->edges, &c->edge_cap, c->now->edge_count + 1, sizeof(*c->edges)) < 0)
		goto out;
	for (uint32_t i = 0; i < c->now->edge_count; i++)
		edge_row(s, edge_then(s, &m, &c->now->edges[i]), i, &c->edges[c->edge_count++]);
	ret = 0;
out:
	map_release(&m);
	return ret;
}

/* --- the whole -------------------------------------------------------------------------------- */

static void totals_build(struct compare *c, const struct sides *s)
{
	double squares = 0, run = noise_seconds(c->base, c->figures_scale);

	for (size_t i = 0; i < COMPARE_VERDICTS; i++)
		c->verdicts[i] = 0;
	for (size_t i = 0; i < c->count; i++) {
		double noise = c->rows[i].value[COMPARE_LOAD].noise;

		c->verdicts[c->rows[i].verdict]++;
		squares += value_or_zero(noise) * value_or_zero(noise);
	}
	c->load = (struct compare_value){
		.then = c->base->totals.profiled_s / run,
		.now = c->now->totals.profiled_s / s->now.run,
		.noise = sqrt(squares),
	};
	c->load.verdict = change_verdict(c->load.then, c->load.now, c->load.noise);
}

/* The base's function of each function of now, from the last comparison. */
static void partners_guess(const struct compare *c, const struct profile *now, uint32_t *then)
{
	for (size_t i = 0; i < now->function_count; i++)
		then[i] = i < c->count ? c->rows[i].then : PROFILE_NONE;
}

int compare_build(struct compare *c, const struct profile *base, const struct profile *now,
		  const struct compare_least *least)
{
	enum noise_scale scale = noise_scale(base, now);
	struct sides s = { .base = base, .least = least ? least : &COMPARE_LEAST_DEFAULT };
	int ret = ERR_NOMEM;

	s.then = mem_alloc((now->function_count + 1) * sizeof(*s.then));
	s.back = mem_alloc((base->function_count + 1) * sizeof(*s.back));
	if (!s.then || !s.back || base_figures(c, base, scale) < 0 ||
	    noise_init(&s.now, now, scale) < 0)
		goto out;
	s.figures = c->figures;
	partners_guess(c, now, s.then);
	c->base = base;
	c->now = now;
	c->shares = scale == NOISE_SHARES;
	c->wall = scale == NOISE_WALL;
	if (pair_functions(base, now, s.then, s.back) < 0 || functions_build(c, &s) < 0 ||
	    (!c->functions_alone && edges_build(c, &s) < 0))
		goto out;
	totals_build(c, &s);
	ret = 0;
out:
	noise_release(&s.now);
	mem_free(s.then);
	mem_free(s.back);
	if (ret < 0)
		compare_release(c);
	return ret;
}

bool compare_is_same(const struct compare *c)
{
	for (size_t i = 0; i < COMPARE_VERDICTS; i++)
		if (i > COMPARE_SAME && c->verdicts[i])
			return false;
	return true;
}

const struct compare_row *compare_function(const struct compare *c, uint32_t function)
{
	return c && c->now && function < c->now->function_count && function < c->count ?
	       &c->rows[function] : NULL;
}

const struct compare_row *compare_edge(const struct compare *c, uint32_t edge)
{
	return c && edge < c->edge_count ? &c->edges[edge] : NULL;
}

const struct profile_function *compare_subject(const struct compare *c,
					       const struct compare_row *row)
{
	return row->now != PROFILE_NONE ? &c->now->functions[row->now] :
					  &c->base->functions[row->then];
}
