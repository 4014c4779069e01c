/*
 * timeline: the state that the files of the time line share. Private to tui/view/timeline.
 *
 *	timeline.c	the view; which time is shown, what is under the cursor
 *	rows.c		the rows of lanes, the lines of the screen
 *	move.c		keys and clicks
 *	draw.c		lanes and boxes
 *	scale.c		the lines above them: overview, axis; notes.c: console and marks
 *	tracks.c	states and values below them; power.c: the current
 *	panel.c		panels below them; why.c: where a call's time went; ran.c: what ran
 *	said.c		the lines below those: facts of the cursor's call
 *	scene.c		what of the trace the window shows; find.c: one call of it
 *	search.c	the next call of a function, in steps; look.c: keys that search
 *
 * Times are ticks of the node's clock, as the trace has them.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_TIMELINE_H
#define WSNTOP_TUI_VIEW_TIMELINE_TIMELINE_H

#include "tui/view/timeline/find.h"
#include "tui/view/timeline/ran.h"
#include "tui/view/timeline/search.h"
#include "tui/view/timeline/why.h"
#include "tui/view/view.h"

enum {
	TIMELINE_GUTTER = 9,		/* columns of the lanes' names, */
	TIMELINE_GUTTER_WIDE = 16,	/* and of their highest load */
	TIMELINE_GUTTER_MOST = 14,	/* a longer name of what is watched has more, */
	TIMELINE_GUTTER_WIDEST = 24,
	TIMELINE_WIDE = 110,		/* columns of a screen that has room for it */
	TIMELINE_ROWS = TRACE_LANES * SCENE_DEPTHS,
	TIMELINE_WAYS = 16,		/* windows that Backspace goes back to */
	TIMELINE_LEAST = 16,		/* ticks that the window has at least */
	TIMELINE_COLUMNS = 1024,	/* of the screen: those further right stay empty */
};

#define TIMELINE_LONGER 1.5		/* times its usual duration */

struct timeline_row {
	uint8_t lane, depth;
};

/* Lines of the screen; 0 height: not there. */
struct timeline_layout {
	int title, overview, axis, notes, lanes, facts, legend;	/* y; -1: not shown */
	int lane_lines, fact_lines;
	int tracks, track_lines;	/* below the lanes: states and values, */
	int curve;			/* of these a value's so many lines */
	int power, power_lines;		/* below those: the current */
	int panel, panel_lines;		/* below those */
	int loads, load_lines;		/* below the overview */
	int apart;			/* lines between lanes */
	int tall;			/* lines of a lane that is a graph */
};

enum timeline_panel {
	TIMELINE_PANEL_AUTO,		/* those that there is room for */
	TIMELINE_PANEL_RHYTHM, TIMELINE_PANEL_WHY, TIMELINE_PANEL_RAN, TIMELINE_PANEL_OFF,
	TIMELINE_PANELS,
};

enum { TIMELINE_PANEL_LINES = 9, TIMELINE_CURVE = 3 };

/* A line of the console, or a mark of the firmware. */
struct timeline_note {
	uint64_t at;
	uint64_t time_ns;		/* when it arrived; 0: a mark */
	char text[80];			/* as it begins */
};

/* A search that goes on. */
struct timeline_look {
	struct search search;
	uint8_t *ids;			/* that are wanted */
	size_t id_count;
	bool by_name;			/* else of one function: not from the other end */
	bool wrapped;
	const char *none;		/* what is said if there is none */
	int share;			/* percent, as said last */
	char text[80];
};

struct timeline {
	struct view view;
	const struct trace *trace;	/* of the node; NULL: none */
	unsigned restarts;		/* node_restarts() then */
	bool stale;			/* the scene is to be built */
	bool moved;			/* the call under the cursor is to be found */
	uint64_t first, last;		/* of the trace */
	double rate;			/* ticks per second */
	/* The window. */
	uint64_t begin, span;
	bool follow;			/* its end is the trace's */
	bool opening;			/* it grows: there are few calls, or none */
	struct {
		uint64_t begin, span;
	} ways[TIMELINE_WAYS];
	size_t way_count;
	/* The cursor. */
	uint64_t at;
	uint8_t lane;
	uint32_t depth;
	bool on_notes;			/* it was put on the console's row, at `note` */
	struct timeline_note note;
	uint64_t marks[2];		/* the first is not always the earlier one */
	unsigned mark_count;
	int pressed_x;			/* where the mouse went down, -1: not on the lanes */
	bool pressed_overview;
	/* What they show. */
	int gutter;			/* columns left of the plot */
	int named;			/* of the longest name of what is watched, so far */
	struct scene scene;
	uint32_t depths[TRACE_LANES];	/* most since the last zoom: rows do not come and go */
	struct timeline_row rows[TIMELINE_ROWS];
	size_t row_count, top;
	struct found_call call;		/* under the cursor */
	bool has_call;
	uint64_t struck, struck_ticks;	/* how often that was interrupted, how long */
	struct find_usual usual;
	struct find_window usual_of;
	unsigned longest_seen;		/* of view_shared's longest_asked, */
	unsigned moment_seen;		/* and moment_asked */
	bool usual_is_wide;		/* of more time than the window */
	enum timeline_panel panel;
	bool panel_stale;		/* what they show is to be found out */
	struct why why;
	struct ran ran;
	struct timeline_look look;
	struct timeline_layout layout;
};

/* The trace, window, scene and cursor as they are to be. False: there is no trace. */
bool timeline_ready(struct timeline *t, const struct view_shared *s);

/* The same without the call under the cursor, which is about to move. */
bool timeline_scene_ready(struct timeline *t, const struct view_shared *s);
struct timeline_layout timeline_lay_out(const struct timeline *t, const struct view_shared *s,
					int height);
void timeline_list_rows(struct timeline *t);
unsigned timeline_lane_at(unsigned i);		/* lanes in their order on the screen */
void timeline_show_cursor(struct timeline *t);	/* scroll to its row */

/* The lane line of a row, and the row on one; lanes are apart where there is room. */
int timeline_row_line(const struct timeline *t, size_t row);
int timeline_row_height(const struct timeline *t, size_t row);
/* No call of it is a box: one graph of its load instead of rows. */
bool timeline_is_graph(const struct timeline *t, unsigned lane);
size_t timeline_row_at(const struct timeline *t, int line);	/* row_count: none */
void timeline_window(struct timeline *t, uint64_t begin, uint64_t span);
void timeline_window_to_cursor(struct timeline *t);	/* it is inside */
size_t timeline_cursor_row(const struct timeline *t);
uint64_t timeline_column_middle(const struct timeline *t, int column);
/* The cursor goes to what a column of its row shows (scene_row); to the nearest call of its row. */
void timeline_cursor_to(struct timeline *t, uint32_t shown, int column);
void timeline_settle(struct timeline *t);
/* To a call, and the window to a time; {parent} brings back the window that was. */
void timeline_frame(struct timeline *t, const struct scene_call *c, uint64_t begin, uint64_t span);

/* "15.992418 s" since the trace's begin. */
const char *timeline_time(const struct timeline *t, uint64_t ticks, int decimals, char *dst,
			  size_t size);
double timeline_seconds(const struct timeline *t, double ticks);
uint64_t timeline_told(const struct trace_stats *stats);	/* calls */
/* False: what is told are samples and variables alone; a lane is not idle then. */
bool timeline_has_calls(const struct timeline *t);

/* A function's name by its id; dst of 32 bytes for those without one. */
const char *timeline_name(const struct view_shared *s, uint32_t id, char *dst, size_t size);
/* A task's is that of its function, if it is told, as in exports; dst of 32 bytes. */
const char *timeline_lane(const struct view_shared *s, unsigned lane, char *dst, size_t size);
/* The same in the columns left of the plot, where there is room with a load: 0..1; < 0: none. */
void timeline_draw_label(const struct timeline *t, const struct view_shared *s, struct grid *g,
			 int y, unsigned lane, double load, enum role role);

void timeline_draw_lanes(struct timeline *t, const struct view_shared *s, struct grid *g);
void timeline_draw_scale(struct timeline *t, const struct view_shared *s, struct grid *g);
/* The scene has a longer name than those before it: the plot has less room. */
bool timeline_names_grow(struct timeline *t, const struct view_shared *s);
/* What a mark, value or state is called; dst for those without a name. */
const char *timeline_note_name(const struct view_shared *s, enum trace_event_kind kind, uint32_t id,
			       char *dst, size_t size);
void timeline_draw_notes(const struct timeline *t, const struct view_shared *s, struct grid *g);
/* Is the cursor still on the console's row, where nothing moved it away? */
static inline bool timeline_on_notes(const struct timeline *t)
{
	return t->on_notes && t->at == t->note.at;
}

/* What the cursor stands on: a note, or the begin of its call. */
static inline uint64_t timeline_cursor_at(const struct timeline *t)
{
	return t->has_call && !timeline_on_notes(t) ? t->call.call.begin : t->at;
}

/* The cursor goes to the console's row: to its next note to one side, to the one at a column. */
struct view_reply timeline_notes_enter(struct timeline *t, struct view_shared *s);
struct view_reply timeline_note_step(struct timeline *t, struct view_shared *s, int step);
struct view_reply timeline_notes_click(struct timeline *t, struct view_shared *s, int x);
void timeline_draw_tracks(struct timeline *t, const struct view_shared *s, struct grid *g);
void timeline_tracks_text(const struct timeline *t, const struct view_shared *s, char *dst,
			  size_t size);
/* Of so many lines for lanes, panels and it. */
int timeline_power_lines(const struct view_shared *s, int lines);
void timeline_draw_power(struct timeline *t, const struct view_shared *s, struct grid *g);
/* Of so many lines for lanes and panels, of which the lanes' rows use some. */
int timeline_panel_lines(const struct timeline *t, int lines, int used);
void timeline_panel_ready(struct timeline *t);
void timeline_draw_panels(struct timeline *t, const struct view_shared *s, struct grid *g);
bool timeline_is_longer(const struct timeline *t);	/* the call, than usual by half */
void timeline_draw_facts(struct timeline *t, const struct view_shared *s, struct grid *g);

/* The time between the marks; false: there are not two. */
bool timeline_marked(const struct timeline *t, uint64_t *begin, uint64_t *end);
/* The cursor's call is selected, so that other views show its function. */
struct view_reply timeline_select(struct timeline *t, struct view_shared *s);
/* A key that searches, or ACTION_NONE: on with what is being searched. */
struct view_reply timeline_look(struct timeline *t, struct view_shared *s, enum action a);
void timeline_look_release(struct timeline *t);
struct view_reply timeline_act(struct view *v, struct view_shared *s, enum action a);
struct view_reply timeline_go_to(struct view *v, struct view_shared *s, const struct moment *m);
struct view_reply timeline_mouse(struct view *v, struct view_shared *s, int x, int y, int button);

#endif
