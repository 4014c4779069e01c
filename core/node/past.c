/*
 * node_past: what of a node is kept over time: a history of each profile, the bytes as they came.
 *
 * Moments of a stream end where it falls silent, which it does after a node's refresh, or where a
 * refresh begins before which the line had time to spare, so that a moment has whole refreshes; at
 * the latest after MOMENT_MOST. Times are the data's: a recording
 * has the same moments at any speed.
 */
#include "core/node/parts.h"

#include "core/base/clock.h"
#include "core/base/mem.h"

#define SILENCE (CLOCK_SECOND / 10)
#define MOMENT_LEAST (CLOCK_SECOND * 3 / 4)
#define MOMENT_MOST (CLOCK_SECOND * 5 / 4)

int node_past_open(struct node *n, size_t profile)
{
	if (mem_grow(&n->histories, &n->history_cap, profile + 1, sizeof(*n->histories)) < 0)
		return ERR_NOMEM;
	n->histories[profile] = NULL;
	if (n->options.batch)
		return 0;
	n->histories[profile] = history_new();
	if (!n->stream)
		n->stream = stream_new();
	if (!n->histories[profile] || !n->stream) {
		history_free(n->histories[profile]);
		return ERR_NOMEM;
	}
	if (n->fed_ns)
		history_begin(n->histories[profile], n->fed_ns);
	return 0;
}

void node_past_release(struct node *n)
{
	for (size_t i = 0; i < n->profile_count; i++)
		history_free(n->histories[i]);
	mem_free(n->histories);
	stream_free(n->stream);
}

static void take(struct node *n, size_t profile, uint64_t time_ns)
{
	struct wire_stats stats;

	if (!n->histories[profile])
		return;
	wire_stats(n->wire, &stats);
	history_take(n->histories[profile], n->profiles[profile], &stats, time_ns);
	n->moment_ns = time_ns;
	n->moment_bytes = stats.bytes;
	n->changes |= NODE_STATE;
}

void node_past_report(struct node *n, size_t profile)
{
	take(n, profile, n->now_ns);
}

void node_past_now(struct node *n)
{
	for (size_t i = 0; i < n->profile_count && n->fed_ns; i++)
		take(n, i, n->now_ns);
}

/* A stream's moments are due by time; reports bring their own. */
static void take_after(struct node *n, uint64_t time_ns, uint64_t least)
{
	if (!n->stream || n->reports || time_ns - n->moment_ns < least)
		return;
	take(n, 0, time_ns);
}

/*
 * The node has told all that it counted by then, unless frames went missing: what it did not tell
 * had not changed.
 */
static void told(struct node *n, uint64_t time_ns)
{
	struct wire_stats stats;

	wire_stats(n->wire, &stats);
	if (stats.lost + stats.damaged == n->refresh.bad && time_ns > n->profiles[0]->told_ns)
		n->profiles[0]->told_ns = time_ns;
	n->refresh.bad = stats.lost + stats.damaged;
}

void node_past_rows(struct node *n)
{
	struct wire_stats stats;

	wire_stats(n->wire, &stats);
	n->profiles[0]->heard_ns = n->refresh.rows_ns = n->now_ns;
	n->refresh.rows_bytes = stats.bytes;
}

/*
 * A firmware that writes all the time is never silent. But where the line is too slow for a refresh
 * the next one follows at once, as fast as the line goes; where it had time to spare it carried
 * less, a second, behind the last row than before it.
 */
void node_past_status(struct node *n)
{
	double gap = (double)n->now_ns - (double)n->refresh.rows_ns;
	double span = (double)n->refresh.rows_ns - (double)n->refresh.status_ns;
	struct wire_stats stats;

	wire_stats(n->wire, &stats);
	if (span >= 0 && n->refresh.rows_ns && gap >= SILENCE &&
	    2 * (double)(stats.bytes - n->refresh.rows_bytes) * span <=
	    (double)(n->refresh.rows_bytes - n->refresh.status_bytes) * gap) {
		told(n, n->refresh.rows_ns);
		take_after(n, n->now_ns, MOMENT_LEAST);
	}
	n->refresh.status_ns = n->now_ns;
	n->refresh.status_bytes = stats.bytes;
}

void node_past_bytes(struct node *n, const uint8_t *data, size_t count)
{
	if (!n->stream)
		return;
	if (!n->fed_ns) {
		n->moment_ns = n->now_ns;
		n->wall_known = link_wall(n->link, &n->wall_ns);
		for (size_t i = 0; i < n->profile_count; i++)
			history_begin(n->histories[i], n->now_ns);
	} else if (n->now_ns - n->fed_ns >= SILENCE) {
		told(n, n->fed_ns);
		take_after(n, n->fed_ns, MOMENT_LEAST);
	}
	n->fed_ns = n->now_ns;
	stream_add(n->stream, n->now_ns, data, count);
}

void node_past_fed(struct node *n)
{
	take_after(n, n->now_ns, MOMENT_MOST);
}

void node_past_silent(struct node *n)
{
	if (!n->stream || n->stats.bytes == n->moment_bytes)
		return;
	told(n, n->fed_ns);
	take_after(n, n->fed_ns, MOMENT_LEAST);
}

void node_past_end(struct node *n)
{
	if (!n->reports && n->stats.bytes != n->moment_bytes)
		node_past_now(n);
}

void node_past_image(struct node *n, size_t profile)
{
	const struct image *before = n->profiles[profile]->image;

	if (!n->histories[profile])
		return;
	if (before && before != n->image && n->fed_ns)
		take(n, profile, n->now_ns);
	history_image(n->histories[profile], n->image);
}

const struct history *node_history(const struct node *n)
{
	return n->histories[n->selected];
}

bool node_wall(const struct node *n, uint64_t time_ns, uint64_t *wall_ns)
{
	*wall_ns = time_ns + (uint64_t)n->wall_ns;
	return n->wall_known;
}
