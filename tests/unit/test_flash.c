/* flash: blocks cover all of an ELF once; verdicts of what was read of it. */
#include "tests/unit/unit.h"

#include "core/image/flash.h"

enum { CODE_AT = 0x8000000, CODE = 5000, DATA_AT = CODE_AT + CODE, DATA = 333 };
enum { RAM_AT = 0x20000000 };
enum { CHECKSUM = 28 };

static uint8_t bytes[CODE + DATA + 64];
static struct identity_part parts[] = {
	{ .address = CODE_AT, .size = CODE, .offset = 0, .code = true },
	{ .address = DATA_AT, .size = DATA, .offset = CODE },
	{ .address = RAM_AT, .size = 64, .offset = CODE + DATA, .ram = true },
};

static struct identity identity_made(void)
{
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * 7 + i / 256);
	memset(bytes + CHECKSUM, 0, 4);
	return (struct identity){
		.bytes = bytes, .segments = parts, .segment_count = COUNT(parts),
	};
}

/* All blocks, from a flash with that one byte changed (0: none). */
static struct flash flash_compared(const struct identity *id, uint32_t block,
				   uint32_t changed)
{
	struct flash_block b;
	struct flash f;

	flash_init(&f, id, block);
	while (flash_next(&f, &b)) {
		uint8_t read[8192];

		assert_true(b.size && b.size <= block && b.size % 4 == 0 && b.address % 4 == 0);
		assert_true(b.address >= CODE_AT && b.address + b.size <= DATA_AT + DATA);
		memcpy(read, bytes + (b.address - CODE_AT), b.size);
		if (changed >= b.address && changed < b.address + b.size)
			read[changed - b.address] ^= 0x10;
		flash_take(&f, b.address, read, b.size);
	}
	return f;
}

static void test_all_blocks_once(void **state)
{
	static const uint32_t blocks[] = { 4, 8, 64, 100, 1024, 4096 };
	struct identity id = identity_made();

	(void)state;
	for (size_t i = 0; i < COUNT(blocks); i++) {
		struct flash f = flash_compared(&id, blocks[i], 0);

		/* The checksum's word is left out, and what is no whole word at DATA's end. */
		assert_int_equal(f.total, CODE + DATA / 4 * 4);
		assert_int_equal(f.compared, f.total - 4);
		assert_int_equal(f.code_off + f.data_off, 0);
		assert_int_equal(flash_verdict(&f), IDENTITY_SAME);
	}
}

/* Two blocks in a row are far apart: the first few see most of what moved. */
static void test_blocks_are_spread(void **state)
{
	struct identity id = identity_made();
	unsigned quarters = 0;
	struct flash_block b;
	struct flash f;

	(void)state;
	flash_init(&f, &id, 64);
	for (int i = 0; i < 8 && flash_next(&f, &b); i++)
		quarters |= 1u << (b.address - CODE_AT) / ((CODE + DATA) / 4 + 1);
	assert_int_equal(quarters, 15);
}

static void test_verdicts(void **state)
{
	struct identity id = identity_made();
	struct flash f = flash_compared(&id, 64, CODE_AT + 4321);

	(void)state;
	assert_int_equal(flash_verdict(&f), IDENTITY_OTHER);
	assert_int_equal(f.code_off, 1);
	assert_int_equal(f.first_off, CODE_AT + 4321);
	f = flash_compared(&id, 64, DATA_AT + 17);
	assert_int_equal(flash_verdict(&f), IDENTITY_UNSURE);
	assert_int_equal(f.data_off, 1);
	assert_int_equal(f.first_off, DATA_AT + 17);
	f = flash_compared(&id, 64, CODE_AT + CHECKSUM + 2);
	assert_int_equal(flash_verdict(&f), IDENTITY_SAME);
	bytes[CHECKSUM] = 1;			/* the ELF has its own: compared */
	f = flash_compared(&id, 64, CODE_AT + CHECKSUM + 2);
	assert_int_equal(flash_verdict(&f), IDENTITY_OTHER);
}

static void test_erased(void **state)
{
	struct identity id = identity_made();
	uint8_t none[64];
	struct flash f;

	(void)state;
	memset(none, 0xff, sizeof(none));
	flash_init(&f, &id, 64);
	assert_int_equal(flash_verdict(&f), IDENTITY_UNKNOWN);
	flash_take(&f, CODE_AT, none, sizeof(none));
	assert_int_equal(flash_verdict(&f), IDENTITY_OTHER);
	assert_int_equal(f.erased, f.code_off);
	assert_true(f.erased > 50);
}

/* Addresses that the ELF does not have; parts without a word; past the end of the address space. */
static void test_odd_parts(void **state)
{
	struct identity_part odd[] = {
		{ .address = 0x101, .size = 2, .offset = 0, .code = true },
		{ .address = 0xfffffffe, .size = 64, .offset = 0, .code = true },
		{ .address = UINT64_MAX - 80, .size = 64, .offset = 0, .code = true },
	};
	struct identity id = identity_made();
	struct flash_block b;
	uint8_t read[64] = { 0 };
	struct flash f;

	(void)state;
	flash_init(&f, &id, 64);
	flash_take(&f, RAM_AT, read, sizeof(read));
	flash_take(&f, 0xfffffff0, read, sizeof(read));
	assert_int_equal(flash_verdict(&f), IDENTITY_UNKNOWN);
	id.segments = odd;
	id.segment_count = COUNT(odd);
	flash_init(&f, &id, 64);
	assert_false(flash_next(&f, &b));
	id.segment_count = 0;
	flash_init(&f, &id, 64);
	assert_false(flash_next(&f, &b));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_blocks_once),
		cmocka_unit_test(test_blocks_are_spread),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_erased),
		cmocka_unit_test(test_odd_parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
