#include "core/export/losses.h"

#include <inttypes.h>
#include <stdio.h>

#define FIELD(name) offsetof(struct wire_status, name)

const struct loss losses[] = {
	{ .name = "table_full", .field = FIELD(table_full), .missing = true,
	  .what = "calls not counted: the node's table of call sites was full",
	  .cure = "build with a larger WSNPROF_SITES" },
	{ .name = "stack_full", .field = FIELD(stack_full), .missing = true,
	  .what = "calls not counted: the node's call stack was full",
	  .cure = "build with a larger WSNPROF_STACK" },
	{ .name = "arcs_lost", .field = FIELD(arcs_lost), .missing = true,
	  .what = "calls in no arc: the node's cache and ring were full",
	  .cure = "build with a larger WSNPROF_ARCS or a faster line" },
	{ .name = "arcs_unheard", .field = FIELD(arcs_unheard), .missing = true,
	  .what = "calls of unknown arcs: the frames that told of them were lost" },
	{ .name = "pcs_lost", .field = FIELD(pcs_lost), .missing = true,
	  .what = "samples at no address: the node's table and ring were full",
	  .cure = "build with a larger WSNPROF_PCS or a faster line" },
	{ .name = "pcs_unheard", .field = FIELD(pcs_unheard), .missing = true,
	  .what = "samples of unknown addresses: the frames that told of them were lost" },
	{ .name = "carries_lost", .field = FIELD(carries_lost),
	  .what = "times a counter went round with no slot to carry into: totals are too small",
	  .cure = "build with a larger WSNPROF_SITES" },
	{ .name = "cut", .field = FIELD(cut),
	  .what = "calls cut off: skipped by longjmp, or never left" },
	{ .name = "text_lost", .field = FIELD(text_lost),
	  .what = "characters of the node's text lost: its ring was full",
	  .cure = "build with a larger WSNPROF_RING" },
	{ NULL },
};

uint64_t losses_missing(const struct wire_status *s)
{
	uint64_t sum = 0;

	for (const struct loss *l = losses; l->name; l++) {
		if (l->missing && __builtin_add_overflow(sum, loss_count(l, s), &sum))
			return UINT64_MAX;
	}
	return sum;
}

void loss_say(const struct loss *l, const struct wire_status *s, char *dst, size_t size)
{
	snprintf(dst, size, "%" PRIu64 " %s%s%s", loss_count(l, s), l->what, l->cure ? "; " : "",
		 l->cure ? l->cure : "");
}
