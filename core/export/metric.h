/*
 * metric: figures of a function that a page's table and Prometheus' text both have: one row each,
 * its words in either and where its value is from. For core/export and core/collect.
 */
#ifndef WSNTOP_EXPORT_METRIC_H
#define WSNTOP_EXPORT_METRIC_H

#include "core/base/out.h"
#include "core/profile/profile.h"

enum metric_unit { METRIC_SECONDS, METRIC_COUNT, METRIC_JOULES };

struct metric {
	const char *title;		/* of a column */
	enum metric_unit unit;
	bool rare;			/* a column only where some function has it */
	const char *name, *type, *help;	/* Prometheus'; NULL: the others tell it */
	double (*value)(const struct profile *p, const struct profile_function *f); /* or NaN */
};

extern const struct metric metrics[];		/* ends with a NULL title */

/* Prometheus' text: NAME="value". NULL: "". */
void metric_label(struct out *out, const char *name, const char *value);

#endif
