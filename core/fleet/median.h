/* median: of numbers in any order, by selection (Hoare's FIND): linear, where sorting is not. */
#ifndef WSNTOP_FLEET_MEDIAN_H
#define WSNTOP_FLEET_MEDIAN_H

#include <stddef.h>

/* The mean of the two in the middle, as of sorted ones; n is at least 1. Their order changes. */
double median_select(double *v, size_t n);

#endif
