/*
 * source_view: the state that the source view's files share. Private to tui/view/source.
 *
 *	source.c	keys, clicks
 *	model.c		which function, which file, the cost of its lines
 *	rows.c		the rows of these
 *	text.c		a row's text
 *	figures.c	a row's figures
 *	jumps.c		arrows from jumps to their targets
 *	draw.c		drawing
 *	annotation.c	rows: lines of the file and notes between them
 */
#ifndef WSNTOP_TUI_VIEW_SOURCE_VIEW_H
#define WSNTOP_TUI_VIEW_SOURCE_VIEW_H

#include "core/source/cost.h"
#include "core/source/never.h"
#include "core/source/objdump.h"
#include "core/source/source.h"
#include "tui/part/table.h"
#include "tui/view/source/annotation.h"
#include "tui/view/view.h"

#define SOURCE_BACK 64

enum source_mode { SOURCE_MODE_TEXT, SOURCE_MODE_BOTH, SOURCE_MODE_CODE, SOURCE_MODES };
extern const char *const source_mode_names[SOURCE_MODES];

/* Why there are no lines to show. */
enum source_lack {
	SOURCE_LACK_NOTHING,
	SOURCE_LACK_FUNCTION,		/* none is selected, or the row stands for many */
	SOURCE_LACK_IMAGE,		/* no ELF */
	SOURCE_LACK_REFUSED,		/* the ELF is not the firmware that runs */
	SOURCE_LACK_READING,		/* its DWARF is being read */
	SOURCE_LACK_DWARF,		/* it has no DWARF */
	SOURCE_LACK_ADDRESS,		/* it has no function at this address */
	SOURCE_LACK_LINES,		/* the function has no lines */
	SOURCE_LACK_FILE,		/* not found: `places` */
};

/* An instruction's line: looked up once, not with each update. */
struct source_code {
	uint32_t line;			/* of the function's file; 0: none */
	bool head;			/* another line (of any file) than the instruction before */
	size_t row;			/* where it stands, while instructions are shown */
};

/* A cursor's row, by what survives an update: the place of a note in the code, or a line. */
struct source_place {
	uint64_t address;		/* of the function */
	uint32_t line;
	uint8_t kind;
	uint64_t at;			/* of a call, an instruction */
};

struct source_view {
	struct view view;
	struct list list;
	struct annotation rows;
	struct cost cost;
	enum source_mode mode;
	enum source_lack lack;

	/* the function */
	const struct profile *profile;	/* of the last update */
	uint32_t function;		/* in it; PROFILE_NONE: not there */
	uint64_t address;
	bool has_function, fresh;	/* fresh: the cursor is to go to its beginning */
	const struct image *image;
	enum image_state state;
	unsigned images;		/* node_images then: addresses are used again */
	uint32_t id;			/* in the image */
	uint32_t first, last;		/* its lines; 0: not known */
	uint32_t entry;			/* the line that its own calls stand under */
	double whole_s;			/* 100 % of the shares: self and calls; 0: not known */
	double hottest;			/* the largest share of a line */
	double hottest_code;		/* of an instruction */
	bool whole;			/* nothing was lost: what was not counted did not happen */
	struct never never;		/* calls that were not, where that is certain */

	/* its file */
	char *path;			/* as DWARF has it; NULL: not known */
	struct source *source;		/* NULL: not found */
	struct buf places;		/* where it was not found, one per line */
	uint64_t checked_ns;		/* when it was last looked for */
	uint64_t paths;			/* hash of the source settings used */
	bool newer;			/* than the ELF */

	/* its instructions */
	struct objdump *objdump;	/* NULL: none wanted, or `no_tool` says why not */
	bool listed;			/* it is done */
	struct source_code *code;	/* of each instruction; NULL: not asked yet */
	size_t jumps;			/* of these, within the function */
	struct err no_tool;

	struct source_place back[SOURCE_BACK];	/* places to go back to, the newest last */
	size_t back_count;
	int left;			/* columns scrolled to the right */
	int text_width;			/* of the code, as drawn last */
};

/* model.c */
void source_model_release(struct source_view *v);
void source_model_update(struct source_view *v, const struct view_shared *s);
void source_model_list(struct source_view *v);		/* start objdump, if the mode needs it */

/* rows.c: the rows are rebuilt; the cursor stays at its place, or goes to this one. */
void source_rows_update(struct source_view *v);
void source_rows_rebuild(struct source_view *v, const struct source_place *place);
struct source_place source_rows_place(const struct source_view *v);
void source_rows_go(struct source_view *v, const struct source_place *place);

/* model.c */
bool source_listed(const struct source_view *v);	/* instructions are there and shown */
const struct listing *source_listing(const struct source_view *v);
const struct profile_function *source_function(const struct source_view *v);

/* Share of the function's time (including its timed calls), 0..1; NaN: not known. */
double source_share(const struct source_view *v, uint64_t samples, double call_s);
double source_line_share(const struct source_view *v, uint32_t line);
double source_entry_share(const struct source_view *v);

/* A row's call, or the most expensive of its line: index in cost.calls, SIZE_MAX: none. */
size_t source_call_of(const struct source_view *v, struct note n);
/* The line of the function's file that an instruction counts for. */
uint32_t source_line_of(const struct source_view *v, size_t instruction);

/* figures.c */
/* A share of which no sample tells is known to be small, with 95 %, from so many samples on. */
#define SOURCE_SURE_SAMPLES 300

/* The figures of a row. NaN: empty. */
struct row_figures {
	double share, samples, calls, total_s, per_call_s, max_s;
	bool max_at_least, total_at_least;
	double below;			/* no sample fell on it: its share is below this */
	bool never;			/* calls that were never counted */
};

struct row_figures source_figures(const struct source_view *v, struct note n);

/* jumps.c: columns that arrows take beside instructions; they end before column `text`. */
int source_jumps_lanes(const struct source_view *v, int width);
void source_jumps_draw(const struct source_view *v, struct grid *g, struct table_span at, int text,
		       int top, int height);

/* draw.c */
void source_draw(struct view *v, const struct view_shared *s, struct grid *g);
int source_page(const struct view *v);		/* rows of code it shows */
int source_top(const struct view *v);		/* the first of them */

/* text.c */
/* A row's text without its figures, visible. */
const char *source_row_text(const struct source_view *v, struct note n, char *dst, size_t size,
			    int skip, int width);

#endif
