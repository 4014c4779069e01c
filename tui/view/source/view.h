/*
 * source_view: what the parts of the source view share. Private to tui/view.
 *
 *	source.c	keys, clicks
 *	source_model.c	which function, which file, what it costs
 *	source_rows.c	which rows that makes
 *	source_text.c	what stands in a row
 *	source_draw.c	pictures
 *	annotation.c	rows: lines of the file and notes between them
 */
#ifndef WSNTOP_TUI_VIEW_SOURCE_VIEW_H
#define WSNTOP_TUI_VIEW_SOURCE_VIEW_H

#include "core/source/cost.h"
#include "core/source/objdump.h"
#include "core/source/source.h"
#include "tui/view/source/annotation.h"
#include "tui/view/view.h"

#define SOURCE_BACK 64

enum source_mode { SOURCE_TEXT, SOURCE_BOTH, SOURCE_CODE, SOURCE_MODES };

/* Why there are no lines to show. */
enum source_lack {
	LACK_NOTHING,
	LACK_FUNCTION,			/* none is selected, or it stands for many */
	LACK_IMAGE, LACK_REFUSED,	/* no ELF; one that is not what runs */
	LACK_READING,			/* its DWARF is being read */
	LACK_DWARF,			/* there is none */
	LACK_ADDRESS,			/* the image has no function there */
	LACK_LINES,			/* it has no lines */
	LACK_FILE,			/* not found: `places` */
};

/* Whose an instruction is: asked once, not with each update. */
struct source_code {
	uint32_t line;			/* of the function's file; 0: none */
	bool head;			/* the line (of any file) is another than that of the one before */
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
	unsigned images;		/* of the node then: a new one may lie where one was */
	uint32_t id;			/* in the image */
	uint32_t first, last;		/* its lines; 0: not known */
	uint32_t entry;			/* the line that its own calls stand under */
	double whole_s;			/* its own time and that of its calls: what shares are of; 0: not known */
	double hottest;			/* the largest share of a line */

	/* its file */
	char *path;			/* as DWARF has it; NULL: not known */
	struct source *source;		/* NULL: not found */
	struct buf places;		/* looked at in vain, one a line */
	uint64_t looked;		/* when; ns */
	uint64_t paths;			/* settings when it was looked for: a hash */
	bool newer;			/* than the ELF */

	/* its instructions */
	struct objdump *objdump;	/* NULL: none wanted, or `no_tool` says why not */
	bool listed;			/* it is done */
	struct source_code *code;	/* of each instruction; NULL: not asked yet */
	struct err no_tool;

	struct source_place back[SOURCE_BACK];	/* where one came from, the newest last */
	size_t back_count;
	int left;			/* columns scrolled to the right */
	int text_width;			/* of the code, as drawn last */
};

/* source_model.c */
void source_model_release(struct source_view *v);
void source_model_update(struct source_view *v, const struct view_shared *s);
void source_model_list(struct source_view *v);		/* instructions, where the mode wants them */

/* source_rows.c */
void source_rows_update(struct source_view *v);		/* rows anew; the cursor stays at its place */
void source_rows_rebuild(struct source_view *v, const struct source_place *place);	/* ... goes to this */
struct source_place source_rows_place(const struct source_view *v);
void source_rows_go(struct source_view *v, const struct source_place *place);

/* source_model.c */
bool source_listed(const struct source_view *v);	/* there are instructions, and the mode shows them */
const struct listing *source_listing(const struct source_view *v);
const struct profile_function *source_function(const struct source_view *v);

/* Share of the function's time (its calls included, where they have times), 0..1; NaN: not known. */
double source_share(const struct source_view *v, uint64_t samples, double call_s);
double source_line_share(const struct source_view *v, uint32_t line);
double source_entry_share(const struct source_view *v);

/* The call that a row makes, or the dearest of its line: index in cost.calls, SIZE_MAX: none. */
size_t source_call_of(const struct source_view *v, struct note n);
/* The line of the function's file that an instruction counts for. */
uint32_t source_line_of(const struct source_view *v, size_t instruction);

/* source_draw.c */
void source_draw(struct view *v, const struct view_shared *s, struct grid *g);
int source_page(const struct view *v);		/* rows of code it shows */
int source_top(const struct view *v);		/* the first of them */

/* source_text.c */
/* A row's text without its figures, visible. */
const char *source_row_text(const struct source_view *v, struct note n, char *dst, size_t size,
			    int skip, int width);

#endif
