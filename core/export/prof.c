/*
 * The report of INGA's profiler (core/wire/prof/prof.h), as its node prints it: call sites, or PC
 * samples of a profile that has no times.
 */
#include "core/export/format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/mem.h"

static int site_by_callee(const void *a, const void *b, void *profile)
{
	const struct profile_site *sites = ((const struct profile *)profile)->sites;
	const struct profile_site *x = &sites[*(const uint32_t *)a];
	const struct profile_site *y = &sites[*(const uint32_t *)b];

	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return (x->from > y->from) - (x->from < y->from);
}

/* Colons part the fields. */
static void report_name(const struct export_source *s, struct out *out)
{
	static const char *const escapes[] = { ":_", " _", NULL };
	const char *name = s->profile->name && *s->profile->name ? s->profile->name : s->node;

	out_text(out, name && *name ? name : "wsntop", escapes);
}

static void site_print(const struct export_source *s, uint32_t index, const double *left,
		       struct out *out)
{
	struct profile_site site = export_site_left(s->profile, index, left);
	bool known = profile_site_range(&site);

	out_addf(out, "0x%" PRIx32 ":0x%" PRIx32 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64 ":%" PRIu64
		 "\n", site.from, site.to, site.calls, site.total, known ? site.min : 0,
		 known ? site.max : 0);
}

static int sites_print(const struct export_source *s, size_t timed, const bool *passing,
		       struct out *out)
{
	const struct profile *p = s->profile;
	uint32_t *order = mem_alloc((timed + 1) * sizeof(*order));
	double *left = NULL;
	size_t n = 0;

	if (!order || export_site_shares(p, &left) < 0) {
		mem_free(order);
		return ERR_NOMEM;
	}
	for (uint32_t i = 0; i < p->site_count; i++)
		if (p->sites[i].timed && export_edge_passes(p, p->sites[i].edge, passing))
			order[n++] = i;
	qsort_r(order, n, sizeof(*order), site_by_callee, (void *)(uintptr_t)p);
	out_adds(out, "PROF:");
	report_name(s, out);
	out_addf(out, ":%zu:%" PRIu64 ":%" PRIu64 ":%.0f\n", n,
		 p->terms.max_sites > n ? p->terms.max_sites : n + 1, p->ticks_run,
		 p->terms.ticks_per_second);
	for (size_t i = 0; i < n && !out_failed(out); i++)
		site_print(s, order[i], left, out);
	out_addc(out, '\n');
	mem_free(left);
	mem_free(order);
	return 0;
}

/* An AVR's PCs are words there. */
static void samples_print(const struct export_source *s, const bool *passing, struct out *out)
{
	const struct profile *p = s->profile;
	unsigned bytes = s->image && image_codemap(s->image)->arch == CODE_AVR ? 2 : 1;
	uint64_t samples = 0;
	size_t n = 0;

	for (size_t i = 0; i < p->pc_count; i++) {
		if (export_passes(p->pcs[i].function, passing)) {
			samples += p->pcs[i].count;
			n++;
		}
	}
	out_adds(out, "SPROF:");
	report_name(s, out);
	out_addf(out, ":%zu:%zu:%" PRIu64 "\n", n, n + 1, samples);
	for (size_t i = 0; i < p->pc_count && !out_failed(out); i++)
		if (export_passes(p->pcs[i].function, passing))
			out_addf(out, "0x%" PRIx32 ":%" PRIu64 "\n", p->pcs[i].pc / bytes,
				 p->pcs[i].count);
	out_addc(out, '\n');
}

int export_prof(const struct export_source *s, struct out *out, struct err *err)
{
	const struct profile *p = s->profile;
	size_t timed = 0;
	bool *passing;
	int ret = 0;

	for (size_t i = 0; i < p->site_count; i++)
		timed += p->sites[i].timed;
	if (!timed && !p->pc_count)
		return err_set(err, ERR_FORMAT, "prof: the profile has neither timed call sites "
			       "nor samples, which such a report is made of");
	if (export_passing(s, &passing) < 0)
		return ERR_NOMEM;
	if (timed)
		ret = sites_print(s, timed, passing, out);
	else
		samples_print(s, passing, out);
	mem_free(passing);
	return ret;
}
