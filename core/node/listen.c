/*
 * node_listen: a node's line whose rate nobody said is listened to at one rate after the other, until
 * what comes makes sense (core/find/probe.h). Until then nothing of it reaches the decoder.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

/* For who shows it now; the console is for what stays. */
static void mention(struct node *n, const char *line)
{
	snprintf(n->news, sizeof(n->news), "%s", line);
	n->news_bad = false;
	n->changes |= NODE_STATE | NODE_NEWS;
}

void node_listen_start(struct node *n)
{
	if (!link_may_listen(n->link))
		return;
	n->probe = mem_alloc(sizeof(*n->probe));
	if (n->probe)
		probe_init(n->probe, n->options.link.likely, n->options.format,
			   n->image ? image_codemap(n->image) : NULL);
}

static void stop(struct node *n)
{
	mem_free(n->probe);
	n->probe = NULL;
}

/* The driver may refuse a rate: it is one that the node does not send at, then. */
static void change(struct node *n, uint64_t now)
{
	struct probe *p = n->probe;
	struct err err = { 0 };
	char line[160];

	if (link_set_baud(n->link, p->baud, &err) < 0)
		p->deaf_until = 0;
	else
		probe_changed(p, now);
	snprintf(line, sizeof(line), "what comes makes no sense at %ld baud: listening at %ld",
		 p->last, p->baud);
	mention(n, line);
}

static void found(struct node *n)
{
	struct probe *p = n->probe;
	char line[160];

	snprintf(line, sizeof(line), "%ld baud: %s", p->baud, p->score.what);
	/* Nothing to tell of what everybody expects. */
	if (p->baud != PROBE_DEFAULT || p->tried)
		node_say(n, false, line);
	node_take(n, p->bytes, p->count);
}

static void lost(struct node *n)
{
	struct probe *p = n->probe;
	char line[240];

	link_set_baud(n->link, p->baud, NULL);
	snprintf(line, sizeof(line), "what comes makes no sense at any of %zu baud rates: "
		 "listening at %ld; -b sets another, -f names the packet format", p->tried, p->baud);
	node_say(n, true, line);
}

static void answered(struct node *n, enum probe_answer answer, uint64_t now)
{
	if (answer == PROBE_CHANGE) {
		change(n, now);
	} else if (answer == PROBE_FOUND) {
		found(n);
		stop(n);
	} else if (answer == PROBE_LOST) {
		lost(n);
		stop(n);
	}
}

bool node_listen_take(struct node *n, uint64_t now, const uint8_t *data, size_t count)
{
	enum probe_answer answer;
	size_t used;

	if (!n->probe)
		return false;
	n->probe->code = n->image ? image_codemap(n->image) : NULL;
	answer = probe_feed(n->probe, now, data, count, &used);
	answered(n, answer, now);
	if (answer == PROBE_FOUND)
		node_take(n, data + used, count - used);
	return true;
}

void node_listen_service(struct node *n, uint64_t now)
{
	if (!n->probe)
		return;
	if (link_state(n->link) != LINK_UP)
		probe_forget(n->probe);
	else
		answered(n, probe_wait(n->probe, now), now);
}

int node_listen_timeout(const struct node *n, uint64_t now)
{
	return n->probe && probe_due(n->probe) ? clock_ms_until(probe_due(n->probe), now) : -1;
}

/* The input ends, or the node is closed: what was heard is all there is. */
void node_listen_end(struct node *n)
{
	if (n->probe)
		stop(n);
}
