#include "core/fleet/rollout.h"

#include <math.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/fleet/chance.h"
#include "core/fleet/median.h"

/* Of what a function is told by: A's tables, B's, and what changed on nodes with both. */
enum side { SIDE_A, SIDE_B, SIDE_PAIR, SIDES };

struct tally {
	double sum, squares;		/* of what is compared; about its mean */
	size_t count;
};

struct rollout_function {
	double sum[2], mean;		/* of logarithms; A's mean, B's where A has none */
	struct tally of[SIDES];
};

/* A node's tables stand one behind the other: A's, then B's. */
struct rollout_tables {
	size_t from;
	uint32_t count[2];
	double median[SIDES];
};

struct trial {
	double ln;			/* of a share; of a pair, of B's by A's */
	uint32_t function;
};

enum stage { STAGE_MEANS, STAGE_SUMS, STAGE_SQUARES, STAGE_VERDICTS, STAGE_END };

/* How wide an interval is: of one comparison, most functions have the same degrees of freedom. */
struct width {
	double p, freedom, at;
};

struct rollout {
	struct rollout_function *functions;
	struct rollout_verdict *verdicts;
	size_t function_count;
	uint32_t *numbers;		/* functions of all tables' shares, */
	size_t number_cap;
	double *ln;			/* and their logarithms */
	size_t ln_cap, share_count;
	struct rollout_tables *nodes;
	size_t node_count, node_cap;
	struct trial *trials;		/* of a node and side */
	double *room;
	enum stage stage;
	size_t next;			/* node, or function */
	struct width width;
};

struct rollout *rollout_new(size_t functions)
{
	struct rollout *r = mem_zalloc(sizeof(*r));

	if (!r)
		return NULL;
	r->function_count = functions;
	r->functions = mem_zalloc((functions + 1) * sizeof(*r->functions));
	r->verdicts = mem_zalloc((functions + 1) * sizeof(*r->verdicts));
	r->trials = mem_alloc((functions + 1) * sizeof(*r->trials));
	r->room = mem_alloc((functions + 1) * sizeof(*r->room));
	if (r->functions && r->verdicts && r->trials && r->room)
		return r;
	rollout_free(r);
	return NULL;
}

void rollout_free(struct rollout *r)
{
	if (!r)
		return;
	mem_free(r->functions);
	mem_free(r->verdicts);
	mem_free(r->numbers);
	mem_free(r->ln);
	mem_free(r->nodes);
	mem_free(r->trials);
	mem_free(r->room);
	mem_free(r);
}

/* --- nodes come ------------------------------------------------------------------------------- */

static uint32_t shares_add(struct rollout *r, const struct odd_share *s, size_t n, enum side side)
{
	size_t before = r->share_count;

	for (size_t i = 0; i < n; i++) {
		struct rollout_function *f = &r->functions[s[i].function];

		if (!(s[i].share >= ODD_LEAST && s[i].calls >= 1))
			continue;
		r->numbers[r->share_count] = (uint32_t)s[i].function;
		r->ln[r->share_count] = log(s[i].share);
		f->sum[side] += r->ln[r->share_count++];
		f->of[side].count++;
	}
	return (uint32_t)(r->share_count - before);
}

int rollout_add(struct rollout *r, const struct rollout_node *n)
{
	size_t shares = r->share_count + n->a_count + n->b_count;
	struct rollout_tables *t;

	if (mem_grow(&r->nodes, &r->node_cap, r->node_count + 1, sizeof(*r->nodes)) < 0 ||
	    mem_grow(&r->numbers, &r->number_cap, shares, sizeof(*r->numbers)) < 0 ||
	    mem_grow(&r->ln, &r->ln_cap, shares, sizeof(*r->ln)) < 0)
		return ERR_NOMEM;
	t = &r->nodes[r->node_count++];
	*t = (struct rollout_tables){ .from = r->share_count };
	t->count[SIDE_A] = shares_add(r, n->a, n->a_count, SIDE_A);
	t->count[SIDE_B] = shares_add(r, n->b, n->b_count, SIDE_B);
	return 0;
}

/* --- shares push each other ------------------------------------------------------------------- */

/* Those of a table, against A's means. */
static size_t table_trials(const struct rollout *r, const struct rollout_tables *t, enum side side)
{
	size_t from = t->from + (side == SIDE_B ? t->count[SIDE_A] : 0), n = t->count[side];

	for (size_t i = 0; i < n; i++) {
		uint32_t function = r->numbers[from + i];

		r->trials[i] = (struct trial){
			r->ln[from + i] - r->functions[function].mean, function,
		};
	}
	return n;
}

/* Functions that both tables have. */
static size_t pair_trials(const struct rollout *r, const struct rollout_tables *t)
{
	size_t a = t->from, b = a + t->count[SIDE_A], a_end = b, b_end = b + t->count[SIDE_B];
	size_t n = 0;

	while (a < a_end && b < b_end) {
		if (r->numbers[a] == r->numbers[b])
			r->trials[n++] = (struct trial){ r->ln[b] - r->ln[a], r->numbers[a] };
		if (r->numbers[a] <= r->numbers[b]) {
			b += r->numbers[a] == r->numbers[b];
			a++;
		} else {
			b++;
		}
	}
	return n;
}

static size_t side_trials(const struct rollout *r, const struct rollout_tables *t, enum side side)
{
	return side == SIDE_PAIR ? pair_trials(r, t) : table_trials(r, t, side);
}

/* Each less the median over the functions of its table, or of the node's changes. */
static void node_sum(struct rollout *r, struct rollout_tables *t)
{
	for (enum side side = 0; side < SIDES; side++) {
		size_t n = side_trials(r, t, side);

		for (size_t i = 0; i < n; i++)
			r->room[i] = r->trials[i].ln;
		t->median[side] = n ? median_select(r->room, n) : 0;
		for (size_t i = 0; i < n; i++) {
			struct tally *of = &r->functions[r->trials[i].function].of[side];

			of->sum += r->trials[i].ln - t->median[side];
			of->count += side == SIDE_PAIR;
		}
	}
}

static double tally_mean(const struct tally *t)
{
	return t->count ? t->sum / (double)t->count : 0;
}

static void node_square(struct rollout *r, const struct rollout_tables *t)
{
	for (enum side side = 0; side < SIDES; side++) {
		size_t n = side_trials(r, t, side);

		for (size_t i = 0; i < n; i++) {
			struct tally *of = &r->functions[r->trials[i].function].of[side];

			of->squares += pow(r->trials[i].ln - t->median[side] - tally_mean(of), 2);
		}
	}
}

/* --- a function ------------------------------------------------------------------------------- */

static double width_at(struct width *w, double freedom)
{
	if (w->freedom != freedom)
		w->at = chance_student_at(w->p, freedom);
	w->freedom = freedom;
	return w->at;
}

static void verdict_close(struct rollout_verdict *v, double off, double error, double freedom,
			  struct width *w)
{
	double wide = width_at(w, freedom) * error;
	const double small = log1p(ROLLOUT_SMALL);

	v->times = exp(off);
	v->low = exp(off - wide);
	v->high = exp(off + wide);
	if (off - wide > -small && off + wide < small)
		v->kind = ROLLOUT_ALIKE;
	else if (off - wide > 0)
		v->kind = ROLLOUT_DEARER;
	else if (off + wide < 0)
		v->kind = ROLLOUT_CHEAPER;
}

/* The mean's variance. */
static double tally_variance(const struct tally *t)
{
	return t->squares / (double)(t->count - 1) / (double)t->count;
}

static bool pairs_judge(const struct tally *t, struct rollout_verdict *v, struct width *w)
{
	if (t->count < ROLLOUT_PAIRS)
		return false;
	v->paired = true;
	v->a = v->b = t->count;
	verdict_close(v, tally_mean(t), sqrt(tally_variance(t)), (double)t->count - 1, w);
	return true;
}

static void groups_judge(const struct tally *a, const struct tally *b, struct rollout_verdict *v,
			 struct width *w)
{
	double of_a, of_b, both;

	v->a = a->count;
	v->b = b->count;
	if (v->a < ROLLOUT_GROUP || v->b < ROLLOUT_GROUP)
		return;
	of_a = tally_variance(a);
	of_b = tally_variance(b);
	both = of_a + of_b;
	verdict_close(v, tally_mean(b) - tally_mean(a), sqrt(both), both > 0 ? both * both /
		      (of_a * of_a / (double)(v->a - 1) + of_b * of_b / (double)(v->b - 1)) :
		      (double)(v->a + v->b - 2), w);
}

static void verdict_judge(struct rollout *r, size_t function)
{
	const struct tally *of = r->functions[function].of;
	struct rollout_verdict *v = &r->verdicts[function];

	*v = (struct rollout_verdict){
		.times = (double)NAN, .low = (double)NAN, .high = (double)NAN,
	};
	if (!pairs_judge(&of[SIDE_PAIR], v, &r->width))
		groups_judge(&of[SIDE_A], &of[SIDE_B], v, &r->width);
}

/* --- in pieces -------------------------------------------------------------------------------- */

/* What A's tables are against; and how many functions both builds have: so many may be judged. */
static void means_take(struct rollout *r)
{
	size_t shared = 0;

	for (size_t i = 0; i < r->function_count; i++) {
		struct rollout_function *f = &r->functions[i];
		enum side side = f->of[SIDE_A].count ? SIDE_A : SIDE_B;

		f->mean = f->of[side].count ? f->sum[side] / (double)f->of[side].count : 0;
		shared += f->of[SIDE_A].count && f->of[SIDE_B].count;
	}
	r->width.p = ROLLOUT_FALSE / (double)(shared ? shared : 1);
}

bool rollout_step(struct rollout *r)
{
	size_t end = r->stage == STAGE_MEANS ? 1 :
		     r->stage == STAGE_VERDICTS ? r->function_count : r->node_count;

	if (r->stage == STAGE_END)
		return false;
	if (r->next == end) {
		r->stage++;
		r->next = 0;
		return true;
	}
	if (r->stage == STAGE_MEANS)
		means_take(r);
	else if (r->stage == STAGE_SUMS)
		node_sum(r, &r->nodes[r->next]);
	else if (r->stage == STAGE_SQUARES)
		node_square(r, &r->nodes[r->next]);
	else
		verdict_judge(r, r->next);
	r->next++;
	return true;
}

const struct rollout_verdict *rollout_verdicts(const struct rollout *r)
{
	return r->verdicts;
}
