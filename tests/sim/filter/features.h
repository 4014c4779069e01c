/* What the programs for the tests of `wsntop as` are made of. */
#ifndef FEATURES_H
#define FEATURES_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NOINLINE __attribute__((noinline))

void put(char c);			/* the board's */
void say(const char *name, long value);
void features_c(void);
void features_cc(void);
void features_board(void);		/* naked functions, handlers */
int from_assembly(int x);		/* hand.S */
extern volatile int zero, seven;	/* values that the compiler does not know */

/* record.c */
void record_print(void);

#ifdef __cplusplus
}
#endif

#endif
