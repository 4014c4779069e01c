/* What `wsntop as` makes of assembler text: statements, functions, exits, choices. */
#include "unit.h"

#include "core/base/mem.h"
#include "core/filter/assembler.h"
#include "core/filter/chip.h"
#include "core/filter/filter.h"
#include "core/filter/scope.h"

/* --- statements ------------------------------------------------------------------------------- */

static const struct statement_syntax avr = { ';', '$' }, arm = { '@', ';' };

static const struct {
	const struct statement_syntax *syntax;
	const char *text;
	const char *kinds;		/* a letter a statement: label, directive, insn, comment; */
	const char *user;		/* which are inline assembly's */
} texts[] = {
	{ &avr, "f:\tret\n", "li", ".." },
	{ &avr, "f: 1: .L2:ret ; ret", "lllic", "....." },
	{ &avr, "\tldi r24,lo8(1) $ ret\n", "ii", ".." },
	{ &arm, "\tbl\tf ; b g @ x; y\n", "iic", "..." },
	{ &arm, "#APP\n mov r0, #1\n", "ci", "uu" },
	{ &avr, "/* two\nlines */ ret /* open", "cic", "..." },
	{ &avr, "x = 5\n.L__stack_usage = 4\n", "dd", ".." },
	{ &arm, "ldr r0, =x\n", "i", "." },
	{ &arm, "cmp r0, #';\nb x", "ii", ".." },
	{ &arm, "\t.ascii \"a;b@c\\\"\"\n\"q r\": b x", "dli", "..." },
	{ &avr, "/* #APP */\nret\n/* #NOAPP */\nret\n", "cici", "uu.." },
	/* the user's own text does not end it */
	{ &avr, "/* #APP */\n ;  1 \"a.c\" 1\n/* #NOAPP */\nret\n ;  0 \"\" 2\n/* #NOAPP */\nret",
	  "cccicci", "uuuuu.." },
	{ &arm, ".thumb\n.syntax unified\n@ 3 \"a.c\" 1\nbx lr\n.thumb\n@ 0 \"\" 2\n.thumb\n"
	  ".syntax unified\nbx lr", "ddcidcddi", "..uuuu..." },
	{ &arm, ".syntax unified\n.thumb\n.thumb_func\nf: bx lr", "dddli", "u...." },
	{ &arm, "@APP\nbx lr\n@NO_APP\nbx lr", "cici", "uu.." },
	{ &avr, "", "", "" },
	{ &avr, "\"", "i", "." },
	{ &avr, "'", "i", "." },
	{ &avr, "/*", "c", "." },
};

static void test_statements(void **state)
{
	static const char kinds[] = "ldic";
	struct statements all;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		char is[32] = "", user[32] = "";

		assert_int_equal(statements_parse(&all, texts[i].text, strlen(texts[i].text),
						  texts[i].syntax), 0);
		for (size_t k = 0; k < all.count; k++) {
			is[k] = kinds[all.v[k].kind];
			user[k] = all.v[k].user ? 'u' : '.';
		}
		assert_string_equal(is, texts[i].kinds);
		assert_string_equal(user, texts[i].user);
		statements_release(&all);
	}
}

static void test_pieces(void **state)
{
	struct piece rest, args = { "{r4, pc}, \"a,b\", x", 18 };

	(void)state;
	assert_true(piece_is(piece_first(args, &rest), "{r4, pc}"));
	assert_true(piece_is(piece_first(rest, &rest), "\"a,b\""));
	assert_true(piece_is(piece_first(rest, &rest), "x"));
	assert_int_equal(rest.n, 0);
	assert_true(piece_is_name((struct piece){ "_Z.a$1", 6 }));
	assert_false(piece_is_name((struct piece){ "1f", 2 }));
	assert_true(piece_equal((struct piece){ NULL, 0 }, (struct piece){ "", 0 }));
}

/* --- functions -------------------------------------------------------------------------------- */

#define AVR(body) "\t.text\n.global\tf\n\t.type\tf, @function\nf:\n" \
	"/* prologue: function */\n" body "\t.size\tf, .-f\n"
#define THUMB(body) "\t.cpu cortex-m3\n\t.text\n\t.align\t1\n\t.global\tf\n\t.syntax unified\n" \
	"\t.thumb\n\t.thumb_func\n\t.type\tf, %function\nf:\n\t@ args = 0, pretend = 0\n" body \
	"\t.size\tf, .-f\n"
#define THUMB1(body) "\t.cpu cortex-m0\n" THUMB1_REST(body)
#define THUMB1_REST(body) "\t.type\tf, %function\nf:\n\t@ args = 0\n" body "\t.size\tf, .-f\n"
#define ENTER "\tldi r30,lo8(wsntrace_id.f+1)\n\tcall wsntrace_enter\n"
#define LEAF "\tldi r30,lo8(wsntrace_id.f+129)\n\tcall wsntrace_leaf\n"
#define T_ENTER "\tmov\tip, lr\n\tbl\twsntrace_enter\n"
#define HANDLER "\tpush r30\n\tldi r30,lo8(wsntrace_id.f+1)\n\tcall wsntrace_handler_enter\n" \
	"\tpop r30\n"

static const struct {
	const char *what;
	const struct chip *chip;
	const char *in;
	const char *has;		/* the filtered text; NULL: it is the same */
	const char *hasnt;
	const char *said;
} functions[] = {
	{ "a leaf has no exit", &chip_avr, AVR("\tmov r24,r22\n\tret\n"), LEAF "\tmov r24,r22\n"
	  "\tret\n",
	  "wsntrace_exit" },
	{ "a call", &chip_avr, AVR("\tcall g\n\tret\n"),
	  ENTER "\tcall g\n.Lwsntrace_0:\n\tjmp wsntrace_exit\n", "\tret" },
	{ "two returns", &chip_avr, AVR("\tcall g\n\tbrne .L2\n\tret\n.L2:\n\tret\n"),
	  "\tbrne .L2\n\trjmp .Lwsntrace_0\n.L2:\n.Lwsntrace_0:\n\tjmp wsntrace_exit\n", "\tret" },
	{ "before the loop's label, behind the debugger's", &chip_avr,
	  AVR(".LM1:\n.L2:\n\tcall g\n\trjmp .L2\n"), ".LM1:\n" ENTER ".L2:\n\tcall g\n" },
	{ "room on the stack is no call", &chip_avr, AVR("\trcall .\n\tpop r0\n\tpop r0\n\tret\n"),
	  LEAF },
	{ "nor is the compiler's library", &chip_avr, AVR("\tcall __mulsi3\n\tret\n"), LEAF,
	  "exit" },
	{ "a user's function is", &chip_avr, AVR("\tcall __mine\n\tret\n"), ENTER },
	{ "a tail call", &chip_avr, AVR("\tjmp g\n"), ENTER ".Lwsntrace_0:\n"
	  "\tcall wsntrace_exit\n\tjmp g\n" },
	{ "one behind a skip stays one instruction", &chip_avr,
	  AVR("\tsbrc r24,0\n\tjmp g\n\tret\n"), "\tsbrc r24,0\n\trjmp .Lwsntrace_0\n" },
	{ "a return, too", &chip_avr, AVR("\tcall g\n\tsbrc r24,0\n\tret\n\tjmp g\n"),
	  "\tsbrc r24,0\n\trjmp .Lwsntrace_0\n" },
	{ "to itself", &chip_avr, AVR("\tjmp f\n"), "\tcall wsntrace_exit\n\tjmp f\n" },
	{ "through Z", &chip_avr, AVR("\tijmp\n"),
	  "\tpush r30\n\tpush r31\n\tcall wsntrace_exit\n\tpop r31\n\tpop r30\n\tijmp\n" },
	{ "a switch", &chip_avr, AVR("\tcall g\n\tjmp __tablejump2__\n"
	  "\t.section .progmem.gcc_sw_table\n"
	  "\t.word gs(.L5)\n\t.text\n.L5:\n\tret\n"), "\tjmp __tablejump2__\n",
	  "call wsntrace_exit" },
	{ "a computed goto", &chip_avr, AVR("\tijmp\n.L5:\n\tret\n") "\t.data\n\t.word gs(.L5)\n",
	  NULL,
	  NULL, "f: a computed goto cannot be told from a tail call; left alone" },
	{ "by push and ret", &chip_avr, AVR("\tcall g\n\tpush r24\n\tpush r25\n\tret\n.L5:\n"
	  "\tret\n")
	  "\t.word gs(.L5)\n", "\tpush r25\n\tret\n.L5:\n.Lwsntrace_0:\n\tjmp" },
	{ "nothing else", &chip_avr, AVR("\tpush r24\n\tret\n"), NULL, NULL,
	  "f: it returns in a way that is not known; left alone" },
	{ "a handler", &chip_avr, AVR("\tpush r1\n\treti\n"),
	  HANDLER "\tpush r1\n.Lwsntrace_0:\n\tjmp wsntrace_handler_exit\n" },
	{ "naked", &chip_avr, "\t.type f, @function\nf:\n/* prologue: naked */\n\tret\n"
	  "\t.size f, .-f\n",
	  NULL },
	{ "quiet", &chip_avr, AVR("/* #APP */\n/* wsntrace quiet */\n/* #NOAPP */\n\tret\n"),
	  NULL },
	{ "by hand", &chip_avr, "\t.type f, @function\nf:\n\tcall g\n\tret\n\t.size f, .-f\n",
	  NULL },
	{ "inline assembly that returns", &chip_avr,
	  AVR("/* #APP */\n\tret\n/* #NOAPP */\n\tret\n"), NULL, NULL,
	  "f: its inline assembly leaves it; left alone" },
	{ "or jumps within", &chip_avr, AVR("/* #APP */\n\trjmp 1f\n1:\n/* #NOAPP */\n\tret\n"),
	  LEAF },
	{ "the runtime", &chip_avr, "\t.file \"wsntrace_avr.c\"\n" AVR("\tret\n"), NULL },
	{ "start-up code", &chip_avr, "\t.section .init3,\"ax\"\n\t.type f, @function\nf:\n"
	  "/* prologue: function */\n\tret\n\t.size f, .-f\n", NULL, NULL,
	  "f: it is a part of the start-up code; left alone" },
	{ "a function without an end", &chip_avr, "\t.type f, @function\nf:\n"
	  "/* prologue: function */\n\tret\n",
	  NULL },
	{ "a group of its own", &chip_avr, AVR("\tret\n"),
	  "\t.pushsection .wsntrace_id,\"G\",@progbits,wsntrace_id.f\nwsntrace_id.f:\n"
	  "\t.byte 0\n" },
	{ "the record", &chip_avr, AVR("\tret\n"), "\t.long f\n\t.short wsntrace_id.f+1\n"
	  "\t.byte 1\n\t.byte 0\n\t.popsection\n\t.pushsection \"" FILTER_NARROW "\",\"G\","
	  "@progbits,wsntrace_id.f\n\t.byte wsntrace_id.f+132\n" },
	{ "the function's group", &chip_thumb,
	  "\t.section .text._Z1fv,\"axG\",%progbits,_Z1fv,comdat\n\t.type f, %function\nf:\n"
	  "\t@ args = 0\n"
	  "\tbx lr\n\t.size f, .-f\n",
	  "\t.pushsection .wsntrace_map,\"G\",%progbits,_Z1fv,comdat\n" },

	{ "a return of 2 bytes", &chip_thumb, THUMB("\tpush\t{r4, lr}\n\tbl\tg\n\tpop\t{r4, pc}\n"),
	  T_ENTER "\tpush\t{r4, lr}\n\tbl\tg\n\tb\t.Lwsntrace_0\n.Lwsntrace_0:\n"
	  "\tbl\twsntrace_exit\n"
	  "\tpop\t{r4, pc}\n\t.size" },
	{ "of 4 bytes", &chip_thumb, THUMB("\tbl\tg\n\tpop\t{r4, r8, pc}\n"),
	  "\tb.w\t.Lwsntrace_0\n" },
	{ "of 4 bytes", &chip_thumb, THUMB("\tbl\tg\n\tldr\tpc, [sp], #4\n"),
	  "\tb.w\t.Lwsntrace_0\n.Lwsntrace_0:\n\tbl\twsntrace_exit\n\tldr\tpc, [sp], #4\n" },
	{ "in an IT block", &chip_thumb, THUMB("\tbl\tg\n\tit\teq\n\tpopeq\t{r4, pc}\n\tbl g\n"
	  "\tbx\tlr\n"),
	  "\tit\teq\n\tbeq\t.Lwsntrace_0\n" },
	{ "to lr", &chip_thumb, THUMB("\tbl\tg\n\tbx\tlr\n"), ".Lwsntrace_0:\n"
	  "\tb\twsntrace_exit\n" },
	{ "to lr", &chip_thumb, THUMB1("\tbl\tg\n\tbx\tlr\n"),
	  "\tpush\t{lr}\n\tbl\twsntrace_exit\n\tpop\t{pc}\n" },
	{ "behind the literals", &chip_thumb,
	  THUMB("\tbl\tg\n\tpop\t{pc}\n.L3:\n\t.align\t2\n.L2:\n\t.word\tx\n"),
	  "\t.word\tx\n.Lwsntrace_0:\n" },
	{ "a leaf's number", &chip_thumb, THUMB("\tbx\tlr\n"), "\t.hword wsntrace_id.f+129\nf:\n",
	  "wsntrace_exit" },
	{ "a switch", &chip_thumb, THUMB("\tbl\tg\n\ttbb\t[pc, r0]\n.L4:\n\t.byte\t(.L5-.L4)/2\n"
	  "\t.p2align 1\n.L5:\n\tbx\tlr\n"), "\ttbb\t[pc, r0]\n.L4:\n" },
	{ "a tail call", &chip_thumb, THUMB("\tb\tg\n"),
	  "\tb.w\t.Lwsntrace_0\n.Lwsntrace_0:\n\tmov\tip, lr\n\tbl\twsntrace_exit_tail\n"
	  "\tmov\tlr, ip\n\tb\tg\n" },
	{ "through ip", &chip_thumb, THUMB("\tbx\tip\n"),
	  "\tpush\t{ip, lr}\n\tbl\twsntrace_exit_tail\n\tpop\t{ip, lr}\n\tbx\tip\n" },
	{ "a computed goto", &chip_thumb,
	  THUMB("\tbl g\n\torr\tr3, r3, #1\n\tadds r2, r2, #1\n\tbx\tr3\n.L5:\n\tbx\tlr\n")
	  "\t.word\t.L5\n", "\tadds r2, r2, #1\n\tbx\tr3\n" },
	{ "a number with a bit set", &chip_thumb, THUMB("\torr\tr3, r3, #1\n\tbx\tr3\n"),
	  "exit_tail" },
	{ "one that is not certain", &chip_thumb, THUMB("\tbx\tr3\n.L5:\n"
	  "\tbx\tlr\n") "\t.word\t.L5\n", NULL,
	  NULL, "f: a computed goto cannot be told from a tail call; left alone" },
	{ "nor is it one in Thumb-1", &chip_thumb, THUMB1("\tbl g\n\tmov\tpc, r3\n.L5:\n\tbx\tr3\n")
	  "\t.word\t.L5\n", "\tmov\tpc, r3\n.L5:\n\tb\t.Lwsntrace_0\n" },
	{ "far from the hooks, in Thumb-1", &chip_thumb,
	  "\t.section .ramfunc,\"ax\"\n" THUMB1("\tbx\tlr\n"), NULL, NULL,
	  "f: its section may be far from the hooks; left alone" },
	{ "in Thumb-2", &chip_thumb,
	  "\t.section .ramfunc,\"ax\"\n\t.type f, %function\nf:\n\t@ args = 0\n\tbx lr\n"
	  "\t.size f, .-f\n", "wsntrace_leaf" },
	{ "a nested function", &chip_thumb,
	  THUMB("\t@ Nested: function declared inside another function.\n\tbx\tlr\n"), NULL, NULL,
	  "f: a nested function, which gets its frame in ip; left alone" },
	{ "ARM code", &chip_thumb, "\t.arm\n\t.type f, %function\nf:\n\t@ args = 0\n\tbx lr\n"
	  "\t.size f, .-f\n",
	  NULL, NULL, "f: it is ARM code, not Thumb; left alone" },
	{ "a branch with a condition is no call", &chip_thumb, THUMB("\tcmp r0, #1\n\tblt\t.L2\n"
	  "\tble .L2\n"
	  "\tbls .L2\n.L2:\n\tbx\tlr\n"), "wsntrace_leaf" },
	{ "a far jump neither", &chip_thumb, THUMB1("\tbl\t.L2\t@ far jump\n.L2:\n\tbx\tlr\n"),
	  "_leaf" },
	{ "the unwinder's state", &chip_thumb, THUMB("\t.cfi_startproc\n\tpush\t{r4, lr}\n"
	  "\t.cfi_def_cfa_offset 8\n\t.cfi_offset 4, -8\n\t.cfi_offset 14, -4\n\tbl\tg\n"
	  "\tpopeq\t{r4, pc}\n"
	  "\tpop\t{r4, lr}\n\t.cfi_restore 14\n\t.cfi_restore 4\n\t.cfi_def_cfa_offset 0\n\tb\tg\n"
	  "\t.cfi_endproc\n"), ".Lwsntrace_0:\n\t.cfi_def_cfa_offset 8\n\t.cfi_offset 4, -8\n"
	  "\t.cfi_offset 14, -4\n\tbl\twsntrace_exit\n\tpop\t{r4, pc}\n.Lwsntrace_1:\n"
	  "\t.cfi_def_cfa_offset 0\n\t.cfi_restore 4\n\t.cfi_restore 14\n\tmov" },
	{ "the line, without its view", &chip_thumb,
	  THUMB("\tbl\tg\n\t.loc 1 16 90 is_stmt 0 view .LVU10\n\tpop\t{pc}\n"),
	  ".Lwsntrace_0:\n\t.loc 1 16 90\n\tbl\twsntrace_exit\n" },
	{ "another section's part", &chip_thumb, THUMB("\tbl\tg\n\tpop\t{pc}\n"
	  "\t.section .text.unlikely\n"
	  "\t.type f.cold, %function\nf.cold:\n\tbl\tabort\n\tpop\t{pc}\n\t.text\n"),
	  "\tbl\tabort\n\tb\t.Lwsntrace_1\n.Lwsntrace_1:\n\tbl\twsntrace_exit\n\tpop\t{pc}\n"
	  "\t.text\n",
	  "wsntrace_id.f.cold" },
	{ "an alignment", &chip_thumb, "\t.p2align 2,,3\n\t.type f, %function\nf:\n\t@ args = 0\n"
	  "\tbx lr\n"
	  "\t.size f, .-f\n", "\t.space 2\n\t.hword wsntrace_id.f+129\nf:\n" },
	{ "a name in quotes", &chip_thumb, "\t.type \"a b\", %function\n\"a b\":\n\t@ args = 0\n"
	  "\tbx lr\n"
	  "\t.size \"a b\", .-\"a b\"\n", NULL, NULL,
	  "\"a b\": its name needs quotes; left alone" },
};

static char said[512];

static void line_keep(void *ctx, const char *line)
{
	(void)ctx;
	snprintf(said, sizeof(said), "%s", line);
}

static char *text_filter(struct filter_options *o, const char *in)
{
	struct filter_result result;
	struct buf out = BUF_INIT;
	struct err err = { 0 };

	o->outline = (struct outline_options){ -1, o->chip == &chip_avr };
	o->say = line_keep;
	said[0] = '\0';
	if (filter_text(o, in, strlen(in), &out, &result, &err) < 0) {
		snprintf(said, sizeof(said), "%s", err.text);
		buf_release(&out);
		return NULL;
	}
	return buf_detach(&out);
}

static void test_functions(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(functions); i++) {
		struct filter_options o = { .chip = functions[i].chip };
		char *out = text_filter(&o, functions[i].in);

		assert_non_null(out);
		if (!functions[i].has ? strcmp(out, functions[i].in) != 0 :
					!strstr(out, functions[i].has))
			fail_msg("%s: the text is\n%s", functions[i].what, out);
		if (functions[i].hasnt && strstr(out, functions[i].hasnt))
			fail_msg("%s: there is %s", functions[i].what, functions[i].hasnt);
		assert_string_equal(said, functions[i].said ? functions[i].said : "");
		mem_free(out);
	}
}

#define F "f, @function\nf:\n/* prologue: function */\n"
#define H "\t.type\th, @function\nh:\n/* prologue: function */\n"

/* --local: calls of followed functions, by the caller's own numbers. */
static const struct {
	const char *what, *in, *has, *hasnt;
} scopes[] = {
	{ "a call of another file's", AVR("\tcall g\n\tret\n"),
	  "\tcall .Lwsntrace_c0\n.Lwsntrace_0:\n\tjmp wsntrace_exit\n.Lwsntrace_c0:\n"
	  "\tldi r30,1\n\tldi r31,2\n\tjmp wsntrace_body.g\n" },
	{ "which may have no hooks", AVR("\tcall g\n\tret\n"),
	  "\t.weak wsntrace_body.g\nwsntrace_body.g:\n\tjmp g\n" },
	{ "two", AVR("\tcall g\n\tcall h\n\trcall g\n\tret\n"),
	  "\tcall .Lwsntrace_c0\n\tcall .Lwsntrace_c1\n\trcall .Lwsntrace_c0\n" },
	{ "two have two bits", AVR("\tcall g\n\tcall h\n\tret\n"),
	  ".Lwsntrace_c1:\n\tldi r30,3\n\tldi r31,4\n\tjmp wsntrace_body.h\n" },
	{ "the record", AVR("\tcall g\n\tret\n"),
	  "\t.pushsection .wsntrace_code,\"G\",@progbits,wsntrace_id.f\n\t.long f,g\n\t.short 1\n"
	  "\t.byte 1,0\n" },
	{ "two entries", AVR("\tret\n"), "\tcall wsntrace_leaf\n\trjmp .Lwsntrace_b3\n"
	  "wsntrace_body.f:\n\tcall wsntrace_call_leaf\n.Lwsntrace_b3:\n\tret\n" },
	{ "which others see", AVR("\tret\n"), "\t.global wsntrace_body.f\n" },
	{ "a static function has one", "\t.type\t" F "\tret\n\t.size\tf, .-f\n" H
	  "\tcall f\n\tret\n\t.size h, .-h\n",
	  "\t.reloc .,R_AVR_NONE,wsntrace_id.f\nwsntrace_body.f:\n\tcall wsntrace_call_leaf\n"
	  "\tret\n", "call wsntrace_leaf" },
	{ "but not where its address is taken", "\t.type\t" F "\tret\n\t.size\tf, .-f\n" H
	  "\tcall f\n\tldi r24,lo8(gs(f))\n\tret\n\t.size h, .-h\n", "call wsntrace_leaf" },
	{ "nor where a function is left for it", "\t.type\t" F "\tret\n\t.size\tf, .-f\n" H
	  "\tcall f\n\tjmp f\n\t.size h, .-h\n", "call wsntrace_leaf" },
	{ "a tail call is from outside", AVR("\tjmp g\n"),
	  "\tcall wsntrace_exit\n\tjmp g\n" },
	{ "the runtime has no code", AVR("\tcall wsnprof_poll\n\tret\n"),
	  "\tcall wsnprof_poll\n", "wsntrace_body.wsnprof_poll" },
	{ "nor the compiler's library", AVR("\tcall __mulsi3\n\tcall g\n\tret\n"),
	  "\tcall __mulsi3\n", "wsntrace_body.__mulsi3" },
	{ "nor inline assembly",
	  AVR("\tcall g\n/* #APP */\n\tcall h\n/* #NOAPP */\n\tret\n"), "\tcall h\n" },
};

static void test_scopes(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(scopes); i++) {
		struct filter_options o = { .chip = &chip_avr, .codes = FILTER_LOCAL };
		char *out = text_filter(&o, scopes[i].in);

		assert_non_null(out);
		if (!strstr(out, scopes[i].has))
			fail_msg("%s: the text is\n%s", scopes[i].what, out);
		if (scopes[i].hasnt && strstr(out, scopes[i].hasnt))
			fail_msg("%s: there is %s", scopes[i].what, scopes[i].hasnt);
		mem_free(out);
	}
}

/* A call made often has a short code, no code begins another, none begins with 0000. */
static void test_huffman(void **state)
{
	static const char in[] = AVR("\tcall g0\n\tcall g1\n\tcall g2\n\tcall g3\n\tcall g4\n"
				     "\tret\n");
	struct scope_counts counts;
	struct filter_options o = { .chip = &chip_avr, .codes = FILTER_HUFFMAN, .counts = &counts };
	char *out, *at;
	unsigned bits[7], one[7], count = 0;

	(void)state;
	map_init(&counts.calls);
	assert_int_equal(scope_counts_add(&counts, "", "f", 5), 0);
	assert_int_equal(scope_counts_add(&counts, "f", "g3", 1000), 0);
	assert_int_equal(scope_counts_add(&counts, "f", "g1", 100), 0);
	out = text_filter(&o, in);
	assert_non_null(out);
	for (at = out; (at = strstr(at, "ldi r30,")) != NULL; at++)
		if (sscanf(at, "ldi r30,%u ldi r31,%u", &bits[count], &one[count]) == 2)
			count++;
	assert_int_equal(count, 6);		/* the return, g0 to g4 */
	assert_int_equal(one[1 + 3], 2);
	assert_int_equal(one[1 + 1], 4);
	for (unsigned i = 0; i < count; i++) {
		assert_true(one[i] <= 128 && bits[i] < one[i]);
		assert_int_not_equal(bits[i] & 15, one[i] >= 16 ? 0 : 16);
		for (unsigned k = 0; k < count; k++)
			assert_true(k == i || one[k] < one[i] ||
				    (bits[k] & (one[i] - 1)) != bits[i]);
	}
	assert_non_null(strstr(out, "\tjmp wsntrace_exit_code\n"));
	assert_non_null(strstr(out, "\t.long f,0xffffffff\n"));
	mem_free(out);
	out = text_filter(&o, AVR("\tcall g\n\treti\n"));
	assert_non_null(strstr(out, "\tcall g\n"));	/* a handler has no scope */
	mem_free(out);
	map_release(&counts.calls);
}

static void test_options(void **state)
{
	struct filter_options o = { .chip = &chip_avr, .wide = true };
	char *out = text_filter(&o, AVR("\tret\n"));

	(void)state;
	assert_non_null(strstr(out, "\tldi r30,lo8(wsntrace_id.f+1)\n"
		"\tldi r31,hi8(wsntrace_id.f+1)\n"
			       "\tcall wsntrace_leaf_wide\n"));
	assert_null(strstr(out, "+132"));
	mem_free(out);
	o.no_handlers = true;
	out = text_filter(&o, AVR("\treti\n"));
	assert_string_equal(out, AVR("\treti\n"));
	mem_free(out);
	assert_null(text_filter(&o, AVR("\trjmp __epilogue_restores__\n")));
	assert_non_null(strstr(said, "-mcall-prologues"));
}

/* Calls that are timed or counted: words that stay as long as they are; no ids. */
static void test_timed(void **state)
{
	static const struct {
		enum filter_use use;
		int far_code;
		const char *in, *out;
	} cases[] = {
		{ FILTER_TIMED, 0, "\tcall g\n\tret\n",
		  "\t.word 0x940e\n\t.word gs(wsnprof_timed_enter)\n\tcall g\n"
		  "\t.word 0x940c\n\t.word gs(wsnprof_timed_exit)\n" },
		{ FILTER_TIMED, 0, "\tret\n",
		  "\t.word 0x940e\n\t.word gs(wsnprof_timed_enter)\n"
		  "\t.word 0x940c\n\t.word gs(wsnprof_timed_exit)\n" },
		/* a branch to a stub takes 2 cycles: its hook is another than the last return's */
		{ FILTER_TIMED, 0, "\tsbrc r24,0\n\tret\n\tcall g\n\tret\n",
		  "\tsbrc r24,0\n\trjmp .Lwsntrace_0\n\tcall g\n"
		  "\t.word 0x940c\n\t.word gs(wsnprof_timed_exit)\n"
		  ".Lwsntrace_0:\n\t.word 0x940c\n\t.word gs(wsnprof_timed_exit_mid)\n" },
		{ FILTER_TIMED, 1, "\tjmp g\n",
		  "\tldi r30,lo8(gs(f))\n\tldi r31,hi8(gs(f))\n"
		  "\t.word 0x940e\n\t.word gs(wsnprof_timed_enter)\n"
		  ".Lwsntrace_0:\n\t.word 0x940e\n\t.word gs(wsnprof_timed_tail)\n\tjmp g\n" },
		{ FILTER_TIMED, 0, "\treti\n",
		  "\t.word 0x940e\n\t.word gs(wsnprof_timed_handler)\n"
		  ".Lwsntrace_0:\n\t.word 0x940c\n\t.word gs(wsnprof_timed_handler_exit)\n" },
		{ FILTER_COUNT, 0, "\tcall g\n\tret\n",
		  "\t.word 0x940e\n\t.word gs(wsnprof_count_enter)\n\tcall g\n\tret\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filter_options o = {
			.chip = &chip_avr, .use = cases[i].use,
			.outline = { -1, 1, cases[i].far_code },
		};
		struct filter_result result;
		struct buf in = BUF_INIT, out = BUF_INIT;

		buf_addf(&in, AVR("%s"), cases[i].in);
		assert_int_equal(filter_text(&o, buf_str(&in), in.len, &out, &result, NULL), 0);
		assert_non_null(strstr(buf_str(&out), cases[i].out));
		assert_null(strstr(buf_str(&out), "wsntrace_id"));
		buf_release(&in);
		buf_release(&out);
	}
}

/* In Thumb: sp is the function's own at the hooks; the last return is the stub. */
static void test_timed_thumb(void **state)
{
	static const struct {
		enum filter_use use;
		const char *in, *out;
	} cases[] = {
		{ FILTER_TIMED,
		  THUMB("\tpush\t{r4, lr}\n\tpop\t{r4, pc}\n\t.align\t2\n\t.word\t5\n"),
		  ":\n\tpush\t{r4, lr}\n.Lwsntrace_0:\n\tpop\t{r4, lr}\n"
		  "\tb.w\twsnprof_timed_exit\n\t.align" },
		{ FILTER_TIMED, THUMB("\tbx\tlr\n"),
		  ".Lwsntrace_0:\n\tb.w\twsnprof_timed_exit\n" },
		{ FILTER_TIMED, THUMB("\tldr\tpc, [sp], #4\n"),
		  "\tldr\tlr, [sp], #4\n\tb.w" },
		/* in an IT block: a branch of the same size in its place */
		{ FILTER_TIMED, THUMB("\tit\teq\n\tbxeq\tlr\n\tnop\n\tbx\tlr\n"),
		  "\tit\teq\n\tbeq\t.Lwsntrace_0\n\tnop\n.Lwsntrace_0:\n"
		  "\tb.w\twsnprof_timed_exit\n" },
		{ FILTER_TIMED, THUMB("\tit\tne\n\tpopne\t{r4, pc}\n\tnop\n"
				      "\tpop\t{r4, pc}\n"),
		  "\tit\tne\n\tbne\t.Lwsntrace_0\n\tnop\n.Lwsntrace_0:\n"
		  "\tpop\t{r4, lr}\n\tb.w\twsnprof_timed_exit\n" },
		{ FILTER_COUNT, THUMB("\tit\teq\n\tbxeq\tlr\n\tbx\tlr\n"),
		  "\tit\teq\n\tbxeq\tlr\n\tbx\tlr\n" },
		{ FILTER_TIMED, THUMB("\tb\tg\n"),
		  "\tmov\tip, lr\n\tbl\twsnprof_timed_exit\n\tmov\tlr, ip\n\tb\tg\n" },
		{ FILTER_TIMED, THUMB("\tbx\tip\n"),
		  "\tbl\twsnprof_timed_tail_saved\n\tpop\t{ip, lr}\n\tbx\tip\n" },
		{ FILTER_TIMED, THUMB1("\tpop\t{r4, pc}\n"),
		  "\tmov\tip, lr\n\tbl\twsnprof_timed_enter\n.Lwsntrace_0:\n"
		  "\tbl\twsnprof_timed_exit\n\tpop\t{r4, pc}\n" },
		{ FILTER_COUNT, THUMB("\tbl\tg\n\tpop\t{r4, pc}\n"),
		  "\tbl\tg\n\tpop\t{r4, pc}\n" },
		{ FILTER_COUNT, THUMB1("\tbx\tlr\n"),
		  "\tbl\twsnprof_count_enter\n\tbx\tlr\n" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct filter_options o = {
			.chip = &chip_thumb, .use = cases[i].use,
			.outline = { -1, -1, 0 },
		};
		struct filter_result result;
		struct buf in = BUF_INIT, out = BUF_INIT;

		buf_adds(&in, cases[i].in);
		assert_int_equal(filter_text(&o, buf_str(&in), in.len, &out, &result, NULL), 0);
		assert_non_null(strstr(buf_str(&out), "wsnprof_"));
		assert_null(strstr(buf_str(&out), "wsntrace_id"));
		assert_non_null(strstr(buf_str(&out), cases[i].out));
		buf_release(&in);
		buf_release(&out);
	}
}

/* Chips up to 8 KB have neither `call` nor `jmp`. */
static void test_small_chips(void **state)
{
	struct filter_options o = { .chip = &chip_avr, .outline = { -1, 0 } };
	struct filter_result result;
	struct buf out = BUF_INIT;
	const char *in = AVR("\trcall g\n\tret\n");

	(void)state;
	assert_int_equal(filter_text(&o, in, strlen(in), &out, &result, NULL), 0);
	assert_non_null(strstr(buf_str(&out), "\trcall wsntrace_enter\n"));
	assert_non_null(strstr(buf_str(&out), "\trjmp wsntrace_exit\n"));
	assert_int_equal(result.functions, 1);
	buf_release(&out);
}

/* Far from its stub an exit jumps to the next one. */
static void test_far(void **state)
{
	struct filter_options o = { .chip = &chip_thumb };
	struct buf in = BUF_INIT;
	char *out;

	(void)state;
	buf_adds(&in, "\t.cpu cortex-m0\n\t.type f, %function\nf:\n\t@ args = 0\n\tbl g\n");
	for (int i = 0; i < 4; i++) {
		buf_adds(&in, "\tpop\t{pc}\n");
		for (int k = 0; k < 800; k++)
			buf_adds(&in, "\tnop\n");
	}
	buf_adds(&in, "\tpop\t{pc}\n\t.size f, .-f\n");
	out = text_filter(&o, buf_str(&in));
	assert_non_null(strstr(out, "\tb\t.Lwsntrace_x"));
	assert_non_null(strstr(out, "\tb\t.Lwsntrace_0\n"));
	assert_null(strstr(out, "\tbl\t.L"));
	mem_free(out);
	buf_release(&in);
}

/* --- choice ----------------------------------------------------------------------------------- */

static const struct {
	const char *only, *except, *files;
	const char *name, *file;
	bool has;
} choices[] = {
	{ NULL, NULL, NULL, "crc", "a.c", true },
	{ "^crc$", NULL, NULL, "crc", "a.c", true },
	{ "^crc$", NULL, NULL, "crc16", "a.c", false },
	{ "^crc$", NULL, NULL, "crc.constprop.0", "a.c", true },
	{ NULL, "crc", NULL, "crc16", "a.c", false },
	{ "crc", "16", NULL, "crc16", "a.c", false },
	{ "crc", "16", NULL, "crc8", "a.c", true },
	{ NULL, NULL, "net/", "crc8", "src/net/a.c", true },
	{ NULL, NULL, "net/", "crc8", "src/a.c", false },
	{ "^radio::send$", NULL, NULL, "_ZN5radio4sendEv", "a.cc", true },
	{ "^radio::send$", NULL, NULL, "_ZN5radio4stopEv", "a.cc", false },
};

static void test_choice(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(choices); i++) {
		const char *patterns[] = { choices[i].only, choices[i].except, choices[i].files };
		struct select s = { 0 };

		for (int k = 0; k < SELECT_KINDS; k++)
			if (patterns[k])
				assert_int_equal(select_add(&s, (enum select_kind)k, patterns[k],
							    NULL), 0);
		assert_int_equal(select_has(&s, (struct piece){ choices[i].name,
							       strlen(choices[i].name) },
					    (struct piece){ choices[i].file,
							    strlen(choices[i].file) }),
				 choices[i].has);
		select_release(&s);
	}
}

static void test_list(void **state)
{
	char path[] = "/tmp/wsntop-list-XXXXXX", at[64];
	struct select s = { 0 };
	struct err err = { 0 };
	int fd = mkstemp(path);

	(void)state;
	assert_int_equal(write(fd, "crc\n\n# no\n net::send \nlast", 26), 26);
	close(fd);
	snprintf(at, sizeof(at), "@%s", path);
	assert_int_equal(select_add(&s, SELECT_ONLY, at, &err), 0);
	unlink(path);
	assert_true(select_has(&s, (struct piece){ "crc", 3 }, (struct piece){ "", 0 }));
	assert_true(select_has(&s, (struct piece){ "last", 4 }, (struct piece){ "", 0 }));
	assert_true(select_has(&s, (struct piece){ "_ZN3net4sendEi", 14 },
		(struct piece){ "", 0 }));
	assert_false(select_has(&s, (struct piece){ "crc16", 5 }, (struct piece){ "", 0 }));
	assert_true(select_add(&s, SELECT_ONLY, at, &err) < 0);
	assert_true(select_add(&s, SELECT_ONLY, "(", NULL) < 0);
	select_release(&s);
}

/* --- the assembler's options ------------------------------------------------------------------ */

static void test_call(void **state)
{
	static const char *const file[] = { "as", "-mmcu=avr25", "-I", "x", "-o", "a.o", "a.s",
		NULL };
	static const char *const far[] = { "as", "-mmcu=avr6", "a.s", NULL };
	static const char *const pipe[] = { "as", "-mcpu=cortex-m0plus", "-o", "a.o", NULL };
	static const char *const two[] = { "as", "a.s", "b.s", NULL };
	static const char *const at[] = { "as", "@options", NULL };
	static const char *const tiny[] = { "as", "-mmcu=avrtiny", "a.s", NULL };
	struct assembler_call call;

	(void)state;
	assembler_read(&chip_avr, (char *const *)file, &call);
	assert_int_equal(call.input, 6);
	assert_false(call.unclear);
	assert_int_equal(call.outline.long_calls, 0);
	assembler_read(&chip_avr, (char *const *)far, &call);
	assert_int_equal(call.outline.far_code, 1);
	assembler_read(&chip_thumb, (char *const *)pipe, &call);
	assert_int_equal(call.input, 0);
	assert_int_equal(call.outline.thumb1, 1);
	assembler_read(&chip_avr, (char *const *)two, &call);
	assert_true(call.unclear);
	assembler_read(&chip_avr, (char *const *)at, &call);
	assert_true(call.unclear);
	assembler_read(&chip_avr, (char *const *)tiny, &call);
	assert_non_null(call.fault);
}

static void test_chips(void **state)
{
	(void)state;
	assert_ptr_equal(chip_find(NULL, "avr-"), &chip_avr);
	assert_ptr_equal(chip_find(NULL, "/opt/avr/bin/arm-none-eabi-"), &chip_thumb);
	assert_ptr_equal(chip_find("thumb", "my-"), &chip_thumb);
	assert_null(chip_find(NULL, "riscv64-unknown-elf-"));
	assert_null(chip_find("z80", "avr-"));
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Each allocation fails once: an error, or the whole text. */
static void test_no_memory(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(functions); i++) {
		int ret = -1;

		for (long n = 0; ret < 0; n++) {
			struct filter_options o = { .chip = functions[i].chip };
			struct filter_result result;
			struct buf out = BUF_INIT;
			struct err err = { 0 };

			mem_fail_after(n);
			ret = filter_text(&o, functions[i].in, strlen(functions[i].in), &out,
					  &result, &err);
			mem_fail_after(-1);
			buf_release(&out);
			assert_true(ret == 0 || ret == ERR_NOMEM);
			assert_true(n < 1000);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements), cmocka_unit_test(test_pieces),
		cmocka_unit_test(test_functions), cmocka_unit_test(test_scopes),
		cmocka_unit_test(test_huffman), cmocka_unit_test(test_options),
		cmocka_unit_test(test_timed), cmocka_unit_test(test_timed_thumb),
		cmocka_unit_test(test_small_chips), cmocka_unit_test(test_far),
		cmocka_unit_test(test_choice), cmocka_unit_test(test_list),
		cmocka_unit_test(test_call), cmocka_unit_test(test_chips),
		cmocka_unit_test(test_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
