/*
 * estimate: what PC samples tell of calls (core/profile/derive/executions.h): how many, how many a
 * second, and the self time of each; with a 95 % interval. Never mixed with what was counted.
 */
#ifndef WSNTOP_PROFILE_LOOK_ESTIMATE_H
#define WSNTOP_PROFILE_LOOK_ESTIMATE_H

#include "core/profile/profile.h"

enum estimate_kind {
	ESTIMATE_CALLS,
	ESTIMATE_RATE,			/* calls a second of the time sampled, sleep included */
	ESTIMATE_SELF,			/* seconds a call, callees not included */
	ESTIMATES,
};

struct estimate {
	double low, value, high;	/* NaN: not known */
};

extern const char *const estimate_keys[ESTIMATES];	/* in exports */

struct estimate estimate_of(const struct profile *p, const struct profile_function *f,
			    enum estimate_kind kind);

#endif
