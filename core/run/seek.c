#include "core/run/seek.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"

enum {
	BUDGET = 65536,			/* bytes of one port at a time */
	JUDGE_EVENTS = 24,		/* enough to compare a stream with an image */
};

#define JUDGE_NS (2 * CLOCK_SECOND)	/* a node that speaks wsn has sent its HELLO by then */

void seek_init(struct seek *s, const char *elf)
{
	*s = (struct seek){ .elf = elf, .since = clock_now() };
}

void seek_release(struct seek *s)
{
	for (size_t i = 0; i < s->count; i++)
		node_free(s->ports[i].node);
	s->count = 0;
}

/* --- ports ------------------------------------------------------------------------------------ */

static void port_open(struct seek *s, struct seek_port *p, const struct node_options *like,
		      const struct pairs *known)
{
	const struct pair *pair = known ? pairs_find(known, p->port.path, p->port.id) : NULL;
	struct node_options o = *like;
	struct err err = { 0 };

	if (*p->port.held)
		snprintf(p->why, sizeof(p->why), "held by %s", p->port.held);
	else if (!p->port.usable)
		snprintf(p->why, sizeof(p->why), "%s", p->port.cure);
	if (*p->port.held || !p->port.usable)
		return;
	o.source = p->port.path;
	o.elf = o.record = o.power = NULL;
	o.elfs = &s->elf;
	o.elf_count = 1;
	o.link.likely = pair ? pair->baud : 0;
	p->node = node_new(&o, &err);
	if (!p->node)
		snprintf(p->why, sizeof(p->why), "%s", err.text);
}

static struct seek_port *port_of(struct seek *s, const char *path)
{
	for (size_t i = 0; i < s->count; i++)
		if (strcmp(s->ports[i].port.path, path) == 0)
			return &s->ports[i];
	return NULL;
}

void seek_add(struct seek *s, const struct link_port *ports, size_t n,
	      const struct node_options *like, const struct pairs *known)
{
	for (size_t i = 0; i < n; i++) {
		struct seek_port *p = port_of(s, ports[i].path);

		if (p && (p->node || (!strcmp(p->port.held, ports[i].held) &&
				      p->port.usable == ports[i].usable)))
			continue;	/* as before */
		if (!p && s->count == SEEK_PORTS)
			return;
		p = p ? p : &s->ports[s->count++];
		*p = (struct seek_port){ .port = ports[i] };
		port_open(s, p, like, known);
	}
}

/* --- listening -------------------------------------------------------------------------------- */

size_t seek_poll_fds(const struct seek *s, struct pollfd *fds)
{
	size_t n = 0;

	for (size_t i = 0; i < s->count; i++)
		if (s->ports[i].node)
			n += node_poll_fds(s->ports[i].node, fds + n);
	return n;
}

int seek_timeout(const struct seek *s, uint64_t now)
{
	int ms = -1;

	for (size_t i = 0; i < s->count; i++)
		if (s->ports[i].node)
			ms = clock_sooner(ms, node_timeout(s->ports[i].node, now));
	return ms;
}

/* The node has sent which firmware it runs, so that this ELF is it, or is not. */
static bool is_identified(const struct node *n)
{
	return node_identity(n)->kind != WIRE_IDENTITY_NONE &&
	       node_verdict(n) != IDENTITY_UNSURE;
}

/* A stream without the identity of its firmware is tried with the image. */
static void image_try(struct seek *s, struct seek_port *p, uint64_t now)
{
	struct node *n = p->node;

	if (p->judged || is_identified(n) || node_stats(n)->events < JUDGE_EVENTS ||
	    now < s->since + JUDGE_NS)
		return;
	p->judged = true;
	node_load_image(n, s->elf, NULL);
}

size_t seek_service(struct seek *s, uint64_t now)
{
	size_t match = SEEK_PORTS;

	for (size_t i = 0; i < s->count; i++) {
		struct seek_port *p = &s->ports[i];

		if (!p->node)
			continue;
		node_service(p->node, now, BUDGET);
		image_try(s, p, now);
		if (seek_fit(s, i) == SEEK_SAME && match == SEEK_PORTS)
			match = i;
	}
	return match;
}

enum seek_fit seek_fit(const struct seek *s, size_t i)
{
	const struct node *n = s->ports[i].node;

	if (!n)
		return SEEK_NO;
	if (node_verdict(n) == IDENTITY_SAME && node_image(n))
		return SEEK_SAME;
	if (is_identified(n))
		return SEEK_NO;
	if (!s->ports[i].judged || isnan(node_agreement(n)))
		return SEEK_OPEN;
	return node_agreement(n) >= NODE_AGREES ? SEEK_FITS : SEEK_NO;
}

/* --- the state of a port in words ------------------------------------------------------------- */

static void stream_describe(const struct seek *s, const struct node *n, char *dst, size_t size)
{
	const struct probe *search = node_search(n);
	const struct wire_stats *stats = node_stats(n);
	const char *elf = text_basename(s->elf), *name = node_called(n);
	double share = node_agreement(n);

	if (link_state(node_link(n)) != LINK_UP)
		snprintf(dst, size, "disconnected");
	else if (search && (search->count || search->tried))
		snprintf(dst, size, "no readable data yet at %ld baud", search->baud);
	else if (!stats->bytes)
		snprintf(dst, size, "no data received");
	else if (is_identified(n))
		snprintf(dst, size, "%s runs %s", *name ? name : "its node",
			 node_verdict(n) == IDENTITY_SAME ? elf : "another firmware");
	else if ((stats->events || node_hello(n)) && !isnan(share))
		snprintf(dst, size, "%s packets, %.0f %% of their addresses make sense in %s",
			 node_format(n), 100 * share, elf);
	else if (stats->events || node_hello(n))
		snprintf(dst, size, "%s packets%s", node_format(n),
			 node_hello(n) ? ", firmware unknown" : "");
	else if (stats->bad_bytes * 4 > stats->bytes)
		snprintf(dst, size, "no readable data");
	else
		snprintf(dst, size, "text, no packets");
}

const char *seek_describe(const struct seek *s, size_t i, char *dst, size_t size)
{
	const struct node *n = s->ports[i].node;
	long baud = n && node_stats(n)->bytes ? link_baud(node_link(n)) : 0;
	char rate[32] = "", stream[320];

	if (baud > 0)
		snprintf(rate, sizeof(rate), ", %ld baud", baud);
	if (n)
		stream_describe(s, n, stream, sizeof(stream));
	snprintf(dst, size, "%s%s", n ? stream : s->ports[i].why, rate);
	return dst;
}

/* --- the choice ------------------------------------------------------------------------------- */

struct node *seek_take(struct seek *s, size_t i, const char *record, struct err *err)
{
	struct node *n = s->ports[i].node;

	if (!n) {
		err_set(err, ERR_USAGE, "%s: %s", s->ports[i].port.path, s->ports[i].why);
		return NULL;
	}
	if (record && node_record(n, record, err) < 0)
		return NULL;
	if (!node_image(n) && !node_image_refused(n) && node_load_image(n, s->elf, err) < 0)
		return NULL;
	s->ports[i].node = NULL;
	return n;
}
