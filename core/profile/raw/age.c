/*
 * age: what became of a row since it was read.
 *
 * A wsn node's rows come in turn (docs/PROTOCOL.md, 7), so that a caller's row and its callees' are
 * of different age. Self time is the small difference of their totals, and of rows of different age
 * it is anything. So each row is taken to one common time, the newest that the node told: it went
 * on since as it did when it came the last few times, by the node's own clock. What the node sent
 * stays as it was sent (calls, totals, ranges); self times alone are made of estimates (sum.c).
 *
 * A row that did not come had no change where the line has time for all of them: then only a row of
 * the refresh under way is still to come. Where the line is late it is overdue after twice the time
 * that it needed before.
 */
#include <string.h>

#include "core/base/mem.h"
#include "core/profile/raw/raw.h"

int profile_age_take(struct profile *p, uint32_t site, uint64_t run, uint64_t was)
{
	uint64_t total = p->sites[site].total;
	struct profile_age *a;

	if (site >= p->age_count) {
		if (mem_grow(&p->ages, &p->age_cap, site + 1, sizeof(*p->ages)) < 0) {
			p->dropped++;
			return ERR_NOMEM;
		}
		memset(p->ages + p->age_count, 0, (site + 1 - p->age_count) * sizeof(*p->ages));
		p->age_count = site + 1;
	}
	a = &p->ages[site];
	if (run > a->run) {
		/* It may come twice in a refresh: a short time alone says little. */
		a->gap = a->gap / 2 + (float)(run - a->run);
		a->more = a->more / 2 + (total > was ? (float)(total - was) : 0);
	}
	if (total < was)
		a->more = 0;		/* a correction */
	a->run = run;
	if (run > p->age_run)
		p->age_run = run;
	return 0;
}

double profile_age_late(const struct profile *p, uint32_t site)
{
	const struct profile_age *a;
	double age;

	if (site >= p->age_count)
		return 0;
	a = &p->ages[site];
	if (!a->run || a->run >= p->age_run)
		return 0;
	age = (double)(p->age_run - a->run);
	if (p->age_late ? age > 2 * (double)a->gap : a->run < p->age_before)
		return 0;
	return age * (double)(a->more / a->gap);
}
