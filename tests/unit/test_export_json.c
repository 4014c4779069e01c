/* export_json: the export as JSON, and the writer of JSON. */
#include "tests/unit/export_made.h"

#include <cjson/cJSON.h>

#include "core/base/json_out.h"
#include "core/profile/look/worst.h"

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
	s = source_named(&p);
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
	s = source_named(&p);
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
	j.script = true;
	json_text(&j, "script", "a</script>");
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
" \"nothing\":[],\n"
" \"script\":\"a\\u003c/script>\"}");
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(json_says_what_is_known),
		cmocka_unit_test(json_says_when_the_longest_calls_were),
		cmocka_unit_test(json_has_null_for_what_is_not),
		cmocka_unit_test(json_without_a_tick_length),
		cmocka_unit_test(json_quotes_names),
		cmocka_unit_test(json_keeps_large_counts),
		cmocka_unit_test(json_marks_estimates),
		cmocka_unit_test(json_tells_stack_traces),
		cmocka_unit_test(json_has_a_line_an_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
