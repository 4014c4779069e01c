/*
 * export: a profile in the forms that other tools read. One row of `exporters` a format.
 */
#ifndef WSNTOP_EXPORT_EXPORT_H
#define WSNTOP_EXPORT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/out.h"
#include "core/base/err.h"
#include "core/base/regex.h"
#include "core/profile/look/rows.h"
#include "core/wire/wire.h"

/* What an export says besides the profile itself. Strings borrowed; NULL where not known. */
struct export_source {
	const struct profile *profile;		/* computed */
	const struct profile *baseline;		/* to compare with; NULL: none */
	const struct image *image;		/* NULL: none */
	const char *node;			/* its name: what it calls itself, else its source */
	const char *source;			/* what -p said */
	const char *format;			/* wire_name() */
	const char *image_match;		/* "yes", "no", "unknown" */
	const char *refused;			/* path of an ELF that is not what runs; NULL: none is */
	double agreement;	/* share of addresses that make sense in the image; NaN unknown */
	struct wire_stats stream;
	const struct wire_hello *hello;		/* what the node said of itself; NULL: it does not */
	const struct wire_status *status;	/* NULL likewise */
	double hooks_share;	/* of the processor, that profiling takes; NaN unknown */
	const struct wire_stack *stacks;	/* the newest stack traces, addresses as sent */
	size_t stack_count;
	const char *window;			/* what stretch of time it is of, in words; NULL: all that was counted */
	const struct worst *worst;		/* the longest calls, latched; NULL: not of this stretch */
	bool wall_known;			/* the wall clock is that of the data and wall_ns */
	int64_t wall_ns;
	struct rows_order order;		/* tables: which functions, in which order */
	const struct export_values *values;	/* of the formats' options; NULL: all defaults */
};

/* An option of one or several formats. The command line, --help and the man page read these rows. */
enum export_kind { EXPORT_BOOL, EXPORT_NUMBER, EXPORT_TEXT };

struct export_option {
	const char *name;			/* "limit": --limit=N */
	const char *argument;			/* "N"; NULL of a bool, which is off by default */
	const char *help;			/* as of struct option_row (tui/options.h) */
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

struct exporter {
	const char *name;			/* for -x: "text", "gmon", "dot", "json", "csv" */
	const char *help;
	const char *file;			/* name that the x key proposes: "gmon.out" */
	bool binary;				/* unfit for a terminal */
	const struct export_option *options[EXPORTER_OPTIONS + 1];	/* ends with NULL */
	int (*write)(const struct export_source *s, struct out *out, struct err *err);
};

extern const struct exporter exporters[];	/* ends with a NULL name */
const struct exporter *exporter_find(const char *name);

/* The i-th option of all formats, each once; NULL behind the last. */
const struct export_option *export_option_at(size_t i);

/* To a sink that the caller opened and closes. 0 or negative; what the sink could not take is its. */
int export_write(const struct exporter *e, const struct export_source *s, struct out *out,
		 struct err *err);

/* To a file, whole or not at all ("-": standard output). */
int export_file(const struct exporter *e, const struct export_source *s, const char *path,
		struct err *err);

#endif
