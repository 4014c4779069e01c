/*
 * outputs: what a group of collectors puts out of its sum: a text for Prometheus over HTTP, files
 * of core/export, profiles pushed to a server of continuous profiling, rules held against it.
 * Nothing of it blocks but files.
 *
 * Each firmware build at a site has a profile of its own. Nodes are in no label.
 */
#ifndef WSNTOP_COLLECT_OUTPUTS_H
#define WSNTOP_COLLECT_OUTPUTS_H

#include <poll.h>
#include <stdbool.h>

#include "core/base/say.h"
#include "core/collect/elfs.h"
#include "core/collect/sum.h"
#include "core/export/export.h"
#include "core/gate/gate.h"

struct output_file {
	const struct exporter *format;
	const char *path;		/* the build's name is put into it: fleet-1a2b3c4d.pprof */
};

/* Strings and all else borrowed. */
struct outputs_options {
	const struct output_file *files;
	size_t file_count;
	const struct export_values *values;
	const char *group;
	const char *summary;		/* a file of overview.h; NULL: none */
	const char *listen;		/* HOST:PORT of the Prometheus endpoint; NULL: none */
	const char *push;		/* post.h's URL of Pyroscope; NULL: none */
	double push_period;		/* seconds */
	const struct rules *rules;	/* NULL: none */
	const struct gate_input *baseline;	/* of relative rules; NULL: none */
	struct say say;
};

enum { OUTPUTS_FDS = 25 };

struct outputs;

/* NULL with the sentence. */
struct outputs *outputs_open(const struct outputs_options *o, struct elfs *elfs,
			     struct err *err);
void outputs_close(struct outputs *o);	/* NULL is fine */

/* To wait for: how many of fds, up to OUTPUTS_FDS; *ms becomes shorter. */
size_t outputs_poll(const struct outputs *o, uint64_t now, struct pollfd *fds, int *ms);
void outputs_service(struct outputs *o, uint64_t now);

/* The sum as it is now. `leads`: what only one of a group may do is this one's; `last`: it ends. */
void outputs_take(struct outputs *o, uint64_t now, const struct sum *all, bool leads, bool last);

size_t outputs_failed(const struct outputs *o);	/* checks of rules, by the newest sum */
bool outputs_broken(const struct outputs *o);	/* a file could not be written */

/* --- for its parts ---------------------------------------------------------------------------- */

/* A part of the sum, as functions. */
struct output_part {
	const struct sum_part *part;
	const struct image *image;	/* NULL: none */
	struct profile *profile;
	char build[SUM_BUILD];		/* sum_build_name */
	struct wire_hello hello;
	struct wire_identity identity;
};

/* What exporters want to know of it. */
void output_source(const struct output_part *p, struct export_source *s);

#endif
