#include "core/export/losses.h"

#include <stdio.h>

#include "core/base/text.h"

#define FIELD(name) offsetof(struct wire_status, name)

const struct loss losses[] = {
	{ .name = "table_full", .field = FIELD(table_full), .missing = true,
	  .what = "calls not counted: table of sites full",
	  .cure = "build with a larger WSNPROF_SITES" },
	{ .name = "stack_full", .field = FIELD(stack_full), .missing = true,
	  .what = "calls not counted: call stack full",
	  .cure = "build with a larger WSNPROF_STACK" },
	{ .name = "no_stack", .field = FIELD(no_stack), .missing = true,
	  .what = "calls cut off: tasks without a shadow stack",
	  .cure = "larger WSNPROF_TASKS_MAX" },
	{ .name = "arcs_lost", .field = FIELD(arcs_lost), .missing = true,
	  .what = "calls in no arc: cache full",
	  .cure = "larger WSNPROF_ARCS or a faster link" },
	{ .name = "arcs_unheard", .field = FIELD(arcs_unheard), .less = FIELD(arcs_before),
	  .missing = true,
	  .what = "calls of unknown arcs: their frames were lost", .cure = "check the link" },
	{ .name = "arcs_before", .field = FIELD(arcs_before), .missing = true,
	  .what = "calls of arcs that the node sent before wsntop was connected" },
	{ .name = "pcs_lost", .field = FIELD(pcs_lost), .missing = true,
	  .what = "samples at no address: cache full",
	  .cure = "larger WSNPROF_PCS or a faster link" },
	{ .name = "pcs_unheard", .field = FIELD(pcs_unheard), .less = FIELD(pcs_before),
	  .missing = true,
	  .what = "samples at unknown addresses: their frames were lost",
	  .cure = "check the link" },
	{ .name = "pcs_before", .field = FIELD(pcs_before), .missing = true,
	  .what = "samples at PCs that the node sent before wsntop was connected" },
	{ .name = "untold", .field = FIELD(untold), .missing = true,
	  .what = "calls of the trace counted, not told: buffer full",
	  .cure = "a faster link" },
	{ .name = "unheard", .field = FIELD(unheard), .missing = true,
	  .what = "calls of the trace unknown: their frames were lost",
	  .cure = "check the link" },
	{ .name = "unplaced", .field = FIELD(unplaced), .missing = true,
	  .what = "counts not kept: over a million addresses, or no memory" },
	{ .name = "clock_missed", .field = FIELD(clock_missed), .flag = true,
	  .what = "clock not read for a full period: times may be too short",
	  .cure = "poll more often" },
	{ .name = "carries_lost", .field = FIELD(carries_lost),
	  .what = "counters overflowed, no slot for the carry", .cure = "larger WSNPROF_SITES" },
	{ .name = "cut", .field = FIELD(cut),
	  .what = "calls cut off: skipped by longjmp, or never left" },
	{ .name = "text_lost", .field = FIELD(text_lost),
	  .what = "characters of text lost: ring full",
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
	char count[32] = "", whole[30];

	if (!l->flag)
		snprintf(count, sizeof(count), "%s ",
			 text_whole(whole, sizeof(whole), loss_count(l, s)));
	snprintf(dst, size, "%s%s%s%s", count, l->what, l->cure ? "; " : "",
		 l->cure ? l->cure : "");
}
