/*
 * judge: what the statistics of odd.h and rollout.h tell of a crowd.
 *
 * Unlike itself: the time between its last two keyframes against all that the node counted in its
 * epoch before. A change that stays is seen until the past has it, too: about as long again as the
 * node ran before.
 *
 * A rollout: nodes of build B by what they counted since their epoch began; of A those that run it
 * still, and the last table of those that run B now (crowd_node.former). Functions are known by
 * their names: both builds need an image.
 *
 * All of it is linear in the nodes' sites; a sweep takes up to 24 bytes a function of a node for as
 * long as it runs, judge_pasts 100.
 */
#ifndef WSNTOP_FLEET_JUDGE_H
#define WSNTOP_FLEET_JUDGE_H

#include "core/fleet/crowd.h"
#include "core/fleet/rollout.h"

/* Of one node, by its number in the crowd. */
struct judge_past {
	uint32_t function;		/* of its build; BUILD_NONE: nothing is told */
	double z, times;
	bool odd;			/* it is unlike itself */
};

/* Of all nodes of a build: found[i] is of node i, others are left alone. 0 or ERR_NOMEM. */
int judge_pasts(const struct crowd *c, uint32_t build, struct judge_past *found);

/*
 * The same, and which is unlike the others, a piece at a time: where there are many nodes a key
 * would wait for all of them. A sweep is of the nodes that are there when it begins.
 */
enum judge_what { JUDGE_OTHERS, JUDGE_ITSELF };
enum judge_state {
	JUDGE_GOES_ON,
	JUDGE_DONE,
	JUDGE_GONE,			/* functions got other numbers, or no memory: begin again */
};

struct judge_sweep;

struct judge_sweep *judge_sweep_new(const struct crowd *c, uint32_t build, enum judge_what what);
void judge_sweep_free(struct judge_sweep *s);		/* NULL is fine */
enum judge_state judge_sweep_step(struct judge_sweep *s);	/* a node, or a function of all */
void judge_sweep_give(const struct judge_sweep *s, struct judge_past *found);	/* when DONE */

struct judge_row {
	const char *name;		/* borrowed from the image */
	struct rollout_verdict verdict;
	double a, b;			/* mean share on the nodes that have it; NaN: on none */
};

struct judge_rollout {
	struct judge_row *rows;		/* those that matter most on B first */
	size_t count;
	size_t a, b, both;		/* nodes with a table of A, of B, of both */
};

/*
 * The comparison, a piece at a time, of the nodes that are there when it begins. ERR_ABSENT: a
 * build has no image; ERR_NOMEM; *s is NULL then.
 */
struct judge_compare;

int judge_compare_new(struct judge_compare **s, const struct crowd *c, uint32_t a, uint32_t b);
void judge_compare_free(struct judge_compare *s);	/* NULL is fine */
enum judge_state judge_compare_step(struct judge_compare *s);
void judge_compare_give(struct judge_compare *s, struct judge_rollout *j);	/* when DONE */
void judge_rollout_release(struct judge_rollout *j);

/* The build that most nodes of this one ran before, or else the one with most nodes; CROWD_NONE. */
uint32_t judge_build_before(const struct crowd *c, uint32_t build);

#endif
