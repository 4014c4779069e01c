/*
 * gate: rules held against a profile, and against its baseline: what passed, what failed, and what
 * the data cannot tell.
 *
 *	passed	the value keeps the bound
 *	failed	it does not, by more than the noise: COMPARE_SURE standard deviations of value less
 *		bound (noise.h), and of a time against the baseline COMPARE_LEAST of it, which
 *		clocks drift
 *	unsure	it does not, but within the noise; or the figure, or the baseline's, is not known;
 *		or it is a lower bound that keeps the bound; or no function matches
 *
 * Functions pair with the baseline's as in core/profile/look/compare.h. One that is new is held
 * against 0 where the figure is a sum; else the baseline's is not known. That it ran now and not
 * then may be chance: after nine calls or fewer it is within the noise.
 */
#ifndef WSNTOP_GATE_GATE_H
#define WSNTOP_GATE_GATE_H

#include "core/base/buf.h"
#include "core/gate/rules.h"
#include "core/gate/side.h"
#include "core/profile/look/compare.h"

enum gate_verdict { GATE_PASSED, GATE_UNSURE, GATE_FAILED, GATE_VERDICTS };

struct gate_result {
	const struct rule *rule;
	uint32_t function;		/* PROFILE_NONE: of another subject, or of none */
	enum gate_verdict verdict;
	double value, then, bound;	/* NaN: not known; then: the baseline's */
	double noise;			/* one standard deviation of value - bound */
	double excess;			/* beyond the bound, as a share of it; at most 0: kept */
	const char *why;		/* of unsure; NULL otherwise */
};

struct gate {
	const struct rules *rules;	/* borrowed, as are the profiles */
	struct side now, then;
	bool has_baseline;
	struct compare compare;
	struct gate_result *results;	/* failed, unsure, passed; each the worst first */
	size_t count, cap;
	size_t verdicts[GATE_VERDICTS];
};

/* then: NULL without a baseline. 0 or ERR_NOMEM; release in both cases. */
int gate_run(struct gate *g, const struct rules *rules, const struct gate_input *now,
	     const struct gate_input *then);
void gate_release(struct gate *g);

/* Its function's name, or the word of the subject. */
const char *gate_subject(const struct gate *g, const struct gate_result *r);

/*
 * "task_post self 2.25 s, bound <= 515 ms (baseline 490 ms +5 %), noise 86 ms": what was found.
 */
void gate_describe(const struct gate *g, const struct gate_result *r, struct buf *out);

/*
 * Where the change is, of a failure; "" where that is not known. Of functions the call path from a
 * root to the function that it comes from, and lines, in which that differs from the baseline:
 *
 *	+2.75 us a call at radio.c:35		this line took more: by samples, or a simulator's
 *						time of each instruction
 *	most of its time at radio.c:35		the baseline has no lines
 *	declared at radio.c:28			nothing tells the times of lines
 *	called at radio.c:90 (+12,000 calls)	more calls were made here
 *
 * Of the image's flash the function that grew most, of the stack the calls at its deepest point, of
 * a node's losses what was lost.
 */
void gate_where(const struct gate *g, const struct gate_result *r, struct buf *out);

extern const char *const gate_verdict_names[GATE_VERDICTS];	/* "passed", "not sure", "failed" */

#endif
