#include "core/gate/gate.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/gate/glob.h"

const char *const gate_verdict_names[GATE_VERDICTS] = {
	[GATE_PASSED] = "passed", [GATE_UNSURE] = "not sure", [GATE_FAILED] = "failed",
};

/* --- one judgement ---------------------------------------------------------------------------- */

static bool bound_kept(enum rule_operator op, double value, double bound)
{
	switch (op) {
	case RULE_AT_MOST:	return value <= bound;
	case RULE_BELOW:	return value < bound;
	case RULE_AT_LEAST:	return value >= bound;
	case RULE_ABOVE:	return value > bound;
	case RULE_EQUAL:	return value == bound;
	case RULE_UNEQUAL:	return value != bound;
	}
	return false;
}

/* How far beyond its bound a value is. */
static double bound_beyond(enum rule_operator op, double value, double bound)
{
	switch (op) {
	case RULE_AT_LEAST: case RULE_ABOVE:
		return bound - value;
	case RULE_EQUAL:
		return fabs(value - bound);
	case RULE_UNEQUAL:
		return 0;
	default:
		return value - bound;
	}
}

static bool is_upper(enum rule_operator op)
{
	return op == RULE_AT_MOST || op == RULE_BELOW || op == RULE_EQUAL;
}

static void result_unsure(struct gate_result *r, const char *why)
{
	r->verdict = GATE_UNSURE;
	r->why = why;
}

/* From values and noise that stand in r. drift: what clocks differ by. */
static void result_judge(struct gate_result *r, bool at_least, double drift)
{
	enum rule_operator op = r->rule->op;
	double beyond = bound_beyond(op, r->value, r->bound);

	r->excess = beyond / fabs(r->bound);		/* of a bound of 0: infinite */
	if (isnan(r->excess))
		r->excess = 0;
	if (bound_kept(op, r->value, r->bound)) {
		r->excess = fmin(r->excess, 0);
		if (at_least && is_upper(op))
			result_unsure(r, "the value is a lower bound");
		else if (op == RULE_EQUAL && r->noise > 0)
			result_unsure(r, "equal within the noise");
	} else if (beyond > fmax(COMPARE_SURE * r->noise, drift) ||
		   (r->noise <= 0 && drift <= 0)) {
		r->verdict = GATE_FAILED;
	} else {
		result_unsure(r, "within the noise");
	}
}

/* The bound of a change since `then`. */
static double bound_of(const struct rule *rule, double then)
{
	if (!rule->relative)
		return rule->bound;
	return rule->percent ? then + rule->bound * fabs(then) : then + rule->bound;
}

/* then: value NaN where the rule is absolute. */
static void result_fill(struct gate_result *r, const struct gate_figure *now,
			const struct gate_figure *then)
{
	const struct rule *rule = r->rule;
	double drift = 0, times = rule->percent ? fabs(1 + rule->bound) : 1;

	r->value = now->value;
	r->noise = now->sigma;
	if (isnan(now->value)) {
		result_unsure(r, "not known in this profile");
		return;
	}
	if (rule->relative) {
		r->then = then->value;
		r->noise = hypot(now->sigma, times * then->sigma);
		if (rule->unit == RULE_TIME || rule->unit == RULE_SHARE)
			drift = COMPARE_LEAST * fmax(fabs(now->value), fabs(then->value));
		if (isnan(then->value)) {
			result_unsure(r, "not known in the baseline");
			return;
		}
	}
	r->bound = bound_of(rule, r->then);
	result_judge(r, now->at_least, drift);
}

/* --- subjects --------------------------------------------------------------------------------- */

static struct gate_result *result_add(struct gate *g, const struct rule *rule, uint32_t function)
{
	struct gate_result *r;

	if (mem_grow(&g->results, &g->cap, g->count + 1, sizeof(*g->results)) < 0)
		return NULL;
	r = &g->results[g->count++];
	*r = (struct gate_result){ .rule = rule, .function = function, .value = NAN, .then = NAN,
				   .bound = rule->relative ? (double)NAN : rule->bound };
	return r;
}

/* For sums of a change: as long as the run that is judged. NaN: as counted. */
static double run_of(const struct gate *g, const struct rule *rule)
{
	return rule->relative ? g->now.noise.run : (double)NAN;
}

/* The baseline's figure. What is new had no sum then; of a few calls the noise is large. */
static struct gate_figure function_then(const struct gate *g, const struct rule *rule,
					uint32_t function, const char **why)
{
	const struct compare_row *row = g->has_baseline ?
					compare_function(&g->compare, function) : NULL;
	struct gate_figure none = { .value = NAN };

	if (!rule->relative || !row)
		return none;
	if (row->then != PROFILE_NONE)
		return side_function(&g->then, rule, row->then, run_of(g, rule));
	if (side_is_sum(rule->column))
		none.value = 0;
	else
		*why = "not in the baseline";
	return none;
}

static int function_judge(struct gate *g, const struct rule *rule, uint32_t function)
{
	struct gate_result *r = result_add(g, rule, function);
	const char *why = NULL;
	struct gate_figure now, then;

	if (!r)
		return ERR_NOMEM;
	now = side_function(&g->now, rule, function, run_of(g, rule));
	then = function_then(g, rule, function, &why);
	result_fill(r, &now, &then);
	if (why && r->verdict == GATE_UNSURE)
		r->why = why;
	return 0;
}

static int functions_judge(struct gate *g, const struct rule *rule)
{
	const struct profile *p = g->now.in.profile;
	struct gate_result *r;
	bool any = false;

	for (uint32_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		if (!glob_match(rule->pattern, f->name))
			continue;
		/* One that is known as a caller alone has no figures; a pattern may match many. */
		if (f->time == PROFILE_TIME_NONE && !f->called && !f->samples)
			continue;
		any = true;
		if (function_judge(g, rule, i) < 0)
			return ERR_NOMEM;
	}
	if (any)
		return 0;
	r = result_add(g, rule, PROFILE_NONE);
	if (r)
		result_unsure(r, "no function of this profile matches");
	return r ? 0 : ERR_NOMEM;
}

static int subject_judge(struct gate *g, const struct rule *rule)
{
	struct gate_figure now, then = { .value = NAN };
	struct gate_result *r;

	if (rule->subject == RULE_FUNCTION)
		return functions_judge(g, rule);
	r = result_add(g, rule, PROFILE_NONE);
	if (!r)
		return ERR_NOMEM;
	if (rule->subject == RULE_TOTAL) {
		now = side_total(&g->now, rule, run_of(g, rule));
		if (g->has_baseline && rule->relative)
			then = side_total(&g->then, rule, run_of(g, rule));
	} else {
		/* One that was measured is compared with one that was. */
		bool measured = !rule->relative || (g->has_baseline && g->then.in.mark_count);

		now = side_other(&g->now, rule, measured);
		if (g->has_baseline)
			then = side_other(&g->then, rule, measured && g->now.in.mark_count);
	}
	result_fill(r, &now, &then);
	return 0;
}

/* --- all -------------------------------------------------------------------------------------- */

static int result_order(const void *a, const void *b)
{
	const struct gate_result *ra = a, *rb = b;

	if (ra->verdict != rb->verdict)
		return (int)rb->verdict - (int)ra->verdict;
	if (ra->excess < rb->excess || ra->excess > rb->excess)
		return ra->excess < rb->excess ? 1 : -1;
	if (ra->rule->line != rb->rule->line)
		return ra->rule->line < rb->rule->line ? -1 : 1;
	return (ra->function > rb->function) - (ra->function < rb->function);
}

int gate_run(struct gate *g, const struct rules *rules, const struct gate_input *now,
	     const struct gate_input *then)
{
	enum noise_scale scale = noise_scale(then ? then->profile : now->profile, now->profile);

	*g = (struct gate){ .rules = rules, .has_baseline = then };
	if (side_init(&g->now, now, scale) < 0 || (then && side_init(&g->then, then, scale) < 0) ||
	    (then && compare_build(&g->compare, then->profile, now->profile, NULL) < 0))
		return ERR_NOMEM;
	for (size_t i = 0; i < rules->count; i++)
		if (subject_judge(g, &rules->items[i]) < 0)
			return ERR_NOMEM;
	for (size_t i = 0; i < g->count; i++)
		g->verdicts[g->results[i].verdict]++;
	if (g->count)
		qsort(g->results, g->count, sizeof(*g->results), result_order);
	/* Where the changes are is said of failures alone. */
	if (g->verdicts[GATE_FAILED] &&
	    (side_lines(&g->now) < 0 || (then && side_lines(&g->then) < 0)))
		return ERR_NOMEM;
	return 0;
}

void gate_release(struct gate *g)
{
	side_release(&g->now);
	side_release(&g->then);
	compare_release(&g->compare);
	mem_free(g->results);
	*g = (struct gate){ .count = 0 };
}
