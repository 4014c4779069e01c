/*
 * past: what of a node is kept over time: a history of each profile, the bytes as they came, and
 * copies of what ran before.
 *
 * Moments of a stream end where it falls silent, which it does after a node's refresh, or where a
 * refresh begins before which the line had time to spare, so that a moment has whole refreshes; at
 * the latest after MOMENT_MOST. Times are the data's: a recording has the same moments at any
 * speed.
 */
#include "core/node/parts.h"

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/raw/copy.h"

#define SILENCE (CLOCK_SECOND / 10)
#define MOMENT_LEAST (CLOCK_SECOND * 3 / 4)
#define MOMENT_MOST (CLOCK_SECOND * 5 / 4)

int node_past_open(struct node *n, struct book *b)
{
	if (n->options.batch)
		return 0;
	b->history = history_new();
	if (!b->history)
		return ERR_NOMEM;
	history_share(b->history, n->options.budget);
	history_serial_begin(b->history, (uint64_t)n->player.restarts << 40);
	if (n->past.fed_ns)
		history_begin(b->history, n->past.fed_ns);
	return 0;
}

void node_past_release(struct node *n)
{
	profile_drop(n->past.before);
	profile_drop(n->past.last_run);
}

/* --- moments ---------------------------------------------------------------------------------- */

static void moment_take(struct node *n, struct book *b, uint64_t time_ns)
{
	struct wire_stats stats;

	calls_follow(n);
	if (b == &n->books[n->selected])
		watches_hold(n, time_ns);
	if (!b->history)
		return;
	wire_stats(n->inputs[0].wire, &stats);
	history_take(b->history, b->profile, &stats, time_ns);
	n->past.moment_ns = time_ns;
	n->past.moment_bytes = stats.bytes;
	n->changes |= NODE_STATE;
}

void node_past_report(struct node *n, struct book *b)
{
	if (!n->options.span)
		moment_take(n, b, n->now_ns);
}

void node_past_now(struct node *n)
{
	for (size_t i = 0; i < n->book_count && n->past.fed_ns; i++)
		moment_take(n, &n->books[i], n->now_ns);
}

void node_moment(struct node *n)
{
	if (n->now_ns > n->past.moment_ns)
		node_past_now(n);
}

/* A stream's moments are due by time; reports bring their own. */
static void moment_due(struct node *n, uint64_t time_ns, uint64_t least)
{
	if (n->options.batch || n->options.span || n->reports ||
	    time_ns - n->past.moment_ns < least)
		return;
	moment_take(n, &n->books[0], time_ns);
}

/*
 * The node has told all that it counted by then, unless frames went missing: what it did not tell
 * had not changed.
 */
static void refresh_told(struct node *n, uint64_t time_ns)
{
	struct profile *p = node_stream_profile(n);
	struct wire_stats stats;

	wire_stats(n->inputs[0].wire, &stats);
	if (stats.lost + stats.damaged == n->past.refresh.bad && time_ns > p->told_ns)
		p->told_ns = time_ns;
	n->past.refresh.bad = stats.lost + stats.damaged;
}

void node_past_rows(struct node *n)
{
	struct node_refresh *r = &n->past.refresh;
	struct wire_stats stats;

	wire_stats(n->inputs[0].wire, &stats);
	node_stream_profile(n)->heard_ns = r->rows_ns = n->now_ns;
	r->rows_bytes = stats.bytes;
}

/*
 * A firmware that writes all the time is never silent. But where the line is too slow for a refresh
 * the next one follows at once, as fast as the line goes; where it had time to spare it carried
 * fewer bytes a second after the last row than before it.
 */
void node_past_status(struct node *n)
{
	struct node_refresh *r = &n->past.refresh;
	double gap = (double)n->now_ns - (double)r->rows_ns;
	double span = (double)r->rows_ns - (double)r->status_ns;
	struct wire_stats stats;

	wire_stats(n->inputs[0].wire, &stats);
	/*
	 * After a silence the moment has ended already; these bytes hold the next one's rows, too.
	 */
	if (!r->after_silence && span >= 0 && r->rows_ns && gap >= SILENCE &&
	    2 * (double)(stats.bytes - r->rows_bytes) * span <=
	    (double)(r->rows_bytes - r->status_bytes) * gap) {
		refresh_told(n, r->rows_ns);
		moment_due(n, n->now_ns, MOMENT_LEAST);
	}
	r->status_ns = n->now_ns;
	r->status_bytes = stats.bytes;
}

/* Bytes of the stream come: the moment before a silence is over. */
static void moment_fed(struct node *n)
{
	n->past.refresh.after_silence = n->past.fed_ns && n->now_ns - n->past.fed_ns >= SILENCE;
	if (!n->past.fed_ns) {
		n->past.moment_ns = n->now_ns;
		for (size_t i = 0; i < n->book_count; i++)
			history_begin(n->books[i].history, n->now_ns);
	} else if (n->past.refresh.after_silence) {
		refresh_told(n, n->past.fed_ns);
		moment_due(n, n->past.fed_ns, MOMENT_LEAST);
	}
	n->past.fed_ns = n->now_ns;
}

void node_past_bytes(struct input *in, const uint8_t *data, size_t count)
{
	if (!in->wall_known && (!in->node->options.batch || in->node->watches.count))
		in->wall_known = link_wall(in->link, &in->wall_ns);
	if (in->node->options.batch)
		return;
	if (input_is_first(in))
		moment_fed(in->node);
	if (in->stream)
		stream_add(in->stream, in->node->now_ns, data, count);
}

void node_past_fed(struct node *n)
{
	moment_due(n, n->now_ns, MOMENT_MOST);
	if (n->options.batch && n->now_ns - n->watches.held_ns >= MOMENT_LEAST)
		watches_hold(n, n->now_ns);
}

void node_past_silent(struct node *n)
{
	if (n->options.batch || n->inputs[0].stats.bytes == n->past.moment_bytes)
		return;
	refresh_told(n, n->past.fed_ns);
	moment_due(n, n->past.fed_ns, MOMENT_LEAST);
}

void node_past_gone(struct node *n)
{
	for (size_t i = 0; i < n->book_count; i++)
		if (n->books[i].history)
			history_gone(n->books[i].history);
}

void node_past_end(struct node *n)
{
	if (!n->reports && !n->options.span && n->inputs[0].stats.bytes != n->past.moment_bytes)
		node_past_now(n);
}

void node_past_image(struct node *n, struct book *b)
{
	const struct image *before = b->profile->image;

	if (!b->history)
		return;
	if (before && before != n->binding.image && n->past.fed_ns)
		moment_take(n, b, n->now_ns);
	history_image(b->history, n->binding.image);
}

/* --- what ran before -------------------------------------------------------------------------- */

/*
 * A node that was reset forgets its counts, and so do we; but a copy of them is kept until the next
 * time, and one of what the firmware before this one did. A batch run has nobody to compare it.
 */
void node_past_run_keep(struct node *n)
{
	struct profile *p = node_profile(n);

	if (n->options.batch || profile_compute(p) < 0 || !p->function_count)
		return;
	profile_drop(n->past.last_run);
	n->past.last_run = profile_copy(p);
}

bool node_past_run_before(struct node *n)
{
	if (!n->past.last_run)
		return false;
	profile_drop(n->past.before);
	n->past.before = n->past.last_run;
	n->past.last_run = NULL;
	return true;
}
