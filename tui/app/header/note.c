/*
 * note: the header's third line.
 */
#include "tui/app/header/parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/text.h"
#include "core/wire/wsn/wsn.h"

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

/* Append the text if all of it fits into `width` columns. */
static void part_append(char *dst, size_t size, int width, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void part_append(char *dst, size_t size, int width, const char *fmt, ...)
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
	const struct wire_hello *hello = node_hello(n);
	const struct profile *p = node_profile_at(n, 0);
	size_t rows[TOTAL_PC] = { 0 };

	for (size_t i = 0; i < p->site_count; i++)
		rows[p->sites[i].kind == TOTAL_ARC ? TOTAL_ARC : TOTAL_SITE]++;
	if (hello->features & WSN_F_SITES)
		part_append(dst, size, width, ", %zu of %u sites", rows[TOTAL_SITE],
			    hello->max_sites);
	if (hello->features & WSN_F_ARCS)
		part_append(dst, size, width, ", %zu arcs (cache %u)", rows[TOTAL_ARC],
			    hello->max_arcs);
	if (hello->features & WSN_F_PCS)
		part_append(dst, size, width, ", %zu PCs (cache %u)", p->pc_count, hello->max_pcs);
}

static void part_identity(char *dst, size_t size, int width, const struct wire_identity *id)
{
	if (id->kind == WIRE_IDENTITY_SUM)
		part_append(dst, size, width, ", checksum %04x%04x", id->a, id->b);
	else if (id->kind == WIRE_IDENTITY_BUILD_ID)
		part_append(dst, size, width, ", build-id %02x%02x%02x%02x", id->build_id[0],
			    id->build_id[1], id->build_id[2], id->build_id[3]);
}

static void part_clock(char *dst, size_t size, int width, double hz)
{
	if (hz >= 1e6)
		part_append(dst, size, width, ", %.4g MHz clock", hz / 1e6);
	else
		part_append(dst, size, width, ", %.4g kHz clock", hz / 1e3);
}

/* "wsn, AVR, 8 MHz clock, 78 of 128 sites, times ±1.6 us, checksum 89451470" */
static const char *hello_text(const struct header *h, int width, char *dst, size_t size)
{
	const struct wire_hello *hello = node_hello(h->node);
	double spread = profile_spread(node_profile(h->node));
	char number[16], names[16];

	snprintf(dst, size, "wsn, %s", wsn_arch_name(hello->arch));
	if (hello->features & WSN_F_TIMED && hello->ticks_per_second)
		part_clock(dst, size, width, hello->ticks_per_second);
	part_rows(dst, size, width, h->node);
	if (hello->hz)
		part_append(dst, size, width, ", %u samples/s", hello->hz);
	if (hello->features & WSN_F_TIMED && hello->ticks_per_second && spread > 0)
		part_append(dst, size, width, ", times ±%s%s", text_seconds(number, sizeof(number),
			spread / hello->ticks_per_second),
			node_handlers(h->node, false, names, sizeof(names)) ? " and handlers" : "");
	part_identity(dst, size, width, &hello->identity);
	return dst;
}

/* Facts of the node and its format, for a node without a warning. */
static const char *note_text(const struct header *h, int width, char *dst, size_t size)
{
	if (!node_hello(h->node) || strcmp(node_format(h->node), "wsn"))
		return node_format_note(h->node);
	return hello_text(h, width, dst, size);
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

bool header_draw_note(struct grid *g, int y, const struct header *h)
{
	bool loud = err_is_set(node_trouble(h->node)) || !strcmp(node_match(h->node), "no");
	char warning[320], note[200];
	const char *text = loud ? NULL : starved_text(h, warning, sizeof(warning));

	if (!text)
		text = short_warning(h->node, g->width, warning, sizeof(warning));
	if (!loud && (g->width < HEADER_NARROW || g->height < HEADER_LOW))
		return false;
	if (text && loud)
		grid_fill(g, 0, y, -1, ROLE_BAD, ' ');
	grid_text(g, 0, y, -1, !text ? ROLE_LABEL : loud ? ROLE_BAD : ROLE_WARNING,
		  text ? text : note_text(h, g->width, note, sizeof(note)));
	return true;
}
