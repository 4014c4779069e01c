/*
 * gather: the screen's nodes as a crowd (core/fleet/crowd.h), for what is told of all of them. A
 * node's counts are taken each GATHER_NS, in turn, a few in a pass of the loop; also while no table
 * of nodes is open, so that the last counts of a firmware are there when a node gets another one.
 *
 * The ELFs are opened once more, by build: a node lets go of the one that it no longer runs.
 */
#ifndef WSNTOP_TUI_APP_GATHER_H
#define WSNTOP_TUI_APP_GATHER_H

#include "core/base/clock.h"
#include "core/fleet/crowd.h"

#define GATHER_NS (10 * CLOCK_SECOND)

struct gather;
struct ui;

void gather_nodes(struct ui *u, uint64_t now);
void gather_free(struct ui *u);

/* NULL: nothing was taken yet. */
struct crowd *gather_crowd(const struct ui *u);
const char *gather_elf(const struct ui *u, uint32_t build);	/* its file's name; "no ELF" */

/* The pane of a node of the crowd, and the other way; SIZE_MAX, CROWD_NONE: there is none. */
size_t gather_pane(const struct ui *u, const char *place);
size_t gather_node(const struct ui *u, size_t pane);

#endif
