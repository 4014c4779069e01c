/*
 * executions: how often functions were called, from PC samples alone: an estimate.
 *
 * An instruction that runs exactly once a call (core/image/once.h) and takes c cycles is met by
 * calls * c / P samples, with a sample each P cycles: frequency estimation (Anderson et al.,
 * "Continuous profiling: where have all the cycles gone?", SOSP 1997), over all such instructions
 * of a function. Joining samples to calls by the call graph, as the third paper does, misses
 * whatever is shorter than P.
 *
 * The interval is the samples' (Poisson; Byar's approximation) and the cycles' error: that is what
 * a callee that is called once in each call of its callers, and by nobody else, differs from them
 * by; the spread of these ratios, less their samples' noise. With fewer than EXECUTIONS_PAIRS such
 * callees it is not known (ran.spread is NaN) and the interval is the samples' alone. Where no
 * manual tells the cycles, the error is never taken for less than once.doubt.
 *
 * One error is in no interval: that of P, which all functions have in common. P is what makes the
 * functions right whose calls are counted, if there are any (a watched function, handlers of a
 * trace port); else what the source tells: the cycle counter read with each sample, a trace port's
 * time stamps, a given clock. ran.apart is the first over the second, where both are known.
 */
#ifndef WSNTOP_PROFILE_DERIVE_EXECUTIONS_H
#define WSNTOP_PROFILE_DERIVE_EXECUTIONS_H

#include "core/image/once.h"
#include "core/profile/profile.h"

enum {
	EXECUTIONS_LEAST = 10,		/* samples at such instructions; fewer: no estimate */
	EXECUTIONS_PAIRS = 5,
	EXECUTIONS_COUNTED = 400,	/* such samples in counted functions, to find P by them */
};

/* 95 % interval of the mean of which `count` is a sample. */
void executions_interval(double count, double *low, double *high);

/*
 * Sets `ran` of all functions whose calls are not counted, and p->ran. Nothing is known without P
 * or what the image's once tells. 0 or ERR_NOMEM.
 */
int profile_executions(struct profile *p);

#endif
