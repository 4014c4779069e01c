/*
 * The parts of core/import: its readers, and the picture that most of them draw. Private to it.
 *
 * A picture grows by functions (each name and file once), by what a call path took (pprof, folded),
 * or by a function's own time and its calls' (callgrind). picture_finish makes the sums.
 */
#ifndef WSNTOP_IMPORT_PARTS_H
#define WSNTOP_IMPORT_PARTS_H

#include "core/base/map.h"
#include "core/import/import.h"

int gmon_read(struct profile *p, const struct import_bytes *b, struct err *err);
int callgrind_read(struct profile *p, const struct import_bytes *b, struct err *err);
int pprof_read(struct profile *p, const struct import_bytes *b, struct err *err);
int folded_read(struct profile *p, const struct import_bytes *b, struct err *err);

enum { PICTURE_NAME = 4096, PICTURE_DEEP = 4096 };

/* What a path or a line of a file adds. */
struct picture_cost {
	uint64_t ticks, calls, samples;
	double energy_j;		/* where it is known; 0 */
};

struct picture {
	struct profile *p;
	struct map names, edges, places, paths;
	const char **path_texts;	/* of `paths`: each once */
	size_t path_count, path_cap;
	uint32_t *seen_function, *seen_edge;	/* the path that was last on them */
	size_t seen_functions, seen_edges;
	uint32_t path;
	double hz;			/* ticks a second */
	bool sampled;			/* times are counts of samples */
	bool failed;			/* out of memory */
};

/* `unit_hz`: ticks a second, or samples. */
void picture_begin(struct picture *pic, struct profile *p, double unit_hz, bool sampled);
void picture_release(struct picture *pic);

/* The function of that name (of any bytes) in that file (may be NULL). PROFILE_NONE: no memory. */
uint32_t picture_function(struct picture *pic, const char *name, size_t n, const char *file,
			  size_t file_n);
void picture_self(struct picture *pic, uint32_t function, const struct picture_cost *cost);
/* from: PROFILE_NONE, from no function. ticks: inclusive. The edge; PROFILE_NONE: no memory. */
uint32_t picture_call(struct picture *pic, uint32_t from, uint32_t to,
		      const struct picture_cost *cost);

/* A part of these at a line of a file; edge: PROFILE_NONE of picture_self. */
void picture_place(struct picture *pic, uint32_t function, uint32_t edge, const char *file,
		   size_t n, uint32_t line, const struct picture_cost *cost);

/* A path's own cost, innermost function first: for all functions and edges on it, once each. */
void picture_path(struct picture *pic, const uint32_t *functions, size_t n,
		  const struct picture_cost *cost);

/* `from_calls`: totals are self times and those of the calls made. 0 or ERR_NOMEM. */
int picture_finish(struct picture *pic, bool from_calls);

/* A function is an interrupt handler: called from no place. */
void picture_handler(struct picture *pic, uint32_t function);

/* The node's name, of any bytes. */
void picture_node(struct picture *pic, const char *name, size_t n);

#endif
