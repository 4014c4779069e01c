/*
 * recorder: `wsntop record`: reads all nodes for hours, for their recordings alone. A line that
 * goes down is waited for; the run ends at the end of all inputs, when it is stopped, or after a
 * time.
 */
#ifndef WSNTOP_RUN_RECORDER_H
#define WSNTOP_RUN_RECORDER_H

#include <signal.h>

#include "core/node/nodes.h"

struct recorder_options {
	double seconds;			/* 0: no end */
	double progress;		/* seconds between two calls of it; 0: none */
	const volatile sig_atomic_t *stop;
	void (*tell)(void *ctx, uint64_t elapsed_ns);	/* how it goes */
	void (*say)(void *ctx, const char *line);	/* a line went down, or came back */
	void *ctx;
};

/* 0, or negative with the sentence. */
int recorder_run(struct nodes *nodes, const struct recorder_options *o, struct err *err);

#endif
