/*
 * export: a profile in the formats that other tools read. One row of `exporters` per format.
 */
#ifndef WSNTOP_EXPORT_EXPORT_H
#define WSNTOP_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/base/err.h"
#include "core/base/regex.h"
#include "core/power/energy.h"
#include "core/export/watching.h"
#include "core/profile/look/compare.h"
#include "core/profile/look/rows.h"
#include "core/profile/look/watch.h"
#include "core/trace/trace.h"
#include "core/wire/wire.h"

/* The input of an export. Strings are borrowed; NULL: not known. */
/* Of a power meter, what its samples do not tell. */
struct export_meter {
	const char *source, *model;		/* "": not known yet */
	bool calibrated;			/* false: by typical figures */
	uint64_t replaced;			/* spikes */
	uint64_t bad;				/* bytes that were no samples */
};

struct export_source {
	const struct profile *profile;		/* computed */
	const struct profile *baseline;		/* to compare with; NULL: none */
	const struct compare_least *least;	/* for that; NULL: the defaults */
	const struct image *image;		/* NULL: none */
	const char *node;			/* its name: as it sent it, else its source */
	const char *source;			/* of -p */
	const char *format;			/* wire_name() */
	const char *image_match;		/* "yes", "no", "unknown" */
	const uint8_t *build_id;		/* the image's; build_id_size 0: it has none */
	size_t build_id_size;
	const char *refused;			/* path of an ELF that does not match; NULL: none */
	double agreement;	/* share of addresses that fit the image; NaN: not known */
	struct wire_stats stream;
	const struct wire_probe *probe;		/* NULL: it is not watched by one */
	const struct power *power;		/* NULL: there is no power meter */
	struct export_meter meter;
	const struct energy_report *energy;	/* NULL: neither a power meter nor a model */
	const struct wire_hello *hello;		/* NULL: the node sends none */
	const struct wire_status *status;	/* NULL: the node sends none */
	char handlers[160];	/* without hooks, whose time is in max and average: "a, b" */
	double hooks_share;	/* of the time awake, taken by profiling; NaN: not known */
	const struct wire_stack *stacks;	/* the newest stack traces, addresses as sent */
	size_t stack_count;
	const struct wire_watermark *marks;	/* the deepest points of stacks, measured */
	size_t mark_count;
	const struct trace *trace;		/* every call; NULL: the node tells none */
	/* of the functions whose calls the user wants logged; NULL: of none */
	bool (*logs_call)(const void *ctx, uint32_t id);
	/* the vector table's number of an interrupt handler; below 0: not known. NULL: none is */
	int (*handler_number)(const void *ctx, uint32_t id);
	const void *logs_ctx;
	const char *window;			/* part of the time; NULL: all of it */
	const struct worst *worst;		/* the longest calls; NULL: not of this window */
	bool wall_known;			/* a time of the data + wall_ns: Unix time */
	int64_t wall_ns;
	const struct watch_state *watches;	/* bounds on figures */
	size_t watch_count;
	struct watching_item logged[WIRE_WATCHES];	/* variables, calls, interrupts, marks */
	size_t logged_count;
	const struct wire_watching *watching;	/* how that goes; NULL: not told */
	struct rows_order order;		/* tables: which functions, in which order */
	const struct export_values *values;	/* of the formats' options; NULL: all defaults */
};

/* An option of one or several formats. The command line, --help and the manual read these rows. */
enum export_kind { EXPORT_BOOL, EXPORT_NUMBER, EXPORT_TEXT };

struct export_option {
	const char *name;			/* "limit": --limit=N */
	const char *argument;			/* "N"; NULL of a bool, which is off by default */
	const char *help;			/* as of struct option_row (tui/config/options.h) */
	enum export_kind kind;
	uint64_t number;			/* default of a number */
	const char *text;			/* default of a text; may be NULL */
};

/* What was chosen; zeroed: nothing. Strings borrowed. */
#define EXPORT_VALUES 32

struct export_value {
	const struct export_option *option;
	uint64_t number;			/* of a bool 0 or 1 */
	const char *text;
};

struct export_values {
	struct export_value items[EXPORT_VALUES];
	size_t count;
};

/* To be changed: the option's value, its default at first. */
struct export_value *export_value(struct export_values *v, const struct export_option *o);

/* For exporters: what was chosen, or the default. */
bool export_is_on(const struct export_source *s, const struct export_option *o);
uint64_t export_number(const struct export_source *s, const struct export_option *o);
const char *export_text_of(const struct export_source *s, const struct export_option *o);

#define EXPORTER_OPTIONS 8

typedef int export_writer(const struct export_source *s, struct out *out, struct err *err);

/* A file of a format that is a directory; at most EXPORT_PARTS. */
enum { EXPORT_PARTS = 2 };

struct export_part {
	const char *name;
	export_writer *write;
};

struct exporter {
	const char *name;			/* "text", "gmon", "dot", "json", "csv" */
	const char *help;
	const char *file;			/* proposed name: "gmon.out" */
	bool binary;				/* not for a terminal */
	/* For docs/EXPORTS.md and the manual: sentences without their full stop. */
	const char *opened;			/* how: "kcachegrind FILE" */
	const char *kept, *lost;		/* of what wsntop knows */
	const struct export_option *options[EXPORTER_OPTIONS + 1];	/* ends with NULL */
	export_writer *write;			/* NULL: `parts` are */
	const struct export_part *parts;	/* end with a NULL name */
};

extern const struct exporter exporters[];	/* ends with a NULL name */
const struct exporter *exporter_find(const char *name);

/* The i-th option of all formats, each once; NULL behind the last. */
const struct export_option *export_option_at(size_t i);

/*
 * To a sink that the caller opened and closes; out_close reports what could not be written. Parts
 * come one behind the other.
 */
int export_write(const struct exporter *e, const struct export_source *s, struct out *out,
		 struct err *err);

/*
 * To a file, whole or not at all ("-": standard output). Parts are files in the directory `path`,
 * which is made.
 */
int export_file(const struct exporter *e, const struct export_source *s, const char *path,
		struct err *err);

#endif
