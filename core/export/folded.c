/*
 * Folded stacks (Gregg, stackcollapse): a line a call path, "main;sample_task;adc_read 1234", with
 * its own time in nanoseconds, of a profile without times its calls. --by-task: trace/folded.c.
 */
#include "core/export/format.h"

#include <inttypes.h>

#include "core/export/stacks.h"

static void names_write(const struct export_source *s, const struct stacks *stacks, size_t i,
			struct out *out)
{
	static const char *const escapes[] = { ";:", NULL };
	uint32_t way[STACKS_DEEP + 2];
	size_t depth = 0;

	for (uint32_t at = (uint32_t)i; at != PROFILE_NONE && depth < STACKS_DEEP + 2;
	     at = stacks->frames[at].parent)
		way[depth++] = stacks->frames[at].function;
	while (depth-- > 0) {
		out_text(out, s->profile->functions[way[depth]].name, escapes);
		if (depth)
			out_addc(out, ';');
	}
}

int folded_write(const struct export_source *s, struct out *out)
{
	struct stacks stacks = { 0 };
	int ret = stacks_build(&stacks, s);

	for (size_t i = 0; ret == 0 && i < stacks.count && !out_failed(out); i++) {
		const struct stack_frame *f = &stacks.frames[i];
		uint64_t own = stacks.times ? f->ns : f->calls;

		if (!own)
			continue;
		names_write(s, &stacks, i, out);
		out_addf(out, " %" PRIu64 "\n", own);
	}
	stacks_release(&stacks);
	return ret;
}
