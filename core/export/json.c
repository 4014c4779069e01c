/*
 * Everything as one JSON object. cJSON writes each entry; the arrays are put together here, so that
 * a million call sites need no tree of a million nodes.
 *
 * null: the input does not hold it. 64-bit counts are written as they are, not by way of a double.
 */
#include "core/export/format.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/losses.h"
#include "core/wire/wsn/wsn.h"

struct json {
	const struct export_source *s;
	const struct profile *p;
	struct buf *out;
	double *left;		/* site_shares() */
};

/* --- fields ----------------------------------------------------------------------------------- */

/* A field that could not be added must not be missed silently: an invalid object does not print. */
static void put(cJSON *o, const cJSON *added)
{
	if (o && !added)
		o->type = cJSON_Invalid;
}

static void put_raw(cJSON *o, const char *key, const char *value)
{
	put(o, cJSON_AddRawToObject(o, key, value));
}

static void put_bool(cJSON *o, const char *key, bool value)
{
	put(o, cJSON_AddBoolToObject(o, key, value));
}

static void put_text(cJSON *o, const char *key, const char *text)
{
	struct buf visible = BUF_INIT;

	add_visible(&visible, text);
	if (visible.failed)
		put(o, NULL);
	else if (text)
		put(o, cJSON_AddStringToObject(o, key, buf_str(&visible)));
	else
		put_raw(o, key, "null");
	buf_release(&visible);
}

static void put_count(cJSON *o, const char *key, bool known, uint64_t n)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, n);
	put_raw(o, key, known ? digits : "null");
}

static void put_signed(cJSON *o, const char *key, bool known, int64_t n)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, n);
	put_raw(o, key, known ? digits : "null");
}

static void put_number(cJSON *o, const char *key, double v)
{
	char digits[40];

	number_text(digits, sizeof(digits), v);
	put_raw(o, key, digits[0] ? digits : "null");
}

static void put_function(cJSON *o, const char *key, const struct profile_function *f)
{
	put_text(o, key, f ? f->name : NULL);
}

/* --- entries ---------------------------------------------------------------------------------- */

static int add_object(struct json *j, cJSON *o)
{
	char *text = o ? cJSON_PrintUnformatted(o) : NULL;

	cJSON_Delete(o);
	if (!text)
		return ERR_NOMEM;
	buf_adds(j->out, text);
	cJSON_free(text);
	return j->out->failed ? ERR_NOMEM : 0;
}

static int add_member(struct json *j, const char *key, cJSON *o)
{
	buf_addf(j->out, ",\n \"%s\":", key);
	return add_object(j, o);
}

/* "key":[one entry a line]. */
static int add_array(struct json *j, const char *key, size_t n,
		     cJSON *(*entry)(const struct json *j, size_t i))
{
	buf_addf(j->out, ",\n \"%s\":[", key);
	for (size_t i = 0; i < n; i++) {
		buf_adds(j->out, i ? ",\n  " : "\n  ");
		if (add_object(j, entry(j, i)) < 0)
			return ERR_NOMEM;
	}
	buf_addc(j->out, ']');
	return 0;
}

/* [[upper bound in seconds, calls], ...]: the last has none. */
static void put_histogram(cJSON *o, const struct profile *p, const struct profile_buckets *b)
{
	struct buf text = BUF_INIT;
	char upper[40];

	for (size_t i = 0; b && p->terms.ticks_per_second > 0 && i < WIRE_BUCKETS; i++) {
		bool last = i == WIRE_BUCKETS - 1;

		if (!last)
			number_text(upper, sizeof(upper),
				    profile_seconds(p, (double)p->terms.bucket_below[i]));
		buf_addf(&text, "%s[%s,%" PRIu64 "]", i ? "," : "[", last ? "null" : upper,
			 b->calls[i]);
	}
	if (text.failed)
		put(o, NULL);
	if (text.len)
		buf_addc(&text, ']');
	put_raw(o, "histogram", text.len ? buf_str(&text) : "null");
	buf_release(&text);
}

/* --- what the node says of itself ------------------------------------------------------------- */

static void put_object(cJSON *o, const char *key, cJSON *member)
{
	if (!member || !cJSON_AddItemToObject(o, key, member))
		put(o, NULL);
}

static cJSON *hooks_object(const struct json *j)
{
	const struct wire_hello *h = j->s->hello;
	cJSON *o = cJSON_CreateObject();

	put_number(o, "ticks_per_call", h->cost);
	put_number(o, "share", j->s->hooks_share);
	put_number(o, "spread_s", h->ticks_per_second ? h->spread / h->ticks_per_second :
							(double)NAN);
	put_bool(o, "taken_back", h->features & WSN_F_TAKEN_BACK);
	return o;
}

static cJSON *losses_object(const struct json *j)
{
	cJSON *o = cJSON_CreateObject();

	for (const struct loss *l = losses; l->name; l++)
		put_count(o, l->name, true, loss_count(l, j->s->status));
	return o;
}

static cJSON *identity_object(const struct wire_identity *id)
{
	cJSON *o = cJSON_CreateObject();
	char hex[2 * sizeof(id->build_id) + 1];

	if (id->kind == IDENTITY_BUILD_ID) {
		for (size_t i = 0; i < sizeof(id->build_id); i++)
			snprintf(hex + 2 * i, 3, "%02x", id->build_id[i]);
		put_text(o, "build_id", hex);
	} else {
		snprintf(hex, sizeof(hex), "%04x%04x", id->a, id->b);
		put_text(o, "checksum", hex);
		put_count(o, "start", true, id->start);
		put_count(o, "length", true, id->length);
	}
	return o;
}

static void put_said(cJSON *o, const struct json *j)
{
	const struct wire_hello *h = j->s->hello;
	const struct wire_status *s = j->s->status;

	put_count(o, "id", h, h ? h->id : 0);
	put_count(o, "epoch", h, h ? h->epoch : 0);
	put_number(o, "isr_s", s && h && h->ticks_per_second ?
		   (double)s->isr / h->ticks_per_second : (double)NAN);
	if (h)
		put_object(o, "hooks", hooks_object(j));
	else
		put_raw(o, "hooks", "null");
	if (s)
		put_object(o, "losses", losses_object(j));
	else
		put_raw(o, "losses", "null");
	if (h && h->identity.kind != IDENTITY_NONE)
		put_object(o, "identity", identity_object(&h->identity));
	else
		put_raw(o, "identity", "null");
}

static cJSON *node_object(const struct json *j)
{
	cJSON *o = cJSON_CreateObject();
	const struct export_source *s = j->s;
	double tps = j->p->terms.ticks_per_second;

	put_text(o, "name", s->node);
	put_text(o, "format", s->format);
	put_number(o, "ticks_per_second", tps > 0 ? tps : (double)NAN);
	put_number(o, "hz", j->p->pc_count ? j->p->terms.hz : (double)NAN);
	put_bool(o, "rows_in_turn", j->p->terms.gathers);
	put_number(o, "profiled_s", j->p->totals.run_s);
	put_text(o, "image", s->image ? text_basename(image_path(s->image)) :
			     s->refused ? text_basename(s->refused) : NULL);
	put_text(o, "image_match", s->image_match ? s->image_match : "unknown");
	if (s->window)
		put_text(o, "window", s->window);
	put_number(o, "agreement", s->agreement);
	put_text(o, "machine", s->image ? image_machine(s->image) : NULL);
	put_text(o, "source", s->source);
	put_said(o, j);
	return o;
}

static cJSON *stream_object(const struct json *j)
{
	cJSON *o = cJSON_CreateObject();
	const struct wire_stats *w = &j->s->stream;

	put_count(o, "bytes", true, w->bytes);
	put_count(o, "events", true, w->events);
	put_count(o, "bad_bytes", true, w->bad_bytes);
	put_count(o, "lost", true, w->lost);
	put_count(o, "text_bytes", true, w->text_bytes);
	put_count(o, "resyncs", true, w->resyncs);
	put_count(o, "damaged", true, w->damaged);
	return o;
}

static cJSON *report_object(const struct json *j)
{
	cJSON *o = cJSON_CreateObject();
	const struct profile *p = j->p;

	put_text(o, "name", p->generation ? p->name : NULL);
	put_count(o, "taken", true, p->generation);
	put_bool(o, "complete", !p->terms.incomplete);
	put_bool(o, "table_full", p->terms.table_full);
	put_count(o, "max_sites", p->terms.max_sites > 0, p->terms.max_sites);
	put_count(o, "ticks_run", p->ticks_run > 0, p->ticks_run);
	put_number(o, "self_s", known_seconds(p, p->totals.time == TIME_TIMED, p->totals.profiled_s));
	return o;
}

static cJSON *function_object(const struct json *j, size_t i)
{
	static const char *const sources[] = {
		[TIME_NONE] = NULL, [TIME_TIMED] = "timed", [TIME_SAMPLED] = "sampled",
	};
	const struct profile_function *f = &j->p->functions[i];
	bool timed = f->time == TIME_TIMED;
	/*
	 * The contract: known only as a caller, it has no times of its own, though gprof gives it a
	 * share.
	 */
	bool measured = f->called || f->samples;
	double nan = (double)NAN;
	struct profile_buckets buckets;
	cJSON *o = cJSON_CreateObject();

	put_text(o, "name", f->name);
	put_text(o, "file", f->file);
	put_count(o, "line", f->line > 0, f->line);
	put_count(o, "address", profile_has_address(f), f->address);
	put_count(o, "calls", f->called, f->calls);
	put_count(o, "samples", j->p->pc_count > 0, f->samples);
	put_number(o, "self_s", known_seconds(j->p, timed, measured ? f->self_s : nan));
	put_number(o, "total_s", known_seconds(j->p, timed, measured ? f->total_s : nan));
	put_number(o, "propagated_s", f->time == TIME_SAMPLED ? f->total_s : nan);
	put_number(o, "min_s", known_seconds(j->p, timed, f->has_minmax ? f->min_s : nan));
	put_number(o, "max_s", known_seconds(j->p, timed, f->has_minmax ? f->max_s : nan));
	put_histogram(o, j->p, profile_function_buckets(j->p, (uint32_t)i, &buckets) ? &buckets : NULL);
	put_count(o, "sites", f->called, f->sites);
	put_signed(o, "self_ticks", timed && !isnan(f->self_s), f->self_ticks);
	put_signed(o, "total_ticks", timed, f->total_ticks);
	put_count(o, "min_ticks", f->has_minmax, f->min);
	put_count(o, "max_ticks", f->has_minmax, f->max);
	put_bool(o, "min_at_least", f->has_minmax && f->flags & ROW_MIN_AT_LEAST);
	put_bool(o, "max_at_least", f->has_minmax && f->flags & ROW_MAX_AT_LEAST);
	put_text(o, "time", sources[f->time]);
	put_count(o, "cycle", f->cycle > 0, f->cycle);
	put_bool(o, "recursive", f->recursive);
	put_bool(o, "handler", f->flags & ROW_HANDLER);
	put_text(o, "path", f->path);
	return o;
}

/* What an edge and a site have in common: calls and times. */
struct times {
	uint64_t calls;
	bool timed;
	uint64_t total;
	bool range;
	uint64_t min, max;
	unsigned flags;
};

static void put_times(cJSON *o, const struct json *j, const struct times *t, double total_s)
{
	const struct profile *p = j->p;
	bool range = t->range;
	double nan = (double)NAN;

	put_count(o, "calls", true, t->calls);
	put_number(o, "total_s", total_s);
	put_number(o, "min_s", known_seconds(p, true, range ? profile_seconds(p, (double)t->min) : nan));
	put_number(o, "max_s", known_seconds(p, true, range ? profile_seconds(p, (double)t->max) : nan));
	put_count(o, "total_ticks", t->timed, t->total);
	put_count(o, "min_ticks", range, t->min);
	put_count(o, "max_ticks", range, t->max);
	put_bool(o, "min_at_least", range && t->flags & ROW_MIN_AT_LEAST);
	put_bool(o, "max_at_least", range && t->flags & ROW_MAX_AT_LEAST);
}

static cJSON *edge_object(const struct json *j, size_t i)
{
	const struct profile_edge *e = &j->p->edges[i];
	const struct profile_function *from = function_at(j->p, e->from);
	const struct profile_function *to = function_at(j->p, e->to);
	struct times t = {
		e->calls, e->timed, e->total, profile_edge_range(e), e->min, e->max, e->flags,
	};
	cJSON *o = cJSON_CreateObject();

	put_function(o, "from", from);
	put_function(o, "to", to);
	put_count(o, "sites", true, e->sites);
	put_times(o, j, &t, edge_seconds(j->p, e));
	put_count(o, "from_address", from, from ? from->address : 0);
	put_count(o, "to_address", to, to ? to->address : 0);
	return o;
}

/* The address after the call instruction; ARM's Thumb bit is none of it. */
static uint64_t site_address(const struct export_source *s, uint32_t from)
{
	return s->image && image_codemap(s->image)->arch != CODE_HOST ? from & ~1u : from;
}

static void put_line(cJSON *o, const struct export_source *s, uint64_t instruction)
{
	struct image_line line = { NULL };
	bool known = s->image && image_line(s->image, instruction, &line);

	put_text(o, "file", known ? line.file : NULL);
	put_count(o, "line", known && line.line, line.line);
}

/* A return address: the line is the call's, which ends just before. */
static void put_place(cJSON *o, const struct export_source *s, uint64_t address)
{
	put_line(o, s, address ? address - 1 : 0);
	put_count(o, "address", true, address);
}

/* An interrupt's handler: nothing called it. */
static void put_nowhere(cJSON *o)
{
	put_raw(o, "file", "null");
	put_raw(o, "line", "null");
	put_raw(o, "address", "null");
}

static cJSON *site_object(const struct json *j, size_t i)
{
	const struct profile_site *site = &j->p->sites[i];
	const struct profile_edge *e = &j->p->edges[site->edge];
	struct profile_site left = site_left(site, j->left);
	struct times t = {
		left.calls, left.timed, left.total, profile_site_range(&left), left.min, left.max,
		left.flags,
	};
	uint64_t to = j->s->image ? image_normal(j->s->image, site->to) : site->to;
	struct profile_buckets buckets;
	cJSON *o = cJSON_CreateObject();

	put_function(o, "from", function_at(j->p, e->from));
	put_function(o, "to", function_at(j->p, e->to));
	if (site->flags & ROW_HANDLER)
		put_nowhere(o);
	else
		put_place(o, j->s, site_address(j->s, site->from));
	put_count(o, "to_address", true, to);
	put_times(o, j, &t, site->timed ? known_seconds(j->p, true, profile_seconds(j->p,
					  (double)t.total)) : (double)NAN);
	put_histogram(o, j->p, profile_site_buckets(j->p, (uint32_t)i, &buckets) ? &buckets : NULL);
	put_text(o, "kind", site->kind == TOTAL_ARC ? "arc" : "site");
	put_bool(o, "handler", site->flags & ROW_HANDLER);
	put_bool(o, "no_call", site->flags & ROW_NO_CALL);
	put_bool(o, "told_twice", site->flags & ROW_TWICE);
	put_bool(o, "stale", site->flags & ROW_STALE);
	put_bool(o, "bit16_recovered", site->flags & ROW_BIT16);
	put_bool(o, "ambiguous", site->flags & ROW_AMBIGUOUS);
	return o;
}

/* One sampled PC: where inside its function, down to an assembler label. */
static cJSON *pc_object(const struct json *j, size_t i)
{
	const struct profile_pc *pc = &j->p->pcs[i];
	cJSON *o = cJSON_CreateObject();

	put_function(o, "function", function_at(j->p, pc->function));
	put_text(o, "label", j->s->image ? image_label(j->s->image, pc->pc) : NULL);
	put_line(o, j->s, pc->pc);
	put_count(o, "address", true, pc->pc);
	put_count(o, "samples", true, pc->count);
	return o;
}

static const char *name_at(const struct image *im, uint64_t address)
{
	uint32_t id = im ? image_find(im, address) : IMAGE_NONE;

	return id == IMAGE_NONE ? NULL : image_function(im, id)->name;
}

static cJSON *frame_object(const struct export_source *s, const struct wire_frame *f, uint64_t tps)
{
	uint64_t from = site_address(s, f->from);
	cJSON *o = cJSON_CreateObject();

	put_text(o, "from", from ? name_at(s->image, from - 1) : NULL);
	put_text(o, "to", name_at(s->image, f->to));
	put_place(o, s, from);
	put_count(o, "to_address", true, f->to);
	put_count(o, "ticks", true, f->ticks);
	put_number(o, "at_s", tps ? (double)f->ticks / (double)tps : (double)NAN);
	return o;
}

static cJSON *stack_object(const struct json *j, size_t i)
{
	const struct wire_stack *stack = &j->s->stacks[i];
	cJSON *o = cJSON_CreateObject(), *frames;

	put_count(o, "announced", true, stack->announced);
	put_count(o, "ticks_per_second", stack->ticks_per_second > 0, stack->ticks_per_second);
	put_bool(o, "corrupted", stack->corrupted);
	frames = cJSON_AddArrayToObject(o, "frames");
	put(o, frames);
	for (size_t k = 0; frames && k < stack->count; k++) {
		cJSON *frame = frame_object(j->s, &stack->frames[k], stack->ticks_per_second);

		if (!cJSON_AddItemToArray(frames, frame))
			put(o, NULL);
	}
	return o;
}

/* --- the whole -------------------------------------------------------------------------------- */

static int write_all(struct json *j)
{
	buf_adds(j->out, "{\"wsntop\":1");
	buf_addf(j->out, ",\n \"estimate\":%s", profile_estimated(j->p) ? "true" : "false");
	if (add_member(j, "node", node_object(j)) < 0 ||
	    add_member(j, "stream", stream_object(j)) < 0 ||
	    add_member(j, "report", report_object(j)) < 0 ||
	    add_array(j, "functions", j->p->function_count, function_object) < 0 ||
	    add_array(j, "edges", j->p->edge_count, edge_object) < 0 ||
	    add_array(j, "sites", j->p->site_count, site_object) < 0 ||
	    add_array(j, "pcs", j->p->pc_count, pc_object) < 0 ||
	    add_array(j, "stacktraces", j->s->stack_count, stack_object) < 0)
		return ERR_NOMEM;
	buf_adds(j->out, ",\n \"longest\":[");
	longest_write(j->s, j->out);
	buf_adds(j->out, "]}\n");
	return j->out->failed ? ERR_NOMEM : 0;
}

int export_json(const struct export_source *s, struct buf *out, struct err *err)
{
	struct json j = { .s = s, .p = s->profile, .out = out };
	cJSON_Hooks hooks = { mem_alloc, mem_free };
	int ret;

	cJSON_InitHooks(&hooks);
	ret = site_shares(s->profile, &j.left);
	if (ret == 0)
		ret = write_all(&j);
	mem_free(j.left);
	return ret == 0 ? 0 : err_set(err, ERR_NOMEM, "export json: out of memory");
}
