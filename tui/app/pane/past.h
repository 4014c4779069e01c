/*
 * past: which stretch of time a pane shows, and the profile of it.
 *
 *	live                     the profile as it grows; or the last interval, or the peaks
 *	held, exact              what was shown when it was frozen
 *	held, at a moment        as it was then: since the start, or the interval that ended then
 *	held, a window           from one moment to another
 *
 * A recording has a player (core/node/node.h) that moves the node itself: there only windows are
 * held. Their later end is where the node stands.
 *
 * Moments are remembered by their time: the history joins them as they get old. A profile is made
 * only when the stretch becomes another one.
 */
#ifndef WSNTOP_TUI_APP_PANE_PAST_H
#define WSNTOP_TUI_APP_PANE_PAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "core/node/node.h"
#include "tui/view/view.h"

enum past_window { PAST_WINDOW_NONE, PAST_WINDOW_OPEN, PAST_WINDOW_KEPT };

struct past {
	bool held;			/* not live */
	bool exact;			/* what is shown is a copy of what was */
	uint64_t at_ns;			/* held: the moment it lies in is the last shown */
	enum past_window window;	/* steps move its end; steps move it as a whole */
	uint64_t from_ns;		/* the moment it lies in is the window's other end */
	size_t which;			/* held: profile of the node */
	struct profile *own;		/* shown instead of the live one; NULL: that is */
	/* private: what `own` is of */
	const struct history *of;
	uint64_t begin_ns, end_ns;
	uint64_t serial;
	bool peaks;
	unsigned images;
};

/* A time that is shown for a while, and what was shown before it. */
struct past_visit {
	bool on;
	uint64_t at_ns;
	bool held;			/* before: not live, at this time, or this window */
	enum past_window window;
	uint64_t before_ns, from_ns;
	bool playing;			/* a recording that was not paused */
};

/* What a stretch is, in moments and in time. */
struct past_stretch {
	const struct history *history;	/* NULL: no moments */
	size_t from, to;
	uint64_t begin_ns, end_ns;	/* on the data's clock */
	bool peaks;			/* each at its peak, over all of the time */
	bool marked;			/* since the mark */
};

void past_release(struct past *p);

/* The stretch to show. `flat`: the view has functions alone, which peaks are of. */
struct past_stretch past_stretch(const struct past *p, const struct node *n, enum view_span span,
				 double interval, bool flat);

/* The part of the stretch that is after this time, if there is one. */
void past_since(struct past_stretch *s, uint64_t mark_ns);

/*
 * The profile of the stretch: the live one is computed only if `behind`. *changed: it is another
 * one or says something else. NULL: out of memory.
 */
const struct profile *past_profile(struct past *p, const struct node *n,
				   const struct past_stretch *s, enum view_span span, bool behind,
				   bool *changed);

/* The node's image may be another: nothing here may point into the old one. */
void past_image(struct past *p, const struct node *n);

/* Hold what is shown; go to a moment; go live. */
int past_freeze(struct past *p, const struct node *n, struct err *err);
void past_hold(struct past *p, const struct node *n, uint64_t at_ns);
void past_live(struct past *p);

const struct history *past_history(const struct past *p, const struct node *n);
/*
 * All that there is to go to: of a recording also what was not played yet, for the time bar and for
 * steps. Its moments only: windows are of past_history. NULL: no moments.
 */
const struct history *past_whole(const struct past *p, const struct node *n);

/* The moment shown: the one held, or where a recording stands. False: the newest. */
bool past_shown(const struct past *p, const struct node *n, uint64_t *at_ns);

/* Nothing here may be of the node as it was: it reads from the beginning again. */
void past_again(struct past *p);

/*
 * What is shown, in words of at most so many columns (20 at least): "live", "12:03:41, 2:10 ago",
 * "window 12:03:41-12:04:11 (30 s)", "last 1 s", "peak of each", "since 12:03:41"; of a
 * recording "> 4x 12:03:41  38 %", "|| paused 12:03:41  38 %", "> following 12:03:41" (it is still
 * written), "end of recording".
 */
const char *past_words(const struct past *p, const struct node *n, const struct past_stretch *s,
		       enum view_span span, int width, char *dst, size_t size);

/* The same as a name for what was shown then: without what time changes ("2:10 ago"). */
const char *past_name(const struct past *p, const struct node *n, const struct past_stretch *s,
		      enum view_span span, int width, char *dst, size_t size);

/* A time of the data's clock as people say it: the wall clock's, else since the first moment. */
const char *past_clock(const struct node *n, const struct history *h, uint64_t time_ns, char *dst,
		       size_t size);

/* "1/4x", "8x", "max" */
const char *past_speed(double speed, char *dst, size_t size);
/* "2:10", "1:02:10", "3 d 4 h"; "30 s", "1.5 s" */
const char *past_length(uint64_t ns, char *dst, size_t size);

#endif
