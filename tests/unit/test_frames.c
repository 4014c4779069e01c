/*
 * frames: the stack that a function's frame takes, against what the compiler itself says of it
 * (-fstack-usage), for the demo node's firmware and for a source of odd frames.
 */
#include "tests/unit/image_tools.h"

#include "core/base/mem.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char odd_frames[] =
	"#include <stdarg.h>\n"
	"volatile int sink;\n"
	"#define OUT __attribute__((noinline, noclone))\n"
	"OUT int leaf(int v) { return v * 3 + sink; }\n"
	"OUT int unused(int v) { volatile char big[300]; big[v] = 1; return big[0]; }\n"
	"OUT int array(int n) { volatile char b[100]; for (int i = 0; i < n; i++) b[i % 100] = "
	"(char)i;\n"
	"	return b[n % 100] + leaf(n); }\n"
	"OUT int many(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int "
	"k)\n"
	"{ return leaf(a) + leaf(b) * c + d * leaf(e) + f * g + h * leaf(i) + j - k; }\n"
	"OUT int caller(int v) { return many(v, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10) + array(v); }\n"
	"OUT int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
	"OUT int vary(int n, ...) { va_list ap; int s = 0; va_start(ap, n);\n"
	"	while (n--) s += va_arg(ap, int); va_end(ap); return s; }\n"
	"OUT long long wide(long long a, long long b) { volatile long long x = a * b;\n"
	"	return x + a * 7 + fib((int)a); }\n"
	"int main(void) { for (;;) sink = caller(sink) + fib(5) + vary(3, 1, 2, 3) + "
	"(int)wide(sink, 3); }\n";

/*
 * avr-gcc does not tell unwinders of SREG, nor of RAMPD, X, Y and Z, which an interrupt handler
 * pushes: a byte each.
 */
enum { AVR_STATUS_MAX = 5 };

/* And arm-none-eabi-gcc 12 forgets the argument registers that a variadic function saves first. */
enum { ARM_VARIADIC = 16 };

/* How the programs are made; %s: options of the case, then its source files. */
#define AVR "avr-gcc -std=gnu99 -ggdb -gdwarf-2 -fstack-usage -ffunction-sections " \
	    "-Wl,--gc-sections -fno-inline -w -o app.elf "
#define ARM "arm-none-eabi-gcc -mthumb -g -fstack-usage -ffunction-sections -Wl,--gc-sections " \
	    "-nostartfiles -Wl,-e,main -o app.elf "
#define DEMO " -DF_CPU=8000000UL -finstrument-functions " \
	     "-finstrument-functions-exclude-file-list=util/ " \
	     "-I$HOME_/target-common -I$HOME_/target-avr -I$HOME_/sim/firmware " \
	     "$HOME_/sim/firmware/*.c " \
	     "$HOME_/target-common/*.c $HOME_/target-avr/*.c $HOME_/target-avr/*.S"

static const struct {
	const char *compiler, *build;
	unsigned functions;		/* at least so many are compared */
} programs[] = {
	{ "avr-gcc", AVR "-mmcu=atmega1284p -Os" DEMO, 40 },
	{ "avr-gcc", AVR "-mmcu=atmega2560 -Os" DEMO, 40 },
	{ "avr-gcc", AVR "-mmcu=atmega1284p -O0 odd.c", 6 },
	{ "avr-gcc", AVR "-mmcu=atmega2560 -O2 odd.c", 6 },
	{ "avr-gcc", AVR "-mmcu=atmega328p -mcall-prologues -Os odd.c", 6 },
	{ "arm-none-eabi-gcc", ARM "-mcpu=cortex-m0 -O0 odd.c", 6 },
	{ "arm-none-eabi-gcc", ARM "-mcpu=cortex-m0 -Os odd.c", 6 },
	{ "arm-none-eabi-gcc", ARM "-mcpu=cortex-m3 -O2 odd.c", 6 },
	{ "arm-none-eabi-gcc", ARM "-mcpu=cortex-m4 -mfloat-abi=hard -mfpu=fpv4-sp-d16 -O3 "
				   "odd.c", 6 },
};

/* One line of a .su file: "sim/firmware/pool.c:12:6:pool_get<TAB>14<TAB>static". */
static unsigned check_line(const struct image *im, char *line, const char *build)
{
	char *tab = strchr(line, '\t'), *name, *how;
	uint32_t id;
	long said, slack = 0;

	assert_non_null(tab);
	*tab = '\0';
	name = strrchr(line, ':') + 1;
	said = strtol(tab + 1, &how, 10);
	id = image_find_name(im, name);
	if (id == IMAGE_NONE)
		return 0;		/* the linker threw it away */
	if (strncmp(name, "__vector_", 9) == 0)
		slack = AVR_STATUS_MAX;
	if (strstr(how, "dynamic"))
		slack = said;		/* arguments pushed beyond a frame pointer count there */
	if (strcmp(name, "vary") == 0 && image_frame_size(im, id) == said + ARM_VARIADIC)
		return 1;
	if (image_frame_size(im, id) > said || image_frame_size(im, id) < said - slack)
		fail_msg("%s: %s takes %ld, not %ld (%s)", build, name, said,
			 (long)image_frame_size(im, id), how);
	return slack == 0;
}

static unsigned check_program(const char *build)
{
	struct image *im = tools_open("app.elf");
	char line[1024];
	unsigned n = 0;
	FILE *su;

	assert_true(tools_run("cat *.su >all.su && rm -f app*.su"));
	su = fopen("all.su", "r");
	assert_non_null(su);
	while (fgets(line, sizeof(line), su))
		n += check_line(im, line, build);
	fclose(su);
	image_free(im);
	return n;
}

/* No difference at all, save for an AVR handler's status bytes: a return address counts in both. */
static void test_as_the_compiler_says(void **state)
{
	(void)state;
	tools_write("odd.c", odd_frames);
	setenv("HOME_", tools_home, 1);
	for (size_t i = 0; i < COUNT(programs); i++) {
		unsigned n;

		if (!tools_have(programs[i].compiler)) {
			printf("%s is not installed\n", programs[i].compiler);
			continue;
		}
		if (!tools_run(programs[i].build))
			fail_msg("cannot build: %s", programs[i].build);
		n = check_program(programs[i].build);
		if (n < programs[i].functions)
			fail_msg("%s: %u functions compared", programs[i].build, n);
		assert_true(tools_run("rm -f *.su app.elf"));
	}
}

/* A host's program has .eh_frame: the least is the return address. */
static void test_host(void **state)
{
	struct image *im;
	uint32_t id;

	(void)state;
	tools_write("odd.c", odd_frames);
	assert_true(tools_run("cc -g -Os -o app.elf odd.c"));
	im = tools_open("app.elf");
	id = image_find_name(im, "leaf");
	assert_int_not_equal(id, IMAGE_NONE);
	assert_int_equal(image_frame_size(im, id), 8);
	id = image_find_name(im, "array");
	assert_true(image_frame_size(im, id) >= 108);
	assert_int_equal(image_frame_size(im, IMAGE_NONE), -1);
	image_free(im);
}

/* Not told: no debug information, or none of this function. */
static void test_unknown(void **state)
{
	struct image *im;

	(void)state;
	tools_write("bare.s", ".globl main\n.type main, @function\nmain: nop\n.size main, "
			      ".-main\n");
	tools_write("odd.c", odd_frames);
	assert_true(tools_run("as -g -o bare.o bare.s && ld -e main -o bare.elf bare.o"));
	im = tools_open("bare.elf");
	assert_int_equal(image_frame_size(im, image_find_name(im, "main")), -1);
	image_free(im);
	assert_true(tools_run("cc -Os -o app.elf odd.c"));
	im = tools_open("app.elf");
	assert_int_equal(image_frame_size(im, image_find_name(im, "leaf")), -1);
	image_free(im);
}

/* What is set to another value at each place in turn: anything may come of it but a crash. */
static void section_damage(const char *section, const char *name)
{
	char command[256];
	FILE *f;
	long size;

	snprintf(command, sizeof(command), "objcopy -O binary --only-section=%s "
					   "--set-section-flags "
		 "%s=alloc app.elf part.bin", section, section);
	assert_true(tools_run(command));
	f = fopen("part.bin", "rb");
	assert_non_null(f);
	fseek(f, 0, SEEK_END);
	size = ftell(f);
	fclose(f);
	assert_true(size > 64);
	for (long at = 0; at < size && at < 400; at += 3) {
		struct image *im;

		snprintf(command, sizeof(command), "cp part.bin bad.bin && printf '\\%o' | dd "
						   "of=bad.bin "
			 "bs=1 seek=%ld conv=notrunc && objcopy --update-section %s=bad.bin "
			 "app.elf bad.elf",
			 (unsigned)(at % 2 ? 0xff : 0x80 + at % 64), at, section);
		assert_true(tools_run(command));
		im = tools_open("bad.elf");
		assert_true(image_frame_size(im, image_find_name(im, name)) >= -1);
		image_free(im);
	}
}

static void test_damaged(void **state)
{
	(void)state;
	tools_write("odd.c", odd_frames);
	assert_true(tools_run("cc -g -Os -o app.elf odd.c"));
	section_damage(".eh_frame", "array");
	assert_true(tools_run("cc -g -Os -fno-asynchronous-unwind-tables -o app.elf odd.c"));
	section_damage(".debug_frame", "array");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_the_compiler_says),
		cmocka_unit_test(test_host),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_damaged),
	};

	return cmocka_run_group_tests(tests, tools_enter, tools_leave);
}
