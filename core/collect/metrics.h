/*
 * metrics: a sum as Prometheus' text format (0.0.4): by site, build and function. Of nodes how many
 * there are, how a function's share is spread over them (a summary, of the epochs that they are
 * in), and by name only the few that are unlike the others (worst.h): series do not grow with the
 * nodes. `promtool check metrics` finds nothing in it.
 */
#ifndef WSNTOP_COLLECT_METRICS_H
#define WSNTOP_COLLECT_METRICS_H

#include "core/collect/outputs.h"

enum { METRICS_FUNCTIONS = 1000 };	/* of a build: those with most self time */

void metrics_write(const struct sum *all, const struct output_part *parts, size_t count,
		   struct out *out);

#endif
