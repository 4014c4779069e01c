/*
 * executions: holds what wsntop estimates from PC samples against the truth of a run.
 *
 *	executions [-t TRIALS] [-e PERCENT] [-p CYCLES] [-c CORE] ELF TRUTH
 *
 * TRUTH: `pc ADDRESS COUNT` and `function ADDRESS NAME ENTRIES` lines, as sim/cortexm/run writes
 * them. A PC is drawn as often as its instruction ran, times its cycles; -e: times a random error
 * of its own with this standard deviation, which the estimate does not know; -p: a sample each so
 * many cycles of 100 s at 16 MHz; -c: the core ("Cortex-M7"), else as the ELF tells. Prints,
 * tab-separated:
 *
 *	doubt PERCENT
 *		that the table of this core's cycles is off by at least
 *	once INSTRUCTIONS FUNCTIONS WRONG
 *		how many run once a call; how many of those that ran did not run as often as their
 *		function was entered
 *	ratio LOW FUNCTIONS ERROR WORST HELD SELF_HELD SPREAD
 *		functions whose own time in a call is from LOW on in sample periods: the median
 *		error of their calls and that of the worst tenth, in %; in how many of 100 cases
 *		the true number was in the interval, likewise of the self time of a call; and the
 *		cycles' error that was found, in %
 */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/profile/derive/executions.h"
#include "core/profile/look/estimate.h"
#include "core/profile/profile.h"
#include "core/profile/raw/feed.h"
#include "core/source/blocks.h"
#include "core/source/objdump.h"

enum { SEEN = 1 << 20, RATIOS = 6, CALLS_LEAST = 100, GUIDES = 1 << 14 };

#define CLOCK_HZ 16e6
#define SECONDS 100.0
#define SHARE_LEAST 1e-4		/* of all cycles; functions with less are left out */

static const double ratio_low[RATIOS] = { 0, 0.1, 0.3, 1, 3, 10 };

struct fact {
	uint64_t address;
	double count;			/* of an instruction, of a function's entries */
	double weight;			/* cycles in all; then those up to here */
};

static struct fact *pcs, *functions;
static size_t pc_count, function_count;
static struct image *image;
static struct listing listing;
static double *errors[RATIOS];
static size_t error_count[RATIOS], held[RATIOS], self_held[RATIOS];
static double spread_sum;
static const char *core_name = "";

static void trial_fail(const char *what)
{
	fprintf(stderr, "executions: %s\n", what);
	exit(1);
}

/* --- random numbers: a multiplicative generator of 64 bits ------------------------------------ */

static uint64_t seed = 1;

static double random_unit(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double random_normal(void)
{
	double radius = sqrt(-2 * log(random_unit()));

	return radius * cos(6.283185307179586 * random_unit());
}

/* --- the truth -------------------------------------------------------------------------------- */

static void truth_read(const char *path)
{
	FILE *in = fopen(path, "r");
	char line[512], name[256];
	struct fact f = { 0 };

	pcs = mem_alloc(SEEN * sizeof(*pcs));
	functions = mem_alloc(SEEN * sizeof(*functions));
	if (!in || !pcs || !functions)
		trial_fail(path);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "pc %lx %lf", &f.address, &f.count) == 2 && pc_count < SEEN)
			pcs[pc_count++] = f;
		if (sscanf(line, "function %lx %255s %lf", &f.address, name, &f.count) == 3 &&
		    function_count < SEEN)
			functions[function_count++] = f;
	}
	fclose(in);
}

static const struct fact *fact_find(const struct fact *v, size_t count, uint64_t address)
{
	for (size_t i = 0; i < count; i++) {
		if (v[i].address == address)
			return &v[i];
	}
	return NULL;
}

/* --- the firmware ----------------------------------------------------------------------------- */

static struct objdump *listing_open(const char *elf)
{
	struct err err = { 0 };
	struct objdump *o;

	image = image_new(elf, &err);
	if (!image)
		trial_fail(err.text);
	image_wait(image);
	o = objdump_start(image, OBJDUMP_WHOLE, &err);
	if (!o)
		trial_fail(err.text);
	while (!objdump_service(o, clock_now()))
		poll(&(struct pollfd){ .fd = objdump_fd(o), .events = POLLIN }, 1, 100);
	if (objdump_trouble(o)[0])
		trial_fail(objdump_trouble(o));
	return o;
}

static enum step_core core_of(void)
{
	double doubt;

	return blocks_core(image, core_name, &doubt);
}

/* What a jump takes that is taken now and then: between the two. */
static double cycles_of(size_t i, unsigned *state)
{
	struct step s = step_read(core_of(), &listing, i, state);

	return s.cycles ? s.cycles : 2;
}

static void weights_make(double error)
{
	unsigned state = 0;
	double sum = 0;

	for (size_t i = 0; i < pc_count; i++)
		pcs[i].weight = 0;
	for (size_t i = 0; i < listing.count; i++) {
		double cycles = cycles_of(i, &state);
		struct fact *f = (struct fact *)fact_find(pcs, pc_count, listing.v[i].address);

		if (f)
			f->weight = f->count * fmax(0.1, cycles * (1 + error * random_normal()));
	}
	for (size_t i = 0; i < pc_count; i++)
		sum = pcs[i].weight += sum;
}

static void once_check(const struct once *once)
{
	size_t ran = 0, wrong = 0, with = 0;

	for (size_t i = 0; i < once->pc_count; i++) {
		uint64_t entry = once->functions[once->pcs[i].function].address;
		const struct fact *f = fact_find(functions, function_count, entry);
		const struct fact *pc = fact_find(pcs, pc_count, once->pcs[i].address);

		if (!f || f->count < 1)
			continue;
		ran++;
		/* One call may be under way at the end. */
		if (fabs((pc ? pc->count : 0) - f->count) > 1) {
			wrong++;
			if (getenv("EXECUTIONS_SHOW"))
				fprintf(stderr, "%lx in %lx: %.0f, entered %.0f\n",
					once->pcs[i].address, entry, pc ? pc->count : 0, f->count);
		}
	}
	for (size_t i = 0; i < once->function_count; i++)
		with += once->functions[i].cycles > 0;
	printf("once\t%zu\t%zu\t%zu of %zu\n", once->pc_count, with, wrong, ran);
}

/* --- one trial -------------------------------------------------------------------------------- */

/* The first PC whose weight is more than this part of all: 10 million are drawn in a trial. */
static void guide_make(uint32_t guide[GUIDES])
{
	size_t pc = 0;

	for (size_t i = 0; i < GUIDES; i++) {
		while (pcs[pc].weight <= (double)i / GUIDES * pcs[pc_count - 1].weight)
			pc++;
		guide[i] = (uint32_t)pc;
	}
}

static void samples_draw(struct profile *p, size_t count)
{
	static uint32_t guide[GUIDES];
	uint32_t drawn[1024];
	size_t n = 0;

	guide_make(guide);
	for (size_t i = 0; i < count; i++) {
		double part = random_unit(), at = part * pcs[pc_count - 1].weight;
		size_t pc = guide[(size_t)(part * GUIDES)];

		while (pcs[pc].weight <= at && pc < pc_count - 1)
			pc++;
		drawn[n++] = (uint32_t)pcs[pc].address;
		if (n == sizeof(drawn) / sizeof(*drawn) || i == count - 1) {
			profile_add_samples(p, drawn, n);
			n = 0;
		}
	}
}

/* Of all cycles, those of the image's function at an address. */
static double fact_share(uint64_t address)
{
	const struct image_function *f = image_function(image, image_find(image, address));
	double before = 0, behind = 0;

	for (size_t i = 0; i < pc_count && pcs[i].address < f->address + f->size; i++) {
		behind = pcs[i].weight;
		before = pcs[i].address < f->address ? behind : before;
	}
	return (behind - before) / pcs[pc_count - 1].weight;
}

static void function_judge(const struct profile *p, const struct profile_function *f, double period)
{
	struct estimate self;
	const struct fact *true_one = fact_find(functions, function_count, f->address);
	double scale = SECONDS * CLOCK_HZ / pcs[pc_count - 1].weight, calls, ratio;
	double own = (double)f->samples * period;
	size_t row = RATIOS - 1;

	if (!true_one || true_one->count < CALLS_LEAST || f->ran.calls <= 0 ||
	    own < SHARE_LEAST * SECONDS * CLOCK_HZ)
		return;
	calls = true_one->count * scale;
	ratio = own / calls / period;
	while (ratio_low[row] > ratio)
		row--;
	errors[row] = mem_realloc(errors[row], (error_count[row] + 1) * sizeof(double));
	if (!errors[row])
		trial_fail("out of memory");
	errors[row][error_count[row]++] = 100 * fabs(f->ran.calls / calls - 1);
	held[row] += f->ran.low <= calls && calls <= f->ran.high;
	self = estimate_of(p, f, ESTIMATE_SELF);
	own = fact_share(f->address) * SECONDS / calls;
	self_held[row] += self.low <= own && own <= self.high;
}

static void trial_run(double period)
{
	struct profile p;

	if (profile_init(&p, "") < 0)
		trial_fail("out of memory");
	profile_take_cycles(&p, period, CYCLES_COUNTER);
	p.terms.hz = CLOCK_HZ / period;
	profile_set_image(&p, image);
	samples_draw(&p, (size_t)(SECONDS * CLOCK_HZ / period));
	if (profile_compute(&p) < 0)
		trial_fail("out of memory");
	for (size_t i = 0; i < p.function_count; i++)
		function_judge(&p, &p.functions[i], period);
	spread_sum += p.ran.spread;
	profile_release(&p);
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void table_print(int trials)
{
	for (size_t i = 0; i < RATIOS; i++) {
		size_t n = error_count[i];

		if (!n)
			continue;
		qsort(errors[i], n, sizeof(double), by_size);
		printf("ratio\t%g\t%zu\t%.2f\t%.2f\t%.1f\t%.1f\t%.2f\n", ratio_low[i],
		       n / (size_t)trials, errors[i][n / 2], errors[i][n - 1 - n / 10],
		       100 * (double)held[i] / (double)n, 100 * (double)self_held[i] / (double)n,
		       100 * spread_sum / trials);
	}
}

int main(int argc, char **argv)
{
	double error = 0, period = 3200;
	int option, trials = 3;
	struct objdump *o;
	struct once once;

	while ((option = getopt(argc, argv, "t:e:p:c:")) != -1) {
		if (option == 't')
			trials = atoi(optarg);
		else if (option == 'c')
			core_name = optarg;
		else if (option == 'e')
			error = atof(optarg) / 100;
		else
			period = atof(optarg);
	}
	if (argc - optind != 2 || trials < 1 || !(period >= 1))
		trial_fail("[-t TRIALS] [-e PERCENT] [-p CYCLES] [-c CORE] ELF TRUTH");
	truth_read(argv[optind + 1]);
	o = listing_open(argv[optind]);
	listing = *objdump_listing(o);
	if (!pc_count || blocks_of_image(&once, &listing, image, core_name) < 0)
		trial_fail("nothing to compare");
	printf("doubt\t%g\n", 100 * once.doubt);
	once_check(&once);
	image_set_once(image, &once);
	for (int i = 0; i < trials; i++) {
		weights_make(error);
		trial_run(period);
	}
	table_print(trials);
	objdump_free(o);
	image_free(image);
	return 0;
}
