/*
 * Handlers as a trace port tells them: counts and times of nested, interrupted and chained ones are
 * those of the processor that made the stream; where packets are missing, nothing wrong is told.
 */
#include "tests/unit/unit.h"

#include <stdlib.h>

#include "core/trace/trace.h"
#include "tests/unit/itm_stream.h"
#include "tests/unit/node_made.h"

enum { NUMBERS = 24, FIRST = 14, NESTED = 5 };

/* A processor: a handler of a higher number is more urgent. */
struct chip {
	struct itm_stream s;
	bool stamps, ends;		/* it tells time; it tells a handler's end */
	uint64_t now, told;
	struct {
		unsigned number;
		uint64_t since, others;
	} open[NESTED];
	unsigned depth;
	uint64_t calls[NUMBERS], ticks[NUMBERS], most[NUMBERS];
	unsigned nested;		/* calls that interrupted another handler */
};

static struct chip chip;

static uint32_t random_below(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525 + 1013904223;
	return (*seed >> 8) % n;
}

static void packet_tell(struct chip *c, unsigned kind, unsigned number)
{
	itm_exception(&c->s, kind, number);
	if (c->stamps)
		itm_time(&c->s, (uint32_t)(c->now - c->told));
	c->told = c->now;
}

static void handler_begin(struct chip *c, unsigned number)
{
	c->nested += c->depth > 0;
	c->open[c->depth].number = number;
	c->open[c->depth].since = c->now;
	c->open[c->depth++].others = 0;
	packet_tell(c, 1, number);
}

/* `chained`: another follows at once, without a return between. */
static void handler_end(struct chip *c, bool chained)
{
	unsigned number = c->open[--c->depth].number;
	uint64_t all = c->now - c->open[c->depth].since, own = all - c->open[c->depth].others;

	c->calls[number]++;
	c->ticks[number] += own;
	c->most[number] = own > c->most[number] ? own : c->most[number];
	if (c->depth)
		c->open[c->depth - 1].others += all;
	if (c->ends)
		packet_tell(c, 2, number);
	if (chained)
		return;
	if (c->ends)
		c->now += 12;		/* the registers come back: the interrupted one's */
	packet_tell(c, 3, c->depth ? c->open[c->depth - 1].number : 0);
}

static void chip_run(struct chip *c, uint32_t seed, unsigned rounds, bool stamps, bool ends)
{
	memset(c, 0, sizeof(*c));
	c->stamps = stamps;
	c->ends = ends;
	for (unsigned i = 0; i < rounds || c->depth; i++) {
		unsigned top = c->depth ? c->open[c->depth - 1].number : FIRST - 1;

		c->now += 1 + random_below(&seed, 5000);
		if (i % 7 == 0)
			itm_pc(&c->s, 0x1000);
		if (i < rounds && top + 1 < NUMBERS && c->depth < NESTED && random_below(&seed, 2))
			handler_begin(c, top + 1 + random_below(&seed, NUMBERS - top - 1));
		else if (c->depth && ends && c->depth < NESTED && random_below(&seed, 4) == 0) {
			unsigned below = c->depth > 1 ? c->open[c->depth - 2].number : FIRST - 1;

			handler_end(c, true);
			c->now += 6;
			handler_begin(c, below + 1);
		} else if (c->depth) {
			handler_end(c, false);
		}
	}
}

static struct node *chip_watch(const struct chip *c, const char *source_options)
{
	char source[160];
	struct node_options o = { .source = source, .batch = true };
	FILE *f = fopen(path_of("swo"), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(c->s.bytes, 1, c->s.n, f), c->s.n);
	fclose(f);
	snprintf(source, sizeof(source), "swo:file:%s%s", path_of("swo"), source_options);
	return node_run(&o);
}

static const struct profile_function *handler_of(const struct node *n, unsigned number)
{
	static const char *const names[] = { [14] = "PendSV", "SysTick" };
	const struct profile *p = node_profile(n);
	char name[16];
	uint32_t i;

	snprintf(name, sizeof(name), "IRQ %u", number - 16);
	i = profile_find_name(p, number < COUNT(names) ? names[number] : name);
	return i == PROFILE_NONE ? NULL : &p->functions[i];
}

static void times_are_the_processors(void **state)
{
	(void)state;
	for (uint32_t seed = 1; seed <= UNIT_TRIALS(8); seed++) {
		struct node *n;

		chip_run(&chip, seed, 2000, true, true);
		assert_true(chip.nested > 100);
		n = chip_watch(&chip, "?clock=1M");
		for (unsigned i = FIRST; i < NUMBERS; i++) {
			const struct profile_function *f = handler_of(n, i);

			assert_int_equal(f ? f->calls : 0, chip.calls[i]);
			if (!f)
				continue;
			assert_int_equal(f->total_ticks, chip.ticks[i]);
			assert_int_equal(f->max, chip.most[i]);
			assert_true(f->flags & ROW_HANDLER);
		}
		assert_true(trace_ticks_per_second(node_trace(n)) == 1e6);
		node_free(n);
	}
}

/* As an STM32F105 does; nested ones end one by one all the same. */
static void ends_need_not_be_told(void **state)
{
	struct node *n;

	(void)state;
	chip_run(&chip, 3, 2000, true, false);
	n = chip_watch(&chip, "?clock=1M");
	for (unsigned i = FIRST; i < NUMBERS; i++) {
		const struct profile_function *f = handler_of(n, i);

		assert_int_equal(f ? f->calls : 0, chip.calls[i]);
		if (f)
			assert_int_equal(f->total_ticks, chip.ticks[i]);
	}
	node_free(n);
}

static void without_time_stamps_they_are_counted(void **state)
{
	struct node *n;

	(void)state;
	chip_run(&chip, 4, 2000, false, true);
	n = chip_watch(&chip, "");
	assert_null(node_trace(n));
	for (unsigned i = FIRST; i < NUMBERS; i++) {
		const struct profile_function *f = handler_of(n, i);

		assert_int_equal(f ? f->calls : 0, chip.calls[i]);
		if (f)
			assert_false(f->has_minmax);
	}
	node_free(n);
}

/* Rows: what happens to handler 20 and, in it, 21; then whether 20 has a time: 100 ticks a step. */
static void what_is_missing_has_no_time(void **state)
{
	static const struct {
		const char *steps;	/* a b enter, A B exit, 0 return to the program, 1 to 20,
					 * ! overflow */
		unsigned calls, timed;
		uint64_t longest;
	} rows[] = {
		{ "aA0", 1, 1, 100 },
		{ "abB1A0", 1, 1, 300 },		/* 21 ran for 100 of 400 */
		{ "aAbB0", 1, 1, 100 },			/* 21 follows at once */
		{ "a!A0", 1, 0, 0 },
		{ "ab!1A0", 1, 0, 0 },
		{ "a!aA0", 2, 1, 100 },
		{ "aaA0", 2, 1, 100 },			/* it cannot interrupt itself */
		{ "ab0aA0", 2, 1, 100 },		/* 21's end is missing, and 20's */
		{ "abA0aA0", 2, 1, 100 },
		{ "A0aA0", 1, 1, 100 },			/* it ran before all that is heard */
		{ "a0aA0", 2, 1, 100 },			/* an end is missing */
		{ "ab0", 1, 0, 0 },
		{ "1A0", 0, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct profile_function *f;
		struct trace_edge longest = { .timed = 0 };
		const struct trace_edge *e;
		struct node *n;
		size_t edges;

		memset(&chip, 0, sizeof(chip));
		chip.stamps = true;
		/* what the framing is known by: handlers that are not looked at, all whole */
		for (unsigned k = 0; k < 100; k++) {
			packet_tell(&chip, 1, 30);
			packet_tell(&chip, 2, 30);
			packet_tell(&chip, 3, 0);
			chip.now += 50;
		}
		for (const char *p = rows[i].steps; *p; p++) {
			chip.now += 100;
			if (*p == '!')
				itm_overflow(&chip.s);
			else
				packet_tell(&chip, *p >= 'a' ? 1 : *p >= 'A' ? 2 : 3,
					    *p == '0' ? 0 : *p == 'b' || *p == 'B' ? 21 : 20);
		}
		n = chip_watch(&chip, "?clock=1M");
		f = handler_of(n, 20);
		assert_int_equal(f ? f->calls : 0, rows[i].calls);
		e = trace_edges(node_trace(n), &edges);
		for (size_t k = 0; f && k < edges; k++) {
			if (e[k].places[1] == (uint32_t)f->address)
				longest = e[k];
		}
		assert_int_equal(longest.timed, rows[i].timed);
		if (rows[i].timed)
			assert_int_equal(longest.max, rows[i].longest);
		node_free(n);
	}
}

/* A comparator's values, in the lane of what wrote them. */
static void values_are_in_the_trace(void **state)
{
	struct trace_walk *w;
	struct trace_event e;
	uint64_t sum = 0, mains = 0;
	struct node *n;

	(void)state;
	memset(&chip, 0, sizeof(chip));
	chip.stamps = true;
	for (unsigned k = 0; k < 100; k++) {
		packet_tell(&chip, 1, 15);
		itm_writer(&chip.s, 2, 0x2000);
		itm_written(&chip.s, 2, k, 4);
		itm_time(&chip.s, 10);
		packet_tell(&chip, 2, 15);
		packet_tell(&chip, 3, 0);
		itm_written(&chip.s, 2, 1000, 4);
		itm_time(&chip.s, 10);
	}
	n = chip_watch(&chip, "?clock=1M");
	for (unsigned lane = 0; lane < 2; lane++) {
		w = trace_walk_new(node_trace(n), lane);
		while (trace_walk_next(w, &e)) {
			if (e.kind != TRACE_VALUE)
				continue;
			assert_int_equal(e.id, 2);
			sum += lane ? (uint64_t)e.value : 0;
			mains += !lane && e.value == 1000;
		}
		trace_walk_free(w);
	}
	assert_int_equal(sum, 4950);
	assert_int_equal(mains, 100);
	assert_string_equal(trace_note_name(node_trace(n), 2), "comparator 2");
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_the_processors),
		cmocka_unit_test(ends_need_not_be_told),
		cmocka_unit_test(without_time_stamps_they_are_counted),
		cmocka_unit_test(what_is_missing_has_no_time),
		cmocka_unit_test(values_are_in_the_trace),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
