#include "tui/header.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/wire/wsn.h"
#include "tui/settings.h"

enum {
	SEGMENTS = 24,
	NARROW = 60,		/* below: no line for notes */
	NOTHING = 10,		/* rank of counts that are 0: the first to go, and all at once */
	TERSE = 4,		/* a name is cut down to so much, not further */
	LOW = 14,		/* below: one line on top */
	NAMELESS = 61,		/* columns of what is wrong with an image and what to do */
};

#define SILENT (5 * CLOCK_SECOND)	/* without a byte: that is said */

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

static struct segment *add(struct line *l, int rank, const char *label, enum role role,
			   const char *fmt, ...) __attribute__((format(printf, 5, 6)));

static struct segment *add(struct line *l, int rank, const char *label, enum role role,
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
	const char *name = h->node->name;
	const char *kind = link_kind(h->node->link);

	if (!strncmp(name, "file:", 5))
		name += 5;
	else if (!strcmp(name, "-"))
		name = "standard input";
	/* Of a path that takes more than its share of the line its end says most. */
	if (text_columns(name) > width / 4 && strcmp(kind, "tcp"))
		name = text_basename(name);
	if (h->node->called[0])
		add(l, 0, "", ROLE_HEADER, "%s", h->node->called);
	add(l, h->node->called[0] ? 5 : 0, "", h->node->called[0] ? ROLE_VALUE : ROLE_HEADER, "%.*s",
	    (int)strcspn(name, "?"), name);
	if (h->count > 1)
		add(l, 3, "node", ROLE_VALUE, "%zu/%zu", h->index + 1, h->count);
}

static void add_state(struct line *l, const struct header *h)
{
	const struct link *link = h->node->link;
	double progress = link_progress(link);
	const char *why = link_why(link);
	char since[32];

	text_span(since, sizeof(since), h->now - link_since(link));
	switch (link_state(link)) {
	case LINK_CONNECTING:
		add(l, 1, "", ROLE_WARNING, "connecting %s", since);
		break;
	case LINK_WAITING:
		add(l, 1, "", ROLE_WARNING, "gone, waiting %s", since);
		if (*why)
			add(l, 6, "", ROLE_LABEL, "%s", why);
		break;
	case LINK_ENDED:
		add(l, 2, "", ROLE_GOOD, "read to its end");
		break;
	case LINK_UP:
		if (progress >= 0 && !link_is_live(link))
			add(l, 2, "", h->node->ended ? ROLE_WARNING : ROLE_GOOD, "%s%.0f %% read%s",
			    h->node->ended ? "stopped, " : "", 100 * progress,
			    h->node->ended ? "" : " (Esc stops)");
		else
			add(l, 2, "", ROLE_GOOD, "up %s", since);
		if (link_baud(link) > 0)
			add(l, 7, "", ROLE_LABEL, "%ld baud", link_baud(link));
	}
	if (link_reconnects(link))
		add(l, 8, "", ROLE_LABEL, "taken up again %u×", link_reconnects(link));
}

static void add_format(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	const struct profile *p = h->shared->profile;

	add(l, 5, "format", ROLE_VALUE, "%s", wire_name(n->wire));
	if (p && *p->name && n->profile_count > 1 && !h->shared->frozen)
		add(l, 4, "report", ROLE_VALUE, "%s %zu/%zu", p->name, n->selected + 1,
		    n->profile_count);
	else if (p && *p->name)
		add(l, 6, "report", ROLE_VALUE, "%s", p->name);
	if (n->record)
		add(l, 7, "", ROLE_GOOD, "recording");
}

static void add_badges(struct line *l, const struct header *h)
{
	const struct profile *p = h->shared->profile;

	if (p && profile_estimated(p))
		add(l, 2, "", ROLE_WARNING, "ESTIMATE")->right = true;
	if (*h->shared->baseline)
		add(l, 1, "vs", ROLE_VALUE, "%s", h->shared->baseline)->right = true;
	if (h->shared->badge[0])
		add(l, 0, "", ROLE_MATCH, " %s ", h->shared->badge)->right = true;
}

static void add_bytes(struct line *l, double n, const char *unit)
{
	char count[16];
	size_t digits;

	text_count(count, sizeof(count), n);
	digits = strspn(count, "0123456789.");
	add(l, 3, "", ROLE_VALUE, "%.*s %s%s", (int)digits, count, count + digits, unit);
}

static void add_events(struct line *l, double n, const char *unit)
{
	char count[16];

	add(l, 6, "", ROLE_VALUE, "%s %s", text_count(count, sizeof(count), n), unit);
}

/* Where there is some it is always shown; none is the first thing to go. */
static void add_trouble(struct line *l, const char *label, uint64_t n)
{
	char count[16];

	if (n < 10000)
		snprintf(count, sizeof(count), "%llu", (unsigned long long)n);
	else
		text_count(count, sizeof(count), (double)n);
	add(l, n ? 0 : NOTHING, label, n ? ROLE_WARNING : ROLE_VALUE, "%s", count);
}

/*
 * A node that speaks wsn says something each refresh, whatever it does: when it does not, it hangs,
 * or the line is broken. 0: it speaks.
 */
static uint64_t silent_for(const struct header *h)
{
	const struct node *n = h->node;

	if (!n->has_hello || n->ended || !link_is_live(n->link) || link_state(n->link) != LINK_UP ||
	    h->now < n->idle_ns + SILENT)
		return 0;
	return h->now - n->idle_ns;
}

/* What flows; of what has ended, what it was. */
static void add_stream(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	uint64_t silent = silent_for(h);
	char since[32];

	if (silent) {
		add(l, 1, "silent", ROLE_WARNING, "%s", text_span(since, sizeof(since), silent));
	} else if (n->ended) {
		add_bytes(l, (double)n->stats.bytes, "B");
		add_events(l, (double)n->stats.events, "events");
	} else {
		add_bytes(l, n->bytes_per_s, "B/s");
		add_events(l, n->events_per_s, "events/s");
	}
	add_trouble(l, "bad", n->stats.bad_bytes);
	add_trouble(l, "lost", n->stats.lost);
}

static void add_image(struct line *l, const struct header *h, bool narrow)
{
	const struct image *im = h->node->image;
	double share = node_agreement(h->node);
	const char *name;

	if (h->node->refused) {
		add(l, 1, "image", ROLE_BAD, "%s", narrow ? "wrong" :
		    text_basename(image_path(h->node->refused)));
		return;
	}
	if (!im) {
		add(l, 5, "image", ROLE_DIM, "none");
		return;
	}
	name = text_basename(image_path(im));
	if (h->node->verdict == IDENTITY_SAME)
		add(l, 4, "image", h->node->rebuilt ? ROLE_WARNING : ROLE_GOOD, "%s%s%s",
		    narrow ? "" : name, narrow ? "" : " ", h->node->rebuilt ? "is newer" : "matches");
	else if (isnan(share))
		add(l, 4, "image", ROLE_VALUE, "%s", name);
	else
		add(l, share < 0.9 ? 1 : 4, "image", share < 0.9 ? ROLE_BAD : ROLE_GOOD,
		    "%s%s%.0f %%", narrow ? "" : name, narrow ? "" : " ", floor(100 * share));
	if (image_state(im) == IMAGE_SYMBOLS)
		add(l, 9, "", ROLE_LABEL, "reading its lines: %.0f %%", 100 * image_progress(im));
}

/* What profiling costs now, and what it does not see. */
static void add_hooks(struct line *l, const struct header *h)
{
	const struct node *n = h->node;
	double share = node_hooks(n);
	uint64_t missing = n->has_status ? losses_missing(&n->status) : 0;
	char count[16];

	if (!isnan(share))
		add(l, 4, "hooks", share > 0.5 ? ROLE_WARNING : ROLE_VALUE, "%.1f %%", 100 * share);
	if (missing)
		add(l, 0, "missing", ROLE_WARNING, "%s", text_count(count, sizeof(count),
								    (double)missing));
	if (n->has_hello && !(n->hello.features & WSN_F_RUNNING))
		add(l, 1, "", ROLE_WARNING, "STOPPED");
}

static void add_profiled(struct line *l, const struct header *h)
{
	const struct profile *p = h->shared->profile;
	char self[16], run[16];

	if (!p || h->shared->peaks || p->totals.time == TIME_NONE ||
	    (isnan(p->totals.self_s) && isnan(p->totals.run_s)))
		return;
	if (isnan(p->totals.self_s)) {
		add(l, 5, "ran", ROLE_VALUE, "%s", text_seconds(run, sizeof(run), p->totals.run_s));
		return;
	}
	text_seconds(self, sizeof(self), p->totals.profiled_s);
	if (isnan(p->totals.run_s) || p->totals.run_s <= 0 || p->totals.time != TIME_TIMED)
		add(l, 5, "profiled", ROLE_VALUE, "%s", self);
	else
		add(l, 5, "profiled", ROLE_VALUE, "%s of %s", self,
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

static void drop(struct line *l, int segment)
{
	l->count--;
	memmove(&l->segments[segment], &l->segments[segment + 1],
		(size_t)(l->count - segment) * sizeof(l->segments[0]));
}

/* Leave out the least important; false: all that is left must be there. */
static bool drop_least(struct line *l)
{
	int worst = 0, rank;

	for (int i = 1; i < l->count; i++)
		if (l->segments[i].rank >= l->segments[worst].rank)
			worst = i;
	rank = l->count ? l->segments[worst].rank : 0;
	if (rank == 0)
		return false;
	drop(l, worst);
	for (int i = l->count - 1; i >= 0 && rank == NOTHING; i--)
		if (l->segments[i].rank == rank)
			drop(l, i);
	return true;
}

/* What must be there and is too long gives way at its first segment, which is a name. */
static void fit(struct line *l, int width)
{
	struct segment *name = &l->segments[0];
	int over, most;

	while (line_width(l) > width && drop_least(l))
		;
	over = line_width(l) - width;
	most = l->count ? text_columns(name->value) - TERSE : 0;
	if (over > 0 && most > 0)
		name->cut = over < most ? over : most;
}

static int draw_segment(struct grid *g, int x, int y, const struct segment *s)
{
	int used = 0;

	if (*s->label)
		used = grid_textf(g, x, y, -1, ROLE_LABEL, "%s ", s->label);
	return used + grid_text(g, x + used, y, segment_width(s) - used, s->role, s->value);
}

static void draw_line(struct grid *g, int y, struct line *l)
{
	int x = 0, right = g->width;

	fit(l, g->width);
	grid_fill(g, 0, y, -1, ROLE_HEADER, ' ');
	for (int i = 0; i < l->count; i++) {
		const struct segment *s = &l->segments[i];

		if (s->right) {
			right -= segment_width(s);
			draw_segment(g, right, y, s);
			right -= GAP;
		} else {
			x += draw_segment(g, x, y, s) + GAP;
		}
	}
}

/*
 * The warning, without the directory of the image that it begins with: the news is behind that. Nor
 * is its name said again where that would cut off what to do: the line above has it.
 */
static const char *short_warning(const struct node *n, int width, char *dst, size_t size)
{
	static const char instead[] = "image";
	char *text = node_warning(n, dst, size) ? dst : NULL;
	const struct image *im = n->refused ? n->refused : n->image;
	const char *path = im ? image_path(im) : "";
	const char *name = text_basename(path);

	if (!text || !*path || strncmp(text, path, strlen(path)) != 0)
		return text;
	if (width < NAMELESS + (int)strlen(instead) || text_columns(name) + NAMELESS <= width ||
	    strlen(name) < strlen(instead))
		return text + (name - path);
	text += strlen(path) - strlen(instead);
	return memcpy(text, instead, strlen(instead));
}

/* Append what still fits into `width` columns. */
static void part(char *dst, size_t size, int width, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void part(char *dst, size_t size, int width, const char *fmt, ...)
{
	char more[80];
	size_t used = strlen(dst);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(more, sizeof(more), fmt, ap);
	va_end(ap);
	if (text_columns(dst) + text_columns(more) <= width)
		snprintf(dst + used, size - used, "%s", more);
}

/*
 * Of call sites the node's table holds so many; of arcs and PCs its cache, and the rest were sent
 * on.
 */
static void part_rows(char *dst, size_t size, int width, const struct node *n)
{
	const struct wire_hello *hello = &n->hello;
	const struct profile *p = n->profiles[0];
	size_t rows[TOTAL_PC] = { 0 };

	for (size_t i = 0; i < p->site_count; i++)
		rows[p->sites[i].kind == TOTAL_ARC ? TOTAL_ARC : TOTAL_SITE]++;
	if (hello->features & WSN_F_SITES)
		part(dst, size, width, ", %zu of %u sites", rows[TOTAL_SITE], hello->max_sites);
	if (hello->features & WSN_F_ARCS)
		part(dst, size, width, ", %zu arcs (cache %u)", rows[TOTAL_ARC], hello->max_arcs);
	if (hello->features & WSN_F_PCS)
		part(dst, size, width, ", %zu PCs (cache %u)", p->pc_count, hello->max_pcs);
}

static void part_identity(char *dst, size_t size, int width, const struct wire_identity *id)
{
	if (id->kind == IDENTITY_SUM)
		part(dst, size, width, ", checksum %04x%04x", id->a, id->b);
	else if (id->kind == IDENTITY_BUILD_ID)
		part(dst, size, width, ", build-id %02x%02x%02x%02x", id->build_id[0], id->build_id[1],
		     id->build_id[2], id->build_id[3]);
}

static void part_clock(char *dst, size_t size, int width, double hz)
{
	if (hz >= 1e6)
		part(dst, size, width, ", %.4g MHz clock", hz / 1e6);
	else
		part(dst, size, width, ", %.4g kHz clock", hz / 1e3);
}

/* "wsn, AVR, 8 MHz clock, 78 of 128 sites, times ±1.6 us, checksum 89451470" */
static const char *hello_text(const struct header *h, int width, char *dst, size_t size)
{
	const struct wire_hello *hello = &h->node->hello;
	char number[16];

	snprintf(dst, size, "wsn, %s", wsn_arch_name(hello->arch));
	if (hello->features & WSN_F_TIMED && hello->ticks_per_second)
		part_clock(dst, size, width, hello->ticks_per_second);
	part_rows(dst, size, width, h->node);
	if (hello->hz)
		part(dst, size, width, ", %u samples/s", hello->hz);
	if (hello->features & WSN_F_TIMED && hello->ticks_per_second && hello->spread > 0)
		part(dst, size, width, ", times ±%s", text_seconds(number, sizeof(number),
			hello->spread / hello->ticks_per_second));
	part_identity(dst, size, width, &hello->identity);
	return dst;
}

/* What is worth knowing where nothing is wrong. */
static const char *note_text(const struct header *h, int width, char *dst, size_t size)
{
	if (!h->node->has_hello || strcmp(wire_name(h->node->wire), "wsn"))
		return wire_note(h->node->wire);
	return hello_text(h, width, dst, size);
}

/* The third line: what is wrong (loudly), else what is worth knowing. False: no line for it. */
static bool draw_note(struct grid *g, int y, const struct header *h)
{
	bool loud = err_is_set(&h->node->trouble) || !strcmp(node_match(h->node), "no");
	char warning[320], note[200];
	const char *text = short_warning(h->node, g->width, warning, sizeof(warning));

	if (!loud && (g->width < NARROW || g->height < LOW))
		return false;
	if (text && loud)
		grid_fill(g, 0, y, -1, ROLE_BAD, ' ');
	grid_text(g, 0, y, -1, !text ? ROLE_LABEL : loud ? ROLE_BAD : ROLE_WARNING,
		  text ? text : note_text(h, g->width, note, sizeof(note)));
	return true;
}

/* --- tabs ----------------------------------------------------------------------------------- */

/*
 * How much of the tabs is spelt out where there is little room. A blank is before each name and one
 * after the last; those of the tab shown are lit with it.
 */
enum spelling {
	SPELT_WIDE,		/* "  1 flat  2 callers  " */
	SPELT_CLOSE,		/* " 1 flat 2 callers " */
	SPELT_BRIEF,		/* " 1 flat 5 hist " */
	SPELT_SHOWN,		/* " 1  2 callers  3 ": only the one shown */
	SPELLINGS,
};

struct tab {
	int x, width;		/* with the blanks around it */
	char text[48];
};

enum { TABS = 16, PATTERN_ROOM = 14 };

static void tab_text(const struct header *h, const struct view_ops *v, enum spelling how, char *dst,
		     size_t size)
{
	const char *name = how >= SPELT_BRIEF && v->brief ? v->brief : v->name;
	char key[16];

	keymap_first(&h->shared->settings->keys, v->action, key, sizeof(key));
	if (how == SPELT_SHOWN && v != h->view)
		snprintf(dst, size, " %s ", key);
	else
		snprintf(dst, size, " %s%s%s ", key, *key ? " " : "",
			 how == SPELT_SHOWN ? v->name : name);
}

/* All of them from the left; returns the columns they take. */
static int lay_tabs(const struct header *h, enum spelling how, struct tab *tabs)
{
	/* Where they stand close two share the blank between them. */
	int shared = how == SPELT_CLOSE || how == SPELT_BRIEF, x = 0;

	for (int i = 0; views[i] && i < TABS; i++) {
		tab_text(h, views[i], how, tabs[i].text, sizeof(tabs[i].text));
		tabs[i].x = x;
		tabs[i].width = text_columns(tabs[i].text);
		x += tabs[i].width - shared;
	}
	return x + shared;
}

/* Right of the tabs: what narrows the view down. */
static int pattern_text(const struct view_shared *s, char *dst, size_t size)
{
	int n = 0;

	dst[0] = 0;
	if (s->order.filter)
		n = snprintf(dst, size, "only %.80s", regex_pattern(s->order.filter));
	if (s->search)
		snprintf(dst + n, size - (size_t)n, "%s/%.80s", n ? "  " : "",
			 regex_pattern(s->search));
	return text_columns(dst);
}

/* As much as fits with what narrows the view down beside it, or with its beginning. */
static int fit_tabs(const struct header *h, int width, struct tab *tabs)
{
	char text[200];
	int patterns = pattern_text(h->shared, text, sizeof(text)), used = 0;

	if (patterns)
		patterns = patterns < PATTERN_ROOM ? patterns + 2 : PATTERN_ROOM + 2;
	for (int how = SPELT_WIDE; how < SPELLINGS; how++) {
		used = lay_tabs(h, (enum spelling)how, tabs);
		if (used + patterns <= width)
			break;
	}
	return used;
}

static int draw_tabs(struct grid *g, int y, const struct header *h)
{
	struct tab tabs[TABS];
	int used = fit_tabs(h, g->width, tabs);

	grid_fill(g, 0, y, -1, ROLE_TAB, ' ');
	for (int i = 0; views[i] && i < TABS; i++)
		grid_text(g, tabs[i].x, y, -1, ROLE_TAB, tabs[i].text);
	for (int i = 0; views[i] && i < TABS; i++)
		if (views[i] == h->view)
			grid_text(g, tabs[i].x, y, -1, ROLE_TAB_ACTIVE, tabs[i].text);
	return used;
}

const struct view_ops *header_tab(const struct header *h, int width, int x)
{
	struct tab tabs[TABS];

	fit_tabs(h, width, tabs);
	for (int i = 0; views[i] && i < TABS; i++)
		if (x >= tabs[i].x && x < tabs[i].x + tabs[i].width)
			return views[i];
	return NULL;
}

static void draw_patterns(struct grid *g, int y, int x, const struct view_shared *s)
{
	char text[200];

	if (pattern_text(s, text, sizeof(text)) > 0 && g->width - x > 6)
		grid_right(g, x + 1, y, g->width - x - 2, ROLE_TAB, text);
}

int header_draw(struct grid *g, const struct header *h)
{
	struct line top = { .count = 0 }, second = { .count = 0 };
	struct line *rest = g->height < LOW ? &top : &second;
	int y = 0;

	add_source(&top, h, g->width);
	add_state(&top, h);
	add_format(&top, h);
	add_stream(rest, h);
	add_image(rest, h, g->width < NARROW);
	add_profiled(rest, h);
	add_hooks(rest, h);
	add_badges(&top, h);
	draw_line(g, y++, &top);
	if (rest == &second)
		draw_line(g, y++, &second);
	y += draw_note(g, y, h);
	draw_patterns(g, y, draw_tabs(g, y, h), h->shared);
	return y + 1;
}
