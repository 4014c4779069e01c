#include "core/report/summary.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/profile/look/noise.h"
#include "core/source/line_costs.h"
#include "core/trace/trace.h"

static void fact_write(struct out *out, const char *name, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void fact_write(struct out *out, const char *name, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	out_addf(out, "%-11s", name);
	out_text(out, text, NULL);
	out_addc(out, '\n');
}

static void node_facts(const struct export_source *s, bool streamed, struct out *out)
{
	double hz = s->profile->terms.ticks_per_second;
	char rate[16];

	const char *source = s->source ? s->source : "";

	/* A node without a name is called as its source, which is the file. */
	if (strcmp(s->node, source) != 0)
		fact_write(out, "node", "%s", s->node);
	fact_write(out, "format", "%s", s->format);
	if (hz > 0)
		fact_write(out, "clock", "%s ticks a second", text_count(rate, sizeof(rate), hz));
	if (s->image)
		fact_write(out, "image", "%s, %s; %s", text_basename(image_path(s->image)),
			   image_machine(s->image),
			   !strcmp(s->image_match, "yes") ? "it is what ran" :
			   !strcmp(s->image_match, "no") ? "it is not what ran" :
			   "the node does not tell whether it is what ran");
	else if (streamed)
		fact_write(out, "image", "none: functions have no names");
}

static void time_facts(const struct export_source *s, struct out *out)
{
	const struct profile *p = s->profile;
	double run = noise_run(p), wall = run / p->pace;
	char profiled[16], all[16], self[16], load[24] = "";

	if (s->wall_known)
		fact_write(out, "began", "%s", text_wall(profiled, sizeof(profiled),
							 (uint64_t)s->wall_ns));
	if (!isnan(run) && p->pace > 0)
		fact_write(out, "time", "%s profiled of %s", text_seconds(profiled, 16, run),
			   text_seconds(all, 16, wall));
	else if (!isnan(run))
		fact_write(out, "time", "%s profiled", text_seconds(profiled, 16, run));
	if (!isnan(p->totals.self_s) && p->totals.self_s > 0 && wall > 0)
		snprintf(load, sizeof(load), "%.3g %%, ", 100 * p->totals.self_s / wall);
	if (!isnan(p->totals.self_s) && p->totals.self_s > 0)
		fact_write(out, "load", "%s%s in functions%s%s", load, text_seconds(self, 16,
			   p->totals.self_s), p->totals.both ? ", timed and sampled" :
			   p->totals.time == PROFILE_TIME_TIMED ? ", timed" :
			   p->totals.time == PROFILE_TIME_SAMPLED ? ", sampled" : "",
			   p->terms.correct ? ", an estimate" : "");
	if (!isnan(s->hooks_share))
		fact_write(out, "profiling", "%.3g %% of the time awake", 100 * s->hooks_share);
}

static void count_facts(const struct export_source *s, struct out *out)
{
	const struct profile *p = s->profile;

	fact_write(out, "functions", "%s, %s edges, %s call sites", TEXT_WHOLE(p->function_count),
		   TEXT_WHOLE(p->edge_count), TEXT_WHOLE(p->site_count));
	if (p->totals.calls)
		fact_write(out, "calls", "%s", TEXT_WHOLE(p->totals.calls));
	if (p->totals.samples)
		fact_write(out, "samples", "%s, %s asleep", TEXT_WHOLE(p->totals.samples),
			   TEXT_WHOLE(p->totals.asleep));
}

static void trace_facts(const struct export_source *s, struct out *out)
{
	uint64_t begin, end;
	double hz = s->trace ? trace_ticks_per_second(s->trace) : 0;
	char span[16];

	if (s->trace && hz > 0 && trace_span(s->trace, &begin, &end) && end >= begin)
		fact_write(out, "trace", "every call of %s%s",
			   text_seconds(span, sizeof(span), (double)(end - begin) / hz),
			   trace_was_cut(s->trace) ? ", the older ones dropped" : "");
	if (s->stack_count)
		fact_write(out, "stacks", "%zu stack traces", s->stack_count);
	if (s->logged_count)
		fact_write(out, "watched", "%zu variables, functions or marks", s->logged_count);
	if (s->meter.source && *s->meter.source)
		fact_write(out, "meter", "%s", s->meter.source);
}

/* The program's stack, or a task's, that left least room. */
static void stack_facts(const struct export_source *s, struct out *out)
{
	const struct wire_watermark *deep = NULL;
	int64_t room, least = -1;

	for (size_t i = 0; i < s->mark_count; i++) {
		room = s->image ? image_stack_room(s->image, s->marks[i].low) : -1;
		if (!deep || (room >= 0 && (least < 0 || room < least))) {
			deep = &s->marks[i];
			least = room;
		}
	}
	if (deep && least >= 0)
		fact_write(out, "stack", "%s B at most, %s B left",
			   TEXT_WHOLE(deep->base - deep->low), TEXT_WHOLE(least));
	else if (deep)
		fact_write(out, "stack", "%s B at most", TEXT_WHOLE(deep->base - deep->low));
}

/* The most expensive line, where the time of lines is known. 0 or ERR_NOMEM. */
static int line_facts(const struct export_source *s, struct out *out)
{
	const struct profile *p = s->profile;
	const struct profile_line *best = NULL;
	struct line_costs lines;
	int ret = line_costs_build(&lines, p, s->image);
	char took[16];

	for (size_t i = 0; i < lines.count; i++)
		if (lines.items[i].self_s > 0 && (!best || lines.items[i].self_s > best->self_s))
			best = &lines.items[i];
	if (ret == 0 && best && p->functions[best->function].file)
		fact_write(out, "hottest", "%s:%u in %s, %s, %.3g %% of all self time",
			   p->functions[best->function].file, best->line,
			   p->functions[best->function].name,
			   text_seconds(took, sizeof(took), best->self_s),
			   100 * best->self_s / p->totals.shares_s);
	line_costs_release(&lines);
	return ret;
}

static void stream_facts(const struct export_source *s, struct out *out)
{
	const struct wire_stats *w = &s->stream;

	fact_write(out, "stream", "%s bytes, %s events", TEXT_WHOLE(w->bytes),
		   TEXT_WHOLE(w->events));
	if (!w->bad_bytes && !w->lost && !w->damaged && !w->resyncs)
		fact_write(out, "damage", "none");
	else
		fact_write(out, "damage", "%s bad bytes, %s lost, %s damaged, %s times out of step",
		   TEXT_WHOLE(w->bad_bytes), TEXT_WHOLE(w->lost), TEXT_WHOLE(w->damaged),
		   TEXT_WHOLE(w->resyncs));
}

static void loss_facts(const struct export_source *s, struct out *out)
{
	char line[256];
	bool any = false;

	for (const struct loss *l = losses; s->status && l->name; l++) {
		if (!loss_count(l, s->status))
			continue;
		loss_say(l, s->status, line, sizeof(line));
		fact_write(out, any ? "" : "losses", "%s", line);
		any = true;
	}
	if (s->status && !any)
		fact_write(out, "losses", "none");
}

int summary_write(const struct export_source *s, const char *path, bool streamed, struct out *out)
{
	int ret;

	fact_write(out, "file", "%s", path);
	node_facts(s, streamed, out);
	time_facts(s, out);
	count_facts(s, out);
	trace_facts(s, out);
	stack_facts(s, out);
	ret = line_facts(s, out);
	if (streamed)
		stream_facts(s, out);
	loss_facts(s, out);
	return ret;
}
