/*
 * Feed: what a debug server answers in the place of words, byte 0 how many are expected; and the
 * answer's bytes as what stands in flash, at an address taken from them.
 */
#include <stdlib.h>
#include <string.h>

#include "core/image/flash.h"
#include "core/probe/target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OWN = 300 };

static void flash_feed(const uint8_t *data, size_t size)
{
	static uint8_t own[OWN];
	struct identity_part parts[2] = {
		{ .address = 0x8000000, .size = 200, .code = true },
		{ .address = 0x8000100, .size = 100, .offset = 200 },
	};
	struct identity id = { .bytes = own, .segments = parts, .segment_count = 2 };
	struct flash_block block;
	uint32_t address;
	struct flash f;

	if (size < 6)
		return;
	memcpy(&address, data, sizeof(address));
	flash_init(&f, &id, 4u * (1 + data[4]));
	while (flash_next(&f, &block)) {
		if (!block.size || block.address < 0x8000000 ||
		    block.address + block.size > 0x8000164)
			abort();
	}
	if (data[5] & 1)
		address = 0x8000000 + address % 400;
	flash_take(&f, address, data, size);
	if (f.compared > size || f.code_off + f.data_off > f.compared)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t words[TARGET_WORDS_MAX];
	char *answer;

	flash_feed(data, size);
	if (!size || !(answer = calloc(1, size)))
		return 0;
	memcpy(answer, data + 1, size - 1);
	target_words(answer, words, data[0] % TARGET_WORDS_MAX + 1u);
	free(answer);
	return 0;
}
