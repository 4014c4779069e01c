/*
 * odd: which of several nodes with the same firmware is unlike the others: a function takes a share
 * of its time that is far from what it takes on them.
 *
 *	z = (ln share - median) / sqrt((1.4826 * MAD)^2 + 1 / calls + ODD_ROUGH^2)
 *
 * over the nodes that call it: the median and the median absolute deviation stand though up to half
 * of the nodes are odd or lie (Hampel 1974). 1 / calls is how far a count is off by chance. What
 * lies within the nodes' natural spread cannot be seen: at a spread of 5, 10, 20 % the least factor
 * is 1.4, 1.8, 3.3 at ODD_Z.
 */
#ifndef WSNTOP_FLEET_ODD_H
#define WSNTOP_FLEET_ODD_H

#include <stddef.h>
#include <stdint.h>

#define ODD_Z 6.0			/* from which a node is odd */
#define ODD_ROUGH 0.03			/* shares of nodes that are alike differ so much */
#define ODD_LEAST 1e-3			/* smaller shares are of no interest */

enum { ODD_NODES = 5 };			/* of fewer nothing is told */

struct odd_share {
	uint64_t function;		/* its address: the same in all nodes of a firmware */
	double share;			/* of the node's time, 0 to 1 */
	double calls;
};

struct odd_node {
	const struct odd_share *shares;	/* each function once; others are left out, not 0 */
	size_t count;
	/* out: */
	uint64_t function;		/* the one that is farthest off */
	double z;			/* NaN: nothing is told */
	double times;			/* its share, of the median */
};

/* 0, or ERR_NOMEM with all NaN. N log N in all shares together. */
int odd_find(struct odd_node *nodes, size_t n);

#endif
