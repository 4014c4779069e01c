#include "core/run/recorder.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

#define BUDGET (4 * 1024 * 1024)	/* bytes of one node before the others have their turn */
#define BUDGET_TIMED (64 * 1024)	/* ... where a time is given: it is looked at as often */

struct recorder {
	struct nodes *nodes;
	const struct recorder_options *o;
	uint64_t begun, deadline, due;	/* due: the next progress; 0: none */
	struct pollfd *fds;
	size_t fd_cap;
};

static uint64_t seconds_after(uint64_t now, double seconds)
{
	return seconds > 0 ? now + (uint64_t)(1e9 * fmin(seconds, 9e9)) : 0;
}

static void state_say(const struct recorder *r, const struct node *n, enum link_state before)
{
	enum link_state now = link_state(node_link(n));
	char line[512];

	if (now == before || (now != LINK_WAITING && before != LINK_WAITING))
		return;
	if (now == LINK_WAITING)
		snprintf(line, sizeof(line), "%s: %s; waiting for it", node_source(n),
			 link_why(node_link(n)));
	else
		snprintf(line, sizeof(line), "%s: it is back%s%s", node_source(n),
			 *link_moved(node_link(n)) ? " as " : "", link_moved(node_link(n)));
	r->o->say(r->o->ctx, line);
}

/* How many are at their end. */
static size_t nodes_serve(struct recorder *r, uint64_t now)
{
	size_t done = 0;

	for (size_t i = 0; i < r->nodes->count; i++) {
		struct node *n = r->nodes->items[i];
		enum link_state before = link_state(node_link(n));

		node_service(n, now, r->deadline ? BUDGET_TIMED : BUDGET);
		state_say(r, n, before);
		done += node_ended(n);
	}
	return done;
}

static void progress_tell(struct recorder *r, uint64_t now)
{
	if (!r->due || now < r->due)
		return;
	r->due = seconds_after(now, r->o->progress);
	r->o->tell(r->o->ctx, now - r->begun);
}

static int input_await(struct recorder *r, struct err *err)
{
	uint64_t now = clock_now();
	int ms = nodes_timeout(r->nodes, now);

	if (mem_grow(&r->fds, &r->fd_cap, nodes_fds_max(r->nodes) + 1, sizeof(*r->fds)) < 0)
		return err_set(err, ERR_NOMEM, "out of memory");
	if (r->deadline)
		ms = clock_sooner(ms, clock_ms_until(r->deadline, now));
	if (r->due)
		ms = clock_sooner(ms, clock_ms_until(r->due, now));
	/* EINTR: the stop flag is looked at next */
	poll(r->fds, nodes_poll_fds(r->nodes, r->fds), ms);
	return 0;
}

int recorder_run(struct nodes *nodes, const struct recorder_options *o, struct err *err)
{
	struct recorder r = { .nodes = nodes, .o = o, .begun = clock_now() };
	int ret = 0;

	r.deadline = seconds_after(r.begun, o->seconds);
	r.due = seconds_after(r.begun, o->progress);
	while (ret == 0) {
		uint64_t now = clock_now();

		ret = nodes_service(nodes, now, err) < 0 ? ERR_ABSENT : 0;
		if (nodes_serve(&r, now) == nodes->count || (r.deadline && now >= r.deadline) ||
		    *o->stop)
			break;
		progress_tell(&r, now);
		ret = ret < 0 ? ret : input_await(&r, err);
	}
	mem_free(r.fds);
	for (size_t i = 0; i < nodes->count; i++)
		if (node_record_sync(nodes->items[i]) < 0)
			ret = err_set(err, ERR_IO, "%s", node_trouble(nodes->items[i])->text);
	return ret;
}
