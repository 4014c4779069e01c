/* node_image: the ELF that belongs to what is counted: rebuilt, stripped, searched with. */
#include "tests/unit/node_made.h"

#include <fcntl.h>

/* One function at 0x200, called from one at 0x100. */
static void build_firmware(const char *elf, const char *callee)
{
	char command[512];
	char text[256];

	snprintf(text, sizeof(text), ".globl main\n.type main,@function\nmain: call %s\nret\n"
		 ".size main,.-main\n.org 0x100\n.globl %s\n.type %s,@function\n%s: ret\n"
		 ".size %s,.-%s\n", callee, callee, callee, callee, callee, callee);
	write_file("fw.s", text);
	snprintf(command, sizeof(command), "as -o %s/fw.o %s/fw.s && "
		 "ld -Ttext=0x100 -e main -o %s/fw.new %s/fw.o && mv %s/fw.new %s", dir, dir, dir,
		 dir, dir, elf);
	assert_int_equal(unit_shell(command), 0);
}

static bool serve_until_named(struct node *n, const char *name)
{
	uint64_t until = clock_now() + 10 * CLOCK_SECOND;

	while (clock_now() < until) {
		node_service(n, clock_now(), 1 << 20);
		profile_compute(node_profile(n));
		if (profile_find_name(node_profile(n), name) != PROFILE_NONE)
			return true;
		usleep(10000);
	}
	return false;
}

static void a_rebuilt_image_renames_what_was_counted(void **state)
{
	char elf[64];
	struct node_options o = options_of(NULL);
	struct err err = { 0 };
	struct node *n;

	(void)state;
	snprintf(elf, sizeof(elf), "%s/app.elf", dir);
	build_firmware(elf, "before");
	o.elf = elf;
	o.batch = false;
	n = node_new(&o, &err);
	assert_non_null(n);
	assert_true(serve_until_named(n, "before"));
	assert_int_equal(calls_of(n, "before"), 3);
	build_firmware(elf, "after");
	assert_true(serve_until_named(n, "after"));
	assert_int_equal(calls_of(n, "after"), 3);
	assert_int_equal(node_reloads(n), 1);
	node_free(n);
}

/* The search judges bytes by the image: never by one that went. */
static void a_search_for_the_rate_follows_the_image(void **state)
{
	char elf[64], source[128];
	struct node_options o = { .source = source };
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	struct err err = { 0 };
	struct node *n;

	(void)state;
	assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
	snprintf(source, sizeof(source), "serial:%s", ptsname(master));
	snprintf(elf, sizeof(elf), "%s/app.elf", dir);
	build_firmware(elf, "before");
	n = node_new(&o, &err);
	assert_string_equal(err.text, "");
	assert_non_null(node_search(n));
	assert_null(node_search(n)->code);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(node_load_image(n, elf, NULL), 0);
		assert_ptr_equal(node_search(n)->code, image_codemap(node_image(n)));
	}
	node_free(n);
	close(master);
}

/* Nine calls from main at 0x1000, 2 of them with another LR; 0: garbage, as Thumb-1 makes it. */
static void calls_into_f(const char *cpu, uint32_t other, struct node_options *o)
{
	char command[512];
	FILE *f = fopen(path_of("thumb.s"), "w");

	fprintf(f, ".syntax unified\n.cpu %s\n.thumb\n.macro fn name\n.globl \\name\n"
		".thumb_func\n.type \\name,%%function\n\\name:\n.endm\nfn main\n"
		".rept 9\nbl f\n.endr\nbx lr\n.size main,.-main\n.balign 64\nfn f\nbx lr\n"
		".size f,.-f\n", cpu);
	fclose(f);
	snprintf(command, sizeof(command), "cd %s && arm-none-eabi-as -o thumb.o thumb.s && "
		 "arm-none-eabi-ld -Ttext=0x1000 -e main -o thumb.elf thumb.o 2>/dev/null", dir);
	assert_int_equal(unit_shell(command), 0);
	f = fopen(o->source, "wb");
	for (uint32_t i = 0; i < 180; i++) {
		uint32_t n = 1 + i % 9, from = n <= 7 ? 0x1001 + 4 * n : other ? other : 4 * n;

		fprintf(f, "A%c%c%c%c%c%c%c%c", (int)(from >> 24), (int)(from >> 16),
			(int)(from >> 8), (int)from, 0, 0, 0x10, 0x41);
	}
	fclose(f);
}

static void thumb1s_lost_callers_are_no_wrong_image(void **state)
{
	static const struct { const char *cpu; uint32_t other; bool lost, match; } cases[] = {
		{ "cortex-m0", 0, true, true },
		{ "cortex-m0", 0xfffffff9, false, true },	/* EXC_RETURN: a handler */
		{ "cortex-m3", 0xfffffff9, false, true },
		{ "cortex-m3", 0, false, false },		/* there LR is always right */
	};
	char source[64], elf[64], warning[256];
	struct node_options o = { .source = source, .elf = elf, .format = "gprof", .batch = true };
	struct node *n;

	(void)state;
	if (unit_shell("command -v arm-none-eabi-as >/dev/null"))
		skip();
	snprintf(source, sizeof(source), "%s/arcs", dir);
	snprintf(elf, sizeof(elf), "%s/thumb.elf", dir);
	for (size_t i = 0; i < COUNT(cases); i++) {
		calls_into_f(cases[i].cpu, cases[i].other, &o);
		n = node_run(&o);
		node_service(n, clock_now(), 0);
		warning[0] = '\0';
		node_warning(n, warning, sizeof(warning));
		assert_int_equal(calls_of(n, "f"), 180);
		assert_string_equal(node_match(n), cases[i].match ? "yes" : "no");
		assert_int_equal(strstr(warning, "-ffixed-r8") != NULL, cases[i].lost);
		node_free(n);
	}
}

/* Where functions begin it cannot say; that is no reason to call it the wrong one. */
static void a_stripped_image_is_not_called_wrong(void **state)
{
	static char elf[128];
	char command[512];
	struct node_options o = options_of(NULL);
	struct node *n;

	(void)state;
	snprintf(elf, sizeof(elf), "%s", path_of("stripped.elf"));
	write_file("calls.s", ".globl main\nmain: call a\n call a\n ret\na: nop\n nop\n ret\n");
	snprintf(command, sizeof(command),
		 "gcc -nostdlib -static -no-pie -Wl,-e,main,--build-id=none,"
		 "-Ttext=0x1000 -s -o %s %s",
		 elf, path_of("calls.s"));
	assert_int_equal(unit_shell(command), 0);
	write_file("stripped",
		   "PROF:x:2:9:9:1000\r\n0x1005:0x100b:1:2:2:2\r\n0x100a:0x100b:1:2:2:2\r\n\r\n");
	o.source = path_of("stripped");
	o.elf = elf;
	n = node_run(&o);
	assert_string_equal(node_match(n), "yes");
	node_free(n);

	write_file("other",
		   "PROF:x:2:9:9:1000\r\n0x1003:0x100b:1:2:2:2\r\n0x1008:0x100b:1:2:2:2\r\n\r\n");
	o.source = path_of("other");
	n = node_run(&o);
	assert_string_equal(node_match(n), "no");
	node_free(n);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stripped_image_is_not_called_wrong),
		cmocka_unit_test(a_rebuilt_image_renames_what_was_counted),
		cmocka_unit_test(a_search_for_the_rate_follows_the_image),
		cmocka_unit_test(thumb1s_lost_callers_are_no_wrong_image),
	};

	return cmocka_run_group_tests_name("node_image", tests, set_up, tear_down);
}
