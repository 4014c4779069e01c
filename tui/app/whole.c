#include "tui/app/whole.h"

#include <stdio.h>

#include "core/base/mem.h"
#include "tui/app/gather.h"
#include "tui/app/ui/ui.h"
#include "tui/start/remember.h"

static void pane_drop_at(struct ui *u, size_t pane)
{
	struct pane *p = u->panes[pane];

	remember_keep(p->node, u->options);
	if (node_record_sync(p->node) < 0)
		ui_say(u, true, "%s", node_trouble(p->node)->text);
	pane_release(p);
	mem_free(p);
	nodes_drop(&u->nodes, pane);
	u->pane_count--;
	for (size_t i = pane; i < u->pane_count; i++)
		u->panes[i] = u->panes[i + 1];
	u->current -= u->current > pane;
}

/* Not while a dialog may have a node in mind; that of all nodes knows them by the crowd. */
static bool may_drop(const struct ui *u)
{
	return (!u->dialog || u->fleet) && !u->baselines.loading &&
	       u->pane_count == u->nodes.count;
}

static bool is_kept(const struct pane *p)
{
	return p->past.held || p->baseline || p->mark_ns;
}

/* Its recording (-r) would end without a word. */
static bool is_recorded(const struct pane *p)
{
	struct record_tally t;

	return node_tally(p->node, &t);
}

/* The one that was left first; SIZE_MAX: there is none. */
static size_t pane_oldest(const struct ui *u, bool also_kept)
{
	size_t oldest = SIZE_MAX;

	for (size_t i = 0; i < u->pane_count; i++) {
		const struct pane *p = u->panes[i];

		if (i == u->current || !gather_is_told(p->node) || is_recorded(p) ||
		    (!also_kept && is_kept(p)))
			continue;
		if (oldest == SIZE_MAX || p->shown_ns < u->panes[oldest]->shown_ns)
			oldest = i;
	}
	return oldest;
}

static size_t told_count(const struct ui *u)
{
	size_t count = 0;

	for (size_t i = 0; i < u->pane_count; i++)
		count += gather_is_told(u->panes[i]->node);
	return count;
}

void whole_service(struct ui *u, uint64_t now)
{
	size_t pane;

	if (!gather_is_many(u))
		return;
	u->panes[u->current]->shown_ns = now;
	for (size_t i = 0; i < u->pane_count; i++)
		if (!u->panes[i]->shown_ns)
			u->panes[i]->shown_ns = now;
	if (!may_drop(u))
		return;
	pane = pane_oldest(u, false);
	if (pane != SIZE_MAX && now - u->panes[pane]->shown_ns > WHOLE_LEFT_NS)
		pane_drop_at(u, pane);
}

size_t whole_open(struct ui *u, size_t node)
{
	size_t pane = gather_pane(u, node), oldest;
	struct err err = { 0 };
	char name[600];

	if (pane != SIZE_MAX)
		return pane;
	if (told_count(u) >= WHOLE_MOST && may_drop(u) &&
	    (oldest = pane_oldest(u, true)) != SIZE_MAX)
		pane_drop_at(u, oldest);
	gather_name(u, node, name, sizeof(name));
	if (nodes_open_told(&u->nodes, name, &err) < 0 || ui_open_panes(u, &err) < 0) {
		ui_say(u, true, "%s", err.text);
		return SIZE_MAX;
	}
	return gather_pane(u, node);
}
