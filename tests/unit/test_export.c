/* export: every format, from profiles made of rows, arcs and samples. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <cjson/cJSON.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/export/export.h"
#include "core/export/json_out.h"
#include "core/export/name.h"
#include "core/profile/look/worst.h"
#include "core/profile/raw/feed.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- the profiles ----------------------------------------------------------------------------- */

/*
 * main() -> work() twice, work() -> leaf(), leaf() calls itself; one call of 0x900 never came back.
 * 1000 ticks a second. Without an image a caller is named by its return address: so `from` is also
 * a function's entry here, and the profile is told that this names it.
 */
static const struct wire_row rows[] = {
	{ .from = 0x100, .to = 0x200, .calls = 4, .total = 4000, .min = 500, .max = 2000 },
	{ .from = 0x102, .to = 0x200, .calls = 1, .total = 100, .min = 100, .max = 100 },
	{ .from = 0x200, .to = 0x300, .calls = 10, .total = 2500, .min = 50, .max = 65535,
	  .flags = ROW_MAX_AT_LEAST },
	{ .from = 0x300, .to = 0x300, .calls = 30, .total = 1500, .min = 10, .max = 100 },
	{ .from = 0x200, .to = 0x900, .calls = 0, .total = 0, .min = 65535, .max = 0 },
};

static struct wire_report report_of(const struct wire_row *r, size_t n)
{
	return (struct wire_report){
		.kind = REPORT_PROF, .name = "unit", .index = 1, .num_sites = n, .max_sites = 100,
		.ticks_run = 5000, .ticks_per_second = 1000, .complete = true,
		.rows = r, .count = n,
	};
}

static void make_timed(struct profile *p, const struct wire_row *r, size_t n)
{
	struct wire_report report = report_of(r, n);

	assert_int_equal(profile_init(p, "unit"), 0);
	p->named = true;
	assert_int_equal(profile_take_report(p, &report, true), 0);
	assert_int_equal(profile_compute(p), 0);
}

static void add_samples(struct profile *p, uint32_t pc, size_t n)
{
	for (size_t i = 0; i < n; i++)
		profile_add_samples(p, &pc, 1);
}

static struct export_source source_of(const struct profile *p, const char *format)
{
	return (struct export_source){
		.profile = p, .node = "file:unit", .format = format, .image_match = "unknown",
		.agreement = (double)NAN, .stream = { .bytes = 1234, .events = 5 },
		.order = { .column = COLUMN_SELF },
	};
}

static struct profile_function *function_at(struct profile *p, uint64_t address)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].address == address)
			return &p->functions[i];
	fail_msg("no function at 0x%lx", (unsigned long)address);
	return NULL;
}

static void name_them(struct profile *p)
{
	function_at(p, 0x100)->name = "main";
	function_at(p, 0x200)->name = "work";
	function_at(p, 0x300)->name = "leaf";
	function_at(p, 0x900)->name = "never";
	function_at(p, 0x200)->file = function_at(p, 0x300)->file = "work.c";
}

static void write_as(const char *format, const struct export_source *s, struct buf *b)
{
	struct err err = { 0 };
	struct out out;

	out_open_buf(&out, b);
	assert_int_equal(export_write(exporter_find(format), s, &out, &err), 0);
	assert_int_equal(out_close(&out, &err), 0);
	assert_false(err_is_set(&err));
}

/* As the command line does. */
static struct export_value *value_at(struct export_values *v, const char *name)
{
	const struct export_option *o;

	for (size_t i = 0; (o = export_option_at(i)); i++)
		if (strcmp(o->name, name) == 0)
			return export_value(v, o);
	fail_msg("no option %s", name);
	return NULL;
}

/* --- the table -------------------------------------------------------------------------------- */

static void every_exporter_is_found(void **state)
{
	static const char *const names[] = {
		"flat", "text", "gmon", "dot", "json", "csv", "changes"
	};

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct exporter *e = exporter_find(names[i]);

		assert_non_null(e);
		assert_string_equal(e->name, names[i]);
		assert_int_equal(e->binary, strcmp(names[i], "gmon") == 0);
		assert_non_null(e->help);
		assert_non_null(e->file);
	}
	assert_null(exporter_find("pdf"));
	assert_null(exporter_find(""));
}

static const struct export_option made_text = {
	.name = "title", .argument = "TEXT", .kind = EXPORT_TEXT, .text = "untitled",
};

static const struct export_option made_number = {
	.name = "depth", .argument = "N", .kind = EXPORT_NUMBER, .number = 7,
};

/* Defaults until chosen, each option once however many formats have it. */
static void options_have_defaults(void **state)
{
	struct export_values values = { 0 };
	struct export_source s = { 0 };
	size_t n;

	(void)state;
	for (n = 0; export_option_at(n); n++) {
		assert_int_equal(export_value(&values, export_option_at(n))->number,
				 export_option_at(n)->number);
		for (size_t i = 0; i < n; i++)
			assert_string_not_equal(export_option_at(i)->name,
						export_option_at(n)->name);
	}
	assert_int_equal(values.count, n);
	/* room for these and for what is made here */
	assert_true(n <= EXPORT_VALUES / 2);
	for (int round = 0; round < 2; round++) {
		assert_string_equal(export_text_of(&s, &made_text), "untitled");
		assert_int_equal(export_number(&s, &made_number), 7);
		s.values = &values;
	}
	export_value(&values, &made_text)->text = "mine";
	export_value(&values, &made_number)->number++;
	export_value(&values, &made_number)->number++;
	assert_string_equal(export_text_of(&s, &made_text), "mine");
	assert_int_equal(export_number(&s, &made_number), 9);
	assert_int_equal(values.count, n + 2);
}

/* --- json ------------------------------------------------------------------------------------- */

static cJSON *json_parse(const struct export_source *s)
{
	struct buf out = BUF_INIT;
	cJSON *o;

	write_as("json", s, &out);
	o = cJSON_Parse(buf_str(&out));
	assert_non_null(o);
	buf_release(&out);
	return o;
}

static const cJSON *json_entry(const cJSON *o, const char *array, const char *key,
			       const char *value)
{
	const cJSON *i;

	cJSON_ArrayForEach(i, cJSON_GetObjectItem(o, array)) {
		const char *v = cJSON_GetStringValue(cJSON_GetObjectItem(i, key));

		if (v && strcmp(v, value) == 0)
			return i;
	}
	fail_msg("no %s with %s %s", array, key, value);
	return NULL;
}

static double member_number(const cJSON *o, const char *key)
{
	const cJSON *i = cJSON_GetObjectItem(o, key);

	assert_non_null(i);
	assert_true(cJSON_IsNumber(i));
	return i->valuedouble;
}

static void assert_null_at(const cJSON *o, const char *key)
{
	const cJSON *i = cJSON_GetObjectItem(o, key);

	assert_non_null(i);
	assert_true(cJSON_IsNull(i));
}

static void json_says_what_is_known(void **state)
{
	struct profile p;
	struct export_source s;
	const cJSON *f, *e;
	cJSON *o;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	s = source_of(&p, "prof");
	o = json_parse(&s);
	assert_int_equal(member_number(o, "wsntop"), 1);
	f = cJSON_GetObjectItem(o, "node");
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(f, "format")), "prof");
	assert_true(member_number(f, "ticks_per_second") == 1000);
	assert_true(member_number(f, "profiled_s") == 5);
	assert_null_at(f, "hz");
	assert_null_at(f, "image");
	assert_true(member_number(cJSON_GetObjectItem(o, "stream"), "bytes") == 1234);

	f = json_entry(o, "functions", "name", "leaf");
	assert_true(member_number(f, "calls") == 40);
	assert_true(member_number(f, "total_s") == 2.5);	/* recursive calls lie inside */
	assert_true(member_number(f, "self_s") == 2.5);
	assert_true(member_number(f, "self_ticks") == 2500);
	assert_true(member_number(f, "min_s") == 0.01);
	assert_true(member_number(f, "max_ticks") == 65535);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(f, "max_at_least")));
	assert_true(cJSON_IsFalse(cJSON_GetObjectItem(f, "min_at_least")));
	assert_true(member_number(f, "address") == 0x300);
	assert_null_at(f, "samples");
	assert_null_at(f, "histogram");
	assert_null_at(f, "line");

	e = json_entry(o, "edges", "to", "never");
	assert_true(member_number(e, "calls") == 0);
	assert_null_at(e, "min_s");
	assert_null_at(e, "max_s");
	e = json_entry(o, "edges", "from", "leaf");
	assert_true(member_number(e, "total_s") == 1.5);	/* the node's own sum */
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(o, "sites")), COUNT(rows));
	e = json_entry(o, "sites", "from", "leaf");
	assert_true(member_number(e, "address") == 0x300);
	assert_true(member_number(e, "total_s") == 1.5);
	cJSON_Delete(o);
	profile_release(&p);
}

static const cJSON *json_longest(const cJSON *o, uint64_t from, uint64_t to)
{
	const cJSON *i;

	cJSON_ArrayForEach(i, cJSON_GetObjectItem(o, "longest")) {
		if (member_number(i, "from_address") == (double)from &&
		    member_number(i, "to_address") == (double)to)
			return i;
	}
	fail_msg("no longest call");
	return NULL;
}

/* One was there when the node was first heard; one grew between the looks, a second apart. */
static void json_says_when_the_longest_calls_were(void **state)
{
	struct wire_row later[COUNT(rows)];
	struct export_source s;
	struct wire_report r;
	struct profile p;
	struct worst w;
	const cJSON *c;
	cJSON *o;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	worst_init(&w);
	assert_int_equal(worst_look(&w, &p, 1000000000), 0);
	memcpy(later, rows, sizeof(rows));
	later[2].calls++;
	later[2].total += 1000;
	later[0].calls++;
	later[0].total += 3000;
	later[0].max = 3000;
	r = report_of(later, COUNT(later));
	assert_int_equal(profile_take_report(&p, &r, true), 0);
	assert_int_equal(profile_compute(&p), 0);
	assert_int_equal(worst_look(&w, &p, 2000000000), 0);
	s = source_of(&p, "prof");
	o = json_parse(&s);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(o, "longest")), 0);
	cJSON_Delete(o);
	s.worst = &w;
	s.wall_known = true;
	s.wall_ns = 98000000000;
	o = json_parse(&s);
	c = json_longest(o, 0x100, 0x200);
	assert_true(member_number(c, "s") == 3);
	assert_true(member_number(c, "after") == 99);
	assert_true(member_number(c, "seen") == 100);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(c, "path")), 1);
	c = json_longest(o, 0x200, 0x300);
	assert_null_at(c, "after");
	assert_true(member_number(c, "seen") == 99);
	assert_true(cJSON_GetArrayItem(cJSON_GetObjectItem(c, "path"), 1)->valuedouble == 0x100);
	cJSON_Delete(o);
	worst_release(&w);
	profile_release(&p);
}

static void json_has_null_for_what_is_not(void **state)
{
	static const char *const unknown[] = {
		"calls", "samples", "self_s", "total_s", "min_s", "max_s", "self_ticks", "file",
	};
	struct wire_arc arc = { 0x100, 0x200 };
	struct profile p;
	struct export_source s;
	const cJSON *f;
	cJSON *o;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	s = source_of(&p, "prof");
	o = json_parse(&s);
	f = json_entry(o, "functions", "name", "main");
	for (size_t i = 0; i < COUNT(unknown); i++)
		assert_null_at(f, unknown[i]);
	cJSON_Delete(o);
	profile_release(&p);

	/* Arcs without samples: calls are known, no time is. */
	assert_int_equal(profile_init(&p, ""), 0);
	profile_add_arcs(&p, &arc, 1);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	o = json_parse(&s);
	f = cJSON_GetObjectItem(o, "node");
	assert_null_at(f, "hz");
	assert_null_at(f, "ticks_per_second");
	assert_null_at(f, "profiled_s");
	f = cJSON_GetArrayItem(cJSON_GetObjectItem(o, "edges"), 0);
	assert_true(member_number(f, "calls") == 1);
	assert_null_at(f, "total_s");
	assert_null_at(f, "min_s");
	f = cJSON_GetArrayItem(cJSON_GetObjectItem(o, "sites"), 0);
	assert_null_at(f, "total_s");
	cJSON_Delete(o);
	profile_release(&p);
}

/* No tick length: ticks are known, seconds are not. */
static void json_without_a_tick_length(void **state)
{
	struct wire_report report = report_of(rows, COUNT(rows));
	struct profile p;
	struct export_source s;
	cJSON *o;
	const cJSON *f;

	(void)state;
	report.ticks_per_second = 0;
	assert_int_equal(profile_init(&p, "unit"), 0);
	p.named = true;
	assert_int_equal(profile_take_report(&p, &report, true), 0);
	assert_int_equal(profile_compute(&p), 0);
	name_them(&p);
	s = source_of(&p, "prof");
	o = json_parse(&s);
	f = json_entry(o, "functions", "name", "leaf");
	assert_null_at(f, "self_s");
	assert_null_at(f, "max_s");
	assert_true(member_number(f, "self_ticks") == 2500);
	assert_null_at(json_entry(o, "edges", "from", "leaf"), "total_s");
	cJSON_Delete(o);
	profile_release(&p);
}

static const char hostile[] = "a\"b\\c\n<d>|{e}\x1b[31m&lt;\t\xff=;/*";
static const char hostile_visible[] = "a\"b\\c\\x0a<d>|{e}\\x1b[31m&lt; \\xff=;/*";

static void json_quotes_names(void **state)
{
	struct profile p;
	struct export_source s;
	cJSON *o;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	function_at(&p, 0x300)->name = hostile;
	s = source_of(&p, "prof");
	s.node = hostile;
	o = json_parse(&s);
	json_entry(o, "functions", "name", hostile_visible);
	json_entry(o, "edges", "to", hostile_visible);
	assert_string_equal(cJSON_GetStringValue(cJSON_GetObjectItem(
		cJSON_GetObjectItem(o, "node"), "name")), hostile_visible);
	cJSON_Delete(o);
	profile_release(&p);
}

/* 64-bit counts keep every digit; cJSON's doubles would not. */
static void json_keeps_large_counts(void **state)
{
	const struct wire_row large[] = {
		{ .from = 0x10, .to = 0x20, .calls = 9007199254740993, .total = 1, .max = 1 },
	};
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, large, 1);
	s = source_of(&p, "prof");
	write_as("json", &s, &out);
	assert_non_null(strstr(buf_str(&out), "\"calls\":9007199254740993,"));
	buf_release(&out);
	profile_release(&p);
}

/* Estimates are marked, and sites add up to their edge. */
static void json_marks_estimates(void **state)
{
	const struct wire_row slow[] = {
		{ .from = 0x100,
		  .to = 0x200,
		  .calls = 1000,
		  .total = 900000,
		  .min = 5,
		  .max = 2000 },
		{ .from = 0x100, .to = 0x200, .calls = 1, .total = 1, .min = 1, .max = 1 },
		{ .from = 0x200,
		  .to = 0x300,
		  .calls = 1000,
		  .total = 100000,
		  .min = 5,
		  .max = 200 },
	};
	struct wire_report report = report_of(slow, COUNT(slow));
	struct profile p;
	struct export_source s;
	cJSON *o;

	(void)state;
	report.ticks_per_second = 32768;
	assert_int_equal(profile_init(&p, "unit"), 0);
	p.named = true;
	p.terms.correct = true;
	assert_int_equal(profile_take_report(&p, &report, true), 0);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "prof");
	o = json_parse(&s);
	assert_true(cJSON_IsTrue(cJSON_GetObjectItem(o, "estimate")));
	assert_true(member_number(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "edges"), 1),
				  "total_ticks") < 100000);
	assert_true(member_number(cJSON_GetArrayItem(cJSON_GetObjectItem(o, "edges"), 1),
				  "total_ticks") ==
		    member_number(json_entry(o, "sites", "to", "0x00300"), "total_ticks"));
	cJSON_Delete(o);
	profile_release(&p);
}

static void json_tells_stack_traces(void **state)
{
	const struct wire_frame frames[] = { { 0x100, 0x200, 512 }, { 0x200, 0x300, 768 } };
	const struct wire_stack stack = {
		.announced = 3, .ticks_per_second = 1024, .frames = frames, .count = 2,
	};
	struct profile p;
	struct export_source s;
	const cJSON *trace, *frame;
	cJSON *o;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	s = source_of(&p, "prof");
	s.stacks = &stack;
	s.stack_count = 1;
	o = json_parse(&s);
	trace = cJSON_GetArrayItem(cJSON_GetObjectItem(o, "stacktraces"), 0);
	assert_true(member_number(trace, "announced") == 3);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(trace, "frames")), 2);
	frame = cJSON_GetArrayItem(cJSON_GetObjectItem(trace, "frames"), 1);
	assert_true(member_number(frame, "at_s") == 0.75);
	assert_true(member_number(frame, "to_address") == 0x300);
	cJSON_Delete(o);
	profile_release(&p);
}

/* --- csv -------------------------------------------------------------------------------------- */

static void csv_is_rfc_4180(void **state)
{
	struct export_values values = { 0 };
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	function_at(&p, 0x200)->name = "say \"hi\", all";
	function_at(&p, 0x300)->name = "=1+2";
	function_at(&p, 0x300)->file = "@home.c";
	s = source_of(&p, "prof");
	s.order.column = COLUMN_CALLS;
	value_at(&values, "limit")->number = 2;
	s.values = &values;
	write_as("csv", &s, &out);
	assert_string_equal(buf_str(&out),
		"name,file,line,address,calls,sites,samples,self_s,total_s,min_s,max_s,self_ticks,"
		"total_ticks,min_ticks,max_ticks,at_least,time,per_call_s,p50_s,p90_s,p99_s,"
		"calls_per_s,load,stack_bytes,context\r\n"
		"\"'=1+2\",\"'@home.c\",,0x300,40,2,,2.5,2.5,0.01,65.535,2500,2500,10,65535,"
		"max,timed,0.1,,,,,,,\"several\"\r\n"
		"\"say \"\"hi\"\", all\",\"work.c\",,0x200,5,2,,1.6,4.1,0.1,2,1600,4100,100,2000,"
		",timed,0.82,,,,,,,\"several\"\r\n");
	buf_release(&out);
	profile_release(&p);
}

static void csv_leaves_the_unknown_empty(void **state)
{
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	s = source_of(&p, "prof");
	write_as("csv", &s, &out);
	assert_non_null(strstr(buf_str(&out), "\"main\",,,0x100,,,,,,,,,,,,,,,,,,,,"));
	assert_non_null(strstr(buf_str(&out), "\"never\",,,0x900,0,1,,0,0,,,0,0,,,,timed,,,,,,,,"));
	buf_release(&out);
	profile_release(&p);
}

/* --- dot -------------------------------------------------------------------------------------- */

static void dot_says_what_the_paper_draws(void **state)
{
	static const char *const must[] = {
		"label=\"4.100s/5.000s profiled\"",
		"work.c\\nleaf\\nmin: 10.000ms max: \u226565535.000ms\\n2500.000ms\\n40 calls\"",
		"label=\"main\\n(unprofiled)\"",
		"1 site\\n250.000ms/call\\n50.00-\u226565535.00ms\\n10 calls\"",
		"color=\"#ff0000\"", "color=\"#0000ff\"", "style=bold", "style=dotted",
	};
	struct export_values values = { 0 };
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	s = source_of(&p, "prof");
	write_as("dot", &s, &out);
	for (size_t i = 0; i < COUNT(must); i++)
		if (!strstr(buf_str(&out), must[i]))
			fail_msg("no %s in\n%s", must[i], buf_str(&out));
	buf_release(&out);

	value_at(&values, "cluster")->number = value_at(&values, "per-site")->number = 1;
	s.values = &values;
	write_as("dot", &s, &out);
	assert_non_null(strstr(buf_str(&out), "subgraph cluster_"));
	assert_non_null(strstr(buf_str(&out), "label=\"work.c\";"));
	assert_non_null(strstr(buf_str(&out), "label=\"0x00102\\n100.000ms/call"));
	buf_release(&out);
	profile_release(&p);
}

static void dot_quotes_names(void **state)
{
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	function_at(&p, 0x300)->name = hostile;
	s = source_of(&p, "prof");
	write_as("dot", &s, &out);
	assert_non_null(strstr(buf_str(&out), "a\\\"b\\\\c\\\\x0a<d>|{e}\\\\x1b[31m&amp;lt;"
			       " \\\\xff=;/*"));
	buf_release(&out);
	profile_release(&p);
}

/* --- gmon: read back as gprof reads it -------------------------------------------------------- */

struct gmon {
	const uint8_t *at, *end;
	uint64_t samples;		/* over all records */
	unsigned records, ranges, arcs;
	uint64_t calls, low, high;	/* of arcs; of the last range */
	uint32_t rate, bin, most;
	uint32_t previous_from;
};

static uint64_t report_take(struct gmon *g, unsigned bytes)
{
	uint64_t v = 0;

	assert_true(g->end - g->at >= (ptrdiff_t)bytes);
	for (unsigned i = 0; i < bytes; i++)
		v |= (uint64_t)*g->at++ << 8 * i;
	return v;
}

static void take_histogram(struct gmon *g)
{
	uint64_t low = report_take(g, 4), high = report_take(g, 4), bins = report_take(g, 4);

	g->rate = (uint32_t)report_take(g, 4);
	assert_true(bins > 0 && high > low && (high - low) % bins == 0);
	if (g->records++)
		assert_int_equal(g->bin, (high - low) / bins);
	g->bin = (uint32_t)((high - low) / bins);
	g->ranges += low != g->low || high != g->high;
	g->low = low;
	g->high = high;
	assert_memory_equal(g->at, "seconds\0\0\0\0\0\0\0\0s", 16);
	g->at += 16;
	for (uint64_t i = 0; i < bins; i++) {
		uint32_t n = (uint32_t)report_take(g, 2);

		g->samples += n;
		g->most = n > g->most ? n : g->most;
	}
}

static void take_arc(struct gmon *g)
{
	uint32_t from = (uint32_t)report_take(g, 4);

	assert_true(from >= g->previous_from);
	g->previous_from = from;
	report_take(g, 4);
	g->calls += report_take(g, 4);
	g->arcs++;
}

static struct gmon read_gmon(const struct export_source *s)
{
	struct gmon g = { .low = 1, .high = 0 };
	struct buf out = BUF_INIT;

	write_as("gmon", s, &out);
	assert_memory_equal(out.data, "gmon\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 20);
	g.at = (const uint8_t *)out.data + 20;
	g.end = (const uint8_t *)out.data + out.len;
	while (g.at < g.end) {
		switch (report_take(&g, 1)) {
		case 0: take_histogram(&g); break;
		case 1: take_arc(&g); break;
		default: fail_msg("unknown record");
		}
	}
	buf_release(&out);
	return g;
}

static void gmon_of_samples(void **state)
{
	static const struct wire_arc arcs[] = {
		{ 0x527, 0x200 }, { 0x524, 0x200 }, { 0x11, 0x300 },
	};
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	profile_add_arcs(&p, arcs, COUNT(arcs));
	add_samples(&p, 0x202, 3);
	add_samples(&p, 0x204, 5);
	add_samples(&p, 0x412, 2);
	assert_int_equal(profile_compute(&p), 0);

	s = source_of(&p, "gprof-hex");
	g = read_gmon(&s);
	assert_int_equal(g.bin, 4);	/* the gprof thesis' counters */
	assert_int_equal(g.low, 0x200);
	assert_int_equal(g.high, 0x414);
	assert_int_equal(g.rate, 1000);
	assert_int_equal(g.samples, 10);
	assert_int_equal(g.arcs, 2);	/* two share one counter's 4 bytes */
	assert_int_equal(g.calls, 3);

	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_int_equal(g.bin, 2);
	assert_int_equal(g.arcs, 3);
	profile_release(&p);
}

/* Arcs alone: the gprof thesis' host states its rate all the same. */
static void gmon_of_arcs_alone(void **state)
{
	static const struct wire_arc arcs[] = { { 0x527, 0x200 }, { 0x11, 0x300 } };
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	profile_add_arcs(&p, arcs, COUNT(arcs));
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.rate, 1000);
	assert_int_equal(g.samples, 0);
	assert_int_equal(g.calls, 2);
	profile_release(&p);
}

static void gmon_splits_what_16_bits_cannot_hold(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	add_samples(&p, 0x200, 65535 * 2 + 7);
	add_samples(&p, 0x204, 1);
	add_samples(&p, 0x20000000, 9);		/* code in RAM: a range of its own */
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.records, 4);
	assert_int_equal(g.ranges, 2);
	assert_int_equal(g.samples, 65535 * 2 + 7 + 1 + 9);
	profile_release(&p);
}

static void gmon_scales_what_no_records_hold(void **state)
{
	const struct wire_sampled many[] = {
		{ 0x200, UINT64_C(4000000000000) }, { 0x202, 1000000000000 },
	};
	struct wire_report report = {
		.kind = REPORT_SPROF, .name = "unit", .index = 1, .num_sites = 2, .max_sites = 9,
		.samples = UINT64_C(5000000000000), .complete = true, .sampled = many, .count = 2,
	};
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, "unit"), 0);
	p.named = true;
	p.terms.hz = 1e9;
	assert_int_equal(profile_take_report(&p, &report, true), 0);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_in_range(g.records, 1, 64);
	assert_true(fabs((double)g.samples / g.rate - 5000) < 5);
	profile_release(&p);
}

static void gmon_of_an_odd_rate(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	p.terms.hz = 139.6;
	add_samples(&p, 0x200, 1396);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_int_equal(g.rate, 698);
	assert_int_equal(g.samples, 6980);
	profile_release(&p);
}

static void gmon_of_times(void **state)
{
	static const double scales[] = { 1e-6, 1, 1e3, 1e6 };	/* of a tick: ns to a month */

	(void)state;
	for (size_t i = 0; i < COUNT(scales); i++) {
		struct wire_report report = report_of(rows, COUNT(rows));
		struct profile p;
		struct export_source s;
		struct gmon g;

		assert_int_equal(profile_init(&p, "unit"), 0);
		p.named = true;
		assert_int_equal(profile_take_report(&p, &report, true), 0);
		p.terms.ticks_per_second = 1000 / scales[i];
		p.dirty = true;
		assert_int_equal(profile_compute(&p), 0);
		s = source_of(&p, "prof");
		g = read_gmon(&s);
		assert_int_equal(g.calls, 45);
		assert_int_equal(g.arcs, 4);	/* the call that never came back is no arc */
		assert_true(g.rate > 0);
		assert_true(fabs((double)g.samples / g.rate / p.totals.self_s - 1) < 1e-3);
		if (scales[i] <= 1)
			assert_int_equal(g.records, 1);
		profile_release(&p);
	}
}

/*
 * Samples in the node's own runtime, one row, lie where they were taken; JSON knows no address of
 * it.
 */
static void the_runtimes_row_has_no_address(void **state)
{
	struct wire_report report = report_of(rows, COUNT(rows));
	struct buf out = BUF_INIT;
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, "unit"), 0);
	p.named = true;
	p.terms.hz = 100;
	assert_int_equal(profile_take_report(&p, &report, true), 0);
	add_samples(&p, 0x702, 300);
	assert_int_equal(profile_compute(&p), 0);
	function_at(&p, 0x702)->address = PROFILE_RUNTIME;
	s = source_of(&p, "wsn");
	g = read_gmon(&s);
	assert_true(fabs((double)g.samples / g.rate / p.totals.self_s - 1) < 1e-3);
	write_as("json", &s, &out);
	assert_non_null(strstr(buf_str(&out), "\"address\":null"));
	assert_null(strstr(buf_str(&out), "4294967294"));
	buf_reset(&out);
	write_as("csv", &s, &out);
	assert_null(strstr(buf_str(&out), "fffffffe"));
	buf_release(&out);
	profile_release(&p);
}

static void gmon_of_many_calls(void **state)
{
	const struct wire_row many[] = {
		{ .from = 0x10, .to = 0x20, .calls = UINT64_C(10000000000), .total = 5, .max = 1 },
	};
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	make_timed(&p, many, 1);
	s = source_of(&p, "prof");
	g = read_gmon(&s);
	assert_int_equal(g.arcs, 3);
	assert_true(g.calls == UINT64_C(10000000000));
	profile_release(&p);
}

static void gmon_of_nothing_still_has_a_histogram(void **state)
{
	struct profile p;
	struct export_source s;
	struct gmon g;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	g = read_gmon(&s);
	assert_int_equal(g.records, 1);
	assert_int_equal(g.samples, 0);
	profile_release(&p);
}

/* --- text ------------------------------------------------------------------------------------- */

static void flat_is_gprofs_layout(void **state)
{
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	s = source_of(&p, "prof");
	write_as("flat", &s, &out);
	assert_string_equal(buf_str(&out),
"Flat profile:\n"
"\n"
"Report unit.\n"
"Each tick counts as 0.001 seconds; 4.10 s of 5.00 s profiled.\n"
"  %   cumulative   self              self     total         min       max  \n"
" time   seconds   seconds    calls  ms/call  ms/call         ms        ms  name\n"
" 60.98      2.50     2.50       40    62.50   100.00      10.00 >=65535.00  leaf\n"
" 39.02      4.10     1.60        5   320.00   820.00     100.00   2000.00  work\n"
"  0.00      4.10     0.00        0                                         never\n");
	buf_release(&out);
	profile_release(&p);
}

static void flat_has_no_range_for_samples(void **state)
{
	struct wire_arc arc = { 0x100, 0x200 };
	struct export_values values = { 0 };
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	profile_add_arcs(&p, &arc, 1);
	add_samples(&p, 0x200, 750);
	add_samples(&p, 0x300, 250);
	assert_int_equal(profile_compute(&p), 0);
	s = source_of(&p, "gprof");
	value_at(&values, "limit")->number = 1;
	s.values = &values;
	write_as("flat", &s, &out);
	assert_string_equal(buf_str(&out),
"Flat profile:\n"
"\n"
"Each sample counts as 0.001 seconds.\n"
"  %   cumulative   self              self     total   \n"
" time   seconds   seconds    calls  ms/call  ms/call  name\n"
" 75.00      0.75     0.75        1   750.00   750.00  0x00200\n"
"1 more\n");
	buf_release(&out);
	profile_release(&p);
}

static void text_has_the_call_graph(void **state)
{
	static const char *const must[] = {
"index % time    self  children    called     name\n",
"                                                 <spontaneous>\n"
"[2]     97.6            4.00                 main (unprofiled) [2]\n"
"                1.56    2.44       4/5           work [1]\n",
"                                  30             leaf [3]\n"
"                2.50    0.00      10/10          work [1]\n"
"[3]     61.0    2.50    0.00      10+30      leaf [3]\n",
"Index by function name\n",
	};
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	s = source_of(&p, "prof");
	write_as("text", &s, &out);
	for (size_t i = 0; i < COUNT(must); i++)
		if (!strstr(buf_str(&out), must[i]))
			fail_msg("no\n%s in\n%s", must[i], buf_str(&out));
	buf_release(&out);
	profile_release(&p);
}

/* a and b call each other: one entry for both together, called once from outside. */
static void text_has_an_entry_a_cycle(void **state)
{
	static const char *const must[] = {
"<cycle 1 as a whole> [", "a <cycle 1> [", "b <cycle 1> [", "       1+9       <cycle 1 as a whole>",
	};
	static const struct wire_row mutual[] = {
		{ .from = 0x100, .to = 0x200, .calls = 1, .total = 1000, .min = 1000, .max = 1000 },
		{ .from = 0x200, .to = 0x300, .calls = 5, .total = 4000, .min = 1, .max = 1000 },
		{ .from = 0x300, .to = 0x200, .calls = 4, .total = 3500, .min = 1, .max = 1000 },
	};
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, mutual, COUNT(mutual));
	function_at(&p, 0x200)->name = "a";
	function_at(&p, 0x300)->name = "b";
	s = source_of(&p, "prof");
	write_as("text", &s, &out);
	for (size_t i = 0; i < COUNT(must); i++)
		if (!strstr(buf_str(&out), must[i]))
			fail_msg("no\n%s in\n%s", must[i], buf_str(&out));
	buf_release(&out);
	profile_release(&p);
}

static void text_says_what_to_doubt(void **state)
{
	static const char *const must[] = {
		"Estimates:", "cut short", "table of 100 call sites was full",
		"Only 43 % of the addresses",
	};
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	p.terms.correct = p.terms.incomplete = p.terms.table_full = true;
	s = source_of(&p, "prof");
	s.agreement = 0.43;
	write_as("flat", &s, &out);
	for (size_t i = 0; i < COUNT(must); i++)
		if (!strstr(buf_str(&out), must[i]))
			fail_msg("no\n%s in\n%s", must[i], buf_str(&out));
	buf_release(&out);
	profile_release(&p);
}

static void text_obeys_no_control_bytes(void **state)
{
	static const char *const formats[] = { "flat", "text", "dot", "json", "csv" };
	struct profile p;
	struct export_source s;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	function_at(&p, 0x300)->name = function_at(&p, 0x300)->file = hostile;
	s = source_of(&p, "prof");
	s.node = hostile;
	for (size_t i = 0; i < COUNT(formats); i++) {
		struct buf out = BUF_INIT;

		write_as(formats[i], &s, &out);
		for (size_t k = 0; k < out.len; k++)
			if ((uint8_t)out.data[k] < ' ' && !strchr("\n\r\t", out.data[k]))
				fail_msg("%s has byte 0x%02x", formats[i], out.data[k]);
		buf_release(&out);
	}
	profile_release(&p);
}

/* --- the writer of JSON ----------------------------------------------------------------------- */

static void json_has_a_line_an_entry(void **state)
{
	struct buf text = BUF_INIT;
	struct json_out j = { 0 };
	struct out out;

	(void)state;
	out_open_buf(&out, &text);
	j.out = &out;
	json_begin_object(&j, NULL);
	json_bool(&j, "yes", true);
	json_text(&j, "text", "a\"b\\c\n");
	json_text(&j, "none", NULL);
	json_begin_object(&j, "flat");
	json_signed(&j, "least", true, INT64_MIN);
	json_begin_array(&j, "pair");
	json_number(&j, NULL, 0.5);
	json_number(&j, NULL, (double)NAN);
	json_end_array(&j);
	json_begin_object(&j, "empty");
	json_end_object(&j);
	json_end_object(&j);
	json_begin_array(&j, "lines");
	for (uint64_t i = 1; i <= 2; i++) {
		json_begin_object(&j, NULL);
		json_count(&j, "n", true, i);
		json_end_object(&j);
	}
	json_null(&j, NULL);
	json_end_array(&j);
	json_begin_array(&j, "nothing");
	json_end_array(&j);
	json_end_object(&j);
	assert_int_equal(out_close(&out, NULL), 0);
	assert_string_equal(buf_str(&text),
"{\"yes\":true,\n"
" \"text\":\"a\\\"b\\\\c\\\\x0a\",\n"
" \"none\":null,\n"
" \"flat\":{\"least\":-9223372036854775808,\"pair\":[0.5,null],\"empty\":{}},\n"
" \"lines\":[\n"
"  {\"n\":1},\n"
"  {\"n\":2},\n"
"  null],\n"
" \"nothing\":[]}");
	buf_release(&text);
}

/* --- all of them ------------------------------------------------------------------------------ */

static void memory_may_run_out_anywhere(void **state)
{
	struct export_values values = { 0 };
	struct profile p;
	struct export_source s;

	(void)state;
	make_timed(&p, rows, COUNT(rows));
	name_them(&p);
	p.terms.correct = true;
	s = source_of(&p, "prof");
	value_at(&values, "cluster")->number = value_at(&values, "per-site")->number = 1;
	s.values = &values;
	s.baseline = &p;
	for (const struct exporter *e = exporters; e->name; e++) {
		struct buf whole = BUF_INIT;
		bool done = false;
		long n;

		write_as(e->name, &s, &whole);
		for (n = 0; !done; n++) {
			struct buf got = BUF_INIT;
			struct err err = { 0 };
			struct out out;
			int ret;

			out_open_buf(&out, &got);
			mem_fail_after(n);
			ret = export_write(e, &s, &out, &err);
			if (ret == 0)
				ret = out_close(&out, &err);
			else
				out_discard(&out);
			mem_fail_after(-1);
			done = ret == 0;
			if (done)
				assert_int_equal(got.len, whole.len);
			else
				assert_true(err_is_set(&err));
			buf_release(&got);
		}
		assert_true(n > 1);
		buf_release(&whole);
	}
	profile_release(&p);
}

/* Nothing is asked of the heap, whatever the number of call sites: they leave as they are made. */
static void many_sites_take_no_heap(void **state)
{
	struct contexts contexts = { 0 };
	static const char *const formats[] = { "json", "dot" };
	enum { SITES = 50000 };
	struct export_source s;
	struct err err = { 0 };
	struct profile p;

	(void)state;
	assert_int_equal(profile_init(&p, ""), 0);
	for (uint32_t i = 0; i < SITES; i++) {
		struct wire_arc arc = { 0x1000 + 2 * i, 0x100 + i % 64 * 2 };

		profile_add_arcs(&p, &arc, 1);
	}
	assert_int_equal(profile_compute(&p), 0);
	assert_int_equal(p.site_count, SITES);
	s = source_of(&p, "gprof");
	assert_int_equal(contexts_build(&contexts, &p, NULL), 0);	/* as the screen has them */
	s.order.contexts = &contexts;
	for (size_t i = 0; i < COUNT(formats); i++) {
		struct out out;

		assert_int_equal(out_open(&out, "/dev/null", &err), 0);
		mem_fail_after(0);
		assert_int_equal(export_write(exporter_find(formats[i]), &s, &out, &err), 0);
		assert_int_equal(out_close(&out, &err), 0);
		mem_fail_after(-1);
	}
	contexts_release(&contexts);
	profile_release(&p);
}

static void files_are_written_whole_or_not_at_all(void **state)
{
	char dir[] = "/tmp/test_export.XXXXXX", path[64];
	struct profile p;
	struct export_source s;
	struct err err = { 0 };
	FILE *f;

	(void)state;
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/out.csv", dir);
	make_timed(&p, rows, COUNT(rows));
	s = source_of(&p, "prof");
	assert_int_equal(export_file(exporter_find("csv"), &s, path, &err), 0);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fgetc(f), 'n');
	fclose(f);
	mem_fail_after(3);
	assert_int_equal(export_file(exporter_find("text"), &s, path, &err), ERR_NOMEM);
	mem_fail_after(-1);
	f = fopen(path, "r");
	assert_int_equal(fgetc(f), 'n');
	fclose(f);
	unlink(path);
	snprintf(path, sizeof(path), "%s/none/out.csv", dir);
	err_clear(&err);
	assert_int_equal(export_file(exporter_find("csv"), &s, path, &err), ERR_IO);
	assert_true(err_is_set(&err));
	rmdir(dir);
	profile_release(&p);
}

/* A node's name is whatever it sent; the name proposed for a file is harmless. */
static void file_names_are_plain(void **state)
{
	static const struct { const char *node, *file, *name; } names[] = {
		{ "demo", "profile.csv", "demo-2026-11-22-1431.csv" },
		{ "demo", "callgraph.dot", "demo-callgraph-2026-11-22-1431.dot" },
		{ "mote 7", "profile.wsnrec", "mote-7-2026-11-22-1431.wsnrec" },
		{ "../../etc/passwd", "profile.csv", "etc-passwd-2026-11-22-1431.csv" },
		{ "-rf .", "gmon.out", "rf-gmon-2026-11-22-1431.out" },
		{ ".bashrc", "profile.csv", "bashrc-2026-11-22-1431.csv" },
		{ "a\033[2J\n$(b)`c`", "profile.csv", "a-2J-b-c-2026-11-22-1431.csv" },
		{ "\xff\xfe\xc3", "profile.csv", "node-2026-11-22-1431.csv" },
		{ "", "changes.csv", "node-changes-2026-11-22-1431.csv" },
		{ "....----", "profile.csv", "node-2026-11-22-1431.csv" },
	};
	uint64_t wall = UINT64_C(1795357899) * 1000000000;	/* 14:31:39 UTC */
	char name[EXPORT_NAME], random[200];

	(void)state;
	setenv("TZ", "UTC", 1);
	tzset();
	for (size_t i = 0; i < COUNT(names); i++)
		assert_string_equal(export_file_name(name, sizeof(name), names[i].node, wall,
						     names[i].file), names[i].name);
	srand(1);
	for (int i = 0; i < 20000; i++) {
		for (size_t k = 0; k < sizeof(random); k++)
			random[k] = (char)(rand() >> 7);
		random[sizeof(random) - 1] = '\0';
		export_file_name(name, sizeof(name), random, (uint64_t)rand() << 33,
				 "callgraph.dot");
		assert_true(name[0] != '-' && name[0] != '.' && strlen(name) < EXPORT_NAME - 1);
		assert_int_equal(strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
					"0123456789._-"), strlen(name));
		assert_string_equal(name + strlen(name) - 4, ".dot");
	}
}

/* A fact without a key or an option, and the code of what helps. */
static void changes_want_a_baseline(void **state)
{
	struct export_source s = { 0 };
	struct err err = { 0 };
	struct buf text = BUF_INIT;
	struct out out;

	(void)state;
	out_open_buf(&out, &text);
	assert_int_equal(export_write(exporter_find("changes"), &s, &out, &err), ERR_USAGE);
	assert_int_equal(err.advice, ADVICE_BASELINE);
	assert_string_equal(err.text, "changes: no baseline set");
	/* The first message wins, and so does its advice. */
	assert_int_equal(err_advise(&err, ERR_IO, ADVICE_FORMAT, "another"), ERR_IO);
	assert_int_equal(err.advice, ADVICE_BASELINE);
	err_clear(&err);
	assert_int_equal(err.advice, ADVICE_NONE);
	out_close(&out, NULL);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_exporter_is_found),
		cmocka_unit_test(file_names_are_plain),
		cmocka_unit_test(changes_want_a_baseline),
		cmocka_unit_test(options_have_defaults),
		cmocka_unit_test(json_says_what_is_known),
		cmocka_unit_test(json_says_when_the_longest_calls_were),
		cmocka_unit_test(json_has_null_for_what_is_not),
		cmocka_unit_test(json_without_a_tick_length),
		cmocka_unit_test(json_quotes_names),
		cmocka_unit_test(json_keeps_large_counts),
		cmocka_unit_test(json_marks_estimates),
		cmocka_unit_test(json_tells_stack_traces),
		cmocka_unit_test(csv_is_rfc_4180),
		cmocka_unit_test(csv_leaves_the_unknown_empty),
		cmocka_unit_test(dot_says_what_the_paper_draws),
		cmocka_unit_test(dot_quotes_names),
		cmocka_unit_test(gmon_of_samples),
		cmocka_unit_test(gmon_of_arcs_alone),
		cmocka_unit_test(gmon_splits_what_16_bits_cannot_hold),
		cmocka_unit_test(gmon_scales_what_no_records_hold),
		cmocka_unit_test(gmon_of_an_odd_rate),
		cmocka_unit_test(gmon_of_times),
		cmocka_unit_test(the_runtimes_row_has_no_address),
		cmocka_unit_test(gmon_of_many_calls),
		cmocka_unit_test(gmon_of_nothing_still_has_a_histogram),
		cmocka_unit_test(flat_is_gprofs_layout),
		cmocka_unit_test(flat_has_no_range_for_samples),
		cmocka_unit_test(text_has_the_call_graph),
		cmocka_unit_test(text_has_an_entry_a_cycle),
		cmocka_unit_test(text_says_what_to_doubt),
		cmocka_unit_test(text_obeys_no_control_bytes),
		cmocka_unit_test(json_has_a_line_an_entry),
		cmocka_unit_test(memory_may_run_out_anywhere),
		cmocka_unit_test(many_sites_take_no_heap),
		cmocka_unit_test(files_are_written_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
