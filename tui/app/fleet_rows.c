/*
 * fleet_rows: figures of the nodes' rows. Of one that is open they are its profile's, made again
 * once a second, in turn, for so long as a key may wait: with many they are older. Of one that is
 * told of they are what came between its last two keyframes, made when they are shown or sorted by.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/base/text.h"
#include "core/export/losses.h"
#include "tui/app/fleet.h"

#define FRESH_NS CLOCK_SECOND
#define WORK_NS (4 * CLOCK_SECOND / 1000)	/* of a frame */
#define LATE_NS (5 * CLOCK_SECOND)	/* without a byte */
#define PERIOD_NS (60 * CLOCK_SECOND)	/* of keyframes, where it is not known yet; */
#define SHORT_NS (2 * CLOCK_SECOND)	/* at least */

/* --- of a node that is open ------------------------------------------------------------------- */

static int share_order(const void *a, const void *b)
{
	const struct odd_share *x = a, *y = b;

	return (x->share < y->share) - (x->share > y->share);
}

/* The functions with most time, of those that are known by calls and self time. */
static void shares_take(struct fleet_row *r, const struct profile *p)
{
	struct odd_share *all = mem_zalloc((p->function_count + 1) * sizeof(*all));
	struct fleet_open *o = r->open;
	size_t n = 0;

	r->share = (double)NAN;
	o->function[0] = '\0';
	o->share_count = 0;
	for (size_t i = 0; all && i < p->function_count; i++) {
		const struct profile_function *f = &p->functions[i];
		double share = f->self_s / p->totals.shares_s;

		if (!(share > 0))
			continue;
		if (isnan(r->share) || share > r->share) {
			r->share = share;
			snprintf(o->function, sizeof(o->function), "%s", f->name);
		}
		if (f->called && profile_has_address(f))
			all[n++] = (struct odd_share){ f->address, share, (double)f->calls };
	}
	if (all)
		qsort(all, n, sizeof(*all), share_order);
	for (; all && o->share_count < n && o->share_count < FLEET_SHARES; o->share_count++)
		o->shares[o->share_count] = all[o->share_count];
	mem_free(all);
}

static void duty_take(struct fleet_row *r, const struct node *n)
{
	double duty[DUTIES];

	gather_duty(n, duty);
	r->load = 1 - duty[DUTY_ASLEEP];
	r->hooks = duty[DUTY_HOOKS];
}

static void open_make(struct fleet_row *r, uint64_t now)
{
	struct node *n = r->pane->node;
	struct profile *p = node_profile(n);

	r->made_ns = now;
	duty_take(r, n);
	r->lost = node_stats(n)->lost + (node_status(n) ? losses_missing(node_status(n)) : 0);
	if (profile_compute(p) < 0)
		return;
	r->pane->behind = true;		/* views have yet to learn of it */
	r->calls_s = p->rate_calls;
	shares_take(r, p);
}

/* Of the nodes of one firmware. */
static bool is_alike(const struct node *a, const struct node *b)
{
	const struct wire_identity *x = node_identity(a), *y = node_identity(b);

	if (node_image(a) || node_image(b))
		return node_image(a) && node_image(b) &&
		       !strcmp(image_path(node_image(a)), image_path(node_image(b)));
	return x && y && x->kind != WIRE_IDENTITY_NONE && build_same(x, y);
}

static void odd_take(struct fleet_row *r, const struct odd_finding *odd)
{
	uint32_t f = isnan(odd->z) ? PROFILE_NONE :
		     profile_find_address(node_profile(r->pane->node), odd->function);

	r->z = f == PROFILE_NONE ? (double)NAN : odd->z;
	r->times = odd->times;
	if (f != PROFILE_NONE)
		snprintf(r->open->odd, sizeof(r->open->odd), "%s",
			 node_profile(r->pane->node)->functions[f].name);
}

/* Each group of nodes of one firmware is judged by itself. */
static void odd_judge(struct fleet *f, size_t count)
{
	struct odd_node *nodes = mem_zalloc((count + 1) * sizeof(*nodes));
	size_t *which = mem_zalloc((count + 1) * sizeof(*which));
	bool *judged = mem_zalloc((count + 1) * sizeof(*judged));

	for (size_t i = 0; nodes && which && judged && i < count; i++) {
		size_t n = 0;

		for (size_t k = i; f->rows[i].pane && !judged[i] && k < count; k++) {
			const struct fleet_row *r = &f->rows[k];

			if (judged[k] || !r->pane ||
			    (k != i && !is_alike(f->rows[i].pane->node, r->pane->node)))
				continue;
			which[n] = k;
			nodes[n++] = (struct odd_node){
				.shares = r->open->shares, .count = r->open->share_count };
		}
		odd_find(nodes, n);
		for (size_t k = 0; k < n; k++) {
			odd_take(&f->rows[which[k]], &nodes[k].found);
			judged[which[k]] = true;
		}
	}
	mem_free(nodes);
	mem_free(which);
	mem_free(judged);
}

/* Each build by itself, over the last two times that a node's counts were taken (gather.h). */
static void past_judge(struct ui *u, size_t rows)
{
	struct crowd *c = gather_crowd(u);
	size_t count = c ? crowd_count(c) : 0;
	struct judge_past *found = mem_alloc((count + 1) * sizeof(*found));
	struct fleet *f = u->fleet;

	for (size_t i = 0; found && i < count; i++)
		found[i] = (struct judge_past){ .function = BUILD_NONE, .z = (double)NAN };
	for (uint32_t b = 0; found && c && b < crowd_builds(c); b++)
		judge_pasts(c, b, found);
	for (size_t i = 0; found && i < rows; i++) {
		struct fleet_row *r = &f->rows[i];
		size_t node = gather_node(u, r->pane);
		const struct build_function *at;

		r->past = (struct judge_past){ .function = BUILD_NONE, .z = (double)NAN };
		if (node == CROWD_NONE || found[node].function == BUILD_NONE)
			continue;
		r->past = found[node];
		at = &crowd_build(c, crowd_node(c, node)->build)->functions[r->past.function];
		if (at->name)
			snprintf(r->open->changed, sizeof(r->open->changed), "%s", at->name);
		else
			snprintf(r->open->changed, sizeof(r->open->changed), "%#" PRIx64,
				 at->address);
	}
	mem_free(found);
}

/* Rows that have panes come first; where there are many nodes these are no broker's. */
static size_t open_count(const struct fleet *f)
{
	size_t n = 0;

	while (n < f->count && f->rows[n].pane)
		n++;
	return n;
}

/* At least so long: before it was seen first it may have slept. */
static void up_take(const struct ui *u, struct fleet_row *r, size_t node, uint64_t until_us)
{
	const struct crowd_node *n = node == CROWD_NONE ? NULL : crowd_node(gather_crowd(u), node);
	bool known = n && n->since_us && n->since_us <= until_us;

	r->up = known ? (double)(until_us - n->since_us) / 1e6 : (double)NAN;
	r->begun = n && n->epochs > 1;
}

void fleet_figures_follow(struct ui *u, uint64_t now)
{
	struct fleet *f = u->fleet;
	size_t count = open_count(f);
	uint64_t begin = clock_now();

	for (size_t i = 0; i < count && clock_now() - begin < WORK_NS; i++) {
		struct fleet_row *r = &f->rows[f->next++ % count];

		if (r->made_ns && now - r->made_ns < FRESH_NS)
			continue;
		open_make(r, now);
		up_take(u, r, gather_node(u, r->pane), clock_wall() / 1000);
	}
	if (f->many || now < f->odd_ns)
		return;
	begin = clock_now();
	odd_judge(f, count);
	past_judge(u, count);
	f->odd_ns = fleet_due(clock_now() - begin, FRESH_NS);
}

/* --- of one that is told of ------------------------------------------------------------------- */

/* Between its last two keyframes, where there are two. */
static enum crowd_when when_of(const struct crowd_node *n)
{
	return n->before.run ? CROWD_SINCE : CROWD_LAST;
}

/* Of the wall clock that passed, by whoever told both; 0: not known. */
static double told_wall(const struct crowd_node *n)
{
	return n->before.told_us && n->last.told_us > n->before.told_us ?
	       (double)(n->last.told_us - n->before.told_us) / 1e6 : 0;
}

/* The node runs another firmware, or its functions got other numbers: none of before is right. */
void fleet_row_renumber(const struct ui *u, struct fleet_row *r)
{
	const struct crowd *c = gather_crowd(u);
	uint32_t build = crowd_node(c, r->node)->build;
	unsigned renames = crowd_build(c, build)->renames;

	if (r->build == build && r->renames == renames)
		return;
	r->build = build;
	r->renames = renames;
	r->taken = 0;
	r->function = r->odd = BUILD_NONE;
	r->z = r->times = (double)NAN;
	r->past = (struct judge_past){ .function = BUILD_NONE, .z = (double)NAN };
}

void fleet_row_follow(struct ui *u, struct fleet_row *r)
{
	const struct crowd *c = gather_crowd(u);
	const struct crowd_node *n = crowd_node(c, r->node);
	struct fleet *f = u->fleet;
	size_t functions = crowd_build(c, n->build)->function_count;
	double sum, calls = 0, wall = told_wall(n), run = crowd_run(n, when_of(n));
	double hooks = crowd_hooks(n, when_of(n));
	const struct gather_told *told = gather_told(u, r->node);
	size_t pane;

	fleet_row_renumber(u, r);
	if (r->taken == n->taken ||
	    mem_grow(&f->costs, &f->cost_cap, functions + 1, sizeof(*f->costs)) < 0)
		return;
	r->taken = n->taken;
	r->function = BUILD_NONE;
	r->share = (double)NAN;
	sum = crowd_costs(c, r->node, when_of(n), f->costs);
	for (size_t i = 0; i < functions; i++) {
		double share = f->costs[i].self_s / sum;

		calls += f->costs[i].calls;
		if (!(share > 0) || (!isnan(r->share) && share <= r->share))
			continue;
		r->share = share;
		r->function = (uint32_t)i;
	}
	r->lost = n->missing;
	up_take(u, r, r->node, n->last.told_us ? n->last.told_us : clock_wall() / 1000);
	r->load = wall > 0 ? fmin((run + hooks) / wall, 1) : (double)NAN;
	r->hooks = wall > 0 ? hooks / fmax(wall, run + hooks) : (double)NAN;
	pane = told && told->pane_ns ? gather_pane(u, r->node) : SIZE_MAX;
	if (pane != SIZE_MAX)			/* it is open: its own clock tells */
		duty_take(r, u->panes[pane]->node);
	wall = wall > 0 ? wall : run;
	r->calls_s = wall > 0 ? calls / wall : (double)NAN;
}

/* --- rows ------------------------------------------------------------------------------------- */

void fleet_rows_release(struct fleet *f)
{
	for (size_t i = 0; i < f->count; i++)
		mem_free(f->rows[i].open);
	f->count = f->pane_number = f->told = 0;
	f->unordered = true;
}

static bool fleet_row_add(struct fleet *f, struct pane *pane, size_t node)
{
	struct fleet_open *open = pane ? mem_zalloc(sizeof(*open)) : NULL;

	if ((pane && !open) || mem_grow(&f->rows, &f->cap, f->count + 1, sizeof(*f->rows)) < 0) {
		mem_free(open);
		return false;
	}
	f->rows[f->count++] = (struct fleet_row){
		.pane = pane, .node = pane ? CROWD_NONE : (uint32_t)node, .open = open,
		.up = (double)NAN, .load = (double)NAN, .hooks = (double)NAN,
		.calls_s = (double)NAN,
		.share = (double)NAN, .z = (double)NAN, .function = BUILD_NONE, .odd = BUILD_NONE,
		.build = CROWD_NONE,
		.past = { .z = (double)NAN, .function = BUILD_NONE },
	};
	f->unordered = true;
	return true;
}

/* Those that come to the screen later than nodes that are told of have their rows first, too. */
static bool panes_are_new(const struct ui *u)
{
	const struct fleet *f = u->fleet;

	for (size_t i = 0; f->told && i < u->pane_count; i++)
		if (u->panes[i]->number >= f->pane_number &&
		    !gather_is_told(u->panes[i]->node))
			return true;
	return false;
}

bool fleet_rows_follow(struct ui *u)
{
	const struct crowd *c = gather_crowd(u);
	struct fleet *f = u->fleet;

	if (f->many != gather_is_many(u) || panes_are_new(u))
		fleet_rows_release(f);
	f->many = gather_is_many(u);
	for (size_t i = 0; i < u->pane_count; i++) {
		struct pane *p = u->panes[i];

		if (p->number < f->pane_number || (f->many && gather_is_told(p->node)))
			continue;
		if (!fleet_row_add(f, p, CROWD_NONE))
			return false;
		f->pane_number = p->number + 1;
	}
	for (; f->many && c && f->told < crowd_count(c); f->told++)
		if (gather_told(u, f->told) && !fleet_row_add(f, NULL, f->told))
			return false;
	return true;
}

/* --- what they show --------------------------------------------------------------------------- */

const char *fleet_row_title(const struct ui *u, const struct fleet_row *r, char *room, size_t size)
{
	return r->pane ? node_title(r->pane->node) : gather_title(u, r->node, room, size);
}

/* 0: it does not say. */
uint32_t fleet_row_id(const struct ui *u, const struct fleet_row *r)
{
	const struct wire_hello *hello = r->pane ? node_hello(r->pane->node) : NULL;

	return !r->pane ? crowd_node(gather_crowd(u), r->node)->id : hello ? hello->id : 0;
}

size_t fleet_row_node(const struct ui *u, const struct fleet_row *r)
{
	return !r->pane ? r->node : gather_is_told(r->pane->node) ? gather_node(u, r->pane) :
	       CROWD_NONE;
}

const char *fleet_row_site(const struct ui *u, const struct fleet_row *r)
{
	size_t node = fleet_row_node(u, r);

	return node == CROWD_NONE ? "" : gather_site(u, node);
}

const char *fleet_row_firmware(const struct ui *u, const struct fleet_row *r, enum role *role)
{
	const struct node *n = r->pane ? r->pane->node : NULL;
	const struct image *image = !n ? crowd_build(gather_crowd(u), crowd_node(
		gather_crowd(u), r->node)->build)->image : node_image(n);
	bool refused = n && !image && node_image_refused(n);

	*role = image ? ROLE_VALUE : refused ? ROLE_BAD : ROLE_DIM;
	return image ? text_basename(image_path(image)) : refused ? "another" : "no ELF";
}

const char *fleet_row_function(const struct ui *u, const struct fleet_row *r, enum fleet_cell of,
			       char *room, size_t size)
{
	uint32_t at = of == FLEET_FUNCTION ? r->function : of == FLEET_ODD ? r->odd :
		      r->past.function;
	const struct build *b;

	if (r->pane)
		return of == FLEET_FUNCTION ? r->open->function :
		       of == FLEET_ODD ? r->open->odd : r->open->changed;
	b = crowd_build(gather_crowd(u), crowd_node(gather_crowd(u), r->node)->build);
	if (at >= b->function_count)
		return "";
	if (b->functions[at].name)
		return b->functions[at].name;
	snprintf(room, size, "%#" PRIx64, b->functions[at].address);
	return room;
}

static enum role state_say(char *dst, size_t size, enum role role, const char *what,
			   uint64_t since)
{
	char span[24] = "";

	if (since)
		text_span(span, sizeof(span), since);
	if (dst)
		snprintf(dst, size, "%s%s%s", what, since ? " " : "", span);
	return role;
}

/* No relay has it. */
static bool is_offline(const struct ui *u, const struct fleet_row *r)
{
	size_t node = fleet_row_node(u, r);
	const struct gather_told *t = node == CROWD_NONE ? NULL : gather_told(u, node);

	return t && t->away;
}

static enum role open_state(const struct ui *u, const struct fleet_row *r, uint64_t now, char *dst,
			    size_t size)
{
	const struct node *n = r->pane->node;
	const struct link *l = node_link(n);

	switch (link_state(l)) {
	case LINK_CONNECTING:
		return state_say(dst, size, ROLE_WARNING, "connecting", 0);
	case LINK_WAITING:
		return state_say(dst, size, ROLE_BAD, "gone", now - link_since(l));
	case LINK_ENDED:
		return state_say(dst, size, ROLE_LABEL, "ended", 0);
	default:
		break;
	}
	if (is_offline(u, r))
		return state_say(dst, size, ROLE_BAD, "offline", now - node_heard(n));
	if (link_is_live(l) && now - node_heard(n) > LATE_NS)
		return state_say(dst, size, ROLE_WARNING, "late", now - node_heard(n));
	return state_say(dst, size, ROLE_GOOD, link_is_live(l) ? "live" : "playing", 0);
}

/*
 * Nobody tells it: the longest of the last few, as one that somebody asked for comes between. Until
 * these are known no shorter than a relay's usual one.
 */
static uint64_t period_of(const struct gather_told *t)
{
	uint64_t most = t->between_ns[0] ? SHORT_NS : PERIOD_NS;

	for (size_t i = 0; i < GATHER_PERIODS; i++)
		most = t->between_ns[i] > most ? t->between_ns[i] : most;
	return most;
}

/* Late: no keyframe for two and a half periods. */
static enum role told_state(const struct gather_told *t, uint64_t now, char *dst, size_t size)
{
	uint64_t period = period_of(t);
	uint64_t heard = t->since_ns > t->pane_ns ? t->since_ns : t->pane_ns;
	uint64_t age = now > heard ? now - heard : 0;

	if (t->away)
		return state_say(dst, size, ROLE_BAD, "offline", age);
	if (age > period * 5 / 2)
		return state_say(dst, size, ROLE_WARNING, "late", age);
	return state_say(dst, size, ROLE_GOOD, "live", 0);
}

enum role fleet_row_state(const struct ui *u, const struct fleet_row *r, uint64_t now, char *dst,
			  size_t size)
{
	return r->pane ? open_state(u, r, now, dst, size) :
	       told_state(gather_told(u, r->node), now, dst, size);
}

double fleet_row_rank(const struct fleet_row *r, enum fleet_cell by)
{
	double value = by == FLEET_LOAD ? r->load : by == FLEET_HOOKS ? r->hooks :
		       by == FLEET_LOST ? (double)r->lost : by == FLEET_UP ? r->up :
		       by == FLEET_CALLS ? r->calls_s :
		       by == FLEET_SHARE ? r->share : by == FLEET_ODD ? fabs(r->z) :
		       by == FLEET_PAST ? fabs(r->past.z) : 0;

	return isnan(value) ? -1 : value;
}
