/* say: what a gate found, in words. where.c tells where the change is. */
#include <math.h>

#include "core/gate/gate.h"

const char *gate_subject(const struct gate *g, const struct gate_result *r)
{
	return r->function == PROFILE_NONE ? r->rule->pattern :
					     g->now.in.profile->functions[r->function].name;
}

/* "(baseline 490 ms +5 %)": by which change the bound came about. */
static void baseline_add(const struct gate_result *r, struct buf *out)
{
	const struct rule *rule = r->rule;
	char value[RULE_VALUE];

	if (!rule->relative || isnan(r->then))
		return;
	buf_addf(out, " (baseline %s", rule_value(rule, r->then, value));
	if (rule->percent)
		buf_addf(out, " %+.4g %%)", 100 * rule->bound);
	else
		buf_addf(out, " %s%s)", rule->bound < 0 ? "" : "+",
			 rule_value(rule, rule->bound, value));
}

void gate_describe(const struct gate *g, const struct gate_result *r, struct buf *out)
{
	const struct rule *rule = r->rule;
	char value[RULE_VALUE];

	buf_addf(out, "%s %s", gate_subject(g, r), rule_figure_name(rule));
	if (!isnan(r->value))
		buf_addf(out, " %s", rule_value(rule, r->value, value));
	if (!isnan(r->bound))
		buf_addf(out, ", bound %s %s", rule_operator_text(rule->op),
			 rule_value(rule, r->bound, value));
	baseline_add(r, out);
	if (r->noise > 0 && !isnan(r->value))
		buf_addf(out, ", noise %s", rule_value(rule, r->noise, value));
	if (r->why)
		buf_addf(out, ": %s", r->why);
}
