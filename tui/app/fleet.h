/*
 * fleet: the screen of all nodes: what its pages share. Private to fleet*.c.
 *
 *	fleet.c			the nodes, a row each: drawing, keys
 *	fleet_rows.c		their figures
 *	fleet_order.c		filter, group, sort
 *	fleet_work.c		what is told of all nodes, a few milliseconds at a time
 *	fleet_functions.c	functions over all nodes of a build, and a build against another
 *
 * A row is a node that is open, or, where a broker has many (gather.h), one that it tells of, by
 * its keyframes. Figures of a page of rows are made for the page alone.
 */
#ifndef WSNTOP_TUI_APP_FLEET_H
#define WSNTOP_TUI_APP_FLEET_H

#include "core/base/regex.h"
#include "core/fleet/census.h"
#include "core/fleet/judge.h"
#include "core/fleet/odd.h"
#include "tui/app/gather.h"
#include "tui/app/ui/ui.h"
#include "tui/part/table.h"

enum fleet_page { FLEET_NODES, FLEET_FUNCTIONS, FLEET_ROLLOUT, FLEET_PAGES };

enum { FLEET_SHARES = 64, FLEET_TOP = 3 };

enum fleet_cell {
	FLEET_NODE, FLEET_ID, FLEET_SITE, FLEET_STATE, FLEET_FIRMWARE, FLEET_UP, FLEET_LOAD,
	FLEET_TREND, FLEET_HOOKS, FLEET_LOST, FLEET_CALLS, FLEET_FUNCTION, FLEET_SHARE, FLEET_PAST,
	FLEET_ODD, FLEET_CELLS,
};

enum fleet_group_by { GROUP_NONE, GROUP_FIRMWARE, GROUP_SITE, GROUPS };

/* Of a node that is open: names, and what odd.h reads. */
struct fleet_open {
	char function[96], odd[96], changed[96];
	struct odd_share shares[FLEET_SHARES];	/* of the functions with most time */
	size_t share_count;
};

struct fleet_row {
	struct pane *pane;		/* NULL: it is told of ... */
	uint32_t node;			/* ... as this one of the crowd; CROWD_NONE with a pane */
	uint32_t taken;			/* crowd_node.taken when its figures were made; 0: never */
	uint32_t build;			/* that it ran then; CROWD_NONE */
	unsigned renames;		/* of that build, then */
	uint64_t made_ns;		/* a pane's were; 0: never */
	double up, load, hooks, calls_s, share;	/* NaN: not known */
	bool begun;			/* `up` is all of it: its epoch was seen to begin */
	uint64_t lost;
	uint32_t function, odd;		/* of the crowd's build; BUILD_NONE */
	double z, times;		/* of odd.h; NaN: nothing is told */
	struct judge_past past;		/* unlike itself */
	struct fleet_open *open;	/* owned; NULL: it has no pane */
};

/* What a node that is told of takes here, and each of its rows while all are compared (odd.h). */
#define FLEET_NODE_BYTES (2 * sizeof(struct fleet_row) + 192)
#define FLEET_ROW_BYTES 32

/* A line of the table: a row, or the head of a group. */
struct fleet_line {
	uint32_t row;			/* UINT32_MAX: the head */
	uint32_t group;
};

struct fleet_group {
	char name[64];
	size_t nodes, live, odd;
};

struct fleet_sum {
	size_t live, late, gone, odd, changed;
	uint64_t lost;
	uint16_t place;			/* of the first that is a broker's; */
	bool placed, many_sites;	/* there was one; not all of these have it */
};

/* What brokers sent, over the last seconds. */
struct fleet_traffic {
	uint64_t at_ns, messages, bytes;	/* counted then; at_ns 0: not yet */
	double messages_s, bytes_s;	/* NaN: not known yet */
};

/* A function of the census, as they are listed. */
struct fleet_function {
	uint64_t self_ns, address;
	size_t at;			/* in the census */
};

struct fleet {
	enum fleet_page shown;
	bool many;			/* rows are of the crowd */
	struct fleet_row *rows;		/* of nodes that are open as panes are, the rest behind */
	size_t count, cap;
	size_t pane_number, told;	/* panes and nodes of the crowd that have a row, so far */
	struct fleet_line *lines;	/* rows as they are listed */
	size_t line_cap;
	struct fleet_group *groups;
	size_t group_count, group_cap;
	struct fleet_rank *ranks;	/* room to sort in */
	size_t rank_cap;
	bool unordered;			/* what is listed, or how, changed */
	uint64_t order_ns;		/* it was made */
	size_t next;			/* whose figures are made next: of open nodes, */
	size_t row_next;		/* and of the others, in a pass ... */
	uint64_t rows_ns;		/* ... that begins then */
	struct list list;
	unsigned sorted;		/* the nodes' column; 0: as they came */
	bool inverted;
	enum fleet_group_by grouped;
	struct regex *filter;		/* NULL: none */
	bool typing;			/* it is, in u->prompt */
	struct fleet_sum sum;
	struct fleet_traffic traffic;
	bool told_of;			/* some are a broker's */
	uint64_t odd_ns;		/* odd nodes are to be found again */
	struct crowd_cost *costs;	/* room for a node's */
	size_t cost_cap;
	int page;

	/* Of many nodes, a piece at a time: */
	struct judge_sweep *sweep;	/* NULL: none goes on */
	uint32_t sweep_build;
	enum judge_what sweep_what;
	uint64_t sweep_took;		/* ns, all of them so far */

	/* The other pages: of a build. */
	bool news;			/* their figures are new since the last frame */
	uint32_t build, before;		/* before: of the rollout; CROWD_NONE: there is none */
	uint64_t due_ns[FLEET_PAGES];	/* when their figures are to be made */
	struct census census, counting;	/* counting: of the nodes before count_next */
	size_t count_next;
	uint64_t count_took;
	unsigned count_renames;
	bool counts;
	struct fleet_function *functions;
	size_t function_cap;
	struct judge_compare *comparing;	/* NULL: no comparison goes on */
	uint64_t compare_took;
	struct judge_rollout rollout;
	unsigned rollout_renames;	/* of both builds, when it was made */
	int rollout_state;		/* 0, or why there is none: enum err_code */
	bool rollout_made;
	struct list functions_list, rollout_list;
};

/* fleet_rows.c */
bool fleet_rows_follow(struct ui *u);	/* new nodes have a row; false: no memory */
void fleet_rows_release(struct fleet *f);
void fleet_figures_follow(struct ui *u, uint64_t now);	/* of open nodes */
void fleet_row_follow(struct ui *u, struct fleet_row *r);	/* of one that is told of */
void fleet_row_renumber(const struct ui *u, struct fleet_row *r);	/* likewise; see there */
const char *fleet_row_title(const struct ui *u, const struct fleet_row *r, char *room, size_t size);
size_t fleet_row_node(const struct ui *u, const struct fleet_row *r);	/* CROWD_NONE: none */
uint32_t fleet_row_id(const struct ui *u, const struct fleet_row *r);
enum role fleet_row_state(const struct ui *u, const struct fleet_row *r, uint64_t now, char *dst,
			  size_t size);	/* dst NULL: the role alone */
const char *fleet_row_firmware(const struct ui *u, const struct fleet_row *r, enum role *role);
const char *fleet_row_site(const struct ui *u, const struct fleet_row *r);
/* Of FLEET_FUNCTION, FLEET_ODD and FLEET_PAST; "": none. */
const char *fleet_row_function(const struct ui *u, const struct fleet_row *r, enum fleet_cell of,
			       char *room, size_t size);
double fleet_row_rank(const struct fleet_row *r, enum fleet_cell by);	/* higher ones first */

/* fleet_order.c */
void fleet_order(struct ui *u, uint64_t now);

/* fleet_work.c: for at most until_ns; true: there is more. */
bool fleet_work(struct ui *u, uint64_t until_ns);
void fleet_work_release(struct fleet *f);

/* fleet_functions.c */
void fleet_pages_release(struct fleet *f);
void fleet_build_step(struct ui *u, int by);	/* the build that the pages are of */
void fleet_page_draw(struct ui *u, struct grid *g, uint64_t now);
bool fleet_page_work(struct ui *u, uint64_t until_ns);	/* as fleet_work */

/* Enter: the node where the selected function is largest; CROWD_NONE: none. */
size_t fleet_page_node(const struct ui *u);
struct list *fleet_list(struct fleet *f);	/* of the page that is shown */

#define FLEET_WORK 20		/* figures of all nodes take a part of so many of the time, */

/* ... so that they are made again when they are `fresh` ns old, or as much later as they took. */
static inline uint64_t fleet_due(uint64_t took, uint64_t fresh)
{
	return clock_now() + (took * FLEET_WORK > fresh ? took * FLEET_WORK : fresh);
}

#endif
