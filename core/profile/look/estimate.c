#include "core/profile/look/estimate.h"

#include <math.h>

const char *const estimate_keys[ESTIMATES] = {
	[ESTIMATE_CALLS] = "calls_estimate", [ESTIMATE_RATE] = "calls_per_s_estimate",
	[ESTIMATE_SELF] = "self_per_call_estimate_s",
};

static struct estimate estimate_scale(struct estimate e, double by)
{
	return (struct estimate){ e.low * by, e.value * by, e.high * by };
}

/* The time of all calls, known as it is, over their number: the more calls, the shorter each. */
static struct estimate estimate_share(struct estimate e, double whole)
{
	return (struct estimate){ whole / e.high, whole / e.value,
				  e.low > 0 ? whole / e.low : (double)NAN };
}

struct estimate estimate_of(const struct profile *p, const struct profile_function *f,
			    enum estimate_kind kind)
{
	struct estimate none = { NAN, NAN, NAN }, calls = { f->ran.low, f->ran.calls, f->ran.high };

	if (!(f->ran.calls > 0))
		return none;
	switch (kind) {
	case ESTIMATE_RATE:
		return p->totals.run_s > 0 ? estimate_scale(calls, 1 / p->totals.run_s) : none;
	case ESTIMATE_SELF:
		return f->self_s > 0 ? estimate_share(calls, f->self_s) : none;
	default:
		return calls;
	}
}
