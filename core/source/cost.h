/*
 * cost: samples and calls of each line and each instruction of a function.
 *
 * PC samples fall on instructions; DWARF's rows map instructions to lines. Calls belong to their
 * call instruction, with the node's measured time if any. All costs are assigned to the lines of
 * one file, the function's own: an instruction whose line is in another file (an inlined body from
 * a header) counts for the line of the function's file that it was inlined at, and is listed there
 * separately.
 */
#ifndef WSNTOP_SOURCE_COST_H
#define WSNTOP_SOURCE_COST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/image/image.h"
#include "core/profile/profile.h"

/* A line of the file that this function has code at, or a call or samples. */
struct cost_line {
	uint32_t line;
	/* Of the function itself; else of something inlined into it. */
	bool own;
	uint64_t samples;		/* at this very line */
	uint64_t elsewhere;		/* inlined here from other files */
	uint64_t calls;			/* made from here */
	/*
	 * The part of the function's time that they took; NaN: not known. Never more than the
	 * function's total. At least so much if calls from here are recursive (`inner`).
	 */
	double call_s;
	double each_s;			/* sum of their durations, inner calls' too; NaN */
	uint32_t sites;
	bool inner;
};

/* A call site. */
struct cost_call {
	uint32_t line;			/* 0: no line of the file */
	uint64_t at;			/* an address inside the call instruction */
	uint32_t site, callee, edge;	/* of the profile; no site: of a picture's place */
	uint64_t calls;
	/* The inlined function that makes the call; NULL: the function itself. */
	const char *inlined;
	/*
	 * The part of the function's time; NaN: not known. Not known of a recursive call (`inner`,
	 * profile_call_inner): its time is part of an outer call's, counted already.
	 */
	double total_s;
	double each_s;			/* sum of the calls' durations; NaN: not known */
	bool inner;
};

/* A body inlined from another file, with its samples. */
struct cost_inline {
	uint32_t line;			/* where in the file it was inlined */
	const char *function;
	struct image_line from;		/* the inner line */
	uint64_t samples;
};

struct cost_pc {
	uint64_t pc;
	uint64_t samples;
};

struct cost {
	struct cost_line *lines;	/* by line */
	size_t line_count, line_cap;
	struct cost_call *calls;	/* by line, then address */
	size_t call_count, call_cap;
	struct cost_inline *inlines;	/* by line, then samples, most first */
	size_t inline_count, inline_cap;
	struct cost_pc *pcs;		/* by address */
	size_t pc_count, pc_cap;
	uint64_t samples;		/* of the function */
	uint32_t first, last;		/* lines of the function's own code; 0: none known */
	bool timed;			/* some call's time is known */
	bool by_ticks;			/* a picture's: samples here are parts of a time */
};

void cost_release(struct cost *c);	/* one that is all zero holds nothing */

/*
 * Of one function of a computed profile. `id`: the function in the image; `path`: the file, as
 * DWARF has it; NULL: no lines. 0 or ERR_NOMEM (then it is empty). Linear in the profile's PCs,
 * the function's call sites and its rows.
 */
int cost_find(struct cost *c, const struct profile *p, uint32_t function, const struct image *im,
	      uint32_t id, const char *path);

const struct cost_line *cost_line(const struct cost *c, uint32_t line);	/* NULL: nothing there */

/* Samples in [low, high). */
uint64_t cost_samples(const struct cost *c, uint64_t low, uint64_t high);

/* The call in [low, high), its index; SIZE_MAX: none. Linear in the function's call sites. */
size_t cost_call_at(const struct cost *c, uint64_t low, uint64_t high);

/*
 * The line of the file that an address counts for; 0: none. *frame (may be NULL): the innermost
 * frame, *depth: how many there are (1: nothing is inlined there).
 */
uint32_t cost_place(const struct image *im, uint64_t address, const char *path,
		    struct image_frame *frame, size_t *depth);

/*
 * The path of the file that a function's code is in: where it is declared, else where its first
 * instruction's line is. NULL: not known.
 */
const char *cost_path(const struct image *im, uint32_t id);

#endif
