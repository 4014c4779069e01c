/*
 * feed: a node's counts enter its profile: single events, reports, running totals. Addresses are
 * as on the wire. Nothing is derived before profile_compute.
 *
 * A call to profile_add_arcs costs 36 instructions an arc that is known (bench_profile).
 */
#ifndef WSNTOP_PROFILE_RAW_FEED_H
#define WSNTOP_PROFILE_RAW_FEED_H

#include "core/profile/profile.h"

/* Firmware has fewer. A stream that is none, or made to harm, has ever new ones. */
enum { PROFILE_SITES_MAX = 1 << 20, PROFILE_PCS_MAX = 1 << 20 };

/* Counted arcs and PC samples: each adds one. Without memory it is counted in p->dropped. */
void profile_add_arcs(struct profile *p, const struct wire_arc *arcs, size_t n);
void profile_add_samples(struct profile *p, const uint32_t *pcs, size_t n);

/*
 * A report of running totals replaces the one before: its rows renew their sites. Sites that it
 * does not name are removed if it is complete, else they stay, marked ROW_STALE. 32-bit counters
 * that wrapped since the last report are carried on. `strict` (batch): the report alone and as
 * announced: nothing of an older one stays, and rows beyond the announced number (a live table
 * grows while it is being printed) are counted in p->beyond, not taken. 0 or ERR_NOMEM.
 */
int profile_take_report(struct profile *p, const struct wire_report *report, bool strict);

/*
 * wsn (docs/PROTOCOL.md): the node's HELLO, each time it comes; the ticks profiled; and running
 * totals, which replace those of the same kind and addresses. Kinds may mix. Where a call site and
 * an arc count the same call (the same return address, the same function) the site counts. A
 * handler (ROW_HANDLER) has no caller: its edge's `from` is PROFILE_NONE, and its time is not
 * charged to other functions, because the node subtracts it from the interrupted one. A total that
 * is ROW_GONE is removed. 0 or ERR_NOMEM.
 */
void profile_take_hello(struct profile *p, const struct wire_hello *hello);
void profile_take_run(struct profile *p, uint64_t ticks);

/* Samples that met the processor asleep: their time is the program's run, and no function's. */
void profile_add_asleep(struct profile *p, uint64_t n);

/* Samples a second, of all time in which some were taken: those before count as much. */
void profile_take_rate(struct profile *p, double hz);

/* Cycles of the processor that a sample stands for, likewise; 0: not known. */
void profile_take_cycles(struct profile *p, double cycles, enum profile_cycles by);

/* Of times that no hello dates: ticks a second, and the bounds of their histograms. */
void profile_take_clock(struct profile *p, double ticks_per_second, const uint64_t *bucket_below);
void profile_take_age(struct profile *p, const struct wire_status *status);	/* what now is */
int profile_take_totals(struct profile *p, const struct wire_total *totals, size_t n);

/*
 * Of a call trace: LENGTHS calls by duration (lengths.h) of a site that has its totals; and all
 * ways of calls, `anew` if they are not those of the time before. 0 or ERR_NOMEM.
 */
int profile_take_fine(struct profile *p, uint32_t from, uint32_t to, const uint32_t *calls);
int profile_take_paths(struct profile *p, const struct profile_path *paths, size_t n, bool anew);

/* What the stack took, by function; each replaces what was of that one. 0 or ERR_NOMEM. */
int profile_take_depths(struct profile *p, const struct wire_depth *depths, size_t n);

/* What instructions took, by address; running totals as well. 0 or ERR_NOMEM. */
int profile_take_spent(struct profile *p, const struct wire_spent *spent, size_t n);

/* We saw the node's counters start: new rows may enter the rates at once. */
void profile_seen_from_start(struct profile *p);

#endif
