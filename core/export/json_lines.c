#include "core/export/json_lines.h"

#include <math.h>
#include <stdio.h>

#include "core/export/format.h"
#include "core/source/line_costs.h"

static void json_line_write(struct json_out *o, const struct profile *p,
			    const struct profile_line *l)
{
	const struct profile_function *f = &p->functions[l->function];
	char hash[9] = "";

	if (l->text)
		snprintf(hash, sizeof(hash), "%08x", l->text);
	json_begin_object(o, NULL);
	json_text(o, "function", f->name);
	json_count(o, "function_address", profile_has_address(f), f->address);
	json_text(o, "file", f->file);
	json_count(o, "line", true, l->line);
	json_text(o, "text_hash", *hash ? hash : NULL);
	json_count(o, "samples", export_has_samples(p), l->samples);
	json_number(o, "self_s", l->self_s);
	json_count(o, "calls_made", true, l->calls);
	json_end_object(o);
}

int json_lines_write(struct json_out *o, const struct export_source *s,
		     const bool *passing)
{
	struct line_costs lines;
	int ret = line_costs_build(&lines, s->profile, s->image);

	if (ret == 0 && lines.count) {
		json_begin_array(o, "lines");
		for (size_t i = 0; i < lines.count && !out_failed(o->out); i++)
			if (line_costs_keeps(&lines, &lines.items[i]) &&
			    export_passes(lines.items[i].function, passing))
				json_line_write(o, s->profile, &lines.items[i]);
		json_end_array(o);
	}
	line_costs_release(&lines);
	return ret;
}
