/*
 * gprof's report: flat profile and call graph; then the stack traces that the node sent.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <stdio.h>

/* "function at file:line", or the bare address. `where` is an instruction inside it. */
static void place_write(const struct image *im, uint64_t address, uint64_t where, struct out *out)
{
	uint32_t id = im ? image_find(im, where) : IMAGE_NONE;
	struct image_line line;

	if (id == IMAGE_NONE)
		out_addf(out, "0x%05" PRIx64, address);
	else
		out_text(out, image_function(im, id)->name, NULL);
	if (im && image_line(im, where, &line) && line.file) {
		out_adds(out, " (");
		out_text(out, line.file, NULL);
		out_addf(out, ":%" PRIu32 ")", line.line);
	}
}

static void frame_write(const struct export_source *s, const struct wire_stack *stack, size_t i,
		      struct out *out)
{
	const struct wire_frame *f = &stack->frames[i];

	out_addf(out, "%4zu  ", i);
	place_write(s->image, f->from, (f->from & ~UINT64_C(1)) - 1, out);
	out_adds(out, " -> ");
	place_write(s->image, f->to, f->to, out);
	if (stack->ticks_per_second)
		out_addf(out, " @ %.6f s", (double)f->ticks / (double)stack->ticks_per_second);
	out_addc(out, '\n');
}

static void stacks_write(const struct export_source *s, struct out *out)
{
	for (size_t i = 0; i < s->stack_count; i++) {
		const struct wire_stack *stack = &s->stacks[i];

		out_addf(out, "\nStack trace %zu of %zu, outermost call first:\n\n", i + 1,
			 s->stack_count);
		if (stack->corrupted)
			out_adds(out, "corrupted or not recorded\n");
		for (size_t k = 0; k < stack->count; k++)
			frame_write(s, stack, k, out);
	}
}

int export_text(const struct export_source *s, struct out *out, struct err *err)
{
	struct rows rows;
	int ret = export_rows(s, &rows);

	(void)err;
	if (ret < 0)
		return ret;
	flat_write(s, &rows, out);
	ret = callgraph_write(s, &rows, out);
	if (ret == 0)
		stacks_write(s, out);
	rows_release(&rows);
	return ret;
}
