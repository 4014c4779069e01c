/*
 * batch: -B, the run without a screen: read to the end or for a time, then export.
 *
 * Lines for the user go to a callback of the caller. Returns the exit status.
 */
#ifndef WSNTOP_RUN_BATCH_H
#define WSNTOP_RUN_BATCH_H

#include <signal.h>

#include "core/node/nodes.h"
#include "core/profile/look/watch.h"
#include "core/run/span.h"

#define BATCH_PASSED 3			/* the exit status: a bound was passed */

struct batch_export {
	const struct exporter *exporter;
	const char *path;		/* "-" or NULL: standard output */
};

struct batch_options {
	double seconds;			/* --for; 0: to the end */
	const struct batch_export *exports;
	size_t export_count;		/* 0: the flat profile, as text */
	bool silent;			/* 0 exports are none */
	const struct profile *baseline;	/* NULL: none */
	struct compare_least least;		/* of its changes, that are relevant */
	struct rows_order order;
	const struct watch *watches;	/* bounds: say which were passed */
	size_t watch_count;
	const struct span *span;		/* of recordings; NULL: all of it */
	const struct export_values *values;	/* NULL: defaults */
	const volatile sig_atomic_t *stop;	/* set by Ctrl-C: finish as at the end */
	/* Warnings and news, one line each. */
	void (*say)(void *ctx, enum advice advice, const char *line);
	void *ctx;
};

/*
 * 0; 3: a watch's bound was passed; or 1: a node of which nothing was decoded, or an export that
 * failed (err set); or an image that is not what its node runs, or a carrier's node that could not
 * be opened (o->say has the sentence, err is as it was). The other nodes are exported all the same.
 * Interrupted: the data up to then is exported.
 */
int batch_run(struct nodes *nodes, const struct batch_options *o, struct err *err);

#endif
