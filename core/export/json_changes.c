/*
 * json_changes: with a baseline, the changes since then: of each function the figures then and now,
 * one standard deviation of their difference, and verdicts (core/profile/look/compare.h).
 */
#include "core/export/json_changes.h"

static void value_write(struct json_out *o, const char *key, const struct compare_value *v)
{
	json_begin_object(o, key);
	json_number(o, "then", v->then);
	json_number(o, "now", v->now);
	json_number(o, "noise", v->noise);
	json_text(o, "verdict", changes_verdict(v->verdict));
	json_end_object(o);
}

static void row_write(struct json_out *o, const struct compare *c, const struct compare_row *r)
{
	const struct profile_function *f = compare_subject(c, r);

	json_begin_object(o, NULL);
	json_text(o, "name", f->name);
	json_text(o, "file", f->file);
	json_count(o, "address", profile_has_address(f), f->address);
	json_text(o, "verdict", changes_verdict(r->verdict));
	json_begin_array(o, "relevant");
	for (int m = 0; m < COMPARE_MEASURES; m++)
		if (r->relevant >> m & 1)
			json_text(o, NULL, changes_measure((enum compare_measure)m));
	json_end_array(o);
	for (int m = 0; m < COMPARE_MEASURES; m++)
		value_write(o, changes_measure((enum compare_measure)m), &r->value[m]);
	json_end_object(o);
}

int json_changes_build(struct compare *c, const struct export_source *s)
{
	return s->baseline ? compare_build(c, s->baseline, s->profile, s->least) : 0;
}

void json_changes_write(struct json_out *o, const struct compare *c, const struct export_source *s)
{
	const struct compare_least *least = s->least ? s->least : &COMPARE_LEAST_DEFAULT;

	if (!c->now)
		return;
	json_begin_object(o, "relevance");
	json_number(o, "load", least->load);
	json_number(o, "per_call", least->call);
	json_end_object(o);
	json_text(o, "changes_time", c->shares ? "counted" : c->wall ? "wall" : "profiled");
	json_begin_array(o, "changes");
	for (size_t i = 0; i < c->count && !out_failed(o->out); i++)
		if (rows_match(compare_subject(c, &c->rows[i]), s->order.filter))
			row_write(o, c, &c->rows[i]);
	json_end_array(o);
}
