/* export_text: the exports that are read as text: csv, dot, flat, text. */
#include "tests/unit/export_made.h"

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
	s = source_named(&p);
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
	s = source_named(&p);
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

/* --- text ------------------------------------------------------------------------------------- */

static void flat_is_gprofs_layout(void **state)
{
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	s = source_named(&p);
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

/* Of the shortest call the clock counted no tick: it took less than one. */
static void flat_has_no_call_of_no_time(void **state)
{
	struct wire_row none = { .from = 0x100, .to = 0x200, .calls = 4, .total = 40, .max = 30 };
	struct profile p;
	struct export_source s;
	struct buf out = BUF_INIT;

	(void)state;
	make_timed(&p, &none, 1);
	s = source_of(&p, "prof");
	write_as("flat", &s, &out);
	assert_non_null(strstr(buf_str(&out), "    <1.00     30.00  "));
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
	s = source_named(&p);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(csv_is_rfc_4180),
		cmocka_unit_test(csv_leaves_the_unknown_empty),
		cmocka_unit_test(dot_says_what_the_paper_draws),
		cmocka_unit_test(dot_quotes_names),
		cmocka_unit_test(flat_is_gprofs_layout),
		cmocka_unit_test(flat_has_no_call_of_no_time),
		cmocka_unit_test(flat_has_no_range_for_samples),
		cmocka_unit_test(text_has_the_call_graph),
		cmocka_unit_test(text_has_an_entry_a_cycle),
		cmocka_unit_test(text_says_what_to_doubt),
		cmocka_unit_test(text_obeys_no_control_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
