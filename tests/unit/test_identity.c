/* identity: ELFs made here, compared with what a node would say of its flash. */
#include "tests/unit/unit.h"
#include "tests/unit/image_tools.h"

#include <sys/stat.h>

#include "core/base/mem.h"
#include "core/image/identity.h"

/* 0x100..0x107 and 0x10c..0x10f hold something; between them and behind is nothing. */
static void make_elf(const char *name, const char *byte, const char *more)
{
	char text[512], command[512];

	snprintf(text, sizeof(text), ".section .text,\"ax\",@progbits\n.globl main\nmain: .byte "
				     "1,2,3,4,5,6,7,%s\n"
		 ".section .late,\"ax\",@progbits\n.byte 9,10,11,12\n", byte);
	tools_write("id.s", text);
	snprintf(command, sizeof(command), "as -o id.o id.s && ld -N %s -Ttext=0x100 "
		 "--section-start=.late=0x10c -e main -o %s id.o", more, name);
	assert_true(tools_run(command));
}

static struct identity read_elf(const char *name)
{
	struct identity id;
	struct err err = { 0 };

	identity_read(&id, name, &err);
	assert_string_equal(err.text, "");
	return id;
}

static struct identity_sum sum_of(const uint8_t *bytes, size_t n)
{
	struct identity_sum s = { 0, 0 };

	for (size_t i = 0; i + 1 < n; i += 2) {
		s.a = (uint16_t)(s.a + (bytes[i] | bytes[i + 1] << 8));
		s.b = (uint16_t)(s.b + s.a);
	}
	return s;
}

static struct wire_identity identity_said(uint32_t start, const uint8_t *bytes, uint32_t n)
{
	struct identity_sum s = sum_of(bytes, n);

	return (struct wire_identity){
		.kind = WIRE_IDENTITY_SUM, .start = start, .length = n, .a = s.a, .b = s.b,
	};
}

static void flash_as_it_was_programmed_is_the_same(void **state)
{
	/*
	 * Gaps: erased flash; zeros (objcopy -O binary). And from the middle of a word, into the
	 * gap.
	 */
	static const struct {
		uint32_t start, n;
		uint8_t bytes[24];
		bool part;		/* of the program alone */
	} rows[] = {
		{ 0x100, 16, { 1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 9, 10, 11, 12 } },
		{ 0x100, 16, { 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 9, 10, 11, 12 } },
		{ 0x0fe, 22,
		 { 255, 255, 1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 9, 10, 11, 12, 255, 255,
			       255, 255 } },
		{ 0x107, 8, { 8, 255, 255, 255, 255, 9, 10, 11 }, true },
		{ 0x10f, 2, { 12, 255 }, true },
	};
	struct identity id;

	(void)state;
	make_elf("a.elf", "8", "");
	id = read_elf("a.elf");
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct wire_identity w = identity_said(rows[i].start, rows[i].bytes, rows[i].n);

		assert_int_equal(identity_compare(&id, &w),
				 rows[i].part ? IDENTITY_UNSURE : IDENTITY_SAME);
		w.b++;
		assert_int_equal(identity_compare(&id, &w), IDENTITY_OTHER);
	}
	identity_release(&id);
}

/*
 * 1,000 bytes of code at 0x4000, 100 of data behind it that run in RAM; 500 bytes that a debugger
 * loads into RAM; 5,000 of data in an external flash. `far`: there is code, too.
 */
static struct identity parts_made(const char *name, const char *far)
{
	char command[256];

	tools_write("parts.s", ".section .text,\"ax\",@progbits\n.globl main\nmain: .skip 1000, 7\n"
		    ".section .data,\"aw\",@progbits\n.skip 100, 8\n"
		    ".section .loaded,\"aw\",@progbits\n.skip 500, 9\n"
		    ".section .fonts,\"a\",@progbits\n.skip 5000, 10\n"
		    ".section .far,\"ax\",@progbits\n.skip 300, 11\n");
	tools_write("parts.ld", "SECTIONS {\n.text 0x4000 : { *(.text) }\n"
		    ".data 0x20000000 : AT(0x4000 + 1000) { *(.data) }\n"
		    ".loaded 0x20001000 : AT(0x20001000) { *(.loaded) }\n"
		    ".fonts 0x90000000 : AT(0x90000000) { *(.fonts) }\n"
		    ".far 0x91000000 : AT(0x91000000) { *(.far) } }\n");
	snprintf(command, sizeof(command), "as -o parts.o parts.s && objcopy -R .note.gnu.property"
		 "%s parts.o && ld -T parts.ld -e main -o %s parts.o", far, name);
	assert_true(tools_run(command));
	return read_elf(name);
}

static void a_sum_of_a_part_is_no_match(void **state)
{
	static const struct {
		uint32_t start, length;	/* of what the node sums up */
		bool far;
		enum identity_verdict fits, differs;
		const char *doubt;
	} rows[] = {
		{ 0x4000, 1100, false, IDENTITY_SAME, IDENTITY_OTHER, NULL },
		{ 0x4000, 1000, false, IDENTITY_SAME, IDENTITY_OTHER, NULL },
		{ 0x4000, 990, false, IDENTITY_SAME, IDENTITY_OTHER, NULL },
		{ 0x4000, 988, false, IDENTITY_UNSURE, IDENTITY_OTHER,
		  "its checksum covers 988 of 1100 bytes" },
		{ 0x4000, 100, false, IDENTITY_UNSURE, IDENTITY_OTHER,
		  "its checksum covers 100 of 1100 bytes" },
		{ 0x4000, 1100, true, IDENTITY_UNSURE, IDENTITY_OTHER,
		  "its checksum covers 1100 of 1400 bytes" },
		/* A gap in front, and a bootloader. */
		{ 0x3f80, 0x80 + 1100, false, IDENTITY_SAME, IDENTITY_OTHER, NULL },
		{ 0, 0x4000 + 1100, false, IDENTITY_SAME, IDENTITY_UNSURE, NULL },
		{ 0, 0x4000 + 500, false, IDENTITY_UNSURE, IDENTITY_UNSURE,
		  "its checksum starts 16384 bytes before the ELF's first byte" },
		/* It is another chip's. */
		{ 0x8000000, 1100, false, IDENTITY_UNSURE, IDENTITY_OTHER,
		  "its checksum covers 0 of 1000 bytes" },
	};
	struct identity id[2] = { parts_made("near.elf", " -R .far"), parts_made("far.elf", "") };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct identity *e = &id[rows[i].far];
		struct wire_identity w = {
			.kind = WIRE_IDENTITY_SUM, .start = rows[i].start, .length = rows[i].length,
		};
		struct identity_sum s = identity_sum(e, e->segments, e->segment_count, w.start,
						     w.length, 0xff);
		char doubt[80];

		w.a = s.a;
		w.b = s.b;
		assert_int_equal(identity_compare(e, &w), rows[i].fits);
		identity_doubt(e, &w, doubt, sizeof(doubt));
		if (rows[i].doubt)
			assert_string_equal(doubt, rows[i].doubt);
		w.b++;
		assert_int_equal(identity_compare(e, &w), rows[i].differs);
	}
	identity_release(&id[0]);
	identity_release(&id[1]);
}

static void one_changed_constant_is_another_firmware(void **state)
{
	static const uint8_t bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 255, 255, 255, 255, 9, 10, 11,
					 12 };
	struct wire_identity w = identity_said(0x100, bytes, sizeof(bytes));
	struct identity id;
	char text[64], own[64];

	(void)state;
	make_elf("b.elf", "88", "");
	id = read_elf("b.elf");
	assert_int_equal(identity_compare(&id, &w), IDENTITY_OTHER);
	identity_text(&w, text, sizeof(text));
	identity_own_text(&id, &w, own, sizeof(own));
	assert_int_equal(strncmp(own, "checksum ", 9), 0);
	assert_string_not_equal(own + 9, text);
	identity_release(&id);
}

static void a_build_id_decides_where_there_is_one(void **state)
{
	struct wire_identity w = { .kind = WIRE_IDENTITY_BUILD_ID };
	struct identity id;

	(void)state;
	make_elf("c.elf", "8", "--build-id=0x00112233445566778899aabbccddeeff");
	id = read_elf("c.elf");
	assert_int_equal(id.build_id_size, 16);
	for (size_t i = 0; i < sizeof(w.build_id); i++)
		w.build_id[i] = (uint8_t)(i * 0x11);
	assert_int_equal(identity_compare(&id, &w), IDENTITY_SAME);
	w.build_id[11] ^= 1;
	assert_int_equal(identity_compare(&id, &w), IDENTITY_OTHER);
	identity_release(&id);
	make_elf("d.elf", "8", "--build-id=none");
	id = read_elf("d.elf");
	assert_int_equal(identity_compare(&id, &w), IDENTITY_OTHER);
	identity_release(&id);
}

static void what_is_not_said_is_not_known(void **state)
{
	static const struct wire_identity rows[] = {
		{ .kind = WIRE_IDENTITY_NONE },
		{ .kind = WIRE_IDENTITY_SUM, .start = 0x100, .length = 0 },
		{ .kind = WIRE_IDENTITY_BUILD_ID },	/* all zeros: it is no note's */
	};
	struct identity id = read_elf("a.elf");

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(identity_compare(&id, &rows[i]), IDENTITY_UNKNOWN);
	identity_release(&id);
}

/*
 * Four gigabytes are summed at once: nothing that a node says may take longer than the ELF is
 * long.
 */
static void a_range_without_end_costs_nothing(void **state)
{
	struct identity id = read_elf("a.elf");
	struct identity_sum part, whole;

	(void)state;
	part = identity_sum(&id, id.segments, id.segment_count, 0x200, 0x20000, 0xff);
	assert_int_equal(part.a, (uint16_t)(0x10000u * 0xffffu));
	for (int i = 0; i < 1000; i++)
		whole = identity_sum(&id, id.segments, id.segment_count, 0, UINT32_MAX, 0xff);
	(void)whole;
	identity_release(&id);
}

/* AVR keeps .data in flash behind the code: its load address, not where it lives in RAM. */
static void avrs_data_counts_where_it_is_flashed(void **state)
{
	struct identity id;
	uint8_t *flash;
	long size;
	FILE *f;

	(void)state;
	if (!tools_have("avr-gcc"))
		skip();
	tools_write("avr.c", "volatile char text[] = \"0123456789\"; int n = 5;\n"
			     "int main(void) { return text[n]; }\n");
	assert_true(tools_run("avr-gcc -mmcu=atmega1284p -Os -o avr.elf avr.c && "
			      "avr-objcopy -O binary -j .text -j .data avr.elf avr.bin"));
	f = fopen("avr.bin", "rb");
	fseek(f, 0, SEEK_END);
	size = ftell(f) & ~1L;
	rewind(f);
	flash = malloc((size_t)size);
	assert_int_equal(fread(flash, 1, (size_t)size, f), size);
	fclose(f);
	assert_true(memmem(flash, (size_t)size, "0123456789", 10) != NULL);
	id = read_elf("avr.elf");
	for (int flip = 0; flip < 2; flip++) {
		struct wire_identity w = identity_said(0, flash, (uint32_t)size);

		assert_int_equal(identity_compare(&id, &w), flip ? IDENTITY_OTHER : IDENTITY_SAME);
		flash[size - 2] ^= 1;	/* in .data */
	}
	identity_release(&id);
	free(flash);
}

/* Cut at every byte, and with every allocation failing: a sentence or an identity, nothing else. */
static void broken_files_are_refused(void **state)
{
	struct identity id;
	struct stat st;
	struct err err = { 0 };

	(void)state;
	assert_true(identity_read(&id, "/nowhere", &err) < 0);
	identity_release(&id);
	assert_true(identity_read(&id, "/dev/null", NULL) < 0);
	identity_release(&id);
	assert_int_equal(stat("a.elf", &st), 0);
	assert_true(tools_run("cp a.elf cut.elf"));
	for (long n = st.st_size; n >= 0; n -= 7) {
		assert_int_equal(truncate("cut.elf", n), 0);
		identity_read(&id, "cut.elf", NULL);
		identity_release(&id);
	}
	for (long n = 0; n < 20; n++) {
		mem_fail_after(n);
		identity_read(&id, "a.elf", NULL);
		mem_fail_after(-1);
		identity_release(&id);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flash_as_it_was_programmed_is_the_same),
		cmocka_unit_test(a_sum_of_a_part_is_no_match),
		cmocka_unit_test(one_changed_constant_is_another_firmware),
		cmocka_unit_test(a_build_id_decides_where_there_is_one),
		cmocka_unit_test(what_is_not_said_is_not_known),
		cmocka_unit_test(a_range_without_end_costs_nothing),
		cmocka_unit_test(avrs_data_counts_where_it_is_flashed),
		cmocka_unit_test(broken_files_are_refused),
	};

	return cmocka_run_group_tests_name("identity", tests, tools_enter, tools_leave);
}
