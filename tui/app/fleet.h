/*
 * fleet: the screen of all nodes: what its pages share. Private to fleet*.c.
 *
 *	fleet.c			the nodes, a row each
 *	fleet_functions.c	functions over all nodes of a build, and a build against another
 */
#ifndef WSNTOP_TUI_APP_FLEET_H
#define WSNTOP_TUI_APP_FLEET_H

#include "core/fleet/census.h"
#include "core/fleet/judge.h"
#include "core/fleet/odd.h"
#include "tui/app/gather.h"
#include "tui/app/ui/ui.h"
#include "tui/part/table.h"

enum fleet_page { FLEET_NODES, FLEET_FUNCTIONS, FLEET_ROLLOUT, FLEET_PAGES };

enum { FLEET_SHARES = 64, FLEET_TOP = 3 };

struct fleet_row {
	struct pane *pane;
	uint64_t made_ns;		/* its figures were; 0: never */
	double load, hooks, calls_s, share;	/* NaN: not known */
	uint64_t lost;
	char function[96];
	struct odd_share shares[FLEET_SHARES];	/* of the functions with most time */
	size_t share_count;
	double z, times;		/* of odd.h; NaN: nothing is told */
	char odd[96];			/* the function */
	struct judge_past past;		/* unlike itself; its function's name: */
	char changed[96];
};

/* A function of the census, as they are listed. */
struct fleet_function {
	uint64_t self_ns, address;
	size_t at;			/* in the census */
};

struct fleet {
	enum fleet_page shown;
	struct fleet_row *rows;		/* as panes are */
	size_t count, cap;
	size_t *order;			/* rows as they are listed */
	size_t order_cap;
	size_t next;			/* whose figures are made next */
	struct list list;
	unsigned sorted;		/* the nodes' column; 0: as they came */
	bool inverted;
	uint64_t odd_ns;		/* odd nodes are to be found again */
	int page;

	/* The other pages: of a build. */
	uint32_t build, before;		/* before: of the rollout; CROWD_NONE: there is none */
	uint64_t due_ns[FLEET_PAGES];	/* when their figures are to be made */
	struct census census;
	struct fleet_function *functions;
	size_t function_cap;
	struct judge_rollout rollout;
	int rollout_state;		/* 0, or why there is none: enum err_code */
	struct list functions_list, rollout_list;
};

void fleet_pages_release(struct fleet *f);
void fleet_build_step(struct ui *u, int by);	/* the build that the pages are of */
void fleet_page_draw(struct ui *u, struct grid *g, uint64_t now);

/* Enter: the pane of the node where the selected function is largest; SIZE_MAX: none. */
size_t fleet_page_pane(const struct ui *u);
struct list *fleet_list(struct fleet *f);	/* of the page that is shown */

#define FLEET_WORK 20		/* figures of all nodes take a part of so many of the time, */

/* ... so that they are made again when they are `fresh` ns old, or as much later as they take. */
static inline uint64_t fleet_due(uint64_t began, uint64_t fresh)
{
	uint64_t now = clock_now(), rest = (now - began) * FLEET_WORK;

	return now + (rest > fresh ? rest : fresh);
}

#endif
