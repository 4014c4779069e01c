/*
 * prof: the console reports of INGA's profiler. Private to core/wire.
 *
 *	line.c		the grammar of one line
 *	join.c		lines that other output has torn apart, put together again
 *	fix.c		numbers that the node printed wrong: lost address bits, wraps, clock races
 *	report.c	a report's end: what is had of it is given out
 *	prof.c		the decoder: lines -> reports
 *
 * A report is a header, one line a call site (or PC, or stack frame) and, mostly, a blank line. It
 * is collected whole, because its lost bits can be told from the whole only.
 */
#ifndef WSNTOP_WIRE_PROF_PROF_H
#define WSNTOP_WIRE_PROF_PROF_H

#include "core/wire/decoder.h"

#define PROF_LINE_MAX 1024	/* longer lines are console text */
#define PROF_ROWS_MAX 65536	/* rows of one report */
#define PROF_HELD_MAX 3		/* lines kept while they may be pieces of a torn one */
#define PROF_SATURATED 65535	/* min and max are 16 bits wide on the node */
#define PROF_SHAPES 64		/* kinds of foreign lines remembered */

enum prof_table { TABLE_NONE, TABLE_PROF, TABLE_SPROF, TABLE_STACK };

/* Addresses as printf's %p of the node's C library writes them. */
enum prof_style { STYLE_ANY, STYLE_0X, STYLE_BARE };

/* One line, as it came and freed of its ending and of what loggers put around it. Borrowed. */
struct prof_line {
	const char *raw;
	size_t raw_n;
	const char *s;
	size_t n;
	unsigned returns;	/* carriage returns at its end */
	bool ended;		/* by a newline */
	bool dressed;		/* in a simulator's colours */
	bool own;		/* a report's last, blank line: no text, unless it goes on */
	size_t shown;		/* bytes of raw that were given out as text */
};

/* One row of any table. SPROF: row.from and row.calls; a frame: row.from, row.to, row.total. */
struct prof_entry {
	struct wire_row row;
	uint64_t level;		/* a frame's index */
	enum prof_style style;
	bool padded;		/* an address had leading zeros: %p prints none */
};

struct prof_header {
	enum prof_table table;	/* TABLE_STACK: num and tps only */
	size_t lead;		/* characters before it: a prompt, dots of progress */
	const char *name;	/* in the line */
	size_t name_n;
	uint64_t num, max, run, tps, samples;
	bool pretty;
};

/* A line that may be a piece of a torn one. */
struct prof_held {
	struct prof_line line;	/* raw and s point into bytes */
	char bytes[PROF_LINE_MAX + 2];
};

struct prof {
	struct wire wire;
	char line[PROF_LINE_MAX + 2];	/* a line that is not all there */
	size_t len;
	size_t shown;			/* of it, given out as text when the stream fell silent */
	bool overlong;			/* the current line is text whatever follows */

	struct prof_held held[PROF_HELD_MAX];
	unsigned held_n;

	enum prof_table table;
	struct prof_header header;	/* its name: below */
	char name[4 * PROF_LINE_MAX + 1];
	enum prof_style style;
	unsigned torn;
	bool direct;			/* nothing came since the last row */
	bool crcr;			/* the last row ended with two carriage returns: its own and
					 * another's */
	bool limbo;			/* over, unless another row follows */
	struct prof_entry last;
	struct wire_row *rows;		/* PROF and frames */
	struct wire_sampled *sampled;
	size_t count, rows_cap, sampled_cap;
	struct wire_frame *frames;
	size_t frames_cap;

	unsigned index;			/* reports so far */
	unsigned seen;			/* reports and stacks so far */
	bool booted;
	bool words;			/* SPROF addresses were odd: they are words */
	uint64_t known_max, known_tps;	/* of the last whole header */
	uint32_t known_name;		/* its hash */
	uint32_t shapes[PROF_SHAPES];
	unsigned shape_n;
};

/* --- line.c ------------------------------------------------------------------------------ */

void prof_line_init(struct prof_line *l, const char *raw, size_t n);
bool prof_parse_header(const char *s, size_t n, struct prof_header *h);
bool prof_parse_entry(enum prof_table table, const char *s, size_t n, struct prof_entry *e);
bool prof_is_corrupted_stack(const char *s, size_t n);
bool prof_is_title(const char *s, size_t n);
bool prof_is_boot(const char *s, size_t n);

/*
 * How many characters at the line's beginning could be a row's (a frame's): where it can be torn.
 */
size_t prof_row_run(enum prof_table table, const struct prof_line *l);

/* Does the line begin as a header does, by at least one letter? */
bool prof_header_begins(const struct prof_line *l);

/* Is the line, which is not all there, all a header's beginning? */
bool prof_header_prefix(const char *s, size_t n);

/*
 * What kind of line it is, whatever its numbers: "tick 5" and "tick 17" are one. 0: an empty one.
 */
uint32_t prof_shape(const char *s, size_t n);
void prof_shape_learn(struct prof *p, uint32_t shape);
bool prof_shape_known(const struct prof *p, uint32_t shape);

/* --- join.c ------------------------------------------------------------------------------ */

enum prof_joined { JOIN_NO, JOIN_ENTRY, JOIN_HEADER, JOIN_AMBIGUOUS };

/* Which bytes of the held lines from `first` on belong to the joined line; the rest is foreign. */
struct prof_joint {
	unsigned first;
	size_t cut[PROF_HELD_MAX];	/* leading characters of held[i].line.s that do */
	struct prof_entry entry;
	struct prof_header header;	/* its name lies in `text` */
	char text[2 * PROF_LINE_MAX + 4];
};

/* Put held lines and the new one together. Nothing changes in p. */
enum prof_joined prof_join(const struct prof *p, const struct prof_line *l, struct prof_joint *j);

/* Invariants of one row (calls, total, min, max); a cut or wrongly joined one rarely keeps them. */
bool prof_row_sound(const struct wire_row *r);

/* May this row follow the last one? */
bool prof_in_order(const struct prof *p, const struct wire_row *r);

/* --- fix.c ------------------------------------------------------------------------------- */

/* Saturation, negative and wrapped totals of a PROF report. `run`: ticks, 0 unknown. */
void prof_fix_numbers(struct wire_row *rows, size_t n, uint64_t run);

/*
 * Put bit 16 (and up) of AVR's addresses back. `sorted`: by (to, from), as a table is and a stack
 * is not.
 */
void prof_fix_bit16(struct wire_row *rows, size_t n, const struct codemap *code, bool sorted);

/* Words to bytes; *words remembers that an odd address was seen. */
void prof_fix_words(struct wire_sampled *s, size_t n, const struct codemap *code, bool *words);

/* Whether bit 16 of addresses of this image can have been lost; no image: it may have. */
bool prof_loses_bit16(const struct codemap *code);

/* Could the largest field be the beginning of a longer number? False: the row is surely whole. */
bool prof_max_may_be_cut(const struct wire_row *r);

/* --- report.c ---------------------------------------------------------------------------- */

/* What ended a report. */
enum prof_ending {
	ENDING_OVER,		/* its blank line, other text, the end of the stream */
	ENDING_HEADER,		/* a new report: the last row may be cut short if some miss */
	ENDING_BOOT,		/* a reset: the last row may be cut short */
};

/* Give the table's report out and have no table. Nothing is done without one. */
void prof_close(struct prof *p, enum prof_ending ending);

void prof_give_stack(struct prof *p, bool corrupted);

/*
 * A line that something else than its own newline ended may lack digits at its end. Is `last`, with
 * `before` rows before it, whole all the same?
 */
bool prof_is_whole(const struct prof *p, size_t before, const struct prof_entry *last);

/* --- prof.c ----------------------------------------------------------------------------------- */

/* How many headers and stacks a decoder of this kind has seen; for auto. */
unsigned prof_seen(const struct wire *w);

#endif
