#include "core/export/watching.h"

#include <stdio.h>

#include "core/base/text.h"

static const struct {
	const char *word, *how;
} ways[] = {
	[WATCHED_NOT] = { "refused", "refused" },
	[WATCHED_WAITS] = { "waits", "not begun yet" },
	[WATCHED_COMPARATOR] = { "comparator", "a comparator, without a halt" },
	[WATCHED_TRACED] = { "traced", "traced, each one, without a halt" },
	[WATCHED_READS] = { "reads", "by reads: short changes missed" },
	[WATCHED_STOPS] = { "stops", "a comparator, with a stop each time" },
	[WATCHED_BREAKPOINT] = { "breakpoint", "breakpoints, with a stop each time" },
};

/* Behind the watch as the user wrote it: why, and which source can. */
static const char *const refusals[] = {
	[REFUSED_KIND] = "needs gdb: (with stops), simavr: or qemu:",
	[REFUSED_FULL] = "the chip has no comparator left (openocd: reads variables with each "
			 "sample, without one)",
	[REFUSED_STOPS] = "it would stop the target: add ?watch=1 to the source to allow that",
	[REFUSED_SIZE] = "no comparator covers these bytes (a part of them, at a multiple of its "
			 "size, can be; openocd: reads them with each sample)",
	[REFUSED_SERVER] = "the chip or its server did not take it: another debugger may use the "
			   "comparators (openocd: reads variables with each sample, without one)",
	[REFUSED_ALONE] = "needs stops: add stops=gdb:HOST:PORT to the source's options",
	[REFUSED_VECTORS] = "no vector table is in the ELF: give the one that is linked with the "
			    "startup code, or watch call:HANDLER",
	[REFUSED_NUMBER] = "the ELF's vector table has no handler of that number: its words "
			   "count from 0 (15: SysTick, 16: the chip's first); or watch "
			   "call:HANDLER",
	[REFUSED_MARKS] = "no mark is in the ELF: build it with wsnprof_mark.h, and give that one",
};

const char *watching_way(enum wire_watch_way way)
{
	return (size_t)way < sizeof(ways) / sizeof(ways[0]) ? ways[way].word : "?";
}

const char *watching_refusal(enum wire_watch_refusal why)
{
	bool known = (size_t)why < sizeof(refusals) / sizeof(refusals[0]) && refusals[why];

	return known ? refusals[why] : "";
}

const char *watching_how(const struct watching_item *i, char *dst, size_t size)
{
	if (*i->wrong)
		snprintf(dst, size, "%s", i->wrong);
	else if (i->way != WATCHED_NOT)
		snprintf(dst, size, "%s", (size_t)i->way < sizeof(ways) / sizeof(ways[0]) ?
			 ways[i->way].how : "?");
	else
		snprintf(dst, size, "%s", watching_refusal(i->refusal));
	return dst;
}

static size_t units_say(char *dst, size_t size, int used, int all, const char *what)
{
	if (all < 0 || used < 0)
		return 0;
	return (size_t)snprintf(dst, size, "%d of %d %s in use, ", used, all, what);
}

const char *watching_port(const struct wire_watching *w, char *dst, size_t size)
{
	char apart[24];
	size_t n = 0;

	dst[0] = '\0';
	if (w->packets_s > 0)
		n = (size_t)snprintf(dst, size, "%.0f packets/s, %.2g %% of what SWO's pin carries",
				     w->packets_s, 100 * w->pin_share);
	if (w->apart_s > 0 && n < size)
		snprintf(dst + n, size - n, "%sboth ways' times agree to %s", n ? ", " : "",
			 text_seconds(apart, sizeof(apart), w->apart_s));
	return dst;
}

/* By this way; what waits is what it will be. */
static enum wire_watch_way way_planned(const struct watching_item *i)
{
	if (i->way != WATCHED_WAITS)
		return i->way;
	return i->kind == WATCH_VALUE ? WATCHED_STOPS : WATCHED_BREAKPOINT;
}

static bool plan_way_add(struct buf *line, const struct watching_item *items, size_t count,
			 enum wire_watch_way way)
{
	bool any = false;

	for (size_t i = 0; i < count; i++) {
		if (*items[i].wrong || way_planned(&items[i]) != way)
			continue;
		buf_addf(line, "%s%s", any ? ", " : line->len ? "; " : "", items[i].text);
		any = true;
	}
	if (any)
		buf_addf(line, ": %s", ways[way].how);
	return any;
}

void watching_plan_add(struct buf *line, const struct watching_item *items, size_t count,
		       const struct wire_watching *w)
{
	static const enum wire_watch_way order[] = {
		WATCHED_BREAKPOINT, WATCHED_STOPS, WATCHED_READS, WATCHED_TRACED,
		WATCHED_COMPARATOR,	/* stops first: a narrow screen cuts the line */
	};
	char stop[24];

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		bool stops = order[i] == WATCHED_STOPS || order[i] == WATCHED_BREAKPOINT;

		if (plan_way_add(line, items, count, order[i]) && stops && w->stop_about_s > 0)
			buf_addf(line, ", about %s",
				 text_seconds(stop, sizeof(stop), w->stop_about_s));
	}
	if (w->comparators >= 0 && line->len)
		buf_addf(line, "; %d of %d comparators in use", w->comparators_used,
			 w->comparators);
}

const char *watching_cost(const struct wire_watching *w, char *dst, size_t size)
{
	char stop[24];
	size_t n = 0;

	dst[0] = '\0';
	n += units_say(dst, size, w->comparators_used, w->comparators, "comparators");
	n += units_say(dst + (n < size ? n : size), n < size ? size - n : 0, w->breakpoints_used,
		       w->breakpoints, "breakpoints");
	if (n >= size)
		return dst;
	if (w->stop_s > 0)
		snprintf(dst + n, size - n, "%s a stop, halted %.2g %% of the time",
			 text_seconds(stop, sizeof(stop), w->stop_s), 100 * w->halted);
	else if (w->stop_about_s > 0)
		snprintf(dst + n, size - n, "about %s a stop, none yet",
			 text_seconds(stop, sizeof(stop), w->stop_about_s));
	else
		snprintf(dst + n, size - n, "no stops");
	return dst;
}

/* --- JSON ------------------------------------------------------------------------------------- */

static void item_json(struct json_out *o, const struct watching_item *i)
{
	static const char *const kinds[] = {
		[WATCH_VALUE] = "value", [WATCH_CALL] = "call", [WATCH_HANDLER] = "interrupt",
		[WATCH_MARK] = "mark",
	};
	char why[200];

	json_begin_object(o, NULL);
	json_text(o, "watch", i->text);
	json_text(o, "kind", kinds[i->kind]);
	json_text(o, "way", *i->wrong ? watching_way(WATCHED_NOT) : watching_way(i->way));
	if (watching_is_refused(i))
		json_text(o, "refused", watching_how(i, why, sizeof(why)));
	json_count(o, "hits", true, i->hits);
	json_count(o, "lost", true, i->lost);
	if (*i->value)
		json_text(o, "value", i->value);
	json_end_object(o);
}

void watching_json(struct json_out *o, const struct watching_item *items, size_t count,
		   const struct wire_watching *w)
{
	bool stops = w && w->stop_s > 0;

	json_begin_object(o, "watching");
	json_count(o, "comparators", w && w->comparators >= 0, w ? (uint64_t)w->comparators : 0);
	json_count(o, "comparators_used", w && w->comparators >= 0,
		   w ? (uint64_t)w->comparators_used : 0);
	json_count(o, "breakpoints", w && w->breakpoints >= 0, w ? (uint64_t)w->breakpoints : 0);
	json_count(o, "breakpoints_used", w && w->breakpoints >= 0,
		   w ? (uint64_t)w->breakpoints_used : 0);
	json_number(o, "stop_s", stops ? w->stop_s : 0);
	json_number(o, "halted", w ? w->halted : 0);
	json_number(o, "packets_s", w ? w->packets_s : 0);
	json_number(o, "pin_share", w ? w->pin_share : 0);
	json_number(o, "apart_s", w ? w->apart_s : 0);
	json_begin_array(o, "watches");
	for (size_t i = 0; i < count; i++)
		item_json(o, &items[i]);
	json_end_array(o);
	json_end_object(o);
}
