/* Variables by their names: this program's own, of a compiler for this machine, and an AVR's. */
#include "tests/unit/unit.h"

#include <string.h>
#include <unistd.h>

#include "core/base/mem.h"
#include "core/image/elf.h"
#include "core/image/variables.h"
#include "core/wire/wire.h"
#include "tests/unit/image_tools.h"

enum phase { PHASE_IDLE, PHASE_SEND = 5, PHASE_FAILED = -2 };

struct inner {
	uint16_t count;
	const volatile enum phase phase;
};

static struct {
	uint8_t first;
	struct inner inner;
	bool on;
} outer = { 1, { 2, PHASE_SEND }, true };

static volatile int32_t counter = 3;
static volatile uint64_t large = 4;
static volatile double real = 5;
static volatile char text[20];
static const char *volatile pointer = "x";
static volatile enum phase now = PHASE_SEND;

static uint64_t offset_of(const void *p, const void *base)
{
	return (uint64_t)((const char *)p - (const char *)base);
}

static struct variable own_variable(const char *name)
{
	struct variable v;

	assert_int_equal(variable_find("/proc/self/exe", name, &v, NULL), 0);
	return v;
}

static void its_own_are_found(void **state)
{
	struct variable v = own_variable("counter"), base = v;

	(void)state;
	(void)real;
	assert_int_equal(v.size, 4);
	assert_true(v.is_signed && !v.is_state);
	v = own_variable("large");
	assert_int_equal(v.size, 8);
	assert_false(v.is_signed);
	assert_int_equal(v.address - base.address,
			 offset_of((const void *)&large, (const void *)&counter));
	v = own_variable("outer.inner.count");
	assert_int_equal(v.size, 2);
	assert_int_equal(v.address - base.address,
			 offset_of(&outer.inner.count, (const void *)&counter));
	v = own_variable("outer.on");
	assert_true(v.is_state);
	assert_int_equal(v.size, 1);
	assert_int_equal(v.enumerator_count, 2);
	assert_string_equal(v.enumerators[1].name, "true");
	variable_release(&v);
	v = own_variable("real");
	assert_true(v.is_real);
	assert_int_equal(v.size, 8);
	v = own_variable("test_variables.c:counter");
	assert_int_equal(v.address, base.address);
}

static void states_have_names(void **state)
{
	static const char *const names[] = { "now", "outer.inner.phase" };

	(void)state;
	(void)now;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct variable v = own_variable(names[i]);

		assert_true(v.is_state && v.is_signed);
		assert_int_equal(v.size, 4);
		assert_int_equal(v.enumerator_count, 3);
		assert_string_equal(v.enumerators[1].name, "PHASE_SEND");
		assert_int_equal(v.enumerators[1].value, 5);
		assert_int_equal(v.enumerators[2].value, -2);
		variable_release(&v);
	}
}

static void what_is_no_number_is_refused(void **state)
{
	static const struct {
		const char *name, *said;
	} rows[] = {
		{ "outer", "name a member" }, { "outer.inner", "outer.inner is a structure" },
		{ "text", "name an element" }, { "nothing", "no variable" },
		{ "text[20]", "the elements are 0 to 19" }, { "text[x]", "the number of an" },
		{ "text[-1]", "the number of an" }, { "text[1", "the number of an" },
		{ "text[1].x", "no members" }, { "outer[1]", "name a member" },
		{ "outer.nothing", "no such member" }, { "outer.", "no such member" },
		{ "counter.x", "no members" }, { ".", "no variable" }, { "", "no variable" },
		{ "pointer.x", "is a pointer" }, { "other.c:counter", "no variable" },
		{ "::", "no variable" }, { ":", "no variable" }, { "a:b:c", "no variable" },
	};

	(void)state;
	(void)text[0];
	(void)pointer;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct err err = { 0 };
		struct variable v;

		assert_true(variable_find("/proc/self/exe", rows[i].name, &v, &err) < 0);
		if (!strstr(err.text, rows[i].said))
			print_error("%s: %s\n", rows[i].name, err.text);
		assert_non_null(strstr(err.text, rows[i].said));
	}
	assert_true(variable_find("/dev/null", "x", &(struct variable){ 0 }, NULL) < 0);
}

/* DWARF 2, and addresses of data that the linker moved up. */
static void those_of_an_avr_are_found(void **state)
{
	const char *radio = "build/sim/firmware/radio.elf";
	struct variable v;

	(void)state;
	if (access(radio, R_OK) < 0) {
		printf("SKIP: no %s\n", radio);
		skip();
	}
	assert_int_equal(variable_find(radio, "radio_state", &v, NULL), 0);
	assert_in_range(v.address, 0x100, 0x4100);
	assert_int_equal(v.size, 2);
	assert_int_equal(v.enumerator_count, 4);
	assert_string_equal(v.enumerators[3].name, "S_TRANSMITTING");
	variable_release(&v);
	assert_int_equal(variable_find(radio, "tasks.count", &v, NULL), 0);
	assert_int_equal(v.size, 1);
	assert_false(v.is_state);
}

/* --- what the toolchains write: each value, read from the linked file by what was found --- */

static const char source_a[] =
	"struct bits { unsigned a : 3; int b : 5; unsigned c : 7; unsigned long d : 17; };\n"
	"struct pair { short x; signed char y; };\n"
	"typedef struct { struct pair p[2][3]; union { long i; unsigned char raw[4]; }; "
	"char far[200]; int last; } deep_t;\n"
	"enum mode { OFF, ON = 200, BACK = -3 };\n"
	"enum big { SMALL, GREAT = 201 };\n"
	"struct bits bits = { 5, -3, 99, 70000 };\n"
	"struct bits more[2] = { { 1, 1, 1, 1 }, { 6, -16, 127, 131071 } };\n"
	"float real = -2.5f; double wide = 0.375;\n"
	"deep_t deep = { { { { 1, 2 }, { 3, 4 }, { 5, 6 } }, { { 7, 8 }, { -900, -10 }, "
	"{ 11, 12 } } }, { 0x01020304 }, { 0 }, 4711 };\n"
	"volatile enum mode mode = BACK; enum big big = GREAT;\n"
	"static volatile short only = 31; short *volatile at = &deep.p[0][0].x;\n"
	"int numbers[4] = { 10, 20, -30, 40 };\n"
	"long long wider = -5000000000LL;\n"
	"int count(void) { static volatile int calls = 77; return ++calls + only; }\n"
	"extern int other(void);\n"
	"int main(void) { return count() + other() + (at != 0) + bits.a + numbers[0]; }\n";

static const char source_b[] =
	"static volatile short only = 32;\n"
	"static volatile unsigned char twice = 1;\n"
	"int other(void) { static volatile int calls = 78; twice++; "
	"return ++calls + only++ + twice; }\n";

static const char source_cpp[] =
	"namespace radio { enum class state : unsigned char { off, sending = 7 };\n"
	"state now = state::sending; namespace inner { long ticks = 123456; }\n"
	"struct base { short b = 9; }; struct link : base { static int made; bool up = true; };\n"
	"int link::made = 55; link first; }\n"
	"namespace { int hidden = 66; }\n"
	"extern \"C\" int main() { return ++hidden + ++radio::link::made + "
	"(int)++radio::inner::ticks + (int)radio::now + radio::first.b + radio::first.up; }\n";

static const struct wanted {
	const char *name;
	double value;
} in_c[] = {
	{ "bits.a", 5 }, { "bits.b", -3 }, { "bits.c", 99 }, { "bits.d", 70000 },
	{ "more[1].a", 6 }, { "more[1].b", -16 }, { "more[1].c", 127 }, { "more[1].d", 131071 },
	{ "real", -2.5 }, { "wide", 0.375 }, { "deep.p[1][1].x", -900 }, { "deep.p[1][1].y", -10 },
	{ "deep.p[0][2].x", 5 }, { "deep.i", 0x01020304 }, { "deep.last", 4711 }, { "mode", -3 },
	{ "big", 201 }, { "a.c:only", 31 }, { "b.c:only", 32 }, { "count:calls", 77 },
	{ "other:calls", 78 }, { "a.c:calls", 77 }, { "b.c:other:calls", 78 }, { "twice", 1 },
	{ "numbers[2]", -30 }, { "wider", -5000000000.0 }, { NULL, 0 },
}, in_cpp[] = {
	{ "radio::now", 7 }, { "now", 7 }, { "radio::inner::ticks", 123456 },
	{ "inner::ticks", 123456 }, { "radio::link::made", 55 }, { "link::made", 55 },
	{ "hidden", 66 }, { "radio::first.b", 9 }, { "first.up", 1 }, { NULL, 0 },
};

/* gcc's arm, big endian; clang links with lld. */
#define LLD(target, flags, link) \
	"clang --target=" target " " flags " -ffreestanding -c a.c -o a.o && clang --target=" \
	target " " flags " -ffreestanding -c b.c -o b.o && " \
	"ld.lld " link " -e main --unresolved-symbols=ignore-all a.o b.o -o x.elf"
#define AVR(flags) "avr-gcc -mmcu=atmega1284p " flags " a.c b.c -o x.elf"
#define ARM(flags) "arm-none-eabi-gcc -mcpu=cortex-m3 " flags " -nostdlib -Wl,-e,main a.c b.c " \
	"-o x.elf -lgcc"

static const struct compiled {
	const char *tool, *build;
	bool cpp;
} compiled[] = {
	{ "gcc", "gcc -gdwarf-2 -O1 a.c b.c -o x.elf" },
	{ "gcc", "gcc -gdwarf-4 -O2 a.c b.c -o x.elf" },
	{ "gcc", "gcc -gdwarf-5 -O0 a.c b.c -o x.elf" },
	{ "clang", "clang -gdwarf-4 -O1 a.c b.c -o x.elf" },
	{ "clang", "clang -gdwarf-5 -O0 a.c b.c -o x.elf" },
	{ "avr-gcc", AVR("-ggdb -Os") },
	{ "avr-gcc", AVR("-gdwarf-4 -O0") },
	{ "arm-none-eabi-gcc", ARM("-g -Os") },
	{ "arm-none-eabi-gcc", ARM("-gdwarf-4 -O0") },
	{ "arm-none-eabi-gcc", ARM("-gdwarf-3 -O1 -mbig-endian") },
	{ "arm-none-eabi-gcc", ARM("-gdwarf-5 -O1 -mbig-endian") },
	{ "ld.lld", LLD("thumbv7m-none-eabi", "-gdwarf-5 -O0", "") },
	{ "ld.lld", LLD("msp430", "-gdwarf-4 -O0 -Wno-everything", "-Ttext 0x4400 -Tdata 0x200") },
	{ "ld.lld", LLD("msp430", "-gdwarf-5 -O0 -Wno-everything", "-Ttext 0x4400 -Tdata 0x200") },
	{ "riscv64-unknown-elf-gcc", "riscv64-unknown-elf-gcc -march=rv32imac -mabi=ilp32 -g -Os "
	  "-nostdlib -Wl,-e,main a.c b.c -o x.elf -lgcc" },
	{ "g++", "g++ -gdwarf-4 -O1 x.cpp -o x.elf", true },
	{ "g++", "g++ -gdwarf-5 -O0 x.cpp -o x.elf", true },
	{ "clang++", "clang++ -gdwarf-5 -O0 x.cpp -o x.elf", true },
	{ "arm-none-eabi-g++", "arm-none-eabi-g++ -mcpu=cortex-m3 -g -O1 -nostdlib -Wl,-e,main "
	  "x.cpp -o x.elf", true },
};

/* Bytes of the linked file that will be at an address. */
static void bytes_load(const char *path, uint64_t address, uint8_t *dst, size_t n)
{
	struct elf elf;
	bool found = false;

	assert_int_equal(elf_open(&elf, path, NULL), 0);
	for (size_t i = 0; i < elf.section_count && !found; i++) {
		const struct elf_section *s = &elf.sections[i];
		uint64_t base = elf.machine->isa == ELF_ISA_AVR ? s->address - 0x800000 :
				s->address, size = 0;
		uint8_t *bytes;

		if (!s->address || address < base || address + n > base + s->size ||
		    !(bytes = elf_load(&elf, s, 0, &size)))
			continue;
		memcpy(dst, bytes + (address - base), n);
		mem_free(bytes);
		found = true;
	}
	assert_true(found);
	elf_close(&elf);
}

static double value_of(const char *path, const char *name)
{
	struct err err = { 0 };
	struct wire_reading r;
	struct variable v;
	uint8_t bytes[8];
	int64_t value;
	double wide;

	if (variable_find(path, name, &v, &err) < 0)
		fail_msg("%s: %s", name, err.text);
	r = (struct wire_reading){ .bytes = (uint8_t)v.size, .is_signed = v.is_signed,
				   .is_real = v.is_real, .big_endian = v.big_endian,
				   .shift = v.shift, .bits = v.bits };
	bytes_load(path, v.address, bytes, v.size);
	value = wire_value(&r, bytes);
	memcpy(&wide, &value, sizeof(wide));
	variable_release(&v);
	return r.is_real ? wide : (double)value;
}

static void toolchains_agree(void **state)
{
	unsigned done = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(compiled); i++) {
		const struct compiled *c = &compiled[i];
		struct err err = { 0 };
		struct variable v;

		if (!tools_have(c->tool)) {
			printf("SKIP: no %s\n", c->tool);
			continue;
		}
		print_message("%s\n", c->build);
		assert_true(tools_run(c->build));
		for (const struct wanted *w = c->cpp ? in_cpp : in_c; w->name; w++) {
			double value = value_of("x.elf", w->name);

			if (value != w->value)
				fail_msg("%s is %g, not %g", w->name, value, w->value);
		}
		done++;
		if (c->cpp)
			continue;
		assert_true(variable_find("x.elf", "only", &v, &err) < 0);
		assert_non_null(strstr(err.text, "there are 2 of that name"));
		assert_int_equal(variable_find("x.elf", "at", &v, NULL), 0);
		assert_true(v.is_pointer);
	}
	assert_true(done >= 5);
}

/* What avr-gcc 5 writes for -g. */
static void stabs_are_refused(void **state)
{
	struct err err = { 0 };
	struct variable v;

	(void)state;
	if (!tools_have("avr-gcc"))
		skip();
	assert_true(tools_run(AVR("-gstabs -Os")));
	assert_true(variable_find("x.elf", "twice", &v, &err) < 0);
	assert_non_null(strstr(err.text, "-gdwarf-2"));
}

static int group_setup(void **state)
{
	if (tools_enter(state) < 0)
		return -1;
	tools_write("a.c", source_a);
	tools_write("b.c", source_b);
	tools_write("x.cpp", source_cpp);
	return 0;
}

/* Each name that is told is one that can be looked for. */
struct names_seen {
	bool counter, member, deep, real;
	size_t count;
};

static bool name_see(void *ctx, const char *name)
{
	struct names_seen *n = ctx;
	struct variable v;

	n->counter |= !strcmp(name, "counter");
	n->member |= !strcmp(name, "outer.first");
	n->deep |= !strcmp(name, "outer.inner.phase");
	n->real |= !strcmp(name, "real");
	if (!strncmp(name, "outer.", 6)) {
		assert_int_equal(variable_find("/proc/self/exe", name, &v, NULL), 0);
		variable_release(&v);
	}
	return ++n->count < 100000;
}

static bool name_enough(void *ctx, const char *name)
{
	(void)name;
	++*(size_t *)ctx;
	return false;
}

static void all_names_are_told(void **state)
{
	struct names_seen n = { .count = 0 };
	struct err err = { 0 };
	size_t told = 0;

	(void)state;
	assert_int_equal(variables_each("/proc/self/exe", name_see, &n, &err), 0);
	assert_true(n.counter && n.member && n.deep && n.real);
	assert_int_equal(variables_each("/proc/self/exe", name_enough, &told, &err), 0);
	assert_int_equal(told, 1);
	assert_true(variables_each("/nonexistent", name_see, &n, &err) < 0);
	assert_true(err_is_set(&err));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_names_are_told),
		cmocka_unit_test(its_own_are_found),
		cmocka_unit_test(states_have_names),
		cmocka_unit_test(what_is_no_number_is_refused),
		cmocka_unit_test(those_of_an_avr_are_found),
		cmocka_unit_test_setup_teardown(toolchains_agree, group_setup, tools_leave),
		cmocka_unit_test_setup_teardown(stabs_are_refused, group_setup, tools_leave),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
