/*
 * latched: the longest call so far in words: when it was seen, which way it came. Private to
 * tui/view.
 */
#ifndef WSNTOP_TUI_VIEW_HISTOGRAM_LATCHED_H
#define WSNTOP_TUI_VIEW_HISTOGRAM_LATCHED_H

#include <stddef.h>

#include "core/profile/look/worst.h"
#include "tui/view/view.h"

/* Of the profile shown; NULL: none. An edge's, or a function's where edge is PROFILE_NONE. */
const struct worst_call *latched_of(const struct view_shared *s, uint32_t function, uint32_t edge);

/*
 * "seen 12:03:41, 2:10 ago", "seen between 12:03:31 and 12:03:41", "seen 12:03:41 or before";
 * "at 1:02 of the recording". "" where nothing is known of that. dst of 80 bytes is enough.
 */
const char *latched_when(const struct view_shared *s, const struct worst_call *c, char *dst,
			 size_t size);

/* "2:10", for a column; "" not known. */
const char *latched_age(const struct view_shared *s, const struct worst_call *c, char *dst,
			size_t size);

/* "sample > adc_read, probably from main > loop", and where the call stands: "at app.c:42". */
const char *latched_way(const struct view_shared *s, const struct worst_call *c, const char *callee,
			char *dst, size_t size);

#endif
