/* Source files: where they are found, what is refused, lines; costs by line. */
#include "unit.h"

#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/profile/raw/feed.h"
#include "core/source/cost.h"
#include "core/source/source.h"
#include "image_tools.h"

/* --- paths ------------------------------------------------------------------------------------ */

static void test_map(void **state)
{
	static const struct { const char *path, *mapped; } cases[] = {
		{ "/build/app/main.c", "/home/a/main.c" },
		{ "/build/app/lib/x.c", "/opt/lib/x.c" },	/* the longest prefix */
		{ "/build/app/library/x.c", "/home/a/library/x.c" },	/* whole names only */
		{ "/build/application/x.c", NULL },
		{ "/build/app", "/home/a" },
		{ "build/app/x.c", NULL },
		{ "../src/x.c", "/home/b/x.c" },
		{ "", NULL },
	};
	struct source_paths p = { 0 };

	(void)state;
	assert_int_equal(source_paths_add_map(&p, "/build/app/", "/home/a/"), 0);
	assert_int_equal(source_paths_add_equation(&p, "/build/app/lib=/opt/lib"), 0);
	assert_int_equal(source_paths_add_equation(&p, "../src=/home/b"), 0);
	assert_int_equal(source_paths_add_equation(&p, "/build"), ERR_USAGE);
	assert_int_equal(source_paths_add_equation(&p, "=/x"), ERR_USAGE);
	assert_int_equal(source_paths_add_equation(&p, "/x="), ERR_USAGE);
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *mapped = source_paths_map(&p, cases[i].path);

		if (!cases[i].mapped)
			assert_null(mapped);
		else
			assert_string_equal(mapped, cases[i].mapped);
		mem_free(mapped);
	}
	source_paths_release(&p);
}

static void test_paths_full(void **state)
{
	struct source_paths p = { 0 }, given = { 0 };

	(void)state;
	for (size_t i = 0; i < SOURCE_DIRS - 1; i++)
		assert_int_equal(source_paths_add_dir(&p, i ? "later" : "first"), 0);
	assert_int_equal(source_paths_add_dir(&given, "given"), 0);
	assert_int_equal(source_paths_add_dir(&given, "too"), 0);
	assert_int_equal(source_paths_give(&p, &given), 0);
	assert_int_equal(p.dir_count, SOURCE_DIRS);
	assert_int_equal(p.given_dirs, 2);
	assert_string_equal(p.dirs[0], "given");
	assert_string_equal(p.dirs[2], "first");
	assert_int_equal(source_paths_add_dir(&p, "x"), ERR_USAGE);
	source_paths_drop_dir(&p, 1);
	assert_int_equal(p.given_dirs, 1);
	assert_string_equal(p.dirs[1], "first");
	source_paths_release(&given);
	source_paths_release(&p);
}

/* --- finding ---------------------------------------------------------------------------------- */

static void expect_found(const char *path, const char *beside, const struct source_paths *p,
			 const char *where)
{
	struct buf places = BUF_INIT;
	struct source *s = source_open(path, beside, p, &places);

	if (!s)
		fail_msg("%s is not found in\n%s", path, buf_str(&places));
	assert_string_equal(source_path(s), where);
	source_close(s);
	buf_release(&places);
}

/*
 * As much of the path as fits wins over the bare name, and what is given over what happens to be
 * here.
 */
static void test_find(void **state)
{
	struct source_paths p = { 0 };

	(void)state;
	assert_true(tools_run("mkdir -p dir/lib build lib old && echo 1 >dir/lib/a.c && echo 2 "
			      ">dir/a.c "
			      "&& echo 3 >build/b.c && echo 4 >lib/a.c && echo 5 >c.c && echo 6 "
			      ">old/d.c"));
	expect_found("/nowhere/lib/a.c", NULL, NULL, "lib/a.c");
	assert_int_equal(source_paths_add_dir(&p, "dir/"), 0);
	expect_found("/nowhere/lib/a.c", NULL, &p, "dir/lib/a.c");
	expect_found("/nowhere/x/a.c", NULL, &p, "dir/a.c");
	expect_found("src/b.c", "build/app.elf", &p, "build/b.c");
	expect_found("/x/y/c.c", "build/app.elf", &p, "c.c");
	assert_int_equal(source_paths_add_map(&p, "/x/y", "old"), 0);
	expect_found("/x/y/d.c", "app.elf", &p, "old/d.c");
	source_paths_release(&p);
}

static void test_places(void **state)
{
	struct source_paths p = { 0 };
	struct buf places = BUF_INIT;

	(void)state;
	assert_int_equal(source_paths_add_dir(&p, "src"), 0);
	assert_int_equal(source_paths_add_map(&p, "/build", "/home/me"), 0);
	assert_true(tools_run("mkdir -p src/none.c && mkfifo fifo.c && mkdir -p out"));
	assert_null(source_open("/build/a/none.c", "out/app.elf", &p, &places));
	assert_string_equal(buf_str(&places), "/home/me/a/none.c\n/build/a/none.c\n"
					      "src/build/a/none.c\n"
			    "src/a/none.c\nsrc/none.c: not a regular file\nout/build/a/none.c\n"
			    "out/a/none.c\nout/none.c\nbuild/a/none.c\na/none.c\nnone.c\n");
	buf_reset(&places);
	/* A FIFO without a writer must not hold us. */
	assert_null(source_open("fifo.c", NULL, NULL, &places));
	assert_string_equal(buf_str(&places), "fifo.c: not a regular file\n");
	buf_reset(&places);
	assert_null(source_open("a\033[2Jb.c", NULL, NULL, &places));
	assert_string_equal(buf_str(&places), "a\\x1b[2Jb.c\n");
	buf_release(&places);
	source_paths_release(&p);
}

/* An ELF may name any file: shown is what lies where the user said, or in a project's tree. */
static void test_shown(void **state)
{
	static const struct { const char *path, *elf, *dir, *shown; } cases[] = {
		{ "/etc/passwd", NULL, NULL, NULL },
		{ "../../../../../../../../etc/passwd", "p/build/app.elf", NULL, NULL },
		{ "leads.c", NULL, NULL, NULL },		/* a link to it */
		{ "/etc/passwd", NULL, "/etc", "/etc/passwd" },	/* the user's own will */
		{ "a.c", "../far/build/app.elf", NULL, "../far/build/a.c" },
		{ "../b.c", "../far/build/app.elf", NULL, "../far/build/../b.c" },
		{ "../../c.c", "../far/build/app.elf", NULL, NULL },	/* beside the project */
		{ "../.ssh/d.c", "../far/build/app.elf", NULL, NULL },
		{ "../../e.c", "../kept/x/build/app.elf", NULL, "../kept/x/build/../../e.c" },
	};

	(void)state;
	assert_true(tools_run("mkdir -p here p/build && ln -sf /etc/passwd here/leads.c && "
			      "mkdir -p far/build far/.ssh kept/.git kept/x/build && echo 1 "
			      ">far/build/a.c && echo 2 >far/b.c && echo 3 >c.c && echo 4 "
			      ">far/.ssh/d.c && echo 5 >kept/e.c"));
	assert_int_equal(chdir("here"), 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct source_paths p = { 0 };
		struct buf places = BUF_INIT;
		struct source *s;

		if (cases[i].dir)
			assert_int_equal(source_paths_add_dir(&p, cases[i].dir), 0);
		s = source_open(cases[i].path, cases[i].elf, &p, &places);
		if (!s != !cases[i].shown)
			fail_msg("%s of %s: %s\n%s", cases[i].path, cases[i].elf,
				 s ? "shown" : "not shown", buf_str(&places));
		if (s)
			assert_string_equal(source_path(s), cases[i].shown);
		else
			assert_non_null(strstr(buf_str(&places), "outside the source directories"));
		source_close(s);
		buf_release(&places);
		source_paths_release(&p);
	}
	assert_int_equal(chdir(".."), 0);
}

/* --- files ------------------------------------------------------------------------------------ */

static void test_lines(void **state)
{
	static const struct { const char *text; size_t n, lines; const char *last; } cases[] = {
		{ "", 0, 0, NULL },
		{ "one", 3, 1, "one" },
		{ "one\ntwo\n", 8, 2, "two" },
		{ "one\r\ntwo\r\n", 10, 2, "two" },
		{ "\n\n", 2, 2, "" },
		{ "a\0b\nc\033", 6, 2, "c\033" },
	};
	struct source_line l;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		FILE *f = fopen("l.c", "w");
		struct source *s;

		fwrite(cases[i].text, 1, cases[i].n, f);
		fclose(f);
		s = source_open("l.c", NULL, NULL, NULL);
		assert_non_null(s);
		assert_int_equal(source_lines(s), cases[i].lines);
		assert_false(source_line(s, 0, &l));
		assert_false(source_line(s, cases[i].lines + 1, &l));
		if (cases[i].last) {
			assert_true(source_line(s, cases[i].lines, &l));
			assert_int_equal(l.length, strlen(cases[i].last));
			assert_memory_equal(l.text, cases[i].last, l.length);
		}
		source_close(s);
	}
}

static void test_size(void **state)
{
	struct buf places = BUF_INIT;
	struct source *s;

	(void)state;
	assert_true(tools_run("yes 0123456 | head -c 16777216 >big.c; cp big.c more.c; echo "
			      ">>more.c"));
	s = source_open("big.c", NULL, NULL, NULL);
	assert_non_null(s);
	assert_int_equal(source_lines(s), SOURCE_FILE_MAX / 8);
	source_close(s);
	assert_null(source_open("more.c", NULL, NULL, &places));
	assert_string_equal(buf_str(&places), "more.c: larger than 16 MB\n");
	buf_release(&places);
}

static void test_changed(void **state)
{
	struct source *s;

	(void)state;
	tools_write("t.c", "one\n");
	assert_true(tools_run("touch -d '2024-01-01 10:00' t.c && touch -d '2024-01-01 11:00' "
			      "app.elf"));
	s = source_open("t.c", NULL, NULL, NULL);
	assert_non_null(s);
	assert_false(source_is_newer(s, "app.elf"));
	assert_false(source_is_newer(s, "no.elf"));
	assert_false(source_changed(s));
	assert_true(tools_run("touch -d '2024-01-01 12:00' t.c"));
	assert_true(source_changed(s));
	source_close(s);
	s = source_open("t.c", NULL, NULL, NULL);
	assert_true(source_is_newer(s, "app.elf"));
	assert_true(tools_run("rm t.c"));
	assert_true(source_changed(s));
	source_close(s);
}

static void test_memory(void **state)
{
	struct source_paths p = { 0 };
	size_t opened = 0;

	(void)state;
	tools_write("m.c", "one\ntwo\n");
	for (long n = 0; n < 40; n++) {
		struct buf places = BUF_INIT;
		struct source *s;

		mem_fail_after(n);
		source_paths_add_dir(&p, ".");
		source_paths_add_map(&p, "a", "b");
		s = source_open("src/m.c", "out/app.elf", &p, &places);
		mem_fail_after(-1);
		opened += s != NULL;
		source_close(s);
		buf_release(&places);
		source_paths_release(&p);
	}
	assert_true(opened > 0 && opened < 40);
}

/* --- cost by line ----------------------------------------------------------------------------- */

static const char program[] =
	"#include \"bits.h\"\n"						/* 1 */
	"volatile unsigned port;\n"
	"__attribute__((noinline)) unsigned read_port(unsigned n)\n"
	"{\n"
	"	return port + n;\n"
	"}\n"
	"__attribute__((noinline)) unsigned sample(unsigned n)\n"	/* 7 */
	"{\n"
	"	unsigned v = read_port(n);\n"				/* 9 */
	"	v ^= spread(port);\n"					/* 10 */
	"	port = read_port(v) + read_port(v + 1);\n"		/* 11 */
	"	return v;\n"
	"}\n"
	"__attribute__((noinline)) unsigned fib(unsigned n)\n"		/* 14 */
	"{\n"
	"	if (n < 2)\n"
	"		return read_port(n) + 1;\n"			/* 17 */
	"	port = fib(n - 1);\n"					/* 18 */
	"	return fib(n - 2) + read_port(n);\n"			/* 19 */
	"}\n"
	"void main_(void)\n"						/* 21 */
	"{\n"
	"	for (;;)\n"
	"		port = sample(port) + fib(port);\n"		/* 24 */
	"}\n";

static const char bits[] =
	"static inline __attribute__((always_inline)) unsigned spread(unsigned x)\n"
	"{\n"
	"	x = (x | x << 8) & 0x00ff00ffu;\n"			/* 3 */
	"	return (x | x << 4) & 0x0f0f0f0fu;\n"
	"}\n";

static struct image *make_program(void)
{
	tools_write("app.c", program);
	tools_write("bits.h", bits);
	if (!tools_run("gcc -g -O1 -fcf-protection=none -ffreestanding -nostdlib -static "
		       "-fno-pic -no-pie "
		       "-Wl,-Ttext=0x1000 -Wl,-e,main_ -Wl,--build-id=none -o app.elf app.c"))
		return NULL;
	return tools_open("app.elf");
}

/* The first address at or behind `from` whose line is so; the image's own word for it. */
static uint32_t address_of(const struct image *im, uint64_t from, const char *file, uint32_t line)
{
	struct image_line l;

	for (uint64_t at = from; at < from + 0x200; at++) {
		if (image_line(im, at, &l) && l.line == line && !strcmp(l.file, file))
			return (uint32_t)at;
	}
	fail_msg("no code for %s:%u", file, line);
	return 0;
}

static uint64_t entry_of(const struct image *im, const char *name)
{
	return image_function(im, image_find_name(im, name))->address;
}

/* Where the nth call (from 0) of a line of app.c returns to: each address is tried. */
static uint32_t nth_return(const struct image *im, uint32_t from, uint32_t line, unsigned nth)
{
	struct image_line l;

	for (uint32_t at = address_of(im, from, "app.c", line) + 2; at < from + 0x200; at++) {
		if ((code_flags(image_codemap(im), at) & CODE_RETURN) &&
		    image_line(im, at - 1, &l) && l.line == line && nth-- == 0)
			return at;
	}
	fail_msg("no call in line %u", line);
	return 0;
}

static uint32_t return_address(const struct image *im, uint32_t from, uint32_t line)
{
	return nth_return(im, from, line, 0);
}

/* Rows of a function tile its range: each begins where the one before ended. */
static void test_rows(void **state)
{
	struct image *im = make_program();
	struct image_range r[4];
	struct image_line l;
	uint64_t until, rows = 0;
	uint32_t id;

	(void)state;
	if (!im)
		skip();
	id = image_find_name(im, "sample");
	assert_int_equal(image_ranges(im, id, r, 4), 1);
	assert_int_equal(r[0].low, image_function(im, id)->address);
	assert_int_equal(r[0].high - r[0].low, image_function(im, id)->size);
	assert_int_equal(image_ranges(im, id, r, 0), 1);
	for (uint64_t at = r[0].low; at < r[0].high; at = until, rows++) {
		struct image_line at_end;

		assert_true(image_line_until(im, at, &l, &until));
		assert_true(until > at);
		assert_true(image_line(im, until - 1, &at_end));
		assert_int_equal(at_end.line, l.line);
	}
	assert_true(rows >= 5);
	image_free(im);
}

/* Two samples of what sample() inlines, one of its own, and a call. */
static void sample_profiled(struct profile *p, struct image *im, uint32_t pcs[3])
{
	uint32_t sample = (uint32_t)entry_of(im, "sample");
	struct wire_arc call = { return_address(im, sample, 9),
				 (uint32_t)entry_of(im, "read_port") };

	assert_int_equal(profile_init(p, ""), 0);
	p->terms.hz = 100;
	profile_set_image(p, im);
	pcs[0] = address_of(im, sample, "bits.h", 3);
	pcs[1] = pcs[0];
	pcs[2] = address_of(im, sample, "app.c", 11);
	profile_add_samples(p, pcs, 3);
	profile_add_arcs(p, &call, 1);
	assert_int_equal(profile_compute(p), 0);
}

static void test_cost(void **state)
{
	struct image *im = make_program();
	struct profile p;
	struct cost c = { NULL };
	const struct cost_line *l;
	uint32_t id, pcs[3], f;
	const char *path;

	(void)state;
	if (!im)
		skip();
	id = image_find_name(im, "sample");
	path = cost_path(im, id);
	assert_non_null(path);
	assert_string_equal(image_function(im, id)->path, path);
	sample_profiled(&p, im, pcs);
	f = profile_find_name(&p, "sample");
	assert_int_not_equal(f, PROFILE_NONE);
	assert_int_equal(cost_find(&c, &p, f, im, id, path), 0);
	assert_int_equal(c.samples, 3);
	assert_int_equal(c.pc_count, 2);
	assert_true(c.first >= 7 && c.first <= 9);
	assert_int_equal(c.last, 13);
	/* what was inlined from elsewhere counts for the line that did, and is told apart */
	l = cost_line(&c, 10);
	assert_non_null(l);
	assert_int_equal(l->samples, 0);
	assert_int_equal(l->elsewhere, 2);
	assert_int_equal(c.inline_count, 1);
	assert_string_equal(c.inlines[0].function, "spread");
	assert_string_equal(c.inlines[0].from.file, "bits.h");
	assert_int_equal(c.inlines[0].from.line, 3);
	assert_int_equal(cost_line(&c, 11)->samples, 1);
	assert_null(cost_line(&c, 5));
	assert_int_equal(cost_samples(&c, pcs[0], pcs[0] + 1), 2);
	assert_int_equal(cost_samples(&c, 0, UINT64_MAX), 3);
	/* the call that was counted, at its line, without a time */
	assert_int_equal(c.call_count, 1);
	assert_int_equal(c.calls[0].line, 9);
	assert_true(isnan(c.calls[0].total_s));
	assert_int_equal(cost_line(&c, 9)->calls, 1);
	assert_int_equal(cost_call_at(&c, c.calls[0].at, c.calls[0].at + 1), 0);
	assert_int_equal(cost_call_at(&c, 0, 1), SIZE_MAX);
	/* by the header's lines the same samples lie there */
	cost_find(&c, &p, f, im, id, "nowhere.c");
	assert_int_equal(c.line_count, 0);
	assert_int_equal(c.samples, 3);
	for (long n = 0; n < 8; n++) {
		cost_release(&c);
		mem_fail_after(n);
		cost_find(&c, &p, f, im, id, path);
		mem_fail_after(-1);
	}
	cost_release(&c);
	profile_release(&p);
	image_free(im);
}

/* --- of a recursive function ------------------------------------------------------------------ */

static struct wire_total timed_site(uint32_t from, uint32_t to, uint64_t calls, uint64_t total)
{
	return (struct wire_total){
		.kind = TOTAL_SITE, .from = from, .to = to, .calls = calls, .total = total,
		.min = 1, .max = total, .has = TOTAL_TIMED | TOTAL_MINMAX,
	};
}

/* fib, 1520 ticks in 4 outer calls; its inner calls took 9790, each inside of an outer one. */
static void fib_feed(struct profile *p, const struct image *im, uint64_t read_ticks)
{
	uint32_t fib = (uint32_t)entry_of(im, "fib"), main_ = (uint32_t)entry_of(im, "main_");
	uint32_t read = (uint32_t)entry_of(im, "read_port");
	struct wire_total rows[] = {
		timed_site(nth_return(im, main_, 24, 1), fib, 4, 1520),
		timed_site(return_address(im, fib, 18), fib, 100, 5000),
		timed_site(nth_return(im, fib, 19, 0), fib, 90, 4790),
		timed_site(nth_return(im, fib, 19, 1), read, 90, read_ticks),
		timed_site(return_address(im, fib, 17), read, 50, 20),
	};

	p->terms.ticks_per_second = 1000;
	profile_set_image(p, im);
	profile_take_run(p, 2000);
	assert_int_equal(profile_take_totals(p, rows, 5), 0);
	assert_int_equal(profile_compute(p), 0);
}

static void test_cost_recursive(void **state)
{
	struct image *im = make_program();
	struct profile p;
	struct cost c = { NULL };
	uint32_t f, id;

	(void)state;
	if (!im)
		skip();
	id = image_find_name(im, "fib");
	for (int late = 0; late < 2; late++) {
		const struct cost_line *l;

		assert_int_equal(profile_init(&p, ""), 0);
		fib_feed(&p, im, late ? 1530 : 30);
		f = profile_find_name(&p, "fib");
		assert_float_equal(p.functions[f].total_s, 1.52, 1e-9);
		assert_int_equal(cost_find(&c, &p, f, im, id, cost_path(im, id)), 0);
		assert_true(c.timed);
		/* inner calls alone: which part of the total they are is not known */
		l = cost_line(&c, 18);
		assert_true(l->inner && isnan(l->call_s));
		assert_float_equal(l->each_s, 5.0, 1e-9);
		/* beside another call: at least that one's, and never above the total */
		l = cost_line(&c, 19);
		assert_true(l->inner);
		assert_float_equal(l->call_s, late && !p.functions[f].incomplete ? 1.52 :
				    late ? 1.53 : 0.03, 1e-9);
		assert_float_equal(l->each_s, late ? 6.32 : 4.82, 1e-9);
		l = cost_line(&c, 17);
		assert_false(l->inner);
		assert_float_equal(l->call_s, 0.02, 1e-9);
		for (size_t i = 0; i < c.line_count; i++)
			assert_false(!p.functions[f].incomplete &&
				     c.lines[i].call_s > p.functions[f].total_s);
		profile_release(&p);
	}
	cost_release(&c);
	image_free(im);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_map),
		cmocka_unit_test(test_paths_full),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_shown),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_size),
		cmocka_unit_test(test_changed),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_cost),
		cmocka_unit_test(test_cost_recursive),
	};

	return cmocka_run_group_tests(tests, tools_enter, tools_leave);
}
