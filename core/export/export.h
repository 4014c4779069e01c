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
	/* options of the formats */
	bool cluster;				/* dot: group functions by file */
	bool per_site;				/* dot: an edge a call site */
	struct rows_order order;		/* text, csv: which functions, in what order */
	size_t limit;				/* text, csv: rows at most; 0: all */
};

struct exporter {
	const char *name;			/* for -x: "text", "gmon", "dot", "json", "csv" */
	const char *help;
	const char *file;			/* name that the x key proposes: "gmon.out" */
	bool binary;				/* unfit for a terminal */
	int (*write)(const struct export_source *s, struct out *out, struct err *err);
};

extern const struct exporter exporters[];	/* ends with a NULL name */
const struct exporter *exporter_find(const char *name);

/* To a sink that the caller opened and closes. 0 or negative; what the sink could not take is its. */
int export_write(const struct exporter *e, const struct export_source *s, struct out *out,
		 struct err *err);

/* To a file, whole or not at all ("-": standard output). */
int export_file(const struct exporter *e, const struct export_source *s, const char *path,
		struct err *err);

#endif
