/*
 * export_made: profiles that the tests of exports share, made of rows, and how they are written.
 */
#ifndef WSNTOP_TESTS_EXPORT_MADE_H
#define WSNTOP_TESTS_EXPORT_MADE_H

#include "tests/unit/unit.h"

#include <math.h>

#include "core/export/export.h"
#include "core/profile/raw/feed.h"

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

static inline struct wire_report report_of(const struct wire_row *r, size_t n)
{
	return (struct wire_report){
		.kind = REPORT_PROF, .name = "unit", .index = 1, .num_sites = n, .max_sites = 100,
		.ticks_run = 5000, .ticks_per_second = 1000, .complete = true,
		.rows = r, .count = n,
	};
}

static inline void make_timed(struct profile *p, const struct wire_row *r, size_t n)
{
	struct wire_report report = report_of(r, n);

	assert_int_equal(profile_init(p, "unit"), 0);
	p->named = true;
	assert_int_equal(profile_take_report(p, &report, true), 0);
	assert_int_equal(profile_compute(p), 0);
}

static inline void add_samples(struct profile *p, uint32_t pc, size_t n)
{
	for (size_t i = 0; i < n; i++)
		profile_add_samples(p, &pc, 1);
}

static inline struct export_source source_of(const struct profile *p, const char *format)
{
	return (struct export_source){
		.profile = p, .node = "file:unit", .format = format, .image_match = "unknown",
		.agreement = (double)NAN, .stream = { .bytes = 1234, .events = 5 },
		.order = { .column = COLUMN_SELF },
	};
}

static inline struct profile_function *function_at(struct profile *p, uint64_t address)
{
	for (size_t i = 0; i < p->function_count; i++)
		if (p->functions[i].address == address)
			return &p->functions[i];
	fail_msg("no function at 0x%lx", (unsigned long)address);
	return NULL;
}

static inline void name_them(struct profile *p)
{
	function_at(p, 0x100)->name = "main";
	function_at(p, 0x200)->name = "work";
	function_at(p, 0x300)->name = "leaf";
	function_at(p, 0x900)->name = "never";
	function_at(p, 0x200)->file = function_at(p, 0x300)->file = "work.c";
}

/* All rows with their names, as one report. */
static inline struct export_source source_named(struct profile *p)
{
	make_timed(p, rows, COUNT(rows));
	name_them(p);
	return source_of(p, "prof");
}

static inline void write_as(const char *format, const struct export_source *s, struct buf *b)
{
	struct err err = { 0 };
	struct out out;

	out_open_buf(&out, b);
	assert_int_equal(export_write(exporter_find(format), s, &out, &err), 0);
	assert_int_equal(out_close(&out, &err), 0);
	assert_false(err_is_set(&err));
}

/* As the command line does. */
static inline struct export_value *value_at(struct export_values *v, const char *name)
{
	const struct export_option *o;

	for (size_t i = 0; (o = export_option_at(i)); i++)
		if (strcmp(o->name, name) == 0)
			return export_value(v, o);
	fail_msg("no option %s", name);
	return NULL;
}

static const char hostile[] = "a\"b\\c\n<d>|{e}\x1b[31m&lt;\t\xff=;/*";
static const char hostile_visible[] = "a\"b\\c\\x0a<d>|{e}\\x1b[31m&lt; \\xff=;/*";

#endif
