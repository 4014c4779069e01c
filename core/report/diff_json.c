/* diff_json: the comparison as JSON: a head, then "changes" as -x json has them. */
#include "core/export/json_changes.h"
#include "core/report/diff.h"

static void side_write(struct json_out *o, const char *key, const char *name,
		       const struct profile *p)
{
	json_begin_object(o, key);
	json_text(o, "name", name);
	json_number(o, "profiled_s", p->totals.run_s);
	json_number(o, "self_s", p->totals.self_s);
	json_count(o, "calls", true, p->totals.calls);
	json_count(o, "samples", true, p->totals.samples);
	json_end_object(o);
}

/* All rows, the unchanged ones too: whoever reads JSON chooses. */
void diff_json(const struct diff *d, struct out *out)
{
	const struct export_source s = { .least = &d->least };
	struct json_out o = { .out = out };

	json_begin_object(&o, NULL);
	json_number(&o, "wsntop_diff", 1);
	side_write(&o, "then", d->then, d->compare.base);
	side_write(&o, "now", d->now, d->compare.now);
	json_begin_object(&o, "load");
	json_number(&o, "then", d->compare.load.then);
	json_number(&o, "now", d->compare.load.now);
	json_number(&o, "noise", d->compare.load.noise);
	json_text(&o, "verdict", changes_verdict(d->compare.load.verdict));
	json_end_object(&o);
	json_changes_write(&o, &d->compare, &s);
	json_end_object(&o);
	out_addc(out, '\n');
}
