/*
 * scene: the part of a call trace that a window of time shows. A call at least two columns long is
 * a box; shorter ones are added up by column, and are not looked into. Private to
 * tui/view/timeline.
 */
#ifndef WSNTOP_TUI_VIEW_TIMELINE_SCENE_H
#define WSNTOP_TUI_VIEW_TIMELINE_SCENE_H

#include "core/trace/trace.h"

enum {
	SCENE_DEPTHS = 256,		/* deeper calls are not shown */
	SCENE_EVENTS = 5000,		/* of all lanes; a lane with more shows sums */
	SCENE_TRACKS = 12,
	SCENE_NOTES_OF_COLUMN = 1 << 16,	/* of a dense lane are looked at */
	SCENE_NOTES_BEFORE = 1 << 14,	/* and before the window, for what holds when it begins */
	SCENE_BOX = 2,			/* columns */
};

struct scene_call {
	uint64_t begin, end;		/* ticks */
	uint64_t count;			/* BOX, GAP: calls; LOST: frames */
	uint32_t id, depth;
	uint8_t lane;
	enum trace_event_kind kind;	/* CALL, BOX, UNKNOWN, GAP, LOST */
	enum trace_time begin_time, end_time;
	bool open;			/* not returned when the window, or the trace, ended */
};

/* Calls too short for a box, in one column of one row. */
struct scene_cell {
	uint64_t busy;			/* ticks */
	uint32_t calls;
	uint32_t kinds;			/* 1 << enum trace_event_kind */
};

/* A state or value that the window has. */
struct scene_track {
	enum trace_event_kind kind;
	uint32_t id;
	double least, most;		/* in the window */
};

/* The least and the greatest of a value in a column. */
struct scene_range {
	double least, most;
	bool known;			/* it changed there */
};

struct scene_lane {
	bool used;
	bool dense;			/* too many events: sums by column, at depth 0 */
	bool bars;			/* no call is a box, and many columns have some */
	uint32_t depths;		/* rows that show something */
	uint64_t told;			/* ticks; what it did since is not told yet */
	bool deeper;			/* calls below SCENE_DEPTHS are not shown */
};

struct scene {
	uint64_t begin, end;		/* ticks */
	int width;			/* columns */
	struct scene_lane lanes[TRACE_LANES];
	struct scene_call *calls;
	size_t count, cap;
	/*
	 * MARK, VALUE, STATE; these may be before the window. Of a dense lane the last of each in
	 * each column.
	 */
	struct trace_event *notes;
	size_t note_count, note_cap;
	struct scene_track tracks[SCENE_TRACKS];
	size_t track_count;
	struct scene_range *ranges;	/* `width` for each of these, of values alone */
	size_t range_cap, ranged_count;
	uint32_t ranged[SCENE_TRACKS];
	/* private */
	struct scene_cell *cells;
	size_t cell_count, cell_cap;
	size_t rows[TRACE_LANES][SCENE_DEPTHS];	/* 1 + the first cell's index; 0: none */
};

void scene_release(struct scene *s);

/* 0 or ERR_NOMEM: then it is empty. */
int scene_build(struct scene *s, const struct trace *t, uint64_t begin, uint64_t end, int width);

double scene_ticks_per_column(const struct scene *s);

/* The column of a time; -1 and width: before, behind the window. */
int scene_column(const struct scene *s, uint64_t ticks);

/* Of a value's track, by column; NULL: it does not change in the window. */
const struct scene_range *scene_ranges(const struct scene *s, const struct scene_track *k);

/* A row's cells, NULL: it has none. */
const struct scene_cell *scene_cells(const struct scene *s, unsigned lane, uint32_t depth);

/*
 * What a row shows in each of its `width` columns: SCENE_NOTHING, SCENE_CELL, or SCENE_BOXES + a
 * box's index in `calls`. Below a call that is no box nothing is shown: it was not looked into.
 */
enum { SCENE_NOTHING, SCENE_CELL, SCENE_BOXES };

void scene_row(const struct scene *s, unsigned lane, uint32_t depth, uint32_t *columns);

/* The box over a time, or NULL. */
const struct scene_call *scene_box(const struct scene *s, unsigned lane, uint32_t depth,
				   uint64_t ticks);

#endif
