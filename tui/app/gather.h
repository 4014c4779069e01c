/*
 * gather: the screen's nodes as a crowd (core/fleet/crowd.h), for what is told of all of them. A
 * node's counts are taken each GATHER_NS, in turn, a few in a pass of the loop; also while no table
 * of nodes is open, so that the last counts of a firmware are there when a node gets another one.
 *
 * Nodes over a broker are taken by their keyframes (core/link/carrier.h), whether they are opened
 * or not; those that are opened by their counts, which are newer. Where a broker has more than
 * GATHER_WHOLE nodes only those are opened that somebody looks at (whole.h).
 *
 * The ELFs are opened once more, by build: a node lets go of the one that it no longer runs.
 */
#ifndef WSNTOP_TUI_APP_GATHER_H
#define WSNTOP_TUI_APP_GATHER_H

#include "core/base/clock.h"
#include "core/fleet/crowd.h"
#include "core/node/health.h"

#define GATHER_NS (10 * CLOCK_SECOND)

enum {
	GATHER_WHOLE = 64,		/* nodes of a broker that are all opened */
	GATHER_TRAIL = 12,		/* keyframes whose load is kept */
	GATHER_PERIODS = 4,		/* times between two that a period is told by */
	GATHER_NO_LOAD = 255,
};

/* Of a node of the crowd that a broker tells of. */
struct gather_told {
	uint64_t since_ns;		/* when its last keyframe was made, about; 0: not told */
	uint64_t between_ns[GATHER_PERIODS];	/* two of an epoch, the newest last; 0: not known */
	uint64_t pane_ns;		/* its counts were taken from a node that is open */
	bool away;
	uint8_t trail[GATHER_TRAIL];	/* %, the newest last */
};

struct gather;
struct node;
struct pane;
struct ui;

void gather_begin(struct ui *u);	/* before nodes are opened */
void gather_nodes(struct ui *u, uint64_t now);
void gather_free(struct ui *u);

/* Most nodes are told of, and not open. */
bool gather_is_many(const struct ui *u);

/* NULL: nothing was taken yet. */
struct crowd *gather_crowd(const struct ui *u);
const char *gather_elf(const struct ui *u, uint32_t build);	/* its file's name; "no ELF" */
const struct gather_told *gather_told(const struct ui *u, size_t node);	/* NULL: no broker's */
unsigned gather_changes(const struct ui *u);	/* grows with what is told and taken */

/* How an open node spent its last 10 s (core/node/health.h). */
void gather_duty(const struct node *n, double duty[DUTIES]);

/* The pane of a node of the crowd, and the other way; SIZE_MAX, CROWD_NONE: there is none. */
size_t gather_pane(const struct ui *u, size_t node);
size_t gather_node(const struct ui *u, const struct pane *p);
bool gather_is_told(const struct node *n);	/* it is of a broker */

/* What it calls itself, else its id; and its name as a source, for whole_open. */
const char *gather_title(const struct ui *u, size_t node, char *room, size_t size);
void gather_name(const struct ui *u, size_t node, char *dst, size_t size);
const char *gather_site(const struct ui *u, size_t node);	/* "" it is of none */

#endif
