/*
 * speedscope's file format, a sampled profile: call paths with their own times as weights, of a
 * profile without times their calls. trace/speedscope.c has what it makes of a call trace.
 */
#include "core/export/format.h"

#include "core/base/json_out.h"
#include "core/export/stacks.h"

static void frames_list(struct json_out *j, const struct profile *p)
{
	json_begin_object(j, "shared");
	json_begin_array(j, "frames");
	for (size_t i = 0; i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];

		json_begin_object(j, NULL);
		json_text(j, "name", f->name);
		if (f->path || f->file)
			json_text(j, "file", f->path ? f->path : f->file);
		if (f->line)
			json_count(j, "line", true, f->line);
		json_end_object(j);
	}
	json_end_array(j);
	json_end_object(j);
}

static void path_list(struct json_out *j, const struct stacks *stacks, size_t i)
{
	uint32_t way[STACKS_DEEP + 2];
	size_t depth = 0;

	for (uint32_t at = (uint32_t)i; at != PROFILE_NONE && depth < STACKS_DEEP + 2;
	     at = stacks->frames[at].parent)
		way[depth++] = stacks->frames[at].function;
	json_begin_array(j, NULL);
	while (depth-- > 0)
		json_count(j, NULL, true, way[depth]);
	json_end_array(j);
}

static uint64_t frame_weight(const struct stacks *stacks, size_t i)
{
	return stacks->times ? stacks->frames[i].ns : stacks->frames[i].calls;
}

static void profile_list(struct json_out *j, const struct export_source *s,
			 const struct stacks *stacks)
{
	uint64_t whole = 0;

	for (size_t i = 0; i < stacks->count; i++)
		whole += frame_weight(stacks, i);
	json_begin_object(j, NULL);
	json_text(j, "type", "sampled");
	json_text(j, "name", s->node && *s->node ? s->node : "wsntop");
	json_text(j, "unit", stacks->times ? "nanoseconds" : "none");
	json_count(j, "startValue", true, 0);
	json_count(j, "endValue", true, whole);
	json_begin_array(j, "samples");
	for (size_t i = 0; i < stacks->count && !out_failed(j->out); i++)
		if (frame_weight(stacks, i))
			path_list(j, stacks, i);
	json_end_array(j);
	json_begin_array(j, "weights");
	for (size_t i = 0; i < stacks->count && !out_failed(j->out); i++)
		if (frame_weight(stacks, i))
			json_count(j, NULL, true, frame_weight(stacks, i));
	json_end_array(j);
	json_end_object(j);
}

int speedscope_sampled(const struct export_source *s, struct out *out)
{
	struct json_out j = { .out = out };
	struct stacks stacks = { 0 };
	int ret = stacks_build(&stacks, s);

	if (ret == 0) {
		json_begin_object(&j, NULL);
		json_text(&j, "$schema", "https://www.speedscope.app/file-format-schema.json");
		json_text(&j, "name", s->node);
		json_text(&j, "exporter", "wsntop");
		frames_list(&j, s->profile);
		json_begin_array(&j, "profiles");
		profile_list(&j, s, &stacks);
		json_end_array(&j);
		json_end_object(&j);
		out_addc(out, '\n');
	}
	stacks_release(&stacks);
	return ret;
}
