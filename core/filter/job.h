/*
 * job: one function on its way into the output; what a chip's writers see of it.
 */
#ifndef WSNTOP_FILTER_JOB_H
#define WSNTOP_FILTER_JOB_H

#include "core/base/buf.h"
#include "core/filter/exits.h"
#include "core/filter/filter.h"
#include "core/filter/flow.h"
#include "core/filter/outline.h"
#include "core/filter/scope.h"

struct filter_job {
	const struct filter_options *o;
	const struct outline *s;
	const struct function *f;
	struct buf *out;
	size_t done;			/* bytes of the text that are in `out`, or left out */
	struct exits exits;
	size_t stubs;			/* written in this file */
	struct scope scope;		/* what it calls */
	struct flow flow;
	size_t calls_done, calls_stubs;	/* of its calls; in the file */
	struct scope_names names;
	struct nameset strange;		/* callees that stand in other files */
	bool unwound;			/* the entry is between .cfi_startproc and .cfi_endproc */
};

/* "\tFORMAT\n" */
void job_line(struct filter_job *j, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The text up to a place; up to where a line may be added before a statement; to its line's end. */
void job_copy(struct filter_job *j, size_t to);
void job_copy_before(struct filter_job *j, size_t stmt);
void job_copy_line(struct filter_job *j, size_t stmt);

/* For "%.*s". */
#define PIECE(p) (int)(p).n, (p).s

#endif
