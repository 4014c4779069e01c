/* Which instructions run once a call, and what they take. */
#include "unit.h"

#include <string.h>

#include "core/base/mem.h"
#include "core/source/blocks.h"

/* One function from 0 on; "ADDRESS=CYCLES " of each instruction that runs once. */
static const struct {
	enum step_core core;
	const char *text, *once;
} functions[] = {
	/* a loop, and a way past an instruction */
	{ STEP_M3, " 0:\tb510 \tpush\t{r4, lr}\n 2:\tb900 \tcbnz\tr0, 6 <f+0x6>\n"
	  " 4:\t2000 \tmovs\tr0, #0\n 6:\t3801 \tsubs\tr0, #1\n 8:\td1fd \tbne.n\t6 <f+0x6>\n"
	  " a:\tbd10 \tpop\t{r4, pc}\n", "0=3 2=0 a=6 " },
	{ STEP_M0, " 0:\t2000 \tmovs\tr0, #0\n 2:\tf000 f801 \tbl\t8 <f+0x8>\n 6:\t4770 \tbx\tlr\n",
	  "0=1 2=4 6=3 " },
	{ STEP_M0PLUS, " 0:\tb510 \tpush\t{r4, lr}\n 2:\tf000 f801 \tbl\t8 <f+0x8>\n"
	  " 6:\tbd10 \tpop\t{r4, pc}\n", "0=3 2=3 6=5 " },
	{ STEP_M7, " 0:\tb510 \tpush\t{r4, lr}\n 2:\tf000 f801 \tbl\t8 <f+0x8>\n"
	  " 6:\tbd10 \tpop\t{r4, pc}\n", "0=1 2=1 6=2 " },
	/* a return on some ways; a call in the IT block */
	{ STEP_M3, " 0:\tbf08 \tit\teq\n 2:\t4770 \tbxeq\tlr\n 4:\t6800 \tldr\tr0, [r0, #0]\n"
	  " 6:\t4770 \tbx\tlr\n", "0=1 2=0 " },
	{ STEP_M3, " 0:\tbf0c \tite\teq\n 2:\t2001 \tmoveq\tr0, #1\n 4:\t6800 \tldrne\tr0, [r0]\n"
	  " 6:\t4770 \tbx\tlr\n", "0=1 2=1 4=0 6=3 " },
	/* a table of jumps: nothing behind is sure, nor what is jumped to before it */
	{ STEP_M3, " 0:\t2000 \tmovs\tr0, #0\n 2:\te8df f001 \ttbb\t[pc, r1]\n"
	  " 6:\t0102 \t.short\t0x0102\n 8:\t2001 \tmovs\tr0, #1\n a:\t4770 \tbx\tlr\n",
	  "0=1 2=0 " },
	{ STEP_M3, " 0:\t2000 \tmovs\tr0, #0\n 2:\te8df f001 \ttbb\t[pc, r1]\n"
	  " 6:\te7fb \tb.n\t0 <f>\n", "" },
	/* an endless loop behind two instructions; one without a way in */
	{ STEP_M3, " 0:\t2000 \tmovs\tr0, #0\n 2:\t2001 \tmovs\tr0, #1\n 4:\te7fe \tb.n\t4 <f+4>\n"
	  " 6:\t2001 \tmovs\tr0, #1\n", "0=1 2=1 " },
	{ STEP_AVR, " 0:\tcf 93 \tpush\tr28\n 2:\t80 fd \tsbrc\tr24, 0\n"
	  " 4:\t01 96 \tadiw\tr24, 0x01\n"
	  " 6:\t0e 94 c1 00 \tcall\t0x182\t; 0x182 <w>\n a:\t09 f0 \tbreq\t.+2\t; 0xe <f>\n"
	  " c:\t00 00 \tnop\n e:\t08 95 \tret\n", "0=2 2=0 6=4 a=0 e=4 " },
	{ STEP_AVR_WIDE, " 0:\t0e 94 c1 00 \tcall\t0x182\n 4:\t08 95 \tret\n", "0=5 4=5 " },
	/* it skips the last one, or leaves behind it */
	{ STEP_AVR, " 0:\t80 fd \tsbrc\tr24, 0\n 2:\t08 95 \tret\n 4:\t00 00 \tnop\n"
	  " 6:\t08 95 \tret\n", "0=0 " },
	{ STEP_MSP430, " 0:\t0a 12 \tpush\tr10\n 2:\t1f 42 00 02 \tmov\t&0x0200, r15\n"
	  " 6:\t82 4f 02 02 \tmov\tr15, &0x0202\n a:\t3f 50 34 12 \tadd\t#0x1234, r15\n"
	  " e:\t02 24 \tjz\t$+6\t;abs 0x14\n 10:\t0f 43 \tclr\tr15\n 12:\t00 3c \tjmp\t$+2\n"
	  " 14:\t3a 41 \tpop\tr10\n 16:\t30 41 \tret\n", "0=3 2=3 6=4 a=2 e=2 14=2 16=3 " },
	{ STEP_NONE, " 0:\t90 \tnop\n 1:\tc3 \tret\n", "" },
};

static void listing_of(struct listing *l, const char *text)
{
	*l = (struct listing){ NULL };
	listing_feed(l, text, strlen(text));
	listing_end(l);
}

static void test_once(void **state)
{
	const struct blocks_range whole = { 0, 0x100 };

	(void)state;
	for (size_t i = 0; i < COUNT(functions); i++) {
		struct buf said = BUF_INIT;
		struct listing l;
		struct once once;

		listing_of(&l, functions[i].text);
		assert_int_equal(blocks_find(&once, &l, &whole, 1, functions[i].core), 0);
		for (size_t k = 0; k < once.pc_count; k++)
			buf_addf(&said, "%x=%u ", (unsigned)once.pcs[k].address,
				 once.pcs[k].cycles);
		assert_string_equal(buf_str(&said), functions[i].once);
		buf_release(&said);
		once_release(&once);
		listing_release(&l);
	}
}

static const char two[] =
	" 0:\tb510 \tpush\t{r4, lr}\n 2:\tf000 f805 \tbl\t10 <g>\n 6:\tbd10 \tpop\t{r4, pc}\n"
	" 10:\t2000 \tmovs\tr0, #0\n 12:\t4770 \tbx\tlr\n"
	" 20:\tb900 \tcbz\tr0, 26 <h+6>\n 22:\tf7ff fff5 \tbl\t10 <g>\n 26:\t4770 \tbx\tlr\n"
	" 28:\te7f3 \tb.n\t12 <g+2>\n";
static const struct blocks_range ranges[] = { { 0, 0x10 }, { 0x10, 0x20 }, { 0x20, 0x28 },
					      { 0x28, 0x30 } };

/* Sites count while all run once; what is jumped into has no instructions that do. */
static void test_callees(void **state)
{
	struct listing l;
	struct once once;

	(void)state;
	listing_of(&l, two);
	for (size_t count = 2; count <= 4; count++) {
		assert_int_equal(blocks_find(&once, &l, ranges, count, STEP_M3), 0);
		assert_int_equal(once.function_count, count);
		assert_int_equal(once.pcs[1].callee, 1);
		assert_int_equal(once.functions[0].cycles, 3 + 3 + 6);
		assert_int_equal(once.functions[1].cycles, 0);
		assert_false(once.functions[1].sites);	/* h calls it sometimes */
		once_release(&once);
	}
	listing_release(&l);
	l = (struct listing){ NULL };
	listing_feed(&l, two, (size_t)(strstr(two, " 20:") - two));
	listing_end(&l);
	assert_int_equal(blocks_find(&once, &l, ranges, 2, STEP_M3), 0);
	assert_true(once.functions[1].sites);
	assert_int_equal(once.functions[1].cycles, 4);
	once_release(&once);
	listing_release(&l);
}

/* Each allocation fails once. */
static void test_memory(void **state)
{
	struct listing l;
	struct once once;
	long n = 0;

	(void)state;
	listing_of(&l, two);
	for (mem_fail_after(n); blocks_find(&once, &l, ranges, 4, STEP_M3) < 0; mem_fail_after(++n))
		assert_null(once.pcs);
	mem_fail_after(-1);
	assert_true(n > 5);
	once_release(&once);
	listing_release(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_callees),
		cmocka_unit_test(test_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
