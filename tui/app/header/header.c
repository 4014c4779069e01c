#include "tui/app/header/header.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "core/node/watched.h"
#include "tui/app/header/line.h"
#include "tui/app/header/parts.h"


/* --- what the segments say ------------------------------------------------------------------ */

static void add_source(struct line *l, const struct header *h, int width)
{
	const char *name = node_source(h->node);
	const char *kind = link_kind(node_link(h->node));
	bool called = node_called(h->node)[0];

	if (!strncmp(name, "file:", 5))
		name += 5;
	else if (!strcmp(name, "-"))
		name = "standard input";
	/* A path that takes more than its share of the line is cut to its last name. */
	if (text_columns(name) > width / 4 && strcmp(kind, "tcp"))
		name = text_basename(name);
	if (called)
		line_add(l, 0, "", ROLE_HEADER, "%s", node_called(h->node));
	line_add(l, called ? 6 : 0, "", called ? ROLE_VALUE : ROLE_HEADER, "%.*s",
		    (int)strcspn(name, "?"), name);
	if (h->count > 1)
		line_add(l, 3, "node", ROLE_VALUE, "%zu/%zu", h->index + 1, h->count);
}

static void add_state(struct line *l, const struct header *h)
{
	const struct link *link = node_link(h->node);
	double progress = node_play(h->node, h->now).share;
	const char *why = link_why(link);
	const char *ended = link_has_pace(link) ? "end of recording" : "read to its end";
	char since[32];

	text_span(since, sizeof(since), h->now - link_since(link));
	switch (link_state(link)) {
	case LINK_CONNECTING:
		line_add(l, 1, "", ROLE_WARNING, "connecting %s", since);
		break;
	case LINK_WAITING:
		line_add(l, 1, "", ROLE_WARNING, "disconnected, waiting %s", since);
		if (*why)
			line_add(l, 6, "", ROLE_LABEL, "%s", why);
		break;
	case LINK_ENDED:
		line_add(l, 2, "", ROLE_GOOD, "%s", ended);
		break;
	case LINK_UP:
		if (link_follows(link))
			line_add(l, 2, "", ROLE_GOOD, "still being recorded");
		else if (progress >= 0 && !link_is_live(link))
			line_add(l, 2, "", link_is_paused(link) ? ROLE_WARNING : ROLE_GOOD,
				 "%.0f %% read", floor(100 * progress));
		else
			line_add(l, 2, "", ROLE_GOOD, "connected %s", since);
		if (*why)
			line_add(l, 3, "", ROLE_WARNING, "%s", why);
		if (link_baud(link) > 0)
			line_add(l, 7, "", ROLE_LABEL, "%ld baud", link_baud(link));
	}
	if (link_reconnects(link))
		line_add(l, 4, "", ROLE_LABEL, "reconnected %u×", link_reconnects(link));
}

static void add_format(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	const struct profile *p = h->shared->model.profile;

	line_add(l, 8, "format", ROLE_VALUE, "%s", node_format(n));
	if (p && *p->name && node_profiles(n) > 1 && !h->shared->frozen)
		line_add(l, 3, "report", ROLE_VALUE, "%s %zu/%zu", p->name, node_selected(n) + 1,
			    node_profiles(n));
	else if (p && *p->name)
		line_add(l, 5, "report", ROLE_VALUE, "%s", p->name);
	if (node_is_recording(n))
		line_add(l, 7, "", ROLE_GOOD, "recording");
}

/* The filter, where it filters, and the search: not more than a third of the line. */
static void add_patterns(struct line *l, const struct header *h, int width)
{
	const struct view_shared *s = h->shared;
	struct line_segment *segment;
	size_t shown, all;
	char text[200] = "";
	int n = 0, over;

	if (s->order.filter && h->view->filtered && h->view->filtered(h->state, &shown, &all))
		n = snprintf(text, sizeof(text), "only %.80s: %s of %s",
			     regex_pattern(s->order.filter), TEXT_WHOLE(shown), TEXT_WHOLE(all));
	if (s->search)
		snprintf(text + n, sizeof(text) - (size_t)n, "%s/%.80s", n ? "  " : "",
			 regex_pattern(s->search));
	if (!*text)
		return;
	segment = line_add(l, 1, "", ROLE_VALUE, "%s", text);
	segment->right = true;
	over = text_columns(segment->value) - width / 3;
	segment->cut = over > 0 ? over : 0;
}

/* "2 watches", "1 of 2 watches passed", "2 watches passed" */
static void add_watches(struct line *l, const struct header *h)
{
	const char *watches = h->watches == 1 ? "watch" : "watches";

	if (h->passed && h->passed < h->watches)
		line_add(l, 0, "", ROLE_BAD, "%zu of %zu %s passed", h->passed, h->watches,
			 watches)->right = true;
	else if (h->watches)
		line_add(l, h->passed ? 0 : 6, "", h->passed ? ROLE_BAD : ROLE_LABEL, "%zu %s%s",
			 h->watches, watches, h->passed ? " passed" : "")->right = true;
}

static void add_badges(struct line *l, const struct header *h)
{
	const struct profile *p = h->shared->model.profile;

	if (p && profile_estimated(p))
		line_add(l, 2, "", ROLE_WARNING, "ESTIMATE")->right = true;
	if (*h->shared->model.baseline)
		line_add(l, 1, "vs", ROLE_VALUE, "%s", h->shared->model.baseline)->right = true;
	add_watches(l, h);
	if (h->shared->badge[0])
		line_add(l, 0, "", ROLE_MATCH, " %s ", h->shared->badge)->right = true;
}

static void add_bytes(struct line *l, double n, const char *unit)
{
	char bytes[24];

	line_add(l, 6, "", ROLE_VALUE, "%s%s", text_bytes(bytes, sizeof(bytes), n), unit);
}

static void add_events(struct line *l, double n, const char *unit)
{
	char count[16];

	line_add(l, 9, "", ROLE_VALUE, "%s %s", text_count(count, sizeof(count), n), unit);
}

static void add_loss(struct line *l, const char *label, uint64_t n)
{
	char count[32];

	if (n)
		line_add(l, 0, label, ROLE_WARNING, "%s", text_whole(count, sizeof(count), n));
}

/* Always shown, if there are any: on the line, and what the node counted nowhere. */
static void add_losses(struct line *l, const struct node *n)
{
	uint64_t missing = node_status(n) ? losses_missing(node_status(n)) : 0;
	int before = l->count;
	char count[24];

	add_loss(l, "bad bytes", node_stats(n)->bad_bytes);
	add_loss(l, "lost", node_stats(n)->lost);
	add_loss(l, "missing", missing);
	if (link_damaged(node_link(n)))		/* of a recording */
		line_add(l, 0, "left out", ROLE_WARNING, "%s",
			 text_bytes(count, sizeof(count), (double)link_damaged(node_link(n))));
	if (l->count == before && node_stats(n)->bytes)
		line_add(l, 7, "", ROLE_VALUE, "no losses");
	if (node_hello(n) && !(node_hello(n)->features & WSN_F_RUNNING))
		line_add(l, 1, "", ROLE_WARNING, "STOPPED");
}

/* "584 of 1,000 samples/s  never halted": how often it is looked at, and what that costs it. */
static void add_rates(struct line *l, double reached_hz, double asked_hz, double halted)
{
	if (asked_hz > 0)		/* of a recording it is not known */
		line_add(l, 1, "", ROLE_VALUE, "%s of %s samples/s",
			 TEXT_WHOLE((uint64_t)(reached_hz + 0.5)),
			 TEXT_WHOLE((uint64_t)(asked_hz + 0.5)));
	else
		line_add(l, 1, "", ROLE_VALUE, "%s samples/s",
			 TEXT_WHOLE((uint64_t)(reached_hz + 0.5)));
	if (halted > 0)
		line_add(l, 1, "halted", ROLE_WARNING, "%.1f %%", 100 * halted);
	else
		line_add(l, 1, "", ROLE_GOOD, "never halted");
}

/* A trace port's samples: it is asked for as many as the set-up plans; by stops watches cost it. */
static bool add_port(struct line *l, const struct node *n)
{
	struct node_port p;

	double asked;

	if (!node_port(n, &p))
		return false;
	asked = p.sets_up && p.setup.over ? p.setup.pc_hz : 0;
	if (!(p.pcs_now > 0 || asked > 0))
		return false;
	add_rates(l, p.pcs_now, asked, node_halted(n));
	return true;
}

/* Bytes and events a second; their sums when the node has ended. */
static void add_stream(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	uint64_t silent = header_silent(h);
	char since[32];

	if (node_probe(n) && !node_ended(n)) {
		const struct wire_probe *p = node_probe(n);

		add_rates(l, p->reached_hz, p->asked_hz, node_halted(n));
	} else if (!node_ended(n) && add_port(l, n)) {
		return;
	} else if (silent) {
		line_add(l, 1, "silent", ROLE_WARNING, "%s",
			    text_span(since, sizeof(since), silent));
	} else if (node_ended(n)) {
		add_bytes(l, (double)node_stats(n)->bytes, "");
		add_events(l, (double)node_stats(n)->events, "events");
	} else {
		add_bytes(l, node_bytes_per_s(n), "/s");
		add_events(l, node_events_per_s(n), "events/s");
	}
}

static void add_image(struct line *l, const struct header *h, bool narrow)
{
	const struct image *im = node_image(h->node);
	double share = node_agreement(h->node);
	bool old = node_image_is_old(h->node);
	const char *name;

	if (node_image_refused(h->node)) {
		line_add(l, 1, "image", ROLE_BAD, "%s", narrow ? "wrong" :
			    text_basename(image_path(node_image_refused(h->node))));
		return;
	}
	if (!im) {
		line_add(l, 5, "image", ROLE_DIM, "none");
		return;
	}
	name = text_basename(image_path(im));
	if (node_verdict(h->node) == IDENTITY_SAME)
		line_add(l, 4, "image", old ? ROLE_WARNING : ROLE_GOOD, "%s%s%s",
			    narrow ? "" : name, narrow ? "" : " ", old ? "is newer" : "matches");
	else if (node_verdict(h->node) == IDENTITY_UNSURE && !(share < 0.9))
		line_add(l, 4, "image", ROLE_WARNING, "%s%s", narrow ? "" : name,
			    narrow ? "not sure" : " not sure");
	else if (isnan(share))
		line_add(l, 4, "image", ROLE_VALUE, "%s", name);
	else
		line_add(l, share < 0.9 ? 1 : 4, "image", share < 0.9 ? ROLE_BAD : ROLE_GOOD,
			    "%s%s%.0f %%", narrow ? "" : name, narrow ? "" : " ",
			    floor(100 * share));
	if (image_state(im) == IMAGE_SYMBOLS)
		line_add(l, 9, "", ROLE_LABEL, "reading its lines: %.0f %%",
			    100 * image_progress(im));
}

/* --- the whole ------------------------------------------------------------------------------- */

int header_draw(struct grid *g, const struct header *h)
{
	struct line top = { .count = 0 };
	int y = 0;

	add_source(&top, h, g->width);
	add_state(&top, h);
	add_stream(&top, h);
	add_losses(&top, h->node);
	add_image(&top, h, g->width < HEADER_NARROW);
	add_format(&top, h);
	add_patterns(&top, h, g->width);
	add_badges(&top, h);
	line_draw(g, y++, &top);
	y += header_draw_state(g, y, h);
	header_draw_tabs(g, y, h);
	return y + 1;
}
