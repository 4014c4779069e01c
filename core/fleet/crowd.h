/*
 * crowd: many nodes, each in about 3 KB: who it is, what it runs, what it had counted when it was
 * last heard, and the time before. What a screen of all nodes, a sum over them and a comparison of
 * two builds read. A whole model of a node (core/node) is for the one that somebody looks at.
 *
 * Fed with keyframes: payloads that have a node whole, as frames of the wsn protocol (HELLO, NAME,
 * closed counts, rows, STATUS: core/mqtt/topic.h, `k`). Each is decoded by core/wire. Running
 * totals replace those before, so that a keyframe that comes twice, or late, adds nothing:
 *
 *	keyframe ---> same epoch, more run      TAKEN: `last` becomes `before`
 *	              same epoch, same counts   AGAIN: it was heard, that is all
 *	              earlier by its time, or by its run in that epoch     OLD
 *	              another epoch             TAKEN: `before` is 0 of everything
 *	              another build             TAKEN, and the last table of the old one is kept
 *
 * A node is not believed: payloads of another id, without a HELLO or a STATUS, with frames damaged
 * or missing are refused and counted, and so is an identity that changes within an epoch. Memory is
 * bounded, for all nodes together, and with others where it draws from their quota: who finds no
 * room is refused and counted, and nodes that are there keep what they have.
 *
 * Bytes a node: 36 a site, and about 260. Bytes a build: 24 a site, 16 a function, and indices.
 * Nothing here blocks; no clock is read.
 */
#ifndef WSNTOP_FLEET_CROWD_H
#define WSNTOP_FLEET_CROWD_H

#include "core/base/quota.h"
#include "core/fleet/build.h"

#define CROWD_NONE UINT32_MAX

enum {
	CROWD_SITES = 4096,		/* of a node */
	CROWD_NAME = 32,		/* bytes of a node's name, with the NUL */
	CROWD_PLACES = 4096,		/* sites' topics */
};

/* All of it 0: as built in. */
struct crowd_limits {
	struct quota *quota;		/* outlives it; NULL: one of its own, of ... */
	size_t bytes;			/* ... so many; 0: 256 MB */
	/* What whoever asks keeps of a node and of a row besides: it counts here. */
	size_t node_beside, row_beside;
	uint64_t seed;			/* of the index: nodes choose their ids (index.h) */
	size_t nodes;			/* 0: 65,536 */
	size_t builds;			/* 0: 64 */
	/*
	 * Asked once for each build, when its first node comes: its ELF, or NULL. Borrowed for the
	 * life of the crowd. Images must not come later: rows are read by them.
	 */
	const struct image *(*image)(void *ctx, const struct wire_identity *identity);
	void *ctx;
};

enum crowd_result {
	CROWD_TAKEN,
	CROWD_AGAIN,
	CROWD_OLD,
	/* refused: */
	CROWD_FOREIGN,			/* the HELLO has another id than the one given */
	CROWD_DAMAGED,			/* no HELLO, no STATUS, frames damaged or missing */
	CROWD_CHANGED,			/* another identity within an epoch */
	CROWD_MANY_SITES,		/* more than CROWD_SITES, or BUILD_SITES of the build */
	CROWD_MANY_NODES,
	CROWD_MANY_BUILDS,		/* or CROWD_PLACES */
	CROWD_NO_ROOM,			/* beyond the quota, or no memory */
	CROWD_RESULTS
};

/* About a payload, by who received it. */
struct crowd_heard {
	const char *place;		/* site's topic, "plant1"; ids are unique within one */
	uint32_t id;			/* the topic's */
	uint64_t heard_ns;		/* clock_now() */
	uint64_t told_us;		/* property t: microseconds since 1970; 0: not told, */
	uint64_t seen_us;		/* then by the clock of who saw it; 0: it is not of now */
	bool late;			/* property s: it was spooled */
};

/* When a table was made, on the node's clock: ticks since its epoch began. */
struct crowd_moment {
	uint64_t run;			/* STATUS */
	uint64_t hooks;			/* in hooks and in sending, which the run does not have */
	uint64_t told_us;		/* 0: not told */
};

enum crowd_when {
	CROWD_LAST,			/* since the epoch began */
	CROWD_BEFORE,			/* the same at the keyframe before, 0 where there is none */
	CROWD_SINCE,			/* last less before */
	CROWD_FORMER,			/* the last table of the former build, in its functions */
};

/* Rows by ascending site of the build. */
struct crowd_rows {
	size_t count;
	const uint32_t *sites;
	const uint64_t *calls, *total;	/* running totals: calls or samples, ticks */
	const uint64_t *calls_before, *total_before;
};

struct crowd_former {
	uint32_t build;
	uint16_t epoch;
	uint16_t hz;
	double ticks_per_second;
	struct crowd_moment last;
	size_t count;			/* private: rows */
	uint64_t rows[];
};

struct crowd_node {
	uint32_t id;
	uint32_t build;			/* crowd_build */
	uint16_t place;			/* crowd_place */
	uint16_t epoch;
	uint16_t hz;			/* of PC samples; 0: none */
	uint8_t arch;			/* enum wsn_arch */
	char name[CROWD_NAME];		/* made visible; "": it has none */
	double ticks_per_second;
	uint64_t heard_ns;		/* taken or again */
	struct crowd_moment last, before;
	uint64_t since_us;		/* its epoch began then, or before; 0: not known */
	uint64_t missing;		/* calls and samples that its counts lack, this epoch */
	uint32_t taken, epochs;		/* keyframes; epochs of which one was heard */
	struct crowd_former *former;	/* NULL: it ran no other build */

	/* private */
	uint16_t ended;			/* the epoch before; with epochs > 1 */
	uint8_t doubts;			/* keyframes in turn that were OLD, each behind the other */
	uint16_t doubt_epoch;
	uint64_t doubt_run;
	uint64_t sum;			/* of the rows that came last */
	uint32_t row_count;
	uint64_t *rows;			/* calls, total, both before, then sites: one block */
};

struct crowd_tally {
	uint64_t by[CROWD_RESULTS];	/* payloads */
	uint64_t formers_lost;		/* tables of former builds that found no room */
};

/* Of a function on a node. */
struct crowd_cost {
	double calls;			/* or samples, where there are no calls */
	double self_s;			/* seconds; NaN: not known (arcs alone) */
};

struct crowd;

struct crowd *crowd_new(const struct crowd_limits *limits);	/* NULL: no memory */
void crowd_free(struct crowd *c);

enum crowd_result crowd_feed(struct crowd *c, const struct crowd_heard *heard, const void *data,
			     size_t n);

/* A node whose stream is decoded already: what HELLO, STATUS and rows told, each site once. */
struct crowd_model {
	const struct wire_hello *hello;
	const struct wire_status *status;
	const struct wire_total *totals;
	size_t count;
};

enum crowd_result crowd_feed_model(struct crowd *c, const struct crowd_heard *heard,
				   const struct crowd_model *model);

const char *crowd_result_text(enum crowd_result r);	/* "the HELLO of another node" */

/* Nodes keep their numbers and addresses; so do builds. */
size_t crowd_count(const struct crowd *c);
const struct crowd_node *crowd_node(const struct crowd *c, size_t node);
size_t crowd_find(const struct crowd *c, const char *place, uint32_t id);	/* CROWD_NONE */
const char *crowd_place(const struct crowd *c, unsigned place);
struct crowd_rows crowd_rows(const struct crowd_node *n);

size_t crowd_builds(const struct crowd *c);
struct build *crowd_build(const struct crowd *c, uint32_t build);	/* settled */

/* An image told other names: functions have other numbers from now on. */
void crowd_rename(struct crowd *c);

/*
 * What each function of the node's build (of the former one for CROWD_FORMER) took: *costs has room
 * for its function_count. Returns the sum of self times, 100 % of shares; 0: there is none, or
 * nothing is known of that time (all costs 0, then).
 */
double crowd_costs(const struct crowd *c, size_t node, enum crowd_when when,
		   struct crowd_cost *costs);

/* Seconds profiled in that time; and in hooks and in sending besides, but not of CROWD_FORMER. */
double crowd_run(const struct crowd_node *n, enum crowd_when when);
double crowd_hooks(const struct crowd_node *n, enum crowd_when when);

void crowd_tally(const struct crowd *c, struct crowd_tally *tally);
size_t crowd_memory(const struct crowd *c);	/* bytes of heap, as the quota counts them */

#endif
