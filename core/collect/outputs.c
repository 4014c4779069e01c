#include "core/collect/outputs.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/collect/http.h"
#include "core/collect/metrics.h"
#include "core/collect/push.h"
#include "core/collect/overview.h"

#define FAREWELL_NS (2 * CLOCK_SECOND)	/* for profiles that are still to be pushed, at the end */

_Static_assert(OUTPUTS_FDS >= HTTP_CLIENTS + 1 + PUSH_FDS, "the listening socket and the push");

/* A rule that fails: said when it begins, and when it ends. */
struct alert {
	uint64_t key;			/* of the part, the rule and the function */
	char *end;			/* what is said then; NULL: no memory */
	bool now;
};

enum { ALERTS = 1024 };

struct outputs {
	const struct outputs_options *o;
	struct elfs *elfs;
	struct http *http;
	struct push *push;
	struct sum pushed;		/* as it was then */
	uint64_t push_ns;
	bool push_begun, push_failed;
	struct alert alerts[ALERTS];
	size_t alert_count, failed;
	bool broken;			/* a file was not written */
	bool broken_now, broken_told;	/* in this round; in the one before: it was said */
};

struct outputs *outputs_open(const struct outputs_options *options, struct elfs *elfs,
			     struct err *err)
{
	struct outputs *o = mem_zalloc(sizeof(*o));

	if (!o) {
		err_set(err, ERR_NOMEM, "out of memory");
		return NULL;
	}
	o->o = options;
	o->elfs = elfs;
	if ((options->listen && !(o->http = http_open(options->listen, err))) ||
	    (options->push && !(o->push = push_open(options->push, err)))) {
		outputs_close(o);
		return NULL;
	}
	if (o->http)
		say_line(&o->o->say, "Prometheus may ask at port %u, /metrics", http_port(o->http));
	return o;
}

void outputs_close(struct outputs *o)
{
	if (!o)
		return;
	http_close(o->http);
	push_close(o->push);
	sum_release(&o->pushed);
	for (size_t i = 0; i < o->alert_count; i++)
		mem_free(o->alerts[i].end);
	mem_free(o);
}

size_t outputs_failed(const struct outputs *o)
{
	return o->failed;
}

bool outputs_broken(const struct outputs *o)
{
	return o->broken;
}

/* --- parts ------------------------------------------------------------------------------------ */

void output_source(const struct output_part *p, struct export_source *s)
{
	*s = (struct export_source){
		.profile = p->profile, .image = p->image, .node = p->part->key.site,
		.source = p->part->key.site, .format = "wsn",
		.image_match = p->image ? "yes" : "unknown", .agreement = (double)NAN,
		.build_id = p->part->key.build.build_id,
		.build_id_size = p->part->key.build.kind == WIRE_IDENTITY_BUILD_ID ?
				 sizeof(p->part->key.build.build_id) : 0,
		.hello = &p->hello, .hooks_share = (double)NAN,
		.order = { .column = COLUMN_SELF },
	};
}

static bool part_make(const struct outputs *o, const struct sum_part *part, struct output_part *p)
{
	*p = (struct output_part){ .part = part };
	sum_build_name(&part->key.build, p->build, sizeof(p->build));
	sum_hello(part, &p->hello);
	p->image = elfs_image(o->elfs, &p->hello.identity);
	p->profile = sum_profile(part, p->image);
	return p->profile != NULL;
}

static void parts_free(struct output_part *parts, size_t count)
{
	for (size_t i = 0; i < count; i++)
		sum_profile_free(parts[i].profile);
	mem_free(parts);
}

/* How many; *parts for parts_free. */
static size_t parts_make(const struct outputs *o, const struct sum *all, struct output_part **parts)
{
	size_t count = 0;

	*parts = mem_zalloc((all->count + 1) * sizeof(**parts));
	for (size_t i = 0; *parts && i < all->count; i++)
		count += part_make(o, all->parts[i], &(*parts)[count]);
	return count;
}

/* --- files ------------------------------------------------------------------------------------ */

/* DIR/fleet.pprof -> DIR/fleet-plant1-1a2b3c4d.pprof */
static void path_make(struct buf *path, const char *given, const struct output_part *p)
{
	const char *name = text_basename(given), *dot = strrchr(name, '.');
	size_t stem = dot && dot > name ? (size_t)(dot - given) : strlen(given);
	char site[SUM_SITE];

	snprintf(site, sizeof(site), "%s", p->part->key.site);
	for (char *s = site; *s; s++)
		*s = *s == '/' || *s == '.' ? '_' : *s;
	buf_add(path, given, stem);
	buf_addf(path, "-%s-%s%s", site, p->build, given + stem);
}

/* Why a file was not written: said when that begins, not in each round. */
static void file_tell(struct outputs *o, int ret, const struct err *err)
{
	if (ret < 0 && !o->broken_told)
		say_line(&o->o->say, "%s", err->text);
	o->broken |= ret < 0;
	o->broken_now |= ret < 0;
}

static void file_write_part(struct outputs *o, const struct output_file *f,
			    const struct output_part *p)
{
	struct buf path = BUF_INIT;
	struct err err = { 0 };
	struct export_source s;

	output_source(p, &s);
	s.values = o->o->values;
	path_make(&path, f->path, p);
	file_tell(o, export_file(f->format, &s, buf_str(&path), &err), &err);
	buf_release(&path);
}

static void summary_put(struct outputs *o, const struct sum *all, const struct output_part *parts,
			size_t count)
{
	struct out *out = mem_alloc(sizeof(*out));
	struct err err = { 0 };
	int ret = out ? out_open(out, o->o->summary, &err) :
			err_set(&err, ERR_NOMEM, "out of memory");

	if (ret == 0) {
		overview_write(o->o->group, all, parts, count, out);
		ret = out_close(out, &err);
	}
	mem_free(out);
	file_tell(o, ret, &err);
}

/* --- the endpoint ----------------------------------------------------------------------------- */

static void metrics_put(struct outputs *o, const struct sum *all, const struct output_part *parts,
			size_t count)
{
	struct buf text = BUF_INIT;
	struct out *out = mem_alloc(sizeof(*out));

	if (out) {
		out_open_buf(out, &text);
		metrics_write(all, parts, count, out);
		if (out_close(out, NULL) == 0)
			http_put(o->http, buf_str(&text), text.len);
	}
	mem_free(out);
	buf_release(&text);
}

/* --- pushing ---------------------------------------------------------------------------------- */

static void part_push(struct outputs *o, const struct output_part *p)
{
	const struct push_label labels[] = {
		{ "__name__", "process_cpu" },
		{ "service_name", p->image ? text_basename(image_path(p->image)) : "firmware" },
		{ "site", p->part->key.site },
		{ "build", p->build },
		{ NULL, NULL },
	};
	const struct exporter *pprof = exporter_find("pprof");
	struct buf bytes = BUF_INIT;
	struct export_source s;
	struct out *out = mem_alloc(sizeof(*out));

	output_source(p, &s);
	if (out) {
		out_open_buf(out, &bytes);
		export_write(pprof, &s, out, NULL);
		if (out_close(out, NULL) == 0)
			push_add(o->push, labels, bytes.data, bytes.len);
	}
	mem_free(out);
	buf_release(&bytes);
}

static bool has_counts(const struct sum_part *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->rows[i].calls || p->rows[i].total)
			return true;
	return false;
}

/* What came since the time before: sums from the first one on are of before this collector. */
static void push_take(struct outputs *o, uint64_t now, const struct sum *all, bool leads)
{
	struct sum since = { .count = 0 };
	struct output_part *parts;
	size_t count;

	if (o->push_begun && leads && sum_since(&since, all, &o->pushed) == 0) {
		count = parts_make(o, &since, &parts);
		for (size_t i = 0; i < count; i++)
			if (has_counts(parts[i].part))
				part_push(o, &parts[i]);
		parts_free(parts, count);
	}
	sum_release(&since);
	sum_release(&o->pushed);
	sum_merge(&o->pushed, all);
	for (size_t i = 0; i < o->pushed.count; i++)
		shares_release(&o->pushed.parts[i]->shares);
	o->push_begun |= all->count > 0;
	o->push_ns = now + (uint64_t)(o->o->push_period * 1e9);
}

/* Once for each time that it goes wrong. */
static void push_tell(struct outputs *o)
{
	struct push_tally t;

	push_tally(o->push, &t);
	if (*t.why && !o->push_failed)
		say_line(&o->o->say, "%s: %s; trying again", o->o->push, t.why);
	o->push_failed = *t.why != '\0';
}

static void push_finish(struct outputs *o)
{
	uint64_t now = clock_now(), end = now + FAREWELL_NS;
	struct push_tally t;

	while (!push_is_idle(o->push) && now < end) {
		struct pollfd fds[PUSH_FDS];
		int ms = clock_ms_until(end, now);
		size_t n = push_poll(o->push, now, fds, &ms);

		poll(fds, n, ms);
		now = clock_now();
		push_service(o->push, now);
	}
	push_tally(o->push, &t);
	say_line(&o->o->say, "%llu profiles pushed, %llu dropped", (unsigned long long)t.sent,
		 (unsigned long long)t.dropped + !push_is_idle(o->push));
}

/* --- rules ------------------------------------------------------------------------------------ */

static uint64_t alert_key(const struct output_part *p, const struct gate *g,
			  const struct gate_result *r)
{
	uint64_t h = MAP_HASH;
	const char *const texts[] = { p->part->key.site, p->build, gate_subject(g, r) };

	for (size_t i = 0; i < 3; i++)
		h = map_hash_bytes(h, texts[i], strlen(texts[i]) + 1);
	return map_hash_bytes(h, &r->rule->line, sizeof(r->rule->line));
}

/* "plant1 6f6a8a2b (app.elf): " */
static void part_name(struct buf *line, const struct output_part *p)
{
	buf_addf(line, "%s %s", p->part->key.site, p->build);
	if (p->image)
		buf_addf(line, " (%s)", text_basename(image_path(p->image)));
	buf_adds(line, ": ");
}

static char *alert_end(const struct output_part *p, const struct gate *g,
		       const struct gate_result *r)
{
	struct buf line = BUF_INIT;

	part_name(&line, p);
	buf_addf(&line, "holds again: %s %s; %s:%u", gate_subject(g, r), rule_figure_name(r->rule),
		 g->rules->file, r->rule->line);
	return buf_detach(&line);
}

static void alert_begin(struct outputs *o, const struct output_part *p, const struct gate *g,
			const struct gate_result *r)
{
	struct buf line = BUF_INIT, where = BUF_INIT;

	part_name(&line, p);
	buf_adds(&line, "failed: ");
	gate_describe(g, r, &line);
	gate_where(g, r, &where);
	buf_addf(&line, "%s%s; %s:%u", where.len ? "; " : "", buf_str(&where), g->rules->file,
		 r->rule->line);
	say_line(&o->o->say, "%s", buf_str(&line));
	buf_release(&where);
	buf_release(&line);
}

/* One that began is said; of more than ALERTS at once the first. */
static void alert_set(struct outputs *o, const struct output_part *p, const struct gate *g,
		      const struct gate_result *r)
{
	uint64_t key = alert_key(p, g, r);

	for (size_t i = 0; i < o->alert_count; i++)
		if (o->alerts[i].key == key) {
			o->alerts[i].now = true;
			return;
		}
	if (o->alert_count == ALERTS)
		return;
	o->alerts[o->alert_count++] = (struct alert){ key, alert_end(p, g, r), true };
	alert_begin(o, p, g, r);
}

/* Those that ended are said, and go. */
static void alerts_thin(struct outputs *o)
{
	size_t kept = 0;

	for (size_t i = 0; i < o->alert_count; i++) {
		struct alert *a = &o->alerts[i];

		if (a->now) {
			o->alerts[kept++] = *a;
			continue;
		}
		if (a->end)
			say_line(&o->o->say, "%s", a->end);
		mem_free(a->end);
	}
	o->alert_count = kept;
}

static void rules_hold(struct outputs *o, const struct output_part *p)
{
	const struct gate_input now = { .profile = p->profile, .image = p->image,
					.hooks = (double)NAN };
	struct gate g;

	if (gate_run(&g, o->o->rules, &now, o->o->baseline) < 0) {
		o->broken = true;
		say_line(&o->o->say, "%s: not held against the sum: out of memory",
			 o->o->rules->file);
		gate_release(&g);
		return;
	}
	for (size_t i = 0; i < g.count; i++) {
		if (g.results[i].verdict != GATE_FAILED)
			continue;
		o->failed++;
		alert_set(o, p, &g, &g.results[i]);
	}
	gate_release(&g);
}

static void rules_take(struct outputs *o, const struct output_part *parts, size_t count)
{
	size_t before = o->failed;

	o->failed = 0;
	for (size_t i = 0; i < o->alert_count; i++)
		o->alerts[i].now = false;
	for (size_t i = 0; i < count; i++)
		rules_hold(o, &parts[i]);
	alerts_thin(o);
	if (before && !o->failed)
		say_line(&o->o->say, "%s: all rules hold again", o->o->rules->file);
}

/* --- all of it -------------------------------------------------------------------------------- */

void outputs_take(struct outputs *o, uint64_t now, const struct sum *all, bool leads, bool last)
{
	bool wanted = o->o->file_count || o->o->summary || o->http || o->o->rules;
	struct output_part *parts = NULL;
	size_t count = wanted ? parts_make(o, all, &parts) : 0;

	for (size_t f = 0; f < o->o->file_count; f++)
		for (size_t i = 0; i < count; i++)
			file_write_part(o, &o->o->files[f], &parts[i]);
	if (o->o->summary)
		summary_put(o, all, parts, count);
	o->broken_told = o->broken_now;
	o->broken_now = false;
	if (o->http)
		metrics_put(o, all, parts, count);
	if (o->o->rules)
		rules_take(o, parts, count);
	parts_free(parts, count);
	if (o->push && (last || now >= o->push_ns))
		push_take(o, now, all, leads);
	if (o->push && last)
		push_finish(o);
}

size_t outputs_poll(const struct outputs *o, uint64_t now, struct pollfd *fds, int *ms)
{
	size_t n = o->http ? http_poll(o->http, now, fds, ms) : 0;

	return n + (o->push ? push_poll(o->push, now, fds + n, ms) : 0);
}

void outputs_service(struct outputs *o, uint64_t now)
{
	if (o->http)
		http_service(o->http, now);
	if (!o->push)
		return;
	push_service(o->push, now);
	push_tell(o);
}
