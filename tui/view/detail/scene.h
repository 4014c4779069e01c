/*
 * scene: what a frame of the detail is drawn from, and its parts. Private to this folder.
 *
 * A part tells how many lines it would like (0: it has nothing to show) and draws into what it got.
 */
#ifndef WSNTOP_TUI_VIEW_DETAIL_SCENE_H
#define WSNTOP_TUI_VIEW_DETAIL_SCENE_H

#include "core/profile/look/worst.h"
#include "tui/part/table.h"
#include "tui/view/detail/detail.h"

enum { SCENE_HOT_LINES = 8 };

struct scene {
	struct detail *d;
	const struct view_shared *s;
	const struct profile *p;
	const struct profile_function *f;
	const struct worst_call *worst;
	struct trace_edge longest;	/* its longest call, where the calls are traced: */
	bool traced;
	const struct cost_line *hot[SCENE_HOT_LINES];	/* hottest first */
	size_t hot_count;
	bool focus;
	int y;				/* of the whole, on the screen */
};

/* The columns of callers, callees and lines. */
enum { SCENE_NAME, SCENE_SHARE, SCENE_CALLS, SCENE_TIME, SCENE_CELLS };

void scene_spans(const struct scene *c, int width, struct table_span *at);
void scene_heading(struct grid *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* edges.c */
int scene_caller_lines(const struct scene *c, int width);
void scene_callers(const struct scene *c, struct grid *g);
int scene_callee_lines(const struct scene *c, int width);
void scene_callees(const struct scene *c, struct grid *g);

/* estimates.c: calls from PC samples, with their interval */
int scene_estimate_lines(const struct scene *c, int width);
void scene_estimates(const struct scene *c, struct grid *g);

/* times.c: how long calls took, the longest, the hottest lines */
int scene_duration_lines(const struct scene *c, int width);
void scene_durations(const struct scene *c, struct grid *g);
int scene_worst_lines(const struct scene *c, int width);
void scene_worst(const struct scene *c, struct grid *g);
void scene_hot_find(struct scene *c);
int scene_hot_lines(const struct scene *c, int width);
void scene_hot(const struct scene *c, struct grid *g);

#endif
