/*
 * pane: one node with what the user has set up over it: its views, selection, order, patterns.
 *
 * Views keep lists of function and edge numbers, which hold only until the profile is computed
 * again. pane_sync updates both; nothing may draw or act on a view before it.
 */
#ifndef WSNTOP_TUI_APP_PANE_PANE_H
#define WSNTOP_TUI_APP_PANE_PANE_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"
#include "core/profile/look/names.h"
#include "tui/config/options.h"
#include "tui/app/pane/past.h"
#include "tui/app/pane/timebar.h"
#include "tui/app/pane/watching.h"
#include "tui/view/detail/detail.h"
#include "tui/view/view.h"

#define PANE_VIEWS 12

enum pattern { PATTERN_SEARCH, PATTERN_FILTER, PATTERNS };

struct pane {
	struct node *node;			/* borrowed */
	size_t number;				/* no other one's, also of before */
	uint64_t shown_ns;			/* last; 0: never (whole.h) */
	uint64_t gathered_ns;			/* its counts were taken (gather.h); 0: never, */
	bool gathered_end;			/* ... when its stream had ended */
	struct view_shared shared;
	struct view *views[PANE_VIEWS];
	bool stale[PANE_VIEWS];			/* to be updated before it draws or acts */
	bool behind;				/* the node's data changed since pane_sync */
	struct pane_figures {			/* of the live profile, as of pane_sync */
		bool due;			/* newer ones are to be shown */
		uint64_t cost_ns;		/* to compute them, and update the view */
		size_t functions, edges;
		unsigned renames, resets;
	} figures;
	unsigned restarts;			/* node_restarts then */
	unsigned images;			/* node_images then: views borrow from the image */
	struct regex *kept[PATTERNS];
	struct regex *trial[PATTERNS];		/* while it is being typed */
	bool trying[PATTERNS];
	struct past past;			/* which time is shown */
	struct past_stretch stretch;		/* likewise, as of pane_sync */
	uint64_t mark_ns;			/* SPAN_MARK is since then; 0: there is no mark */
	char window_said[128];			/* to exports */
	struct energy_report energy;		/* of the time that is shown, if */
	bool energy_known;
	struct past_visit visit;
	struct timebar timebar;
	struct detail detail;
	struct marks marks;			/* as of pane_marks */
	struct beside beside;			/* bookmarks */
	struct watching watching;
	struct compare compare;			/* of what is shown with the baseline */
	bool uncompared;			/* ... to be built again */
	struct compare_least least;		/* ... what is relevant, as given or set */
	const struct options *options;
	struct profile *baseline;		/* owned; NULL: none */
	char baseline_name[128];
	struct contexts contexts;		/* of what is shown: */
	const struct profile *contexts_of;
	size_t contexts_edges;			/* when they were built */
	unsigned contexts_renames;
	struct tasks tasks;			/* of what is shown */
	char scope[NAMES_SCOPE];		/* the namespace that most names have; "" none */
};

int pane_init(struct pane *p, struct node *node, const struct options *o,
	      struct settings *settings, struct err *err);
void pane_release(struct pane *p);

/* What changed at the node (NODE_*); true if there is something to draw. */
bool pane_change(struct pane *p, unsigned changes, size_t view);

/* Work of its views beside (view_ops.fd): at most PANE_VIEWS entries to poll; true: draw. */
size_t pane_poll_fds(const struct pane *p, struct pollfd *fds);
bool pane_service(struct pane *p, uint64_t now, size_t view);

/*
 * Compute, update view number `view`. Where that takes long a key's answer does not wait for it:
 * the live figures stay those of before, unless pane_refresh asked for newer ones.
 */
void pane_sync(struct pane *p, size_t view);
void pane_refresh(struct pane *p);
void pane_stale(struct pane *p);		/* order or patterns changed: update all views */

/* Set the baseline, which the pane owns from here on (profile_copy); NULL: none. */
void pane_set_baseline(struct pane *p, struct profile *baseline, const char *name);

/* Hold what is shown, exactly; a moment of the past (with past.window a window of it); go live. */
int pane_freeze(struct pane *p, struct err *err);
void pane_hold(struct pane *p, uint64_t at_ns);
void pane_thaw(struct pane *p);

/* The marks and bookmarks of the past that is shown, up to date. */
const struct marks *pane_marks(struct pane *p);

/*
 * A pattern as it is typed: takes effect at once ("" is none); on a bad one the last good one stays
 * and err says why. Then kept, or dropped for what was there before.
 */
int pane_try(struct pane *p, enum pattern which, const char *text, struct err *err);
void pane_keep(struct pane *p, enum pattern which);
void pane_drop(struct pane *p, enum pattern which);
bool pane_clear(struct pane *p, enum pattern which);	/* false: there was none */
const char *pane_pattern(const struct pane *p, enum pattern which);	/* "" none */

/* What an export of what is shown says (of the past, where that is shown). */
void pane_export_source(struct pane *p, const struct options *o, struct export_source *s);

#endif
