/*
 * watching: the bounds that the user set (settings' watches), held against a node's live profile:
 * which of them were passed, when first, and by how much. It goes on while another time is shown.
 */
#ifndef WSNTOP_TUI_APP_PANE_WATCHING_H
#define WSNTOP_TUI_APP_PANE_WATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/node/node.h"
#include "tui/config/settings.h"

struct watching_state {
	struct settings_watch of;	/* begins again when the settings have another one here */
	bool passed;
	uint64_t at_ns;			/* of the moment in which it was first seen to be passed */
	double value;			/* of the figure at the last look; NaN not known */
};

struct watching {
	struct watching_state states[SETTINGS_WATCHES];	/* in the order of the settings' */
	size_t passed;
	uint64_t look_ns;		/* the next look is due */
};

/*
 * Once a second at most: compute the live profile (then *computed) and hold the bounds against it.
 * True: others are passed than before.
 */
bool watching_look(struct watching *w, const struct node *n, const struct settings *s,
		   uint64_t now, bool *computed);

/* "passed at 12:03:41: 312 us", "not passed: 120 us", "not passed: not known" */
const char *watching_describe(const struct watching *w, size_t i, const struct node *n, char *dst,
			      size_t size);

#endif
