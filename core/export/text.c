/*
 * gprof's report: flat profile and call graph; then the stack traces that the node sent, if any.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <stdio.h>

/* "function at file:line", or the bare address. `where` is an instruction inside it. */
static void add_place(const struct image *im, uint64_t address, uint64_t where, struct buf *out)
{
	uint32_t id = im ? image_find(im, where) : IMAGE_NONE;
	struct image_line line;

	if (id == IMAGE_NONE)
		buf_addf(out, "0x%05" PRIx64, address);
	else
		add_visible(out, image_function(im, id)->name);
	if (im && image_line(im, where, &line) && line.file) {
		buf_adds(out, " (");
		add_visible(out, line.file);
		buf_addf(out, ":%" PRIu32 ")", line.line);
	}
}

static void add_frame(const struct export_source *s, const struct wire_stack *stack, size_t i,
		      struct buf *out)
{
	const struct wire_frame *f = &stack->frames[i];

	buf_addf(out, "%4zu  ", i);
	add_place(s->image, f->from, (f->from & ~UINT64_C(1)) - 1, out);
	buf_adds(out, " -> ");
	add_place(s->image, f->to, f->to, out);
	if (stack->ticks_per_second)
		buf_addf(out, " @ %.6f s", (double)f->ticks / (double)stack->ticks_per_second);
	buf_addc(out, '\n');
}

static void add_stacks(const struct export_source *s, struct buf *out)
{
	for (size_t i = 0; i < s->stack_count; i++) {
		const struct wire_stack *stack = &s->stacks[i];

		buf_addf(out, "\nStack trace %zu of %zu, outermost call first:\n\n", i + 1,
			 s->stack_count);
		if (stack->corrupted)
			buf_adds(out, "corrupted or not recorded\n");
		for (size_t k = 0; k < stack->count; k++)
			add_frame(s, stack, k, out);
	}
}

int export_text(const struct export_source *s, struct buf *out, struct err *err)
{
	struct rows rows;
	int ret = export_rows(s, &rows, err);

	if (ret < 0)
		return ret;
	flat_write(s, &rows, out);
	ret = callgraph_write(s, &rows, out);
	if (ret < 0)
		err_set(err, ERR_NOMEM, "export text: out of memory");
	add_stacks(s, out);
	rows_release(&rows);
	return ret;
}
