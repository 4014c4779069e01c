#include "core/run/batch.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

#define BUDGET (4 * 1024 * 1024)	/* bytes a node may take before the others have their turn */

/*
 * A file ends. A live source ends when its peer goes, unless --for says how long to stay: then it
 * is waited for, like on the screen.
 */
static bool finished(const struct node *n, const struct batch_options *o)
{
	if (node_ended(n))
		return true;
	return o->seconds <= 0 && node_stats(n)->bytes && link_state(node_link(n)) == LINK_WAITING;
}

static int wait_for_input(const struct nodes *nodes, uint64_t deadline, struct err *err)
{
	struct pollfd *fds = mem_alloc((nodes_fds_max(nodes) + 1) * sizeof(*fds));
	uint64_t now = clock_now();
	int ms = -1;

	if (!fds)
		return err_set(err, ERR_NOMEM, "out of memory");
	if (deadline > now && deadline - now < UINT64_C(1000000) * INT_MAX)
		ms = (int)((deadline - now) / 1000000 + 1);
	else if (deadline)
		ms = deadline <= now ? 0 : INT_MAX;
	/* EINTR: the stop flag is looked at next */
	poll(fds, nodes_poll_fds(nodes, fds), clock_sooner(ms, nodes_timeout(nodes, now)));
	mem_free(fds);
	return 0;
}

/* What cannot wait for the end: an ELF that is not what runs, another that is. */
static void say_news(struct node *n, const struct batch_options *o, unsigned changes)
{
	if (changes & NODE_NEWS && o->say)
		o->say(o->ctx, node_news(n)->advice, node_news(n)->text);
}

static int read_all(struct nodes *nodes, const struct batch_options *o, struct err *err)
{
	uint64_t start = clock_now();
	const double longest = 9e9;	/* seconds, 285 years: in ns it still fits behind any start */
	uint64_t deadline = o->seconds > 0 ?
			    start + (uint64_t)(1e9 * fmin(o->seconds, longest)) : 0;

	for (;;) {
		uint64_t now = clock_now();
		size_t done = 0;

		if (nodes_service(nodes, now, err) < 0)
			return ERR_ABSENT;
		for (size_t i = 0; i < nodes->count; i++) {
			say_news(nodes->items[i], o, node_service(nodes->items[i], now, BUDGET));
			done += finished(nodes->items[i], o);
		}
		if (done == nodes->count || (deadline && now >= deadline) || (o->stop && *o->stop))
			return 0;
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

static int export_node(struct node *n, size_t index, const struct batch_options *o,
		       struct err *err)
{
	const struct batch_export flat = { exporter_find("flat"), NULL };
	const struct batch_export *x = o->export_count ? o->exports : &flat;
	size_t count = o->export_count ? o->export_count : 1;
	struct export_source s;
	int ret = 0;

	if (node_image(n)) {
		node_image_wait(n);
		say_news(n, o, node_service(n, clock_now(), 0));
	}
	node_export_source(n, &s);
	s.baseline = o->baseline;
	s.order = o->order;
	s.values = o->values;
	/* One that fails must not cost the user the others. */
	for (size_t i = 0; i < count; i++) {
		int r = export_one(&s, index, &x[i], err);

		ret = ret ? ret : r;
	}
	return ret;
}

/* One line each. */
static void say_losses(const struct node *n, const struct batch_options *o)
{
	char line[512];
	int lead;

	for (const struct loss *l = losses; node_status(n) && l->name; l++) {
		if (!loss_count(l, node_status(n)))
			continue;
		lead = snprintf(line, sizeof(line) / 2, "%s: ", node_title(n));
		lead = lead < (int)sizeof(line) / 2 ? lead : (int)sizeof(line) / 2 - 1;
		loss_say(l, node_status(n), line + lead, sizeof(line) - (size_t)lead);
		o->say(o->ctx, ADVICE_NONE, line);
	}
}

static void say_warnings(const struct node *n, const struct batch_options *o)
{
	char line[512];

	if (!o->say)
		return;
	if (node_warning(n, line, sizeof(line)) && strcmp(line, node_news(n)->text))
		o->say(o->ctx, ADVICE_NONE, line);
	say_losses(n, o);
	if (link_why(node_link(n))[0]) {
		snprintf(line, sizeof(line), "%s: %s", node_source(n), link_why(node_link(n)));
		o->say(o->ctx, ADVICE_NONE, line);
	}
	if (node_profile(n)->beyond) {
		snprintf(line, sizeof(line), "%s: report '%s' was printed while it grew: %zu rows beyond the %"
			 PRIu64 " announced are left out", node_source(n), node_profile(n)->name,
			 node_profile(n)->beyond, node_profile(n)->num_sites);
		o->say(o->ctx, ADVICE_NONE, line);
	}
	if (node_stats(n)->damaged + node_stats(n)->lost && node_hello(n)) {
		snprintf(line, sizeof(line), "%s: %" PRIu64 " frames damaged, %" PRIu64 " frames lost: what "
			 "they told comes again", node_source(n), node_stats(n)->damaged, node_stats(n)->lost);
		o->say(o->ctx, ADVICE_NONE, line);
		return;
	}
	if (node_stats(n)->bad_bytes + node_stats(n)->lost == 0)
		return;
	snprintf(line, sizeof(line), "%s: %" PRIu64 " bad bytes, %" PRIu64 " packets or rows lost",
		 node_source(n), node_stats(n)->bad_bytes, node_stats(n)->lost);
	o->say(o->ctx, ADVICE_NONE, line);
}

static int nothing_decoded(const struct node *n, struct err *err)
{
	const char *source = node_source(n);

	if (node_options(n)->report && node_reports(n))
		return err_set(err, ERR_ABSENT, "%s: no report '%s' among the %u that came", source,
			       node_options(n)->report, node_reports(n));
	if (node_stats(n)->bytes == 0 && link_why(node_link(n))[0])
		return err_set(err, ERR_FORMAT, "%s: no data came: %s", source, link_why(node_link(n)));
	if (node_stats(n)->bytes == 0)
		return err_set(err, ERR_FORMAT, "%s: no data came; check the port, its baud rate and "
			       "that the node runs, with interrupts on", source);
	if (node_hello(n))
		return err_advise(err, ERR_FORMAT, ADVICE_DOCTOR,
				  "%s: the node has counted nothing%s", source,
				  node_hello(n)->features & WSN_F_RUNNING ? "" :
				  ": it is stopped, wsnprof_start() was not called");
	if (node_stats(n)->bad_bytes > node_stats(n)->text_bytes)
		return err_advise(err, ERR_FORMAT, ADVICE_FORMAT,
				  "%s: nothing decoded from %" PRIu64 " bytes (%s), most of them "
				  "no text either; check the baud rate", source, node_stats(n)->bytes,
				  node_format_note(n));
	return err_set(err, ERR_FORMAT, "%s: nothing decoded from %" PRIu64 " bytes (%s), which are "
		       "text; does the node print reports, or call wsnprof_poll()?", source,
		       node_stats(n)->bytes, node_format_note(n));
}

static bool has_data(const struct node *n)
{
	const struct profile *p = node_profile(n);

	/* A report that was asked for by name is not made up for by a stack trace. */
	return p->site_count || p->pc_count || p->generation ||
	       (node_stack_count(n) && !node_options(n)->report);
}

int batch_run(struct nodes *nodes, const struct batch_options *o, struct err *err)
{
	bool failed = read_all(nodes, o, err) < 0;

	for (size_t i = 0; i < nodes->count; i++) {
		struct node *n = nodes->items[i];

		if (!has_data(n)) {
			nothing_decoded(n, err);
			failed = true;
			continue;
		}
		if (export_node(n, i, o, err) < 0)
			failed = true;
		say_warnings(n, o);
		/*
		 * What was counted is exported, by address; but the image that was given could not
		 * be used.
		 */
		failed |= node_image_refused(n) != NULL;
	}
	return failed ? 1 : 0;
}
