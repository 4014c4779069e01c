/* blocks: which of a firmware's code a probe reads, and what the ELF is judged by it. */
#include "tests/unit/unit.h"

#include "core/image/identity.h"
#include "core/wire/probe/blocks.h"

enum { BASE = 0x8000000, SIZE = 64 * 1024 };

static uint8_t memory[SIZE];
static uint8_t flags[SIZE / 2];
static struct codemap code = { .arch = CODE_ARM, .base = BASE, .size = SIZE, .flags = flags };

static void code_make(uint32_t from, uint32_t to)
{
	memset(flags, 0, sizeof(flags));
	memset(flags + from / 2, CODE_TEXT, (to - from) / 2);
	for (size_t i = 0; i < SIZE; i++)
		memory[i] = (uint8_t)(i * 31 + (i >> 8) * 7);
}

/* A round of them, from the memory as it is. */
static struct wire_identity round_read(struct blocks *b)
{
	uint32_t words[WIRE_BLOCK_WORDS];

	for (unsigned i = 0; i < b->count; i++) {
		uint32_t address = b->address[b->next];
		bool last = i + 1 == b->count;

		assert_int_equal(b->next, i);
		memcpy(words, memory + (address - BASE), sizeof(words));
		assert_int_equal(blocks_take(b, i, b->count, address, words), last);
	}
	return b->identity;
}

static struct identity elf_of(struct identity_part *part)
{
	return (struct identity){ .bytes = memory, .segments = part, .segment_count = 1 };
}

static void test_chosen_from_code(void **state)
{
	struct blocks b = { .count = 0 };

	(void)state;
	code_make(0x100, 0xc000);
	blocks_choose(&b, &code);
	assert_int_equal(b.count, WIRE_BLOCKS);
	for (unsigned i = 0; i < b.count; i++) {
		assert_in_range(b.address[i], BASE + 0x100, BASE + 0xc000 - WIRE_BLOCK_BYTES);
		assert_int_equal(b.address[i] % 4, 0);
		assert_true(!i || b.address[i] >= b.address[i - 1] + 0xc000 / WIRE_BLOCKS / 2);
	}
	assert_true(b.address[0] < BASE + 0x400 && b.address[63] > BASE + 0xbc00);
	blocks_choose(&b, NULL);
	assert_int_equal(b.count, WIRE_BLOCKS);	/* they stay */
	code_make(0x1000, 0x1000 + 5 * WIRE_BLOCK_BYTES);
	blocks_choose(&b, &code);
	assert_int_equal(b.count, 5);		/* all that there are, each once */
	for (unsigned i = 0; i < b.count; i++)
		assert_int_equal(b.address[i], BASE + 0x1000 + i * WIRE_BLOCK_BYTES);
	code_make(0x1000, 0x1020);
	blocks_choose(&b, &code);
	assert_int_equal(b.count, 0);
}

/* Its base is no multiple of 4; it reaches the end of the address space; it is no ARM. */
static void test_odd_code(void **state)
{
	struct codemap odd = code;
	struct blocks b = { .count = 0 };

	(void)state;
	code_make(0, SIZE);
	odd.base = BASE + 2;
	blocks_choose(&b, &odd);
	assert_int_equal(b.count, WIRE_BLOCKS);
	for (unsigned i = 0; i < b.count; i++)
		assert_true(b.address[i] % 4 == 0 &&
			    b.address[i] + WIRE_BLOCK_BYTES <= odd.base + odd.size);
	b.count = 0;
	odd.base = UINT32_MAX - 100;
	blocks_choose(&b, &odd);
	odd.base = UINT64_MAX - 1;
	blocks_choose(&b, &odd);
	odd = code;
	odd.arch = CODE_AVR;
	blocks_choose(&b, &odd);
	odd = code;
	odd.size = 0;
	blocks_choose(&b, &odd);
	assert_int_equal(b.count, 0);
}

static void test_verdicts(void **state)
{
	struct identity_part part = { .address = BASE, .size = SIZE, .code = true };
	struct blocks b = { .count = 0 };
	struct identity id = elf_of(&part);
	struct wire_identity said;
	char text[80], own[48];

	(void)state;
	code_make(0, SIZE);
	blocks_choose(&b, &code);
	said = round_read(&b);
	assert_int_equal(said.kind, WIRE_IDENTITY_BLOCKS);
	assert_int_equal(identity_compare(&id, &said), IDENTITY_SAME);
	memory[b.address[7] - BASE + 63] ^= 1;
	assert_int_equal(identity_compare(&id, &said), IDENTITY_OTHER);
	identity_text(&said, text, sizeof(text));
	identity_own_text(&id, &said, own, sizeof(own));
	assert_string_equal(text, "");
	assert_string_equal(own, "1 of 64 blocks of its code differ");
	memory[b.address[7] - BASE + 63] ^= 1;
	part.size = SIZE / 2;			/* half of it is in that ELF */
	assert_int_equal(identity_compare(&id, &said), IDENTITY_SAME);
	part.size = SIZE / 4;
	assert_int_equal(identity_compare(&id, &said), IDENTITY_UNSURE);
	identity_doubt(&id, &said, text, sizeof(text));
	assert_string_equal(text, "of 64 blocks read from memory it has only 16");
	part.address = 0;
	assert_int_equal(identity_compare(&id, &said), IDENTITY_UNKNOWN);
	part = (struct identity_part){ .address = BASE, .size = SIZE, .ram = true };
	assert_int_equal(identity_compare(&id, &said), IDENTITY_UNKNOWN);
}

/* What cannot be read is left out; indices may be anything. */
static void test_answers(void **state)
{
	static const struct {
		unsigned index, count;
	} wild[] = { { 0, 0 }, { 1, 1 }, { 70, 90 }, { UINT32_MAX, UINT32_MAX }, { 64, 64 } };
	uint32_t words[WIRE_BLOCK_WORDS] = { 0 };
	struct blocks b = { .count = 0 };

	(void)state;
	code_make(0, SIZE);
	blocks_choose(&b, &code);
	for (unsigned i = 0; i < 64; i++)
		assert_int_equal(blocks_take(&b, i, 64, 4 * i, i % 2 ? words : NULL), i == 63);
	assert_int_equal(b.identity.block_count, 32);
	for (unsigned i = 0; i < 64; i++)
		assert_false(blocks_take(&b, i, 64, 4 * i, NULL));
	for (size_t i = 0; i < COUNT(wild); i++)
		assert_false(blocks_take(&b, wild[i].index, wild[i].count, 0, words));
	for (unsigned i = 0; i < 1000; i++) {	/* one and the same, again and again */
		blocks_take(&b, 5, 64, 0, words);
		assert_true(b.identity.block_count <= WIRE_BLOCKS && b.next < b.count);
	}
	code_make(0, 3 * WIRE_BLOCK_BYTES);
	blocks_choose(&b, &code);
	blocks_take(&b, 40, 64, 0, words);	/* more than were chosen */
	assert_true(b.next < b.count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chosen_from_code),
		cmocka_unit_test(test_odd_code),
		cmocka_unit_test(test_verdicts),
		cmocka_unit_test(test_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
