/*
 * age: what a row was at another time than that of its reading.
 *
 * A wsn node's rows come in turn (docs/PROTOCOL.md, 7), so that a caller's row and its callees' are
 * of different age. Self time is the small difference of their totals, and of rows of different age
 * it is anything. So each row is taken to one common time, by the node's own clock. What the node
 * sent stays as it was sent (calls, totals, ranges); self times alone are made of estimates
 * (sum.c).
 *
 * The common time is that of the oldest row that matters: between two readings of a row its total
 * is known to a small part, after its last one it is a guess. Rows that hardly grow do not matter;
 * they go on as they did between their last two readings.
 *
 * A row that did not come had no change where the line has time for all of them: then only a row of
 * the refresh under way is still to come. Where the line is late it is overdue after twice the time
 * that it needed before.
 */
#include <math.h>
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/raw/raw.h"

/* A row that grew by less than this part of the run since it came does not matter. */
#define PART_OF_RUN 512

int profile_age_take(struct profile *p, uint32_t site, uint64_t run, uint64_t was)
{
	uint64_t base = profile_site_base(p, site).total, total = p->sites[site].total + base;
	struct profile_reading *r;

	if (site >= p->age_count) {
		if (mem_grow(&p->ages, &p->age_cap, site + 1, sizeof(*p->ages)) < 0) {
			p->dropped++;
			return ERR_NOMEM;
		}
		memset(p->ages + p->age_count, 0, (site + 1 - p->age_count) * sizeof(*p->ages));
		p->age_count = site + 1;
	}
	r = p->ages[site].readings;
	if (total < was + base)
		memset(r, 0, sizeof(p->ages[site].readings));	/* a correction */
	else if (run > r[0].run)
		memmove(&r[1], &r[0], sizeof(p->ages[site].readings) - sizeof(*r));
	r[0] = (struct profile_reading){ .run = run, .total = total };
	if (run > p->age_run)
		p->age_run = run;
	return 0;
}

static bool is_overdue(const struct profile *p, const struct profile_reading *r)
{
	return p->age_late ? p->age_run - r[0].run > 2 * (r[0].run - r[2].run) :
			     r[0].run < p->age_before;
}

double profile_age_newest(const struct profile *p, uint32_t site)
{
	const struct profile_reading *r;

	if (site >= p->age_count)
		return 0;
	r = p->ages[site].readings;
	return !r[0].run || is_overdue(p, r) ? 0 : (double)(p->age_run - r[0].run);
}

/* The total at a run, on the line through two readings. */
static double readings_line(const struct profile_reading *newer, double run)
{
	const struct profile_reading *older = newer + 1;
	double rate = newer->run > older->run ?
		      ((double)newer->total - (double)older->total) /
		      ((double)newer->run - (double)older->run) : 0;

	return (double)newer->total + (run - (double)newer->run) * rate;
}

void profile_age_settle(struct profile *p)
{
	double part = (double)p->age_run / PART_OF_RUN;

	p->age_common = p->age_run;
	for (size_t i = 0; i < p->age_count; i++) {
		const struct profile_reading *r = p->ages[i].readings;

		if (r[0].run && r[0].run < p->age_common && !is_overdue(p, r) &&
		    readings_line(r, (double)p->age_run) - (double)r[0].total > part)
			p->age_common = r[0].run;
	}
}

/* Before the first reading there was nothing: entries behind it are the start, 0 at run 0. */
double profile_age_late(const struct profile *p, uint32_t site, double *off)
{
	const struct profile_reading *r;
	double run = (double)p->age_common, total;
	size_t k = 0;

	*off = 0;
	if (site >= p->age_count)
		return 0;
	r = p->ages[site].readings;
	if (!r[0].run || r[0].run == p->age_common ||
	    (r[0].run < p->age_common && is_overdue(p, r)))
		return 0;
	while (k < PROFILE_READINGS - 2 && r[k + 1].run > p->age_common)
		k++;
	total = fmax(0, readings_line(&r[k], run));
	*off = fabs(total - (double)r[k].total);
	if (r[k].run > p->age_common)
		*off = fmin(*off, fabs(total - (double)r[k + 1].total));
	return total - (double)r[0].total;
}
