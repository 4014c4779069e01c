/*
 * libwsntop: what wsntop measures, for programs.
 *
 * A session opens sources as `wsntop -p` does: ports, simulators, debug servers, recordings, files
 * of other profilers. Each source brings one node or several. A node has functions and edges with
 * figures, and is written in any format of `wsntop -x`.
 *
 *	struct wsntop *w = wsntop_new();
 *	if (wsntop_open(w, "/dev/ttyUSB0", "app.elf") < 0 || wsntop_run(w, 10) < 0)
 *		fprintf(stderr, "%s\n", wsntop_error(w));
 *	wsntop_export(wsntop_node(w, 0), "json", "app.json");
 *	wsntop_free(w);
 *
 * Errors: a call that fails returns a negative WSNTOP_ERROR_* (or NULL, where it returns a
 * pointer), and wsntop_error() has one line: what, why, and what to do. The library prints nothing
 * and never exits.
 *
 * Units: seconds, bytes, ampere, joule, hertz; shares are 0 to 1. A figure that is not known is
 * NaN.
 *
 * Ownership: the session owns all. Nodes hold until wsntop_free. Strings and figures of a node hold
 * until the next wsntop_compute, wsntop_poll or wsntop_run.
 *
 * Threads: a session belongs to one thread at a time; only wsntop_stop may be called by others and
 * by signal handlers. Two sessions share nothing.
 *
 * Compatibility: structs grow at their end alone; the size that the caller passes is what it was
 * compiled with, and no more is written. Enums keep their values. NULL sessions and nodes are the
 * caller's mistake.
 */
#ifndef WSNTOP_H
#define WSNTOP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define WSNTOP_API __attribute__((visibility("default")))
#else
#define WSNTOP_API
#endif

struct pollfd;			/* <poll.h> */
struct wsntop;			/* a session */
struct wsntop_node;		/* a node: of one session */

enum {
	WSNTOP_ERROR_MEMORY = -1,	/* an allocation failed */
	WSNTOP_ERROR_IO = -2,		/* the system refused */
	WSNTOP_ERROR_FORMAT = -3,	/* the input is malformed */
	WSNTOP_ERROR_USAGE = -4,	/* a wrong argument */
	WSNTOP_ERROR_ABSENT = -5,	/* nothing of that name or number */
};

WSNTOP_API const char *wsntop_version(void);		/* "1.2.3" */

/* NULL: out of memory. */
WSNTOP_API struct wsntop *wsntop_new(void);
WSNTOP_API void wsntop_free(struct wsntop *w);		/* NULL is fine */

/* One line on the newest call that failed; "": none did. Holds until the next that fails. */
WSNTOP_API const char *wsntop_error(const struct wsntop *w);

/* --- settings -----------------------------------------------------------------------------------
 *
 * The options of the command line, by their names without dashes: "format", "hz", "speed",
 * "record", and those of the export formats. Those of sources count for sources that are opened
 * later. A switch takes NULL. A wrong name or value is WSNTOP_ERROR_USAGE.
 */
WSNTOP_API int wsntop_set(struct wsntop *w, const char *name, const char *value);

/* The i-th setting and its help; NULL behind the last. */
WSNTOP_API const char *wsntop_setting_name(size_t i);
WSNTOP_API const char *wsntop_setting_help(size_t i);

/* --- sources ------------------------------------------------------------------------------------
 *
 * source: as of `wsntop -p`. elf: the firmware that it runs; NULL: none, functions are addresses.
 * Files of other profilers (gmon.out, callgrind, pprof, folded) and wsntop's own json are sources,
 * too. Blocks while the ELF's symbols are read and a host's name is looked up (5 s at most).
 */
WSNTOP_API int wsntop_open(struct wsntop *w, const char *source, const char *elf);

/* What the format "changes" and --baseline compare with: a file that wsntop_open would read. */
WSNTOP_API int wsntop_baseline(struct wsntop *w, const char *path);

/* A source of several nodes adds them while it is polled. */
WSNTOP_API size_t wsntop_node_count(const struct wsntop *w);
/* NULL and an error: past the last. */
WSNTOP_API struct wsntop_node *wsntop_node(struct wsntop *w, size_t i);

/* --- time ------------------------------------------------------------------------------------- */

enum {
	WSNTOP_CHANGED = 1,		/* counts of some node changed */
	WSNTOP_TEXT = 2,		/* a console's text came */
	WSNTOP_STATE = 4,		/* a link, an image or a warning changed */
	WSNTOP_NODES = 8,		/* new nodes came */
	WSNTOP_ENDED = 16,		/* all sources came to their ends */
};

/* Waits `ms` at most (negative: without limit) and takes what is there. WSNTOP_* or-ed. */
WSNTOP_API int wsntop_poll(struct wsntop *w, int ms);

/*
 * Until all sources have ended, or for so many seconds (0: no limit), or until wsntop_stop. 0, also
 * where a source's link failed: wsntop_node_warning.
 */
WSNTOP_API int wsntop_run(struct wsntop *w, double seconds);
WSNTOP_API void wsntop_stop(struct wsntop *w);	/* the run or poll under way, or the next */

/*
 * For a poll loop of the caller: the descriptors, at most `room`; how many there are. Then
 * wsntop_poll(w, 0) when one is ready, or so many ms have passed (-1: no limit).
 */
WSNTOP_API size_t wsntop_poll_fds(const struct wsntop *w, struct pollfd *fds, size_t room);
WSNTOP_API int wsntop_timeout(const struct wsntop *w);

/* --- a node ----------------------------------------------------------------------------------- */

WSNTOP_API const char *wsntop_node_name(const struct wsntop_node *n);	/* else its source */
WSNTOP_API const char *wsntop_node_source(const struct wsntop_node *n);
WSNTOP_API const char *wsntop_node_format(const struct wsntop_node *n);	/* of its packets: "wsn" */
/* The ELF is what it runs: "yes", "no", "unknown". */
WSNTOP_API const char *wsntop_node_match(const struct wsntop_node *n);
/* What is wrong with it, one line; NULL: nothing is known. Holds until the next call. */
WSNTOP_API const char *wsntop_node_warning(struct wsntop_node *n);

/*
 * Functions and edges from what was counted so far. Waits until the ELF's debug information is
 * read. Call it before those below; they tell of the last call of it.
 */
WSNTOP_API int wsntop_compute(struct wsntop_node *n);

struct wsntop_totals {
	uint64_t functions, edges;	/* how many there are */
	uint64_t calls, samples;
	double self_s;			/* sum over all functions */
	double run_s;			/* time that was profiled */
	double ticks_per_second;	/* of the node's clock; 0: not known */
	uint64_t bytes;			/* that came */
	uint64_t bad_bytes, lost;	/* of no packet; packets, rows, frames missing */
};

WSNTOP_API int wsntop_totals(struct wsntop_node *n, struct wsntop_totals *totals, size_t size);

struct wsntop_function {
	const char *name;
	const char *file;		/* NULL: not known */
	uint64_t address;
	uint32_t line;			/* 0: not known */
	uint32_t cycle;			/* of calls; 0: it is in none */
	uint64_t calls, samples;	/* 0: none, or not known; the column "calls" tells which */
	double self_s, total_s;		/* in itself alone; with all that it called */
	double per_call_s, min_s, max_s;	/* of a call, inclusive */
};

/* The i-th of wsntop_totals.functions, in no order. WSNTOP_ERROR_ABSENT: past the last. */
WSNTOP_API int wsntop_function(struct wsntop_node *n, size_t i, struct wsntop_function *f,
			       size_t size);

/*
 * The first `room` functions that pass the setting "filter", largest first by a column ("self").
 * Computes first. How many pass; WSNTOP_ERROR_* negative. size: of one of them.
 */
WSNTOP_API long wsntop_top(struct wsntop_node *n, const char *column, struct wsntop_function *top,
			   size_t size, size_t room);

#define WSNTOP_NONE SIZE_MAX

struct wsntop_edge {
	size_t caller, callee;		/* functions; caller WSNTOP_NONE: not known */
	uint64_t calls;
	double total_s;			/* time of these calls, or propagated from samples */
	double min_s, max_s;
	uint32_t sites;			/* call sites */
};

/* All calls from one function to another: the i-th of wsntop_totals.edges. */
WSNTOP_API int wsntop_edge(struct wsntop_node *n, size_t i, struct wsntop_edge *e, size_t size);

/* --- columns ------------------------------------------------------------------------------------
 *
 * Every figure that the table of functions has, by the name of --sort and its headers. Numbers of
 * columns differ between versions: look them up.
 */
WSNTOP_API size_t wsntop_column_count(void);
WSNTOP_API int wsntop_column(const char *name);			/* "per-call"; negative: none */
WSNTOP_API const char *wsntop_column_name(size_t column);	/* NULL: past the last */
WSNTOP_API const char *wsntop_column_help(size_t column);
/* "s", "A", "J", "bytes", "1/s", "1" (counts and shares); "": it holds words. */
WSNTOP_API const char *wsntop_column_unit(size_t column);

/* NaN: not known, or a column of words. */
WSNTOP_API double wsntop_value(struct wsntop_node *n, size_t function, size_t column);
/* As the table shows it, "2.72 us", cut to `size`; "": not known. Returns dst. */
WSNTOP_API const char *wsntop_cell(struct wsntop_node *n, size_t function, size_t column, char *dst,
				   size_t size);

/*
 * The functions that pass the setting "filter", sorted by a column, largest first: at most `room`
 * numbers. How many there are; WSNTOP_ERROR_* negative.
 */
WSNTOP_API long wsntop_order(struct wsntop_node *n, size_t column, size_t *functions, size_t room);

/* --- export ----------------------------------------------------------------------------------- */

WSNTOP_API const char *wsntop_format_name(size_t i);		/* NULL: past the last */
WSNTOP_API const char *wsntop_format_help(size_t i);
WSNTOP_API const char *wsntop_format_file(size_t i);		/* proposed name: "gmon.out" */

/* To a file, whole or not at all; "-": standard output. It computes first. */
WSNTOP_API int wsntop_export(struct wsntop_node *n, const char *format, const char *path);
/*
 * To memory, which wsntop_buffer_free takes back; a zero stands behind it, not counted. Formats of
 * several files (ctf) are WSNTOP_ERROR_USAGE.
 */
WSNTOP_API int wsntop_export_buffer(struct wsntop_node *n, const char *format, char **data,
				    size_t *size);
WSNTOP_API void wsntop_buffer_free(char *data);

#ifdef __cplusplus
}
#endif

#endif
