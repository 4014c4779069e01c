/* The disassembler's output, read; and the disassembler itself, run. */
#include "unit.h"

#include <poll.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/source/never.h"
#include "core/source/objdump.h"
#include "core/source/program.h"
#include "image_tools.h"

/* --- reading ---------------------------------------------------------------------------------- */

static const char gnu_avr[] =
	"\nbuild/demo.elf:     file format elf32-avr\n\n\nDisassembly of section .text:\n\n"
	"00000124 <main>:\n"
	"     124:\tcf 93       \tpush\tr28\n"
	"     126:\t0e 94 c1 00 \tcall\t0x182\t; 0x182 <work>\n"
	"     12a:\tfe cf       \trjmp\t.-4      \t; 0x128 <main+0x4>\n";

static const char gnu_arm[] =
	"    8000:\tb580      \tpush\t{r7, lr}\n"
	"    8002:\tf000 f801 \tbl\t8008 <work>\n"
	"    8006:\t1234      \t.short\t0x1234\n";

static const char llvm[] =
	"0000000000001000 <sample>:\n"
	"    1000: 55                           \tpushq\t%rbp\n"
	"    1001: e8 fa ff ff ff               \tcallq\t0x1000 <sample>\n";

static const struct {
	const char *text;
	size_t count;
	uint64_t address;		/* of the second */
	unsigned size;
	const char *says;
} outputs[] = {
	{ gnu_avr, 3, 0x126, 4, "call\t0x182\t; 0x182 <work>" },
	{ gnu_arm, 3, 0x8002, 4, "bl\t8008 <work>" },
	{ llvm, 2, 0x1001, 5, "callq\t0x1000 <sample>" },
	/* what is none: no bytes, odd digits, no text, words that are hex */
	{ " 1000: \tadd\n 1: e8 \tok\n abc:\t123 \tx\n dead beef\n 2:\t00\n 3:\t\tadd\n 4:\tadd "
	  "eax\tx\n"
	  " 5:\t90 \tnop", 2, 5, 1, "nop" },
	{ "", 0, 0, 0, NULL },
};

static void check_line(const struct listing *l, size_t i)
{
	assert_int_equal(l->count, outputs[i].count);
	if (!outputs[i].says)
		return;
	assert_int_equal(l->v[1].address, outputs[i].address);
	assert_int_equal(l->v[1].size, outputs[i].size);
	assert_string_equal(listing_text(l, 1), outputs[i].says);
}

/* Whatever the pieces it comes in. */
static void test_read(void **state)
{
	struct listing l = { NULL };

	(void)state;
	for (size_t i = 0; i < COUNT(outputs); i++) {
		size_t n = strlen(outputs[i].text);

		for (size_t step = 1; step <= n + 1; step++) {
			listing_release(&l);
			for (size_t at = 0; at < n; at += step)
				listing_feed(&l, outputs[i].text + at,
					     n - at < step ? n - at : step);
			listing_end(&l);
			check_line(&l, i);
		}
	}
	listing_release(&l);
}

static void test_find(void **state)
{
	struct listing l = { NULL };

	(void)state;
	/* parts may come in any order, and twice */
	listing_feed(&l, gnu_arm, strlen(gnu_arm));
	listing_feed(&l, gnu_avr, strlen(gnu_avr));
	listing_feed(&l, gnu_avr, strlen(gnu_avr));
	listing_end(&l);
	assert_int_equal(l.count, 6);
	assert_int_equal(listing_find(&l, 0x123), SIZE_MAX);
	assert_int_equal(listing_find(&l, 0x124), 0);
	assert_int_equal(listing_find(&l, 0x129), 1);
	assert_int_equal(listing_find(&l, 0x12b), 2);
	assert_int_equal(listing_find(&l, 0x12c), SIZE_MAX);
	assert_int_equal(listing_find(&l, 0x8005), 4);
	assert_int_equal(listing_find(&l, UINT64_MAX), SIZE_MAX);
	assert_string_equal(listing_text(&l, 99), "");
	listing_release(&l);
}

/* --- branches --------------------------------------------------------------------------------- */

static const struct {
	const char *text;
	unsigned size;
	enum branch_kind kind;
	uint64_t target;
} branches[] = {
	{ "rjmp\t.-4      \t; 0x128 <main+0x4>", 2, BRANCH_JUMP, 0xffe },
	{ "brne\t.+12     \t; 0x1f84 <f+0x10>", 2, BRANCH_JUMP, 0x100e },
	{ "brbs\t5, .-8", 2, BRANCH_JUMP, 0xffa },
	{ "jmp\t0x1f84\t; 0x1f84 <f>", 4, BRANCH_JUMP, 0x1f84 },
	{ "call\t0x1f84\t; 0x1f84 <__cyg_profile_func_enter>", 4, BRANCH_CALL, 0x1f84 },
	{ "rcall\t.+0", 2, BRANCH_CALL, 0x1002 },
	{ "b.n\t1234 <f+0x10>", 2, BRANCH_JUMP, 0x1234 },
	{ "bhi.w\t0x1234 <f+0x10>", 4, BRANCH_JUMP, 0x1234 },
	{ "cbz\tr0, 1234 <f+0x10>", 2, BRANCH_JUMP, 0x1234 },
	{ "bl\t8008 <work>", 4, BRANCH_CALL, 0x8008 },
	{ "b\t0x1234 <f+0x10> @ imm = #0x10", 2, BRANCH_JUMP, 0x1234 },
	{ "jnz\t$-6      \t;abs 0xffa", 2, BRANCH_JUMP, 0xffa },
	{ "call\t#0x4412\t;", 4, BRANCH_CALL, 0x4412 },
	{ "beqz\ta0,1010 <f>", 2, BRANCH_JUMP, 0x1010 },
	{ "jal\tra,2000 <g>", 4, BRANCH_CALL, 0x2000 },
	{ "j\t1010 <f>", 2, BRANCH_JUMP, 0x1010 },
	{ "jne    1030 <f+0x20>", 2, BRANCH_JUMP, 0x1030 },
	{ "callq\t0x1000 <sample>", 5, BRANCH_CALL, 0x1000 },
	/* none: indirect, other words that begin so, nonsense, distances of unknown base */
	{ "jmp    *%rax", 2 }, { "jmp    *0x0(,%rax,8)", 7 }, { "bx\tlr", 2 }, { "blx\tr3", 2 },
	{ "bic\tr0, r1", 4 }, { "bfi\tr0, r1, #3", 4 }, { "break", 2 }, { "ijmp", 2 },
	{ "brk\t0x10", 2 }, { "jr\tra", 2 }, { "jalr\tra", 2 }, { "beq\t#12", 2 },
	{ "jmp\t", 2 }, { "jmp", 2 }, { "", 2 }, { "jmp\t0x", 2 }, { "jmp\t.", 2 },
	{ "jmp\t.+", 2 }, { "jmp\t.+9999999999", 2 }, { "jmp\t12345678123456781", 2 },
	{ "jmp\t100x", 2 }, { "jmp\t<f>", 2 }, { "jmp\t,", 2 },
};

static void test_branches(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(branches); i++) {
		uint64_t target;
		enum branch_kind kind = branch_read(branches[i].text, 0x1000, branches[i].size,
						    &target);

		if (kind != branches[i].kind || (kind && target != branches[i].target))
			fail_msg("%s: kind %d, to %#llx", branches[i].text, (int)kind,
				 (unsigned long long)target);
	}
}

/* Within the listing; to the middle of an instruction, or out of it: none. */
static void test_jumps(void **state)
{
	static const char code[] =
		" 100:\t90 \tjmp    105 <f+0x5>\n"
		" 101:\te8 00 00 00 \tcall   100 <f>\n"
		" 105:\t75 f9 \tjne    100 <f>\n"
		" 107:\t75 f9 \tjne    102 <f+0x2>\n"
		" 109:\teb fe \tjmp    10b <g>\n";
	struct listing l = { NULL };

	(void)state;
	listing_feed(&l, code, strlen(code));
	listing_end(&l);
	assert_int_equal(listing_jump(&l, 0), 2);
	assert_int_equal(listing_jump(&l, 1), SIZE_MAX);
	assert_int_equal(listing_jump(&l, 2), 0);
	assert_int_equal(listing_jump(&l, 3), SIZE_MAX);
	assert_int_equal(listing_jump(&l, 4), SIZE_MAX);
	assert_int_equal(listing_jump(&l, 99), SIZE_MAX);
	listing_release(&l);
}

static void test_long_line(void **state)
{
	struct listing l = { NULL };
	char line[4 * OBJDUMP_LINE];

	(void)state;
	memset(line, 'x', sizeof(line));
	memcpy(line, " 1:\t90 \t", 8);
	line[sizeof(line) - 1] = '\n';
	listing_feed(&l, line, sizeof(line));
	listing_feed(&l, " 2:\t9\0 \tnop\n", 12);	/* a zero byte is none of a number */
	listing_end(&l);
	assert_int_equal(l.count, 1);
	assert_int_equal(strlen(listing_text(&l, 0)), OBJDUMP_LINE - 1 - 8);
	listing_release(&l);
}

/* --- running ---------------------------------------------------------------------------------- */

static const char assembly[] =
	"	.text\n	.globl f, g\n	.type f, @function\n	.type g, @function\n"
	"f:	nop\n	nop\n	.size f, . - f\n"
	"g:	nop\n	.byte 0\n	.byte 0\n	.byte 0\n	.byte 0\n	nop\n"
	"	.size g, . - g\n";

static struct image *make_image(void)
{
	tools_write("app.s", assembly);
	if (!tools_have("objdump") || !tools_run("as -o app.o app.s && ld -Ttext=0x100 -e f -o "
						 "app.elf app.o"))
		return NULL;
	return tools_open("app.elf");
}

/* Until it is done, as the screen's loop does it; false: it hangs. */
static bool wait_finished(struct objdump *o)
{
	uint64_t until = clock_now() + 300 * CLOCK_SECOND;

	while (!objdump_service(o, clock_now())) {
		struct pollfd p = { .fd = objdump_fd(o), .events = POLLIN };

		poll(&p, 1, 200);
		if (clock_now() > until)
			return false;
	}
	assert_int_equal(objdump_fd(o), -1);
	return true;
}

static void test_run(void **state)
{
	struct image *im = make_image();
	struct err err = { 0 };
	struct objdump *o;

	(void)state;
	if (!im)
		skip();
	o = objdump_start(im, image_find_name(im, "f"), &err);
	assert_non_null(o);
	assert_true(wait_finished(o));
	assert_string_equal(objdump_trouble(o), "");
	/* of this function alone */
	assert_int_equal(objdump_listing(o)->count, 2);
	assert_int_equal(objdump_listing(o)->v[0].address, 0x100);
	assert_string_equal(listing_text(objdump_listing(o), 1), "nop");
	objdump_free(o);
	o = objdump_start(im, image_find_name(im, "g"), &err);
	assert_true(wait_finished(o));
	assert_true(objdump_listing(o)->count >= 3);	/* zeros too */
	objdump_free(o);
	/* given up while it runs */
	o = objdump_start(im, image_find_name(im, "f"), &err);
	objdump_free(o);
	image_free(im);
}

/* Another program of that name, first in PATH. */
static void pose_as_objdump(const char *script)
{
	char *path = getenv("PATH"), with[4096];

	assert_true(tools_run("mkdir -p bin"));
	tools_write("bin/objdump", script);
	chmod("bin/objdump", 0755);
	snprintf(with, sizeof(with), "%s/bin:%s", tools_folder, path);
	setenv("PATH", with, 1);
}

static const struct { const char *script, *trouble; } posed[] = {
	{ "#!/bin/sh\nexit 3\n", "no instructions found" },
	{ "#!/bin/sh\necho oops >&2; cat\n", "no instructions found" },
	{ "#!/bin/sh\nprintf ' 100:\\t90 \\tnop\\n'; exec >&-; exec sleep 100\n", "" },
	{ "#!/bin/sh\nexec yes ' 100:\t90 \tnop'\n", "too much output" },
	{ "no program\n", "Exec format error" },
};

static void test_posed(void **state)
{
	struct image *im = make_image();
	char *before = strdup(getenv("PATH"));

	(void)state;
	if (!im)
		skip();
	for (size_t i = 0; i < COUNT(posed); i++) {
		struct err err = { 0 };
		struct objdump *o;

		pose_as_objdump(posed[i].script);
		o = objdump_start(im, image_find_name(im, "f"), &err);
		if (o) {
			assert_true(wait_finished(o));
			if (!strstr(objdump_trouble(o), posed[i].trouble))
				fail_msg("%zu: %s", i, objdump_trouble(o));
		} else {
			assert_non_null(strstr(err.text, posed[i].trouble));
		}
		objdump_free(o);
		setenv("PATH", before, 1);
	}
	free(before);
	image_free(im);
}

/* One that neither speaks nor ends is killed at its time. */
static void test_hung(void **state)
{
	struct image *im = make_image();
	char *before = strdup(getenv("PATH"));
	struct err err = { 0 };
	struct objdump *o;

	(void)state;
	if (!im)
		skip();
	pose_as_objdump("#!/bin/sh\nsleep 1000\n");
	o = objdump_start(im, image_find_name(im, "f"), &err);
	assert_non_null(o);
	assert_false(objdump_service(o, clock_now()));
	assert_true(objdump_service(o, clock_now() + (OBJDUMP_SECONDS + 1) * CLOCK_SECOND));
	assert_non_null(strstr(objdump_trouble(o), "time limit exceeded"));
	objdump_free(o);
	setenv("PATH", before, 1);
	free(before);
	image_free(im);
}

static void test_none(void **state)
{
	struct image *im = make_image();
	char *before = strdup(getenv("PATH"));
	struct err err = { 0 };

	(void)state;
	if (!im)
		skip();
	setenv("PATH", "relative:/nonexistent", 1);
	assert_null(objdump_start(im, 0, &err));
	assert_non_null(strstr(err.text, "looked for objdump, llvm-objdump"));
	assert_null(program_find("objdump"));
	setenv("PATH", before, 1);
	free(before);
	assert_string_equal(objdump_names("avr")[0], "avr-objdump");
	assert_string_equal(objdump_names("arm")[0], "arm-none-eabi-objdump");
	image_free(im);
}

/* --- calls that were never made --------------------------------------------------------------- */

/* f calls g twice, h once and what a register tells. */
static const char caller[] =
	" 100:\te8 00 00 00 00 \tcall   200 <g>\n 105:\te8 00 00 00 00 \tcall   200 <g>\n"
	" 10a:\te8 00 00 00 00 \tcall   300 <h>\n 10f:\tff d0 \tcall   *%rax\n"
	" 111:\tc3 \tret\n";

static const struct {
	uint32_t from[3];		/* of f's sites: where the calls return to; 0: no more */
	uint32_t elsewhere;		/* a site of a function inlined into f */
	uint64_t f_calls, h_calls;	/* counted */
	size_t count;
	uint32_t first;			/* of those never made */
} absent[] = {
	/* the second call of g; that of h only where other calls of it are counted */
	{ .from = { 0x105 }, .f_calls = 9, .count = 1, .first = 1 },
	{ .from = { 0x105 }, .f_calls = 9, .h_calls = 1, .count = 2, .first = 1 },
	{ .from = { 0x105, 0x10a }, .f_calls = 9, .h_calls = 1, .count = 1, .first = 2 },
	{ .from = { 0x105, 0x10a, 0x10f }, .f_calls = 9, .h_calls = 1 },
	{ .from = { 0x105, 0x111 }, .f_calls = 9, .count = 1, .first = 1 },
	{ .from = { 0x105 }, .elsewhere = 0x10a, .f_calls = 9 },
	/* nothing is certain: f was not called; no call site of it is known, or one is wrong */
	{ .from = { 0x105 }, .h_calls = 1 },
	{ .f_calls = 9, .h_calls = 1 },
	{ .from = { 0x111 }, .f_calls = 9, .h_calls = 1 },
	{ .from = { 0x105, 0x103 }, .f_calls = 9, .h_calls = 1 },
	{ .from = { 0x105, 0x400 }, .f_calls = 9, .h_calls = 1 },
};

static void check_never(size_t row, const struct image *im, const struct listing *l,
			long allocations)
{
	struct profile_function functions[] = {
		{ .address = 0x100, .called = true, .calls = absent[row].f_calls },
		{ .address = 0x200, .called = true, .calls = 5 },
		{ .address = 0x300, .called = absent[row].h_calls, .calls = absent[row].h_calls },
	};
	struct profile_site sites[4] = { { .from = absent[row].elsewhere } };
	struct cost_call calls[3];
	struct profile p = { .functions = functions, .function_count = 3, .sites = sites,
			     .site_count = 1 };
	struct cost cost = { .calls = calls };
	struct never n = { NULL };
	int ret;

	for (; cost.call_count < 3 && absent[row].from[cost.call_count]; cost.call_count++) {
		sites[p.site_count].from = absent[row].from[cost.call_count];
		calls[cost.call_count] = (struct cost_call){
			.at = (sites[p.site_count].from & ~1u) - 1,
			.site = (uint32_t)p.site_count,
		};
		p.site_count++;
	}
	mem_fail_after(allocations);
	ret = never_find(&n, &p, 0, &cost, im, l);
	mem_fail_after(-1);
	assert_true(ret == 0 || (allocations >= 0 && n.count == 0));
	if (ret == 0 && n.count != absent[row].count)
		fail_msg("row %zu: %zu never made", row, n.count);
	for (size_t i = 0; ret == 0 && i < l->count; i++)
		assert_int_equal(never_has(&n, i), n.count && i >= absent[row].first &&
				 i < absent[row].first + n.count);
	never_release(&n);
}

static void test_never(void **state)
{
	struct image *im = make_image();
	struct listing l = { NULL };

	(void)state;
	if (!im)
		skip();
	listing_feed(&l, caller, strlen(caller));
	listing_end(&l);
	for (size_t i = 0; i < COUNT(absent); i++) {
		for (long n = -1; n < 4; n++)
			check_never(i, im, &l, n);
	}
	listing_release(&l);
	image_free(im);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_branches),
		cmocka_unit_test(test_jumps),
		cmocka_unit_test(test_never),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_posed),
		cmocka_unit_test(test_hung),
		cmocka_unit_test(test_none),
	};

	return cmocka_run_group_tests(tests, tools_enter, tools_leave);
}
