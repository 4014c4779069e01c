/*
 * Everything as one JSON object, which core/export/snapshot reads back.
 *
 * null: the input does not hold it. 64-bit counts are written as they are, not by way of a double.
 */
#include "core/base/json_out.h"
#include "core/export/format.h"

#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/json_changes.h"
#include "core/export/json_lines.h"
#include "core/export/json_places.h"
#include "core/export/json_power.h"
#include "core/export/json_stack.h"
#include "core/export/losses.h"
#include "core/profile/look/context.h"
#include "core/profile/look/estimate.h"
#include "core/profile/look/rows.h"
#include "core/profile/look/worst.h"
#include "core/wire/wsn/wsn.h"

struct json {
	const struct export_source *s;
	const struct profile *p;
	double *left;		/* export_site_shares() */
	bool *passing;		/* export_passing() */
	bool depths;		/* export_has_depths() */
	struct column_data columns;
	struct json_out out;
};

/* --- fields ----------------------------------------------------------------------------------- */

static void put_function(struct json_out *o, const char *key, const struct profile_function *f)
{
	json_text(o, key, f ? f->name : NULL);
}

/* --- sent by the node about itself ------------------------------------------------------------ */

static void hooks_write(struct json *j)
{
	const struct wire_hello *h = j->s->hello;
	struct json_out *o = &j->out;

	json_begin_object(o, "hooks");
	json_number(o, "ticks_per_call", h->cost);
	json_number(o, "share", j->s->hooks_share);
	json_number(o, "spread_s", h->ticks_per_second ?
		    profile_spread(j->p) / h->ticks_per_second : (double)NAN);
	json_bool(o, "taken_back", h->features & WSN_F_TAKEN_BACK);
	json_text(o, "handlers_in_times", j->s->handlers[0] ? j->s->handlers : NULL);
	json_end_object(o);
}

static void losses_write(struct json *j)
{
	struct json_out *o = &j->out;

	json_begin_object(o, "losses");
	for (const struct loss *l = losses; l->name; l++) {
		if (l->flag)
			json_bool(o, l->name, loss_count(l, j->s->status));
		else
			json_count(o, l->name, true, loss_count(l, j->s->status));
	}
	json_end_object(o);
}

static void identity_write(struct json_out *o, const struct wire_identity *id)
{
	char hex[2 * sizeof(id->build_id) + 1];

	json_begin_object(o, "identity");
	if (id->kind == WIRE_IDENTITY_BUILD_ID) {
		for (size_t i = 0; i < sizeof(id->build_id); i++)
			snprintf(hex + 2 * i, 3, "%02x", id->build_id[i]);
		json_text(o, "build_id", hex);
	} else {
		snprintf(hex, sizeof(hex), "%04x%04x", id->a, id->b);
		json_text(o, "checksum", hex);
		json_count(o, "start", true, id->start);
		json_count(o, "length", true, id->length);
	}
	json_end_object(o);
}

static void probe_write(struct json_out *o, const struct wire_probe *p)
{
	static const char *const troubles[] = {
		[PROBE_NO_ANSWER] = "no answer", [PROBE_NO_CORE] = "no Cortex-M",
		[PROBE_TRACE_OFF] = "trace off", [PROBE_NO_PCSR] = "no PCSR",
		[PROBE_HALTED] = "halted", [PROBE_NOT_PERMITTED] = "not permitted",
		[PROBE_MUST_STOP] = "must stop",
	};

	json_begin_object(o, "probe");
	json_text(o, "core", p->core[0] ? p->core : NULL);
	json_text(o, "trouble", p->trouble ? troubles[p->trouble] : NULL);
	json_number(o, "asked_hz", p->asked_hz > 0 ? p->asked_hz : (double)NAN);
	json_number(o, "reached_hz", p->asked_hz > 0 ? p->reached_hz : (double)NAN);
	json_number(o, "halted", p->halted);
	json_count(o, "samples", true, p->samples);
	json_count(o, "asleep", true, p->asleep);
	json_count(o, "refused", true, p->refused);
	json_number(o, "cycles_hz", p->cycles_hz > 0 ? p->cycles_hz : (double)NAN);
	json_number(o, "answer_s", p->round_s > 0 ? p->round_s : (double)NAN);
	json_end_object(o);
}

static void put_node_state(struct json *j)
{
	struct json_out *o = &j->out;
	const struct wire_hello *h = j->s->hello;
	const struct wire_status *s = j->s->status;

	json_count(o, "id", h, h ? h->id : 0);
	json_count(o, "epoch", h, h ? h->epoch : 0);
	json_number(o, "isr_s", s && h && h->ticks_per_second ?
		   (double)s->isr / h->ticks_per_second : (double)NAN);
	if (h)
		hooks_write(j);
	else
		json_null(o, "hooks");
	if (s)
		losses_write(j);
	else
		json_null(o, "losses");
	if (h && h->identity.kind != WIRE_IDENTITY_NONE)
		identity_write(o, &h->identity);
	else
		json_null(o, "identity");
}

/* Of all calls from samples: the cycles' error, and what tells how many cycles a sample is. */
static void ran_terms_write(struct json *j)
{
	static const char *const sources[] = {
		[CYCLES_UNKNOWN] = NULL, [CYCLES_COUNTER] = "cycle counter",
		[CYCLES_STAMPS] = "time stamps", [CYCLES_CLOCK] = "clock",
		[CYCLES_COUNTED] = "counted calls",
	};
	const struct profile_ran *ran = &j->p->ran;
	struct json_out *o = &j->out;

	if (!ran->count)
		return;
	json_number(o, "calls_estimate_error", ran->spread);
	json_number(o, "calls_estimate_doubt", ran->doubt > 0 ? ran->doubt : (double)NAN);
	json_count(o, "calls_estimate_pairs", true, ran->pairs);
	json_text(o, "calls_estimate_by", sources[ran->by]);
	json_number(o, "cycles_per_sample", ran->cycles);
	json_number(o, "cycles_apart", ran->apart - 1);
}

static void node_write(struct json *j)
{
	struct json_out *o = &j->out;
	const struct export_source *s = j->s;
	double tps = j->p->terms.ticks_per_second;

	json_begin_object(o, "node");
	json_text(o, "name", s->node);
	json_text(o, "format", s->format);
	json_number(o, "ticks_per_second", tps > 0 ? tps : (double)NAN);
	json_number(o, "hz", export_has_samples(j->p) ? j->p->terms.hz : (double)NAN);
	json_bool(o, "rows_in_turn", j->p->terms.gathers && !j->p->terms.together);
	json_number(o, "profiled_s", j->p->totals.run_s);
	json_number(o, "wall_s", j->p->totals.run_s / j->p->pace);
	json_text(o, "image", s->image ? text_basename(image_path(s->image)) :
			     s->refused ? text_basename(s->refused) : NULL);
	json_text(o, "image_match", s->image_match ? s->image_match : "unknown");
	if (s->window)
		json_text(o, "window", s->window);
	json_number(o, "agreement", s->agreement);
	json_text(o, "machine", s->image ? image_machine(s->image) : NULL);
	json_text(o, "source", s->source);
	put_node_state(j);
	if (s->probe)
		probe_write(o, s->probe);
	if (s->logged_count)
		watching_json(o, s->logged, s->logged_count, s->watching);
	ran_terms_write(j);
	json_end_object(o);
}

static void stream_write(struct json *j)
{
	struct json_out *o = &j->out;
	const struct wire_stats *w = &j->s->stream;

	json_begin_object(o, "stream");
	json_count(o, "bytes", true, w->bytes);
	json_count(o, "events", true, w->events);
	json_count(o, "bad_bytes", true, w->bad_bytes);
	json_count(o, "lost", true, w->lost);
	json_count(o, "text_bytes", true, w->text_bytes);
	json_count(o, "resyncs", true, w->resyncs);
	json_count(o, "damaged", true, w->damaged);
	json_end_object(o);
}

static void report_write(struct json *j)
{
	struct json_out *o = &j->out;
	const struct profile *p = j->p;

	json_begin_object(o, "report");
	json_text(o, "name", p->generation ? p->name : NULL);
	json_count(o, "taken", true, p->generation);
	json_bool(o, "complete", !p->terms.incomplete);
	json_bool(o, "table_full", p->terms.table_full);
	json_count(o, "max_sites", p->terms.max_sites > 0, p->terms.max_sites);
	json_count(o, "ticks_run", p->ticks_run > 0, p->ticks_run);
	json_number(o, "self_s",
		    export_seconds(p, p->totals.time == PROFILE_TIME_TIMED, p->totals.profiled_s));
	json_end_object(o);
}

/* A self time that is made of rows of different age: low, self_s, high. */
static void estimate_write(struct json_out *o, const struct profile_function *f)
{
	if (!(f->self_slack_s > 0) || isnan(f->self_s)) {
		json_null(o, "self_estimate_s");
		return;
	}
	json_begin_array(o, "self_estimate_s");
	json_number(o, NULL, fmax(0, f->self_s - f->self_slack_s));
	json_number(o, NULL, f->self_s);
	json_number(o, NULL, fmin(f->total_s, f->self_s + f->self_slack_s));
	json_end_array(o);
}

/* Calls from samples, and what follows: never as if they were counted. */
static void ran_write(struct json *j, const struct profile_function *f)
{
	struct json_out *o = &j->out;

	for (int k = 0; k < ESTIMATES; k++) {
		struct estimate e = estimate_of(j->p, f, (enum estimate_kind)k);

		if (isnan(e.value))
			continue;
		json_begin_array(o, estimate_keys[k]);
		json_number(o, NULL, e.low);
		json_number(o, NULL, e.value);
		json_number(o, NULL, e.high);
		json_end_array(o);
	}
}

/* Where there is a power meter, or a model of one; null: not to be told. */
static void energy_write(struct json *j, const struct profile_function *f)
{
	const struct profile_energy *e = &f->energy;
	struct json_out *o = &j->out;
	double nan = (double)NAN;

	if (!j->s->energy)
		return;
	json_number(o, "current_a", e->known ? e->current_a : nan);
	json_number(o, "current_spread_a", e->known ? e->spread_a : nan);
	json_number(o, "energy_j", e->known ? e->energy_j : nan);
	json_number(o, "energy_per_call_j", e->known ? e->per_call_j : nan);
	json_number(o, "energy_share", e->known ? e->share : nan);
	json_bool(o, "energy_estimate", j->s->energy->estimate);
}

static void figures_write(struct json *j, const struct profile_function *f)
{
	const char *context = column_context(&j->columns, f);

	for (const enum column_id *id = export_figures; *id != COLUMN_CONTEXT; id++)
		json_number(&j->out, columns[*id].key, export_figure(&j->columns, *id, f));
	json_text(&j->out, columns[COLUMN_CONTEXT].key, *context ? context : NULL);
	for (const enum column_id *id = export_depths; j->depths && *id != COLUMN_COUNT; id++)
		json_number(&j->out, columns[*id].key, columns[*id].value(&j->columns, f));
}

static void function_write(struct json *j, size_t i)
{
	static const char *const sources[] = {
		[PROFILE_TIME_NONE] = NULL,
		[PROFILE_TIME_TIMED] = "timed",
		[PROFILE_TIME_SAMPLED] = "sampled",
	};
	const struct profile_function *f = &j->p->functions[i];
	bool timed = f->time == PROFILE_TIME_TIMED;
	/* Known only as a caller it has no times, save as the outermost one of paths read. */
	bool measured = f->called || f->samples ||
			(timed && j->p->picture && f->total_s > 0);
	double nan = (double)NAN;
	struct profile_buckets buckets;
	struct json_out *o = &j->out;

	if (!export_passes((uint32_t)i, j->passing))
		return;
	json_begin_object(o, NULL);
	json_text(o, "name", f->name);
	json_text(o, "file", f->file);
	json_count(o, "line", f->line > 0, f->line);
	json_count(o, "address", profile_has_address(f), f->address);
	if (j->passing && !profile_has_address(f))	/* else it follows from the place here */
		json_count(o, "edges_address", true, f->address);
	json_count(o, "calls", f->called, f->calls);
	json_count(o, "samples", export_has_samples(j->p), f->samples);
	json_number(o, "self_s", export_seconds(j->p, timed, measured ? f->self_s : nan));
	json_number(o, "total_s", export_seconds(j->p, timed, measured ? f->total_s : nan));
	json_number(o, "propagated_s", f->time == PROFILE_TIME_SAMPLED ? f->total_s : nan);
	json_number(o, "min_s", export_seconds(j->p, timed, f->has_minmax ? f->min_s : nan));
	json_number(o, "max_s", export_seconds(j->p, timed, f->has_minmax ? f->max_s : nan));
	export_histogram(o, "histogram", j->p,
			 profile_function_buckets(j->p, (uint32_t)i, &buckets) ? &buckets : NULL);
	estimate_write(o, f);
	ran_write(j, f);
	json_number(o, "rows_age_s", (double)f->age_s);
	json_bool(o, "incomplete", f->incomplete);
	json_count(o, "sites", f->called, f->sites);
	json_signed(o, "self_ticks", timed && !isnan(f->self_s), f->self_ticks);
	json_signed(o, "total_ticks", timed, f->total_ticks);
	json_count(o, "min_ticks", f->has_minmax, f->min);
	json_count(o, "max_ticks", f->has_minmax, f->max);
	json_bool(o, "min_at_least", f->has_minmax && f->flags & ROW_MIN_AT_LEAST);
	json_bool(o, "max_at_least", f->has_minmax && f->flags & ROW_MAX_AT_LEAST);
	json_text(o, "time", sources[f->time]);
	json_count(o, "cycle", f->cycle > 0, f->cycle);
	json_bool(o, "recursive", f->recursive);
	json_bool(o, "handler", f->flags & ROW_HANDLER);
	json_text(o, "path", f->path);
	figures_write(j, f);
	energy_write(j, f);
	json_end_object(o);
}

/* Calls and times of an edge or a site. */
struct times {
	uint64_t calls;
	bool timed;
	uint64_t total;
	bool range;
	uint64_t min, max;
	unsigned flags;
};

static void put_times(struct json_out *o, const struct profile *p, const struct times *t,
		      double total_s)
{
	bool range = t->range;
	double min = range ? profile_seconds(p, (double)t->min) : (double)NAN;
	double max = range ? profile_seconds(p, (double)t->max) : (double)NAN;

	json_count(o, "calls", true, t->calls);
	if (t->flags & ROW_LOST)	/* rare, and edges are many */
		json_bool(o, "calls_at_least", true);
	json_number(o, "total_s", total_s);
	json_number(o, "min_s", export_seconds(p, true, min));
	json_number(o, "max_s", export_seconds(p, true, max));
	json_count(o, "total_ticks", t->timed, t->total);
	json_count(o, "min_ticks", range, t->min);
	json_count(o, "max_ticks", range, t->max);
	json_bool(o, "min_at_least", range && t->flags & ROW_MIN_AT_LEAST);
	json_bool(o, "max_at_least", range && t->flags & ROW_MAX_AT_LEAST);
}

static void edge_write(struct json *j, size_t i)
{
	const struct profile_edge *e = &j->p->edges[i];
	const struct profile_function *from = export_function(j->p, e->from);
	const struct profile_function *to = export_function(j->p, e->to);
	struct times t = {
		e->calls, e->timed, e->total, profile_edge_range(e), e->min, e->max, e->flags,
	};
	struct json_out *o = &j->out;

	if (!export_edge_passes(j->p, (uint32_t)i, j->passing))
		return;
	json_begin_object(o, NULL);
	put_function(o, "from", from);
	put_function(o, "to", to);
	json_count(o, "sites", true, e->sites);
	put_times(o, j->p, &t, export_edge_seconds(j->p, e));
	json_count(o, "from_address", from, from ? from->address : 0);
	json_count(o, "to_address", to, to ? to->address : 0);
	json_end_object(o);
}

/* The address after the call instruction, without ARM's Thumb bit. */
static uint64_t site_address(const struct export_source *s, uint32_t from)
{
	return s->image && image_codemap(s->image)->arch != CODE_HOST ? from & ~1u : from;
}

static void put_line(struct json_out *o, const struct export_source *s, uint64_t instruction)
{
	struct image_line line = { NULL };
	bool known = s->image && image_line(s->image, instruction, &line);

	json_text(o, "file", known ? line.file : NULL);
	json_count(o, "line", known && line.line, line.line);
}

/* A return address: the line is that of the call, which ends just before. */
static void put_place(struct json_out *o, const struct export_source *s, uint64_t address)
{
	put_line(o, s, address ? address - 1 : 0);
	json_count(o, "address", true, address);
}

/* An interrupt handler has no caller. */
static void put_nowhere(struct json_out *o)
{
	json_null(o, "file");
	json_null(o, "line");
	json_null(o, "address");
}

static void site_write(struct json *j, size_t i)
{
	const struct profile_site *site = &j->p->sites[i];
	const struct profile_edge *e = &j->p->edges[site->edge];
	struct profile_site left = export_site_left(j->p, (uint32_t)i, j->left);
	struct times t = {
		left.calls, left.timed, left.total, profile_site_range(&left), left.min, left.max,
		left.flags,
	};
	uint64_t to = j->s->image ? image_normal(j->s->image, site->to) : site->to;
	struct profile_buckets buckets;
	struct json_out *o = &j->out;

	if (!export_edge_passes(j->p, site->edge, j->passing))
		return;
	json_begin_object(o, NULL);
	put_function(o, "from", export_function(j->p, e->from));
	put_function(o, "to", export_function(j->p, e->to));
	if (site->flags & ROW_HANDLER)
		put_nowhere(o);
	else
		put_place(o, j->s, site_address(j->s, site->from));
	json_count(o, "to_address", true, to);
	put_times(o, j->p, &t, site->timed ? export_seconds(j->p, true, profile_seconds(j->p,
					  (double)t.total)) : (double)NAN);
	export_histogram(o, "histogram", j->p,
			 profile_site_buckets(j->p, (uint32_t)i, &buckets) ? &buckets : NULL);
	json_text(o, "kind", site->kind == TOTAL_ARC ? "arc" : "site");
	json_bool(o, "handler", site->flags & ROW_HANDLER);
	json_bool(o, "no_call", site->flags & ROW_NO_CALL);
	json_bool(o, "told_twice", site->flags & ROW_TWICE);
	json_bool(o, "stale", site->flags & ROW_STALE);
	json_bool(o, "bit16_recovered", site->flags & ROW_BIT16);
	json_bool(o, "ambiguous", site->flags & ROW_AMBIGUOUS);
	json_end_object(o);
}

/* One sampled PC, with the assembler label before it. */
static void pc_write(struct json *j, size_t i)
{
	const struct profile_pc *pc = &j->p->pcs[i];
	struct json_out *o = &j->out;

	if (!export_passes(pc->function, j->passing))
		return;
	json_begin_object(o, NULL);
	put_function(o, "function", export_function(j->p, pc->function));
	json_text(o, "label", j->s->image ? image_label(j->s->image, pc->pc) : NULL);
	put_line(o, j->s, pc->pc);
	json_count(o, "address", true, pc->pc);
	json_count(o, "samples", true, pc->count);
	json_end_object(o);
}

static const char *function_name_at(const struct image *im, uint64_t address)
{
	uint32_t id = im ? image_find(im, address) : IMAGE_NONE;

	return id == IMAGE_NONE ? NULL : image_function(im, id)->name;
}

static void frame_write(struct json_out *o, const struct export_source *s,
			const struct wire_frame *f, uint64_t tps)
{
	uint64_t from = site_address(s, f->from);

	json_begin_object(o, NULL);
	json_text(o, "from", from ? function_name_at(s->image, from - 1) : NULL);
	json_text(o, "to", function_name_at(s->image, f->to));
	put_place(o, s, from);
	json_count(o, "to_address", true, f->to);
	json_count(o, "ticks", true, f->ticks);
	json_number(o, "at_s", tps ? (double)f->ticks / (double)tps : (double)NAN);
	json_end_object(o);
}

static void stack_write(struct json *j, size_t i)
{
	const struct wire_stack *stack = &j->s->stacks[i];
	struct json_out *o = &j->out;

	json_begin_object(o, NULL);
	json_count(o, "announced", true, stack->announced);
	json_count(o, "ticks_per_second", stack->ticks_per_second > 0, stack->ticks_per_second);
	json_bool(o, "corrupted", stack->corrupted);
	json_begin_array(o, "frames");
	for (size_t k = 0; k < stack->count; k++)
		frame_write(o, j->s, &stack->frames[k], stack->ticks_per_second);
	json_end_array(o);
	json_end_object(o);
}

/* --- the longest calls ------------------------------------------------------------------------ */

/* Unix time. */
static void put_wall(struct json_out *o, const char *key, const struct export_source *s,
		     uint64_t ns)
{
	json_number(o, key, s->wall_known && ns ? (double)((int64_t)ns + s->wall_ns) / 1e9 :
						  (double)NAN);
}

/*
 * The longest call of an edge: numbers alone, functions by address as in the edges. It was seen by
 * one look and came after the look before; path: the callers, upwards.
 */
static void longest_write(struct json *j, size_t i)
{
	const struct worst_call *c = worst_of_edge(j->s->worst, j->p, (uint32_t)i);
	const struct profile_edge *e = &j->p->edges[i];
	const struct profile_function *from = export_function(j->p, e->from);
	struct json_out *o = &j->out;

	if (!c || !export_edge_passes(j->p, (uint32_t)i, j->passing))
		return;
	json_begin_object(o, NULL);
	json_count(o, "from_address", from, from ? from->address : 0);
	json_count(o, "to_address", true, j->p->functions[e->to].address);
	json_number(o, "s", c->seconds);
	put_wall(o, "seen", j->s, c->seen_ns);
	put_wall(o, "after", j->s, c->after_ns);
	json_begin_array(o, "path");
	for (size_t k = 0; k < c->path_length; k++)
		json_count(o, NULL, true, c->path[k]);
	json_end_array(o);
	json_end_object(o);
}

/* --- bounds ----------------------------------------------------------------------------------- */

static void watch_write(struct json *j, size_t i)
{
	const struct watch_state *w = &j->s->watches[i];
	struct json_out *o = &j->out;
	char text[WATCH_TEXT];

	json_begin_object(o, NULL);
	json_text(o, "expression", watch_text(&w->of, text, sizeof(text)));
	json_text(o, "function", w->of.function);
	json_bool(o, "passed", w->beyond);
	json_number(o, "value", w->value);
	put_wall(o, "moment", j->s, w->passed ? w->at_ns : 0);
	json_end_object(o);
}

/* What functions were written by, and the sums over all: those shares are of. */
static void filter_write(struct json *j)
{
	const struct profile_totals *t = &j->p->totals;
	struct json_out *o = &j->out;

	if (!j->passing)
		return;
	json_begin_object(o, "filter");
	json_text(o, "pattern", regex_pattern(j->s->order.filter));
	json_count(o, "calls", true, t->calls);
	json_count(o, "samples", true, t->samples);
	json_number(o, "self_s", export_seconds(j->p, t->time == PROFILE_TIME_TIMED, t->self_s));
	json_end_object(o);
}

/* --- the whole -------------------------------------------------------------------------------- */

static void array_write(struct json *j, const char *key, size_t n,
			void (*entry)(struct json *j, size_t i))
{
	json_begin_array(&j->out, key);
	for (size_t i = 0; i < n && !out_failed(j->out.out); i++)
		entry(j, i);
	json_end_array(&j->out);
}

int export_json(const struct export_source *s, struct out *out, struct err *err)
{
	const struct profile *p = s->profile;
	struct json j = { .s = s, .p = p, .out = { .out = out },
			  .depths = export_has_depths(p) };
	struct compare changes = { .functions_alone = true };
	struct contexts contexts = { 0 };

	int ret;

	(void)err;
	if (json_changes_build(&changes, s) < 0 || export_columns(s, &contexts, &j.columns) < 0 ||
	    export_site_shares(p, &j.left) < 0 || export_passing(s, &j.passing) < 0) {
		mem_free(j.left);
		contexts_release(&contexts);
		compare_release(&changes);
		return ERR_NOMEM;
	}
	json_begin_object(&j.out, NULL);
	json_count(&j.out, "wsntop", true, 1);
	filter_write(&j);
	json_bool(&j.out, "estimate", profile_estimated(p));
	node_write(&j);
	stream_write(&j);
	json_power_write(&j.out, s);
	json_stack_write(&j.out, s);
	report_write(&j);
	array_write(&j, "functions", p->function_count, function_write);
	array_write(&j, "edges", p->edge_count, edge_write);
	array_write(&j, "sites", p->site_count, site_write);
	array_write(&j, "pcs", p->pc_count, pc_write);
	json_places_write(&j.out, p, j.passing);
	ret = json_lines_write(&j.out, s, j.passing);
	array_write(&j, "stacktraces", s->stack_count, stack_write);
	array_write(&j, "longest", s->worst ? p->edge_count : 0, longest_write);
	if (s->watch_count)
		array_write(&j, "watches", s->watch_count, watch_write);
	json_changes_write(&j.out, &changes, s);
	json_end_object(&j.out);
	out_addc(out, '\n');
	mem_free(j.left);
	mem_free(j.passing);
	compare_release(&changes);
	contexts_release(&contexts);
	return ret;
}
