/*
 * whole: of many nodes on a broker those that somebody looks at. Each is opened when it is asked
 * for, a node with all views, which gets what comes for as long as it is there. When it was left
 * for a while it is let go; its row among all nodes stays, by its keyframes (gather.h).
 *
 * A node stays while it is shown or recorded, while it is held at a time of the past or compared
 * with a baseline; beyond WHOLE_MOST the one that was left first goes all the same, unless it is
 * recorded.
 */
#ifndef WSNTOP_TUI_APP_WHOLE_H
#define WSNTOP_TUI_APP_WHOLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/clock.h"

#define WHOLE_LEFT_NS (300 * CLOCK_SECOND)
enum { WHOLE_MOST = 64 };

struct ui;

/* The pane of a node of the crowd, opened if need be. SIZE_MAX: that failed, and it was said. */
size_t whole_open(struct ui *u, size_t node);
void whole_service(struct ui *u, uint64_t now);

#endif
