/* export: the table of formats, and what holds for all of them. */
#include "tests/unit/export_made.h"

#include <time.h>

#include "core/base/mem.h"
#include "core/export/name.h"

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

/* main calls 1, which calls 2: twice, the second time as a reference; a value; a lost frame. */
static struct trace *trace_made(void)
{
	static const uint8_t tokens[] = { 0, 0, 0, 1, 0x82, 0x7e, 0x7d, 9, 0x7f, 0x7d, 0x01,
					  0x7d, 3, 0xff, 5, 4, 7, 0, 90, 0 };
	struct trace *t = trace_new();

	assert_non_null(t);
	trace_setup(t, &(struct wire_tracing){ .encoding = 1, .stamp_shift = 3, .slots = 128 },
		    1000000);
	for (uint8_t i = 0; i < 4; i += 2)
		trace_frame(t, &(struct wire_trace){ .number = i, .time = 1000, .tokens = tokens,
						     .count = sizeof(tokens) });
	return t;
}

static void memory_may_run_out_anywhere(void **state)
{
	struct trace *trace = trace_made();
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
	s.trace = trace;
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
	trace_free(trace);
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
		cmocka_unit_test(memory_may_run_out_anywhere),
		cmocka_unit_test(many_sites_take_no_heap),
		cmocka_unit_test(files_are_written_whole_or_not_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
