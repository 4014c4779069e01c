/*
 * workload: programs to profile, on any chip: those of INGA's evaluation, and those that are hard
 * for a profiler. Each returns a checksum that is the same on every chip, at every optimization,
 * instrumented or not: a profiler that changes it has changed the program.
 *
 * Portable C99. What a chip must give stands in workload_port.h. A firmware links the files that it
 * runs, wsnprof and a main of its own:
 *
 *	wsnprof_init(); wsnprof_start();
 *	checksum = workload_net();
 *	wsnprof_stop();
 *
 * Instrumented are all functions but workload_NAME() itself: a workload's calls start from a caller
 * that the profiler does not know.
 *
 * To compare an instrumented build with a plain one call by call, both need WORKLOAD_SAME
 * (sim/build.mk):
 *
 *	-fno-inline -fno-optimize-sibling-calls -fno-ipa-pure-const -fno-ipa-cp -fno-ipa-sra
 *	-fno-ipa-ra
 *	-fno-ipa-icf -fno-tree-ter
 *
 * or else the compiler does not make the same calls in both: it turns one of fib's recursions into
 * a loop, and merges calls of pure functions, in the plain one alone. The last keeps gcc from
 * computing what a function returns behind its exit hook, where no profiler sees it: 30 of
 * crc_add's 46 cycles.
 */
#ifndef WORKLOAD_H
#define WORKLOAD_H

#include <stdint.h>

#define WORKLOAD_QUIET __attribute__((no_instrument_function))

/* n of the Fibonacci workload: INGA's evaluation takes the first 27 numbers. */
#ifndef WORKLOAD_FIB
#define WORKLOAD_FIB 27
#endif

/* KB that the CRC workload goes over. */
#ifndef WORKLOAD_CRC_KB
#define WORKLOAD_CRC_KB 64
#endif

/* Rounds of the packet workloads: bundles sent one way, pings, samples. */
#ifndef WORKLOAD_ROUNDS
#define WORKLOAD_ROUNDS 16
#endif

/* Ticker interrupts that the storm waits for. */
#ifndef WORKLOAD_STORM
#define WORKLOAD_STORM 1000
#endif

/* Levels of the deep recursion: more than the profiler's stack has, or fewer. */
#ifndef WORKLOAD_DEEP
#define WORKLOAD_DEEP 60
#endif

/* Requests that a longjmp ends, within a function that never returns. */
#ifndef WORKLOAD_JUMPS
#define WORKLOAD_JUMPS 100
#endif

/*
 * Every one: name, files besides its own (NAME.c), call sites and stack levels that it needs at
 * most, and what it is.
 *
 * sites: those of gcc without inlining; more where the compiler unrolls. levels: instrumented calls
 * open at once, handlers included.
 */
#define WORKLOADS(X) \
	X(crc, "", 2, 2, "CRC-16 over 64 KB, bit by bit: 2 calls") \
	X(fib, "", 3, 29, "the first 27 Fibonacci numbers, recursively: 1,028,429 calls") \
	X(net, "net_*.c", 104, 16, \
	  "one-way, ping-pong and sample-send over a looped-back packet stack") \
	X(oneway, "net_*.c", 104, 16, \
	  "INGA's one-way: bundles of 80 bytes, as fast as possible") \
	X(pingpong, "net_*.c", 104, 16, "INGA's ping-pong: each bundle is answered") \
	X(sample, "net_*.c", 104, 18, \
	  "INGA's sample-send: sleep, sample, sometimes a bundle") \
	X(storm, "", 24, 14, "interrupts that call, over a program that calls: needs the ticker") \
	X(deep, "", 4, WORKLOAD_DEEP + 2, \
	  "recursion WORKLOAD_DEEP deep: more than the call stack of the profiler holds") \
	X(jump, "", 24, 16, "longjmp out of calls, also in a loop whose function never returns") \
	X(pointer, "", 16, 8, \
	  "calls through pointers: a table, a callback, one site with four callees") \
	X(tail, "", 12, 8, "calls in tail position, which the compiler may turn into jumps") \
	X(copy, "", 12, 6, \
	  "memcpy, memset and memmove: library functions, to be wrapped at link time") \
	X(full, "", 80, 4, "70 call sites one after the other: more than a small table holds") \
	X(mutual, "", 12, 24, "functions that call each other in a circle, and Ackermann's")

#define WORKLOAD_DECLARE(name, files, sites, levels, what) \
	uint32_t workload_##name(void) WORKLOAD_QUIET;
WORKLOADS(WORKLOAD_DECLARE)
#undef WORKLOAD_DECLARE

/* A step of the checksums: order counts. */
static inline WORKLOAD_QUIET __attribute__((always_inline, unused))
uint32_t workload_mix(uint32_t sum, uint32_t value)
{
	return (sum << 5 | sum >> 27) ^ value;
}

#endif
