/* Which branches `wsntop as --control-flow` logs; that their bits tell every call. */
#include "unit.h"

#include "core/base/mem.h"
#include "core/filter/chip.h"
#include "core/filter/filter.h"
#include "core/filter/flow.h"

#define F "\t.global f\n\t.type\tf, @function\nf:\n/* prologue: function */\n"
#define END "\t.size\tf, .-f\n"

static char said[256];

static void line_note(void *ctx, const char *line)
{
	(void)ctx;
	snprintf(said, sizeof(said), "%s", line);
}

/* `section`: the directive before the function. */
static char *text_filter_in(const char *section, const char *body)
{
	struct filter_options o = {
		.chip = &chip_avr, .codes = FILTER_FLOW, .say = line_note,
		.outline = { -1, 1, 0 },
	};
	struct filter_result result;
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct err err = { 0 };
	char *text;

	said[0] = '\0';
	buf_addf(&in, "%s" F "%s" END, section, body);
	assert_int_equal(filter_text(&o, in.data, in.len, &out, &result, &err), 0);
	text = strdup(buf_str(&out));
	assert_non_null(text);
	buf_release(&in);
	buf_release(&out);
	return text;
}

static char *text_filter(const char *body)
{
	return text_filter_in("", body);
}

/* --- which are logged ------------------------------------------------------------------------- */

static const struct {
	const char *what, *in;
	const char *has, *hasnt;
} texts[] = {
	{ "no branch, no hook", "\tcall g\n\tcall h\n\tret\n",
	  "\tcall wsntrace_enter\nwsntrace_body.f:\n\tcall wsntrace_body.g\n", "wsntrace_flag" },
	{ "ways with other calls", "\tbrne .L1\n\tcall g\n.L1:\n\tret\n",
	  "\tcall wsntrace_flag_z\n\tbrne .L1\n", NULL },
	{ "the same call on both ways", "\tbrcs .L1\n\tcall g\n\tret\n.L1:\n\tcall g\n\tret\n",
	  "\tbrcs .L1\n", "wsntrace_flag" },
	{ "but not in the same order",
	  "\tbrcs .L1\n\tcall g\n\tcall h\n\tret\n.L1:\n\tcall h\n\tcall g\n\tret\n",
	  "\tcall wsntrace_flag_c\n\tbrcs .L1\n", NULL },
	{ "a loop that calls nothing", ".L1:\n\tdec r24\n\tbrne .L1\n\tcall g\n\tret\n",
	  "\tbrne .L1\n", "wsntrace_flag" },
	{ "a loop that calls", ".L1:\n\tcall g\n\tdec r24\n\tbrne .L1\n\tret\n",
	  "\tcall wsntrace_flag_z\n\tbrne .L1\n", NULL },
	{ "ways to different branches that are logged",
	  "\tbrmi .L1\n\tbrne .L2\n\tcall g\n.L2:\n\tret\n.L1:\n\tbreq .L3\n\tcall g\n.L3:\n"
	  "\tret\n",
	  "\tcall wsntrace_flag_n\n\tbrmi .L1\n\tcall wsntrace_flag_z\n\tbrne .L2\n", NULL },
	{ "an endless loop", ".L1:\n\tcall g\n\trjmp .L1\n",
	  "\tcall wsntrace_bit_0\n\trjmp .L1\n", NULL },
	{ "one that calls by a pointer", ".L1:\n\ticall\n\trjmp .L1\n",
	  "\tcall wsntrace_out\n.Lwsntrace_r5:\n\trjmp .L1\n", "wsntrace_bit" },
	{ "a skip", "\tsbrc r24,0\n\trjmp .L1\n\tcall g\n.L1:\n\tret\n",
	  "\tsbrc r24,0\n\trjmp .Lwsntrace_s4\n\tcall wsntrace_bit_0\n\trjmp .Lwsntrace_t6\n"
	  ".Lwsntrace_s4:\n\tcall wsntrace_bit_1\n\trjmp .L1\n.Lwsntrace_t6:\n", NULL },
	{ "a skip that changes no call", "\tsbrc r24,0\n\tinc r24\n\tcall g\n\tret\n",
	  "\tsbrc r24,0\n\tinc r24\n", "wsntrace_bit" },
	{ "bytes instead of a label", "\tbreq .+2\n\tbrge .L1\n\tcall g\n.L1:\n\tret\n",
	  "\tcall wsntrace_flag_z\n\tbreq .Lwsntrace_t6\n\tcall wsntrace_flag_s\n\tbrge .L1\n"
	  ".Lwsntrace_t6:\n", NULL },
	{ "a switch",
	  "\tsubi r30,lo8(-(gs(.L4)))\n\tsbci r31,hi8(-(gs(.L4)))\n\tjmp __tablejump2__\n"
	  "\t.section .progmem.gcc_sw_table,\"a\"\n.L4:\n\t.word gs(.L5)\n\t.word gs(.L6)\n"
	  "\t.text\n.L5:\n\tcall g\n.L6:\n\tret\n",
	  "\tcall wsntrace_switch\n\tjmp __tablejump2__\n", NULL },
	{ "a tail call", "\tcall h\n\tjmp g\n", "\tjmp wsntrace_body.g\n", NULL },
	{ "one by a pointer", "\tcall h\n\tijmp\n", "\tjmp wsntrace_out\n", "ijmp" },
	{ "what is not followed", "\tcall g\n\tret\n",
	  "wsntrace_body.g:\n\tldi r30,lo8(gs(g))\n\tldi r31,hi8(gs(g))\n\tjmp wsntrace_out\n",
	  NULL },
	{ "the compiler's library is no call", "\tbrne .L1\n\tcall __mulsi3\n.L1:\n\tret\n",
	  "\tcall __mulsi3\n", "wsntrace_flag" },
};

static void test_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		char *out = text_filter(texts[i].in);

		if (!strstr(out, texts[i].has))
			fail_msg("%s: the text is\n%s%s", texts[i].what, said, out);
		if (texts[i].hasnt && strstr(out, texts[i].hasnt))
			fail_msg("%s: there is %s", texts[i].what, texts[i].hasnt);
		free(out);
	}
}

static const char *const refused[] = {
	"\tcall setjmp\n\tret\n",
	"\tldi r30,lo8(gs(.L1))\n\tijmp\n.L1:\n\tret\n",
	"\tjmp __tablejump2__\n\tret\n",
	"\tcall g\n/* #APP */\n\tcall h\n/* #NOAPP */\n\tret\n",
	"\tcall g\n/* #APP */\n\tbrne .L1\n/* #NOAPP */\n.L1:\n\tret\n",
	"\tbrne other\n\tret\n",
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++) {
		char *out = text_filter(refused[i]), *is;

		is = strstr(out, refused[i]);
		if (!is || strstr(out, "wsntrace") || !strstr(said, "; left alone"))
			fail_msg("%s: %s\n%s", refused[i], said, out);
		free(out);
	}
}

/* Behind its table a switch goes on in the function's section, whose flags gcc does not repeat. */
static void test_section_of_its_own(void **state)
{
	static const char body[] =
		"\tsubi r30,lo8(-(gs(.L4)))\n\tsbci r31,hi8(-(gs(.L4)))\n\tjmp __tablejump2__\n"
		"\t.section .progmem.gcc_sw_table.f,\"a\",@progbits\n.L4:\n\t.word gs(.L5)\n"
		"\t.word gs(.L6)\n\t.section\t.text.f\n.L5:\n\tcall g\n.L6:\n\tbrne .L5\n\tret\n";
	char *out = text_filter_in("\t.section\t.text.f,\"ax\",@progbits\n", body);

	(void)state;
	if (!strstr(out, "\tcall wsntrace_switch\n") || !strstr(out, "\tcall wsntrace_flag_z\n"))
		fail_msg("%s: %s", said, out);
	free(out);
}

/* A branch that hooks push out of reach is turned round over a jump. */
static void test_reach(void **state)
{
	struct buf in = BUF_INIT;
	char *out;

	(void)state;
	buf_adds(&in, ".L1:\n");
	for (int i = 0; i < 20; i++)
		buf_addf(&in, "\tbrcs .L%d\n\tcall g%d\n.L%d:\n", i + 5, i, i + 5);
	buf_adds(&in, "\tbrne .L1\n\tret\n");
	out = text_filter(buf_str(&in));
	assert_non_null(strstr(out, "\tcall wsntrace_flag_z\n\tbrbs 1,.Lwsntrace_u"));
	assert_non_null(strstr(out, "\tjmp .L1\n.Lwsntrace_u"));
	free(out);
	buf_release(&in);
}

/* --- bits tell calls: programs made at random ------------------------------------------------- */

enum { PROGRAMS = 4000, RUNS = 4, LINES = 24, STEPS = 300, CALLS = 4 };

static uint32_t seed;

static uint32_t number_any(uint32_t below)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 8) % below;
}

static void program_make(struct buf *b)
{
	static const char *const branch[] = { "breq", "brne", "brcs", "brge", "brtc" };
	unsigned lines = 3 + number_any(LINES - 3);

	buf_adds(b, F);
	for (unsigned i = 0; i < lines; i++) {
		unsigned to = number_any(lines);

		buf_addf(b, ".L%u:\n", i);
		switch (number_any(8)) {
		case 0:
		case 1:
			buf_addf(b, "\tcall g%u\n", number_any(CALLS));
			break;
		case 2:
		case 3:
			buf_addf(b, "\t%s .L%u\n", branch[number_any(COUNT(branch))], to);
			break;
		case 4:
			buf_addf(b, "\tsbrc r24,1\n\trjmp .L%u\n", to);
			break;
		case 5:
			buf_addf(b, "\trjmp .L%u\n", to);
			break;
		case 6:
			buf_adds(b, number_any(2) ? "\tret\n" : "\ticall\n");
			break;
		default:
			buf_adds(b, "\tnop\n");
		}
	}
	buf_adds(b, "\tret\n" END);
}

/* Events of a run: 'a' and on: a call; 'o' and a bit: one through a pointer; 'r': return. */
struct run {
	char events[STEPS * 2 + 2];
	size_t count;
	uint8_t bits[STEPS * 2];
	size_t bit_count;
	size_t sure;			/* events before the last bit */
};

static void bit_put(struct run *r, unsigned bit)
{
	r->bits[r->bit_count++] = (uint8_t)bit;
	r->sure = r->count;
}

static void call_put(struct run *r, const struct flow_node *n)
{
	if (n->kind == FLOW_OUT) {
		bit_put(r, 0);
		r->events[r->count++] = 'o';
	} else {
		r->events[r->count++] = (char)('a' + n->name.s[1] - '0');
	}
}

static void graph_run(const struct flow *w, struct run *r)
{
	uint32_t at = 0;

	for (unsigned steps = 0; steps < STEPS; steps++) {
		const struct flow_node *n = &w->v[at];
		bool taken = number_any(2);

		switch ((enum flow_kind)n->kind) {
		case FLOW_CALL:
		case FLOW_OUT:
			call_put(r, n);
			at = n->next;
			break;
		case FLOW_BRANCH:
			if (n->logged)
				bit_put(r, taken ? n->sense : !n->sense);
			at = taken ? n->to : n->next;
			break;
		case FLOW_SKIP:
			if (n->logged)
				bit_put(r, !taken);
			at = taken ? n->to : n->next;
			break;
		case FLOW_JUMP:
			if (n->logged)
				bit_put(r, 0);
			at = n->to;
			break;
		case FLOW_RETURN:
			r->events[r->count++] = 'r';
			r->sure = r->count;
			return;
		default:
			at = n->next;
		}
	}
}

/* What the bits tell; as many events as were sure then. */
static void program_run(const struct flow *w, const struct run *r, struct run *told)
{
	size_t bit = 0;
	uint32_t at = 0;

	for (unsigned steps = 0; steps < 4 * STEPS && told->count < r->sure; steps++) {
		const struct flow_op *op = &w->ops[at++];

		assert_true(at <= w->op_count);
		if ((op->kind == FLOW_OP_BRANCH || op->kind == FLOW_OP_TICK ||
		     op->kind == FLOW_OP_OUT) && bit == r->bit_count)
			return;
		switch (op->kind) {
		case FLOW_OP_CALL:
			call_put(told, &w->v[op->node]);
			break;
		case FLOW_OP_OUT:
			bit++;
			told->events[told->count++] = 'o';
			break;
		case FLOW_OP_TICK:
			bit++;
			break;
		case FLOW_OP_BRANCH:
			at = r->bits[bit++] == op->arg ? op->to : at;
			break;
		case FLOW_OP_JUMP:
			at = op->to;
			break;
		case FLOW_OP_CLOSE:
			told->events[told->count++] = 'r';
			break;
		default:
			return;
		}
	}
}

static void program_check(const struct flow *w, const char *text)
{
	for (unsigned i = 0; i < RUNS; i++) {
		struct run run = { .count = 0 }, told = { .count = 0 };

		graph_run(w, &run);
		program_run(w, &run, &told);
		if (told.count < run.sure || memcmp(told.events, run.events, run.sure) != 0)
			fail_msg("%s\nwas  %s\ntold %s", text, run.events, told.events);
	}
}

static void test_any(void **state)
{
	struct filter_options o = { .chip = &chip_avr, .codes = FILTER_FLOW };
	struct outline_options outline = { -1, 1, 0 };
	struct flow w = { .count = 0 };
	size_t logged = 0, branches = 0;

	(void)state;
	for (seed = 1; seed < PROGRAMS; seed++) {
		uint32_t kept = seed;
		struct buf b = BUF_INIT;
		struct outline s;
		struct scope_names names = { .global = { .count = 0 } };

		program_make(&b);
		assert_int_equal(outline_make(&s, &chip_avr, &outline, b.data, b.len), 0);
		assert_int_equal(flow_make(&w, &o, &s, &names, &s.v[0]), 0);
		for (size_t i = 0; i < w.count; i++) {
			logged += w.v[i].logged;
			branches += w.v[i].kind == FLOW_BRANCH || w.v[i].kind == FLOW_SKIP;
		}
		if (!w.fault)
			program_check(&w, buf_str(&b));
		outline_release(&s);
		buf_release(&b);
		seed = kept;
	}
	flow_release(&w);
	assert_true(logged > branches / 4 && logged < branches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_section_of_its_own),
		cmocka_unit_test(test_reach), cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
