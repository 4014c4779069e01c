/*
 * note: the header's second line, and the warning below it.
 */
#include "tui/app/header/parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "tui/app/header/line.h"

#define SILENT (5 * CLOCK_SECOND)	/* without a byte: that is said */

enum { NAMELESS = 61 };		/* columns of a warning about an image, its name aside */

/*
 * The warning, without the directory of the image that it begins with: the news is behind that. Nor
 * is its name repeated if that would cut off the advice: the line above has it.
 */
static const char *short_warning(const struct node *n, int width, char *dst, size_t size)
{
	static const char instead[] = "image";
	char *text = node_warning(n, dst, size) ? dst : NULL;
	const struct image *im = node_image_refused(n) ? node_image_refused(n) : node_image(n);
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

/*
 * A wsn node sends rows at each refresh, whatever it does: one that does not hangs, or the line is
 * broken. 0: it sends.
 */
uint64_t header_silent(const struct header *h)
{
	const struct node *n = h->node;

	if (!node_hello(n) || node_ended(n) || !link_is_live(node_link(n)) ||
	    link_state(node_link(n)) != LINK_UP || h->now < node_heard(n) + SILENT)
		return 0;
	return h->now - node_heard(n);
}

/* A node that fell silent, and whose image has handlers with hooks. */
static const char *starved_text(const struct header *h, char *dst, size_t size)
{
	char names[120];

	if (!header_silent(h) || !node_handlers(h->node, true, names, sizeof(names)))
		return NULL;
	snprintf(dst, size, "silent: the node may have no time left: instrumented handlers (%s)",
		 names);
	return dst;
}

/* Of a stream without times no shares of the time are known, but sums may be. */
static bool draw_sums(struct grid *g, int y, const struct header *h)
{
	const struct profile *p = h->shared->model.profile;
	double cost = node_hooks(h->node);
	struct line l = { .count = 0 };
	char self[16], run[16];

	if (p && p->totals.time == PROFILE_TIME_TIMED && p->totals.run_s > 0 &&
	    !isnan(p->totals.profiled_s) && !h->shared->peaks)
		line_add(&l, 1, "profiled", ROLE_VALUE, "%s of %s",
			 text_seconds(self, sizeof(self), p->totals.profiled_s),
			 text_seconds(run, sizeof(run), p->totals.run_s));
	if (!isnan(cost))
		line_add(&l, 2, "profiling cost", cost > 0.5 ? ROLE_WARNING : ROLE_VALUE, "%.1f %%",
			 100 * cost);
	if (l.count)
		line_draw(g, y, &l);
	return l.count;
}

/* The bar, or what else there is to tell of the time or the format: seldom a line less. */
static int draw_bar_or_note(struct grid *g, int y, const struct header *h, bool warned)
{
	if (header_draw_duty(g, y, h) || draw_sums(g, y, h))
		return 1;
	if (!warned)
		grid_text(g, 0, y, -1, ROLE_LABEL, node_format_note(h->node));
	return !warned;
}

int header_draw_state(struct grid *g, int y, const struct header *h)
{
	bool loud = err_is_set(node_trouble(h->node)) || !strcmp(node_match(h->node), "no");
	bool small = g->width < HEADER_NARROW || g->height < HEADER_LOW;
	char warning[320];
	const char *text = loud ? NULL : starved_text(h, warning, sizeof(warning));
	int lines;

	if (!text && (loud || !small))
		text = short_warning(h->node, g->width, warning, sizeof(warning));
	lines = small ? 0 : draw_bar_or_note(g, y, h, text);
	if (!text)
		return lines;
	if (loud)
		grid_fill(g, 0, y + lines, -1, ROLE_BAD, ' ');
	grid_text(g, 0, y + lines, -1, loud ? ROLE_BAD : ROLE_WARNING, text);
	return lines + 1;
}
