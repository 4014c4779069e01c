/*
 * image: programs built here by every compiler at hand, compared with what their own addr2line and
 * objdump say. A toolchain that is not installed is named and left out.
 */
#include "tests/unit/image_tools.h"

static const char header[] =
	"static inline __attribute__((always_inline)) int twice(int v)\n"
	"{\n"
	"	return v * 2;\n"
	"}\n"
	"static inline __attribute__((always_inline)) int quad(int v)\n"
	"{\n"
	"	volatile int k = twice(v);\n"
	"	return twice(k) + 1;\n"
	"}\n";

static const char main_source[] =
	"#include \"a.h\"\n"
	"volatile int sink;\n"
	"int other(int);\n"
	"static __attribute__((noinline)) int helper(int a)\n"
	"{\n"
	"	volatile int s = 0;\n"
	"	for (int i = 0; i < a; i++)\n"
	"		s += quad(i);\n"
	"	return s;\n"
	"}\n"
	"static __attribute__((noinline)) int rec(int n, int unused)\n"
	"{\n"
	"	return n < 2 ? 1 : rec(n - 1, 3) + rec(n - 2, 3) + quad(n);\n"
	"}\n"
	"int main(void)\n"
	"{\n"
	"	sink = helper(sink) + rec(sink, 5);\n"
	"	sink += other(sink);\n"
	"	for (;;)\n"
	"		sink = quad(sink);\n"
	"}\n";

static const char other_source[] =
	"#include \"a.h\"\n"
	"extern volatile int sink;\n"
	"static __attribute__((noinline)) int helper(int a)\n"
	"{\n"
	"	return quad(a) + sink;\n"
	"}\n"
	"static __attribute__((noinline)) int local(int (*f)(int), int v)\n"
	"{\n"
	"	return f(v) + 3;\n"
	"}\n"
	"int other(int v)\n"
	"{\n"
	"	return local(helper, v) + helper(v) + quad(v);\n"
	"}\n"
	"int unused_function(int v)\n"
	"{\n"
	"	return v * 17 + quad(v) + sink;\n"
	"}\n";

#define AVR(flags) "avr-gcc -mmcu=atmega1284p " flags " a.c b.c -o x.elf"
#define ARM(flags)                                                               \
	"arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -nostdlib -Wl,-e,main " flags \
	" a.c b.c -o x.elf -lgcc"
#define CROSS(cc, target, flags, link)                                     \
	"for f in a b; do clang --target=" target " -ffreestanding " flags \
	" -c $f.c -o $f.o || exit; done; "                                 \
	"ld.lld -e main " link " a.o b.o -o x.elf"

static const struct toolchain {
	const char *name, *compiler, *build, *addr2line, *objdump;
	unsigned step;			/* between instructions, at least */
	unsigned least; /* addresses that must have been compared, or the test compares nothing */
} toolchains[] = {
#define ROW(n, cc, b, tools, ...)                                                      \
	{                                                                              \
		.name = n, .compiler = cc, .build = b, .addr2line = tools "addr2line", \
		.objdump = tools "objdump", __VA_ARGS__                                \
	}
	ROW("avr -ggdb -Os", "avr-gcc", AVR("-ggdb -Os"), "avr-", .step = 2, .least = 150),
	ROW("avr -gdwarf-2 -O2", "avr-gcc", AVR("-gdwarf-2 -O2"), "avr-", .step = 2, .least = 150),
	ROW("avr -gdwarf-3", "avr-gcc", AVR("-gdwarf-3 -O1"), "avr-", .step = 2, .least = 150),
	ROW("avr -gdwarf-4, sections collected", "avr-gcc",
	    AVR("-gdwarf-4 -Os -ffunction-sections -Wl,--gc-sections"), "avr-", .step = 2,
	    .least = 120),
	ROW("avr -O0 -mrelax", "avr-gcc", AVR("-ggdb -O0 -mrelax"), "avr-", .step = 2,
	    .least = 200),
	ROW("arm -g -O2", "arm-none-eabi-gcc", ARM("-g -O2"), "arm-none-eabi-", .step = 2,
	    .least = 80),
	ROW("arm -g -Os, sections collected", "arm-none-eabi-gcc",
	    ARM("-g -Os -ffunction-sections -Wl,--gc-sections"), "arm-none-eabi-", .step = 2,
	    .least = 60),
	ROW("arm -gdwarf-4 -O3", "arm-none-eabi-gcc", ARM("-gdwarf-4 -O3"), "arm-none-eabi-",
	    .step = 2, .least = 80),
	ROW("arm -gdwarf-3 -O0", "arm-none-eabi-gcc", ARM("-gdwarf-3 -O0"), "arm-none-eabi-",
	    .step = 2, .least = 120),
	ROW("arm -gdwarf-2 -Og", "arm-none-eabi-gcc", ARM("-gdwarf-2 -Og"), "arm-none-eabi-",
	    .step = 2, .least = 80),
	ROW("arm -marm", "arm-none-eabi-gcc",
	    "arm-none-eabi-gcc -mcpu=arm7tdmi -marm -O2 -g -nostdlib "
	    "-Wl,-e,main a.c b.c -o x.elf -lgcc",
	    "arm-none-eabi-", .step = 4, .least = 60),
	ROW("host gcc -gdwarf-2", "gcc", "gcc -O2 -gdwarf-2 a.c b.c -o x.elf", "", .step = 1,
	    .least = 300),
	ROW("host gcc -gdwarf-3", "gcc", "gcc -O2 -gdwarf-3 a.c b.c -o x.elf", "", .step = 1,
	    .least = 300),
	ROW("host gcc -gdwarf-4 -flto", "gcc", "gcc -O2 -gdwarf-4 -flto a.c b.c -o x.elf", "",
	    .step = 1, .least = 200),
	ROW("host gcc -gdwarf-5", "gcc", "gcc -O2 -gdwarf-5 a.c b.c -o x.elf", "", .step = 1,
	    .least = 300),
	ROW("host gcc -gz", "gcc", "gcc -O2 -g -gz=zlib a.c b.c -o x.elf", "", .step = 1,
	    .least = 300),
	ROW("host clang -gdwarf-4", "clang", "clang -O2 -gdwarf-4 a.c b.c -o x.elf", "", .step = 1,
	    .least = 300),
	ROW("host clang -gdwarf-5", "clang", "clang -O2 -gdwarf-5 a.c b.c -o x.elf", "llvm-",
	    .step = 1, .least = 300),
	ROW("riscv32 clang -gdwarf-4", "ld.lld",
	    CROSS("clang", "riscv32", "-march=rv32imac -O2 -gdwarf-4", ""), "llvm-", .step = 2,
	    .least = 100),
	ROW("riscv32 gcc -Os", "riscv64-unknown-elf-gcc",
	    "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -Os -g "
	    "-nostdlib -Wl,-e,main a.c b.c -o x.elf -lgcc",
	    "riscv64-unknown-elf-", .step = 2, .least = 80),
	ROW("msp430 clang", "ld.lld",
	    CROSS("clang", "msp430", "-O2 -g -Wno-everything",
		  "-Ttext 0x4400 --unresolved-symbols=ignore-all"),
	    "llvm-", .step = 2, .least = 100),
#undef ROW
};

static int group_setup(void **state)
{
	if (tools_enter(state) < 0)
		return -1;
	tools_write("a.h", header);
	tools_write("a.c", main_source);
	tools_write("b.c", other_source);
	return 0;
}

/* Build a row's program; false, said loudly, when its tools are not there. */
static bool toolchain_builds(const struct toolchain *t)
{
	unlink("x.elf");
	if (!tools_have(t->compiler) || !tools_have(t->objdump) || !tools_have(t->addr2line)) {
		print_message("         NOT INSTALLED, left out: %s (%s, %s)\n", t->name,
			      t->compiler, t->addr2line);
		return false;
	}
	if (!tools_run(t->build))
		fail_msg("%s: does not build: see its command", t->name);
	return true;
}

/* --- lines and inlined frames, against addr2line ---------------------------------------------- */

struct reference {
	FILE *out;
	char line[4096];
};

static bool next_line(struct reference *r)
{
	if (!fgets(r->line, sizeof(r->line), r->out))
		return false;
	r->line[strcspn(r->line, "\n")] = '\0';
	return true;
}

static void list_addresses(const struct image *im, unsigned step)
{
	FILE *f = fopen("addresses", "w");
	uint64_t low, high;

	assert_non_null(f);
	image_text(im, &low, &high);
	for (uint64_t a = low; a < high; a += step)
		fprintf(f, "0x%llx\n", (unsigned long long)a);
	assert_int_equal(fclose(f), 0);
}

/* addr2line's "path:line (discriminator 2)" against ours, by base name; "?" is 0. */
static bool same_place(char *theirs, const struct image_line *ours)
{
	char *colon = strrchr(theirs, ':'), *slash;
	unsigned line = colon ? (unsigned)strtoul(colon + 1, NULL, 10) : 0;

	if (colon)
		*colon = '\0';
	if (!line)
		return ours->line == 0;
	slash = strrchr(theirs, '/');
	return ours->file && strcmp(slash ? slash + 1 : theirs, ours->file) == 0 &&
	       line == ours->line;
}

static bool same_function(const char *theirs, const char *ours)
{
	size_t n = strlen(ours);

	return strncmp(theirs, ours, n) == 0 &&
	       (theirs[n] == '\0' || theirs[n] == '.'); /* rec.constprop.0 */
}

/*
 * One address's block: function and place, innermost first. What has no line there is not compared.
 */
static unsigned compare_block(const struct toolchain *t, const struct image *im,
			      struct reference *r, uint64_t address, bool *more)
{
	struct image_frame frames[16];
	size_t n = image_inlines(im, address, frames, 16), i = 0;
	bool known = n && frames[0].at.line;

	for (; (*more = next_line(r)) && strncmp(r->line, "0x", 2) != 0; i++) {
		char function[4096];

		memcpy(function, r->line, sizeof(function));
		assert_true(next_line(r));
		if (!known)
			continue;
		if (i >= n || !same_function(function, frames[i].function) ||
		    !same_place(r->line, &frames[i].at))
			fail_msg("%s: %#llx, frame %zu of %zu: %s %s, not %s %s:%u", t->name,
				 (unsigned long long)address, i, n, function, r->line,
				 i < n ? frames[i].function : "nothing",
				 i < n && frames[i].at.file ? frames[i].at.file : "?",
				 i < n ? frames[i].at.line : 0);
	}
	if (known && i != n)
		fail_msg("%s: %#llx: %zu frames, not %zu", t->name, (unsigned long long)address, i,
			 n);
	return known;
}

static void compare_lines(const struct toolchain *t, const struct image *im)
{
	char command[256];
	struct reference r;
	unsigned compared = 0;
	bool more;

	list_addresses(im, t->step);
	snprintf(command, sizeof(command), "%s -e x.elf -a -f -i <addresses 2>/dev/null",
		 t->addr2line);
	r.out = popen(command, "r");
	assert_non_null(r.out);
	more = next_line(&r);
	while (more) {
		assert_int_equal(strncmp(r.line, "0x", 2), 0);
		compared += compare_block(t, im, &r, strtoull(r.line, NULL, 16), &more);
	}
	assert_int_equal(pclose(r.out), 0);
	if (compared < t->least)
		fail_msg("%s: only %u addresses have a line", t->name, compared);
	print_message("         %-36s %4u addresses\n", t->name, compared);
}

static void test_lines_and_inlines_are_addr2lines(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(toolchains) / sizeof(toolchains[0]); i++) {
		struct image *im;

		if (!toolchain_builds(&toolchains[i]))
			continue;
		im = tools_open("x.elf");
		compare_lines(&toolchains[i], im);
		image_free(im);
	}
}

/* --- calls, against objdump ------------------------------------------------------------------- */

/*
 * "bl 8060 <helper>": the name in there, without an offset; false when there is none, or only a
 * place inside it.
 */
static bool named_target(const char *operands, char *name, size_t size)
{
	const char *open = strchr(operands, '<'), *close = open ? strpbrk(open, ">+") : NULL;

	if (!close || *close == '+')
		return false;
	snprintf(name, size, "%.*s", (int)(close - open - 1), open + 1);
	return true;
}

static bool is_call(const char *mnemonic, const char *operands)
{
	static const char *const always[] = { "call", "rcall", "icall",	 "eicall", "bl",
					      "blx",  "c.jal", "c.jalr", "callq" };

	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++) {
		if (strcmp(mnemonic, always[i]) == 0)
			return true;
	}
	if (strcmp(mnemonic, "jal") == 0) /* objdump: rd first unless it is ra; x0 is "j" */
		return strncmp(operands, "zero", 4) != 0;
	return strcmp(mnemonic, "jalr") == 0 && strncmp(operands, "zero", 4) != 0;
}

/*
 * "   8010:\teb000012 \tbl\t8060 <helper>", and llvm's "    8010: eb 00 00 12 \tbl\t...": its
 * address, and the line cut into mnemonic and operands. 0: no instruction.
 */
static uint64_t parse_instruction(char *line, char **mnemonic, char **operands)
{
	char *p;
	uint64_t address = strtoull(line, &p, 16);

	if (p == line || *p != ':')
		return 0;
	p = strchr(p[1] == '\t' ? p + 2 : p + 1, '\t');
	if (!p)
		return 0;			/* the bytes of the line before, going on */
	*mnemonic = p + 1;
	p = *mnemonic + strcspn(*mnemonic, " \t\n");
	*operands = *p ? p + 1 : p;
	*p = '\0';
	return address;
}

static void check_call(const struct toolchain *t, const struct image *im, uint64_t ret,
		       const char *operands)
{
	const struct codemap *map = image_codemap(im);
	uint64_t target = map->target(map->ctx, ret);
	char name[256];

	if (!(code_flags(map, ret) & CODE_RETURN))
		fail_msg("%s: %#llx is a return address", t->name, (unsigned long long)ret);
	if (!named_target(operands, name, sizeof(name)) || strchr(name, '@') || name[0] == '.')
		return;
	if (target == CODE_NO_TARGET || !same_function(name, tools_name(im, target)))
		fail_msg("%s: the call before %#llx goes to %s, not %s", t->name,
			 (unsigned long long)ret, name,
			 target == CODE_NO_TARGET ? "nowhere" : tools_name(im, target));
	if (!(code_flags(map, target) & CODE_ENTRY) || !(code_flags(map, target) & CODE_EARLY))
		fail_msg("%s: %s is entered at %#llx", t->name, name, (unsigned long long)target);
}

static void test_calls_are_objdumps(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(toolchains) / sizeof(toolchains[0]); i++) {
		char command[256], line[4096], operands[4096];
		bool call = false;
		unsigned calls = 0;
		struct image *im;
		FILE *dump;

		if (!toolchain_builds(&toolchains[i]))
			continue;
		im = tools_open("x.elf");
		snprintf(command, sizeof(command), "%s -d x.elf", toolchains[i].objdump);
		dump = popen(command, "r");
		assert_non_null(dump);
		while (fgets(line, sizeof(line), dump)) {
			char *mnemonic = NULL, *rest = NULL;
			uint64_t at = parse_instruction(line, &mnemonic, &rest);

			if (!at)
				continue;
			if (call)
				check_call(&toolchains[i], im, at, operands);
			call = is_call(mnemonic, rest);
			calls += call;
			snprintf(operands, sizeof(operands), "%s", rest);
		}
		assert_int_equal(pclose(dump), 0);
		if (calls < 5)
			fail_msg("%s: only %u calls in it", toolchains[i].name, calls);
		image_free(im);
	}
}

/* --- which functions there are ---------------------------------------------------------------- */

static unsigned count_name(const struct image *im, const char *name)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < image_function_count(im); i++)
		n += strcmp(image_function(im, i)->name, name) == 0;
	return n;
}

static void test_namesakes_stay_apart_and_clones_join(void **state)
{
	static const struct {
		const char *name;
		unsigned count;
	} rows[] = {
		{ "main", 1 }, { "other", 1 }, { "rec", 1 }, { "local", 1 },
		{ "helper", 2 },		/* a.c and b.c */
		{ "quad", 0 }, { "twice", 0 },	/* always inlined */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(toolchains) / sizeof(toolchains[0]); i++) {
		struct image *im;

		if (strstr(toolchains[i].name, "-flto") || !toolchain_builds(&toolchains[i]))
			continue;	/* link-time optimisation inlines across the files */
		im = tools_open("x.elf");
		for (size_t j = 0; j < sizeof(rows) / sizeof(rows[0]); j++) {
			if (count_name(im, rows[j].name) != rows[j].count)
				fail_msg("%s: %s is there %u times, not %u", toolchains[i].name,
					 rows[j].name, count_name(im, rows[j].name), rows[j].count);
		}
		assert_int_equal(image_function(im, image_find_name(im, "main"))->line, 15);
		assert_string_equal(image_function(im, image_find_name(im, "other"))->file, "b.c");
		image_free(im);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_and_inlines_are_addr2lines),
		cmocka_unit_test(test_calls_are_objdumps),
		cmocka_unit_test(test_namesakes_stay_apart_and_clones_join),
	};

	return cmocka_run_group_tests(tests, group_setup, tools_leave);
}
