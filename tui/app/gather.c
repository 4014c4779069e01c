#include "tui/app/gather.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/image/identity.h"
#include "core/mqtt/place.h"
#include "tui/app/fleet.h"
#include "tui/app/ui/ui.h"

enum { AT_ONCE = 8, DUTY_SECONDS = 10, NAME = 600 };	/* nodes of a pass; bytes of a place */

struct gather {
	const struct ui *ui;
	struct crowd *crowd;
	struct carrier_ear ear;
	struct gather_told *told;	/* by node of the crowd */
	size_t told_count, told_cap;
	struct image **images;		/* by build; NULL: none */
	size_t image_count, image_cap;
	size_t next;
	struct wire_total *totals;
	size_t total_cap;
	unsigned changes;
	bool said_memory, said_many;
};

void gather_free(struct ui *u)
{
	struct gather *g = u->gather;

	if (!g)
		return;
	crowd_free(g->crowd);
	for (size_t i = 0; i < g->image_count; i++)
		image_free(g->images[i]);
	mem_free(g->images);
	mem_free(g->told);
	mem_free(g->totals);
	mem_free(g);
	u->gather = NULL;
}

/* --- images ----------------------------------------------------------------------------------- */

/* The place of a build's image; NULL: no memory. */
static struct image **image_slot(struct gather *g, uint32_t build)
{
	while (g->image_count <= build) {
		if (mem_grow(&g->images, &g->image_cap, g->image_count + 1,
			     sizeof(struct image *)) < 0)
			return NULL;
		g->images[g->image_count++] = NULL;
	}
	return &g->images[build];
}

/* The build of a node, when it has no image yet and the node has. */
static void image_follow(struct gather *g, const struct node *n, uint32_t build)
{
	struct build *b = crowd_build(g->crowd, build);
	struct image **slot = image_slot(g, build);

	if (!slot || b->image || !node_image(n) || node_image_is_old(n))
		return;
	*slot = image_new(image_path(node_image(n)), NULL);
	b->image = *slot;
	build_rename(b);
}

static enum identity_verdict elf_judge(const char *path, const struct wire_identity *identity)
{
	struct identity id = { 0 };
	enum identity_verdict v = identity_read(&id, path, NULL) < 0 ? IDENTITY_OTHER :
				  identity_compare(&id, identity);

	identity_release(&id);
	return v;
}

/* The ELF of a build that a keyframe begins: the one that proves to be it, else one that may be. */
static const struct image *image_of(void *ctx, const struct wire_identity *identity)
{
	struct gather *g = ctx;
	const struct option_list *elfs = &g->ui->options->elfs;
	struct image **slot = image_slot(g, (uint32_t)crowd_builds(g->crowd));
	const char *path = NULL;

	for (size_t i = 0; slot && i < elfs->count; i++) {
		enum identity_verdict v = elf_judge(elfs->items[i], identity);

		if (v != IDENTITY_SAME && (v != IDENTITY_UNSURE || path))
			continue;
		path = elfs->items[i];
		if (v == IDENTITY_SAME)
			break;
	}
	if (!path)
		return NULL;
	*slot = image_new(path, NULL);
	return *slot;
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

bool gather_is_told(const struct node *n)
{
	return mqtt_is_place(node_source(n));
}

/* Where a pane's node stands in the crowd: a broker's at its site, any other by itself. */
static void pane_place(const struct pane *p, char *dst, size_t size)
{
	const char *source = node_source(p->node), *id = strrchr(source, '/');

	if (gather_is_told(p->node) && id)
		snprintf(dst, size, "%.*s", (int)(id - source), source);
	else
		snprintf(dst, size, "%zu", p->number);
}

/* NULL: no memory. */
static struct gather_told *told_at(struct gather *g, size_t node)
{
	size_t count = crowd_count(g->crowd);

	if (mem_grow(&g->told, &g->told_cap, count, sizeof(*g->told)) < 0)
		return NULL;
	for (; g->told_count < count; g->told_count++) {
		struct gather_told *t = &g->told[g->told_count];

		*t = (struct gather_told){ 0 };
		memset(t->trail, GATHER_NO_LOAD, sizeof(t->trail));
	}
	return &g->told[node];
}

static void pane_take(struct gather *g, const struct pane *p, uint64_t now)
{
	const struct node *n = p->node;
	struct crowd_heard heard = { .heard_ns = now };
	struct crowd_model model;
	struct wire_hello hello;
	struct gather_told *told;
	char place[NAME];
	size_t at;

	if (!node_hello(n) || !node_status(n))
		return;
	hello = *node_hello(n);
	if (!gather_is_told(n))
		identity_guess(&hello, n);
	pane_place(p, place, sizeof(place));
	heard.place = place;
	heard.id = hello.id;
	heard.seen_us = link_is_live(node_link(n)) ? clock_wall() / 1000 : 0;
	model = (struct crowd_model){ .hello = &hello, .status = node_status(n) };
	model.count = totals_take(g, node_profile(p->node));
	model.totals = g->totals;
	crowd_feed_model(g->crowd, &heard, &model);
	g->changes++;
	at = crowd_find(g->crowd, place, hello.id);
	if (at == CROWD_NONE)
		return;
	image_follow(g, n, crowd_node(g->crowd, at)->build);
	told = gather_is_told(n) ? told_at(g, at) : NULL;
	if (told)
		told->pane_ns = now;
}

static bool pane_is_due(const struct pane *p, uint64_t now)
{
	return !p->gathered_ns || now - p->gathered_ns >= GATHER_NS ||
	       (!p->gathered_end && link_state(node_link(p->node)) == LINK_ENDED);
}

/* Once: how much is left out stands above the table. */
static void memory_say(struct ui *u, struct gather *g)
{
	size_t mb = u->memory.limit >> 20;

	if (g->said_memory || !u->memory.refused)
		return;
	g->said_memory = true;
	ui_say(u, true, "the memory for all nodes is full (%zu MB): more are left out; "
	       "--nodes-memory=%zu keeps more", mb, 2 * mb);
}

/* Once: from here on most of them are not open. */
static void many_say(struct ui *u, struct gather *g)
{
	if (g->said_many || !gather_is_many(u))
		return;
	g->said_many = true;
	ui_say(u, false, "%s nodes on the broker: {nodes} shows all, {enter} there opens one",
	       TEXT_WHOLE(nodes_told(&u->nodes).nodes));
}

void gather_nodes(struct ui *u, uint64_t now)
{
	struct gather *g = u->gather;

	if (g) {
		many_say(u, g);
		memory_say(u, g);
	}
	if (!g || (u->pane_count < 2 && !gather_is_many(u)))
		return;
	images_poll(g);
	for (size_t i = 0, done = 0; i < u->pane_count && done < AT_ONCE; i++) {
		struct pane *p = u->panes[g->next++ % u->pane_count];

		if (!pane_is_due(p, now))
			continue;
		p->gathered_ns = now;
		p->gathered_end = link_state(node_link(p->node)) == LINK_ENDED;
		pane_take(g, p, now);
		done++;
	}
}

/* --- what a broker tells ---------------------------------------------------------------------- */

/* Between the last two, of the wall clock that passed; negative: not known. */
static double load_of(const struct crowd_node *n)
{
	double wall = (double)n->last.told_us / 1e6 - (double)n->before.told_us / 1e6;

	return n->last.told_us && n->before.told_us && wall > 0 ?
	       (crowd_run(n, CROWD_SINCE) + crowd_hooks(n, CROWD_SINCE)) / wall : -1;
}

void gather_duty(const struct node *n, double duty[DUTIES])
{
	struct health_sample last = health_sum(node_health(n), DUTY_SECONDS);

	health_duty(&last, duty);
}

static void trail_add(struct gather_told *t, double load)
{
	memmove(t->trail, t->trail + 1, sizeof(t->trail) - 1);
	t->trail[GATHER_TRAIL - 1] = !(load >= 0) ? GATHER_NO_LOAD :
				     (uint8_t)lround(100 * (load > 1 ? 1 : load));
}

static void period_add(struct gather_told *t, uint64_t ns)
{
	memmove(t->between_ns, t->between_ns + 1, sizeof(t->between_ns) - sizeof(ns));
	t->between_ns[GATHER_PERIODS - 1] = ns;
}

/* A keyframe that was kept is as old as it says. */
static void told_note(struct gather_told *t, const struct carrier_word *w, uint64_t now)
{
	uint64_t wall_us = clock_wall() / 1000, age_ns = 0;

	if ((w->retained || w->late) && w->told_us && w->told_us < wall_us)
		age_ns = 1000 * (wall_us - w->told_us);
	t->since_ns = age_ns < now ? now - age_ns : 1;
}

static void told_key(struct gather *g, const struct carrier_word *w, uint64_t now)
{
	const struct crowd_heard heard = {
		.place = w->place, .id = w->id, .heard_ns = now, .told_us = w->told_us,
		.late = w->late,
	};
	enum crowd_result r = crowd_feed(g->crowd, &heard, w->data, w->n);
	const struct crowd_node *n;
	struct gather_told *t;
	size_t at;

	if (r != CROWD_TAKEN && r != CROWD_AGAIN)
		return;
	at = crowd_find(g->crowd, w->place, w->id);
	t = at == CROWD_NONE ? NULL : told_at(g, at);
	if (!t)
		return;
	told_note(t, w, now);
	n = crowd_node(g->crowd, at);
	if (r == CROWD_AGAIN || !n->before.told_us || n->last.told_us <= n->before.told_us)
		return;
	if (!w->late)			/* the last one of an epoch comes between */
		period_add(t, 1000 * (n->last.told_us - n->before.told_us));
	trail_add(t, load_of(n));
}

/* A node that is open has newer counts, as long as they are taken. */
static void word_hear(void *ctx, const struct carrier_word *w)
{
	struct gather *g = ctx;
	uint64_t now = clock_now();
	size_t at = crowd_find(g->crowd, w->place, w->id);
	const struct gather_told *t = at == CROWD_NONE ? NULL : gather_told(g->ui, at);

	if (w->n && (!t || !t->pane_ns || now - t->pane_ns > 2 * GATHER_NS)) {
		told_key(g, w, now);
		at = crowd_find(g->crowd, w->place, w->id);
	} else if (w->n && t && at < g->told_count) {
		size_t pane = w->retained ? SIZE_MAX : gather_pane(g->ui, at);
		double duty[DUTIES];

		told_note(&g->told[at], w, now);
		if (pane != SIZE_MAX) {
			gather_duty(g->ui->panes[pane]->node, duty);
			trail_add(&g->told[at], 1 - duty[DUTY_ASLEEP]);
		}
	}
	if (at != CROWD_NONE && told_at(g, at))
		g->told[at].away = w->away;
	g->changes++;
}

void gather_begin(struct ui *u)
{
	struct gather *g = mem_zalloc(sizeof(*g));
	const struct crowd_limits limits = {
		.quota = &u->memory, .node_beside = sizeof(struct gather_told) + FLEET_NODE_BYTES,
		.row_beside = FLEET_ROW_BYTES, .seed = index_seed(), .image = image_of, .ctx = g,
	};

	if (!g || !(g->crowd = crowd_new(&limits))) {
		mem_free(g);
		return;
	}
	g->ui = u;
	g->ear = (struct carrier_ear){ .hear = word_hear, .ctx = g, .whole = GATHER_WHOLE,
				     .quota = &u->memory };
	u->gather = g;
	u->nodes.ear = &g->ear;
}

/* --- reading ---------------------------------------------------------------------------------- */

bool gather_is_many(const struct ui *u)
{
	return u->gather && nodes_told(&u->nodes).nodes > GATHER_WHOLE;
}

struct crowd *gather_crowd(const struct ui *u)
{
	return u->gather && crowd_count(u->gather->crowd) ? u->gather->crowd : NULL;
}

unsigned gather_changes(const struct ui *u)
{
	return u->gather ? u->gather->changes : 0;
}

const char *gather_elf(const struct ui *u, uint32_t build)
{
	const struct image *im = crowd_build(u->gather->crowd, build)->image;

	return im ? text_basename(image_path(im)) : "no ELF";
}

const struct gather_told *gather_told(const struct ui *u, size_t node)
{
	const struct gather *g = u->gather;
	const struct gather_told *t = g && node < g->told_count ? &g->told[node] : NULL;

	return t && (t->since_ns || t->pane_ns) ? t : NULL;
}

static const char *node_place(const struct ui *u, size_t node)
{
	return crowd_place(u->gather->crowd, crowd_node(u->gather->crowd, node)->place);
}

void gather_name(const struct ui *u, size_t node, char *dst, size_t size)
{
	snprintf(dst, size, "%s/%08" PRIx32, node_place(u, node),
		 crowd_node(u->gather->crowd, node)->id);
}

const char *gather_title(const struct ui *u, size_t node, char *room, size_t size)
{
	const struct crowd_node *n = crowd_node(u->gather->crowd, node);

	if (n->name[0])
		return n->name;
	snprintf(room, size, "%08" PRIx32, n->id);
	return room;
}

const char *gather_site(const struct ui *u, size_t node)
{
	const char *host = strstr(node_place(u, node), "://");
	const char *site = host ? strchr(host + 3, '/') : NULL;

	return site ? site + 1 : "";
}

size_t gather_pane(const struct ui *u, size_t node)
{
	const char *place = node_place(u, node);
	bool is_told = strstr(place, "://");
	size_t number = strtoul(place, NULL, 10);
	char name[NAME];

	gather_name(u, node, name, sizeof(name));
	for (size_t i = 0; i < u->pane_count; i++)
		if (is_told ? strcmp(node_source(u->panes[i]->node), name) == 0 :
			      u->panes[i]->number == number)
			return i;
	return SIZE_MAX;
}

size_t gather_node(const struct ui *u, const struct pane *p)
{
	const struct wire_hello *hello = node_hello(p->node);
	char place[NAME];

	if (!hello || !u->gather)
		return CROWD_NONE;
	pane_place(p, place, sizeof(place));
	return crowd_find(u->gather->crowd, place, hello->id);
}
