/*
 * odd: which of several nodes with the same firmware is unlike the others, or unlike itself.
 *
 * Unlike the others: a function takes a share of its time that is far from what it takes on them.
 *
 *	z = (ln share - median) / sqrt((1.4826 * MAD)^2 + 1 / calls + ODD_ROUGH^2)
 *
 * over the nodes that call it: the median and the median absolute deviation stand though up to half
 * of the nodes are odd or lie (Hampel 1974). 1 / calls is how far a count is off by chance. What
 * lies within the nodes' natural spread cannot be seen: at a spread of 5, 10, 20 % the least factor
 * is 1.4, 1.8, 3.3 at ODD_Z.
 *
 * Unlike itself: its share changed, and that function's did not on the others. Of each function the
 * difference of the logarithms now and then, less its median over the node's functions, because
 * shares push each other, is judged in the same way over the nodes:
 *
 *	z = (difference - median) / sqrt((1.4826 * MAD)^2 + 1 / calls now + 1 / calls then +
 *	    ODD_STEADY^2)
 *
 * What differs from node to node for good does not count: where nodes differ by 10 % and move by a
 * fifth of that, a factor of 1.13 is seen (of 200 nodes in 9 of 10 cases; 1.17 in all). From which
 * z on a node is odd follows from how many values are judged, and over how many nodes: a MAD is as
 * sure as a deviation of 37 % of them (Rousseeuw, Croux 1993). By chance a node is taken for odd in
 * one of a hundred fleets.
 */
#ifndef WSNTOP_FLEET_ODD_H
#define WSNTOP_FLEET_ODD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ODD_Z 6.0			/* from which a node is odd */
#define ODD_ROUGH 0.03			/* shares of nodes that are alike differ so much */
#define ODD_STEADY 0.004		/* and shares of a node that goes on as before */
#define ODD_LEAST 1e-3			/* smaller shares are of no interest */
#define ODD_SIGMA 1.4826		/* of a normal distribution, by its MAD */

enum { ODD_NODES = 5 };			/* of fewer nothing is told */

struct odd_share {
	uint64_t function;		/* its address: the same in all nodes of a firmware */
	double share;			/* of the node's time, 0 to 1 */
	double calls;
};

/* What is told of a node. */
struct odd_finding {
	uint64_t function;		/* the one that is farthest off */
	double z;			/* NaN: nothing is told */
	double times;			/* its share, of the median */
};

struct odd_node {
	const struct odd_share *shares;	/* each function once; others are left out, not 0 */
	size_t count;
	struct odd_finding found;	/* out */
};

/* 0, or ERR_NOMEM with all NaN. N log N in all shares together. */
int odd_find(struct odd_node *nodes, size_t n);

/*
 * The same of one node, where of the others only the median and the median absolute deviation of
 * their shares' logarithms are known (sketch_spread). NaN: a share that is of no interest.
 */
double odd_share_z(double share, double calls, double median, double deviation);

struct odd_change {
	uint64_t function;
	double now, then;		/* shares of the node's time */
	double calls_now, calls_then;
};

struct odd_past {
	struct odd_change *changes;	/* each function once; their order may change */
	size_t count;
	struct odd_finding found;	/* out; times: now, of then and the others' change */
};

/* Likewise. *least: the |z| from which a node is unlike itself. */
int odd_find_changed(struct odd_past *nodes, size_t n, double *least);

/*
 * The same of many nodes, a piece at a time: nodes are added, then each function is judged by
 * itself. Functions are numbers from 0 on here, shares and calls are arrays by them; 0: left out.
 * What is found is that of odd_find and odd_find_changed. 12 to 24 bytes a share for as long as it
 * runs; each node once.
 */
struct odd_found {
	uint32_t function;		/* UINT32_MAX: nothing is told */
	double z, times;
};

struct odd_sweep;

struct odd_sweep *odd_sweep_new(size_t functions, size_t nodes);	/* NULL: no memory */
void odd_sweep_free(struct odd_sweep *s);			/* NULL is fine */

/* A node, by its number below `nodes`. 0 or ERR_NOMEM. */
int odd_sweep_add(struct odd_sweep *s, uint32_t node, const double *shares, const double *calls);
int odd_sweep_add_change(struct odd_sweep *s, uint32_t node, const double *now,
			 const double *calls_now, const double *then, const double *calls_then);

bool odd_sweep_judge(struct odd_sweep *s);	/* the next function; false: all are */
const struct odd_found *odd_sweep_found(const struct odd_sweep *s);	/* by node */
double odd_sweep_least(const struct odd_sweep *s);	/* of changes: odd_changed_least() */

/* Of so many figures, of so many nodes each. */
double odd_changed_least(double figures, double nodes);

#endif
