#include "tui/app/gather.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "tui/app/ui/ui.h"

enum { AT_ONCE = 8, PLACE = 24 };	/* nodes of a pass; bytes of a place's name */

struct gather {
	struct crowd *crowd;
	struct image **images;		/* by build; NULL: none */
	size_t image_count, image_cap;
	struct gather_pane {
		uint64_t taken_ns;	/* 0: never */
		bool ended;		/* and its stream had ended */
	} *panes;			/* as the screen's are */
	size_t pane_count, pane_cap;
	size_t next;
	struct wire_total *totals;
	size_t total_cap;
};

static struct gather *gather_new(void)
{
	struct gather *g = mem_zalloc(sizeof(*g));

	if (g && !(g->crowd = crowd_new(NULL))) {
		mem_free(g);
		return NULL;
	}
	return g;
}

void gather_free(struct ui *u)
{
	struct gather *g = u->gather;

	if (!g)
		return;
	crowd_free(g->crowd);
	for (size_t i = 0; i < g->image_count; i++)
		image_free(g->images[i]);
	mem_free(g->images);
	mem_free(g->panes);
	mem_free(g->totals);
	mem_free(g);
	u->gather = NULL;
}

/* --- images ----------------------------------------------------------------------------------- */

/* The build of a node, when it has no image yet and the node has. */
static void image_follow(struct gather *g, const struct node *n, uint32_t build)
{
	struct build *b = crowd_build(g->crowd, build);

	while (g->image_count <= build) {
		if (mem_grow(&g->images, &g->image_cap, g->image_count + 1,
			     sizeof(struct image *)) < 0)
			return;
		g->images[g->image_count++] = NULL;
	}
	if (b->image || !node_image(n) || node_image_is_old(n))
		return;
	g->images[build] = image_new(image_path(node_image(n)), NULL);
	b->image = g->images[build];
	build_rename(b);
}

static void images_poll(const struct gather *g)
{
	for (size_t i = 0; i < g->image_count; i++)
		if (g->images[i] && image_poll(g->images[i]))
			build_rename(crowd_build(g->crowd, (uint32_t)i));
}

/* --- nodes ------------------------------------------------------------------------------------ */

/* The node's rows as the stream gave them; a reset of the user's is taken off. */
static size_t totals_take(struct gather *g, const struct profile *p)
{
	size_t count = 0;

	if (mem_grow(&g->totals, &g->total_cap, p->site_count + p->pc_count + 1,
		     sizeof(*g->totals)) < 0)
		return 0;
	for (size_t i = 0; i < p->site_count; i++) {
		const struct profile_site *s = &p->sites[i];

		if (!(s->flags & ROW_GONE))
			g->totals[count++] = (struct wire_total){
				.kind = s->kind, .from = s->from, .to = s->to, .calls = s->calls,
				.total = s->total, .has = s->timed ? TOTAL_TIMED : 0,
			};
	}
	for (size_t i = 0; i < p->pc_count; i++)
		g->totals[count++] = (struct wire_total){
			.kind = TOTAL_PC, .from = p->pcs[i].pc, .calls = p->pcs[i].count,
		};
	return count;
}

/* Where a node does not say its firmware, the ELF that it was given for tells. */
static void identity_guess(struct wire_hello *hello, const struct node *n)
{
	const char *path = node_image(n) ? image_path(node_image(n)) : NULL;

	if (path && hello->identity.kind == WIRE_IDENTITY_NONE)
		hello->identity = (struct wire_identity){
			.kind = WIRE_IDENTITY_SUM,
			.start = (uint32_t)map_hash_bytes(MAP_HASH, path, strlen(path)),
		};
}

static void pane_take(struct gather *g, const struct pane *p, size_t index, uint64_t now)
{
	const struct node *n = p->node;
	struct crowd_heard heard = { .heard_ns = now };
	struct crowd_model model;
	struct wire_hello hello;
	char place[PLACE];
	size_t at;

	if (!node_hello(n) || !node_status(n))
		return;
	hello = *node_hello(n);
	identity_guess(&hello, n);
	snprintf(place, sizeof(place), "%zu", index);
	heard.place = place;
	heard.id = hello.id;
	model = (struct crowd_model){ .hello = &hello, .status = node_status(n) };
	model.count = totals_take(g, node_profile(p->node));
	model.totals = g->totals;
	crowd_feed_model(g->crowd, &heard, &model);
	at = crowd_find(g->crowd, place, hello.id);
	if (at != CROWD_NONE)
		image_follow(g, n, crowd_node(g->crowd, at)->build);
}

static bool pane_is_due(const struct gather_pane *p, const struct node *n, uint64_t now)
{
	return !p->taken_ns || now - p->taken_ns >= GATHER_NS ||
	       (!p->ended && link_state(node_link(n)) == LINK_ENDED);
}

void gather_nodes(struct ui *u, uint64_t now)
{
	struct gather *g = u->gather;

	if (u->pane_count < 2 || (!g && !(g = u->gather = gather_new())))
		return;
	images_poll(g);
	if (mem_grow(&g->panes, &g->pane_cap, u->pane_count, sizeof(*g->panes)) < 0)
		return;
	while (g->pane_count < u->pane_count)
		g->panes[g->pane_count++] = (struct gather_pane){ 0 };
	for (size_t i = 0, done = 0; i < g->pane_count && done < AT_ONCE; i++) {
		size_t at = g->next++ % g->pane_count;
		struct gather_pane *p = &g->panes[at];

		if (!pane_is_due(p, u->panes[at]->node, now))
			continue;
		p->taken_ns = now;
		p->ended = link_state(node_link(u->panes[at]->node)) == LINK_ENDED;
		pane_take(g, u->panes[at], at, now);
		done++;
	}
}

/* --- reading ---------------------------------------------------------------------------------- */

struct crowd *gather_crowd(const struct ui *u)
{
	return u->gather && crowd_count(u->gather->crowd) ? u->gather->crowd : NULL;
}

const char *gather_elf(const struct ui *u, uint32_t build)
{
	const struct image *im = crowd_build(u->gather->crowd, build)->image;

	return im ? text_basename(image_path(im)) : "no ELF";
}

size_t gather_pane(const struct ui *u, const char *place)
{
	size_t at = strtoul(place, NULL, 10);

	return at < u->pane_count ? at : SIZE_MAX;
}

size_t gather_node(const struct ui *u, size_t pane)
{
	const struct wire_hello *hello = node_hello(u->panes[pane]->node);
	char place[PLACE];

	if (!hello || !u->gather)
		return CROWD_NONE;
	snprintf(place, sizeof(place), "%zu", pane);
	return crowd_find(u->gather->crowd, place, hello->id);
}
