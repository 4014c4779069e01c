/*
 * crowd, build: many nodes by their keyframes. What comes twice, late or in another order adds
 * nothing; self times are those of the profile; the former build's table stays; memory is bounded.
 */
#include "tests/unit/image_made.h"
#include "tests/unit/unit.h"
#include "tests/unit/wsn_stream.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/fleet/crowd.h"
#include "core/profile/profile.h"
#include "core/profile/raw/feed.h"

#define HZ 8e6				/* the streams' ticks a second */

static enum crowd_result script_feed(struct crowd *c, const char *place, uint32_t id, uint64_t us,
				     const char *script)
{
	const struct crowd_heard heard = {
		.place = place, .id = id, .heard_ns = us * 1000 + 1, .told_us = us,
	};
	struct stream s = { .out = BUF_INIT };
	enum crowd_result r;

	stream_script(&s, script);
	r = crowd_feed(c, &heard, s.out.data, s.out.len);
	stream_release(&s);
	return r;
}

/* main 0x200 calls f 0x400, which calls g 0x600; f and g are in all `f` and `g` ticks. */
#define ROWS(run, calls, f, g) \
	"S 0 0x110 0x200 " #calls " " #f " 1 9 0 0x210 0x300 " #calls " " #g " 1 9|T " #run

static void assert_cost(const struct crowd *c, size_t node, enum crowd_when when, uint64_t address,
			double calls, double self_ticks)
{
	const struct crowd_node *n = crowd_node(c, node);
	const struct build *b = crowd_build(c, when == CROWD_FORMER ? n->former->build : n->build);
	struct crowd_cost costs[64];

	assert_true(b->function_count <= COUNT(costs));
	crowd_costs(c, node, when, costs);
	for (size_t i = 0; i < b->function_count; i++) {
		if (b->functions[i].address != address)
			continue;
		assert_true(costs[i].calls == calls);
		assert_true(fabs(costs[i].self_s * HZ - self_ticks) < 1e-6);
		return;
	}
	fail_msg("no function at %#llx", (unsigned long long)address);
}

static void a_node_is_who_it_says(void **state)
{
	struct crowd *c = crowd_new(NULL);
	const struct crowd_node *n;

	(void)state;
	assert_int_equal(script_feed(c, "plant1", 7, 5000, "H e=3|N pump|" ROWS(1000, 4, 800, 200)),
			 CROWD_TAKEN);
	assert_int_equal(crowd_count(c), 1);
	n = crowd_node(c, 0);
	assert_int_equal(n->id, 7);
	assert_string_equal(n->name, "pump");
	assert_string_equal(crowd_place(c, n->place), "plant1");
	assert_int_equal(n->epoch, 3);
	assert_int_equal(n->last.run, 1000);
	assert_int_equal(n->last.told_us, 5000);
	assert_int_equal(crowd_build(c, n->build)->identity.kind, WIRE_IDENTITY_SUM);
	assert_int_equal(crowd_build(c, n->build)->identity.a, 0x1234);
	assert_true(crowd_run(n, CROWD_LAST) == 1000 / HZ);
	assert_int_equal(crowd_find(c, "plant1", 7), 0);
	assert_int_equal(crowd_find(c, "plant2", 7), CROWD_NONE);
	assert_int_equal(crowd_find(c, "plant1", 8), CROWD_NONE);
	crowd_free(c);
}

static void a_difference_is_of_two_keyframes(void **state)
{
	struct crowd *c = crowd_new(NULL);

	(void)state;
	script_feed(c, "p", 7, 1, "H|" ROWS(1000, 4, 800, 200));
	assert_int_equal(script_feed(c, "p", 7, 2, "H|" ROWS(3000, 14, 2800, 700)), CROWD_TAKEN);
	assert_cost(c, 0, CROWD_LAST, 0x400, 14, 2100);
	assert_cost(c, 0, CROWD_LAST, 0x600, 14, 700);
	assert_cost(c, 0, CROWD_BEFORE, 0x400, 4, 600);
	assert_cost(c, 0, CROWD_SINCE, 0x400, 10, 1500);
	assert_cost(c, 0, CROWD_SINCE, 0x600, 10, 500);
	assert_true(crowd_run(crowd_node(c, 0), CROWD_SINCE) == 2000 / HZ);
	/* a row that is new, and two that are not told again */
	assert_int_equal(script_feed(c, "p", 7, 3, "H|S 0 0x210 0x500 5 50 1 9|T 4000"),
			 CROWD_TAKEN);
	assert_cost(c, 0, CROWD_SINCE, 0x400, 0, 0);
	assert_cost(c, 0, CROWD_SINCE, 0xa00, 5, 50);
	assert_cost(c, 0, CROWD_LAST, 0x400, 14, 2050);
	assert_int_equal(crowd_rows(crowd_node(c, 0)).count, 3);
	assert_int_equal(script_feed(c, "p", 7, 3, "H|S 0 0x210 0x500 5 50 1 9|T 4000"),
			 CROWD_AGAIN);
	assert_cost(c, 0, CROWD_SINCE, 0xa00, 5, 50);
	crowd_free(c);
}

/* Each order of feeding, with each payload also twice: the newest counts stand, and are one. */
static void order_and_copies_add_nothing(void **state)
{
	static const char *const payloads[] = {
		"H e=1|" ROWS(1000, 4, 800, 200), "H e=1|" ROWS(2000, 8, 1600, 400),
		"H e=2|" ROWS(500, 2, 400, 100), "H e=2|" ROWS(900, 6, 700, 160),
	};
	static const int orders[][4] = {
		{ 0, 1, 2, 3 }, { 3, 2, 1, 0 }, { 1, 0, 3, 2 }, { 2, 0, 3, 1 }, { 0, 3, 1, 2 },
	};

	(void)state;
	for (size_t o = 0; o < COUNT(orders); o++) {
		for (int copies = 1; copies <= 3; copies++) {
			struct crowd *c = crowd_new(NULL);

			for (int i = 0; i < 4 * copies; i++) {
				int k = orders[o][i / copies];

				script_feed(c, "p", 7, 100 + (uint64_t)k, payloads[k]);
			}
			assert_int_equal(crowd_count(c), 1);
			assert_int_equal(crowd_node(c, 0)->last.run, 900);
			assert_cost(c, 0, CROWD_LAST, 0x400, 6, 540);
			assert_cost(c, 0, CROWD_LAST, 0x600, 6, 160);
			crowd_free(c);
		}
	}
}

static void what_is_not_new_is_said(void **state)
{
	struct crowd *c = crowd_new(NULL);

	(void)state;
	/* without times: by its run */
	assert_int_equal(script_feed(c, "p", 7, 0, "H e=1|" ROWS(1000, 4, 800, 200)), CROWD_TAKEN);
	assert_int_equal(script_feed(c, "p", 7, 0, "H e=1|" ROWS(1000, 4, 800, 200)), CROWD_AGAIN);
	assert_int_equal(script_feed(c, "p", 7, 0, "H e=1|" ROWS(900, 3, 700, 200)), CROWD_OLD);
	assert_int_equal(script_feed(c, "p", 7, 0, "H e=2|" ROWS(90, 3, 70, 20)), CROWD_TAKEN);
	assert_int_equal(script_feed(c, "p", 7, 0, "H e=1|" ROWS(1000, 4, 800, 200)), CROWD_OLD);
	assert_cost(c, 0, CROWD_LAST, 0x400, 3, 50);
	assert_cost(c, 0, CROWD_SINCE, 0x400, 3, 50);
	assert_int_equal(crowd_node(c, 0)->epochs, 2);
	/* its clock stands, its counts go on */
	assert_int_equal(script_feed(c, "p", 7, 0, "H e=2|" ROWS(90, 4, 71, 20)), CROWD_TAKEN);
	crowd_free(c);
}

/* A node without power may begin with the same epoch again, a gateway's clock may go back. */
static void what_goes_on_is_no_old_one(void **state)
{
	struct crowd *c = crowd_new(NULL);

	(void)state;
	script_feed(c, "p", 7, 100, "H e=1|" ROWS(90000, 40, 8000, 2000));
	assert_int_equal(script_feed(c, "p", 7, 90, "H e=1|" ROWS(100, 1, 80, 20)), CROWD_OLD);
	assert_int_equal(script_feed(c, "p", 7, 91, "H e=1|" ROWS(200, 2, 160, 40)), CROWD_OLD);
	assert_cost(c, 0, CROWD_LAST, 0x400, 40, 6000);
	assert_int_equal(script_feed(c, "p", 7, 92, "H e=1|" ROWS(300, 3, 240, 60)), CROWD_TAKEN);
	assert_cost(c, 0, CROWD_LAST, 0x400, 3, 180);
	assert_cost(c, 0, CROWD_SINCE, 0x400, 3, 180);
	crowd_free(c);
}

static void what_is_wrong_is_refused_and_counted(void **state)
{
	static const struct { const char *script; enum crowd_result r; } rows[] = {
		{ "H i=8|" ROWS(1000, 4, 800, 200), CROWD_FOREIGN },
		{ "", CROWD_DAMAGED }, { "H", CROWD_DAMAGED }, { "T 5", CROWD_DAMAGED },
		{ "t hello", CROWD_DAMAGED },
		{ "H|-S 0 0x110 0x200 1 2 3 4|T 2000", CROWD_DAMAGED },
		{ "H|!S 0 0x110 0x200 1 2 3 4|T 2000", CROWD_DAMAGED },
		{ "H c=0x4321|" ROWS(2000, 4, 800, 200), CROWD_CHANGED },
	};
	struct crowd *c = crowd_new(NULL);
	struct crowd_tally tally;

	(void)state;
	script_feed(c, "p", 7, 1, "H|" ROWS(1000, 4, 800, 200));
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(script_feed(c, "p", 7, 2, rows[i].script), rows[i].r);
	assert_int_equal(crowd_node(c, 0)->last.run, 1000);
	assert_cost(c, 0, CROWD_LAST, 0x400, 4, 600);
	crowd_tally(c, &tally);
	assert_int_equal(tally.by[CROWD_TAKEN], 1);
	assert_int_equal(tally.by[CROWD_FOREIGN], 1);
	assert_int_equal(tally.by[CROWD_DAMAGED], 6);
	assert_int_equal(tally.by[CROWD_CHANGED], 1);
	crowd_free(c);
}

static void the_former_build_stays(void **state)
{
	struct crowd *c = crowd_new(NULL);
	const struct crowd_node *n;

	(void)state;
	script_feed(c, "p", 7, 1, "H e=1|" ROWS(1000, 4, 800, 200));
	script_feed(c, "p", 7, 2, "H e=1|" ROWS(2000, 8, 1600, 500));
	script_feed(c, "p", 7, 3, "H e=2 c=0x4321|S 0 0x110 0x280 1 7 1 9|T 90");
	n = crowd_node(c, 0);
	assert_int_equal(crowd_builds(c), 2);
	assert_int_equal(n->build, 1);
	assert_int_equal(crowd_build(c, 0)->nodes, 0);
	assert_int_equal(crowd_build(c, 1)->nodes, 1);
	assert_non_null(n->former);
	assert_int_equal(n->former->build, 0);
	assert_int_equal(n->former->last.run, 2000);
	assert_cost(c, 0, CROWD_FORMER, 0x400, 8, 1100);
	assert_cost(c, 0, CROWD_FORMER, 0x600, 8, 500);
	assert_cost(c, 0, CROWD_LAST, 0x500, 1, 7);
	assert_true(crowd_run(n, CROWD_FORMER) == 2000 / HZ);
	/* a reset with the same build changes nothing of it */
	script_feed(c, "p", 7, 4, "H e=3 c=0x4321|S 0 0x110 0x280 2 9 1 9|T 99");
	assert_int_equal(n->former->build, 0);
	crowd_free(c);
}

static void places_and_ids_are_apart(void **state)
{
	struct crowd *c = crowd_new(NULL);

	(void)state;
	script_feed(c, "p", 7, 1, "H|" ROWS(1000, 4, 800, 200));
	script_feed(c, "q", 7, 1, "H|" ROWS(2000, 5, 900, 300));
	script_feed(c, "p", 9, 1, "H i=9|" ROWS(3000, 6, 1000, 400));
	assert_int_equal(crowd_count(c), 3);
	assert_int_equal(crowd_builds(c), 1);
	assert_int_equal(crowd_build(c, 0)->nodes, 3);
	assert_cost(c, crowd_find(c, "q", 7), CROWD_LAST, 0x400, 5, 600);
	assert_cost(c, crowd_find(c, "p", 9), CROWD_LAST, 0x400, 6, 600);
	crowd_free(c);
}

static void what_a_node_lost_is_summed(void **state)
{
	struct crowd *c = crowd_new(NULL);

	(void)state;
	/* run, isr: two halves each; stack, table, cut, text, carries, command, arcs, PCs */
	assert_int_equal(script_feed(c, "p", 7, 1, "H|T 1000 0 70 0 1 20 300 4000 50000 0 600000 "
				     "7000000"), CROWD_TAKEN);
	assert_int_equal(crowd_node(c, 0)->missing, 7600021);
	crowd_free(c);
}

#define ROW(calls) "S 0 0x110 0x200 " #calls " 800 1 9"
#define TOLD(run, poll) "|T " #run " 0 0 0 0 0 0 0 0 0 0 0 0 0 " #poll

/* HELLO's cost is 33/16 ticks; rows are at their place. */
static void hooks_and_the_age_are_told(void **state)
{
	static const struct {
		uint64_t told_us;
		const char *script;
		double hooks, since;	/* ticks */
		uint64_t since_us;
	} rows[] = {
		/* awake for 1.14125 s */
		{ 100000000, "H a=3 f=0x5f3 e=1|" ROW(160000) TOLD(8000000, 800000), 1130000,
		  1130000, 98858750 },
		{ 110000000, "H a=3 f=0x5f3 e=1|" ROW(320000) TOLD(16000000, 1600000), 2260000,
		  1130000, 98858750 },
		/* more of it awake: it is older */
		{ 112000000, "H a=3 f=0x5f3 e=1|" ROW(320000) TOLD(120000000, 1600000), 2260000,
		  0, 96717500 },
		{ 200000000, "H a=3 f=0x5f3 e=2" TOLD(8000000, 0), 0, 0, 199000000 },
		/* the hooks are in the run; samples are no calls */
		{ 210000000, "H a=3 f=0x5e3 e=3|" ROW(160000) TOLD(8000000, 80),
		  80, 80, 208999990 },
		{ 220000000, "H a=3 f=0x5f3 e=4|P 0 0x110 1000" TOLD(8000000, 0), 0, 0, 219000000 },
		{ 5, "H a=3 f=0x5f3 e=5" TOLD(8000000, 0), 0, 0, 0 },
	};
	struct crowd *c = crowd_new(NULL);
	const struct crowd_node *n;

	(void)state;
	for (size_t i = 0; i + 1 < COUNT(rows); i++) {
		assert_int_equal(script_feed(c, "p", 7, rows[i].told_us, rows[i].script),
				 CROWD_TAKEN);
		n = crowd_node(c, 0);
		assert_true(fabs(crowd_hooks(n, CROWD_LAST) - rows[i].hooks / HZ) < 1e-9);
		assert_true(fabs(crowd_hooks(n, CROWD_SINCE) - rows[i].since / HZ) < 1e-9);
		assert_int_equal(n->since_us, rows[i].since_us);
	}
	assert_int_equal(crowd_hooks(n, CROWD_FORMER), 0);
	crowd_free(c);
	c = crowd_new(NULL);
	script_feed(c, "p", 7, 0, rows[0].script);	/* its time is not known */
	assert_int_equal(crowd_node(c, 0)->since_us, 0);
	script_feed(c, "p", 8, rows[6].told_us, "H i=8 f=0x5f3" TOLD(8000000, 0));
	assert_int_equal(crowd_node(c, 1)->since_us, 1);	/* it lies */
	crowd_free(c);
}

/* Counted calls have no time; samples have, at the node's rate. */
static void samples_are_time_where_calls_are_not(void **state)
{
	struct crowd *c = crowd_new(NULL);
	struct crowd_cost costs[8];

	(void)state;
	script_feed(c, "p", 7, 1, "H|A 0 0x110 0x200 5 0 0x210 0x300 6|T 100");
	assert_true(crowd_costs(c, 0, CROWD_LAST, costs) == 0);
	assert_true(costs[0].calls == 5 && isnan(costs[0].self_s));
	script_feed(c, "p", 7, 2, "H|A 0 0x110 0x200 5 0 0x210 0x300 6|P 0 0x205 30 0 0x305 10 0 "
				  "0x10 7|T 200");
	assert_true(fabs(crowd_costs(c, 0, CROWD_LAST, costs) - 40.0 / 997) < 1e-12);
	assert_cost(c, 0, CROWD_LAST, 0x400, 5, 30 / 997.0 * HZ);
	assert_cost(c, 0, CROWD_SINCE, 0x600, 0, 10 / 997.0 * HZ);
	/* timed calls know better; the arcs are the same calls */
	script_feed(c, "p", 7, 3, "H|" ROWS(1000, 4, 800, 200));
	assert_cost(c, 0, CROWD_LAST, 0x600, 4, 200);
	crowd_free(c);
}

/* --- bounds ----------------------------------------------------------------------------------- */

/* 75 sites, as a node of an ordinary firmware has. */
static void sites_script(struct buf *b, unsigned id, unsigned sum, unsigned calls)
{
	buf_reset(b);
	buf_addf(b, "H k=128 i=%u c=%u", id, sum);
	for (unsigned i = 0; i < 75; i++)
		buf_addf(b, "%s %u %u %u %u %u 1 9", i % 15 ? "" : "|S", i % 15 ? 0 : i, 0x110 + i,
			 0x200 + 16 * i,
			 calls, calls * (100 - i));
	buf_addf(b, "|T %u", calls * 1000);
}

static void memory_is_bounded(void **state)
{
	const struct crowd_limits limits = { .bytes = 400000 };
	struct crowd *c = crowd_new(&limits);
	struct buf script = BUF_INIT;
	struct crowd_tally tally;
	size_t had;

	(void)state;
	for (unsigned i = 0; i < 300; i++) {
		sites_script(&script, i, 1, 5);
		script_feed(c, "p", i, 1, buf_str(&script));
	}
	assert_true(crowd_memory(c) <= limits.bytes);
	had = crowd_count(c);
	crowd_tally(c, &tally);
	assert_int_equal(tally.by[CROWD_TAKEN], had);
	assert_int_equal(tally.by[CROWD_NO_ROOM], 300 - had);
	assert_true((double)crowd_memory(c) / (double)had < 3.2 * 1024);
	/* who is there goes on */
	sites_script(&script, 3, 1, 6);
	assert_int_equal(script_feed(c, "p", 3, 2, buf_str(&script)), CROWD_TAKEN);
	assert_int_equal(crowd_node(c, 3)->last.run, 6000);
	assert_int_equal(crowd_find(c, "p", 3), 3);
	assert_true(crowd_memory(c) <= limits.bytes);
	buf_release(&script);
	crowd_free(c);
}

/* Epochs and builds in turn: what is let go is given back. */
static void what_is_let_go_is_given_back(void **state)
{
	struct crowd *c = crowd_new(NULL);
	struct buf script = BUF_INIT;
	size_t had = 0;

	(void)state;
	for (unsigned i = 0; i < 40; i++) {
		sites_script(&script, 3, 1 + i % 2, 5);
		buf_addf(&script, "|H k=128 i=3 c=%u", 1 + i % 2);	/* the epoch goes on */
		script_feed(c, "p", 3, 1 + i, buf_str(&script));
		buf_reset(&script);
		buf_addf(&script, "H k=128 i=3 c=%u e=%u|S 0 0x110 0x200 1 2 1 9|T 9", 1 + i % 2,
			 2 + i);
		assert_int_equal(script_feed(c, "p", 3, 1 + i, buf_str(&script)), CROWD_TAKEN);
		if (i == 5)
			had = crowd_memory(c);
	}
	assert_non_null(crowd_node(c, 0)->former);
	assert_int_equal(crowd_memory(c), had);
	buf_release(&script);
	crowd_free(c);
}

static void nodes_and_builds_are_bounded(void **state)
{
	const struct crowd_limits limits = { .nodes = 3, .builds = 2 };
	struct crowd *c = crowd_new(&limits);

	(void)state;
	assert_int_equal(script_feed(c, "p", 1, 1, "H i=1 c=1|T 1"), CROWD_TAKEN);
	assert_int_equal(script_feed(c, "p", 2, 1, "H i=2 c=2|T 1"), CROWD_TAKEN);
	assert_int_equal(script_feed(c, "p", 3, 1, "H i=3 c=3|T 1"), CROWD_MANY_BUILDS);
	assert_int_equal(script_feed(c, "p", 3, 1, "H i=3 c=2|T 1"), CROWD_TAKEN);
	assert_int_equal(script_feed(c, "p", 4, 1, "H i=4 c=2|T 1"), CROWD_MANY_NODES);
	assert_int_equal(crowd_count(c), 3);
	crowd_free(c);
}

static void sites_are_bounded(void **state)
{
	struct crowd *c = crowd_new(NULL);
	struct buf script = BUF_INIT;
	int r = CROWD_TAKEN;

	(void)state;
	for (unsigned k = 0; k < 3 && r == CROWD_TAKEN; k++) {
		buf_reset(&script);
		buf_addf(&script, "H k=0xffff");
		for (unsigned i = 0; i < CROWD_SITES / 2; i++)
			buf_addf(&script, "%s %u %u 0x200 1 2 1 9", i % 15 ? "" : "|S",
				 i % 15 ? 0 : i + k * CROWD_SITES / 2,
				 0x1000 + k * CROWD_SITES / 2 + i);
		buf_addf(&script, "|T %u", 1000 + k);
		r = (int)script_feed(c, "p", 7, 1 + k, buf_str(&script));
		assert_int_equal(r, k < 2 ? CROWD_TAKEN : CROWD_MANY_SITES);
	}
	assert_int_equal(crowd_rows(crowd_node(c, 0)).count, CROWD_SITES);
	buf_release(&script);
	crowd_free(c);
}

/* Each allocation fails once: refused and counted, or taken whole. */
static void without_memory_nothing_is_half(void **state)
{
	unsigned refused = 0;

	(void)state;
	for (long fail = 0; fail < 60; fail++) {
		struct crowd *c = crowd_new(NULL);
		enum crowd_result r;
		struct stream s = { .out = BUF_INIT };
		const struct crowd_heard heard = { .place = "p", .id = 7, .told_us = 3 };

		script_feed(c, "p", 7, 1, "H e=1|" ROWS(1000, 4, 800, 200));
		stream_script(&s, "H e=2 c=9|S 0 0x110 0x280 1 7 1 9|T 90");
		mem_fail_after(fail);
		r = crowd_feed(c, &heard, s.out.data, s.out.len);
		mem_fail_after(-1);
		stream_release(&s);
		refused += r != CROWD_TAKEN;
		if (r == CROWD_TAKEN)
			assert_cost(c, 0, CROWD_LAST, 0x500, 1, 7);
		else
			assert_cost(c, 0, CROWD_LAST, 0x400, 4, 600);
		assert_int_equal(crowd_count(c), 1);
		crowd_free(c);
	}
	assert_true(refused > 3);
}

/* --- against the profile ---------------------------------------------------------------------- */

/* Functions of 16 bytes, `leaf` without a hook of its own between them. */
static const char source[] =
	"	.text\n"
	"	.globl main\n"
	"	.type main, @function\nmain: .skip 64, 0x90\n	.size main, 64\n"
	"	.type work, @function\nwork: .skip 64, 0x90\n	.size work, 64\n"
	"	.type bare, @function\nbare: .skip 64, 0x90\n	.size bare, 64\n"
	"	.type leaf, @function\nleaf: .skip 64, 0x90\n	.size leaf, 64\n";


static const struct image *image_given(void *ctx, const struct wire_identity *identity)
{
	(void)identity;
	return ctx;
}

/* Calls, self times and their sum are the profile's, with its names. */
static void self_times_are_the_profiles(void **state)
{
	static char dir[32];
	struct image *im = unit_image(dir, source, "-Wl,-Ttext=0x1000");
	const struct crowd_limits limits = { .image = image_given, .ctx = im };
	/* from, to, calls, total */
	static const struct wire_total totals[] = {
		{ TOTAL_SITE, 0x1010, 0x1040, 10, 5000, 0, 0, 0, { 0 }, TOTAL_TIMED, 0 },
		{ TOTAL_SITE, 0x1020, 0x1040, 3, 900, 0, 0, 0, { 0 }, TOTAL_TIMED, 0 },
		{ TOTAL_SITE, 0x1050, 0x1080, 13, 2000, 0, 0, 0, { 0 }, TOTAL_TIMED, 0 },
		{ TOTAL_SITE, 0x1090, 0x10c0, 20, 700, 0, 0, 0, { 0 }, TOTAL_TIMED, 0 },
		{ TOTAL_SITE, 0x10d0, 0x10c0, 5, 100, 0, 0, 0, { 0 }, TOTAL_TIMED, 0 },
		{ TOTAL_SITE, 0, 0x10c0, 2, 40, 0, 0, 0, { 0 }, TOTAL_TIMED, ROW_HANDLER },
	};
	const struct wire_hello hello = {
		.name = "n", .ticks_per_second = 1000, .id = 7,
		.identity = { .kind = WIRE_IDENTITY_SUM, .a = 1 },
	};
	const struct wire_status status = { .run = 9000 };
	const struct crowd_model model = { &hello, &status, totals, COUNT(totals) };
	const struct crowd_heard heard = { .place = "", .id = 7 };
	struct crowd *c = crowd_new(&limits);
	struct crowd_cost costs[16];
	struct profile p;
	const struct build *b;
	size_t count;
	double sum;

	(void)state;
	assert_int_equal(crowd_feed_model(c, &heard, &model), CROWD_TAKEN);
	assert_int_equal(crowd_feed_model(c, &heard, &model), CROWD_AGAIN);
	profile_init(&p, "n");
	profile_set_image(&p, im);
	p.terms.ticks_per_second = 1000;
	profile_take_totals(&p, totals, COUNT(totals));
	assert_int_equal(profile_compute(&p), 0);
	b = crowd_build(c, 0);
	sum = crowd_costs(c, 0, CROWD_LAST, costs);
	count = b->function_count;
	assert_true(count >= 4);
	for (size_t i = 0; i < count; i++) {
		uint32_t f = profile_find_address(&p, b->functions[i].address);

		assert_int_not_equal(f, PROFILE_NONE);
		assert_string_equal(b->functions[i].name, p.functions[f].name);
		assert_true(costs[i].calls == (double)p.functions[f].calls);
		if (p.functions[f].called)
			assert_true(fabs(costs[i].self_s - p.functions[f].self_s) < 1e-9);
	}
	assert_true(fabs(sum - p.totals.shares_s) < 1e-9);
	crowd_rename(c);
	assert_int_equal(crowd_build(c, 0)->function_count, count);
	assert_true(fabs(crowd_costs(c, 0, CROWD_LAST, costs) - sum) < 1e-12);
	profile_release(&p);
	crowd_free(c);
	image_free(im);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_is_who_it_says),
		cmocka_unit_test(a_difference_is_of_two_keyframes),
		cmocka_unit_test(order_and_copies_add_nothing),
		cmocka_unit_test(what_is_not_new_is_said),
		cmocka_unit_test(what_goes_on_is_no_old_one),
		cmocka_unit_test(what_is_wrong_is_refused_and_counted),
		cmocka_unit_test(the_former_build_stays),
		cmocka_unit_test(places_and_ids_are_apart),
		cmocka_unit_test(what_a_node_lost_is_summed),
		cmocka_unit_test(hooks_and_the_age_are_told),
		cmocka_unit_test(samples_are_time_where_calls_are_not),
		cmocka_unit_test(memory_is_bounded),
		cmocka_unit_test(what_is_let_go_is_given_back),
		cmocka_unit_test(nodes_and_builds_are_bounded),
		cmocka_unit_test(sites_are_bounded),
		cmocka_unit_test(without_memory_nothing_is_half),
		cmocka_unit_test(self_times_are_the_profiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
