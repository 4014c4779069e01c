/*
 * listen: an input whose baud rate nobody gave is listened to at one rate after the other, until
 * the bytes make sense (core/find/probe.h). Until then they are kept by the probe; decoder,
 * recording and history get those of the rate that was found. When the stream turns to nonsense
 * later, the rate may have become another: it is looked for again.
 */
#include "core/node/parts.h"

#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"

enum { NONSENSE_BYTES = 8192 };		/* without a packet */

static void probe_start(struct input *in, long first, const char *format)
{
	in->probe = mem_alloc(sizeof(*in->probe));
	if (in->probe)
		probe_init(in->probe, first, format, node_codemap(in->node));
}

/* SWO has rates of its own, and packets that no other decoder knows. */
static const char *listen_format(const char *source, const char *format)
{
	const char *spoken = link_format(source);

	return !format && spoken && strcmp(spoken, "itm") == 0 ? spoken : format;
}

void listen_start(struct input *in, const struct input_options *o)
{
	const char *format = listen_format(o->source, o->format);

	if (link_may_listen(in->link))
		probe_start(in, format == o->format ? o->link.likely : link_baud(in->link), format);
}

/* Packets came once, and then so many bytes that are none. */
static bool stream_is_nonsense(struct input *in)
{
	struct input_sense *before = &in->sense;
	uint64_t bytes = in->stats.bytes - before->bytes;
	uint64_t bad = in->stats.bad_bytes - before->bad_bytes;
	bool any = in->stats.events != before->events, nonsense;

	if (!any && bytes < NONSENSE_BYTES)
		return false;
	nonsense = !any && in->stats.events && bad >= bytes / 4 * 3;
	*before = (struct input_sense){ in->stats.bytes, in->stats.bad_bytes, in->stats.events };
	return nonsense;
}

void listen_image(struct input *in)
{
	if (in->probe)
		in->probe->code = node_codemap(in->node);
}

static void probe_drop(struct input *in)
{
	mem_free(in->probe);
	in->probe = NULL;
}

/* The driver may refuse a rate: it is one that the node does not send at, then. */
static void rate_change(struct input *in, uint64_t now)
{
	struct probe *p = in->probe;
	struct err err = { 0 };
	char line[160];

	if (link_set_baud(in->link, p->baud, &err) < 0)
		p->deaf_until = 0;
	else
		probe_changed(p, now);
	snprintf(line, sizeof(line), "no readable data at %ld baud: trying %ld",
		 p->last, p->baud);
	node_mention(in->node, false, ADVICE_NONE, line);
}

static void rate_found(struct input *in)
{
	struct probe *p = in->probe;
	char line[160];

	snprintf(line, sizeof(line), "%ld baud: %s", p->baud, p->score.what);
	/* Nothing to tell of what everybody expects. */
	if (p->baud != PROBE_DEFAULT || p->tried || in->stats.bytes)
		node_say(in->node, false, ADVICE_NONE, line);
	input_take(in, p->bytes, p->count);
}

static void rate_lost(struct input *in)
{
	struct probe *p = in->probe;
	char line[240];

	link_set_baud(in->link, p->baud, NULL);
	snprintf(line, sizeof(line), "no readable data at any of %zu baud rates: "
		 "listening at %ld", p->tried, p->baud);
	node_say(in->node, true, ADVICE_BAUD, line);
}

static void probe_answered(struct input *in, enum probe_answer answer, uint64_t now)
{
	if (answer == PROBE_CHANGE) {
		rate_change(in, now);
	} else if (answer == PROBE_FOUND) {
		rate_found(in);
		probe_drop(in);
	} else if (answer == PROBE_LOST) {
		rate_lost(in);
		probe_drop(in);
	}
}

bool listen_take(struct input *in, uint64_t now, const uint8_t *data, size_t count)
{
	enum probe_answer answer;
	size_t used;

	if (!in->probe)
		return false;
	answer = probe_feed(in->probe, now, data, count, &used);
	probe_answered(in, answer, now);
	if (answer == PROBE_FOUND)
		input_take(in, data + used, count - used);
	return true;
}

void listen_service(struct input *in, uint64_t now)
{
	if (!in->probe && link_may_listen(in->link) && stream_is_nonsense(in))
		probe_start(in, link_baud(in->link),
			    listen_format(link_name(in->link), in->node->options.format));
	if (!in->probe)
		return;
	if (link_state(in->link) != LINK_UP)
		probe_forget(in->probe);
	else
		probe_answered(in, probe_wait(in->probe, now), now);
}

int listen_timeout(const struct input *in, uint64_t now)
{
	return in->probe && probe_due(in->probe) ? clock_ms_until(probe_due(in->probe), now) : -1;
}

/* The node is closed: bytes that the probe keeps were never decoded, and are dropped. */
void listen_end(struct input *in)
{
	if (in->probe)
		probe_drop(in);
}
