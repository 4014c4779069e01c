/*
 * raw: a node's counts by address, and what the user's reset subtracts from them. Private to
 * core/profile. feed.h takes the counts in, copy.h copies a computed profile.
 *
 * raw.c	life cycle, call sites and PCs by address, counted arcs and samples
 * report.c	prof's reports of running totals
 * totals.c	wsn's running totals, one by one
 * fine.c	calls by duration, finely, and paths.c: ways of calls; both of call traces
 * depths.c	bytes of stack, by function
 * spent.c	time of instructions, by address
 * age.c	how old their rows are, and what became of them since
 */
#ifndef WSNTOP_PROFILE_RAW_RAW_H
#define WSNTOP_PROFILE_RAW_RAW_H

#include "core/profile/raw/feed.h"

/* Running totals at the user's reset: the node counts on, the screen shows the rest. */
struct profile_base {
	uint64_t calls, total;
};

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

/*
 * age.c: the site's row came, read at this run; its total was `was` before. 0 or ERR_NOMEM. Before
 * a sum, the time that all rows are taken to. The ticks that the site's total differs by then, and
 * by how many that may be off. The ticks since its row came.
 */
int profile_age_take(struct profile *p, uint32_t site, uint64_t run, uint64_t was);
void profile_age_settle(struct profile *p);
double profile_age_late(const struct profile *p, uint32_t site, double *off);
double profile_age_newest(const struct profile *p, uint32_t site);

/* fine.c, paths.c */
void profile_fines_keep(struct profile *p, size_t sites);	/* of the first so many alone */
void profile_fines_rebase(struct profile *p);
int profile_fines_copy(struct profile *to, const struct profile *from);
void profile_fine_move(struct profile *p, size_t from, size_t to);
size_t profile_fines_memory(const struct profile *p);
void profile_paths_rebase(struct profile *p);

/* depths.c: functions get what is known of their stack, if anything is. */
void profile_depths_give(struct profile *p);

/* spent.c */
void profile_spent_rebase(struct profile *p);

/* After sites were removed: indexes the others again. 0 or ERR_NOMEM. */
int profile_sites_index(struct profile *p);

/* Removes the sites that are ROW_GONE. Linear in sites. 0 or ERR_NOMEM. */
int profile_sites_forget(struct profile *p);

/* The next profile_compute derives functions and edges again, from the first site on. */
void profile_forget_derived(struct profile *p);

/* The part of a running total from before the user's reset. */
static inline struct profile_base profile_site_base(const struct profile *p, uint32_t i)
{
	return i < p->site_bases ? p->site_base[i] : (struct profile_base){ 0, 0 };
}

static inline struct profile_base profile_pc_base(const struct profile *p, uint32_t i)
{
	return i < p->pc_bases ? p->pc_base[i] : (struct profile_base){ 0, 0 };
}

/* `heard` of a row that comes now: the number of its report, or the time of its total. */
static inline uint32_t profile_heard(const struct profile *p)
{
	return p->heard_ns ? profile_stamp(p->heard_ns) : p->generation;
}

static inline uint64_t profile_less(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

#endif
