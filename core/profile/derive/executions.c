#include "core/profile/derive/executions.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/mem.h"
#include "core/base/sorted.h"

#define Z95 1.959964			/* of the normal distribution: 95 % are within */
#define EXECUTIONS_APART 0.405		/* a factor of 1.5 */
#define MAD 1.4826			/* its standard deviation, in median absolute deviations */

/* Of a function of `once`. */
struct execution {
	double samples;			/* at its instructions that run once a call */
	double expected, noise;		/* calls by its callers, in samples a cycle; variance */
	bool few;			/* some caller has too few samples */
};

void executions_interval(double count, double *low, double *high)
{
	double above = count + 1;

	*low = count > 0 ? count * pow(1 - 1 / (9 * count) - Z95 / (3 * sqrt(count)), 3) : 0;
	*low = fmax(0, *low);
	*high = above * pow(1 - 1 / (9 * above) + Z95 / (3 * sqrt(above)), 3);
}

/* Samples at each function's instructions whose cycles are known. */
static void samples_gather(const struct profile *p, const struct once *once, struct execution *v)
{
	for (size_t i = 0; i < p->pc_count; i++) {
		uint64_t pc = p->pcs[i].pc & ~UINT64_C(1);
		size_t at = SORTED_FROM(once->pcs, once->pc_count, address, pc);

		if (at < once->pc_count && once->pcs[at].address == pc && once->pcs[at].cycles)
			v[once->pcs[at].function].samples += (double)p->pcs[i].count;
	}
}

/* --- callers against callees ------------------------------------------------------------------ */

static int ratio_before(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median_of(double *v, size_t count)
{
	qsort(v, count, sizeof(*v), ratio_before);
	return count % 2 ? v[count / 2] : (v[count / 2 - 1] + v[count / 2]) / 2;
}

static void callees_expect(const struct once *once, struct execution *v)
{
	for (size_t i = 0; i < once->pc_count; i++) {
		const struct once_pc *site = &once->pcs[i];
		const struct execution *caller = &v[site->function];
		double cycles = once->functions[site->function].cycles;

		if (site->callee == ONCE_NONE)
			continue;
		if (caller->samples < EXECUTIONS_LEAST) {
			v[site->callee].few = true;
			continue;
		}
		v[site->callee].expected += caller->samples / cycles;
		v[site->callee].noise += caller->samples / (cycles * cycles);
	}
}

/* `ratios` and `noises` have room for a number a function. */
static double spread_find(const struct once *once, const struct execution *v, double *ratios,
			  double *noises, uint32_t *count)
{
	uint32_t pairs = 0;
	double all, noise;

	for (size_t i = 0; i < once->function_count; i++) {
		const struct once_function *f = &once->functions[i];

		if (!f->sites || v[i].few || v[i].samples < EXECUTIONS_LEAST ||
		    !(v[i].expected > 0))
			continue;
		ratios[pairs] = fabs(log(v[i].samples / f->cycles / v[i].expected));
		noises[pairs] = 1 / v[i].samples + v[i].noise / (v[i].expected * v[i].expected);
		pairs++;
	}
	*count = pairs;
	if (pairs < EXECUTIONS_PAIRS)
		return NAN;
	all = MAD * median_of(ratios, pairs);
	noise = median_of(noises, pairs);
	/* Of few pairs not even the noise is known well. */
	return sqrt(fmax(all * all - noise, all * all / (double)pairs));
}

/* --- calls ------------------------------------------------------------------------------------ */

static struct profile_function *once_owner(struct profile *p, const struct once *once, size_t i)
{
	uint64_t address = once->functions[i].address;
	uint32_t id = once->functions[i].cycles ? image_find(p->image, address) : IMAGE_NONE;
	uint32_t f = id != IMAGE_NONE ? map_get(&p->function_index, id) : MAP_NONE;

	return f < p->function_count && p->functions[f].address == address ?
	       &p->functions[f] : NULL;
}

/* Cycles a sample, by the functions whose calls are counted; 0: too few samples. */
static double period_counted(struct profile *p, const struct once *once, const struct execution *v)
{
	double cycles = 0, samples = 0;

	for (size_t i = 0; i < once->function_count; i++) {
		const struct profile_function *f = once_owner(p, once, i);

		if (!f || !f->called || f->incomplete || v[i].samples < EXECUTIONS_LEAST)
			continue;
		cycles += (double)f->calls * once->functions[i].cycles;
		samples += v[i].samples;
	}
	return samples >= EXECUTIONS_COUNTED ? cycles / samples : 0;
}

/* Counts that begin later than the samples contradict what else tells it, and are left alone. */
static void period_find(struct profile *p, const struct once *once, const struct execution *v)
{
	double counted = period_counted(p, once, v), other = p->terms.cycles;

	p->ran.cycles = other;
	p->ran.by = (enum profile_cycles)p->terms.cycles_by;
	if (!(counted > 0))
		return;
	if (other > 0)
		p->ran.apart = counted / other;
	if (other > 0 && fabs(log(p->ran.apart)) > EXECUTIONS_APART)
		return;
	p->ran.cycles = counted;
	p->ran.by = CYCLES_COUNTED;
}

static void ran_set(struct profile_function *f, const struct execution *e, double per_sample,
		    const struct profile_ran *ran)
{
	double low, high, off = fmax(isnan(ran->spread) ? 0 : Z95 * ran->spread, log1p(ran->doubt));

	executions_interval(e->samples, &low, &high);
	f->ran.calls = e->samples * per_sample;
	/* Both errors are independent: their squares add up. */
	f->ran.low = fmax(0, f->ran.calls - hypot(f->ran.calls - low * per_sample,
						  f->ran.calls * (1 - exp(-off))));
	f->ran.high = f->ran.calls + hypot(high * per_sample - f->ran.calls,
					   f->ran.calls * (exp(off) - 1));
}

static void ran_set_all(struct profile *p, const struct once *once, const struct execution *v)
{
	for (size_t i = 0; i < once->function_count; i++) {
		struct profile_function *f = once_owner(p, once, i);

		if (!f || f->called || v[i].samples < EXECUTIONS_LEAST)
			continue;
		ran_set(f, &v[i], p->ran.cycles / once->functions[i].cycles, &p->ran);
		p->ran.count++;
	}
}

int profile_executions(struct profile *p)
{
	const struct once *once = p->image ? image_once(p->image) : NULL;
	struct execution *v;
	double *scratch;

	for (size_t i = 0; i < p->function_count; i++)
		p->functions[i].ran.calls = 0;
	p->ran = (struct profile_ran){ .spread = NAN, .apart = NAN };
	if (!once || !once->function_count || !p->pc_count)
		return 0;
	p->ran.doubt = once->doubt;
	v = mem_zalloc(once->function_count * sizeof(*v));
	scratch = mem_alloc(2 * once->function_count * sizeof(*scratch));
	if (v && scratch) {
		samples_gather(p, once, v);
		callees_expect(once, v);
		p->ran.spread = spread_find(once, v, scratch, scratch + once->function_count,
					    &p->ran.pairs);
		period_find(p, once, v);
		if (p->ran.cycles > 0)
			ran_set_all(p, once, v);
	}
	mem_free(scratch);
	mem_free(v);
	return v && scratch ? 0 : ERR_NOMEM;
}
