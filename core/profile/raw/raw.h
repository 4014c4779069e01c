/*
 * raw: what a node said, by address, and what the user reset away. Private to core/profile.
 *
 * raw.c	life, call sites and PCs by address, counted arcs and samples
 * report.c	prof's reports of running totals
 * totals.c	wsn's running totals, one by one
 */
#ifndef WSNTOP_PROFILE_RAW_RAW_H
#define WSNTOP_PROFILE_RAW_RAW_H

#include "core/profile/profile.h"

static inline uint64_t profile_site_key(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

static inline uint64_t profile_site_key_of(const void *sites, uint32_t i)
{
	const struct profile_site *s = &((const struct profile_site *)sites)[i];

	return profile_site_key(s->from, s->to);
}

/* A site or PC by address: PROFILE_NONE, or made when it is not there (PROFILE_NONE: no memory). */
uint32_t profile_site_find(const struct profile *p, uint32_t from, uint32_t to);
uint32_t profile_site_get(struct profile *p, uint32_t from, uint32_t to);
uint32_t profile_pc_get(struct profile *p, uint32_t pc);

/* Sites went: their places by address anew. 0 or ERR_NOMEM. */
int profile_sites_index(struct profile *p);

/* Sites that are ROW_GONE are removed. Linear in the sites. 0 or ERR_NOMEM. */
int profile_sites_forget(struct profile *p);

/* Functions and edges are to be derived anew, from the first site on. */
void profile_forget_derived(struct profile *p);

/* What of a running total is from before the user's reset. */
static inline struct profile_base profile_site_base(const struct profile *p, uint32_t i)
{
	return i < p->site_bases ? p->site_base[i] : (struct profile_base){ 0, 0 };
}

static inline struct profile_base profile_pc_base(const struct profile *p, uint32_t i)
{
	return i < p->pc_bases ? p->pc_base[i] : (struct profile_base){ 0, 0 };
}

static inline uint64_t profile_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
