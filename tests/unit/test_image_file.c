/*
 * image: files that are no image, or half of one, or replaced while we look; what symbols alone
 * tell; names.
 */
#include "tests/unit/image_tools.h"

#include <elf.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

#include "core/base/clock.h"
#include "core/base/mem.h"
#include "core/image/call.h"
#include "core/image/demangle.h"
#include "core/image/spans.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static void copy_head(const char *from, const char *to, size_t n)
{
	char *bytes = malloc(n + 1);
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");

	assert_non_null(bytes);
	assert_non_null(in);
	assert_non_null(out);
	n = fread(bytes, 1, n, in);
	assert_int_equal(fwrite(bytes, 1, n, out), n);
	fclose(in);
	assert_int_equal(fclose(out), 0);
	free(bytes);
}

static size_t file_size(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return (size_t)st.st_size;
}

static const char program[] =
	"static int __attribute__((noinline)) inner(int v) { volatile int k = v; return k * 3; }\n"
	"int outer(int v) { return inner(v) + 1; }\n"
	"int main(void) { return outer(2); }\n";

static int group_setup(void **state)
{
	if (tools_enter(state) < 0)
		return -1;
	tools_write("p.c", program);
	return tools_run("gcc -g -O1 p.c -o p.elf") && tools_run("gcc -g -O1 -c p.c -o p.o") ? 0
											     : -1;
}

/* --- what does not open ----------------------------------------------------------------------- */

static void test_what_is_no_image_says_why(void **state)
{
	static const struct {
		const char *path, *says;
	} rows[] = {
		{ "absent.elf", "absent.elf: No such file" },
		{ "folder", "not a regular file" },
		{ "fifo", "not a regular file" },
		{ "empty", "not an ELF file" },
		{ "text", "not an ELF file" },
		{ "magic", "not an ELF file" },
		{ "header", "truncated" },
		{ "half", "truncated" },
		{ "sparc", "machine 2:" },
	};
	FILE *f;

	(void)state;
	assert_int_equal(mkdir("folder", 0700), 0);
	assert_int_equal(mkfifo("fifo", 0600), 0);
	tools_write("empty", "");
	tools_write("text", "int main(void) { return 0; }\n");
	tools_write("magic", "\177ELF");
	copy_head("p.elf", "header", 64);
	copy_head("p.elf", "half", file_size("p.elf") / 2);
	copy_head("p.elf", "sparc", file_size("p.elf"));
	f = fopen("sparc", "r+b");
	assert_int_equal(fseek(f, 18, SEEK_SET), 0);
	fputc(2, f);
	fclose(f);
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err;

		err_clear(&err);
		assert_null(image_new(rows[i].path, &err));
		if (!strstr(err.text, rows[i].says) || !strstr(err.text, rows[i].path))
			fail_msg("%s: \"%s\" does not say \"%s\"", rows[i].path, err.text,
				 rows[i].says);
		assert_null(image_new(rows[i].path, NULL));
	}
}

/* Cut anywhere: an image or a sentence, and no harm. */
static void test_a_cut_file_is_refused_or_read(void **state)
{
	size_t size = file_size("p.elf");
	unsigned opened = 0;

	(void)state;
	for (size_t n = 0; n <= size; n += 1 + n / 61) {
		struct err err;
		struct image *im;

		copy_head("p.elf", "cut.elf", n);
		err_clear(&err);
		im = image_new("cut.elf", &err);
		assert_true(im != NULL || err_is_set(&err));
		if (im)
			image_wait(im);
		opened += im != NULL;
		image_free(im);
	}
	assert_int_equal(opened, 0);		/* the section table stands last */
	image_free(tools_open("p.elf"));
}

/* Bytes turned over in the whole file, a few at a time: it opens or it does not. */
static void test_a_damaged_file_does_no_harm(void **state)
{
	size_t size = file_size("p.elf");
	unsigned seed = 1, opened = 0;

	(void)state;
	for (int round = 0; round < 150; round++) {
		struct image_frame frames[4];
		struct image *im;
		FILE *f;

		copy_head("p.elf", "bad.elf", size);
		f = fopen("bad.elf", "r+b");
		assert_non_null(f);
		for (int i = 0; i < 12; i++) {
			seed = seed * 1103515245 + 12345;
			assert_int_equal(fseek(f, (long)((seed >> 8) % size), SEEK_SET), 0);
			fputc((int)(seed >> 24), f);
		}
		fclose(f);
		im = image_new("bad.elf", NULL);
		if (!im)
			continue;
		opened++;
		image_wait(im);
		for (uint64_t a = 0x1000; a < 0x1200; a++)
			image_inlines(im, a, frames, 4);
		image_free(im);
	}
	assert_true(opened > 20);
}

static void test_every_allocation_may_fail(void **state)
{
	bool succeeded = false;

	(void)state;
	for (long n = 0; n < 4000 && !succeeded; n++) {
		struct image_frame frames[4];
		struct image *im;
		struct err err;

		err_clear(&err);
		mem_fail_after(n);
		im = image_new("p.elf", &err);
		assert_true(im != NULL || err.code == ERR_NOMEM);
		if (im) {
			image_wait(im);
			for (uint32_t i = 0; i < image_function_count(im); i++)
				assert_non_null(image_function(im, i)->name);
			image_inlines(im, 0x1140, frames, 4);
			succeeded = image_state(im) == IMAGE_COMPLETE &&
				    strcmp(image_note(im), "") == 0;
		}
		mem_fail_after(-1);
		image_free(im);
	}
	assert_true(succeeded);
}

/* --- the life of one -------------------------------------------------------------------------- */

static void test_nothing_changes_until_the_poll(void **state)
{
	struct image *im = image_new("p.elf", NULL);
	struct image_line line;
	struct pollfd fd;
	const char *name;
	uint32_t id;

	(void)state;
	assert_non_null(im);
	assert_int_equal(image_state(im), IMAGE_SYMBOLS);
	id = image_find_name(im, "outer");
	name = image_function(im, id)->name;
	assert_int_equal(image_function(im, id)->line, 0);
	assert_false(image_line(im, image_function(im, id)->address, &line));
	fd = (struct pollfd){ .fd = image_fd(im), .events = POLLIN };
	assert_int_equal(poll(&fd, 1, 10000), 1);
	assert_int_equal(image_function(im, id)->line, 0);
	assert_true(image_poll(im));
	assert_false(image_poll(im));
	assert_int_equal(image_fd(im), -1);
	assert_int_equal(image_state(im), IMAGE_COMPLETE);
	assert_string_equal(name, "outer");
	id = image_find_name(im, "outer");
	assert_int_equal(image_function(im, id)->line, 2);
	assert_true(image_line(im, image_function(im, id)->address, &line));
	assert_string_equal(line.file, "p.c");
	image_free(im);
	image_free(image_new("p.elf", NULL));		/* at once, while the thread reads */
}

static void test_a_rebuild_is_seen_when_it_is_whole(void **state)
{
	struct image *im;
	size_t size = file_size("p.elf");
	uint64_t since;
	bool early;

	(void)state;
	copy_head("p.elf", "w.elf", size);
	im = tools_open("w.elf");
	assert_false(image_changed(im));
	usleep(250000);
	assert_false(image_changed(im));
	copy_head("p.elf", "w.elf", size / 3);		/* in place, as a linker writes */
	for (int i = 0; i < 10; i++) {
		assert_false(image_changed(im));
		usleep(60000);
	}
	copy_head("p.elf", "w.elf", size);
	since = clock_now();
	assert_false(image_changed(im));		/* quiet for 200 ms first */
	usleep(100000);
	early = image_changed(im);
	assert_false(early && clock_now() - since < 200000000);	/* a busy host sleeps longer */
	usleep(150000);
	assert_true(early || image_changed(im));
	assert_int_equal(unlink("w.elf"), 0);
	assert_false(image_changed(im));
	image_free(im);
}

/* --- what it says of itself ------------------------------------------------------------------- */

static void check_note(const char *command, const char *says, enum image_state state)
{
	struct image *im;

	if (!tools_run(command)) {
		print_message("         NOT INSTALLED, left out: %s\n", command);
		return;
	}
	im = tools_open("n.elf");
	if (!strstr(image_note(im), says) || (!*says && *image_note(im)))
		fail_msg("%s: \"%s\" instead of \"%s\"", command, image_note(im), says);
	assert_int_equal(image_state(im), state);
	image_free(im);
}

static void test_notes(void **state)
{
	(void)state;
	check_note("gcc -g p.c -o n.elf", "", IMAGE_COMPLETE);
	check_note("gcc p.c -o n.elf", "no debug information: build with -g", IMAGE_NO_DWARF);
	check_note("gcc -static -s p.c -o n.elf", "no symbols: names are addresses",
		   IMAGE_NO_DWARF);
	check_note("cp p.o n.elf", "not linked", IMAGE_NO_DWARF);
	if (tools_have("avr-gcc"))
		check_note(
			"avr-gcc -mmcu=atmega1284p -g p.c -o n.elf",
			"STABS, as avr-gcc -g writes it, which is not read: build with -gdwarf-2 "
			"or -ggdb",
			IMAGE_COMPLETE);
	if (tools_have("avr-gcc"))	/* the assembler's few lines of STABS hide no DWARF */
		check_note(
			"echo nop >n.s; avr-gcc -mmcu=atmega1284p -Wa,--gstabs -c n.s -o n.o; "
			"avr-gcc -mmcu=atmega1284p -gdwarf-2 p.c n.o -o n.elf", "", IMAGE_COMPLETE);
}

/* --- assembler, by symbols alone -------------------------------------------------------------- */

static const char avr_assembler[] =
	"	.text\n"
	"	.global start\n"
	"start:	rcall counted\n"
	"	rcall sized\n"
	"	rjmp start\n"
	"	.global counted\n"			/* no type, no size */
	"counted: ldi r24, 3\n"
	"counted_again: dec r24\n"			/* named after it */
	"spin:	brne spin\n"				/* local and never called */
	".dotted: ret\n"
	"private: ret\n"				/* local, but called */
	"	.global sized\n"
	"	.type sized, @function\n"
	"sized:	rcall private\n"
	"within: nop\n"
	"	ret\n"
	"	.size sized, . - sized\n"
	"	.global cleared\n"			/* no type: libgcc's __do_clear_bss */
	"cleared: nop\n"
	".cleared_loop: nop\n"
	"	.size cleared, . - cleared\n"
	"	rcall last\n"				/* what calls main is not in it */
	"	.type table, @object\n"
	"table:	.byte 1, 2, 3, 4\n"
	"	.size table, 4\n"
	"	.global last\n"
	"last:	ret\n";

static void test_labels_belong_to_their_function(void **state)
{
	static const struct {
		uint64_t address;
		const char *function, *label;
	} rows[] = {
		{ 0, "start", NULL },	   { 4, "start", NULL },
		{ 6, "counted", NULL },	   { 8, "counted", "counted_again" },
		{ 10, "counted", "spin" }, { 12, "counted", ".dotted" },
		{ 14, "private", NULL },   { 16, "sized", NULL },
		{ 18, "sized", "within" }, { 20, "sized", "within" },
		{ 22, "cleared", NULL },   { 24, "cleared", ".cleared_loop" },
		{ 26, "(none)", NULL },
		{ 28, "(none)", NULL },	   { 30, "(none)", NULL },
		{ 32, "last", NULL },	   { 34, "(none)", NULL },
	};
	struct image *im;

	(void)state;
	if (!tools_have("avr-gcc")) {
		print_message("         NOT INSTALLED: avr-gcc\n");
		skip();
	}
	tools_write("l.s", avr_assembler);
	assert_true(tools_run("avr-gcc -mmcu=atmega1284p -nostdlib l.s -o l.elf"));
	im = tools_open("l.elf");
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *label = image_label(im, rows[i].address);

		assert_string_equal(tools_name(im, rows[i].address), rows[i].function);
		assert_string_equal(label ? label : "-", rows[i].label ? rows[i].label : "-");
	}
	assert_string_equal(image_machine(im), "avr");
	assert_int_equal(image_code_size(im), 34);
	image_free(im);
}

/* --- what linkers put in between -------------------------------------------------------------- */

static void test_veneers_lead_to_their_function(void **state)
{
	uint64_t main_at, other_at, low, high;
	unsigned calls = 0;
	struct image *im;

	(void)state;
	if (!tools_have("arm-none-eabi-gcc")) {
		print_message("         NOT INSTALLED: arm-none-eabi-gcc\n");
		skip();
	}
	tools_write("v1.c", "int other(int); int main(void) { return other(3) + other(4); }\n");
	tools_write("v2.c", "int other(int v) { volatile int k = v; return k + 1; }\n");
	assert_true(tools_run(
		"arm-none-eabi-gcc -mcpu=arm7tdmi -marm -O1 -c v1.c -o v1.o && "
		"arm-none-eabi-gcc -mcpu=arm7tdmi -mthumb -mthumb-interwork -O1 -c v2.c -o v2.o && "
		"arm-none-eabi-gcc -mcpu=arm7tdmi -nostdlib -Wl,-e,main v1.o v2.o -o v.elf"));
	im = tools_open("v.elf");
	assert_int_equal(image_find_name(im, "__other_from_arm"), IMAGE_NONE);
	main_at = image_function(im, image_find_name(im, "main"))->address;
	other_at = image_function(im, image_find_name(im, "other"))->address;
	assert_int_equal(image_normal(im, other_at | 1), other_at);
	image_text(im, &low, &high);
	for (uint64_t at = main_at; at < high; at += 4) {
		const struct codemap *map = image_codemap(im);

		if (tools_name(im, at)[0] != 'm' || !(code_flags(map, at) & CODE_RETURN))
			continue;
		calls++;
		assert_int_equal(map->target(map->ctx, at), other_at);
	}
	assert_int_equal(calls, 2);
	image_free(im);
}

/* A function in RAM, out of BL's reach: Thumb's long branch veneer. */
static void test_long_branches_lead_to_their_function(void **state)
{
	const struct codemap *map;
	unsigned calls = 0;
	uint64_t main_at;
	struct image *im;

	(void)state;
	if (!tools_have("arm-none-eabi-gcc")) {
		print_message("         NOT INSTALLED: arm-none-eabi-gcc\n");
		skip();
	}
	tools_write("r1.c", "int in_ram(int); int main(void) { return in_ram(3) + 1; }\n");
	tools_write("r2.c",
		    "__attribute__((section(\".ramfunc\"))) int in_ram(int v) { return v + 1; }\n");
	assert_true(
		tools_run("arm-none-eabi-gcc -mcpu=cortex-m0 -mthumb -g -O1 -nostdlib -Wl,-e,main "
			  "-Wl,--section-start=.ramfunc=0x20000000 r1.c r2.c -o r.elf"));
	im = tools_open("r.elf");
	map = image_codemap(im);
	assert_true(map->base < 0x20000000 && map->size < 0x1000);
	assert_string_equal(tools_name(im, 0x20000001), "in_ram");
	assert_int_equal(code_flags(map, 0x20000000), 0);
	main_at = image_function(im, image_find_name(im, "main"))->address;
	for (uint64_t at = main_at; strcmp(tools_name(im, at), "main") == 0; at += 2) {
		if (!(code_flags(map, at) & CODE_RETURN))
			continue;
		calls++;
		assert_int_equal(map->target(map->ctx, at), 0x20000000);
	}
	assert_int_equal(calls, 1);
	image_free(im);
}

/* avr-gcc's pointers have 16 bits: one to a function beyond 128 KB points to a JMP below. */
static void test_avr_trampolines_lead_to_their_function(void **state)
{
	uint64_t far_at;
	unsigned found = 0;
	struct image *im;

	(void)state;
	if (!tools_have("avr-gcc")) {
		print_message("         NOT INSTALLED: avr-gcc\n");
		skip();
	}
	tools_write("t1.c", "int far_one(int); int (*volatile pointer)(int) = far_one;\n"
			    "int main(void) { return pointer(2); }\n");
	tools_write("t2.s", "\t.text\n\t.space 150000\n");
	tools_write("t3.c", "int far_one(int v) { return v + 3; }\n");
	assert_true(tools_run("avr-gcc -mmcu=atmega2560 -Os t1.c t2.s t3.c -o t.elf"));
	im = tools_open("t.elf");
	far_at = image_function(im, image_find_name(im, "far_one"))->address;
	assert_true(far_at > 0x20000);
	for (uint64_t at = 0; at < 0x400; at += 2) {
		if (image_normal(im, at) != far_at)
			continue;
		found++;
		assert_string_equal(tools_name(im, at), "far_one");
	}
	assert_int_equal(found, 2);		/* the two halves of one JMP */
	image_free(im);
}

/* --- instructions that no compiler here writes ------------------------------------------------ */

static const struct {
	unsigned machine;
	uint8_t bytes[8];
	char mode;
	unsigned size;
	uint64_t target;
} calls[] = {
	{ EM_MSP430, { 0xb0, 0x12, 0x34, 0x44 }, 't', 4, 0x4434 }, /* CALL #0x4434 */
	{ EM_MSP430, { 0x8f, 0x12 }, 't', 2, CODE_NO_TARGET }, /* CALL R15 */
	{ EM_MSP430, { 0x92, 0x12, 0x00, 0x02 }, 't', 4, CODE_NO_TARGET }, /* CALL &0x0200 */
	{ EM_MSP430, { 0xb1, 0x13, 0x34, 0x42 }, 't', 4, 0x14234 }, /* CALLA #0x14234 */
	{ EM_MSP430, { 0x4a, 0x13 }, 't', 2, CODE_NO_TARGET }, /* CALLA R10 */
	{ EM_MSP430, { 0x82, 0x13, 0x34, 0x42 }, 't', 4, CODE_NO_TARGET }, /* CALLA &0x24234 */
	{ EM_MSP430, { 0x00, 0x13 }, 't', 0, CODE_NO_TARGET }, /* RETI */
	{ EM_MSP430, { 0x30, 0x41 }, 't', 0, CODE_NO_TARGET }, /* RET */
	{ EM_AVR, { 0x0f, 0x94, 0x02, 0x00 }, 't', 4, 0x20004 }, /* CALL 0x20004 */
	{ EM_AVR, { 0x19, 0x95 }, 't', 2, CODE_NO_TARGET }, /* EICALL */
	{ EM_AVR, { 0x09, 0x94 }, 't', 0, CODE_NO_TARGET }, /* IJMP */
	{ EM_AVR, { 0xfe, 0xdf }, 't', 2, 0xffe }, /* RCALL .-4 */
	{ EM_ARM, { 0x98, 0x47 }, 't', 2, CODE_NO_TARGET }, /* BLX R3 */
	{ EM_ARM, { 0x70, 0x47 }, 't', 0, CODE_NO_TARGET }, /* BX LR */
	{ EM_ARM, { 0xff, 0xf7, 0xfe, 0xff }, 't', 4, 0x1000 }, /* BL . */
	{ EM_ARM, { 0x00, 0xf0, 0x02, 0xe8 }, 't', 4, 0x1008 }, /* BLX .+8 */
	{ EM_ARM, { 0x00, 0xf0, 0x01, 0xb8 }, 't', 0, CODE_NO_TARGET }, /* B.W */
	{ EM_ARM, { 0x33, 0xff, 0x2f, 0xe1 }, 'a', 4, CODE_NO_TARGET }, /* BLX R3 */
	{ EM_ARM, { 0x00, 0x00, 0x00, 0xfb }, 'a', 4, 0x100a }, /* BLX .+10 */
	{ EM_ARM, { 0xfe, 0xff, 0xff, 0x0b }, 'a', 4, 0x1000 }, /* BLEQ . */
	{ EM_ARM, { 0x0f, 0xe0, 0xa0, 0xe1 }, 'a', 8, CODE_NO_TARGET }, /* MOV LR, PC */
	{ EM_RISCV, { 0xef, 0x02, 0x00, 0x01 }, 't', 4, 0x1010 }, /* JAL t0, .+16 */
	{ EM_RISCV, { 0x6f, 0x00, 0x00, 0x01 }, 't', 0, CODE_NO_TARGET }, /* J .+16 */
	{ EM_RISCV, { 0x82, 0x97 }, 't', 2, CODE_NO_TARGET }, /* C.JALR a5 */
	{ EM_RISCV, { 0x02, 0x90 }, 't', 0, CODE_NO_TARGET }, /* C.EBREAK */
	{ EM_RISCV, { 0x11, 0x20 }, 't', 2, 0x1004 }, /* C.JAL .+4 */
};

static void test_calls_of_all_architectures(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(calls); i++) {
		struct elf_code code = { .address = 0x1000,
					 .size = 8,
					 .bytes = (uint8_t *)(uintptr_t)calls[i].bytes };
		struct elf e = { .bits = 32,
				 .machine = elf_machine_of(calls[i].machine),
				 .code = &code,
				 .code_count = 1 };
		struct call c = call_decode(&(struct call_site){ .elf = &e,
								 .bytes = calls[i].bytes,
								 .at = 0x1000,
								 .left = 8,
								 .mode = calls[i].mode });

		if (c.size != calls[i].size || c.target != calls[i].target)
			fail_msg("row %zu: size %u, target %#llx", i, c.size,
				 (unsigned long long)c.target);
	}
}

/* --- names ------------------------------------------------------------------------------------ */

static void test_names_are_demangled_short(void **state)
{
	static const struct {
		const char *mangled, *shown;
	} rows[] = {
		{ "main", "main" },
		{ "_Z3fooi", "foo" },
		{ "_ZN7sensors4Node6sampleEd", "sensors::Node::sample" },
		{ "_ZN3FooC1Ei", "Foo::Foo" },
		{ "_ZN4core3fmt9Formatter3pad17h0123456789abcdefE", "core::fmt::Formatter::pad" },
		{ "_RNvCs15kBYyAo9fc_7mycrate7example", "mycrate::example" },
		{ "_Zbroken", "_Zbroken" },
		{ "a\033[31mb\n", "a\\x1b[31mb\\x0a" },
		{ "", "" },
	};
	struct arena a;

	(void)state;
	arena_init(&a);
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_string_equal(demangle(&a, rows[i].mangled, strlen(rows[i].mangled)),
				    rows[i].shown);
	arena_release(&a);
}

/* p<S,S> of p<S,S> of ...: 2^30 characters if it were written out. */
static void exploding_name(char *name, int levels)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	/*
	 * 1a is S_, the template 1p is S0_, and each 1pI..E is the next one, made of the last one
	 * twice
	 */
	strcpy(name, "_ZN1rI1a1pIS_S_E");
	for (int i = 0; i < levels; i++)
		sprintf(name + strlen(name), "S1_IS%c_S%c_E", digits[i + 2], digits[i + 2]);
	strcat(name, "E1fE");
}

static void test_an_exploding_name_stays_mangled(void **state)
{
	char name[4096];
	const char *shown;
	struct arena a;

	(void)state;
	arena_init(&a);
	exploding_name(name, 6);
	shown = demangle(&a, name, strlen(name));
	assert_true(strlen(shown) > 2 * strlen(name));		/* so it does explode */
	exploding_name(name, 30);
	assert_string_equal(demangle(&a, name, strlen(name)), name);
	arena_release(&a);
}

static void test_overloads_stay_apart(void **state)
{
	static const char source[] =
		"namespace node { struct Ring { int v; Ring(int k); int push(int); int "
		"push(double); }; }\n"
		"node::Ring::Ring(int k) { v = k; }\n"
		"int node::Ring::push(int k) { return v += k; }\n"
		"int node::Ring::push(double k) { return v += (int)k; }\n"
		"int main(void) { node::Ring r(2); return r.push(1) + r.push(2.0); }\n";
	struct image *im;
	unsigned pushes = 0;

	(void)state;
	if (!tools_have("clang++")) {
		print_message("         NOT INSTALLED: clang++\n");
		skip();
	}
	tools_write("o.cc", source);
	assert_true(tools_run("clang++ -g -O0 -c o.cc && clang o.o -o o.elf"));
	im = tools_open("o.elf");
	for (uint32_t i = 0; i < image_function_count(im); i++) {
		const struct image_function *f = image_function(im, i);

		if (strcmp(f->name, "node::Ring::push") != 0)
			continue;
		pushes++;
		assert_true(f->line == 3 || f->line == 4);
	}
	assert_int_equal(pushes, 2);
	assert_int_equal(image_function(im, image_find_name(im, "node::Ring::Ring"))->line, 2);
	image_free(im);
}

static void test_clone_suffixes(void **state)
{
	static const struct {
		const char *name;
		size_t base;
	} rows[] = {
		{ "foo", 3 },
		{ "foo.part.0", 3 },
		{ "foo.constprop.12", 3 },
		{ "foo.isra.0.cold.5", 3 },
		{ "foo.cold", 3 },
		{ "foo.lto_priv.3", 3 },
		{ "foo.llvm.1234567", 3 },
		{ "foo.5146", 8 },
		{ "foo.party", 9 },
		{ "foo.12.part.0", 6 },
		{ ".part.0", 7 },
		{ "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(demangle_base(rows[i].name), rows[i].base);
}

/* --- spans, against the obvious way ----------------------------------------------------------- */

/* Of the spans around an address: the one that starts last, then the deeper, then the shorter. */
static uint32_t owner_of(const struct span *v, size_t n, uint64_t at)
{
	const struct span *best = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct span *s = &v[i];

		if (at < s->low || at >= s->high)
			continue;
		if (!best || s->low > best->low ||
		    (s->low == best->low &&
		     (s->depth > best->depth ||
		      (s->depth == best->depth &&
		       (s->high < best->high || (s->high == best->high && s->id > best->id))))))
			best = s;
	}
	return best ? best->id : SPAN_NONE;
}

static void test_flat_spans_have_the_innermost_owner(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 400; round++) {
		struct spans s = { NULL, 0, 0 };
		struct span v[12];
		size_t n = 1 + (size_t)round % 12;

		for (size_t i = 0; i < n; i++) {
			seed = seed * 1103515245 + 12345;
			v[i] = (struct span){ .low = seed >> 8 & 31,
					      .id = (uint32_t)i,
					      .depth = seed >> 16 & 3 };
			v[i].high = v[i].low + 1 + (seed >> 20 & 15);
			assert_int_equal(spans_add(&s, v[i]), 0);
		}
		assert_int_equal(spans_flatten(&s), 0);
		for (uint64_t at = 0; at < 64; at++)
			assert_int_equal(spans_find(&s, at), owner_of(v, n, at));
		for (size_t i = 1; i < s.count; i++)
			assert_true(s.v[i - 1].high <= s.v[i].low);
		spans_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_no_image_says_why),
		cmocka_unit_test(test_a_cut_file_is_refused_or_read),
		cmocka_unit_test(test_a_damaged_file_does_no_harm),
		cmocka_unit_test(test_every_allocation_may_fail),
		cmocka_unit_test(test_nothing_changes_until_the_poll),
		cmocka_unit_test(test_a_rebuild_is_seen_when_it_is_whole),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_labels_belong_to_their_function),
		cmocka_unit_test(test_veneers_lead_to_their_function),
		cmocka_unit_test(test_long_branches_lead_to_their_function),
		cmocka_unit_test(test_avr_trampolines_lead_to_their_function),
		cmocka_unit_test(test_calls_of_all_architectures),
		cmocka_unit_test(test_overloads_stay_apart),
		cmocka_unit_test(test_names_are_demangled_short),
		cmocka_unit_test(test_an_exploding_name_stays_mangled),
		cmocka_unit_test(test_clone_suffixes),
		cmocka_unit_test(test_flat_spans_have_the_innermost_owner),
	};

	return cmocka_run_group_tests(tests, group_setup, tools_leave);
}
