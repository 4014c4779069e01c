/*
 * guard: in each object that tests/mutate builds, included before all. Every mutation stands in the
 * program, and is on where its number is the one that runs.
 */
#ifndef WSNTOP_TESTS_MUTANT_GUARD_H
#define WSNTOP_TESTS_MUTANT_GUARD_H

extern int mutant_number;		/* $MUTANT; 0: none */
extern unsigned char *mutant_reached;	/* by number: 1 once it was asked for */

static inline int mutant_is(int number)
{
	mutant_reached[number] = 1;
	return mutant_number == number;
}

#endif
