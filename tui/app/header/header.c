#include "tui/app/header/header.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/text.h"
#include "tui/app/header/parts.h"

enum {
	SEGMENTS = 24,
	NOTHING = 10,		/* rank of counts that are 0: the first to go, and all at once */
	TERSE = 4,		/* a name is cut down to so much, not further */
};

/* "label value"; the higher its rank, the sooner it is left out. */
struct segment {
	char label[16];
	char value[160];
	enum role role;
	int rank;
	bool right;		/* a badge at the right edge */
	int cut;		/* columns by which its value is cut */
};

struct line {
	struct segment segments[SEGMENTS];
	int count;
};

static struct segment *segment_add(struct line *l, int rank, const char *label, enum role role,
				   const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static struct segment *segment_add(struct line *l, int rank, const char *label, enum role role,
				   const char *fmt, ...)
{
	struct segment *s = &l->segments[l->count < SEGMENTS - 1 ? l->count++ : SEGMENTS - 1];
	va_list ap;

	*s = (struct segment){ .rank = rank, .role = role };
	snprintf(s->label, sizeof(s->label), "%s", label);
	va_start(ap, fmt);
	vsnprintf(s->value, sizeof(s->value), fmt, ap);
	va_end(ap);
	return s;
}

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
		segment_add(l, 0, "", ROLE_HEADER, "%s", node_called(h->node));
	segment_add(l, called ? 5 : 0, "", called ? ROLE_VALUE : ROLE_HEADER, "%.*s",
		    (int)strcspn(name, "?"), name);
	if (h->count > 1)
		segment_add(l, 3, "node", ROLE_VALUE, "%zu/%zu", h->index + 1, h->count);
}

static void add_state(struct line *l, const struct header *h)
{
	const struct link *link = node_link(h->node);
	double progress = link_progress(link);
	const char *why = link_why(link);
	char since[32], stops[64];

	text_span(since, sizeof(since), h->now - link_since(link));
	switch (link_state(link)) {
	case LINK_CONNECTING:
		segment_add(l, 1, "", ROLE_WARNING, "connecting %s", since);
		break;
	case LINK_WAITING:
		segment_add(l, 1, "", ROLE_WARNING, "disconnected, waiting %s", since);
		if (*why)
			segment_add(l, 6, "", ROLE_LABEL, "%s", why);
		break;
	case LINK_ENDED:
		segment_add(l, 2, "", ROLE_GOOD, "read to its end");
		break;
	case LINK_UP:
		if (progress >= 0 && !link_is_live(link) && node_ended(h->node))
			segment_add(l, 2, "", ROLE_WARNING, "stopped, %.0f %% read",
				    100 * progress);
		else if (progress >= 0 && !link_is_live(link))
			segment_add(l, 2, "", ROLE_GOOD, "%.0f %% read%s", 100 * progress,
				    keymap_expand(&h->shared->settings->keys, " ({cancel} stops)",
						  stops, sizeof(stops)));
		else
			segment_add(l, 2, "", ROLE_GOOD, "up %s", since);
		if (link_baud(link) > 0)
			segment_add(l, 7, "", ROLE_LABEL, "%ld baud", link_baud(link));
	}
	if (link_reconnects(link))
		segment_add(l, 8, "", ROLE_LABEL, "reconnected %u×", link_reconnects(link));
}

static void add_format(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	const struct profile *p = h->shared->model.profile;

	segment_add(l, 5, "format", ROLE_VALUE, "%s", node_format(n));
	if (p && *p->name && node_profiles(n) > 1 && !h->shared->frozen)
		segment_add(l, 4, "report", ROLE_VALUE, "%s %zu/%zu", p->name, node_selected(n) + 1,
			    node_profiles(n));
	else if (p && *p->name)
		segment_add(l, 6, "report", ROLE_VALUE, "%s", p->name);
	if (node_is_recording(n))
		segment_add(l, 7, "", ROLE_GOOD, "recording");
}

static void add_badges(struct line *l, const struct header *h)
{
	const struct profile *p = h->shared->model.profile;

	if (p && profile_estimated(p))
		segment_add(l, 2, "", ROLE_WARNING, "ESTIMATE")->right = true;
	if (*h->shared->model.baseline)
		segment_add(l, 1, "vs", ROLE_VALUE, "%s", h->shared->model.baseline)->right = true;
	if (h->shared->badge[0])
		segment_add(l, 0, "", ROLE_MATCH, " %s ", h->shared->badge)->right = true;
}

static void add_bytes(struct line *l, double n, const char *unit)
{
	char count[16];
	size_t digits;

	text_count(count, sizeof(count), n);
	digits = strspn(count, "0123456789.");
	segment_add(l, 3, "", ROLE_VALUE, "%.*s %s%s", (int)digits, count, count + digits, unit);
}

static void add_events(struct line *l, double n, const char *unit)
{
	char count[16];

	segment_add(l, 6, "", ROLE_VALUE, "%s %s", text_count(count, sizeof(count), n), unit);
}

/* More than 0 is always shown; 0 is left out first. */
static void add_trouble(struct line *l, const char *label, uint64_t n)
{
	char count[16];

	if (n < 10000)
		snprintf(count, sizeof(count), "%llu", (unsigned long long)n);
	else
		text_count(count, sizeof(count), (double)n);
	segment_add(l, n ? 0 : NOTHING, label, n ? ROLE_WARNING : ROLE_VALUE, "%s", count);
}

/* Bytes and events a second; their sums when the node has ended. */
static void add_stream(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	uint64_t silent = header_silent(h);
	char since[32];

	if (silent) {
		segment_add(l, 1, "silent", ROLE_WARNING, "%s",
			    text_span(since, sizeof(since), silent));
	} else if (node_ended(n)) {
		add_bytes(l, (double)node_stats(n)->bytes, "B");
		add_events(l, (double)node_stats(n)->events, "events");
	} else {
		add_bytes(l, node_bytes_per_s(n), "B/s");
		add_events(l, node_events_per_s(n), "events/s");
	}
	add_trouble(l, "bad", node_stats(n)->bad_bytes);
	add_trouble(l, "lost", node_stats(n)->lost);
}

static void add_image(struct line *l, const struct header *h, bool narrow)
{
	const struct image *im = node_image(h->node);
	double share = node_agreement(h->node);
	bool old = node_image_is_old(h->node);
	const char *name;

	if (node_image_refused(h->node)) {
		segment_add(l, 1, "image", ROLE_BAD, "%s", narrow ? "wrong" :
			    text_basename(image_path(node_image_refused(h->node))));
		return;
	}
	if (!im) {
		segment_add(l, 5, "image", ROLE_DIM, "none");
		return;
	}
	name = text_basename(image_path(im));
	if (node_verdict(h->node) == IDENTITY_SAME)
		segment_add(l, 4, "image", old ? ROLE_WARNING : ROLE_GOOD, "%s%s%s",
			    narrow ? "" : name, narrow ? "" : " ", old ? "is newer" : "matches");
	else if (node_verdict(h->node) == IDENTITY_UNSURE && !(share < 0.9))
		segment_add(l, 4, "image", ROLE_WARNING, "%s%s", narrow ? "" : name,
			    narrow ? "not sure" : " not sure");
	else if (isnan(share))
		segment_add(l, 4, "image", ROLE_VALUE, "%s", name);
	else
		segment_add(l, share < 0.9 ? 1 : 4, "image", share < 0.9 ? ROLE_BAD : ROLE_GOOD,
			    "%s%s%.0f %%", narrow ? "" : name, narrow ? "" : " ",
			    floor(100 * share));
	if (image_state(im) == IMAGE_SYMBOLS)
		segment_add(l, 9, "", ROLE_LABEL, "reading its lines: %.0f %%",
			    100 * image_progress(im));
}

/* The share of time that profiling costs now, and the losses. */
static void add_hooks(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	double share = node_hooks(n);
	uint64_t missing = node_status(n) ? losses_missing(node_status(n)) : 0;
	char count[16];

	if (!isnan(share))
		segment_add(l, 4, "hooks", share > 0.5 ? ROLE_WARNING : ROLE_VALUE, "%.1f %%",
			    100 * share);
	if (missing)
		segment_add(l, 0, "missing", ROLE_WARNING, "%s",
			    text_count(count, sizeof(count), (double)missing));
	if (node_hello(n) && !(node_hello(n)->features & WSN_F_RUNNING))
		segment_add(l, 1, "", ROLE_WARNING, "STOPPED");
}

static void add_profiled(struct line *l, const struct header *h)
{
	const struct profile *p = h->shared->model.profile;
	char self[16], run[16];

	if (!p || h->shared->peaks || p->totals.time == PROFILE_TIME_NONE ||
	    (isnan(p->totals.self_s) && isnan(p->totals.run_s)))
		return;
	if (isnan(p->totals.self_s)) {
		segment_add(l, 5, "ran", ROLE_VALUE, "%s",
			    text_seconds(run, sizeof(run), p->totals.run_s));
		return;
	}
	text_seconds(self, sizeof(self), p->totals.profiled_s);
	if (isnan(p->totals.run_s) || p->totals.run_s <= 0 || p->totals.time != PROFILE_TIME_TIMED)
		segment_add(l, 5, "profiled", ROLE_VALUE, "%s", self);
	else
		segment_add(l, 5, "profiled", ROLE_VALUE, "%s of %s", self,
			    text_seconds(run, sizeof(run), p->totals.run_s));
}

/* --- a line put together -------------------------------------------------------------------- */

enum { GAP = 2 };

static int segment_width(const struct segment *s)
{
	return (*s->label ? text_columns(s->label) + 1 : 0) + text_columns(s->value) - s->cut;
}

static int line_width(const struct line *l)
{
	int width = 0;

	for (int i = 0; i < l->count; i++)
		width += segment_width(&l->segments[i]) + (i ? GAP : 0);
	return width;
}

static void segment_drop(struct line *l, int segment)
{
	l->count--;
	memmove(&l->segments[segment], &l->segments[segment + 1],
		(size_t)(l->count - segment) * sizeof(l->segments[0]));
}

/* Leave out the least important; false: all that is left must be there. */
static bool segment_drop_least(struct line *l)
{
	int worst = 0, rank;

	for (int i = 1; i < l->count; i++)
		if (l->segments[i].rank >= l->segments[worst].rank)
			worst = i;
	rank = l->count ? l->segments[worst].rank : 0;
	if (rank == 0)
		return false;
	segment_drop(l, worst);
	for (int i = l->count - 1; i >= 0 && rank == NOTHING; i--)
		if (l->segments[i].rank == rank)
			segment_drop(l, i);
	return true;
}

/* Segments that must stay and are too long: the first, which is a name, is cut. */
static void line_fit(struct line *l, int width)
{
	struct segment *name = &l->segments[0];
	int over, most;

	while (line_width(l) > width && segment_drop_least(l))
		;
	over = line_width(l) - width;
	most = l->count ? text_columns(name->value) - TERSE : 0;
	if (over > 0 && most > 0)
		name->cut = over < most ? over : most;
}

static int segment_draw(struct grid *g, int x, int y, const struct segment *s)
{
	int used = 0;

	if (*s->label)
		used = grid_textf(g, x, y, -1, ROLE_LABEL, "%s ", s->label);
	return used + grid_text(g, x + used, y, segment_width(s) - used, s->role, s->value);
}

static void line_draw(struct grid *g, int y, struct line *l)
{
	int x = 0, right = g->width;

	line_fit(l, g->width);
	grid_fill(g, 0, y, -1, ROLE_HEADER, ' ');
	for (int i = 0; i < l->count; i++) {
		const struct segment *s = &l->segments[i];

		if (s->right) {
			right -= segment_width(s);
			segment_draw(g, right, y, s);
			right -= GAP;
		} else {
			x += segment_draw(g, x, y, s) + GAP;
		}
	}
}

/* --- the whole ------------------------------------------------------------------------------- */

int header_draw(struct grid *g, const struct header *h)
{
	struct line top = { .count = 0 }, second = { .count = 0 };
	struct line *rest = g->height < HEADER_LOW ? &top : &second;
	int y = 0;

	add_source(&top, h, g->width);
	add_state(&top, h);
	add_format(&top, h);
	add_stream(rest, h);
	add_image(rest, h, g->width < HEADER_NARROW);
	add_profiled(rest, h);
	add_hooks(rest, h);
	add_badges(&top, h);
	line_draw(g, y++, &top);
	if (rest == &second)
		line_draw(g, y++, &second);
	y += header_draw_note(g, y, h);
	header_draw_tabs(g, y, h);
	return y + 1;
}
