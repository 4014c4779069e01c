/*
 * batch: -B, the job without a screen: read to the end or for a time, print, export.
 *
 * Prints nothing itself: gives buffers to write and lines to say. Returns the exit status.
 */
#ifndef WSNTOP_RUN_BATCH_H
#define WSNTOP_RUN_BATCH_H

#include <signal.h>

#include "core/node/nodes.h"

struct batch_export {
	const struct exporter *exporter;
	const char *path;		/* "-" or NULL: standard output */
};

struct batch_options {
	double seconds;			/* --for; 0: to the end */
	const struct batch_export *exports;
	size_t export_count;		/* 0: the flat profile, as text */
	const struct profile *baseline;	/* NULL: none */
	struct rows_order order;
	const struct export_values *values;	/* NULL: defaults */
	const volatile sig_atomic_t *stop;	/* set by Ctrl-C: finish as at the end */
	/* Warnings and news, one line each. */
	void (*say)(void *ctx, enum advice advice, const char *line);
	void *ctx;
};

/*
 * 0, or 1: nothing decoded, or an export failed (err set); or every image given was refused by what
 * the node says that it runs (said by o->say, err as it was). Interrupted: what was gathered is
 * exported.
 */
int batch_run(struct nodes *nodes, const struct batch_options *o, struct err *err);

#endif
