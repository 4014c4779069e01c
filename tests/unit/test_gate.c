/*
 * gate: rules as they are read, patterns, and verdicts over profiles put together by hand, whose
 * figures and noise are known.
 */
#include "tests/unit/unit.h"

#include <math.h>

#include "core/base/mem.h"
#include "core/gate/gate.h"
#include "core/gate/glob.h"
#include "core/gate/junit.h"

/* --- patterns --------------------------------------------------------------------------------- */

static void patterns_match(void **state)
{
	static const struct { const char *pattern, *name; bool matches; } cases[] = {
		{ "crc16_*", "crc16_byte", true }, { "crc16_*", "crc16", false },
		{ "*_isr", "timer_isr", true }, { "*_isr", "isr", false },
		{ "*", "", true }, { "", "", true }, { "", "a", false }, { "?", "", false },
		{ "a?c", "abc", true }, { "a?c", "ac", false },
		{ "[a-c]x", "bx", true }, { "[!a-c]x", "bx", false }, { "[!a-c]x", "dx", true },
		{ "[]]", "]", true }, { "[ab", "[ab", true }, { "[ab", "a", false },
		{ "a\\*", "a*", true }, { "a\\*", "ab", false }, { "[t]otal", "total", true },
		{ "*a*b*c", "xaxbxbxc", true }, { "*a*b*c", "xaxbxb", false },
		{ "ns::*(int)", "ns::push(int)", true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		if (glob_match(cases[i].pattern, cases[i].name) != cases[i].matches)
			fail_msg("%s and %s", cases[i].pattern, cases[i].name);
}

/* --- reading ---------------------------------------------------------------------------------- */

static char said[4096];

static void line_keep(void *ctx, const char *line)
{
	(void)ctx;
	snprintf(said + strlen(said), sizeof(said) - strlen(said), "%s\n", line);
}

static struct rules rules_of(const char *text)
{
	struct err err = { 0 };
	struct rules r;

	said[0] = '\0';
	if (rules_parse(&r, "t.rules", text, strlen(text), line_keep, NULL, &err) < 0)
		fail_msg("%s: %s%s", text, said, err.text);
	return r;
}

static void rules_are_read(void **state)
{
	static const struct {
		const char *text;
		enum rule_subject subject;
		enum rule_operator op;
		double bound;
		bool relative, percent;
	} cases[] = {
		{ "f self <= +5 %", RULE_FUNCTION, RULE_AT_MOST, 0.05, true, true },
		{ "f self <= +5%", RULE_FUNCTION, RULE_AT_MOST, 0.05, true, true },
		{ "f self<=5ms", RULE_FUNCTION, RULE_AT_MOST, 0.005, false, false },
		{ "f max < 40 us", RULE_FUNCTION, RULE_BELOW, 40e-6, false, false },
		{ "f max <= -1.5 ms", RULE_FUNCTION, RULE_AT_MOST, -1.5e-3, true, false },
		{ "total calls < 1e6", RULE_TOTAL, RULE_BELOW, 1e6, false, false },
		{ "total calls >= 1,000", RULE_TOTAL, RULE_AT_LEAST, 1000, false, false },
		{ "node loss == 0", RULE_NODE, RULE_EQUAL, 0, false, false },
		{ "image flash <= +1 KB", RULE_IMAGE, RULE_AT_MOST, 1024, true, false },
		{ "image ram <= 2 kB", RULE_IMAGE, RULE_AT_MOST, 2000, false, false },
		{ "stack max <= 480", RULE_STACK, RULE_AT_MOST, 480, false, false },
		{ "[t]otal load% < 20 %", RULE_FUNCTION, RULE_BELOW, 0.2, false, false },
		{ "\"total\" calls != 3", RULE_FUNCTION, RULE_UNEQUAL, 3, false, false },
		{ "  f\tcalls/s\t>\t5/s # five", RULE_FUNCTION, RULE_ABOVE, 5, false, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct rules r = rules_of(cases[i].text);

		print_message("%s\n", cases[i].text);
		assert_int_equal(r.count, 1);
		assert_int_equal(r.items[0].subject, cases[i].subject);
		assert_int_equal(r.items[0].op, cases[i].op);
		assert_true(fabs(r.items[0].bound - cases[i].bound) <=
			    1e-12 * fabs(cases[i].bound));
		assert_int_equal(r.items[0].relative, cases[i].relative);
		assert_int_equal(r.items[0].percent, cases[i].percent);
		rules_release(&r);
	}
}

/* Each wrong line is said with its place; the others are read all the same. */
static void wrong_lines_are_said(void **state)
{
	static const char text[] =
		"f self <= 5\n" "# a comment\n" "f slef <= 5 ms\n" "total max < 1 s\n"
		"node loss <= +1\n" "f self 5 ms\n" "f self <= 5 ms x\n" "f calls < 3\n" "f\n"
		"image rom < 3\n" "\"f self < 3 ms\n" "f calls < 1\001\n";
	static const char *const expected[] = {
		"t.rules:1: self: expected a time: s, ms, us, ns\n",
		"t.rules:3: slef: no figure of this name; self is the nearest",
		"t.rules:4: max: does not add up", "t.rules:5: loss: no baseline has it",
		"t.rules:6: expected <=", "t.rules:7: x: expected nothing behind",
		"t.rules:9: expected SUBJECT",
		"t.rules:10: rom: no figure of image; there are flash",
		"t.rules:11: a quote is not closed", "t.rules:12: control bytes",
	};
	struct err err = { 0 };
	struct rules r;

	(void)state;
	said[0] = '\0';
	assert_int_equal(rules_parse(&r, "t.rules", text, sizeof(text) - 1, line_keep, NULL, &err),
			 ERR_USAGE);
	for (size_t i = 0; i < COUNT(expected); i++)
		if (!strstr(said, expected[i]))
			fail_msg("%s is not said in\n%s", expected[i], said);
	assert_int_equal(r.wrong, COUNT(expected));
	assert_int_equal(r.count, 1);
	assert_string_equal(r.items[0].text, "f calls < 3");
	rules_release(&r);
	assert_int_equal(rules_parse(&r, "t.rules", "# none\n", 7, line_keep, NULL, &err),
			 ERR_FORMAT);
	assert_string_equal(err.text, "t.rules: holds no rule");
	rules_release(&r);
}

/* --- verdicts --------------------------------------------------------------------------------- */

struct made {
	struct profile p;
	struct profile_function functions[8];
	struct profile_edge edges[8];
};

/* A run of ten seconds on a clock of 1 MHz. */
static void made_init(struct made *m)
{
	*m = (struct made){ .p = { .name = "", .pace = NAN,
				   .terms = { .ticks_per_second = 1e6, .hz = 1000 } } };
	m->p.functions = m->functions;
	m->p.edges = m->edges;
	m->p.totals.run_s = 10;
}

static uint32_t made_add(struct made *m, const char *name, uint64_t calls, double call_us,
			 double max_us)
{
	uint32_t i = (uint32_t)m->p.function_count++;
	double total = 1e-6 * call_us * (double)calls;

	m->functions[i] = (struct profile_function){
		.name = name, .file = "a.c", .line = 10 + i, .address = 0x100 * (i + 1),
		.image_id = IMAGE_NONE, .first_in = PROFILE_NONE, .first_out = PROFILE_NONE,
		.time = PROFILE_TIME_TIMED, .called = true, .calls = calls, .timed_calls = calls,
		.self_s = total, .total_s = total, .per_call_s = 1e-6 * call_us,
		.min_s = 1e-6 * (2 * call_us - max_us), .max_s = 1e-6 * max_us, .has_minmax = true,
		.rate_calls = NAN, .rate_self = NAN,
	};
	m->p.totals.self_s += total;
	m->p.totals.shares_s = m->p.totals.profiled_s = m->p.totals.self_s;
	m->p.totals.calls += calls;
	m->p.totals.time = PROFILE_TIME_TIMED;
	return i;
}

static void made_edge(struct made *m, uint32_t from, uint32_t to)
{
	uint32_t i = (uint32_t)m->p.edge_count++;

	m->edges[i] = (struct profile_edge){
		.from = from, .to = to, .first_site = PROFILE_NONE, .timed = true,
		.calls = m->functions[to].calls, .total_s = m->functions[to].total_s,
		.next_out = m->functions[from].first_out, .next_in = m->functions[to].first_in,
		.min = UINT64_MAX,
	};
	m->functions[from].first_out = m->functions[to].first_in = i;
}

/* slow became slower by 30 %, steady is as it was, rare is called five times, fresh is new. */
static void both_make(struct made *then, struct made *now)
{
	made_init(then);
	made_add(then, "main", 1, 5e6, 5e6);
	made_add(then, "slow", 20000, 50, 60);
	made_add(then, "steady", 20000, 50, 60);
	made_add(then, "rare", 5, 1000, 2000);
	made_init(now);
	made_add(now, "main", 1, 5e6, 5e6);
	made_add(now, "slow", 20000, 65, 80);
	made_add(now, "steady", 20000, 50, 60);
	made_add(now, "rare", 5, 1100, 2100);
	made_add(now, "fresh", 20000, 10, 12);
	made_add(now, "once", 1, 10, 10);
	for (uint32_t i = 1; i < 4; i++) {
		made_edge(then, 0, i);
		made_edge(now, 0, i);
	}
	made_edge(now, 1, 4);
}

static struct gate gate_of(const struct rules *r, struct made *then, struct made *now, bool base)
{
	static const struct image_sizes was = { 1000, 100 }, is = { 2024, 101 };
	static const struct wire_watermark marks[] = {
		{ .stack = 0, .base = 0x1000, .low = 0xf00 },
		{ .stack = 1, .base = 500, .low = 200 },
	};
	struct wire_stats stream = { .lost = 2 };
	struct gate_input a = { .profile = &then->p, .sizes = &was, .hooks = NAN };
	struct gate_input b = { .profile = &now->p, .sizes = &is, .stream = &stream, .hooks = 0.1,
				.marks = marks, .mark_count = COUNT(marks) };
	struct gate g;

	assert_int_equal(gate_run(&g, r, &b, base ? &a : NULL), 0);
	return g;
}

static const struct { const char *text; enum gate_verdict verdict; } verdicts[] = {
	{ "slow per-call <= +5 %", GATE_FAILED },
	{ "slow per-call <= +29 %", GATE_UNSURE },	/* by 1 %: clocks drift */
	{ "slow per-call <= +31 %", GATE_PASSED },
	{ "slow per-call <= +5 us", GATE_FAILED },
	{ "slow per-call <= +16 us", GATE_PASSED },
	{ "slow per-call < 60 us", GATE_FAILED },
	{ "slow per-call > 60 us", GATE_PASSED },
	{ "slow self <= +5 %", GATE_FAILED },
	{ "slow total <= +5 %", GATE_FAILED },
	{ "slow max <= +10 %", GATE_FAILED },
	{ "slow calls <= +1 %", GATE_PASSED },
	{ "slow calls == 20000", GATE_PASSED },
	{ "slow calls != 20000", GATE_FAILED },
	{ "slow load% < 14 %", GATE_PASSED },
	{ "slow load% < 10 %", GATE_FAILED },
	{ "steady self <= +5 %", GATE_PASSED },
	{ "steady per-call <= +0 %", GATE_PASSED },
	{ "steady per-call == +0 %", GATE_UNSURE },	/* equal within the noise */
	{ "steady per-call <= -10 %", GATE_FAILED },
	{ "rare per-call <= +5 %", GATE_UNSURE },	/* five calls of 0 to 2 ms */
	{ "rare per-call <= 1 us", GATE_UNSURE },
	{ "rare calls == 5", GATE_PASSED },
	{ "fresh self <= +5 %", GATE_FAILED },		/* it took none of it */
	{ "fresh per-call <= +5 %", GATE_UNSURE },
	{ "once self <= +5 %", GATE_UNSURE },		/* as much as its noise */
	{ "fresh calls <= 1", GATE_FAILED },
	{ "fresh samples < 1", GATE_UNSURE },		/* it was not sampled */
	{ "fresh p99 < 1 s", GATE_UNSURE },		/* not known */
	{ "nothing calls < 1", GATE_UNSURE },
	{ "total calls < 1e6", GATE_PASSED },
	{ "total calls < 1e4", GATE_FAILED },
	{ "node loss == 0", GATE_FAILED },
	{ "node lost <= 2", GATE_PASSED },
	{ "node hooks < 5 %", GATE_FAILED },
	{ "image flash <= +1 KB", GATE_PASSED },
	{ "image flash <= +1 kB", GATE_FAILED },
	{ "image ram <= +0", GATE_FAILED },
	{ "image ram < 102 B", GATE_PASSED },
	{ "stack max <= 300", GATE_PASSED },
	{ "stack max < 300", GATE_FAILED },
	{ "stack max <= +10 B", GATE_UNSURE },	/* the baseline was not measured */
	{ "stack free > 10", GATE_UNSURE },	/* there is no image */
};

static void verdicts_given(void **state)
{
	struct made then, now;

	(void)state;
	both_make(&then, &now);
	for (size_t i = 0; i < COUNT(verdicts); i++) {
		struct rules r = rules_of(verdicts[i].text);
		struct gate g = gate_of(&r, &then, &now, true);
		struct buf text = BUF_INIT;

		gate_describe(&g, &g.results[0], &text);
		if (g.results[0].verdict != verdicts[i].verdict)
			fail_msg("%s: %s, found: %s", verdicts[i].text,
				 gate_verdict_names[g.results[0].verdict], buf_str(&text));
		assert_int_equal(g.count, 1);
		assert_int_equal(g.verdicts[verdicts[i].verdict], 1);
		assert_int_equal(g.results[0].why != NULL, verdicts[i].verdict == GATE_UNSURE);
		buf_release(&text);
		gate_release(&g);
		rules_release(&r);
	}
}

/* The run was half as long: sums are held against as long a baseline. */
static void sums_are_scaled(void **state)
{
	struct rules r = rules_of("steady calls <= +5 %\nsteady self <= +5 %\n"
				  "steady total <= +5 %\nsteady self <= +1 ms\n"
				  "total calls <= +60 %\n");
	struct made then, now;
	struct gate g;

	(void)state;
	both_make(&then, &now);
	now.p.totals.run_s = 5;			/* twice the rate */
	g = gate_of(&r, &then, &now, true);
	assert_int_equal(g.verdicts[GATE_FAILED], 5);
	gate_release(&g);
	now.p.totals.run_s = 20;
	g = gate_of(&r, &then, &now, true);
	assert_int_equal(g.verdicts[GATE_PASSED], 5);
	gate_release(&g);
	rules_release(&r);
}

/* Failures first, the worst of them at the top; then what is not sure. */
static void worst_first(void **state)
{
	struct rules r = rules_of("s* per-call <= 1 ms\nslow calls < 10\nslow self < 1 s\n"
				  "fresh p99 < 1 s\n");
	struct made then, now;
	struct buf text = BUF_INIT;
	struct gate g;

	(void)state;
	both_make(&then, &now);
	g = gate_of(&r, &then, &now, false);
	assert_int_equal(g.count, 5);
	assert_int_equal(g.results[0].rule->line, 2);
	assert_int_equal(g.results[1].rule->line, 3);
	assert_int_equal(g.results[2].rule->line, 4);
	assert_int_equal(g.results[2].verdict, GATE_UNSURE);
	assert_int_equal(g.results[3].verdict, GATE_PASSED);
	gate_describe(&g, &g.results[0], &text);
	assert_string_equal(buf_str(&text), "slow calls 20,000, bound < 10");
	buf_release(&text);
	gate_release(&g);
	rules_release(&r);
}

/* From the root to the callee that the time went into. */
static void path_to_the_change(void **state)
{
	struct rules r = rules_of("main total <= +1 %\nslow self <= +5 %\ntotal self <= +1 %\n");
	struct made then, now;
	struct buf text = BUF_INIT;
	struct gate g;

	(void)state;
	both_make(&then, &now);
	now.functions[0].total_s = 7;
	g = gate_of(&r, &then, &now, true);
	for (size_t i = 0; i < g.count; i++) {
		buf_reset(&text);
		gate_where(&g, &g.results[i], &text);
		assert_string_equal(buf_str(&text), "main > slow, declared at a.c:11");
	}
	buf_release(&text);
	gate_release(&g);
	rules_release(&r);
}

/*
 * slow's lines of then, and of now as each case has them: the text's hash, the line behind the
 * declaration, seconds. Lines moved; what tells them apart is their text, else where they are.
 */
struct timed_line {
	uint32_t text, at;
	double self_s;
};

static const struct timed_line lines_then[] = {
	{ 7, 1, 0.2 }, { 8, 2, 0.5 }, { 9, 3, 0.2 }, { 7, 5, 0.1 },
};

static const struct {
	struct timed_line now[6];
	const char *rule, *where;
} line_cases[] = {
	/* three lines were put in front: that of text 9 takes twice as long */
	{ { { 7, 4, 0.2 }, { 8, 5, 0.5 }, { 9, 6, 0.5 }, { 7, 8, 0.1 } },
	  "slow self <= +5 %", "main > slow, +300 ms at a.c:17" },
	/* of two of one text the nearest */
	{ { { 7, 1, 0.2 }, { 8, 2, 0.5 }, { 9, 3, 0.2 }, { 7, 5, 0.4 } },
	  "slow total <= +5 %", "main > slow, +300 ms at a.c:16" },
	/* a line that is new */
	{ { { 7, 1, 0.2 }, { 8, 2, 0.5 }, { 5, 3, 0.3 }, { 9, 4, 0.2 }, { 7, 6, 0.1 } },
	  "slow per-call <= +5 %", "main > slow, +15.0 us a call at a.c:14" },
	/* texts are not known: by their place */
	{ { { 0, 1, 0.2 }, { 0, 2, 0.5 }, { 0, 3, 0.2 }, { 0, 5, 0.4 } },
	  "slow self <= +5 %", "main > slow, +300 ms at a.c:16" },
	/* no line grew */
	{ { { 7, 1, 0.2 }, { 8, 2, 0.5 }, { 9, 3, 0.2 }, { 7, 5, 0.1 } },
	  "slow self <= +5 %", "main > slow, most of its time at a.c:13" },
	{ { { 0, 0, 0 } }, "slow self <= +5 %", "main > slow, declared at a.c:11" },
};

/* Lines of slow; how many. */
static size_t made_lines(struct made *m, const struct timed_line *from, size_t most,
			 struct profile_line *lines)
{
	size_t n = 0;

	for (; n < most && from[n].at; n++)
		lines[n] = (struct profile_line){
			.function = 1, .line = m->functions[1].line + from[n].at,
			.text = from[n].text, .self_s = from[n].self_s,
		};
	m->p.lines = lines;
	m->p.line_count = n;
	return n;
}

static void line_of_the_change(void **state)
{
	struct profile_line was[8], is[8];
	struct made then, now;

	(void)state;
	for (size_t i = 0; i < COUNT(line_cases); i++) {
		for (int has_lines = 1; has_lines >= 0; has_lines--) {
			struct rules r = rules_of(line_cases[i].rule);
			struct buf text = BUF_INIT;
			struct gate g;
			size_t n;

			both_make(&then, &now);
			n = made_lines(&now, line_cases[i].now, COUNT(line_cases[i].now), is);
			if (has_lines)
				made_lines(&then, lines_then, COUNT(lines_then), was);
			g = gate_of(&r, &then, &now, true);
			assert_int_equal(g.verdicts[GATE_FAILED], 1);
			gate_where(&g, &g.results[0], &text);
			if (has_lines)
				assert_string_equal(buf_str(&text), line_cases[i].where);
			else
				assert_int_equal(!strstr(buf_str(&text), "most of its time"), !n);
			buf_release(&text);
			gate_release(&g);
			rules_release(&r);
		}
	}
}

/* What is not sure, by the policy. */
static void policies_count(void **state)
{
	static const char *const counts[] = {
		[GATE_WARN] = "tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"1\"",
		[GATE_PASS] = "tests=\"2\" failures=\"1\" errors=\"0\" skipped=\"0\"",
		[GATE_FAIL] = "tests=\"2\" failures=\"2\" errors=\"0\" skipped=\"0\"",
	};
	struct rules r = rules_of("\"a<b\" calls < 1\nslow calls < 10\n");
	struct made then, now;

	(void)state;
	both_make(&then, &now);
	for (int policy = GATE_WARN; policy <= GATE_FAIL; policy++) {
		struct gate g = gate_of(&r, &then, &now, false);
		struct buf text = BUF_INIT;
		struct out out;

		out_open_buf(&out, &text);
		junit_begin(&out);
		junit_suite(&out, &g, "a & b", (enum gate_policy)policy);
		junit_end(&out);
		assert_int_equal(out_close(&out, NULL), 0);
		assert_non_null(strstr(buf_str(&text), counts[policy]));
		assert_non_null(strstr(buf_str(&text), "name=\"a &amp; b\""));
		assert_non_null(strstr(buf_str(&text), "a&lt;b"));
		buf_release(&text);
		gate_release(&g);
	}
	rules_release(&r);
}

static void no_memory(void **state)
{
	struct rules r = rules_of("* self <= +5 %\n");
	struct made then, now;
	struct gate_input a, b;

	(void)state;
	both_make(&then, &now);
	a = (struct gate_input){ .profile = &then.p, .hooks = NAN };
	b = (struct gate_input){ .profile = &now.p, .hooks = NAN };
	for (long n = 0, done = 0; !done; n++) {
		struct gate g;

		mem_fail_after(n);
		done = gate_run(&g, &r, &b, &a) == 0;
		mem_fail_after(-1);
		assert_true(done ? n > 5 : n < 1000);
		gate_release(&g);
	}
	rules_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patterns_match), cmocka_unit_test(rules_are_read),
		cmocka_unit_test(wrong_lines_are_said), cmocka_unit_test(verdicts_given),
		cmocka_unit_test(sums_are_scaled), cmocka_unit_test(worst_first),
		cmocka_unit_test(path_to_the_change),
		cmocka_unit_test(line_of_the_change), cmocka_unit_test(policies_count),
		cmocka_unit_test(no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
