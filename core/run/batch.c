#include "core/run/batch.h"

#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/raw/copy.h"

#define BUDGET (4 * 1024 * 1024)	/* bytes of one node before the others have their turn */
#define BUDGET_TIMED (64 * 1024)	/* ... where a time is given: it is looked at as often */

/* One line to the user. */
static void line_say(const struct batch_options *o, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static void line_say(const struct batch_options *o, const char *fmt, ...)
{
	char line[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(line, sizeof(line), fmt, ap);
	va_end(ap);
	o->say(o->ctx, ADVICE_NONE, line);
}

/*
 * A file ends. A live source ends when its peer disconnects, unless --for gives a time: then
 * wsntop waits for it to come back, as on the screen.
 */
static bool node_is_done(const struct node *n, const struct batch_options *o)
{
	if (node_ended(n))
		return !node_meter_reads(n);
	return o->seconds <= 0 && node_stats(n)->bytes &&
	       link_state(node_link(n)) == LINK_WAITING;
}

static int wait_for_input(const struct nodes *nodes, uint64_t deadline, struct err *err)
{
	struct pollfd *fds = mem_alloc((nodes_fds_max(nodes) + 1) * sizeof(*fds));
	uint64_t now = clock_now();
	int ms = deadline ? clock_ms_until(deadline, now) : -1;

	if (!fds)
		return err_set(err, ERR_NOMEM, "out of memory");
	/* EINTR: the stop flag is looked at next */
	poll(fds, nodes_poll_fds(nodes, fds), clock_sooner(ms, nodes_timeout(nodes, now)));
	mem_free(fds);
	return 0;
}

/* News that cannot wait for the end: the ELF does not match the node, another one does. */
static void say_news(struct node *n, const struct batch_options *o, unsigned changes)
{
	if (changes & NODE_NEWS && o->say)
		o->say(o->ctx, node_news(n)->advice, node_news(n)->text);
}

/* New nodes of carriers. One that cannot be opened must not cost the user the others. */
static bool nodes_admit(struct nodes *nodes, const struct batch_options *o, uint64_t now)
{
	struct err err = { 0 };
	bool all = true;

	for (; nodes_service(nodes, now, &err) < 0; err_clear(&err)) {
		all = false;
		if (o->say)
			o->say(o->ctx, err.advice, err.text);
	}
	return all;
}

static int nodes_read(struct nodes *nodes, const struct batch_options *o, struct err *err)
{
	uint64_t start = clock_now();
	const double longest = 9e9;	/* seconds, 285 years: start + these still fits in ns */
	uint64_t deadline = o->seconds > 0 ?
			    start + (uint64_t)(1e9 * fmin(o->seconds, longest)) : 0;
	bool all = true;

	for (;;) {
		uint64_t now = clock_now();
		size_t done = 0;

		all &= nodes_admit(nodes, o, now);
		for (size_t i = 0; i < nodes->count; i++) {
			say_news(nodes->items[i], o,
				 node_service(nodes->items[i], now,
					      deadline ? BUDGET_TIMED : BUDGET));
			done += node_is_done(nodes->items[i], o);
		}
		if (done == nodes->count || (deadline && now >= deadline) || (o->stop && *o->stop))
			return all ? 0 : ERR_ABSENT;
		if (wait_for_input(nodes, deadline, err) < 0)
			return ERR_NOMEM;
	}
}

static int export_one(const struct export_source *s, size_t node,
		      const struct batch_export *x, struct err *err)
{
	const char *path = x->path ? x->path : "-";
	struct buf numbered = BUF_INIT;
	int ret;

	if (node == 0 || !strcmp(path, "-"))
		return export_file(x->exporter, s, path, err);
	/* Several nodes, one FILE: the second goes to FILE.2. */
	buf_addf(&numbered, "%s.%zu", path, node + 1);
	if (numbered.failed)
		ret = err_set(err, ERR_NOMEM, "out of memory");
	else
		ret = export_file(x->exporter, s, buf_str(&numbered), err);
	buf_release(&numbered);
	return ret;
}

/* `span`: its profile instead of the node's. */
static int export_node(struct node *n, size_t index, const struct batch_options *o,
		       const struct span_result *span, struct err *err)
{
	const struct batch_export flat = { exporter_find("flat"), NULL };
	const struct batch_export *x = o->export_count ? o->exports : &flat;
	size_t count = o->export_count || o->silent ? o->export_count : 1;
	struct export_source s;
	int ret = 0;

	if (node_image(n)) {
		node_image_wait(n);
		say_news(n, o, node_service(n, clock_now(), 0));
	}
	node_export_source(n, &s);
	if (span->profile) {
		s.profile = span->profile;
		s.window = span->said;
		s.stream = span->stream;
		s.energy = NULL;
		s.worst = NULL;
	}
	s.baseline = o->baseline;
	s.least = &o->least;
	s.order = o->order;
	s.values = o->values;
	/* One that fails must not cost the user the others. */
	for (size_t i = 0; i < count; i++) {
		int r = export_one(&s, index, &x[i], err);

		ret = ret ? ret : r;
	}
	return ret;
}

static void say_losses(const struct node *n, const struct batch_options *o)
{
	char line[512];

	for (const struct loss *l = losses; node_status(n) && l->name; l++) {
		if (!loss_count(l, node_status(n)))
			continue;
		loss_say(l, node_status(n), line, sizeof(line));
		line_say(o, "%.255s: %s", node_title(n), line);
	}
}

static void say_warnings(const struct node *n, const struct batch_options *o)
{
	const char *source = node_source(n), *why = link_why(node_link(n));
	const struct wire_stats *stats = node_stats(n);
	const struct profile *p = node_profile(n);
	char line[512];

	if (!o->say)
		return;
	if (node_warning(n, line, sizeof(line)) && strcmp(line, node_news(n)->text))
		line_say(o, "%s", line);
	say_losses(n, o);
	if (why[0])
		line_say(o, "%s: %s", source, why);
	if (p->beyond)
		line_say(o, "%s: report '%s' grew while it was printed: %s rows beyond the %s "
			 "announced are left out", source, p->name, TEXT_WHOLE(p->beyond),
			 TEXT_WHOLE(p->num_sites));
	if (stats->damaged + stats->lost && node_hello(n))
		line_say(o, "%s: %s frames damaged, %s frames lost: the node sends their "
			 "content again", source, TEXT_WHOLE(stats->damaged),
			 TEXT_WHOLE(stats->lost));
	else if (stats->bad_bytes + stats->lost)
		line_say(o, "%s: %s bad bytes, %s packets or rows lost", source,
			 TEXT_WHOLE(stats->bad_bytes), TEXT_WHOLE(stats->lost));
}

/* A node that its handlers' hooks starve sends nothing, or next to nothing. */
static void starved_say(const struct node *n, char *dst, size_t size)
{
	char names[120];

	dst[0] = '\0';
	if (node_handlers(n, true, names, sizeof(names)))
		snprintf(dst, size, "; or the node may have no time left: instrumented handlers "
			 "(%s)", names);
}

static int nothing_decoded(const struct node *n, struct err *err)
{
	char starved[200], warning[400];
	const char *source = node_source(n), *why = link_why(node_link(n));
	const struct wire_stats *stats = node_stats(n);

	starved_say(n, starved, sizeof(starved));
	if (node_options(n)->report && node_reports(n))
		return err_set(err, ERR_ABSENT, "%s: no report '%s' among the %u received", source,
			       node_options(n)->report, node_reports(n));
	if (stats->bytes == 0 && why[0])
		return err_set(err, ERR_FORMAT, "%s: no data came: %s", source, why);
	if (link_failed(node_link(n)))
		return err_set(err, ERR_FORMAT, "%s: nothing was counted: %s", source, why);
	if (node_probe_warning(n, warning, sizeof(warning)))
		return err_set(err, ERR_FORMAT, "%s: %s", source, warning);
	if (stats->bytes == 0)
		return err_set(err, ERR_FORMAT, "%s: no data came; check the port, its baud rate "
			       "and that the node runs, with interrupts on%s", source,
			       starved);
	if (node_hello(n))
		return err_advise(err, ERR_FORMAT, ADVICE_DOCTOR,
				  "%s: the node has counted nothing%s", source,
				  node_hello(n)->features & WSN_F_RUNNING ?
				  starved :
				  ": it is stopped, wsnprof_start() was not called");
	if (stats->events && !strcmp(node_format(n), "wsn"))
		return err_set(err, ERR_FORMAT, "%s: %s frames of a wsn node, but not "
			       "its HELLO, which describes them; read a few seconds more: the "
			       "node sends it every fourth refresh%s", source,
			       TEXT_WHOLE(stats->events),
			       starved);
	if (stats->bad_bytes > stats->text_bytes)
		return err_advise(err, ERR_FORMAT, ADVICE_FORMAT,
				  "%s: nothing decoded from %s bytes (%s), most of them "
				  "no text either; check the baud rate%s", source,
				  TEXT_WHOLE(stats->bytes),
				  node_format_note(n), starved);
	return err_set(err, ERR_FORMAT, "%s: nothing decoded from %s bytes (%s), which "
		       "are text; does the node print reports, or call wsnprof_poll()?%s", source,
		       TEXT_WHOLE(stats->bytes), node_format_note(n), starved);
}

static bool has_data(const struct node *n)
{
	const struct profile *p = node_profile(n);

	/* A stack trace does not replace a report that was asked for by name. */
	return (p->picture && p->function_count) || p->site_count || p->pc_count || p->generation ||
	       (node_trace(n) && !link_failed(node_link(n))) ||
	       (node_stack_count(n) && !node_options(n)->report);
}

/* True: a bound was passed. What cannot be judged is said, too. */
static bool watches_say(struct node *n, const struct batch_options *o)
{
	size_t count;
	const struct watch_state *w = node_watches(n, &count);
	char bound[WATCH_TEXT], now[40];
	bool any = false;

	for (; count--; w++) {
		watch_bound(&w->of, bound, sizeof(bound));
		if (isnan(w->value))
			line_say(o, "%s: %s: not known in this profile", w->of.function, bound);
		else if (w->beyond)
			line_say(o, "%s: %s passed: %s", w->of.function, bound,
				 watch_value(&w->of, w->value, now, sizeof(now)));
		any |= w->beyond;
	}
	return any;
}

/* Its recording ended early (a full disk): said once more, behind all else. */
static bool record_failed(struct node *n, const struct batch_options *o)
{
	node_record_sync(n);
	if (!node_options(n)->record || node_is_recording(n))
		return false;
	if (err_is_set(node_trouble(n)))
		line_say(o, "%s", node_trouble(n)->text);
	return true;
}

/* Reads the span, if one is asked for, and exports. */
static int node_finish(struct node *n, size_t i, const struct batch_options *o, struct err *err)
{
	static const volatile sig_atomic_t never;
	struct span_result span = { .profile = NULL };
	int ret;

	if (o->span) {
		if (span_read(n, o->span, o->stop ? o->stop : &never, &span, err) < 0)
			return ERR_ABSENT;
	} else if (!has_data(n)) {
		nothing_decoded(n, err);
		return ERR_ABSENT;
	}
	ret = export_node(n, i, o, &span, err);
	profile_drop(span.profile);
	say_warnings(n, o);
	return ret;
}

int batch_run(struct nodes *nodes, const struct batch_options *o, struct err *err)
{
	bool failed = false, passed = false;

	for (size_t i = 0; i < nodes->count; i++)
		node_set_watches(nodes->items[i], o->watches, o->watch_count);
	if (!o->span)
		failed = nodes_read(nodes, o, err) < 0;
	for (size_t i = 0; i < nodes->count; i++) {
		struct node *n = nodes->items[i];

		int ret = node_finish(n, i, o, err);

		failed |= ret < 0;
		if (ret == ERR_ABSENT)
			continue;
		passed |= watches_say(n, o);
		/* A simulator that crashed: what it had told by then is exported. */
		failed |= link_failed(node_link(n));
		failed |= record_failed(n, o);
		/* The counts are exported, by address, but the given image could not be used. */
		failed |= node_image_refused(n) != NULL;
	}
	return failed ? 1 : passed ? BATCH_PASSED : 0;
}
