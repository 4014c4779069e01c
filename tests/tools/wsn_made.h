/*
 * wsn_made: a wsn node without firmware, for programs that make its stream: its counts grow, and it
 * sends their rows as docs/PROTOCOL.md says. Counts are kept in 64 bits; what is sent has the
 * widths of the node's: 24 bits for an AVR's calls and buckets, 32 for its totals, for a
 * Cortex-M's calls, for arcs, PCs, and for the sums of closed counts.
 *
 *	sites 0..N-1 in their slots | their extensions | 4 arcs that stay, 1 slot for others | 4 PCs
 *
 * The same settings make the same stream.
 */
#ifndef WSNTOP_TESTS_WSN_MADE_H
#define WSNTOP_TESTS_WSN_MADE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/varint.h"
#include "core/wire/wire.h"
#include "core/wire/wsn/wsn.h"

enum {
	MADE_TICKS_PER_S = 1000000, MADE_BODY = 57, MADE_ROW = 100,
	MADE_ARCS = 12, MADE_ARC_SLOTS = 5, MADE_PCS = 4,
	MADE_BUCKET_FIRST = 4, MADE_BUCKET_STEP = 2,
};

struct made_site {
	uint64_t calls, total, min, max, bucket[WIRE_BUCKETS];
	uint32_t extension;		/* its slot; 0: none yet */
	bool extended;			/* it grew, and was not sent */
};

struct made_node {
	/* set before the first frame */
	uint32_t id, sites, random;
	uint32_t identity[3];		/* where a checksum begins, its length, its sums; 0: none */
	uint16_t epoch;
	bool avr, buckets, counted;	/* counted: arcs and PCs, too */
	uint32_t calls_most, ticks_most;	/* of a site between two of its rows; a call's */
	uint32_t counts_most;		/* of an arc or a PC */
	size_t body;			/* bytes of a frame's body at most; 0: MADE_BODY */
	void (*put)(void *ctx, const uint8_t *bytes, size_t n);	/* a frame */
	void *ctx;

	struct made_site *site;
	uint64_t arc[MADE_ARCS], pc[MADE_PCS];	/* counts of all time */
	uint64_t arc_slot;		/* count in the slot that arcs take turns in */
	uint32_t arc_in, extensions, next;	/* next: site whose row is sent next */
	uint32_t *owner;		/* of an extension, by its slot less `sites` */
	uint64_t run, closed, wrapped;	/* ticks; sum of closed counts; buckets that wrapped */
	uint64_t frames, rows;
	uint8_t seq;
	uint8_t block[WSN_BLOCK_MAX];
	size_t n;
};

static inline uint32_t made_random(struct made_node *d)
{
	d->random ^= d->random << 13;
	d->random ^= d->random >> 17;
	d->random ^= d->random << 5;
	return d->random;
}

static inline void made_begin(struct made_node *d)
{
	d->random = d->random ? d->random : 4711;
	d->body = d->body ? d->body : MADE_BODY;
	d->site = calloc(d->sites, sizeof(*d->site));
	d->owner = calloc(d->sites, sizeof(*d->owner));
	if (!d->site || !d->owner)
		abort();
}

/* A new epoch: all counts are 0. */
static inline void made_reset(struct made_node *d)
{
	d->epoch++;
	memset(d->site, 0, d->sites * sizeof(*d->site));
	memset(d->arc, 0, sizeof(d->arc));
	memset(d->pc, 0, sizeof(d->pc));
	d->arc_slot = d->run = d->closed = d->wrapped = 0;
	d->arc_in = d->extensions = d->next = 0;
}

/* --- frames ----------------------------------------------------------------------------------- */

static inline void made_frame(struct made_node *d, enum wsn_type type)
{
	d->block[0] = (uint8_t)((unsigned)type | (unsigned)(d->epoch & 7) << 5);
	d->n = 2;
}

static inline void made_frame_end(struct made_node *d)
{
	uint8_t coded[WSN_FRAME_MAX];
	size_t n;

	d->block[1] = d->seq++;
	n = wsn_wrap(coded, d->block, d->n);
	d->frames++;
	d->put(d->ctx, coded, n);
}

static inline void made_number(struct made_node *d, uint64_t x)
{
	d->n += varint_put(d->block + d->n, x);
}

static inline void made_fixed(struct made_node *d, uint64_t x, int bytes)
{
	for (; bytes--; x >>= 8)
		d->block[d->n++] = (uint8_t)x;
}

static inline unsigned made_features(const struct made_node *d)
{
	return WSN_F_TIMED | WSN_F_MINMAX | WSN_F_SITES | WSN_F_RUNNING |
	       (d->buckets ? WSN_F_HISTOGRAM : 0u) |
	       (d->counted ? WSN_F_ARCS | WSN_F_PCS : 0u);
}

static inline void made_hello(struct made_node *d)
{
	made_frame(d, WSN_HELLO);
	made_fixed(d, WSN_VERSION | (d->avr ? WSN_ARCH_AVR : WSN_ARCH_ARMV7M) << 8, 2);
	made_fixed(d, made_features(d), 2);
	made_fixed(d, 2 | (MADE_BUCKET_FIRST | MADE_BUCKET_STEP << 4) << 8, 2);
	made_fixed(d, MADE_TICKS_PER_S, 4);
	made_fixed(d, d->counted ? 1000 : 0, 2);		/* samples a second */
	made_fixed(d, 0, 6);			/* cost, skew, spread */
	made_fixed(d, d->sites > 32767 ? 65535 : 2 * d->sites, 2);
	made_fixed(d, 0, 2);
	made_fixed(d, d->counted ? MADE_ARC_SLOTS : 0, 2);
	made_fixed(d, d->counted ? MADE_PCS : 0, 2);
	made_fixed(d, 0, 4);			/* base */
	made_fixed(d, d->id, 4);
	made_fixed(d, d->epoch, 2);
	made_fixed(d, d->identity[1] ? WIRE_IDENTITY_SUM : WIRE_IDENTITY_NONE, 1);
	for (int i = 0; i < 3; i++)
		made_fixed(d, d->identity[i], 4);
	made_frame_end(d);
}

static inline void made_status(struct made_node *d)
{
	made_frame(d, WSN_STATUS);
	made_number(d, d->run & UINT32_MAX);
	made_number(d, d->run >> 32);
	for (int field = 2; field < 8; field++)
		made_number(d, 0);
	made_number(d, (uint32_t)d->wrapped);
	for (int field = 9; field < 12; field++)
		made_number(d, 0);
	made_number(d, (uint32_t)d->closed);
	made_number(d, 0);
	made_frame_end(d);
}

/* --- call sites ------------------------------------------------------------------------------- */

static inline uint32_t made_from(uint32_t site)	/* in units */
{
	return 0x40000 + site * 13;
}

static inline uint32_t made_to(const struct made_node *d, uint32_t site)
{
	return 0x800 + site % (d->sites / 8 + 1) * 24;
}

static inline unsigned made_bucket(uint32_t ticks)
{
	unsigned i = 0;

	while (i < WIRE_BUCKETS - 1 && ticks >= 1u << (MADE_BUCKET_FIRST + i * MADE_BUCKET_STEP))
		i++;
	return i;
}

/* The node works between two rows of a site: some calls of it, of one duration. */
static inline void made_work(struct made_node *d, uint32_t i)
{
	struct made_site *s = &d->site[i];
	/* Few are called often. */
	uint32_t most = d->calls_most / (i / 4 + 1) + 50;
	uint32_t calls = made_random(d) % most + 1;
	uint32_t each = made_random(d) % d->ticks_most + 3;
	uint64_t calls_high = s->calls >> 24, total_high = s->total >> 32;
	uint64_t *bucket = &s->bucket[made_bucket(each)], full = *bucket >> 24;

	s->calls += calls;
	s->total += (uint64_t)calls * each;
	s->min = !s->min || each < s->min ? each : s->min;
	s->max = each > s->max ? each : s->max;
	*bucket += calls;
	if (!d->avr)
		return;
	d->wrapped += d->buckets ? (*bucket >> 24) - full : 0;
	if (s->calls >> 24 == calls_high && s->total >> 32 == total_high)
		return;
	if (!s->extension) {
		d->owner[d->extensions] = i;
		s->extension = d->sites + d->extensions++;
	}
	s->extended = true;
}

static inline void made_times(struct made_node *d, const struct made_site *s, uint64_t total)
{
	uint64_t mask = d->avr ? (1 << 24) - 1 : UINT32_MAX;

	made_number(d, total);
	made_number(d, s->min);
	made_number(d, s->max);
	for (int k = 0; k < WIRE_BUCKETS && d->buckets; k++)
		made_number(d, s->bucket[k] & mask);
}

static inline void made_row(struct made_node *d, uint32_t i)
{
	const struct made_site *s = &d->site[i];

	made_work(d, i);
	made_number(d, made_from(i));
	made_number(d, made_to(d, i));
	made_number(d, s->calls & (d->avr ? (1 << 24) - 1 : UINT32_MAX));
	made_times(d, s, d->avr ? s->total & UINT32_MAX : s->total);
}

static inline void made_extension(struct made_node *d, uint32_t i)
{
	static const struct made_site none;
	struct made_site *s = &d->site[i];

	s->extended = false;
	made_number(d, i);
	made_number(d, 0);		/* the base */
	made_number(d, s->calls >> 24);
	made_times(d, &none, s->total >> 32);
}

/* Row by row until the frame is full, or `end`. The first slot behind it. */
static inline uint32_t made_rows(struct made_node *d, uint32_t from, uint32_t end)
{
	uint32_t slot = 0;

	made_frame(d, WSN_SITES);
	for (; from < end; from++) {
		size_t before = d->n;

		if (from >= d->sites && !d->site[d->owner[from - d->sites]].extended)
			continue;
		if (before > 2 && before + (d->buckets ? MADE_ROW : 36) > d->body)
			break;
		made_number(d, from - slot);
		slot = from + 1;
		if (from < d->sites)
			made_row(d, from);
		else
			made_extension(d, d->owner[from - d->sites]);
		d->rows++;
	}
	if (d->n > 2)
		made_frame_end(d);
	return from;
}

/* --- arcs and PCs ----------------------------------------------------------------------------- */

static inline void made_arc(struct made_node *d, uint32_t slot, uint32_t key, uint64_t count)
{
	made_number(d, slot);
	made_number(d, 0x20000 + key * 16);
	made_number(d, 0x30000 + key * 16);
	made_number(d, (uint32_t)count);
}

/* What stood in the last slot leaves it; its count is told once. */
static inline void made_close(struct made_node *d)
{
	uint32_t key = MADE_ARC_SLOTS - 1 + d->arc_in;

	if (d->arc_slot) {
		made_frame(d, WSN_CLOSED_ARCS);
		made_number(d, (uint32_t)d->closed);
		made_number(d, 0x20000 + key * 16);
		made_number(d, 0x30000 + key * 16);
		made_number(d, d->arc_slot);
		made_frame_end(d);
	}
	d->closed += d->arc_slot;
	d->arc_slot = 0;
	d->arc_in = (d->arc_in + 1) % (MADE_ARCS - MADE_ARC_SLOTS + 1);
}

static inline void made_counts(struct made_node *d)
{
	uint32_t key;

	for (int i = 0; i < MADE_ARC_SLOTS - 1; i++)
		d->arc[i] += made_random(d) % d->counts_most + 1;
	for (int i = 0; i < MADE_PCS; i++)
		d->pc[i] += made_random(d) % d->counts_most + 1;
	made_close(d);
	key = MADE_ARC_SLOTS - 1 + d->arc_in;
	d->arc_slot = made_random(d) % d->counts_most + 1;
	d->arc[key] += d->arc_slot;
	for (uint32_t slot = 0; slot < MADE_ARC_SLOTS; slot++) {
		made_frame(d, WSN_ARCS);
		if (slot < MADE_ARC_SLOTS - 1)
			made_arc(d, slot, slot, d->arc[slot]);
		else
			made_arc(d, slot, key, d->arc_slot);
		made_frame_end(d);
	}
	made_frame(d, WSN_PCS);
	for (uint32_t i = 0; i < MADE_PCS; i++) {
		made_number(d, 0);
		made_number(d, 0x38000 + i * 8);
		made_number(d, (uint32_t)d->pc[i]);
	}
	made_frame_end(d);
}

/* --- the node --------------------------------------------------------------------------------- */

/* The next frame of its rows, in turn; behind the last one of a turn extensions and counts. */
static inline void made_next(struct made_node *d)
{
	d->next = made_rows(d, d->next, d->sites);
	if (d->next < d->sites)
		return;
	d->next = 0;
	for (uint32_t at = d->sites; at < d->sites + d->extensions;)
		at = made_rows(d, at, d->sites + d->extensions);
	if (d->counted)
		made_counts(d);
}

/* What it counted, in full: "site FROM TO CALLS TOTAL BUCKETS..", "arc .. COUNT", "pc .. COUNT". */
static inline void made_truth(const struct made_node *d, FILE *f)
{
	for (uint32_t i = 0; i < d->sites; i++) {
		const struct made_site *s = &d->site[i];

		if (!s->calls)
			continue;
		fprintf(f, "site %u %u %llu %llu", made_from(i) * 2, made_to(d, i) * 2,
			(unsigned long long)s->calls, (unsigned long long)s->total);
		for (int k = 0; k < WIRE_BUCKETS && d->buckets; k++)
			fprintf(f, " %llu", (unsigned long long)s->bucket[k]);
		fprintf(f, "\n");
	}
	for (uint32_t i = 0; i < MADE_ARCS && d->counted; i++)
		fprintf(f, "arc %u %u %llu\n", (0x20000 + i * 16) * 2, (0x30000 + i * 16) * 2,
			(unsigned long long)d->arc[i]);
	for (uint32_t i = 0; i < MADE_PCS && d->counted; i++)
		fprintf(f, "pc %u %llu\n", (0x38000 + i * 8) * 2, (unsigned long long)d->pc[i]);
	fprintf(f, "run %llu\n", (unsigned long long)d->run);
}

#endif
