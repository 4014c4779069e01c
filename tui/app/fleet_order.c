/*
 * fleet_order: which rows are listed, and in which order: by a filter, in groups by firmware or
 * site, by a column. With many nodes once a second; at once when the user changes it.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"
#include "tui/app/fleet.h"

#define FRESH_NS CLOCK_SECOND
enum { FEW = 256 };			/* rows that are sorted for each frame */

struct fleet_rank {
	const char *group, *name;
	double by;
	uint32_t row;
	bool inverted;
};

static const char *group_of(const struct ui *u, const struct fleet_row *r)
{
	enum role role;

	return u->fleet->grouped == GROUP_SITE ? fleet_row_site(u, r) :
	       u->fleet->grouped == GROUP_FIRMWARE ? fleet_row_firmware(u, r, &role) : "";
}

/* Name, id, site, state, firmware, function: any of them may match. */
static bool row_matches(const struct ui *u, const struct fleet_row *r, uint64_t now)
{
	char all[700], state[40], title[16], name[24];
	enum role role;

	if (!u->fleet->filter)
		return true;
	fleet_row_state(u, r, now, state, sizeof(state));
	snprintf(all, sizeof(all), "%s %08" PRIx32 " %s %s %s %s",
		 fleet_row_title(u, r, title, sizeof(title)), fleet_row_id(u, r),
		 fleet_row_site(u, r), state, fleet_row_firmware(u, r, &role),
		 fleet_row_function(u, r, FLEET_FUNCTION, name, sizeof(name)));
	return regex_match(u->fleet->filter, all);
}

static int rank_order(const void *a, const void *b)
{
	const struct fleet_rank *x = a, *y = b;
	int by = strcmp(x->group, y->group);

	if (by)
		return by;
	by = x->name ? strcmp(x->name, y->name) : (x->by < y->by) - (x->by > y->by);
	by = x->inverted ? -by : by;
	return by ? by : (x->row > y->row) - (x->row < y->row);
}

/* By a function's name: one without a name stands by its address, which is no text to sort by. */
static const char *rank_name(const struct ui *u, const struct fleet_row *r)
{
	char room[24];
	const char *name = fleet_row_function(u, r, FLEET_FUNCTION, room, sizeof(room));

	return name == room ? "" : name;
}

/* What is listed, in order. */
static size_t ranks_make(const struct ui *u, uint64_t now)
{
	struct fleet *f = u->fleet;
	size_t n = 0;

	for (uint32_t i = 0; i < f->count; i++) {
		const struct fleet_row *r = &f->rows[i];

		if (row_matches(u, r, now))
			f->ranks[n++] = (struct fleet_rank){
				.group = group_of(u, r), .by = fleet_row_rank(r, f->sorted),
				.name = f->sorted == FLEET_FUNCTION ? rank_name(u, r) : NULL,
				.row = i, .inverted = f->inverted,
			};
	}
	if (n && (f->sorted || f->grouped))
		qsort(f->ranks, n, sizeof(*f->ranks), rank_order);
	return n;
}

/* Is there more than one site? */
static void row_place_add(const struct ui *u, const struct fleet_row *r)
{
	struct fleet_sum *s = &u->fleet->sum;
	size_t node = fleet_row_node(u, r);
	uint16_t place;

	if (node == CROWD_NONE)
		return;
	place = crowd_node(gather_crowd(u), node)->place;
	s->many_sites |= s->placed && place != s->place;
	s->place = place;
	s->placed = true;
}

static void sum_add(const struct ui *u, struct fleet_group *g, const struct fleet_row *r,
		    enum role state)
{
	struct fleet_sum *s = &u->fleet->sum;
	bool odd = fleet_row_rank(r, FLEET_ODD) >= ODD_Z;

	s->live += state == ROLE_GOOD;
	s->late += state == ROLE_WARNING;
	s->gone += state == ROLE_BAD;
	s->odd += odd;
	s->changed += r->past.odd;
	row_place_add(u, r);
	s->lost += r->pane ? r->lost : crowd_node(gather_crowd(u), r->node)->missing;
	if (g) {
		g->nodes++;
		g->live += state == ROLE_GOOD;
		g->odd += odd;
	}
}

static struct fleet_group *group_add(struct fleet *f, const char *name)
{
	struct fleet_group *g;

	if (mem_grow(&f->groups, &f->group_cap, f->group_count + 1, sizeof(*f->groups)) < 0)
		return NULL;
	g = &f->groups[f->group_count++];
	*g = (struct fleet_group){ .nodes = 0 };
	snprintf(g->name, sizeof(g->name), "%s", *name ? name : "(none)");
	return g;
}

/* Rows as they are ranked, each group behind its head. */
static void lines_make(const struct ui *u, size_t count, uint64_t now)
{
	struct fleet *f = u->fleet;
	struct fleet_group *g = NULL;
	const char *group = NULL;
	size_t n = 0;

	f->sum = (struct fleet_sum){ 0 };
	f->group_count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct fleet_rank *at = &f->ranks[i];

		if (f->grouped && (!group || strcmp(group, at->group) != 0)) {
			group = at->group;
			g = group_add(f, group);
			f->lines[n++] = (struct fleet_line){
				UINT32_MAX, (uint32_t)f->group_count - 1 };
		}
		if (f->grouped && !g)
			break;
		f->lines[n++] = (struct fleet_line){ at->row, 0 };
		sum_add(u, g, &f->rows[at->row],
			fleet_row_state(u, &f->rows[at->row], now, NULL, 0));
	}
	f->list.count = n;
}

void fleet_order(struct ui *u, uint64_t now)
{
	struct fleet *f = u->fleet;

	if (f->count > FEW && !f->unordered && now - f->order_ns < FRESH_NS)
		return;
	if (mem_grow(&f->ranks, &f->rank_cap, f->count + 1, sizeof(*f->ranks)) < 0 ||
	    mem_grow(&f->lines, &f->line_cap, 2 * f->count + 1, sizeof(*f->lines)) < 0)
		return;
	lines_make(u, ranks_make(u, now), now);
	f->unordered = false;
	f->order_ns = now;
}
