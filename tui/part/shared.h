/*
 * shared: what all views of a node share: what there is to see of it (the model), which function
 * is selected, order, filter, search, which stretch of time. So switching views keeps the place.
 */
#ifndef WSNTOP_TUI_PART_SHARED_H
#define WSNTOP_TUI_PART_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/regex.h"
#include "core/history/history.h"
#include "core/node/node.h"
#include "core/profile/look/compare.h"
#include "core/profile/look/context.h"
#include "core/profile/look/rows.h"
#include "core/profile/look/tasks.h"
#include "tui/config/action.h"
#include "tui/config/settings.h"

/* The stretch of time that is shown. */
enum view_span {
	SPAN_START,			/* since the start, or the user's reset */
	SPAN_INTERVAL,			/* the last settings->interval seconds */
	SPAN_PEAK,			/* each function at its worst moment */
	SPAN_MARK,			/* since the mark; where there is none as SPAN_START */
	SPANS,
};

/* A place in the source, for the editor. */
struct view_place {
	const char *path;		/* as DWARF has it; NULL: none */
	uint32_t line;			/* 0: none */
};

struct view_ops;

/*
 * The data of the node, in the stretch of time that is shown. NULL: not there (yet); part_lacks
 * (table.h) says why.
 */
struct view_model {
	const struct profile *profile;	/* computed */
	const struct contexts *contexts;	/* of `profile` */
	const struct tasks *tasks;		/* likewise */
	const struct history *history;	/* where moments are kept */
	const struct compare *compare;	/* with the baseline; its `now` is `profile` */
	const char *baseline;		/* its name: "12:03:41", "app-1.2.json"; "" none */
	const struct energy_report *energy;	/* in `profile` as well; NULL: not of this time */
};

/* The model that a view cannot do without. */
enum view_need {
	VIEW_NEEDS_PROFILE,
	VIEW_NEEDS_COMPARE,		/* with the profile */
};

struct view_shared {
	struct node *node;
	const struct node *tracer;	/* of all nodes the first with a call trace; or NULL */
	struct view_model model;
	/*
	 * The selected function, by what survives a recompute: its address (and name for those
	 * without an image). view_selected() finds it in the profile as it stands.
	 */
	uint64_t selected_address;
	bool has_selected;
	uint32_t selected_hint;		/* where view_select found it: looked at first */
	bool follow;			/* the cursor follows its row (F); else it keeps its line */
	struct rows_order order;	/* filter included */
	struct regex *search;		/* NULL: none */
	bool frozen;
	const struct view_ops *help_for;	/* the view that help was called from; or NULL */
	struct settings *settings;	/* never NULL; changes are written at the end */
	enum view_span span;
	/* Which time the model is of. */
	size_t window_to;		/* its moments end before this one; SIZE_MAX: live */
	uint64_t window_begin_ns;	/* their time, on the data's clock; 0: live, frozen */
	uint64_t window_end_ns;
	uint64_t held_ns;		/* frozen: the moment shown; 0: live */
	bool windowed;			/* the user chose both ends */
	bool visiting;			/* a time that a view asked for, which can be left again */
	bool peaks;			/* each function at its worst: figures are of a second */
	bool marked;			/* since the mark */
	unsigned longest_asked;		/* each time the time line is to go to the longest call */
	/* Each time the time line is to go to a moment of the trace, in ticks, and a lane. */
	unsigned moment_asked;
	uint64_t moment_ticks;
	uint8_t moment_lane;
	const char *badge;		/* what is shown, where that is not simply now; "" */
};

/* The selected function's index in s->model.profile, PROFILE_NONE if it is not there. */
uint32_t view_selected(const struct view_shared *s);
void view_select(struct view_shared *s, uint32_t function);	/* index in s->model.profile */

/* Where a function of s->model.profile is declared; false: not known. */
bool view_declared(const struct view_shared *s, uint32_t function, struct view_place *at);

#endif
