/*
 * watching: the bounds that the user set (settings' watches), which the node holds against its live
 * profile: which of them were passed, when first, and by how much. It goes on while another time is
 * shown.
 */
#ifndef WSNTOP_TUI_APP_PANE_WATCHING_H
#define WSNTOP_TUI_APP_PANE_WATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/node/node.h"
#include "tui/config/settings.h"

struct watching {
	/* In the order of the settings'; those of other images have passed none. */
	struct watch_state states[SETTINGS_WATCHES];
	size_t count, passed;		/* of this image's */
	uint64_t look_ns;		/* the next look is due */
};

/*
 * Once a second at most: give the node its bounds and compute the live profile (then *computed) for
 * them. True: others are passed than before.
 */
bool watching_look(struct watching *w, struct node *n, const struct settings *s,
		   uint64_t now, bool *computed);

/* "passed at 12:03:41: 312 us", "not passed: 120 us", "not passed: not known" */
const char *watching_describe(const struct watching *w, size_t i, const struct node *n, char *dst,
			      size_t size);

#endif
