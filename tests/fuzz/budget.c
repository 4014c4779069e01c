/*
 * budget: what one execution of a fuzz target may allocate: BUDGET_FIXED_KB, and BUDGET_EACH bytes
 * for a byte of its input (tests/fuzz/targets). All allocations count, those of libraries and those
 * that were freed meanwhile, too. More is a find: a small file that makes wsntop allocate much is
 * a bomb, even if it fits into this machine's memory. It is told at the allocation that is too
 * much, with its stack. The same holds for time: BUDGET_SECONDS of a processor, thousands of times
 * what most inputs take; what other programs do meanwhile has no part in it.
 *
 * Linked into every target (Makefile), around LLVMFuzzerTestOneInput. At the end it says how near
 * the executions came, and how many seconds of a processor they took.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sanitizer/allocator_interface.h>
#include <time.h>

int __real_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

#ifndef BUDGET_SECONDS
#define BUDGET_SECONDS 5.0
#endif

/* What is counted here teaches the fuzzer nothing. */
#define UNSEEN __attribute__((no_sanitize("coverage")))

static atomic_bool counts;		/* an execution is under way */
static atomic_uint_fast64_t allocated;	/* in it, by all threads */
static uint64_t allowed;
static struct { uint64_t allocated, size; double share; } most;	/* nearest to what is allowed */

UNSEEN static void allocation_count(const volatile void *p, size_t n)
{
	uint64_t sum;

	(void)p;
	if (!atomic_load_explicit(&counts, memory_order_relaxed))
		return;
	sum = atomic_fetch_add_explicit(&allocated, n, memory_order_relaxed) + n;
	if (sum <= allowed || !atomic_exchange(&counts, false))
		return;
	fprintf(stderr, "budget: %" PRIu64 " bytes allocated, %" PRIu64 " are allowed: an "
		"allocation of %zu bytes is too much\n", sum, allowed, n);
	abort();
}

/* Frees are not counted, but both hooks are wanted. */
UNSEEN static void free_ignore(const volatile void *p)
{
	(void)p;
}

UNSEEN static double seconds_spent(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void summary_print(void)
{
	fprintf(stderr, "budget: at most %.0f %% of it: %" PRIu64 " bytes allocated for %" PRIu64
		" bytes of input\n", 100 * most.share, most.allocated, most.size);
	fprintf(stderr, "seconds of a processor: %.2f\n", seconds_spent());
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc, (void)argv;
	if (!__sanitizer_install_malloc_and_free_hooks(allocation_count, free_ignore))
		abort();
	atexit(summary_print);
	return 0;
}

UNSEEN int __wrap_LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	double share, before = seconds_spent(), took;
	int ret;

	allowed = BUDGET_FIXED_KB * UINT64_C(1024) + (uint64_t)BUDGET_EACH * size;
	atomic_store(&allocated, 0);
	atomic_store(&counts, true);
	ret = __real_LLVMFuzzerTestOneInput(data, size);
	atomic_store(&counts, false);
	took = seconds_spent() - before;
	if (took > BUDGET_SECONDS) {
		fprintf(stderr, "budget: %.1f s of a processor, %.1f are allowed\n", took,
			BUDGET_SECONDS);
		abort();
	}
	share = (double)atomic_load(&allocated) / (double)allowed;
	if (share > most.share) {
		most.share = share;
		most.allocated = atomic_load(&allocated);
		most.size = size;
	}
	return ret;
}
