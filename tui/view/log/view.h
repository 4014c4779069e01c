/*
 * log_view: the state that the log view's files share. Private to tui/view/log.
 *
 *	log.c		the view: what it is made of, its help
 *	lines.c		which entries of the log are shown: the filter, in pieces
 *	draw.c		lines
 *	act.c		keys; the search, in pieces
 *
 * Lines are found and formatted when they are shown: a log of millions costs a frame what one of a
 * screenful does. What has to look at all of them (a filter, a search) does so a piece a frame.
 */
#ifndef WSNTOP_TUI_VIEW_LOG_VIEW_H
#define WSNTOP_TUI_VIEW_LOG_VIEW_H

#include "core/export/trace/traced.h"
#include "core/trace/log.h"
#include "tui/view/view.h"

enum {
	LOG_ENTRIES = 1 << 21,		/* of the log: older ones go */
	LOG_TAKEN = 400000,		/* events that are taken in a frame */
	LOG_MATCHED = 30000,		/* lines that are matched a frame, or a step of a search */
	LOG_AROUND = 256,		/* functions around entries that are remembered */
	LOG_LINE = 512,			/* bytes of a line as text */
};

struct log_view {
	struct view view;
	struct list list;		/* of the lines shown */
	struct trace_log *log;
	const struct trace *trace;	/* of the node; NULL: none */
	const struct node *node;
	unsigned restarts, images;	/* node_restarts(), node_images() then */
	uint32_t watched;		/* what is logged then: a sum of it */
	int longest[3];			/* columns of what was shown: names, values, within */
	int longest_lane;
	bool all_calls;			/* the user wants them */
	bool left;			/* the cursor is not at the end: it is not followed */
	bool reads, matches;		/* there is more to be taken in, to be matched */
	uint64_t first;			/* trace_log_first() at the last update */
	/*
	 * With a filter: numbers of the entries that match. The newest are looked at first: `back`
	 * has those before the place where that began, from the newest on, `fore` what came since.
	 */
	char filter[256];		/* "" none */
	struct log_found {
		uint64_t *v;
		size_t count, cap;
	} back, fore;
	uint64_t back_to, fore_to;	/* entries between these numbers were matched */
	/* A search that goes on. */
	bool backwards;
	size_t looked;			/* lines that were looked at */
	char said[80];
	/* The function around an entry, by its number. */
	struct {
		uint64_t number;	/* + 1 */
		uint32_t id;
	} around[LOG_AROUND];
};

/* What the node tells, for words. */
struct traced_source log_source(const struct log_view *v, const struct view_shared *s);

/* The log, the filter and the list as they are to be. False: there is no trace. */
bool log_catch_up(struct log_view *v, const struct view_shared *s);
/* The same where the node became another since. */
void log_refresh(struct log_view *v, const struct view_shared *s);
void log_release(struct log_view *v);

/* The entry of the list's line i; NULL: there is none. */
const struct trace_log_entry *log_line(struct log_view *v, size_t i);

/* The same as words; false: there is none. Seconds: when, and since the line before (or NaN). */
bool log_line_words(struct log_view *v, const struct view_shared *s, size_t i, struct log_words *w,
		    double *at, double *since);

/* What a filter and a search look at. */
void log_line_text(const struct log_words *w, double at, char dst[LOG_LINE]);
/* The same of an entry; false: there is none. */
bool log_entry_text(struct log_view *v, const struct view_shared *s,
		    const struct trace_log_entry *e, char text[LOG_LINE]);

/* The list's line that is first at or behind a time. */
size_t log_line_at(struct log_view *v, uint64_t ticks);

void log_draw(struct view *v, const struct view_shared *s, struct grid *g);
int log_page(const struct view *v);
struct view_reply log_act(struct view *v, struct view_shared *s, enum action a);
struct view_reply log_mouse(struct view *v, struct view_shared *s, int x, int y, int button);
struct view_reply log_go_to(struct view *v, struct view_shared *s, const struct moment *m);
bool log_copy(struct view *v, const struct view_shared *s, struct buf *out);

#endif
