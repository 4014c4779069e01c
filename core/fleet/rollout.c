#include "core/fleet/rollout.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/err.h"
#include "core/base/mem.h"
#include "core/fleet/chance.h"

/* A function on a node with a build. */
struct trial {
	uint64_t function;
	uint32_t node;
	bool b;
	double ln;			/* of its share; of a pair, of B's by A's */
};

struct trials {
	struct trial *all;
	size_t count;
};

static int function_order(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;

	if (x->function != y->function)
		return x->function < y->function ? -1 : 1;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return x->b - y->b;
}

static int table_order(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->b != y->b)
		return x->b - y->b;
	return (x->ln > y->ln) - (x->ln < y->ln);
}

static void shares_add(struct trials *t, const struct odd_share *s, size_t n, uint32_t node,
		       bool b)
{
	for (size_t i = 0; i < n; i++)
		if (s[i].share >= ODD_LEAST && s[i].calls >= 1)
			t->all[t->count++] = (struct trial){
				s[i].function, node, b, log(s[i].share),
			};
}

/* The end of the trials that have the same function as the first. */
static size_t function_end(const struct trials *t, size_t from)
{
	size_t to = from;

	while (to < t->count && t->all[to].function == t->all[from].function)
		to++;
	return to;
}

static double mean_of(const struct trial *t, size_t n, bool b, size_t *count)
{
	double sum = 0;

	*count = 0;
	for (size_t i = 0; i < n; i++) {
		if (t[i].b != b)
			continue;
		sum += t[i].ln;
		(*count)++;
	}
	return *count ? sum / (double)*count : 0;
}

/* --- shares push each other ------------------------------------------------------------------- */

/* Nodes that have a function with both builds. */
static bool pairs_make(struct trials *pairs, const struct trials *t)
{
	pairs->all = mem_alloc((t->count + 1) * sizeof(*pairs->all));
	for (size_t i = 1; pairs->all && i < t->count; i++) {
		const struct trial *a = &t->all[i - 1], *b = &t->all[i];

		if (a->function == b->function && a->node == b->node)
			pairs->all[pairs->count++] = (struct trial){
				b->function, b->node, false, b->ln - a->ln,
			};
	}
	return pairs->all;
}

/* From here on `ln` is against A's mean. */
static void means_take(struct trials *t)
{
	for (size_t from = 0, to; from < t->count; from = to) {
		size_t count;
		double mean;

		to = function_end(t, from);
		mean = mean_of(t->all + from, to - from, false, &count);
		if (!count)
			mean = mean_of(t->all + from, to - from, true, &count);
		for (size_t i = from; i < to; i++)
			t->all[i].ln -= mean;
	}
}

/* Less the median over the functions of the node's table, or of its changes. */
static void medians_take(struct trials *t)
{
	for (size_t from = 0, to; from < t->count; from = to) {
		const struct trial *first = &t->all[from];
		double median;

		for (to = from; to < t->count && t->all[to].node == first->node &&
				t->all[to].b == first->b; to++)
			;
		median = (t->all[from + (to - from - 1) / 2].ln +
			  t->all[from + (to - from) / 2].ln) / 2;
		for (size_t i = from; i < to; i++)
			t->all[i].ln -= median;
	}
}

/* --- a function ------------------------------------------------------------------------------- */

/* How wide an interval is: of one comparison, most functions have the same degrees of freedom. */
struct width {
	double p, freedom, at;
};

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
static double variance_of(const struct trial *t, size_t n, bool b, double mean, size_t count)
{
	double squares = 0;

	for (size_t i = 0; i < n; i++)
		if (t[i].b == b)
			squares += pow(t[i].ln - mean, 2);
	return squares / (double)(count - 1) / (double)count;
}

static bool pairs_judge(const struct trial *t, size_t n, struct rollout_verdict *v,
			struct width *w)
{
	size_t count;
	double mean = mean_of(t, n, false, &count);

	if (count < ROLLOUT_PAIRS)
		return false;
	v->paired = true;
	v->a = v->b = count;
	verdict_close(v, mean, sqrt(variance_of(t, n, false, mean, count)), (double)count - 1, w);
	return true;
}

static void groups_judge(const struct trial *t, size_t n, struct rollout_verdict *v,
			struct width *w)
{
	double a = mean_of(t, n, false, &v->a), b = mean_of(t, n, true, &v->b);
	double of_a, of_b, both;

	if (v->a < ROLLOUT_GROUP || v->b < ROLLOUT_GROUP)
		return;
	of_a = variance_of(t, n, false, a, v->a);
	of_b = variance_of(t, n, true, b, v->b);
	both = of_a + of_b;
	verdict_close(v, b - a, sqrt(both), both > 0 ? both * both /
		      (of_a * of_a / (double)(v->a - 1) + of_b * of_b / (double)(v->b - 1)) :
		      (double)(v->a + v->b - 2), w);
}

/* Those that both builds have: so many may be judged. */
static size_t functions_shared(const struct trials *t)
{
	size_t count = 0;

	for (size_t from = 0, to; from < t->count; from = to) {
		size_t a, b;

		to = function_end(t, from);
		mean_of(t->all + from, to - from, false, &a);
		mean_of(t->all + from, to - from, true, &b);
		count += a && b;
	}
	return count;
}

static long functions_judge(const struct trials *t, const struct trials *pairs,
			    struct rollout_verdict *verdicts)
{
	size_t shared = functions_shared(t), at = 0, end;
	struct width w = { .p = ROLLOUT_FALSE / (double)(shared ? shared : 1) };
	long count = 0;

	for (size_t from = 0, to; from < t->count; from = to, at = end) {
		struct rollout_verdict *v = &verdicts[count++];

		to = function_end(t, from);
		end = at;
		if (at < pairs->count && pairs->all[at].function == t->all[from].function)
			end = function_end(pairs, at);
		*v = (struct rollout_verdict){
			.function = t->all[from].function, .times = (double)NAN,
			.low = (double)NAN, .high = (double)NAN,
		};
		if (!pairs_judge(pairs->all + at, end - at, v, &w))
			groups_judge(t->all + from, to - from, v, &w);
	}
	return count;
}

/* Each table, each pair less its own median; by function at the end as in the beginning. */
static void trials_settle(struct trials *t)
{
	qsort(t->all, t->count, sizeof(*t->all), table_order);
	medians_take(t);
	qsort(t->all, t->count, sizeof(*t->all), function_order);
}

long rollout_judge(const struct rollout_node *nodes, size_t n, struct rollout_verdict *verdicts)
{
	struct trials t = { NULL, 0 }, pairs = { NULL, 0 };
	size_t count = 0;
	long told = ERR_NOMEM;

	for (size_t i = 0; i < n; i++)
		count += nodes[i].a_count + nodes[i].b_count;
	t.all = mem_alloc((count + 1) * sizeof(*t.all));
	if (!t.all)
		return ERR_NOMEM;
	for (size_t i = 0; i < n; i++) {
		shares_add(&t, nodes[i].a, nodes[i].a_count, (uint32_t)i, false);
		shares_add(&t, nodes[i].b, nodes[i].b_count, (uint32_t)i, true);
	}
	qsort(t.all, t.count, sizeof(*t.all), function_order);
	if (pairs_make(&pairs, &t)) {
		means_take(&t);
		trials_settle(&t);
		trials_settle(&pairs);
		told = functions_judge(&t, &pairs, verdicts);
	}
	mem_free(t.all);
	mem_free(pairs.all);
	return told;
}
