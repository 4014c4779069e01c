/*
 * sum: what the nodes of a shard, or of all shards, have counted together: calls and ticks of each
 * call site, by firmware build and site. Sums are of what nodes counted, not of functions: these,
 * self times and call graphs are derived from a sum as from a node's own counts (sum_profile), so
 * that all exports and rules take it.
 *
 * What is added is exact (64 bits; it stops at 2^63 instead of wrapping), and adding is
 * commutative: sums of shards make the sum of all, in any order.
 *
 * As text, JSON (wsn/sum/GROUP/SHARD and wsn/past/GROUP/SHARD/NODE/SITE, retained). Figures that
 * may pass 2^53, where JSON's readers round, are in texts:
 *
 *	{"by":"host-1a2b3c4d","epoch":0,"unknown":0,"doubtful":0,"refused":0,"parts":[
 *	 {"site":"plant1","build":"sum 00000000 1234 5678 9abc","arch":1,"features":1507,
 *	  "ticks_per_second":8000000,"hz":997,"cost":33,"skew":0,"spread":0,
 *	  "nodes":16,"ended":2,"run":"123456","rows":["s 1a2 3f0 12 3456"],
 *	  "functions":["3f0 16 5210345678 0101b10210 2a/351234567/1200"]}]}
 *
 * A row is its kind (s call site, a arc, p PC), from, to (hex), calls, ticks; functions are those
 * of shares.h, of the epochs that nodes are in. What is read is not believed: everything is
 * bounded, and what is malformed is refused as a whole.
 */
#ifndef WSNTOP_COLLECT_SUM_H
#define WSNTOP_COLLECT_SUM_H

#include "core/base/index.h"
#include "core/base/out.h"
#include "core/collect/members.h"
#include "core/collect/shares.h"
#include "core/profile/profile.h"
#include "core/wire/wire.h"

enum {
	SUM_PARTS = 64,			/* builds, by site and clock */
	SUM_ROWS = 4096,		/* call sites of one */
	SUM_BYTES = 16 << 20,		/* of a text */
	SUM_SITE = 256,
	SUM_BUILD = 64,			/* of sum_build_print */
};

/* Which firmware, as HELLO says. */
struct sum_build {
	enum wire_identity_kind kind;	/* SUM or BUILD_ID */
	uint32_t start, length;
	uint16_t a, b;
	uint8_t build_id[12];
};

/* Nodes whose counts may be added: the same firmware with the same clock. */
struct sum_key {
	char site[SUM_SITE];
	struct sum_build build;
	uint32_t ticks_per_second;
	uint16_t hz, features;
	uint8_t arch;
};

struct sum_row {
	uint64_t key;			/* from << 32 | to */
	enum wire_total_kind kind;
	uint64_t calls, total;		/* or samples; ticks */
};

struct sum_part {
	struct sum_key key;
	double cost, skew, spread;	/* HELLO's; the most of all nodes */
	uint64_t nodes;			/* that run it */
	uint64_t ended;			/* epochs of it that are over, and counted */
	uint64_t run;			/* ticks of all nodes, epochs that ended too */
	struct sum_row *rows;
	size_t count, cap;
	uint64_t beyond;		/* rows that found no room */
	struct index index[TOTAL_PC + 1];
	struct shares shares;		/* of nodes that run it */
};

struct sum {
	char by[MEMBER_ID];		/* who made it */
	unsigned epoch;			/* of a node's past: the newest epoch in it */
	uint64_t unknown;		/* nodes whose firmware is none of the ELFs */
	uint64_t doubtful;		/* nodes whose times cannot be, which are left out */
	uint64_t refused;		/* payloads */
	struct sum_part *parts[SUM_PARTS];
	size_t count;
	uint64_t beyond;		/* parts that found no room */
};

void sum_release(struct sum *s);	/* and empty; one that is all zero is empty */
size_t sum_memory(const struct sum *s);	/* bytes of heap */
bool sum_has_part(const struct sum *s, const struct sum_key *key);

/* The part of these nodes, a new one if need be. NULL: no room; counted. */
struct sum_part *sum_part(struct sum *s, const struct sum_key *key);

void sum_add(struct sum_part *p, enum wire_total_kind kind, uint32_t from, uint32_t to,
	     uint64_t calls, uint64_t total);
void sum_merge(struct sum *to, const struct sum *from);

/* `now` less `before`, by part and row; what became less is 0. Without shares of nodes. */
int sum_since(struct sum *out, const struct sum *now, const struct sum *before);

/* Shares of nodes, as they were: from the parts of `from` to those of `to` that have none. */
void sum_shares_move(struct sum *to, struct sum *from);

void sum_write(const struct sum *s, struct out *out);

/* Into an empty sum. 0, or negative with it empty: this is none, or no memory. */
int sum_read(struct sum *s, const void *data, size_t n);

/* False: a node that does not say its firmware, or not in this way. */
bool sum_build_of(struct sum_build *b, const struct wire_identity *identity);
bool sum_build_same(const struct sum_build *a, const struct sum_build *b);
void sum_build_identity(const struct sum_build *b, struct wire_identity *identity);
/* "1234abcd", "0011223344556677889900aa": a name for files, topics and labels. */
void sum_build_name(const struct sum_build *b, char *dst, size_t size);

/*
 * The functions, by `image` where it is not NULL. For sum_profile_free. NULL: no memory. The image
 * is to live as long as it.
 */
struct profile *sum_profile(const struct sum_part *p, const struct image *image);
void sum_profile_free(struct profile *p);

/* HELLO's terms of a part, as its profile has them. */
void sum_hello(const struct sum_part *p, struct wire_hello *hello);

#endif
