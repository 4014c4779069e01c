/*
 * baseline: what the profile is compared with. A recording is decoded in pieces, so that keys and
 * nodes are served between two of them.
 */
#ifndef WSNTOP_TUI_APP_DIALOG_BASELINE_H
#define WSNTOP_TUI_APP_DIALOG_BASELINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/run/baseline.h"
#include "core/node/node.h"
#include "core/find/finds.h"

#define BASELINE_OWN 7			/* offers that are no files */

enum baseline_kind {
	BASELINE_MARK,
	BASELINE_NOW,
	BASELINE_BEFORE,
	BASELINE_RESTART,
	BASELINE_FOUND,
	BASELINE_FILE,
	BASELINE_NONE,
};

struct baselines {
	struct finds finds;
	struct { enum baseline_kind kind; size_t find; } offers[FINDS_MOST + BASELINE_OWN];
	size_t count;
	/* a recording being decoded; NULL: none */
	struct node *loading;
	char name[128];
	size_t pane;			/* that it is for */
	uint64_t said_ns;
};

struct ui;

/* A snapshot or a recording; errors are said on the screen. */
void ui_baseline_file(struct ui *u, const char *path);

void ui_baseline_service(struct ui *u, uint64_t now);
bool ui_baseline_stop(struct ui *u);		/* false: nothing was being decoded */

#endif
