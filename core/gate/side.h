/*
 * side: one of the two that a gate compares, the run that is judged or its baseline, and the
 * figures that rules ask it for, with the error of each.
 *
 * A sum (self, total, calls, samples, shares and rates of them) depends on how long was profiled.
 * For a change since the baseline it is taken as a rate, as core/profile/look/compare.h does, and
 * given for a run as long as the one that is judged.
 */
#ifndef WSNTOP_GATE_SIDE_H
#define WSNTOP_GATE_SIDE_H

#include "core/gate/rules.h"
#include "core/image/sizes.h"
#include "core/profile/look/context.h"
#include "core/profile/look/noise.h"
#include "core/profile/profile.h"
#include "core/source/line_costs.h"
#include "core/wire/wire.h"

/* What is known of a side; borrowed. */
struct gate_input {
	const struct profile *profile;	/* computed */
	const struct image *image;	/* of its names; NULL: none */
	const struct image_sizes *sizes;	/* of its ELF; NULL: not known */
	const struct wire_status *status;	/* NULL: the node sends none */
	const struct wire_stats *stream;	/* NULL: it is a snapshot */
	double hooks;			/* share of the time awake; NaN: not known */
	const struct wire_watermark *marks;	/* deepest points of its stacks, measured */
	size_t mark_count;		/* 0: they are not */
};

struct side {
	struct gate_input in;
	struct contexts contexts;
	struct noise noise;
	enum noise_scale scale;
	struct line_costs lines;		/* of side_lines() */
};

struct gate_figure {
	double value;			/* NaN: not known */
	double sigma;			/* one standard deviation; 0: it is exact */
	bool at_least;			/* the value is a lower bound */
};

/* 0 or ERR_NOMEM; release in both cases. */
int side_init(struct side *s, const struct gate_input *in, enum noise_scale scale);
void side_release(struct side *s);

/* What its source lines took, to tell where a change is. 0 or ERR_NOMEM. */
int side_lines(struct side *s);

/*
 * Of one function. run: seconds of the run for which sums are given, as a change since the baseline
 * needs them; NaN: sums as they were counted.
 */
struct gate_figure side_function(const struct side *s, const struct rule *r, uint32_t function,
				 double run);

/* Of all functions together. */
struct gate_figure side_total(const struct side *s, const struct rule *r, double run);

/*
 * Of the node, the image, the stack; by the rule's subject. measured: the stack as it was measured,
 * where it was; else by the frames on the deepest ways that were seen.
 */
struct gate_figure side_other(const struct side *s, const struct rule *r, bool measured);

/* The figure is a sum over the run, or a share or rate of it: 0 where it did not run. */
bool side_is_sum(enum column_id column);

#endif
