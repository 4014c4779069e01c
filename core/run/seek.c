#include "core/run/seek.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/node/parts.h"

enum { BUDGET = 65536, JUDGE_EVENTS = 24 };	/* a port; events by which a stream is judged */

#define JUDGE_NS (2 * CLOCK_SECOND)	/* a node that speaks wsn has said who it is by then */

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

static void open_port(struct seek *s, struct seek_port *p, const struct node_options *like,
		      const struct pairs *known)
{
	const struct pair *pair = known ? pairs_find(known, p->port.path, p->port.id) : NULL;
	struct node_options o = *like;
	struct err err = { 0 };

	if (*p->port.held) {
		snprintf(p->why, sizeof(p->why), "held by %s", p->port.held);
		return;
	}
	if (!p->port.usable) {
		snprintf(p->why, sizeof(p->why), "%s", p->port.cure);
		return;
	}
	o.source = p->port.path;
	o.elf = o.record = NULL;
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
		open_port(s, p, like, known);
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

	for (size_t i = 0; i < s->count; i++) {
		int one = s->ports[i].node ? node_timeout(s->ports[i].node, now) : -1;

		if (one >= 0 && (ms < 0 || one < ms))
			ms = one;
	}
	return ms;
}

static bool says_who(const struct node *n)
{
	return node_hello(n) && node_hello(n)->identity.kind != WIRE_IDENTITY_NONE;
}

/* A stream that does not say what it runs is tried with the image. */
static void judge(struct seek *s, struct seek_port *p, uint64_t now)
{
	struct node *n = p->node;

	if (p->judged || says_who(n) || node_stats(n)->events < JUDGE_EVENTS || now < s->since + JUDGE_NS)
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
		judge(s, p, now);
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
	if (says_who(n))
		return SEEK_NO;
	if (!s->ports[i].judged || isnan(node_agreement(n)))
		return SEEK_OPEN;
	return node_agreement(n) >= NODE_AGREES ? SEEK_FITS : SEEK_NO;
}

/* --- what is said of a port ------------------------------------------------------------------- */

static void add(char *dst, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add(char *dst, size_t size, const char *fmt, ...)
{
	size_t n = strlen(dst);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(dst + n, size - n, fmt, ap);
	va_end(ap);
}

static void say_stream(const struct seek *s, const struct node *n, char *dst, size_t size)
{
	const char *elf = text_basename(s->elf);
	double share = node_agreement(n);

	if (says_who(n)) {
		add(dst, size, "%s%s", *node_called(n) ? node_called(n) : "its node",
		    node_verdict(n) == IDENTITY_SAME ? " runs " : " runs another firmware");
		if (node_verdict(n) == IDENTITY_SAME)
			add(dst, size, "%s", elf);
		return;
	}
	add(dst, size, "%s packets", node_format(n));
	if (!isnan(share))
		add(dst, size, ", %.0f %% of their addresses make sense in %s", 100 * share, elf);
	else if (node_hello(n))
		add(dst, size, ", not what they are of");
}

const char *seek_says(const struct seek *s, size_t i, char *dst, size_t size)
{
	const struct seek_port *p = &s->ports[i];
	const struct node *n = p->node;

	dst[0] = '\0';
	if (!n) {
		snprintf(dst, size, "%s", p->why);
		return dst;
	}
	if (link_state(node_link(n)) != LINK_UP)
		add(dst, size, "gone");
	else if (node_search(n) && (node_search(n)->count || node_search(n)->tried))
		add(dst, size, "no sense in what comes yet, at %ld baud", node_search(n)->baud);
	else if (!node_stats(n)->bytes)
		add(dst, size, "nothing comes");
	else if (node_stats(n)->events || node_hello(n))
		say_stream(s, n, dst, size);
	else if (node_stats(n)->bad_bytes * 4 > node_stats(n)->bytes)
		add(dst, size, "no sense in what comes");
	else
		add(dst, size, "text, no packets");
	if (node_stats(n)->bytes && link_baud(node_link(n)) > 0)
		add(dst, size, ", %ld baud", link_baud(node_link(n)));
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
