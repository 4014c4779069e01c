#include "core/run/span.h"

#include <stdio.h>
#include <time.h>

#include "core/base/clock.h"

#define BUDGET (4 * 1024 * 1024)	/* bytes between two looks at the stop flag */
#define FAR (UINT64_MAX / 4)		/* behind the end of any recording */

void span_options(struct node_options *o)
{
	o->span = true;
	o->batch = false;		/* its past is what is asked for */
	o->link.follow = false;
	o->link.speed = 1;
}

/* --- times ------------------------------------------------------------------------------------ */

static int time_find(const struct node *n, const struct moment *m, uint64_t at, uint64_t *ns,
		     struct err *err)
{
	const struct link *l = node_link(n);
	struct moment_span span = { .begin = link_zero(l), .end = link_zero(l) + FAR, .at = at };

	span.wall_known = link_wall(l, &span.wall);
	if (moment_find(m, &span, ns) != MOMENT_UNKNOWN)
		return 0;
	return err_set(err, ERR_USAGE, "%s: a share of its length is not known before it was "
		       "read; give a time", node_source(n));
}

/* "2026-11-24 12:00:00 - 13:00:00 (3600.0 s)" */
static void said_put(const struct node *n, uint64_t from, uint64_t until, char *dst, size_t size)
{
	char begin[32] = "", end[32] = "";
	int64_t wall;
	struct tm tm;
	time_t t;

	if (link_wall(node_link(n), &wall)) {
		t = (time_t)((from + (uint64_t)wall) / CLOCK_SECOND);
		if (localtime_r(&t, &tm))
			strftime(begin, sizeof(begin), "%Y-%m-%d %H:%M:%S", &tm);
		t = (time_t)((until + (uint64_t)wall) / CLOCK_SECOND);
		if (localtime_r(&t, &tm))
			strftime(end, sizeof(end), " - %H:%M:%S ", &tm);
	}
	snprintf(dst, size, "window %s%s(%.1f s)", begin, end,
		 (double)(until - from) / (double)CLOCK_SECOND);
}

/* --- reading ---------------------------------------------------------------------------------- */

static void goal_await(struct node *n, const volatile sig_atomic_t *stop)
{
	while (link_goal(node_link(n)) != LINK_NO_GOAL && !node_ended(n) && !*stop)
		node_service(n, clock_now(), BUDGET);
}

static void stats_since(struct wire_stats *now, const struct wire_stats *then)
{
	now->bytes -= then->bytes;
	now->events -= then->events;
	now->bad_bytes -= then->bad_bytes;
	now->text_bytes -= then->text_bytes;
	now->lost -= then->lost < now->lost ? then->lost : now->lost;
	now->resyncs -= then->resyncs;
	now->damaged -= then->damaged;
	now->replaced -= then->replaced;
}

/* Up to the first one's end; how many moments that were. */
static int begin_reach(struct node *n, uint64_t from, const volatile sig_atomic_t *stop,
		       size_t *moments, struct err *err)
{
	if (node_seek(n, from, err) < 0)
		return ERR_USAGE;
	goal_await(n, stop);
	node_moment(n);
	*moments = node_history(n) ? history_count(node_history(n)) : 0;
	return 0;
}

/* What comes up to `until` is in the moments behind the first `skip` ones. */
static int rest_read(struct node *n, uint64_t until, const volatile sig_atomic_t *stop,
		     size_t skip, struct span_result *r, struct err *err)
{
	struct wire_stats then = *node_stats(n);
	const struct history *h;

	if (node_read_on(n, until, err) < 0)
		return ERR_USAGE;
	goal_await(n, stop);
	node_moment(n);
	r->stream = *node_stats(n);
	stats_since(&r->stream, &then);
	h = node_history(n);
	if (!h || history_count(h) <= skip)
		return err_set(err, ERR_ABSENT, "%s: nothing was counted from --from to --until",
			       node_source(n));
	r->profile = history_window(h, skip, history_count(h), err);
	return r->profile ? 0 : ERR_NOMEM;
}

int span_read(struct node *n, const struct span *s, const volatile sig_atomic_t *stop,
	      struct span_result *r, struct err *err)
{
	uint64_t begin = link_zero(node_link(n)), from = begin, until = begin + FAR, end;
	size_t skip = 0;

	*r = (struct span_result){ .profile = NULL };
	if (!node_can_seek(n))
		return err_set(err, ERR_USAGE, "%s: --from and --until are for recordings in files",
			       node_source(n));
	node_pause(n, true);
	if ((s->begins && time_find(n, &s->from, begin, &from, err) < 0) ||
	    (s->ends && time_find(n, &s->until, from, &until, err) < 0))
		return ERR_USAGE;
	if (until <= from)
		return err_set(err, ERR_USAGE, "%s: --until is not behind --from", node_source(n));
	if (from > begin && begin_reach(n, from, stop, &skip, err) < 0)
		return ERR_USAGE;
	if (rest_read(n, until, stop, skip, r, err) < 0)
		return ERR_ABSENT;
	end = link_at(node_link(n), clock_now());
	said_put(n, from, end < until ? end : until, r->said, sizeof(r->said));
	return 0;
}
